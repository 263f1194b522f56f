import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { fencewright, folderWith } from './fencewright.js';

// The store of `ready` releases, but no load acquires: the receiver may see old data.
const text = `program MessagePassing
var data, ready
thread sender {
  store(data, 1, relaxed);
  store(ready, 1, release);
}
thread receiver {
  local r;
  await(load(ready, relaxed) == 1);
  r = load(data, relaxed);
  assert(r == 1);
}
`;

test('a page shows what C11 allows, and the order that excludes it', async () => {
  const cwd = await folderWith({ 'mp.fw': text });
  const args = ['check', '--model', 'c11', '--report', 'html=page.html', 'mp.fw'];
  const { code, stdout } = await fencewright(args, { cwd });
  expect(code).toBe(10);
  expect(stdout).toContain('the page is in page.html');
  const page = await readFile(path.join(cwd, 'page.html'), 'utf8');
  expect(page).toContain('<span class="verdict bad">not robust against C11</span>');
  expect(page).toMatch(
    /<td><strong>load of data: 0 \(relaxed\)<\/strong><\/td>\s*<td><strong>saw the initial value; the store of 1 by sender at line 4 is newer/,
  );
  expect(page).toContain(
    'This execution is excluded by acquire at the load of ready by receiver at line 9.',
  );
  // x86 keeps the order of loads.
  expect(page).toContain('it can be seen on ARMv8, POWER, and cannot be seen on x86.');
  // The cycle is drawn and told, and the program has its accesses marked.
  expect(page.match(/class="node cycle"/gu)).toHaveLength(4);
  for (const relation of ['po', 'rf', 'fr'])
    expect(page).toContain(`<g class="edge ${relation} cycle"`);
  expect(page.replaceAll(/\s+/gu, ' ')).toContain(
    'The load of data by receiver at line 10 sees a value that the store of data by sender at line 4 replaces.',
  );
  expect(page).toContain('data-keys="1:');
});

// The store of `y` depends on the load of `p`: the program is robust, and its accesses race.
const racy = `program RaceOfDependent
var plain p
var y
thread a {
  local r;
  r = p;
  if (r == 0) { store(y, 1, relaxed); }
}
thread b {
  await(load(y, relaxed) == 1);
  p = 1;
}
`;

test('of a data race, the page shows the two accesses', async () => {
  const cwd = await folderWith({ 'race.fw': racy });
  const args = ['check', '--model', 'c11', '--report', 'html=-', 'race.fw'];
  const { code, stdout } = await fencewright(args, { cwd });
  expect(code).toBe(10);
  // The page draws the two accesses twice: alone, and among all events.
  expect(stdout).toContain('The two accesses');
  expect(stdout.match(/class="node cycle"/gu)).toHaveLength(4);
});

test('a robust program has a page without an execution', async () => {
  const cwd = await folderWith({ 'mp.fw': text.replace('ready, relaxed', 'ready, acquire') });
  const args = ['check', '--model', 'c11', '--report', 'html=-', 'mp.fw'];
  const { code, stdout, stderr } = await fencewright(args, { cwd });
  expect(code).toBe(0);
  expect(stdout).toContain('<span class="verdict good">robust against C11</span>');
  expect(stdout).not.toContain('The execution');
  expect(stderr).toContain('robust against C11: every execution is one of SC');
});

test('a page of check is about C11 only', async () => {
  const cwd = await folderWith({ 'mp.fw': text });
  const run = await fencewright(['check', '--report', 'html=page.html', 'mp.fw'], { cwd });
  expect(run.code).toBe(64);
  expect(run.stderr).toContain('explain writes a page for TSO');
});
