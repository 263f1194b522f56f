import { readdir, readFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { describeWith } from '../../../tools/external-program.js';
import { chromiumName, launchBrowser } from './browser.js';
import { fencewrightAfresh as fencewright } from './fencewright.js';
import { type Served, servePlayground } from './playground.js';

const site = new URL('../dist/site/', import.meta.url);
const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const golden = JSON.parse(
  await readFile(new URL('../../web/test/golden-links.json', import.meta.url), 'utf8'),
) as readonly { link: string; shared: { format: string; text: string } }[];

let served: Served;
beforeAll(async () => {
  served = await servePlayground();
});
afterAll(async () => {
  expect(await served.end()).toBe(0);
});

/** Requests a path of the server exactly as written, without normalisation. */
function get(path: string, options: object = {}): Promise<{ code?: number; type?: string }> {
  const { hostname, port } = new URL(served.address);
  return new Promise((resolve, reject) => {
    request({ hostname, port, path, ...options }, (response) => {
      response.resume();
      const { statusCode: code, headers } = response;
      const type = headers['content-type'];
      resolve({ ...(code !== undefined && { code }), ...(type !== undefined && { type }) });
    })
      .on('error', reject)
      .end();
  });
}

describe('the server of the playground', () => {
  test.each([
    ['/', 'text/html; charset=utf-8'],
    ['/?view=execution', 'text/html; charset=utf-8'],
    ['/embed.html', 'text/html; charset=utf-8'],
    ['/main.js', 'text/javascript; charset=utf-8'],
    ['/style.css', 'text/css; charset=utf-8'],
    ['/icon.svg', 'image/svg+xml'],
    ['/examples.json', 'application/json; charset=utf-8'],
    ['/highs.wasm', 'application/wasm'],
  ])('gives %s as %s', async (path, type) => {
    expect(await get(path)).toEqual({ code: 200, type });
  });

  test.each([
    '/nowhere',
    '/../start.cjs',
    '/..%2fstart.cjs',
    '/%2e%2e/start.cjs',
    '/..\\start.cjs',
    '//etc/passwd',
    '/%00',
    '/%',
    '/x/../../start.cjs',
  ])('has no %s', async (path) => {
    expect(await get(path)).toMatchObject({ code: 404 });
  });

  test('answers this machine only, and takes nothing', async () => {
    expect(await get('/', { headers: { host: 'evil.example' } })).toMatchObject({ code: 403 });
    expect(await get('/', { method: 'POST' })).toMatchObject({ code: 405 });
    expect(await get('/', { method: 'HEAD' })).toMatchObject({ code: 200 });
  });

  test('says so where the port is taken', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const port = String((other.address() as AddressInfo).port);
    const run = await fencewright(['playground', '--no-open', '--port', port]);
    expect(run).toMatchObject({ code: 64, stdout: '' });
    expect(run.stderr).toContain(`port ${port} is taken`);
    expect(await fencewright(['playground', '--port', 'x'])).toMatchObject({ code: 64 });
    expect(await fencewright(['playground', '--port', '65536'])).toMatchObject({ code: 64 });
  });
});

const storeBuffering = `program SB
var x, y
thread t1 { local r; x = 1; r = y; }
thread t2 { local r; y = 1; r = x; }
`;

const repository = new URL('../../../', import.meta.url);

/** Programs that are not robust without fences, by format. */
const unfenced = {
  native: storeBuffering,
  litmus: await readFile(new URL('corpus/litmus-x86/SB.litmus', repository), 'utf8'),
  trencher: await readFile(new URL('tools/peterson.trencher', repository), 'utf8'),
  memorax: `forbidden CS CS
data
\tx = 0 : [0:1] /* ä 😀 */
\ty = 0 : [0:1]
process text write: x := 1; read: y = 0; CS: nop
process text write: y := 1; read: x = 0; CS: nop
`,
};

/**
 * A program without a quick answer: infinitely many states, and no analysis shows that no square is
 * 7.
 */
const endless = `program Endless
var x, y
${[1, 2, 3, 4].map((i) => `thread t${i} { local i, r; while (true) { i = i + 1; x = i; if (i * i != 7) { fence; } r = y; y = r + ${i}; fence; } }`).join('\n')}
`;

