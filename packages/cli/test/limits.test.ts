import { execFileSync, spawn } from 'node:child_process';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fencewrightAfresh as fencewright, folderWith } from './fencewright.js';

const accesses = (thread: string, count: number): string =>
  `thread ${thread} { local r;\n${'  x = 1; r = y;\n  y = 1; r = x;\n'.repeat(count / 4)}}\n`;

const long = `program Long var x, y\n${accesses('a', 4000)}${accesses('b', 4000)}`;

// Listing the attacks takes several seconds, during which no search runs.
test.each([['check'], ['explain'], ['bench']])(
  '%s --timeout holds for what comes before the search',
  async (verb) => {
    const cwd = await folderWith({ 'long.fw': long });
    const run = await fencewright([verb, '--timeout', '0.5', 'long.fw'], { cwd });
    expect(run.code).toBe(5);
  },
);

test.each([['check'], ['reach'], ['trf'], ['convert --to trencher'], ['cover --from mist']])(
  '%s --timeout holds for reading: a pipe that nobody writes to',
  async (verb) => {
    const cwd = await folderWith({});
    execFileSync('mkfifo', [path.join(cwd, 'pipe.fw')]);
    // Without the limit, reading the pipe would wait for ever.
    const run = await fencewright([...verb.split(' '), '--timeout', '0.5', 'pipe.fw'], { cwd });
    expect(run.code).toBe(5);
    expect(run.stdout + run.stderr).toContain('the time ran out');
  },
);

test('a pipe that delivers is read, however it is cut', async () => {
  const cwd = await folderWith({});
  execFileSync('mkfifo', [path.join(cwd, 'pipe.fw')]);
  const text = 'program SB var x, y thread a { local r; x = 1; r = y; } thread b { y = 1; }';
  const writer = spawn(
    'sh',
    ['-c', `(echo '${text.slice(0, 30)}'; sleep 0.3; echo '${text.slice(30)}') > pipe.fw`],
    { cwd },
  );
  onTestFinished(() => void writer.kill());
  const run = await fencewright(['check', '--timeout', '60', 'pipe.fw'], { cwd });
  expect(run.stdout).toContain('pipe.fw: SB is robust');
  expect(run.code).toBe(0);
});

test('--timeout holds for standard input, and the other files get their turn', async () => {
  const cwd = await folderWith({ 'ok.fw': 'program T thread a { skip; }' });
  const child = spawn(
    process.execPath,
    [
      path.resolve(import.meta.dirname, '../bin/fencewright.js'),
      'check',
      '--json',
      '--timeout',
      '10',
      '-',
      'ok.fw',
    ],
    { cwd, stdio: ['pipe', 'pipe', 'ignore'] },
  );
  // No process ever writes to the pipe.
  onTestFinished(() => void child.kill());
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect(code).toBe(5);
  expect(JSON.parse(stdout)).toMatchObject({
    results: [
      { file: '-', verdict: 'unknown', reason: 'time' },
      { file: 'ok.fw', verdict: 'robust' },
    ],
  });
});

test('input without end is refused', async () => {
  const cwd = await folderWith({});
  const run = await fencewright(['check', '--from', 'trencher', '/dev/zero'], { cwd });
  expect(run.code).toBe(65);
  expect(run.stderr).toContain('larger than 32 MiB');
});

test('--max-memory holds for what comes before the search', async () => {
  const cwd = await folderWith({ 'long.fw': long });
  const run = await fencewright(['check', '--all-attacks', '--max-memory', '40', 'long.fw'], {
    cwd,
  });
  // One attack is found before all are listed: the verdict is known, the other attacks are open.
  expect(run.code).toBe(10);
  expect(run.stdout).toMatch(/feasible and [\d,]+ not decided/);
  expect(run.stdout).toContain(
    'the analyses after the verdict are incomplete: the limit on memory was reached',
  );
});

test.each([
  ['trencher', `thread t\ninitial l0\ntransition l0 l1 assume ${'('.repeat(50_000)}`],
  ['memorax', `forbidden\ndata\n x = 0 : [0:1]\nprocess\ntext\n ${'either { '.repeat(50_000)}`],
  ['litmus', `C A\n{ }\nP0 (int *x) { ${'if (1) { '.repeat(50_000)}`],
  ['native', `program T var x thread a { ${'if (x) { '.repeat(50_000)}`],
  ['native', `program T var x thread a { x = ${'('.repeat(50_000)}`],
])('%s nested without end is an error of the program', async (format, text) => {
  const cwd = await folderWith({ deep: text });
  for (const args of [['check'], ['convert', '--to', 'dot']]) {
    const run = await fencewright([...args, '--from', format, 'deep'], { cwd });
    expect(run.code).toBe(65);
    expect(run.stderr).toMatch(/deep:\d+:\d+: error FW1\d{3}: .*nested/);
  }
});

/**
 * Two threads that each store before they load: every question about the program needs a search.
 */
const dekker = `program D
var x, y
thread a { local r; loop { x = 1; r = y; x = 0; } }
thread b { local r; loop { y = 1; r = x; y = 0; } }
property apart: never (a.r == 1 && b.r == 1)
`;

/** A spinlock: the control flow allows races that only the values in memory exclude. */
const spinlock = `program S
var lk, owner
thread t[2] {
  local r;
  loop {
    do { while (lk != 0) { } r = xchg(lk, 1); } while (r != 0);
    owner = 1; r = owner; lk = 0;
  }
}
`;

const events =
  'program E var x, y event e() { x = 1; } event f() { local r; r = x; y = r; } events e(), f()';

const net =
  "vars\n a b\n\nrules\n a >= 1 -> a' = a - 1, b' = b + 1;\n\ninit\n a = 3000, b = 0\n\ntarget\n b >= 9000\n";

test.each([
  ...['check', 'reach', 'fence', 'explain', 'bench', 'prove'].map((verb) => [verb, 'd.fw']),
  ['check --model c11', 'd.fw'],
  ['check --engine chc', 'd.fw'],
  ['trf', 's.fw'],
  ['events', 'e.fw'],
  ['cover', 'n.spec'],
  ['verify-certificate c.json', 'd.fw'],
])('%s --effort 1 decides nothing, and says why', async (verb, file) => {
  const cwd = await folderWith({
    ...{ 'd.fw': dekker, 's.fw': spinlock, 'e.fw': events, 'n.spec': net },
  });
  const [name = '', ...more] = verb.split(' ');
  if (name === 'verify-certificate')
    await fencewright(['fence', '--certificate', 'c.json', 'd.fw'], { cwd });
  const run = await fencewright([name, '--effort', '1', ...more, file], { cwd });
  expect(run).toMatchObject({ code: 5 });
  expect(run.stdout).toMatch(/the limit on work was reached|unknown \(work\)/);
});
