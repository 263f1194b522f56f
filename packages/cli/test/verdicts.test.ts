import { describe, expect, test } from 'vitest';
import { fencewright, folderWith } from './fencewright.js';
import {
  alike,
  dividing,
  endless,
  fenced,
  sameStores,
  storeBuffering,
  trencher,
} from './programs.js';

const files = {
  'sb.fw': storeBuffering,
  'fenced.fw': fenced,
  'endless.fw': endless,
  'dividing.fw': dividing,
  'same.fw': sameStores,
  'sb.txt': trencher,
  'wrong.fw': 'program Wrong\nthread t { x = 1; }\n',
};

describe('check', () => {
  test('says robust and exits 0', async () => {
    const run = await fencewright(['check', 'fenced.fw'], { cwd: await folderWith(files) });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain('fenced.fw: Fenced is robust');
    expect(run.stdout).toContain('2 attacks: 2 ruled out by the control flow');
  });

  test.each(['search', 'instrument', 'single-query'])(
    'says not robust, shows why, and exits 10 (%s)',
    async (engine) => {
      const cwd = await folderWith(files);
      const run = await fencewright(['check', '--engine', engine, 'sb.fw'], { cwd });
      expect(run).toMatchObject({ code: 10, stderr: '' });
      expect(run.stdout).toContain('sb.fw: SB breaks on x86');
      expect(run.stdout).toContain('; fencewright fence sb.fw finds the cheapest fences');
      expect(run.stdout).toContain(`engine ${engine}`);
      expect(run.stdout).toMatch(
        /t[12]'s load of [xy] at line [34] read 0 before t[12]'s store of/,
      );
    },
  );

  test.each([
    ['--max-states', '1000', /states/],
    ['--max-memory', '1', /memory/],
    ['--timeout', '0.3', /time/],
  ])('says unknown when %s runs out and exits 5', async (option, value, reason) => {
    const cwd = await folderWith(files);
    const run = await fencewright(['check', option, value, 'endless.fw'], { cwd });
    expect(run.code).toBe(5);
    // On a busy machine the time may run out before the program is read: then no name is known.
    expect(run.stdout).toMatch(/endless\.fw(: Endless)? is undecided/);
    expect(run.stdout.split('\n')[0]).toMatch(reason);
    expect(run.stdout).toContain(`give it more with ${option}`);
  });

  test.each(['check', 'explain'])('%s names the notion of its verdict', async (verb) => {
    const cwd = await folderWith(files);
    const standard = await fencewright([verb, 'same.fw'], { cwd });
    expect(standard.code).toBe(10);
    expect(standard.stdout).toContain('same.fw: Same is not robust: ');
    const value = await fencewright([verb, '--hb', 'value', 'same.fw', 'sb.fw'], { cwd });
    expect(value.code).toBe(10);
    expect(value.stdout).toContain('same.fw: Same is robust under value happens-before: ');
    expect(value.stdout).toContain('it is not robust under value happens-before: ');
    const json = await fencewright([verb, '--hb', 'value', '--json', 'same.fw'], { cwd });
    expect(JSON.parse(json.stdout)).toMatchObject({
      results: [{ verdict: 'robust', happensBefore: 'value' }],
    });
  });

  test('refuses the value notion for engines that do not know it', async () => {
    const cwd = await folderWith(files);
    const args = ['check', '--hb', 'value', '--engine', 'instrument', 'sb.fw'];
    const run = await fencewright(args, { cwd });
    expect(run).toMatchObject({ code: 64, stdout: '' });
    expect(run.stderr).toContain('--hb value is decided by --engine search only');
  });

  test('of a program that divides by zero points there and exits 65', async () => {
    const run = await fencewright(['check', 'dividing.fw'], { cwd: await folderWith(files) });
    expect(run.code).toBe(65);
    expect(run.stdout).toContain('cannot be decided');
    expect(run.stderr).toMatch(/dividing\.fw:3:\d+: error FW3002: division by zero/);
  });

  test('reads standard input, and any format by --from', async () => {
    const args = ['check', '--from', 'trencher', '-'];
    expect(await fencewright(args, { input: trencher })).toMatchObject({ code: 10 });
    expect(await fencewright(['check', '-'], { input: fenced })).toMatchObject({ code: 0 });
  });

  test('with --all-attacks lists every attack', async () => {
    const cwd = await folderWith(files);
    const run = await fencewright(['check', '--all-attacks', 'sb.fw'], { cwd });
    expect(run.stdout).toContain('2 attacks: 2 feasible');
    expect(run.stdout.match(/\n {2}t[12] .*feasible/g)).toHaveLength(2);
  });
});

