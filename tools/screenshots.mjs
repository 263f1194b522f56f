// Takes pictures of the playground, for who looks at what a change does to it:
// `node tools/build-web.mjs && node tools/screenshots.mjs [folder]`.
import { createServer } from 'node:http';
import { mkdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { chromium } from 'playwright-core';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const site = path.join(root, 'packages/web/dist');
const target = process.argv[2] ?? path.join(site, '../screenshots');

const types = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript' };
const server = createServer((request, response) => {
  const name = new URL(request.url, 'http://localhost').pathname;
  readFile(path.join(site, name.endsWith('/') ? `${name}index.html` : name)).then(
    (data) =>
      response
        .writeHead(200, {
          'content-type':
            types[path.extname(name || '.html')] ??
            (name.endsWith('/') ? 'text/html' : 'application/octet-stream'),
        })
        .end(data),
    () => response.writeHead(404).end(),
  );
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const address = `http://127.0.0.1:${server.address().port}/`;

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
      await context.close();
    }
} finally {
  await browser.close();
  server.close();
}
