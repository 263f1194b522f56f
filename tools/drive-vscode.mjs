// Drives the extension in a real VS Code, and takes pictures: `npm run build:vscode && node
// tools/drive-vscode.mjs SERVER [folder]`, where SERVER is the folder `lib/vscode` of npm's
// code-server, with its dependencies installed and built: 4.100.3 on Node.js 20, 4.139.1 on
// Node.js 24. As these take 400 MB, the script is run by hand when the extension changes.
import { spawn, spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const [server, target = path.join(root, 'packages/vscode/dist/screenshots')] =
  process.argv.slice(2);
const home = await mkdtemp(path.join(tmpdir(), 'fencewright-vscode-'));
const work = path.join(home, 'work');
await mkdir(work);
await mkdir(target, { recursive: true });
for (const name of ['peterson.fw', 'c/chase-lev.c'])
  await cp(path.join(root, 'examples', name), path.join(work, path.basename(name)));
await writeFile(path.join(work, 'broken.fw'), 'program P\nvar x\nthread t { y = 1; }\n');
await writeFile(path.join(work, 'fencewright.json'), '{}\n');

const script = path.join(server, 'out/server-main.js');
const folders = ['data', 'extensions'].map((name) => path.join(home, name));
const common = ['--server-data-dir', folders[0], '--extensions-dir', folders[1]];
// No extension gallery is asked.
const env = { ...process.env, EXTENSIONS_GALLERY: '{"serviceUrl":"http://127.0.0.1:9/"}' };
const vsix = path.join(root, 'packages/vscode/dist/fencewright.vsix');
const install = spawnSync(process.execPath, [script, ...common, '--install-extension', vsix], {
  encoding: 'utf8',
  env,
});
process.stdout.write(install.stdout);

const listen = ['--host', '127.0.0.1', '--port', '0', '--without-connection-token'];
const child = spawn(
  process.execPath,
  [script, ...common, ...listen, '--accept-server-license-terms'],
  { env },
);
const address = await new Promise((resolve) => {
  let said = '';
  child.stdout.on('data', (text) => {
    said += text;
    const [, port] = /Extension host agent listening on (\d+)/.exec(said) ?? [];
    if (port) resolve(`http://127.0.0.1:${port}/`);
  });
});

const flags =
  '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync';
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: flags.split(' '),
});
const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
const picture = (name) => page.screenshot({ path: path.join(target, `${name}.png`) });
const done = (what) => process.stdout.write(`${what}\n`);

/** Clicks the first row of the open list with this title. */
async function choose(title) {
  const start = new RegExp(`(?:^|\\W)${title.replaceAll(/[/.]/g, '\\$&')}`);
  const row = page.locator('.quick-input-list .monaco-list-row', { hasText: start });
  await row.first().click({ timeout: 180_000 });
}

/** Runs a command of the editor's command palette. */
async function command(title) {
  await page.keyboard.press('F1');
  await page.waitForSelector('.quick-input-widget input');
  await page.keyboard.type(title);
  await choose(title);
}

/** Opens a file of the folder beside the open ones. */
async function openFile(name) {
  await page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).dblclick();
  await page.locator('.tab.active', { hasText: name }).waitFor({ timeout: 120_000 });
}

