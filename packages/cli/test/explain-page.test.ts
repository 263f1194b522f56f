import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { JsonCheckResult, JsonFenceResult } from '@fencewright/core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { chromiumName, launchBrowser, lowContrast } from './browser.js';
import { describeWith } from '../../../tools/external-program.js';
import { fencewright, folderWith } from './fencewright.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** A thread that does much before its attack, so that the witness has hundreds of steps. */
const long = `program Long
var x, y, z
thread t1 {
  local i, r;
  while (i < 150) { i = i + 1; z = i; r = z; }
  x = 1;
  r = y;
}
thread t2 { local r; y = 1; r = x; }
`;

/** Six threads: more than fit beside each other on a phone. */
const manyThreads = `program Ring
var a, b, c, d, e, f
${['ab', 'bc', 'cd', 'de', 'ef', 'fa'].map(([own, next], i) => `thread P${i} { local r; ${own} = 1; r = ${next}; }`).join('\n')}
`;

const evil = `program Evil // </script><script>alert(1)</script><!--
var x, y
thread t1 { local r; x = 1; r = y; } // <img src=x onerror=alert(2)>
thread t2 { local r; y = 1; r = x; }
`;

const programs: Readonly<Record<string, string>> = {
  dekker: await readFile(path.join(root, 'examples/dekker.fw'), 'utf8'),
  peterson: await readFile(path.join(root, 'examples/peterson.fw'), 'utf8'),
  'mcs-lock': await readFile(path.join(root, 'examples/mcs-lock.fw'), 'utf8'),
  'chase-lev': await readFile(path.join(root, 'examples/chase-lev.fw'), 'utf8'),
  long,
  'many-threads': manyThreads,
  evil,
};

interface Machine {
  readonly buffers: Readonly<Record<string, readonly string[]>>;
  readonly memory: Readonly<Record<string, number>>;
}

/** A script that returns pairs of overlapping texts in the pictures of event runs. */
const overlaps = `(() => {
  const texts = [...document.querySelectorAll('svg.lanes text')].map((text) => ({
    words: text.textContent,
    box: text.getBoundingClientRect(),
  }));
  const meet = (a, b) =>
    a.left < b.right && b.left < a.right && a.top + 3 < b.bottom && b.top + 3 < a.bottom;
  const found = texts.flatMap(({ words, box }, i) =>
    texts.slice(i + 1).filter((two) => meet(box, two.box)).map((two) => [words, two.words]),
  );
  return texts.length < 10 ? ['too few texts'] : found;
})()`;

/** A script that returns the machine's state as the page shows it. */
const machine = `(() => {
  const texts = (root, selector) => [...root.querySelectorAll(selector)].map((e) => e.textContent);
  const threads = [...document.querySelectorAll('.machine .thread')];
  const cells = texts(document, '.memory dt');
  const values = texts(document, '.memory dd');
  return {
    buffers: Object.fromEntries(threads.map((t) => [texts(t, 'h3')[0], texts(t, '.slots li')])),
    memory: Object.fromEntries(cells.map((cell, i) => [cell, Number(values[i])])),
  };
})()`;

/**
 * The fragment of the page's address that selects the attack, if the page begins with another
 * execution, in which a claim fails.
 */
const attack = '#attack-2-step-0';

interface Opened {
  readonly page: Page;
  /** Errors in the browser, and requests of the page to the network. */
  readonly complaints: string[];
}