describe('several files', () => {
  test.each([
    [['fenced.fw', 'fenced.fw'], 0],
    [['fenced.fw', 'endless.fw'], 5],
    [['endless.fw', 'sb.fw', 'fenced.fw'], 10],
    [['sb.fw', 'wrong.fw', 'endless.fw'], 65],
  ])('%j exit %i, the worst of all', async (names, code) => {
    const cwd = await folderWith(files);
    const run = await fencewright(['check', '--max-states', '500', ...names], { cwd });
    expect(run.code).toBe(code);
  });

  test('are reported in the order given, however many run at a time', async () => {
    const cwd = await folderWith(files);
    const names = ['endless.fw', 'sb.fw', 'wrong.fw', 'fenced.fw', 'sb.txt'];
    const limits = ['--max-states', '20000', '--json'];
    const one = await fencewright(['check', ...limits, ...names], { cwd });
    const three = await fencewright(['check', ...limits, '--jobs', '3', ...names], { cwd });
    const summary = ({ stdout }: { stdout: string }) =>
      (JSON.parse(stdout) as { results: { file: string; verdict: string }[] }).results.map(
        ({ file, verdict }) => `${file} ${verdict}`,
      );
    expect(summary(three)).toEqual([
      'endless.fw unknown',
      'sb.fw not-robust',
      'wrong.fw error',
      'fenced.fw robust',
      'sb.txt not-robust',
    ]);
    expect(summary(one)).toEqual(summary(three));
    expect(three.code).toBe(65);
  });
});

describe('explain', () => {
  test('shows buffers and memory step by step', async () => {
    const run = await fencewright(['explain', 'sb.fw'], { cwd: await folderWith(files) });
    expect(run).toMatchObject({ code: 10, stderr: '' });
    expect(run.stdout).toMatch(
      /step +what happens +line +buffer of t1 +buffer of t2 +x +y +t1.r +t2.r\n/,
    );
    expect(run.stdout).toMatch(/t1 issues x = 1 +3 +x=1 /);
  });

  test('of a robust program says that there is nothing to explain', async () => {
    const run = await fencewright(['explain', 'fenced.fw'], { cwd: await folderWith(files) });
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('There is nothing to explain');
  });
});

describe('reach', () => {
  test('shows the final states that only TSO has and exits 10', async () => {
    const run = await fencewright(['reach', 'sb.fw'], { cwd: await folderWith(files) });
    expect(run).toMatchObject({ code: 10, stderr: '' });
    expect(run.stdout).toContain('1 more final state and oneSeesTheOther fails');
    expect(run.stdout).toMatch(/ 0 +0 +no +yes +only under TSO/);
    expect(run.stdout).toMatch(/oneSeesTheOther +finally +holds +violated/);
  });

  test('exits 0 when SC and TSO agree', async () => {
    const run = await fencewright(['reach', 'fenced.fw'], { cwd: await folderWith(files) });
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('ends in the same states');
  });

  test('exits 5 when states are left', async () => {
    const cwd = await folderWith(files);
    const run = await fencewright(['reach', '--max-states', '500', 'endless.fw'], { cwd });
    expect(run.code).toBe(5);
    expect(run.stdout).toContain('incomplete: the limit on states was reached');
  });
});