try {
  await page.goto(`${address}?folder=${work}`);
  // The dialog about trust comes late, and swallows keys. Later versions have a banner instead.
  const trust = page.locator('.monaco-dialog-box .monaco-button', { hasText: 'Yes' });
  const banner = page.locator('.part.banner a', { hasText: 'Manage' });
  await trust.or(banner).first().waitFor({ timeout: 120_000 });
  if (await trust.isVisible()) await trust.click();
  else {
    await banner.click();
    const button = page.locator('.workspace-trust-editor .monaco-button', { hasText: /^Trust$/ });
    const trusted = page.getByText('You trust this folder').first();
    // A click while the page is laid out has no effect.
    for (let tries = 0; tries < 20 && !(await trusted.isVisible()); tries++) {
      await button
        .first()
        .click({ timeout: 30_000 })
        .catch(() => {});
      await page.waitForTimeout(3000);
    }
    // The page about trust is a dialog in later versions, and a tab in older ones.
    const dialog = page.locator('.monaco-modal-editor-block');
    if (await dialog.isVisible()) {
      await dialog.locator('.codicon-close').first().click();
      await dialog.waitFor({ state: 'hidden', timeout: 60_000 });
    } else await page.keyboard.press('Control+F4');
  }
  done('the folder is trusted');
  await page
    .locator('.explorer-folders-view .monaco-list-row', { hasText: 'peterson.fw' })
    .dblclick();
  await page.waitForSelector('.monaco-editor .squiggly-warning', { timeout: 180_000 });
  done(`squiggles: ${await page.locator('.squiggly-warning').count()}`);
  const lens = page.locator('.codelens-decoration a', { hasText: /not robust/ });
  await lens.first().waitFor({ timeout: 180_000 });
  done(`lens: ${(await lens.allTextContents()).join(' | ')}`);
  await picture('editor');

  await command('Fencewright: Explain');
  const view = page
    .frameLocator('iframe.webview')
    .frameLocator('#active-frame')
    .frameLocator('iframe');
  const inner = page.frameLocator('iframe.webview').frameLocator('#active-frame');
  const body = (await inner.locator('iframe').count()) > 0 ? view : inner;
  await body
    .getByText(/Step 0 of/)
    .first()
    .waitFor({ timeout: 180_000 });
  await body.locator('body').press('ArrowRight');
  await body
    .getByText(/Step 1 of/)
    .first()
    .waitFor({ timeout: 10_000 });
  done('the page of explain steps by arrow keys');
  await page.waitForTimeout(500);
  await picture('explain');

  await page
    .locator('.tab', { hasText: /^peterson/ })
    .first()
    .click();
  await command('Fencewright: Insert the Cheapest Fences');
  await page
    .locator('.codelens-decoration a', { hasText: /^robust|: robust/ })
    .first()
    .waitFor({ timeout: 180_000 });
  done('with its fences the lens says robust');
  await body.locator('h1', { hasText: 'Peterson' }).waitFor({ timeout: 180_000 });
  await body
    .getByText(/^It is robust/)
    .first()
    .waitFor({ timeout: 180_000 });
  done('the page that was open is about the new text');
  await picture('fenced');

  // The cursor in the middle of the shared variable.
  await command('Go to Line/Column');
  await page.keyboard.type('9:14');
  await page.keyboard.press('Enter');
  await page.waitForTimeout(500);
  await page.keyboard.press('F2');
  await page.waitForFunction(() => document.activeElement?.matches('.rename-input'));
  await page.keyboard.type('lamp');
  await page.keyboard.press('Enter');
  await page.locator('.view-line', { hasText: 'lamp == 1' }).first().waitFor({ timeout: 10_000 });
  const lines = await page.locator('.view-line').allTextContents();
  done(
    `renamed: ${lines.filter((line) => line.includes('lamp')).length} lines, ` +
      `${lines.filter((line) => /\bturn\b/.test(line)).length} left`,
  );
  await lens
    .or(page.locator('.codelens-decoration a', { hasText: /robust/ }))
    .first()
    .waitFor();
  await picture('renamed');

  await page.keyboard.press('End');
  await page.keyboard.type(' = oops oops');
  await body.locator('#outdated', { hasText: 'errors' }).waitFor({ timeout: 10_000 });
  done('with errors the page says that it is older');
  await picture('outdated');

  await command('View: Close Other Editors in Group');
  await openFile('broken.fw');
  await page.waitForSelector('.monaco-editor .squiggly-error', { timeout: 180_000 });
  done('an error of the language is marked');
  await command('Tasks: Run Task');
  // The terminal of a task needs the server's `node-pty`, built.
  await choose('fencewright');
  await choose('check broken.fw');
  await page.locator('.terminal-wrapper').first().waitFor({ timeout: 120_000 });
  await page.waitForTimeout(3000);
  await picture('task');
  await command('Focus on Problems View');
  // The server's message has its hint in brackets, the task's message has none.
  await page
    .locator('.markers-panel .monaco-list-row', { hasText: /named 'y'\s*fencewright/ })
    .first()
    .waitFor({ timeout: 120_000 });
  await picture('problems');
  done('the task finds the problem');

  // A task reads the configuration as well, and would report its errors alone.
  await writeFile(path.join(work, 'fencewright.json'), '{ "modle": "tso", "model": "no" }\n');
  await openFile('fencewright.json');
  await page.waitForSelector('.monaco-editor .squiggly-warning', { timeout: 180_000 });
  await picture('configuration');
  done('the configuration is checked');

  await writeFile(path.join(work, 'fencewright.json'), '{}\n');
  await openFile('chase-lev.c');
  await command('Fencewright: Check');
  await page.locator('.notifications-toasts', { hasText: 'checkC' }).waitFor({ timeout: 120_000 });
  await picture('c-not-checked');
  await page.locator('.monaco-button', { hasText: 'Check C Files' }).click();
  await page.waitForSelector('.monaco-editor .squiggly-warning', { timeout: 120_000 });
  done('C is checked');
  await picture('c');
  await command('Fencewright: Show Final States');
  await page.locator('.tab', { hasText: 'States of chase-lev.c' }).waitFor({ timeout: 180_000 });
  await page.waitForTimeout(1500);
  await picture('c-states');
  done('final states are shown');
  await page
    .locator('.tab', { hasText: /^chase-lev.c/ })
    .first()
    .click();
  await command('Fencewright: Insert the Cheapest Fences');
  await page
    .locator('.view-line', { hasText: /atomic_thread_fence/ })
    .first()
    .waitFor({ timeout: 180_000 });
  await page.keyboard.press('Control+s');
  await page
    .locator('.codelens-decoration a', { hasText: /^robust|: robust/ })
    .first()
    .waitFor({ timeout: 180_000 });
  done('C with its fence is robust');
  await picture('c-fenced');
} catch (error) {
  await picture('failed');
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
} finally {
  await browser.close();
  child.kill();
}
