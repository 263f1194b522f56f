import { spawnSync } from 'node:child_process';
import { type Browser, launch, type Page } from 'puppeteer-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { describeWith } from '../../../tools/external-program.js';
import { type Served, servePlayground } from './playground.js';

// The tests for Chromium are complete; these cover features that might fail in another browser.
describeWith('firefox-esr', ['--version'], 'in Firefox', () => {
  let served: Served;
  let browser: Browser;
  beforeAll(async () => {
    served = await servePlayground();
    const executablePath = spawnSync('which', ['firefox-esr'], { encoding: 'utf8' }).stdout.trim();
    browser = await launch({ browser: 'firefox', executablePath, headless: true });
  });
  afterAll(async () => {
    await browser.close();
    expect(await served.end()).toBe(0);
  });

  async function open(path: string): Promise<Page> {
    const page = await browser.newPage();
    const wrong: string[] = [];
    page.on('pageerror', (error) => wrong.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error') wrong.push(message.text());
    });
    onTestFinished(async () => {
      await page.close();
      expect(wrong).toEqual([]);
    });
    await page.goto(served.address + path);
    return page;
  }

  const timeout = 600_000;

  test('the playground decides, shows the execution, and mends', async () => {
    const page = await open('');
    await page.waitForSelector('#status[data-state="not-robust"]', { timeout });
    // The playground draws the execution again when it knows what the program claims.
    await page.waitForSelector('#stop', { hidden: true, timeout });
    await page.click('#tab-execution');
    const frame = await page.waitForSelector('#panel-execution iframe', { timeout });
    const inside = await frame!.contentFrame();
    const text = (): Promise<unknown> => inside.evaluate('document.body.innerText');
    await expect.poll(text, { timeout }).toContain('Step 0 of');
    // The script of the frame executes the step.
    await inside.evaluate('document.querySelector("#forth").click()');
    await expect.poll(text, { timeout }).toContain('Step 1 of');
    await page.click('#tab-fences');
    const apply = await page.waitForSelector('#apply', { visible: true, timeout });
    await apply!.click();
    await page.waitForSelector('#status[data-state="robust"]', { timeout });
  });

  test('a lesson judges an answer', async () => {
    const page = await open('lesson-03-fences.html');
    await page.click('.exercise .check');
    await page.waitForSelector('.exercise[data-state="wrong"]', { timeout });
    expect(await page.evaluate('document.querySelector(".said").textContent')).toBe(
      'The program is robust, but one of its fences is unnecessary.',
    );
  });
});
