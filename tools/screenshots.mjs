// Takes pictures of the playground, to see the effect of a change: `npm run build && node
// tools/screenshots.mjs [folder]`.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import path from 'node:path';
import { chromium } from 'playwright-core';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const target = process.argv[2] ?? path.join(root, 'packages/web/dist/screenshots');

const command = [path.join(root, 'packages/cli/bin/fencewright.js'), 'playground'];
const server = spawn(process.execPath, [...command, '--no-open', '--port', '0']);
const [said] = await once(server.stdout, 'data');
const address = /http:\S+\//.exec(String(said))[0];

const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'.split(
    ' ',
  ),
});
const sizes = { desktop: { width: 1280, height: 800 }, phone: { width: 360, height: 740 } };
const views = ['text', 'verdict', 'execution', 'states', 'fences', 'report'];

try {
  await mkdir(target, { recursive: true });
  const explained = path.join(target, 'explain.html');
  const program = path.join(root, 'examples/peterson.fw');
  spawnSync(process.execPath, [
    ...command.slice(0, 1),
    'explain',
    '--report',
    `html=${explained}`,
    program,
  ]);
  for (const [size, viewport] of Object.entries(sizes))
    for (const colorScheme of ['light', 'dark']) {
      const context = await browser.newContext({ viewport, colorScheme });
      const page = await context.newPage();
      page.on('pageerror', (error) => process.stderr.write(`${error.stack}\n`));
      page.on('console', (message) => {
        if (message.type() === 'error') process.stderr.write(`${message.text()}\n`);
      });
      await page.goto(address);
      await page.waitForSelector('#status[data-state="not-robust"]');
      await page.waitForSelector('#panel-states iframe', { state: 'attached', timeout: 30_000 });
      for (const view of views) {
        if (view === 'text' && size === 'desktop') continue;
        await page.click(`#tab-${view}`);
        await page.waitForTimeout(300);
        await page.screenshot({ path: path.join(target, `${size}-${colorScheme}-${view}.png`) });
      }
      await page.click('#help');
      await page.screenshot({ path: path.join(target, `${size}-${colorScheme}-help.png`) });
      await page.keyboard.press('Escape');
      await page.click('#share');
      const fragment = new URL(await page.inputValue('.field input')).hash;
      await page.screenshot({ path: path.join(target, `${size}-${colorScheme}-share.png`) });
      await page.goto(`${address}embed.html?view=execution${fragment}`);
      await page.waitForSelector('#panel-execution iframe');
      await page.waitForTimeout(300);
      await page.screenshot({ path: path.join(target, `${size}-${colorScheme}-embed.png`) });
      for (const [name, file] of [
        ['tutorial', 'tutorial.html'],
        ['atlas', 'atlas.html'],
        ['lesson', 'lesson-05-dekker-and-peterson.html'],
      ]) {
        await page.goto(address + file);
        await page.waitForTimeout(2500);
        await page.screenshot({
          path: path.join(target, `${size}-${colorScheme}-${name}.png`),
          fullPage: true,
        });
      }
      await page.click('.exercise .check');
      await page.waitForSelector('.exercise .shown iframe');
      await page.waitForTimeout(500);
      await page.locator('.exercise').screenshot({
        path: path.join(target, `${size}-${colorScheme}-exercise.png`),
      });
      // The page of `explain`, and the same page for a class.
      await page.goto(pathToFileURL(explained).href);
      const explain = path.join(target, `${size}-${colorScheme}-explain`);
      await page.screenshot({ path: `${explain}.png`, fullPage: true });
      await page.keyboard.press('l');
      if (size === 'desktop') await page.setViewportSize({ width: 1280, height: 720 });
      for (let step = 0; step < 6; step++) await page.keyboard.press('ArrowRight');
      await page.screenshot({ path: `${explain}-class.png` });
      await context.close();
    }
} finally {
  await browser.close();
  server.kill();
}
