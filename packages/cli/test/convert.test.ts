import { spawnSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { describeWith } from '../../../tools/external-program.js';
import { fencewright, folderWith } from './fencewright.js';
import { storeBuffering, trencher } from './programs.js';

const files = { 'sb.fw': storeBuffering, 'sb.txt': trencher };

describe('convert', () => {
  test.each([
    ['native', '.fw'],
    ['trencher', '.txt'],
    ['litmus', '.litmus'],
  ])('to %s gives a program with the same verdict', async (format, extension) => {
    for (const file of Object.keys(files)) {
      const cwd = await folderWith(files);
      const converted = `converted${extension}`;
      const run = await fencewright(['convert', '--to', format, file, '-o', converted], { cwd });
      expect(run).toMatchObject({ code: 0, stdout: '' });
      const check = await fencewright(['check', '--all-attacks', converted], { cwd });
      expect(check.code).toBe(10);
      expect(check.stdout).toContain('2 attacks: 2 feasible');
    }
  });

  test.each(['litmus', 'memorax'])('to %s: the neighbour of self is a cell', async (format) => {
    // Store buffering: each copy stores its flag and loads the other flag.
    const text =
      'program S\nvar flag[2]\nthread t[2] { local r; flag[self] = 1; r = flag[1 - self]; }\n';
    const cwd = await folderWith({ 'self.fw': text });
    const extension = { litmus: '.litmus', memorax: '.rmm' }[format]!;
    const run = await fencewright(['convert', '--to', format, 'self.fw', '-o', `a${extension}`], {
      cwd,
    });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    const check = await fencewright(['check', '--all-attacks', `a${extension}`], { cwd });
    expect(check.stdout).toContain('2 attacks: 2 feasible');
  });

  test('to dot prints a graph', async () => {
    const cwd = await folderWith(files);
    const run = await fencewright(['convert', '--to', 'dot', 'sb.fw'], { cwd });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toMatch(/^digraph/);
  });

  test('to c prints a program with a main', async () => {
    const cwd = await folderWith(files);
    const run = await fencewright(['convert', '--to', 'c', 'sb.fw'], { cwd });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain('int main(void)');
  });

  test.each([
    ['thread t[*] { x = 1; }', 'a number of copies for each thread'],
    ['event e() { x = 1; }\nevents e()', 'made of events'],
  ])('to c refuses %s', async (text, reason) => {
    const cwd = await folderWith({ 'a.fw': `program P\nvar x\n${text}\n` });
    const run = await fencewright(['convert', '--to', 'c', 'a.fw'], { cwd });
    expect(run).toMatchObject({ code: 65, stdout: '' });
    expect(run.stderr).toContain(reason);
  });

  test('refuses what the format cannot say, and leaves the output alone', async () => {
    const cwd = await folderWith({
      'a.fw': 'program P\nvar x = 7\nthread t { local r; r = x; }\n',
      'out.txt': 'precious',
    });
    const run = await fencewright(['convert', '--to', 'trencher', 'a.fw', '-o', 'out.txt'], {
      cwd,
    });
    expect(run).toMatchObject({ code: 65, stdout: '' });
    expect(run.stderr).toContain('error FW1012');
    expect(run.stderr).toContain('a.fw cannot be written in the format trencher');
    expect(await readFile(path.join(cwd, 'out.txt'), 'utf8')).toBe('precious');
    expect(await readdir(cwd)).toEqual(['a.fw', 'out.txt']);
  });

  test('replaces a file as a whole, through a link too', async () => {
    const cwd = await folderWith({ ...files, 'real.txt': 'old' });
    await symlink('real.txt', path.join(cwd, 'link.txt'));
    const args = ['convert', '--to', 'trencher', 'sb.fw', '-o', 'link.txt'];
    expect(await fencewright(args, { cwd })).toMatchObject({ code: 0 });
    expect(await readFile(path.join(cwd, 'real.txt'), 'utf8')).toContain('thread t1');
    expect((await readdir(cwd)).toSorted()).toEqual(['link.txt', 'real.txt', 'sb.fw', 'sb.txt']);
  });

  test('says why it cannot write', async () => {
    const cwd = await folderWith(files);
    await mkdir(path.join(cwd, 'folder'));
    await chmod(path.join(cwd, 'folder'), 0o755);
    const to = (output: string) =>
      fencewright(['convert', '--to', 'dot', 'sb.fw', '-o', output], { cwd });
    const missing = await to('no/where.dot');
    expect(missing.code).toBe(64);
    expect(missing.stderr).toContain('cannot be written: its folder does not exist');
    const folder = await to('folder');
    expect(folder.code).toBe(64);
    expect(folder.stderr).toContain('folder cannot be written: a folder has this name');
  });

  describe('--attack', () => {
    const labels = `program P
      var x, y
      thread t1 regs r init l0 begin l0: mem[x] <- 1; goto l1; l1: r <- mem[y]; goto l2; end
      thread t2 regs r init l0 begin l0: mem[y] <- 1; goto l1; l1: mfence; goto l2; l2: r <- mem[x]; goto l3; end
      `;
    const convert = async (attack: string, to: string, text = labels) => {
      const cwd = await folderWith({ 'p.fw': text });
      const run = await fencewright(['convert', '--to', to, '--attack', attack, 'p.fw'], { cwd });
      return { ...run, cwd };
    };

    test.each(['t1:l0:l1', 't1:3:3', 'any'])(
      '%s: the goal is reachable under SC',
      async (attack) => {
        const { stdout, stderr, code, cwd } = await convert(attack, 'native');
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
        await writeFile(path.join(cwd, 'i.fw'), stdout);
        const reach = await fencewright(['reach', 'i.fw'], { cwd });
        expect(reach.stdout).toMatch(/attack_fails +never +violated/);
      },
    );

    test('a fence in the attacker makes it unreachable', async () => {
      const { stderr, stdout, code, cwd } = await convert('t2:l0:l2', 'native');
      expect(code).toBe(0);
      expect(stderr).toContain('warning FW2007: control flow alone rules out');
      await writeFile(path.join(cwd, 'i.fw'), stdout);
      const reach = await fencewright(['reach', 'i.fw'], { cwd });
      expect(reach.stdout).toMatch(/attack_fails +never +holds/);
    });

    test('Trencher gets the same program', async () => {
      const { stdout, code, cwd } = await convert('t1:l0:l1', 'trencher');
      expect(code).toBe(0);
      expect(stdout).toMatch(/^transition \S+ goal /m);
      await writeFile(path.join(cwd, 'i.txt'), stdout);
      const back = await fencewright(['convert', '--to', 'native', 'i.txt'], { cwd });
      expect(back.code).toBe(0);
    });

    test('dot shows blocks and the goal', async () => {
      const { stdout, code } = await convert('t1:l0:l1', 'dot');
      expect(code).toBe(0);
      expect(stdout).toContain('attackedAddress = &x');
      expect(stdout).toContain('goal');
    });

    test.each([
      ['t3:l0:l1', "no thread is named 't3'", "did you mean 't1'?"],
      ['t1:l1:l1', "thread 't1' has no store at a label or line 'l1'", "did you mean 'l0'?"],
      ['t1:l0:end', "thread 't1' has no load at a label or line 'end'", 'there is l1'],
      ['t1:l0', 'the form is thread:store:load', "or 'any'"],
    ])('%s is refused with a hint', async (attack, message, hint) => {
      const { stdout, stderr, code } = await convert(attack, 'native');
      expect({ code, stdout }).toEqual({ code: 65, stdout: '' });
      expect(stderr).toContain(message);
      expect(stderr).toContain(hint);
    });
  });
});

describeWith('spin', ['-V'], 'convert --to promela, checked by SPIN', () => {
  /** Returns the output of the verifier that SPIN makes from the converted program. */
  const verify = async (file: string, text: string, ...options: string[]): Promise<string> => {
    const cwd = await folderWith({ [file]: text });
    const args = ['convert', file, '--to', 'promela', '-o', 'p.pml', ...options];
    expect(await fencewright(args, { cwd })).toMatchObject({ code: 0 });
    const run = (command: string, ...rest: string[]): string =>
      spawnSync(command, rest, { cwd, encoding: 'utf8' }).stdout;
    run('spin', '-a', 'p.pml');
    run('cc', '-w', '-fwrapv', '-DSAFETY', '-DBFS', '-o', 'pan', 'pan.c');
    return run('./pan', '-E', '-n');
  };

  test.each([
    ['sb.fw', storeBuffering, 'any'],
    ['sb.fw', storeBuffering, 't1:3:3'],
    ['sb.txt', trencher, 'b:s:t'],
  ])('%s: an attack that is feasible violates the assertion (%#)', async (file, text, attack) => {
    expect(await verify(file, text, '--attack', attack)).toContain('assertion violated');
  });

  test.each([
    // No thread stores to the cell that the attacker loads.
    [
      'p.fw',
      'program P\nvar x, y\nthread t1 { local r; x = 1; r = y; }\nthread t2 { local r; r = x; }',
      'any',
    ],
    // A fence stands between store and load.
    ['p.fw', storeBuffering.replace('x = 1;', 'x = 1; fence;'), 't1:3:3'],
  ])('%s: an attack that is not feasible does not (%#)', async (file, text, attack) => {
    expect(await verify(file, text, '--attack', attack)).toContain('errors: 0');
  });

  test('the program itself keeps its assertions, under SC', async () => {
    const text = (value: number): string => `program P
      var x, y
      thread a { local r; x = 1; r = y; if (r == 1) { r = x; assert(r == ${value}); } }
      thread b { y = 1; }`;
    expect(await verify('p.fw', text(1))).toContain('errors: 0');
    expect(await verify('p.fw', text(2))).toContain('assertion violated');
  });
});
