import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { JsonCheckResult } from '@fencewright/core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { describeWith } from '../../../tools/external-program.js';
import { chromiumName, launchBrowser, lowContrast } from './browser.js';
import { fencewright, folderWith } from './fencewright.js';
import { fenced, storeBuffering } from './programs.js';

/**
 * A program whose thread `a` has two stores before one load, of which only the store to `x`
 * matters; `b` closes the cycle.
 */
const two = `program Two
var x, y, z
thread a {
  local r;
  x = 1;
  first: z = 1; r = y;
  fence;
  r = x;
}
thread b { local r; y = 1; r = x; }
`;

const files = { 'two.fw': two, 'sb.fw': storeBuffering, 'fenced.fw': fenced };

async function resultOf(args: readonly string[]): Promise<JsonCheckResult> {
  const cwd = await folderWith(files);
  const { stdout } = await fencewright([...args, '--json'], { cwd });
  const [result] = (JSON.parse(stdout) as { results: JsonCheckResult[] }).results;
  return result ?? expect.fail(stdout);
}

describe('explain --all-attacks', () => {
  test('says where only several threads together break robustness', async () => {
    const file = fileURLToPath(
      new URL('../../../corpus/asymmetric/ring-three.fw', import.meta.url),
    );
    const { stdout, code } = await fencewright(['explain', file, '--all-attacks']);
    expect(code).toBe(10);
    expect(stdout).toContain('No attack by a single thread is known to be feasible: the program');
    expect(stdout).not.toContain('Below is an execution');
    const { results } = JSON.parse((await fencewright(['check', file, '--json'])).stdout) as {
      results: JsonCheckResult[];
    };
    const { attack, others = [] } = results[0]?.witness ?? expect.fail('no witness');
    expect([attack, ...others].map(({ thread }) => thread).sort()).toEqual(['one', 'two']);
  });

  test('shows each feasible attack under a name that --attack takes', async () => {
    const cwd = await folderWith(files);
    const { stdout, code } = await fencewright(['explain', 'two.fw', '--all-attacks'], { cwd });
    expect(code).toBe(10);
    expect(stdout).toContain('2 of 5 attacks are known to be feasible. Below is an execution of');
    const names = [...stdout.matchAll(/^Attack \d of 2, (\S+): (.*)$/gm)];
    expect(names.map(([, name, words]) => `${name} ${words}`)).toEqual([
      'a:5:6 a delays its store of x past its load of y.',
      'b:10:10 b delays its store of y past its load of x.',
    ]);
    for (const [, name = ''] of names) {
      const one = await fencewright(['explain', 'two.fw', '--attack', name], { cwd });
      expect(one.code).toBe(10);
      expect(one.stdout).toContain(`The attack ${name} is feasible.\n\nThe attack, ${name}: `);
      expect(one.stdout.match(/Step by step/g)).toHaveLength(1);
    }
  });

  test('gives the executions in JSON, with what each attack is', async () => {
    const { witness, executions = [] } = await resultOf(['explain', 'two.fw', '--all-attacks']);
    expect(executions.map(({ name, attack: { thread } }) => [name, thread])).toEqual([
      ['a:5:6', 'a'],
      ['b:10:10', 'b'],
    ]);
    for (const { computation, states = [], cycle } of executions) {
      expect(states).toHaveLength(computation.length + 1);
      expect(cycle.length).toBeGreaterThan(1);
    }
    expect(executions.map(({ computation }) => computation)).toContainEqual(witness?.computation);
    expect(await resultOf(['explain', 'two.fw'])).not.toHaveProperty('executions');
  });

  test('of a robust program shows none', async () => {
    const cwd = await folderWith(files);
    const { stdout, code } = await fencewright(['explain', 'fenced.fw', '--all-attacks'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain('No attack is known to be feasible.');
    expect(stdout).not.toContain('Step by step');
  });
});

describe('explain --attack', () => {
  test.each([
    ['a:5:8', 'not feasible: it is ruled out by the control flow'],
    ['a:first:first', "has no load at a label or line 'first'"],
    ['a:first:6', 'is not feasible: '],
    ['c:5:6', "no thread is named 'c'"],
    ['a:5', 'the form is thread:store:load'],
    ['a:5:7', "has no load at a label or line '7'"],
  ])('%s is answered: %s', async (name, words) => {
    const cwd = await folderWith(files);
    const run = await fencewright(['explain', 'two.fw', '--attack', name], { cwd });
    expect(run.stdout + run.stderr).toContain(words);
    expect(run.stdout).not.toContain('Step by step');
    expect(run.code).toBe(words.startsWith('not') || words.startsWith('is not') ? 10 : 65);
  });

  test('goes with pictures of that execution', async () => {
    const cwd = await folderWith(files);
    const args = ['explain', 'two.fw', '--attack', 'b:10:10', '--report', 'dot=-'];
    const [own, other] = [
      await fencewright(args, { cwd }),
      await fencewright(args.with(3, 'a:5:6'), { cwd }),
    ];
    expect(own.stdout).toContain('digraph');
    expect(own.stdout).not.toBe(other.stdout);
  });

  test('does not go with --all-attacks', async () => {
    const cwd = await folderWith(files);
    const run = await fencewright(['explain', 'two.fw', '--attack', 'a:5:6', '--all-attacks'], {
      cwd,
    });
    expect(run.code).toBe(64);
  });
});

const root = fileURLToPath(new URL('../../../', import.meta.url));

describeWith(chromiumName, ['--version'], 'the menu of attacks', () => {
  let browser: Browser;
  beforeAll(async () => (browser = await launchBrowser()));
  afterAll(() => browser.close());

  async function open(hash = '', javaScriptEnabled = true) {
    const cwd = await folderWith({
      'dekker.fw': await readFile(path.join(root, 'examples/dekker.fw'), 'utf8'),
    });
    const args = ['explain', 'dekker.fw', '--all-attacks', '--report', 'html=page.html'];
    expect((await fencewright(args, { cwd })).code).toBe(10);
    const context = await browser.newContext({ javaScriptEnabled });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(pathToFileURL(path.join(cwd, 'page.html')).href + hash);
    return { page, complaints };
  }

  /** Returns the chosen attack of the menu, and the parts of the page that show this attack. */
  const shown = async (page: Page) => ({
    name: (await page.locator('#attack option:checked').textContent())?.split(',')[0]?.trim(),
    lead: await page.locator('#shown > .lead').textContent(),
    now: await page.locator('#now').textContent(),
    marked: await page.locator('.source .at.load').first().textContent(),
  });

  test('has every feasible attack, and shows what is chosen by keys alone', async () => {
    const { page, complaints } = await open();
    expect(await page.locator('#attack option').count()).toBe(18);
    expect(await shown(page)).toEqual({
      name: 't0:13:14',
      lead: 'The attack: t0 delays its store of flag[0] past its load of flag[1].',
      now: 'Step 0 of 6: the start',
      marked: 'flag[1]',
    });
    await page.getByLabel('Attack', { exact: true }).focus();
    await page.keyboard.press('ArrowDown');
    const second = await shown(page);
    expect(second).toMatchObject({ name: 't0:13:15', marked: 'turn' });
    expect(second.lead).toContain('past its load of turn');
    expect(page.url()).toMatch(/#attack-2-step-0$/);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await shown(page)).toMatchObject({ name: 't0:13:17' });
    // Each key press makes one step, also after other attacks were shown.
    await page.locator('#slider').focus();
    await page.evaluate('document.activeElement.blur()');
    const step = async (): Promise<number> =>
      Number(/^Step (\d+)/.exec((await shown(page)).now ?? '')?.[1]);
    // The first step skips the set-up.
    await page.keyboard.press('ArrowRight');
    const attackBegins = await step();
    await page.keyboard.press('ArrowRight');
    expect(await step()).toBe(attackBegins + 1);
    await page.getByRole('button', { name: 'Previous attack' }).click();
    await page.getByRole('button', { name: 'Previous attack' }).click();
    expect((await shown(page)).now).toBe('Step 0 of 6: the start');
    expect(complaints).toEqual([]);
  });

  test('its last one is opened by its address, and can be read', async () => {
    const { page, complaints } = await open('#attack-18-step-3');
    expect(await shown(page)).toMatchObject({ name: 't1:41:31' });
    expect((await shown(page)).now).toMatch(/^Step 3 of /);
    const forth = page.getByRole('button', { name: 'Next attack' });
    expect(await forth.getAttribute('aria-disabled')).toBe('true');
    await forth.dispatchEvent('click');
    expect(await shown(page)).toMatchObject({ name: 't1:41:31' });
    expect(await page.evaluate(lowContrast)).toEqual([]);
    for (const width of [360, 1600]) {
      await page.setViewportSize({ width, height: 800 });
      const over = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect(await page.evaluate(over), `${width}`).toBe(0);
    }
    expect(complaints).toEqual([]);
  });

  test('is not there without scripts, and the first execution is', async () => {
    const { page } = await open('', false);
    expect(await page.locator('#attack').isVisible()).toBe(false);
    expect(await page.locator('#shown > .lead').isVisible()).toBe(true);
    expect(await page.locator('.source .at.store').first().isVisible()).toBe(true);
  });
});