describeWith(chromiumName, ['--version'], 'the page of explain --html', () => {
  let browser: Browser;
  beforeAll(async () => (browser = await launchBrowser()));
  afterAll(() => browser.close());

  async function written(name: string): Promise<{ file: string; cwd: string }> {
    const cwd = await folderWith({ [`${name}.fw`]: programs[name]! });
    const run = await fencewright(['explain', `${name}.fw`, '--report', 'html=page.html'], { cwd });
    expect([0, 10]).toContain(run.code);
    return { file: path.join(cwd, 'page.html'), cwd };
  }

  async function open(
    file: string,
    options: BrowserContextOptions = {},
    hash = '',
  ): Promise<Opened> {
    const context = await browser.newContext({
      viewport: { width: 1200, height: 900 },
      ...options,
    });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('dialog', (dialog) => complaints.push(dialog.message()));
    const address = pathToFileURL(file).href;
    page.on('request', (request) => {
      if (request.url().split('#')[0] !== address && !request.url().startsWith('data:'))
        complaints.push(`request: ${request.url()}`);
    });
    await page.goto(address + hash);
    return { page, complaints };
  }

  const now = (page: Page): Promise<string | null> => page.locator('#now').textContent();
  const step = async (page: Page): Promise<number> =>
    Number(/^Step (\d+) /.exec((await now(page)) ?? '')?.[1]);

  test.each(Object.keys(programs))(
    '%s: light, without complaints, at every width',
    async (name) => {
      const { file } = await written(name);
      expect((await readFile(file)).length).toBeLessThan(400_000);
      const { page, complaints } = await open(file);
      await page.keyboard.press('End');
      for (const width of [400, 800, 1600]) {
        await page.setViewportSize({ width, height: 800 });
        const widths =
          'document.documentElement.scrollWidth - document.documentElement.clientWidth';
        expect(await page.evaluate(widths), `${width}`).toBe(0);
      }
      expect(complaints).toEqual([]);
    },
  );

  test.each([
    ['dekker', 'light'],
    ['dekker', 'dark'],
    ['chase-lev', 'light'],
    ['chase-lev', 'dark'],
    ['many-threads', 'dark'],
    ['mcs-lock', 'light'],
    ['mcs-lock', 'dark'],
  ] as const)('%s can be read in %s: contrasts at several steps', async (name, colorScheme) => {
    const { file } = await written(name);
    const { page } = await open(file, { colorScheme });
    const isViolation = name !== 'mcs-lock';
    for (const table of await page.locator('summary').all()) await table.click();
    for (const key of ['Home', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'End']) {
      if (isViolation) await page.locator('#slider').press(key);
      await page.waitForTimeout(200);
      expect(await page.evaluate(lowContrast), key).toEqual([]);
    }
  });

  test('keys, buttons and the slider go through the steps', async () => {
    const { file } = await written('dekker');
    const { page, complaints } = await open(file);
    expect(await now(page)).toBe('Step 0 of 6: the start');
    await page.keyboard.press('ArrowRight');
    expect(await now(page)).toBe('Step 1 of 6: t0 issues flag[0] = 1 (line 13)');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowLeft');
    expect(await step(page)).toBe(1);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    expect(await step(page)).toBe(0);
    await page.keyboard.press('End');
    expect(await step(page)).toBe(6);
    await page.keyboard.press('ArrowRight');
    expect(await step(page)).toBe(6);
    await page.keyboard.press('Home');
    expect(await step(page)).toBe(0);
    // The slider by itself, each key counted once.
    await page.locator('#slider').focus();
    await page.keyboard.press('ArrowRight');
    expect(await step(page)).toBe(1);
    await page.keyboard.press('End');
    expect(await step(page)).toBe(6);
    await page.locator('#slider').fill('3');
    expect(await step(page)).toBe(3);
    for (const [name, expected] of [
      ['Step forward', 4],
      ['Step back', 3],
      ['Last step', 6],
      ['First step', 0],
    ] as const) {
      await page.getByRole('button', { name }).click();
      expect(await step(page)).toBe(expected);
    }
    // In the time line, the focus goes along.
    await page.locator('.event[data-step="1"]').click();
    await page.keyboard.press('ArrowDown');
    expect(await step(page)).toBe(3);
    await expectFocus(page, '.event[data-step="2"]');
    await page.keyboard.press('ArrowUp');
    await expectFocus(page, '.event[data-step="1"]');
    expect(complaints).toEqual([]);
  });

  async function expectFocus(page: Page, selector: string): Promise<void> {
    expect(await page.evaluate(`document.activeElement?.matches('${selector}')`)).toBe(true);
  }

  test.each(['dekker', 'chase-lev', 'many-threads'])(
    '%s: buffers and memory are those of the replay, at every step',
    async (name) => {
      const { file, cwd } = await written(name);
      const run = await fencewright(['explain', '--json', `${name}.fw`], { cwd });
      const document = JSON.parse(run.stdout) as { results: JsonCheckResult[] };
      const { states = [], computation = [] } = document.results[0]?.witness ?? {};
      expect(states.length).toBe(computation.length + 1);
      const { page } = await open(file, {}, attack);
      const fold = page.locator('#fold');
      if ((await fold.count()) > 0) await fold.click();
      for (const [i, { buffers, memory }] of states.entries()) {
        expect(await step(page)).toBe(i);
        const shown = await page.evaluate<Machine>(machine);
        const stores = Object.entries(buffers).map(([owner, buffer]): [string, string[]] => [
          owner,
          buffer.map(({ address, value }) => `${address} = ${value}`),
        ]);
        const numbers = Object.entries(memory).map(([cell, value]): [string, number] => [
          cell,
          Number(value),
        ]);
        const replayed: Machine = {
          buffers: Object.fromEntries(stores),
          memory: Object.fromEntries(numbers),
        };
        expect(shown).toEqual(replayed);
        await page.keyboard.press('ArrowRight');
      }
    },
  );

  test('the cycle is marked, and an edge lights up with its words', async () => {
    const { file, cwd } = await written('peterson');
    const run = await fencewright(['explain', '--json', 'peterson.fw'], { cwd });
    const document = JSON.parse(run.stdout) as { results: JsonCheckResult[] };
    const cycle = document.results[0]?.witness?.cycle ?? [];
    const { page } = await open(file, {}, attack);
    const edges = page.locator('.with-others .edge.cycle');
    const shown = await edges.evaluateAll((all: { dataset: Record<string, string> }[]) =>
      all.map(({ dataset }) => [Number(dataset.from), Number(dataset.to)]),
    );
    expect(shown.toSorted()).toEqual(cycle.map(({ from, to }) => [from, to]).toSorted());
    expect(await page.locator('.with-others .node.cycle').count()).toBe(cycle.length);
    const [first] = cycle;
    const edge = page.locator(
      `.with-others .edge.cycle[data-from="${first?.from}"][data-to="${first?.to}"]`,
    );
    const words = page.locator('.edge-words').first();
    const isLit = async (): Promise<boolean> =>
      ((await edge.getAttribute('class')) ?? '').split(' ').includes('hover');
    expect(await isLit()).toBe(false);
    await words.hover();
    expect(await isLit()).toBe(true);
    expect(await page.locator('.with-others .node.hover').count()).toBe(2);
    await page.mouse.move(0, 0);
    expect(await isLit()).toBe(false);
    await words.focus();
    expect(await isLit()).toBe(true);
    await page.keyboard.press('Enter');
    expect(await step(page)).toBe((first?.to ?? 0) + 1);
  });

  test('an event is marked in time line, program and graph at once', async () => {
    const { file } = await written('dekker');
    const { page } = await open(file, {}, attack);
    const marked = async (className: string): Promise<string[]> => [
      (await page.locator(`.event.${className}`).allTextContents()).join(' '),
      (await page.locator(`.source .at.${className}`).allTextContents()).join(' '),
      (await page.locator(`.graph .node.${className} .access`).allTextContents()).join(' '),
    ];
    expect(await marked('hover')).toEqual(['', '', '']);
    const expected: unknown[] = [
      expect.stringContaining('flag[1] is 0'),
      'flag[1]',
      'load flag[1] = 0',
    ];
    await page.locator('.event[data-step="1"]').hover();
    expect(await marked('hover')).toEqual(expected);
    // The focus scrolls the page: words of the cycle must not come under the pointer.
    await page.mouse.move(0, 0);
    await page.locator('.graph .node', { hasText: 'load flag[1]' }).focus();
    expect(await marked('hover')).toEqual(expected);
    await page.keyboard.press(' ');
    expect(await step(page)).toBe(2);
    expect(await marked('current')).toEqual(expected);
    await page.locator('.source .at.store').click();
    // Shows the store's commit; choosing the store again shows its issue.
    expect(await now(page)).toContain('t0 stores flag[0] = 1 to memory');
    await page.locator('.source .at.store').click();
    expect(await now(page)).toContain('t0 issues flag[0] = 1');
    expect((await marked('current'))[2]).toBe('store flag[0] = 1');
  });

  test('the fences stand in the program where fence puts them', async () => {
    const { file, cwd } = await written('dekker');
    const run = await fencewright(['fence', '--json', 'dekker.fw'], { cwd });
    const document = JSON.parse(run.stdout) as { results: JsonFenceResult[] };
    const lines = document.results[0]?.fences?.flatMap(({ line, lines: all }) => all ?? [line]);
    const { page } = await open(file);
    const shown = await page
      .locator('.source li:has(ins.fence)')
      .evaluateAll((rows: { value: number }[]) => rows.map(({ value }) => value));
    expect(shown).toEqual(lines?.toSorted((a, b) => (a ?? 0) - (b ?? 0)));
    expect(shown.length).toBeGreaterThan(3);
  });

  test('begins with the execution in which the claim fails, and has the attack second', async () => {
    // The fence of t leaves the delay to s.
    const text = `program Both
var a, b, inside
thread s { a = 1; if (b == 0) { inside = inside + 1; assert (inside == 1); } }
thread t { b = 1; fence; if (a == 0) { inside = inside + 1; } }
`;
    const cwd = await folderWith({ 'a.fw': text });
    await fencewright(['explain', 'a.fw', '--report', 'html=page.html'], { cwd });
    const { page, complaints } = await open(path.join(cwd, 'page.html'));
    const entries = await page.locator('#attack option').allTextContents();
    expect(entries).toEqual([
      'How the assertion of s at line 3 fails',
      'The attack: s delays its store of a past its load of b.',
    ]);
    await page.keyboard.press('End');
    // Both threads have entered, and the assertion sees 2.
    expect((await page.evaluate<Machine>(machine)).memory).toMatchObject({ b: 1, inside: 1 });
    expect((await page.evaluate<Machine>(machine)).buffers.s).toContain('inside = 2');
    expect(await page.locator('.edge-words').count()).toBe(0);
    await page.getByRole('button', { name: 'Next execution' }).click();
    expect(await page.locator('#shown > .lead').textContent()).toContain('The attack: s delays');
    expect(await page.locator('.edge-words').count()).toBeGreaterThan(1);
    expect(complaints).toEqual([]);
  });

  test('an address with a step opens the page there, and follows', async () => {
    const { file } = await written('dekker');
    const { page } = await open(file, {}, '#step-4');
    expect(await step(page)).toBe(4);
    await page.keyboard.press('ArrowRight');
    expect(page.url()).toMatch(/#attack-1-step-5$/);
  });

  test('moves nothing for those who ask for that', async () => {
    const { file } = await written('dekker');
    const { page } = await open(file, { reducedMotion: 'reduce' });
    const moving = `[...document.querySelectorAll('*')].filter((e) => getComputedStyle(e).transitionDuration !== '0s').length`;
    expect(await page.evaluate(moving)).toBe(0);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    expect(await page.evaluate(moving)).toBeGreaterThan(0);
  });

  test('plays by itself, until somebody chooses a step or the end is reached', async () => {
    const { file } = await written('dekker');
    const { page, complaints } = await open(file);
    const play = page.getByRole('button', { name: 'Play' });
    const isPlaying = async (): Promise<boolean> =>
      (await play.getAttribute('aria-pressed')) === 'true';
    await page.clock.install();
    await page.reload();
    await play.click();
    await page.clock.runFor(3100);
    expect(await step(page)).toBe(2);
    expect(await isPlaying()).toBe(true);
    await page.keyboard.press('ArrowLeft');
    expect([await step(page), await isPlaying()]).toEqual([1, false]);
    await page.clock.runFor(5000);
    expect(await step(page)).toBe(1);
    await page.keyboard.press('p');
    await page.clock.runFor(60_000);
    expect([await step(page), await isPlaying()]).toEqual([6, false]);
    // Once more, from the start.
    await play.click();
    expect([await step(page), await isPlaying()]).toEqual([0, true]);
    expect(complaints).toEqual([]);
  });

  test('fills the screen, and gives it back, by key and by button', async () => {
    const { file } = await written('dekker');
    const { page, complaints } = await open(file);
    const isFull = (): Promise<unknown> => page.evaluate('document.fullscreenElement !== null');
    await page.keyboard.press('f');
    await expect.poll(isFull).toBe(true);
    await page.keyboard.press('f');
    await expect.poll(isFull).toBe(false);
    await page.getByRole('button', { name: 'Full screen' }).click();
    await expect.poll(isFull).toBe(true);
    expect(complaints).toEqual([]);
  });

  test('large type makes everything larger, and nothing wider than the window', async () => {
    const { file } = await written('dekker');
    const { page } = await open(file);
    const height = async (): Promise<number> =>
      (await page.locator('.event[data-step="0"]').boundingBox())?.height ?? 0;
    const before = await height();
    await page.keyboard.press('l');
    expect(await height()).toBeGreaterThan(1.3 * before);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(1200);
    await page.getByRole('button', { name: 'Large type' }).click();
    expect(await height()).toBe(before);
  });

  test('in large type the machine is on a screen of 1280 by 720, also below a menu', async () => {
    const { file } = await written('peterson');
    const { page } = await open(file);
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.keyboard.press('l');
    expect(await page.locator('#attacks').isVisible()).toBe(true);
    const box = await page.locator('.machine').boundingBox();
    expect(box!.y + box!.height).toBeLessThanOrEqual(720);
  });

  test('folds what only leads to the attack, and goes over it in one step', async () => {
    const { file } = await written('long');
    const { page } = await open(file);
    const fold = page.locator('#fold');
    const setUp = Number(/^\s*(\d+) steps of set-up/.exec((await fold.textContent()) ?? '')?.[1]);
    // The loop takes more than four steps each time.
    expect(setUp).toBeGreaterThan(600);
    expect(await page.locator('.event:visible').count()).toBe(7);
    await page.keyboard.press('ArrowRight');
    expect(await step(page)).toBe(setUp);
    await page.keyboard.press('ArrowRight');
    expect(await now(page)).toContain('t1 issues x = 1');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    expect(await step(page)).toBe(0);
    await fold.click();
    expect(await page.locator('.event:visible').count()).toBe(setUp + 7);
    await page.keyboard.press('ArrowRight');
    expect(await step(page)).toBe(1);
    const { page: other } = await open(file, {}, '#step-5');
    expect(await step(other)).toBe(5);
    expect(await other.locator('.event[data-step="4"]').isVisible()).toBe(true);
  });

  test('shows the cycle alone, or with what is beside it', async () => {
    const { file } = await written('peterson');
    const { page } = await open(file, {}, attack);
    const drawn = (): Promise<number> => page.locator('.graph .node:visible').count();
    expect(await drawn()).toBe(5);
    await page.getByLabel('only the cycle').check();
    expect(await drawn()).toBe(4);
    expect(await page.locator('.graph .edge:visible').count()).toBe(4);
  });

  test('has the same run without store buffers beside it, and goes along', async () => {
    const { file } = await written('dekker');
    const { page } = await open(file, {}, attack);
    const rows = page.locator('.counterpart tbody tr');
    await rows.last().click();
    expect(await rows.last().getAttribute('class')).toContain('current');
    expect(await step(page)).toBe(Number(await rows.last().locator('th').textContent()));
  });

  test('a fence shows what it is for', async () => {
    const { file } = await written('dekker');
    const { page } = await open(file);
    const mark = page.locator('.source ins.fence').first();
    await mark.hover();
    const reason = page.locator('.fences li.hover');
    expect(await reason.count()).toBe(1);
    expect(await reason.textContent()).toContain('Otherwise');
    await mark.focus();
    await page.keyboard.press('Enter');
    const isSeen = "document.querySelector('.fences li').getBoundingClientRect().top < innerHeight";
    await expect.poll(() => page.evaluate(isSeen)).toBe(true);
  });

  test('prints every step, and not the controls', async () => {
    const { file } = await written('dekker');
    const { page } = await open(file, {}, attack);
    await page.emulateMedia({ media: 'print' });
    await page.evaluate(`dispatchEvent(new Event('beforeprint'))`);
    expect(await page.locator('#all-steps tbody tr').count()).toBe(7);
    expect(await page.locator('#all-steps table').isVisible()).toBe(true);
    expect(await page.locator('#slider').isVisible()).toBe(false);
    expect(await page.evaluate(lowContrast)).toEqual([]);
  });

  test('the keyboard alone reaches everything that can be pressed', async () => {
    const { file } = await written('dekker');
    const { page } = await open(file, {}, attack);
    const reached = new Set<string>();
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press('Tab');
      const what =
        'document.activeElement?.id || document.activeElement?.getAttribute("class") || ""';
      for (const word of String(await page.evaluate(what)).split(' ')) reached.add(word);
    }
    for (const word of ['first', 'back', 'slider', 'forth', 'last', 'event', 'node', 'edge-words'])
      expect(reached).toContain(word);
  });

  test.each([
    ['explain', 'events/save-settings'],
    ['reach', 'events/save-settings'],
    ['events', 'events/listener'],
  ])('%s: no text in the picture of a run of events covers another', async (verb, example) => {
    const name = path.basename(example);
    const text = await readFile(path.join(root, `examples/${example}.fw`), 'utf8');
    const cwd = await folderWith({ [`${name}.fw`]: text });
    const run = await fencewright([verb, `${name}.fw`, '--report', 'html=page.html'], { cwd });
    expect(run.code).toBe(10);
    const { page, complaints } = await open(path.join(cwd, 'page.html'));
    expect(await page.evaluate(overlaps)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
