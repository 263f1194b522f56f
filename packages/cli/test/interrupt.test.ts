import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { fencewrightAfresh as fencewright, folderWith, type Run } from './fencewright.js';
import { fenced, huge } from './programs.js';

/** A program with infinitely many states and any number of threads: values grow without end. */
const counters = `program Counters
var x, y, z
thread t[*] { local r; loop { r = x; x = r + 1; z = r; r = y; } }
thread u[*] { local r; loop { r = y; y = r + 1; fence; r = x; } }
`;

/**
 * Returns a net of `count` switches, each on or off; its target is unreachable: the first switch
 * both on and off.
 */
function switches(count: number): string {
  const all = Array.from({ length: count }, (_, i) => i);
  return `vars
  ${all.map((i) => `on${i} off${i}`).join(' ')}
rules
${all.map((i) => `  on${i} >= 1 -> on${i}' = on${i} - 1, off${i}' = off${i} + 1;\n  off${i} >= 1 -> off${i}' = off${i} - 1, on${i}' = on${i} + 1;`).join('\n')}
init
  ${all.map((i) => `on${i} = 1, off${i} = 0`).join(', ')}
target
  on0 >= 1, off0 >= 1
`;
}

/** A program whose proof takes about a second. */
const writer = await readFile(
  new URL('../../../corpus/reduction/nbw-w-wr.fw', import.meta.url),
  'utf8',
);

/** A number of characters that is greater than the buffer of a pipe. */
const slowlyRead = 4_000_000;

const wait = (milliseconds: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

test('who leaves soon loses nothing that is read slowly, and waits for nothing else', async () => {
  const script = await build({
    stdin: {
      contents: `import { leaveSoon } from './interrupt.js';
        process.stdout.write('x'.repeat(${slowlyRead}));
        process.exitCode = 10;
        leaveSoon();
        setInterval(() => undefined, 1000);`,
      resolveDir: fileURLToPath(new URL('../src', import.meta.url)),
    },
    ...{ bundle: true, write: false, platform: 'node' },
  });
  const child = spawn(process.execPath, ['-e', script.outputFiles[0]!.text]);
  const code = new Promise((resolve) => child.once('exit', resolve));
  await wait(2500);
  let length = 0;
  for await (const some of child.stdout) length += (some as Buffer).length;
  expect([length, await code]).toEqual([slowlyRead, 10]);
});

describe('Ctrl-C', () => {
  test.each([[['check']], [['check', '--jobs', '2']], [['reach']]])(
    'during a long %j makes it report what it knows and exit 5',
    async (verb) => {
      const cwd = await folderWith({ 'huge.fw': huge, 'fenced.fw': fenced });
      const run = await fencewright([...verb, 'huge.fw', 'fenced.fw', '--json'], {
        cwd,
        during: (kill, worked) => void worked(1500).then(() => kill('SIGINT')),
      });
      expect(run).toMatchObject({ code: 5, stderr: '' });
      const { results } = JSON.parse(run.stdout) as {
        results: { file: string; verdict: string }[];
      };
      expect(results[0]).toMatchObject({ file: 'huge.fw', verdict: 'unknown' });
      expect(results.map(({ file }) => file)).toEqual(['huge.fw', 'fenced.fw']);
    },
  );

  test('reaches all threads that search for attackers of one file', async () => {
    const cwd = await folderWith({ 'huge.fw': huge });
    const run = await fencewright(['check', '--jobs', '3', '--hand-over-after', '0', 'huge.fw'], {
      cwd,
      during: (kill, worked) => void worked(2500).then(() => kill('SIGINT')),
    });
    expect(run).toMatchObject({ code: 5, stderr: '' });
    expect(run.stdout).toMatch(/huge\.fw: Huge is undecided: the run was interrupted/);
  });

  // Closing the terminal sends SIGHUP.
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'or %s: what was interrupted is told in words',
    async (signal) => {
      const cwd = await folderWith({ 'huge.fw': huge });
      const run = await fencewright(['check', 'huge.fw'], {
        cwd,
        during: (kill, worked) => void worked(1500).then(() => kill(signal)),
      });
      expect(run.code).toBe(5);
      expect(run.stdout).toMatch(/huge\.fw: Huge is undecided: .*(interrupted|cancelled)/);
      expect(run.stdout).toMatch(/[\d,]+ states in/);
    },
  );

  /**
   * Runs a command that takes longer than any test, and sends an interrupt after the given
   * milliseconds of CPU time.
   */
  async function interrupted(
    files: Readonly<Record<string, string>>,
    args: readonly string[],
    after = 1500,
  ): Promise<Run> {
    const cwd = await folderWith(files);
    const run = await fencewright(args, {
      cwd,
      during: (kill, worked) => void worked(after).then(() => kill('SIGINT')),
    });
    expect(run).toMatchObject({ code: 5, stderr: '' });
    return run;
  }

  test.each([
    [
      ['check', '--without', 'small-instances'],
      /for any number of copies of t and u: .* 4 attacks are open/,
    ],
    [
      ['check', '--without', 'small-instances', '--hb', 'value'],
      /for any number of copies of t and u: .* open/,
    ],
    [['explain', '--without', 'small-instances'], /for any number of copies of t and u: .* open/],
    [['fence'], /the run was cancelled; every sufficient set costs at least 0/],
  ])('stops %j for any number of threads', async (verb, known) => {
    const run = await interrupted({ 'any.fw': counters }, [...verb, 'any.fw']);
    expect(run.stdout).toContain('any.fw: Counters is undecided');
    expect(run.stdout).toMatch(known);
  });

  test('stops cover', async () => {
    const net = switches(24);
    const run = await interrupted({ 'net.spec': net }, [
      'cover',
      '--engine',
      'forward',
      'net.spec',
    ]);
    expect(run.stdout).toContain('net.spec: unknown');
    expect(run.stdout).toMatch(/\d+ nodes forwards[^]*the run was interrupted/);
  });

  test('stops prove, which says what it has proved by then', async () => {
    const names = Array.from({ length: 100 }, (_, i) => `p${i}.fw`);
    const files = Object.fromEntries(names.map((name) => [name, writer]));
    const run = await interrupted(files, ['prove', '--infer', ...names], 2000);
    expect(run.stdout).toMatch(/^p0\.fw: NbwWWr is /);
    expect(run.stdout).toContain('p99.fw is undecided: the run was cancelled before it');
  });
});
