import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { describeWith } from '../../../tools/external-program.js';
import { chromiumName, launchBrowser } from './browser.js';
import { fencewright, folderWith } from './fencewright.js';
import { type Served, servePlayground } from './playground.js';

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const examples = fileURLToPath(new URL('../../../examples/', import.meta.url));

/** Returns what axe finds in a page, without its frames. */
async function violations(page: Page): Promise<unknown> {
  await page.evaluate(axe);
  return page.evaluate(
    `axe.run(document, { iframes: false }).then(({ violations }) =>
      violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 120))]))`,
  );
}

describeWith(chromiumName, ['--version'], 'axe finds nothing', () => {
  let browser: Browser;
  let served: Served;
  beforeAll(async () => {
    [browser, served] = await Promise.all([launchBrowser(), servePlayground()]);
  });
  afterAll(async () => {
    await browser.close();
    await served.end();
  });

  async function pageFor(colorScheme: 'light' | 'dark', width: number): Promise<Page> {
    const viewport = { width, height: 740 };
    const context = await browser.newContext({ colorScheme, viewport, reducedMotion: 'reduce' });
    onTestFinished(() => context.close());
    return context.newPage();
  }

  const sizes = [
    ['light', 360],
    ['dark', 360],
    ['light', 1280],
    ['dark', 1280],
  ] as const;

  test.each([
    [['explain'], 'peterson.fw'],
    [['explain'], 'peterson-fenced.fw'],
    [['reach'], 'store-buffering.fw'],
    [['check', '--model', 'c11'], 'c11/message-passing-relaxed.fw'],
    [['explain'], 'events/listener.fw'],
    [['events'], 'events/listener.fw'],
  ])('in the page of %j about %s, also in large type', async (verb, program) => {
    const cwd = await folderWith({});
    const asked = [...verb, '--report', 'html=page.html', path.join(examples, program)];
    expect((await fencewright(asked, { cwd })).code).toBeLessThanOrEqual(10);
    for (const [colours, width] of sizes) {
      const page = await pageFor(colours, width);
      await page.goto(pathToFileURL(path.join(cwd, 'page.html')).href);
      expect(await page.textContent('h1')).not.toBe('');
      expect(await violations(page), `${colours}, ${width}`).toEqual([]);
      await page.keyboard.press('l');
      await page.keyboard.press('ArrowRight');
      expect(await violations(page), `${colours}, ${width}, large`).toEqual([]);
    }
  });

  test('in the atlas, in a lesson with text, and in a page for frames', async () => {
    for (const [colours, width] of sizes) {
      const page = await pageFor(colours, width);
      await page.goto(`${served.address}atlas.html`);
      expect(await page.textContent('h1')).toBe('Atlas');
      expect(await violations(page), `atlas, ${colours}`).toEqual([]);
      await page.goto(`${served.address}tutorial.html`);
      expect(await violations(page), `tutorial, ${colours}`).toEqual([]);
      await page.goto(`${served.address}lesson-14-from-c-to-a-verdict.html`);
      expect(await violations(page), `lesson, ${colours}`).toEqual([]);
      await page.goto(`${served.address}embed.html?view=execution`);
      await page.waitForSelector('#panel-execution iframe');
      await page.waitForSelector('#stop', { state: 'hidden' });
      expect(await violations(page), `frame, ${colours}`).toEqual([]);
    }
  });
});
