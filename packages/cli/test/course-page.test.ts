import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { describeWith } from '../../../tools/external-program.js';
import { chromiumName, launchBrowser } from './browser.js';
import { type Served, servePlayground } from './playground.js';

const script = new URL('../dist/site/fencewright-program.js', import.meta.url);

const program = `program SB
var x, y
thread t1 { local r; x = 1; r = y; }
thread t2 {
  local r;
  if (x == 0 && y == 0) { y = 1; r = x; }
}
`;

const escaped = program.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

test('the script for pages of a course is small', async () => {
  expect((await readFile(script)).length).toBeLessThan(5000);
});

describeWith(chromiumName, ['--version'], 'a page of a course', () => {
  let browser: Browser;
  let served: Served;
  let course: Server;
  /** The HTML of the served pages, by path. */
  const pages = new Map<string, string>();
  beforeAll(async () => {
    browser = await launchBrowser();
    served = await servePlayground();
    course = createServer(({ url = '/' }, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
      response.end(pages.get(url) ?? '');
    });
    await new Promise<void>((resolve) => course.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    await browser.close();
    course.close();
    expect(await served.end()).toBe(0);
  });

  /** Returns a page with this body, on another origin than the playground. */
  async function open(body: string, javaScriptEnabled = true): Promise<Page> {
    const source = `${served.address}fencewright-program.js`;
    // The script is loaded before the elements exist.
    const page = `<!doctype html><html lang="en"><title>Course</title><script src="${source}"></script><body>${body}</body></html>`;
    const path = `/${pages.size}`;
    pages.set(path, page);
    const context = await browser.newContext({ javaScriptEnabled });
    const opened = await context.newPage();
    const wrong: string[] = [];
    opened.on('pageerror', (error) => wrong.push(String(error)));
    opened.on('console', (message) => {
      // The course's server has no icon.
      if (message.type() === 'error' && !message.text().includes('favicon'))
        wrong.push(message.text());
    });
    onTestFinished(async () => {
      await context.close();
      expect(wrong).toEqual([]);
    });
    await opened.goto(`http://127.0.0.1:${(course.address() as AddressInfo).port}${path}`);
    return opened;
  }

  const frameOf = (page: Page, id: string) => page.frameLocator(`#${id} iframe`);
  const textIn = (page: Page, id: string): Promise<string[]> =>
    frameOf(page, id).locator('.cm-line').allTextContents();

  test('shows its programs in the playground, each as its attributes say', async () => {
    const page = await open(`<h1>Lesson</h1>
      <fencewright-program id="one" view="execution" readonly aria-label="Store buffering"><pre>
        ${escaped.trimEnd().replaceAll('\n', '\n        ')}
      </pre></fencewright-program>
      <fencewright-program id="two" view="states" format="litmus"><pre>X86 SB
{ x=0; y=0; }
 P0         | P1         ;
 MOV [x],$1 | MOV [y],$1 ;
 MOV EAX,[y]| MOV EAX,[x];
exists (0:EAX=0 /\\ 1:EAX=0)</pre></fencewright-program>`);
    const [one, two] = [frameOf(page, 'one'), frameOf(page, 'two')];
    await one.locator('#status[data-state="not-robust"]').waitFor({ timeout: 600_000 });
    expect(await textIn(page, 'one')).toEqual(program.split('\n'));
    expect(await one.locator('#tab-execution').getAttribute('aria-selected')).toBe('true');
    expect(await one.locator('.cm-content').getAttribute('aria-readonly')).toBe('true');
    expect(await page.locator('#one iframe').getAttribute('title')).toBe('Store buffering');
    await two.locator('#format').waitFor({ state: 'attached' });
    await two.locator('#status[data-state="not-robust"]').waitFor({ timeout: 600_000 });
    expect(await two.locator('#format').inputValue()).toBe('litmus');
    // The text is taken from the page, which then hides its own copy.
    expect(await page.locator('#one pre').isVisible()).toBe(false);
    expect(await page.locator('#one').textContent()).toContain('program SB');
  });

  test('follows its attributes, and the height of the frame', async () => {
    const page = await open(
      `<fencewright-program id="one" view="verdict">${escaped}</fencewright-program>`,
    );
    const frame = frameOf(page, 'one');
    await frame.locator('#status[data-state="not-robust"]').waitFor({ timeout: 600_000 });
    expect(await textIn(page, 'one')).toEqual(program.split('\n'));
    await page.evaluate(`document.getElementById('one').setAttribute('view', 'fences')`);
    await frame.locator('#tab-fences[aria-selected="true"]').waitFor({ timeout: 600_000 });
    expect(await page.locator('#one iframe').count()).toBe(1);
    const height = (): Promise<number> =>
      page.evaluate(
        `document.getElementById('one').shadowRoot.querySelector('iframe').getBoundingClientRect().height`,
      );
    // The frame reports its height while its answer grows.
    await frame.locator('#stop').waitFor({ state: 'hidden', timeout: 600_000 });
    const isSteady = async (): Promise<boolean> => {
      const one = await height();
      await page.waitForTimeout(300);
      return (await height()) === one;
    };
    await expect.poll(isSteady, { timeout: 600_000 }).toBe(true);
    // The page ignores messages that do not come from the frame.
    const before = await height();
    await page.evaluate(`postMessage({ kind: 'fencewright-height', height: 3000 }, '*')`);
    await page.waitForTimeout(100);
    expect(await height()).toBe(before);
    const inner = page.frames().find((one) => one.url().includes('embed.html'));
    await inner?.evaluate(`parent.postMessage({ kind: 'fencewright-height', height: 700 }, '*')`);
    await expect.poll(height).toBe(702);
    await inner?.evaluate(`parent.postMessage({ kind: 'fencewright-height', height: 9e9 }, '*')`);
    await expect.poll(height).toBe(4000);
  });

  test('without scripts is a text', async () => {
    const page = await open(
      `<fencewright-program id="one"><pre>${escaped}</pre></fencewright-program>`,
      false,
    );
    expect(await page.locator('#one pre').isVisible()).toBe(true);
    expect(await page.locator('#one').innerText()).toContain('x == 0 && y == 0');
  });
});
