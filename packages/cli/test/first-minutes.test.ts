import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { demoProgram } from '../src/demo-program.js';
import { programNamed } from '../src/program-template.js';
import { fencewrightAfresh as fencewright, folderWith } from './fencewright.js';

const example = fileURLToPath(new URL('../../../examples/store-buffering.fw', import.meta.url));

/** Returns a folder with a stand-in for `xdg-open`, which writes the opened address to a file. */
async function desktop(): Promise<{ folder: string; env: Record<string, string> }> {
  const folder = await folderWith({});
  await writeFile(path.join(folder, 'xdg-open'), `#!/bin/sh\necho "$@" > ${folder}/opened\n`, {
    mode: 0o755,
  });
  const env = { PATH: `${folder}:${process.env.PATH ?? ''}`, TMPDIR: folder, DISPLAY: ':9' };
  return { folder, env };
}

describe('demo', () => {
  test('is the example on store buffering', async () => {
    const lines = (await readFile(example, 'utf8')).split('\n');
    const own = lines.filter((line) => !/^\/\/ {1,3}(Source|Expected|CACM)/.test(line));
    expect(demoProgram).toBe(own.join('\n'));
  });

  test('says what goes wrong, and where the page is that shows it', async () => {
    const { folder, env } = await desktop();
    const run = await fencewright(['demo', '--no-open'], { env });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain('left issues x = 1');
    const [, page = ''] = /the page is in (\S+)/.exec(run.stdout) ?? [];
    const html = await readFile(page, 'utf8');
    expect(html).toContain('StoreBuffering');
    await expect(readFile(path.join(folder, 'opened'))).rejects.toThrow('ENOENT');
  });

  test.skipIf(process.platform !== 'linux')('has the browser show the page', async () => {
    const { folder, env } = await desktop();
    const run = await fencewright(['demo'], { env });
    expect(run.stdout).toContain('Your browser shows the page.');
    await expect
      .poll(() => readFile(path.join(folder, 'opened'), 'utf8').catch(() => ''))
      .toMatch(/^file:.*store-buffering\.html\n$/);
  });

  test.skipIf(process.platform !== 'linux')(
    'leaves it at the address without a screen',
    async () => {
      const { folder, env } = await desktop();
      const run = await fencewright(['demo'], { env: { ...env, DISPLAY: '' } });
      expect(run.stdout).not.toContain('Your browser');
      await expect(readFile(path.join(folder, 'opened'))).rejects.toThrow('ENOENT');
    },
  );
});

describe('init', () => {
  test('writes a program that is laid out, right under SC, and broken by store buffers', async () => {
    const cwd = await folderWith({});
    const run = await fencewright(['init', 'my lock.fw'], { cwd });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain("fencewright 'my lock.fw'");
    expect(await fencewright(['format', '--check', 'my lock.fw'], { cwd })).toMatchObject({
      code: 0,
    });
    const answer = await fencewright(['my lock.fw'], { cwd });
    expect(answer.code).toBe(10);
    expect(answer.stdout).toContain('it is not robust');
    expect(answer.stdout).toContain(
      'MyLock breaks on x86: oneInside, the assertion of left at line 22 and the assertion of right at line 33 can fail',
    );
  });

  test('a fence before each load mends it, as its comment says', async () => {
    const cwd = await folderWith({});
    await fencewright(['init', 'a.fw'], { cwd });
    const text = await readFile(path.join(cwd, 'a.fw'), 'utf8');
    const fenced = text.replaceAll(/^ *other = /gm, '  fence;\n$&');
    expect(fenced.match(/^ *fence;$/gm)).toHaveLength(2);
    await writeFile(path.join(cwd, 'a.fw'), fenced);
    expect(await fencewright(['a.fw'], { cwd })).toMatchObject({ code: 0 });
  });

  test('leaves alone what is there, and wants a name of the native language', async () => {
    const cwd = await folderWith({ 'a.fw': 'mine' });
    const again = await fencewright(['init', 'a.fw'], { cwd });
    expect(again).toMatchObject({ code: 64, stdout: '' });
    expect(again.stderr).toContain('exists already');
    expect(await readFile(path.join(cwd, 'a.fw'), 'utf8')).toBe('mine');
    const c = await fencewright(['init', 'b.c'], { cwd });
    expect(c).toMatchObject({ code: 64, stdout: '' });
    expect(c.stderr).toContain('such as b.fw, and with --for HEADER a harness');
    expect(await fencewright(['init', '-'], { cwd })).toMatchObject({ code: 64 });
    expect((await fencewright(['init', 'no/where.fw'], { cwd })).stderr).toContain(
      'cannot be written',
    );
  });

  test.each([
    ['try-lock', 'TryLock'],
    ['9lives', 'Program9lives'],
    ['—', 'Program'],
    ['thread', 'Thread'],
  ])('%s becomes %s', (file, name) => expect(programNamed(file)).toBe(name));
});

test('the first block of the README is what check prints', async () => {
  const root = path.resolve(import.meta.dirname, '../../..');
  const readme = await readFile(path.join(root, 'README.md'), 'utf8');
  const [, block = ''] =
    /^\$ fencewright check examples\/peterson\.fw\n([^`]*)```/m.exec(readme) ?? [];
  const { code, stdout } = await fencewright(['check', 'examples/peterson.fw'], { cwd: root });
  expect(code).toBe(10);
  // Time and number of states do not matter, so they are removed.
  const settled = (line: string): string => line.replace(/[\d,.]+ states? in [\d,.]+ ms/, '');
  const printed = stdout.trimEnd().split('\n').map(settled);
  const parts = block.split(/^ +\.\.\.\n/m).map((part) => part.trimEnd().split('\n').map(settled));
  expect(parts[0]!.length).toBeGreaterThan(15);
  let from = 0;
  for (const part of parts) {
    from = printed.indexOf(part[0]!, from);
    expect(printed.slice(from, from + part.length)).toEqual(part);
    from += part.length;
  }
  expect(from).toBe(printed.length);
});

describe('files without a verb', () => {
  const program = 'program P\nvar x\nthread t { x = 1; }\n';

  test.each([
    [['p.fw'], 'p.fw: P needs no further fence'],
    [['--timeout', '90', 'p.fw'], 'p.fw: P needs no further fence'],
    [['./check'], 'check: P needs no further fence'],
    [['--from', 'native', './check'], 'check: P needs no further fence'],
    [['-'], '-: P needs no further fence'],
  ])('%j is check', async (args, said) => {
    const cwd = await folderWith({ 'p.fw': program, check: program });
    const more = args.includes('./check') && !args.includes('--from') ? ['--from', 'native'] : [];
    const run = await fencewright([...args, ...more], { cwd, input: program });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain(said);
  });

  test('a file that is missing is said to be, a misspelt verb as well', async () => {
    const cwd = await folderWith({});
    const missing = await fencewright(['gone.fw'], { cwd });
    expect(missing.code).toBe(65);
    expect(missing.stderr).toContain('no such file');
    const misspelt = await fencewright(['chekc'], { cwd });
    expect(misspelt.code).toBe(64);
    expect(misspelt.stderr).toContain("unknown command 'chekc'");
    expect(misspelt.stderr).toContain('Did you mean check?');
    expect(await fencewright(['chekc', 'gone.fw'], { cwd })).toMatchObject({ code: 64 });
  });

  test('options of a verb without files or verb are wrong usage', async () => {
    expect(await fencewright(['--json'])).toMatchObject({ code: 64 });
    expect(await fencewright(['--version'])).toMatchObject({ code: 0 });
  });
});
