import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { fencewright, folderWith } from './fencewright.js';
import { trencher } from './programs.js';

const relaxed = `program MessagePassing
var data, ready
thread sender {
  store(data, 1, relaxed);
  store(ready, 1, relaxed);
}
thread receiver {
  local r;
  await(load(ready, relaxed) == 1);
  r = load(data, relaxed);
}
`;

const strong = relaxed
  .replace('store(ready, 1, relaxed)', 'store(ready, 1, seq_cst)')
  .replace('load(ready, relaxed)', 'load(ready, acquire)');

describe('fence --model c11', () => {
  test('tells the cheapest orders, their costs and why, and writes them', async () => {
    const cwd = await folderWith({ 'mp.fw': relaxed });
    const asked = ['fence', '--model', 'c11', '--target', 'power', '--write', 'mp.fw'];
    const { code, stdout, stderr } = await fencewright(asked, { cwd });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('robust against C11 with 2 stronger orders, cost 7 on power');
    expect(stdout).toContain(
      'load of ready by receiver at line 9: acquire instead of relaxed (cost +2)',
    );
    expect(stdout).toContain('the load of data by receiver at line 10 may see the initial value');
    expect(stdout).toContain('+  store(ready, 1, release);');
    const text = await readFile(path.join(cwd, 'mp.fw'), 'utf8');
    expect(text).toBe(
      relaxed
        .replace('store(ready, 1, relaxed)', 'store(ready, 1, release)')
        .replace('load(ready, relaxed)', 'load(ready, acquire)'),
    );
    const check = await fencewright(['check', '--model', 'c11', 'mp.fw'], { cwd });
    expect(check.code).toBe(0);
  });

  test('names the order of a failure only where the order changes', async () => {
    const text = `program Hand
var data, lock = 1
thread a { store(data, 1, relaxed); store(lock, 0, release); }
thread b {
  local r, d;
  r = cas(lock, 0, 1, relaxed, relaxed);
  if (r == 1) { d = load(data, relaxed); }
}
`;
    const cwd = await folderWith({ 'a.fw': text });
    const { stdout } = await fencewright(['fence', '--model', 'c11', 'a.fw'], { cwd });
    expect(stdout).toMatch(/ by b at line 6: acquire instead of relaxed(?: \(cost [^)]*\))?\n/);
  });

  test('gives its reasons in the order of the text', async () => {
    const text = `program Two
var x, y, d, f
thread late { local r; await (load(f, relaxed) == 1); r = load(d, relaxed); d = r; }
thread a { local r; store(x, 1, relaxed); r = load(y, relaxed); }
thread early { store(d, 1, relaxed); store(f, 1, relaxed); }
thread b { local r; store(y, 1, relaxed); r = load(x, relaxed); }
`;
    const cwd = await folderWith({ 'a.fw': text });
    const { stdout } = await fencewright(['fence', '--model', 'c11', 'a.fw'], { cwd });
    const [, why = ''] = /Why cheaper orders are too weak\n([^]*?)\n\n/.exec(stdout) ?? [];
    const lines = why.split('\n').map((line) => Number(/ at line (\d+)/.exec(line)?.[1]));
    expect(lines).toHaveLength(2);
    expect(lines).toEqual(lines.toSorted((a, b) => a - b));
    expect(lines[0]).toBe(3);
  });

  test('--minimise tells what can be weaker, as JSON', async () => {
    const cwd = await folderWith({ 'mp.fw': strong });
    const asked = ['fence', '--model', 'c11', '--minimise', '--json', 'mp.fw'];
    const { code, stdout } = await fencewright(asked, { cwd });
    expect(code).toBe(0);
    const { results } = JSON.parse(stdout) as { results: readonly unknown[] };
    const weaker = {
      ...{ kind: 'store', thread: 'sender', lines: [5], cost: 0 },
      ...{ from: { order: 'seq_cst' }, to: { order: 'release' } },
    };
    expect(results).toMatchObject([
      {
        ...{ verdict: 'robust', outcome: 'found', costModel: 'size' },
        orders: { change: 'lower', target: 'armv8', changes: [weaker], alone: [weaker] },
      },
    ]);
  });

  test('orders that are too weak already: an execution, and exit status 10', async () => {
    const cwd = await folderWith({ 'mp.fw': relaxed });
    const asked = ['fence', '--model', 'c11', '--minimise', 'mp.fw'];
    const { code, stdout } = await fencewright(asked, { cwd });
    expect(code).toBe(10);
    expect(stdout).toContain('is not robust against C11: its orders are too weak already');
    expect(stdout).toContain('the events of each thread, with the stores they read');
  });

  test('a limit leaves the answer open', async () => {
    const cwd = await folderWith({ 'mp.fw': relaxed });
    const asked = ['fence', '--model', 'c11', '--max-states', '1', 'mp.fw'];
    const { code, stdout } = await fencewright(asked, { cwd });
    expect(code).toBe(5);
    expect(stdout).toContain('the cheapest orders against C11 are undecided');
  });

  test('--for assertions: orders that the assertions need, written and minimised', async () => {
    const text = relaxed.replace('r = load(data, relaxed);', '$& assert(r == 1);');
    // The poll of `data` may see an old value, and needs no order.
    const poll = 'thread poll {\n  local r;\n  r = load(data, seq_cst);\n}\n';
    const cwd = await folderWith({ 'mp.fw': text + poll });
    const asked = ['fence', '--model', 'c11', '--for', 'assertions'];
    const { code, stdout } = await fencewright([...asked, '--write', 'mp.fw'], { cwd });
    expect(code).toBe(0);
    expect(stdout).toContain(
      'satisfies its assertions under C11 with 2 stronger orders, cost 2 on armv8, provably cheapest',
    );
    expect(stdout).toContain('the assertion of receiver at line 10 can fail: the load of data by');
    const written = await readFile(path.join(cwd, 'mp.fw'), 'utf8');
    expect(written).toContain('store(ready, 1, release)');
    const less = await fencewright([...asked, '--minimise', '--json', 'mp.fw'], { cwd });
    const { results } = JSON.parse(less.stdout) as { results: readonly unknown[] };
    expect(results).toMatchObject([
      {
        ...{ verdict: 'holds', outcome: 'found', properties: ['assertions'] },
        orders: {
          ...{ cost: -1, bound: -1, isAloneOpen: false },
          changes: [{ thread: 'poll', from: { order: 'seq_cst' }, to: { order: 'relaxed' } }],
        },
      },
    ]);
  });

  test('--for assertions needs an assertion', async () => {
    const cwd = await folderWith({ 'mp.fw': relaxed });
    const asked = ['fence', '--model', 'c11', '--for', 'assertions', 'mp.fw'];
    const { code, stderr } = await fencewright(asked, { cwd });
    expect(code).toBe(65);
    expect(stderr).toContain('the program has no assertions');
  });

  test.each([
    [['--target', 'x86'], '--target needs --model c11'],
    [['--model', 'c11', '--certificate', 'p.json'], '--certificate is for --model tso'],
    [['--model', 'c11', '--for', 'progress'], '--for progress is for --model tso: write --for'],
    [['--for', 'assertions', '--minimise'], "'--minimise' cannot be used with option '--for"],
    [['--model', 'c11', '--repair', 'xchg'], '--repair is for --model tso'],
    [['--model', 'c11', '--locked-stores', '--minimise'], '--locked-stores is for --model tso'],
  ])('%s is refused', async (options, message) => {
    const cwd = await folderWith({ 'mp.fw': relaxed });
    const { code, stderr } = await fencewright(['fence', 'mp.fw', ...options], { cwd });
    expect(code).toBe(64);
    expect(stderr).toContain(message);
  });

  test('programs in other languages are refused by name', async () => {
    const cwd = await folderWith({ 'sb.txt': trencher });
    const { code, stderr } = await fencewright(['fence', '--model', 'c11', 'sb.txt'], { cwd });
    expect(code).toBe(65);
    expect(stderr).toContain(
      '--model c11 writes memory orders into C, C++ and the native language only',
    );
  });
});

test('changes that only doubtful executions ask for are not told as proved', async () => {
  // The assertion holds in every order of the stores to x; but the order of these stores is not
  // decided, because of the loop.
  const text = `program Z
var x, y
thread a { store(x, 1, relaxed); store(y, 1, relaxed); }
thread b { local r; loop { await (load(y, relaxed) == 1); store(x, 2, relaxed); r = load(x, relaxed); assert(r < 3); } }
`;
  const cwd = await folderWith({ 'z.fw': text });
  const args = ['fence', '--model', 'c11', '--target', 'x86', '--for', 'assertions', 'z.fw'];
  const { stdout } = await fencewright(args, { cwd });
  expect(stdout).toContain('provably cheapest, but fewer changes may be enough');
  expect(stdout).not.toContain('0 executions');
  expect(stdout).toContain('for which the assertions are not decided');
});