describe('bench', () => {
  test('prints a row a file, errors included', async () => {
    const cwd = await folderWith(files);
    const run = await fencewright(['bench', 'sb.fw', 'wrong.fw', 'fenced.fw', 'sb.txt'], { cwd });
    expect(run.code).toBe(65);
    const [heading, ...rows] = run.stdout.trimEnd().split('\n');
    expect(heading).toMatch(/^program +T +L +I +RQ +NR1 +NR2 +R +F +states +ms +verdict$/);
    expect(rows.map((row) => row.replace(/ +/g, ' '))).toEqual([
      expect.stringMatching(/^SB 2 6 4 2 0 0 2 2 \d+ [\d.]+ not robust$/),
      'wrong.fw - - - - - - - - - - 1 error',
      expect.stringMatching(/^Fenced 2 8 6 2 2 0 0 0 \d+ [\d.]+ robust$/),
      expect.stringMatching(/^sb 2 6 4 2 0 0 2 2 \d+ [\d.]+ not robust$/),
    ]);
  });

  test('--no-fences leaves column F out', async () => {
    const run = await fencewright(['bench', '--no-fences', 'sb.fw'], {
      cwd: await folderWith(files),
    });
    expect(run.stdout).toMatch(/\nSB +2 +6 +4 +2 +0 +0 +2 +- /);
  });
});

describe('the reductions', () => {
  const switches = [
    '--no-local-first',
    '--no-dead-registers',
    '--no-freeze',
    '--no-symmetry',
    '--no-owned-cells',
    '--no-shared-dead-states',
    '--replay-all',
    '--kernel',
  ];

  test('are in the whole help, and only there', async () => {
    const help = await fencewright(['check', '--help']);
    const advanced = await fencewright(['check', '--help-all']);
    expect(advanced).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toContain('--help-all');
    for (const option of ['--without', '--replay-all', '--kernel']) {
      expect(help.stdout).not.toContain(option);
      expect(advanced.stdout).toContain(option);
    }
    for (const option of switches.filter((name) => name.startsWith('--no-'))) {
      expect(help.stdout + advanced.stdout).not.toContain(option);
      expect(advanced.stdout).toContain(option.replace('--no-', ''));
    }
  });

  test('are known by name, and an unknown name is refused with the nearest', async () => {
    const cwd = await folderWith({ 'sb.fw': storeBuffering });
    const run = (list: string) => fencewright(['check', 'sb.fw', '--without', list], { cwd });
    expect(await run('symmetry, freeze')).toMatchObject({ code: 10 });
    const { code, stdout, stderr } = await run('symmetry,simmetry');
    expect({ code, stdout }).toEqual({ code: 64, stdout: '' });
    expect(stderr).toContain("there is no 'simmetry'; did you mean 'symmetry'?");
    expect((await run('')).code).toBe(64);
  });

  test.each([[[]], [['--engine', 'instrument']]])(
    'change no verdict when they are off %j',
    async (engine) => {
      const cwd = await folderWith({ 'sb.fw': storeBuffering, 'fenced.fw': fenced });
      const off = switches.filter((option) => option !== '--kernel');
      for (const kernel of ['typescript', 'wasm']) {
        const args = ['check', ...engine, ...off, '--kernel', kernel];
        expect(await fencewright([...args, 'sb.fw'], { cwd })).toMatchObject({ code: 10 });
        expect(await fencewright([...args, 'fenced.fw'], { cwd })).toMatchObject({ code: 0 });
      }
    },
  );

  test('save states', async () => {
    const cwd = await folderWith({ 'alike.fw': alike });
    const statesWith = async (...args: string[]): Promise<number> => {
      const { stdout } = await fencewright(['check', '--json', ...args, 'alike.fw'], { cwd });
      const { results } = JSON.parse(stdout) as { results: { stats: { states: number } }[] };
      return results[0]?.stats.states ?? 0;
    };
    expect(await statesWith()).toBeLessThan(await statesWith('--no-symmetry'));
    expect(await statesWith('--without', 'freeze,symmetry')).toBeGreaterThan(await statesWith());
  });
});