describeWith(chromiumName, ['--version'], 'the playground', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  /**
   * Opens a page of the site in a fresh browser context; `script` runs before the scripts of the
   * page. Errors and warnings in the page and requests to other servers fail the test.
   */
  async function open(path = '', options: BrowserContextOptions = {}, script = ''): Promise<Page> {
    const context = await browser.newContext(options);
    await context.addInitScript(script);
    const page = await context.newPage();
    const wrong: string[] = [];
    page.on('pageerror', (error) => wrong.push(String(error)));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) wrong.push(message.text());
    });
    context.on('request', (asked) => {
      const url = asked.url();
      if (!url.startsWith(served.address) && !/^(data|blob|about):/.test(url)) wrong.push(url);
    });
    onTestFinished(async () => {
      await context.close();
      expect(wrong).toEqual([]);
    });
    await page.goto(served.address + path);
    return page;
  }

  const state = (page: Page, name: string): Promise<unknown> =>
    page.waitForSelector(`#status[data-state="${name}"]`, { timeout: 600_000 });

  async function type(page: Page, text: string): Promise<void> {
    await page.click('.cm-content');
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(text);
  }

  const textOf = (page: Page): Promise<string> =>
    page.evaluate<string>(
      `[...document.querySelectorAll('.cm-line')].map((line) => line.textContent).join('\\n')`,
    );

  /** Returns the violations that axe finds in the page, without the embedded frames. */
  async function violations(page: Page): Promise<unknown> {
    // Not while a run puts its parts into the page, which axe cannot follow.
    await page.waitForSelector('#status:not([data-state="stale"], [data-state="checking"])');
    await page.waitForSelector('#stop', { state: 'hidden' });
    await page.evaluate(axe);
    return page.evaluate(
      `axe.run(document, { iframes: false }).then(({ violations }) =>
        violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 120))]))`,
    );
  }

  test('checks an example, shows its execution, and applies fences that mend it', async () => {
    const page = await open();
    await state(page, 'not-robust');
    // The playground draws the execution again when it knows what the program claims.
    await page.waitForSelector('#stop', { state: 'hidden' });
    await page.click('#tab-execution');
    const frame = page.frameLocator('#panel-execution iframe');
    const step = () => frame.locator('.now').textContent();
    const before = await step();
    await frame.locator('input[type=range]').press('ArrowRight');
    expect(await step()).not.toBe(before);
    await page.click('#tab-fences');
    await page.click('#apply');
    await state(page, 'robust');
    await page.click('#tab-verdict');
    expect(await page.textContent('#panel-verdict')).toContain('TSO adds nothing');
  });

  test('shows one verdict: robustness alone is no verdict where an answer follows', async () => {
    // The page shows a verdict alone after a second, which does not pass here.
    const script = `
      const wait = setTimeout;
      setTimeout = (act, time, ...rest) => (time === 1000 ? 0 : wait(act, time, ...rest));
      verdicts = new Set();
      new MutationObserver(() => {
        for (const shown of document.querySelectorAll('#panel-verdict h2, #chip'))
          verdicts.add(shown.textContent);
      }).observe(document, { childList: true, subtree: true, characterData: true });
    `;
    const page = await open('', {}, script);
    await page.waitForSelector('#stop', { state: 'hidden' });
    await state(page, 'not-robust');
    const verdicts = await page.evaluate<string[]>('[...verdicts]');
    expect(verdicts).toContain('breaks on x86');
    expect(verdicts).not.toContain('not robust');
  });

  test('goes with the text: an error, its place, and its end', async () => {
    const page = await open();
    await state(page, 'not-robust');
    await type(page, storeBuffering.replace('r = y', 'r = z'));
    // After the first key, nothing is shown about the previous text.
    expect(await page.getAttribute('#status', 'data-state')).not.toBe('not-robust');
    await state(page, 'error');
    expect(await page.textContent('#panel-verdict')).toContain('line 3');
    await type(page, storeBuffering.replaceAll('; r', '; fence; r'));
    await state(page, 'robust');
    await type(page, storeBuffering);
    await state(page, 'not-robust');
    await page.waitForSelector('#stop', { state: 'hidden' });
    expect(await page.textContent('#spoken')).toMatch(/^ends on x86 as it never does without /);
    expect(await page.textContent('#panel-verdict .difference')).toBe('t1.r = 0t2.r = 0');
    // The page of the execution has the same headline.
    const chip = (await page.textContent('#chip'))!;
    await page.click('#tab-execution');
    const frame = page.frameLocator('#panel-execution iframe');
    expect(await frame.locator('h1 .verdict').textContent()).toBe(chip);
  });

  test('gives the verdicts of the command line', async () => {
    const page = await open();
    await page.waitForSelector('#example optgroup', { state: 'attached' });
    const examples = JSON.parse(
      await readFile(new URL('examples.json', site), 'utf8'),
    ) as readonly { file: string; group: string }[];
    const groups = [...new Set(examples.map(({ group }) => group))];
    // Two examples of each group; `packages/web` tests all of them without a browser.
    const chosen = groups.flatMap((group) =>
      examples.filter((one) => one.group === group).slice(0, 2),
    );
    for (const { file } of chosen) {
      const run = await fencewright(['check', '--json', file], { cwd: fileURLToPath(repository) });
      const { results } = JSON.parse(run.stdout) as { results: [{ verdict: string }] };
      await page.selectOption('#example', String(examples.findIndex((one) => one.file === file)));
      await state(page, results[0].verdict);
    }
  });

  async function pasteOver(page: Page, text: string): Promise<void> {
    await page.click('.cm-content');
    await page.keyboard.press('Control+a');
    await page.evaluate(`(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', ${JSON.stringify(text)});
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      document.querySelector('.cm-content').dispatchEvent(event);
    })()`);
  }

  test('takes what is pasted for what it is, and says so where it cannot', async () => {
    const page = await open();
    await state(page, 'not-robust');
    await page.waitForSelector('#stop', { state: 'hidden' });
    const paste = (text: string): Promise<void> => pasteOver(page, text);
    await paste(unfenced.litmus);
    await state(page, 'stale');
    await state(page, 'not-robust');
    expect(await page.inputValue('#format')).toBe('litmus');
    // The text is no longer the example's file.
    await page.click('#tab-report');
    expect(await page.textContent('#panel-report')).toContain('explain --answers program.litmus');
    await paste(storeBuffering.replaceAll('; r', '; fence; r'));
    await state(page, 'robust');
    expect(await page.inputValue('#format')).toBe('native');
    // A typed text may be in any format: the page offers to change the format.
    await type(page, unfenced.trencher);
    await state(page, 'error');
    await page.click('#tab-verdict');
    expect(await page.textContent('#words')).toMatch(/^Line 1: /);
    await page.click('text=Read as Trencher');
    await state(page, 'not-robust');
    await paste('#include <stdatomic.h>\nint main(void) { return 0; }\n');
    await state(page, 'error');
    expect(await page.textContent('#panel-verdict')).toContain('The text looks like C');
  });

  test.each(Object.entries(unfenced))(
    'undoes and redoes fences, texts and formats: %s',
    async (format, text) => {
      const page = await open();
      await type(page, '// nothing yet');
      await state(page, 'error');
      await pasteOver(page, text);
      await state(page, 'not-robust');
      expect(await page.inputValue('#format')).toBe(format);
      const pasted = await textOf(page);
      expect(pasted).toBe(text);
      await page.click('#tab-fences');
      await page.click('#apply');
      await state(page, 'robust');
      const fenced = await textOf(page);
      const press = async (key: string): Promise<void> => {
        await page.click('.cm-content');
        await page.keyboard.press(key);
      };
      await press('Control+z');
      expect(await textOf(page)).toBe(text);
      await state(page, 'not-robust');
      await press('Control+y');
      expect(await textOf(page)).toBe(fenced);
      await state(page, 'robust');
      await press('Control+z');
      await press('Control+z');
      expect(await textOf(page)).toBe('// nothing yet');
      expect(await page.inputValue('#format')).toBe('native');
      await state(page, 'error');
      await press('Control+y');
      expect(await textOf(page)).toBe(text);
      expect(await page.inputValue('#format')).toBe(format);
      await state(page, 'not-robust');
      // Choosing a format changes no text, and can be undone like everything else.
      const other = format === 'trencher' ? 'litmus' : 'trencher';
      await page.selectOption('#format', other);
      await state(page, 'error');
      expect(await page.textContent('#panel-report')).not.toContain('$');
      await press('Control+z');
      expect(await page.inputValue('#format')).toBe(format);
      expect(await textOf(page)).toBe(text);
      await state(page, 'not-robust');
    },
  );

  test('says of events against what they are not robust, and goes on where states are open', async () => {
    const page = await open();
    await state(page, 'not-robust');
    // Posting follows the store, but does not wait for it.
    const saving =
      'program P\nvar s, d\nevent e(v) { s = v; async[any] save(); }\nprocedure save() { local v; v = s; d = v; }\nevents e(1)\n';
    await type(page, saving);
    await state(page, 'stale');
    await state(page, 'not-robust');
    expect(await page.textContent('#words')).toMatch(/^Not serialisable under TSO: store buffers /);
    // Ever new values: not robust at once, and states without end.
    await type(page, endless.replaceAll('fence; ', ''));
    await state(page, 'stale');
    await state(page, 'not-robust');
    await page.waitForSelector('#stop', { state: 'hidden', timeout: 600_000 });
    expect(await page.isVisible('#more')).toBe(true);
  });

  test('stops within half a second, and goes on when asked', async () => {
    const page = await open();
    await state(page, 'not-robust');
    await type(page, endless);
    await state(page, 'checking');
    await page.waitForTimeout(700);
    const milliseconds = await page.evaluate<number>(`new Promise((resolve) => {
      const button = document.getElementById('stop');
      const begun = performance.now();
      // On a slow machine, the run may have ended by its own limit.
      if (button.hidden) resolve(0);
      new MutationObserver(() => resolve(performance.now() - begun)).observe(button, {
        attributes: true,
      });
      button.click();
    })`);
    // Half a second on an idle machine; without the stop, the run would take ten.
    expect(milliseconds).toBeLessThan(5000);
    expect(await page.getAttribute('#status', 'data-state')).toBe('unknown');
    expect(await page.isVisible('#more')).toBe(true);
    await type(page, storeBuffering);
    await state(page, 'not-robust');
  });

  test('keeps a verdict that is known, also where the next run is stopped', async () => {
    const page = await open();
    // One attack is feasible; deciding the other attacks needs an endless search.
    const text = storeBuffering.replace(
      /r = x;\s*\}/,
      'r = x; while (true) { y = y + 1; r = x; } }',
    );
    expect(text).not.toBe(storeBuffering);
    await type(page, text);
    await state(page, 'not-robust');
    expect(await page.isVisible('#stop')).toBe(true);
    await page.click('#stop');
    await page.waitForSelector('#more:not([hidden])');
    expect(await page.getAttribute('#status', 'data-state')).toBe('not-robust');
    await page.click('#more');
    await page.click('#stop');
    await page.waitForSelector('#stop', { state: 'hidden' });
    expect(await page.getAttribute('#status', 'data-state')).toBe('not-robust');
    expect(await page.textContent('.verdict')).toBe('not robust');
  });

  test.each(golden)(
    'opens a link that was given away: $shared.format',
    async ({ link, shared }) => {
      const page = await open(new URL(link).hash);
      await page.waitForSelector('#status:not([data-state="stale"])');
      expect(await textOf(page)).toBe(shared.text.replace(/\n$/, '\n'));
      expect(await page.inputValue('#format')).toBe(shared.format);
    },
  );

  test('says so of a link that is damaged', async () => {
    const page = await open('#1/AAAA');
    expect(await page.textContent('#sheet-title')).toBe('This link cannot be read');
  });

  test('shares the text in a link and in a frame, and long ones as files', async () => {
    const page = await open();
    await type(page, storeBuffering);
    await state(page, 'not-robust');
    await page.click('#share');
    const link = await page.inputValue('.field input');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.click('.field button');
    await expect.poll(() => page.textContent('.field button')).toBe('Copied');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(link);
    const other = await open(new URL(link).hash);
    await state(other, 'not-robust');
    expect(await textOf(other)).toBe(storeBuffering);
    const framed = await open(`embed.html?view=verdict&fontsize=20${new URL(link).hash}`);
    await state(framed, 'not-robust');
    await framed.click('.cm-content');
    await framed.keyboard.press('Control+End');
    await framed.keyboard.insertText('// more');
    const opened = framed.waitForEvent('popup');
    await framed.click('#playground');
    const popup = await opened;
    await state(popup, 'not-robust');
    expect(await textOf(popup)).toBe(`${storeBuffering}// more`);
    await page.keyboard.press('Escape');
    const noise = Array.from({ length: 9000 }, (_, i) => (i * 7919).toString(36)).join(' ');
    await type(page, `${storeBuffering}// ${noise}`);
    await page.click('#share');
    await expect.poll(() => page.textContent('#sheet-body')).toContain('Send the file instead');
  });

  test('keeps a draft', async () => {
    const page = await open();
    await state(page, 'not-robust');
    await type(page, storeBuffering);
    await page.reload();
    await state(page, 'not-robust');
    expect(await textOf(page)).toBe(storeBuffering);
  });

  test('works without a network after the first visit', async () => {
    const page = await open();
    await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
    await page.waitForFunction('navigator.serviceWorker.controller !== null');
    await page.context().setOffline(true);
    await page.reload();
    await state(page, 'not-robust');
    await type(page, storeBuffering.replaceAll('; r', '; fence; r'));
    await state(page, 'robust');
  });

  test('is for the keyboard alone', async () => {
    const page = await open();
    await state(page, 'not-robust');
    await page.keyboard.press('F8');
    await page.keyboard.press('Control+Enter');
    await state(page, 'not-robust');
    await page.keyboard.press('Escape');
    const focused = (): Promise<string> => page.evaluate('document.activeElement.id');
    expect(await focused()).toBe('tab-verdict');
    await page.keyboard.press('ArrowRight');
    expect(await focused()).toBe('tab-execution');
    await page.keyboard.press('?');
    await page.waitForSelector('#sheet[open]');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Alt+4');
    expect(await focused()).toBe('tab-fences');
    await page.waitForSelector('#apply');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('apply');
    await page.keyboard.press('Enter');
    await state(page, 'robust');
  });

  test.each([
    ['light', 'none'],
    ['dark', 'none'],
    ['light', 'active'],
    ['dark', 'active'],
  ] as const)('passes axe in %s, forced colours: %s', async (colorScheme, forcedColors) => {
    // Colours do not depend on the width.
    for (const width of colorScheme === 'light' && forcedColors === 'none' ? [1280, 360] : [1280]) {
      const viewport = { width, height: 740 };
      const more = { forcedColors, viewport, reducedMotion: 'reduce' } as const;
      const page = await open('', { colorScheme, ...more });
      await state(page, 'not-robust');
      await page.waitForSelector('#panel-states iframe', { state: 'attached' });
      await page.waitForSelector('#apply', { state: 'attached' });
      for (const tab of ['verdict', 'execution', 'states', 'fences', 'report']) {
        await page.click(`#tab-${tab}`);
        expect(await violations(page), `${tab} at ${width}`).toEqual([]);
      }
      await page.click('#help');
      await page.waitForSelector('#sheet[open]');
      expect(await violations(page), `help at ${width}`).toEqual([]);
      const sideways =
        'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect(await page.evaluate(sideways)).toBe(0);
    }
  });

  const popup = (page: Page) => page.locator('.offers [role=option]');

  test('tells what stands at a place, by pointer and by key', async () => {
    const page = await open();
    await type(page, storeBuffering);
    await state(page, 'not-robust');
    await page.waitForSelector('.cm-content[aria-autocomplete]');
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowDown');
    for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowRight');
    await page.keyboard.press('F9');
    const hover = page.locator('.cm-tooltip .hover');
    await hover.waitFor();
    const words = await hover.innerText();
    expect(words).toContain('shared variable x, declared in line 2');
    expect(words).toContain('initially 0');
    expect(words).toContain('loaded by t2');
    expect(words).toContain('stored by t1');
    expect(await page.textContent('#spoken')).toContain('shared variable x');
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await hover.waitFor({ state: 'detached' });
    await page.locator('.cm-line', { hasText: 'thread t1' }).getByText('thread').hover();
    await hover.waitFor();
    expect(await hover.innerText()).toContain('thread t[3] has three copies');
  });

  test('offers what can stand at a place, and puts it there', async () => {
    const page = await open();
    await type(page, storeBuffering);
    await state(page, 'not-robust');
    await page.waitForSelector('.cm-content[aria-autocomplete]');
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.type('mf');
    await popup(page).first().waitFor();
    await expect.poll(() => popup(page).locator('b').allTextContents()).toEqual(['mfence']);
    // While no completion is selected, Enter ends the line.
    const active = (): Promise<string | null> =>
      page.locator('.cm-content').getAttribute('aria-activedescendant');
    expect(await active()).toBeNull();
    await page.keyboard.press('ArrowDown');
    expect(await active()).toBe('offer-0');
    expect(await violations(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.keyboard.type('; ');
    expect(await textOf(page)).toContain('r = y; mfence; }');
    await page.keyboard.press('Control+ ');
    const labels = async (): Promise<string[]> => popup(page).locator('b').allTextContents();
    await popup(page).first().waitFor();
    expect(await labels()).toEqual(expect.arrayContaining(['x', 'y', 'r', 'while', 'fence']));
    // Escape leaves the list first, then the editor.
    await page.keyboard.press('Escape');
    await popup(page).first().waitFor({ state: 'detached' });
    await page.keyboard.type('zz');
    expect(await popup(page).count()).toBe(0);
    await page.keyboard.press('Escape');
    expect(await page.evaluate('document.activeElement.id')).toBe('tab-verdict');
  });

  test('loads no more than it may', async () => {
    const context = await browser.newContext({ serviceWorkers: 'block' });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    const seen = new Set<string>();
    let isDecided = false;
    context.on('request', (asked) => {
      const name = new URL(asked.url()).pathname.slice(1);
      isDecided ||= name === 'decided';
      if (!isDecided) seen.add(name);
    });
    await context.route('**/decided', (route) => route.fulfill({ body: '' }));
    // The worker itself reports the verdict: a later request may reach the browser before the page
    // has shown the verdict.
    await context.route('**/worker.js', async (route) => {
      const body = await readFile(new URL('worker.js', site), 'utf8');
      const marked = `const told = postMessage;
        globalThis.postMessage = (message) => {
          if (message.part?.kind === 'verdict') void fetch('/decided');
          told(message);
        };`;
      await route.fulfill({ contentType: 'text/javascript', body: `${body}\n${marked}` });
    });
    await page.goto(served.address);
    await state(page, 'not-robust');
    expect(seen).toContain('worker.js');
    expect(isDecided).toBe(true);
    const files = await readdir(site);
    const sizes = await Promise.all(
      [...seen].map(async (name) => {
        const file = name === '' ? 'index.html' : name;
        expect(files).toContain(file);
        return [file, gzipSync(await readFile(new URL(file, site)), { level: 9 }).length] as const;
      }),
    );
    const total = (names: (name: string) => boolean): number =>
      sizes.filter(([name]) => names(name)).reduce((sum, [, size]) => sum + size, 0);
    const isOfEngines = (name: string): boolean => /^(worker|part-)/.test(name);
    // Each request takes time on a slow machine.
    expect([...seen].filter(isOfEngines)).toEqual(['worker.js', 'part-first.js']);
    expect(total((name) => !isOfEngines(name))).toBeLessThanOrEqual(200_000);
    expect(total(() => true)).toBeLessThanOrEqual(330_000);
  });

  test('after the first visit, the page has the verdict before its thread has worked for half a second', async () => {
    const context = await browser.newContext();
    onTestFinished(() => context.close());
    const first = await context.newPage();
    await first.goto(served.address);
    await state(first, 'not-robust');
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    // Processor time of the page's thread: other programs on the machine do not count.
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    await page.goto(served.address);
    await state(page, 'not-robust');
    const { metrics } = await session.send('Performance.getMetrics');
    const worked = metrics.find(({ name }) => name === 'TaskDuration')!.value;
    expect(worked).toBeGreaterThan(0.01);
    // A machine with a sixth of the speed takes less than three seconds.
    expect(worked).toBeLessThan(0.5);
  });
});
