import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { describeWith } from '../../../tools/external-program.js';
import { readLessons } from '../../../tools/lessons.mjs';
import { chromiumName, launchBrowser } from './browser.js';
import { type Served, servePlayground } from './playground.js';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const lessons = await readLessons();
const fences = 'lesson-03-fences.html';

const robust = `program Careful
var x, y
thread t1 { local r; x = 1; fence; r = y; }
thread t2 { local r; y = 1; fence; r = x; }
`;

describeWith(chromiumName, ['--version'], 'the tutorial', () => {
  let served: Served;
  let browser: Browser;
  beforeAll(async () => {
    served = await servePlayground();
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    expect(await served.end()).toBe(0);
  });

  /** Opens a page. Errors in the page and requests to other servers fail the test. */
  async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    const wrong: string[] = [];
    page.on('pageerror', (error) => wrong.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') wrong.push(`${message.text()} ${message.location().url}`);
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

  async function answer(page: Page, text: string): Promise<string> {
    await page.click('.exercise .cm-content');
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(text);
    return check(page);
  }

  async function check(page: Page): Promise<string> {
    await page.click('.exercise .check');
    await page.waitForSelector('.exercise:not([data-state="busy"])', { timeout: 600_000 });
    return (await page.textContent('.exercise .said')) ?? '';
  }

  test('is a way from the playground, through all lessons, one after the other', async () => {
    const page = await open('');
    await page.click('#tutorial');
    await page.waitForSelector('.lessons');
    expect(await page.locator('.lessons a').allTextContents()).toEqual(
      lessons.map(({ title }) => title),
    );
    await page.click('.lessons a');
    for (const [i, { title }] of lessons.entries()) {
      expect(await page.textContent('h1')).toBe(title);
      expect(await page.textContent('.number')).toBe(`Lesson ${i + 1} of ${lessons.length}`);
      if (i + 1 < lessons.length) await page.click('.way a:last-child');
    }
    await page.click('header nav a:first-child');
    await page.waitForSelector('.lessons');
  });

  test('judges a changed program, shows what breaks it, and remembers what is done', async () => {
    const page = await open(fences);
    expect(await answer(page, robust.replace('fence; r = x', 'r = x'))).toContain(
      'not robust any more',
    );
    const frame = page.frameLocator('.exercise .shown iframe');
    expect(await frame.locator('body').textContent()).toContain('t2');
    expect(await answer(page, 'program Careful\nthread {')).toMatch(/^Line 2: /);
    expect(await answer(page, robust)).toBe('Right.');
    expect(await page.locator('.exercise .shown iframe').count()).toBe(0);
    await page.reload();
    await page.waitForSelector('.exercise[data-state="right"]');
    await page.goto(`${served.address}tutorial.html`);
    expect(await page.textContent('[data-lesson="03-fences"] .done')).toBe('(done)');
    expect(await page.textContent('#onward')).toBe(`Go on with ${lessons[0]!.title}.`);
  });

  test('judges what was ticked, by keyboard alone', async () => {
    const page = await open('lesson-01-a-store-takes-its-time.html');
    const { expected } = lessons[0]!.parts.find((part) => part.kind === 'exercise')!;
    const boxes = page.locator('.exercise input');
    await boxes.nth(3).focus();
    await page.keyboard.press('Space');
    expect(await check(page)).toBe('Wrong: `t2` reads 2.'.replaceAll('`', ''));
    await page.focus('.exercise .again');
    await page.keyboard.press('Enter');
    for (const option of expected as readonly number[]) {
      await boxes.nth(option).focus();
      await page.keyboard.press('Space');
    }
    await page.focus('.exercise .check');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.exercise[data-state="right"]', { timeout: 600_000 });
  });

  test('runs its programs in the page', async () => {
    const page = await open(fences);
    const program = page.frameLocator('fencewright-program >> nth=0 >> iframe');
    await program.locator('#status[data-state="not-robust"]').waitFor({ timeout: 600_000 });
  });

  test('can be read where no script runs', async () => {
    const page = await open(fences, { javaScriptEnabled: false });
    expect(await page.locator('fencewright-program pre').count()).toBe(2);
    expect(await page.textContent('.exercise .given')).toContain('program Careful');
  });

  test('works without a network after the first visit', async () => {
    const page = await open('tutorial.html');
    await page.evaluate(async () => {
      await (globalThis as unknown as Navigation).navigator.serviceWorker.ready;
    });
    await page.waitForTimeout(500);
    await page.context().setOffline(true);
    await page.goto(served.address + fences);
    expect(await answer(page, robust)).toBe('Right.');
  });

  test.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 360],
    ['forced', 1280],
  ] as const)('has nothing that axe-core finds, %s, %i pixels wide', async (colours, width) => {
    const look =
      colours === 'forced' ? { forcedColors: 'active' as const } : { colorScheme: colours };
    const page = await open(fences, { ...look, viewport: { width, height: 900 } });
    await answer(page, 'program Careful\nvar x\n');
    for (const path of [undefined, 'tutorial.html']) {
      if (path !== undefined) await page.goto(served.address + path);
      await page.evaluate(axe);
      const found = await page.evaluate(
        `axe.run(document, { iframes: false }).then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes.map(({ html }) => html)))`,
      );
      expect(found).toEqual([]);
      // Only code may be wider than the page.
      const wide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
      expect(wide).toBe(false);
    }
  });
});

/** The parts of a page's globals that the test uses. */
interface Navigation {
  readonly navigator: { readonly serviceWorker: { readonly ready: Promise<unknown> } };
}
