import fs from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { allFilesIn, filesIn, looksLikeTrencher, NoFiles } from '../src/files-in.js';
import { failOnWords } from '../src/options/fail-on.js';
import { fencewright, folderWith } from './fencewright.js';
import { fenced, storeBuffering, trencher } from './programs.js';

/** Writes files, given by path and content, into a folder and its subfolders. */
async function fill(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, name)), { recursive: true });
    await writeFile(path.join(root, name), text);
  }
}

const suite = {
  'suite/b.fw': fenced,
  'suite/a/z.fw': fenced,
  'suite/a.txt': trencher,
  // Not laid out in the usual way.
  'suite/c.fw': storeBuffering.replace('r = y', 'r   =   y'),
  'suite/notes.txt': 'a list of what is to be done\n',
  'suite/README.md': '# thread t\n',
  'suite/node_modules/x.fw': fenced,
  'suite/.hidden/x.fw': fenced,
  'empty/notes.txt': 'nothing\n',
};

async function collected(operands: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for await (const file of filesIn(operands)) files.push(file);
  return files;
}

describe('folders and patterns stand for files', () => {
  let cwd = '';
  beforeAll(async () => {
    cwd = await mkdtemp(path.join(tmpdir(), 'fencewright-'));
    await fill(cwd, suite);
  });
  afterAll(() => rm(cwd, { recursive: true, force: true }));

  const inside = (...names: string[]): string[] => names.map((name) => path.join(cwd, name));

  test('programs below a folder, by name; texts only if they are programs', async () => {
    expect(await collected(inside('suite'))).toEqual(
      inside('suite/a/z.fw', 'suite/a.txt', 'suite/b.fw', 'suite/c.fw'),
    );
  });

  test('a pattern names what matches, also what is no program', async () => {
    expect(await collected(inside('suite/**/*.fw'))).toEqual(
      inside('suite/a/z.fw', 'suite/b.fw', 'suite/c.fw'),
    );
    expect(await collected(inside('suite/{b,c}.fw'))).toEqual(inside('suite/b.fw', 'suite/c.fw'));
    expect(await collected(inside('suite/*.txt'))).toEqual(
      inside('suite/a.txt', 'suite/notes.txt'),
    );
  });

  test('a pattern that begins at the root reads no folders but those that it can mean', async () => {
    const [, top = '', ...rest] = inside('suite/?.fw')[0]?.split('/') ?? [];
    const pattern = `/${top.slice(0, -1)}[${top.slice(-1)}]/${rest.join('/')}`;
    const read = vi.spyOn(fs, 'readdirSync');
    syncBuiltinESMExports();
    onTestFinished(() => {
      read.mockRestore();
      syncBuiltinESMExports();
    });
    expect(await collected([pattern])).toEqual(inside('suite/b.fw', 'suite/c.fw'));
    const folders = inside('suite')[0]
      ?.split('/')
      .map((_, i, all) => all.slice(0, i + 1).join('/'));
    expect(read.mock.calls.map(([folder]) => folder)).toEqual(['/', ...(folders ?? []).slice(1)]);
  });

  test('what was named before is not named again, unless as a file', async () => {
    const [b = '', folder = ''] = inside('suite/b.fw', 'suite');
    expect(await collected([b, folder])).toEqual(
      inside('suite/b.fw', 'suite/a/z.fw', 'suite/a.txt', 'suite/c.fw'),
    );
    expect(await collected([b, b])).toEqual([b, b]);
  });

  test('only one format', async () => {
    expect(await allFilesIn(inside('suite'), { formats: ['trencher'] })).toEqual(
      inside('suite/a.txt'),
    );
  });

  test('parts of programs are left out, and told', async () => {
    const own = await mkdtemp(path.join(tmpdir(), 'fencewright-parts-'));
    onTestFinished(() => rm(own, { recursive: true }));
    await fill(own, {
      'whole/main.c': 'int main(void) { return 0; }\n',
      'whole/part.cpp': 'int domain(int maintained) { return maintained; }\n',
      'whole/part.ll': 'declare i32 @main()\ndefine i32 @f() {\n  ret i32 0\n}\n',
      'whole/whole.ll': 'define dso_local i32 @main() {\n  ret i32 0\n}\n',
      'whole/sb.fw': storeBuffering,
      'parts/part.c': 'int f(void) { return 0; }\n',
    });
    const [whole = '', parts = ''] = ['whole', 'parts'].map((name) => path.join(own, name));
    const leftOut: string[] = [];
    const onPart = (file: string): void => void leftOut.push(path.basename(file));
    const found = await allFilesIn([whole, parts], { onPart });
    expect(found.map((file) => path.basename(file))).toEqual([
      ...['main.c', 'sb.fw', 'whole.ll'],
      // The folder itself, which cannot be read as a file.
      'parts',
    ]);
    expect(leftOut).toEqual(['part.cpp', 'part.ll', 'part.c']);
    // Without the callback, and for named files, no file is left out.
    expect(await allFilesIn([whole], {})).toHaveLength(5);
    const byName = [path.join(whole, 'part.ll'), path.join(own, 'whole/part.*')];
    expect(await allFilesIn(byName, { onPart })).toHaveLength(2);

    const check = await fencewright(['check', '--quiet', whole], { cwd: own });
    expect(check.stderr).toContain("left out, without a 'main': ");
    expect(check.stderr).toMatch(/part\.cpp, .*part\.ll\n/);
    const batch = await fencewright(['batch', '--quiet', whole], { cwd: own });
    expect(batch.stderr).toContain("left out, without a 'main': ");
    expect(batch.stdout).toMatch(/^3 files: /m);
    // With --link, another file may have the `main`.
    const linked = ['check', '--quiet', '--link', path.join(whole, 'main.c'), parts];
    expect(await fencewright(linked, { cwd: own })).toMatchObject({ code: 0 });
    const none = await fencewright(['batch', parts], { cwd: own });
    expect(none).toMatchObject({ code: 64, stderr: `error: there is no program in ${parts}\n` });
  });

  test('nothing to be found is an error, or stands for itself', async () => {
    for (const operand of inside('empty', 'suite/*.litmus', 'none/**/*.fw')) {
      await expect(collected([operand])).rejects.toBeInstanceOf(NoFiles);
      expect(await allFilesIn([operand], {})).toEqual([operand]);
    }
  });

  test('a file whose name looks like a pattern is itself', async () => {
    await writeFile(path.join(cwd, 'a[1].fw'), fenced);
    expect(await collected(inside('a[1].fw'))).toEqual(inside('a[1].fw'));
  });

  test('links to folders are not followed, links to files are', async () => {
    const root = await folderWith({});
    await fill(root, { 'in/a.fw': fenced });
    await symlink('../in', path.join(root, 'in/again'));
    await symlink('a.fw', path.join(root, 'in/b.fw'));
    expect(await collected([path.join(root, 'in')])).toEqual([
      path.join(root, 'in/a.fw'),
      path.join(root, 'in/b.fw'),
    ]);
  });

  test('check answers for each of them, and for what has none', async () => {
    const run = await fencewright(['check', '--json', 'suite', 'empty', 'suite/*.rmm'], { cwd });
    const { results } = JSON.parse(run.stdout) as {
      results: { file: string; verdict: string }[];
    };
    expect(results.map(({ file, verdict }) => [file, verdict])).toEqual([
      ['suite/a/z.fw', 'robust'],
      ['suite/a.txt', 'not-robust'],
      ['suite/b.fw', 'robust'],
      ['suite/c.fw', 'not-robust'],
      ['empty', 'error'],
      ['suite/*.rmm', 'error'],
    ]);
    expect(run.code).toBe(65);
    const empty = await fencewright(['check', 'empty', 'suite/*.rmm'], { cwd });
    expect(empty.code).toBe(65);
    expect(empty.stderr).toMatch(/^empty: error FW1013: this is a folder.*no program/m);
    const one = await fencewright(['convert', '--to', 'dot', 'suite'], { cwd });
    expect(one.code).toBe(65);
    expect(one.stderr).toMatch(/^suite: error FW1013: this is a folder, not a file$/m);
    const parts = await folderWith({ 'parts/a.c': 'int f(void) { return 1; }\n' });
    const { stderr } = await fencewright(['check', 'parts'], { cwd: parts });
    expect(stderr).toMatch(
      /^parts: error FW1013: this is a folder of parts of programs: none has/m,
    );
    expect(empty.stderr).toMatch(/suite\/\*\.rmm.*no file has such a name/);
  });

  test('without a verb, and with the other verbs that take files', async () => {
    for (const args of [['suite/a'], ['trf', 'suite/a'], ['reach', 'suite/a/*.fw']]) {
      const run = await fencewright(args, { cwd });
      expect([run.code, run.stderr]).toEqual([0, '']);
      expect(run.stdout).toContain('Fenced');
    }
  });

  test('format looks at programs of the native language only', async () => {
    const run = await fencewright(['format', '--check', 'suite'], { cwd });
    expect(run.stderr).toBe('');
    expect(run.stdout).toContain('suite/c.fw');
    expect(run.stdout).not.toContain('a.txt');
  });

  test('--from chooses what is taken of a folder', async () => {
    const run = await fencewright(['check', '--from', 'trencher', '--json', 'suite'], { cwd });
    const { results } = JSON.parse(run.stdout) as { results: { file: string }[] };
    expect(results.map(({ file }) => file)).toEqual(['suite/a.txt']);
  });
});

test.each([
  ['thread t0\ninitial s\n', true],
  ['# a comment\n\n  thread t0 # the first\n', true],
  ['\ufeffmemory 5\nthread t\n', true],
  ['thread safety is hard\n', false],
  ['', false],
  ['# thread t\n', false],
])('a text is recognised as a program of Trencher: %j', (text, is) => {
  expect(looksLikeTrencher(text)).toBe(is);
});

describe('--quiet', () => {
  test('leaves the exit code, messages, and what was asked for', async () => {
    const cwd = await folderWith({ 'sb.fw': storeBuffering, 'f.fw': fenced, 'w.fw': 'program' });
    const quiet = async (...args: string[]) => fencewright([...args, '--quiet'], { cwd });
    expect(await quiet('check', 'sb.fw')).toMatchObject({ code: 10, stdout: '' });
    expect(await quiet('check', 'f.fw')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await quiet('fence', 'sb.fw')).toMatchObject({ code: 0, stdout: '' });
    expect((await quiet('fence', 'sb.fw', '-o', '-')).stdout).toMatch(/^program SB[^]*fence;/);
    const wrong = await quiet('check', 'w.fw');
    expect(wrong).toMatchObject({ code: 65, stdout: '' });
    expect(wrong.stderr).toContain('w.fw:');
    expect((await quiet('check', '--json', 'sb.fw')).stdout).toMatch(/^\{/);
    const junit = await quiet('check', '--report', 'junit=-', 'sb.fw');
    expect(junit.stdout).toMatch(/^<\?xml/);
    expect(junit.stderr).not.toContain('not robust');
  });
});

test('--markdown writes a table, and the witness of what fails', async () => {
  const cwd = await folderWith({
    'sb.fw': storeBuffering,
    'f.fw': fenced,
    'a|<b>`c`.fw': fenced,
    'w.fw': 'program',
  });
  const args = [
    'check',
    '--quiet',
    '--report',
    'markdown=out.md',
    'sb.fw',
    'f.fw',
    'a|<b>`c`.fw',
    'w.fw',
  ];
  const run = await fencewright(args, { cwd });
  expect(run.code).toBe(65);
  const text = await readFile(path.join(cwd, 'out.md'), 'utf8');
  const lines = text.split('\n');
  expect(lines[2]).toBe('4 files: 1 not robust, 1 errors in the input, 2 robust');
  const rows = lines.filter((line) => line.startsWith('| '));
  // The heading, and one row for each file; escaped signs in names divide no cells.
  expect(rows.map((line) => line.split(/(?<!\\)\|/).length)).toEqual(Array(5).fill(5));
  expect(rows[3]).toContain('a\\|&lt;b\\>\\`c\\`\\.fw');
  expect(text).not.toContain('<b>');
  expect(text.match(/<details>/g)).toHaveLength(2);
  expect(text).toMatch(/<summary>sb\.fw<\/summary>\n\n```text\n[^`]*A TSO execution/);
  const piped = await fencewright(['check', '--report', 'markdown=-', 'f.fw'], { cwd });
  expect(piped.stdout).toMatch(/^## Fencewright\n/);
});

test('every word of --fail-on is taken, shown by --help and explained in the manual', async () => {
  const cwd = await folderWith({ 'f.fw': fenced });
  const words = failOnWords;
  expect(words).toEqual(
    expect.arrayContaining('not-robust unknown error violated differs vacuous races'.split(' ')),
  );
  const run = await fencewright(['check', '--fail-on', words.join(','), 'f.fw'], { cwd });
  expect(run.code).toBe(0);
  const help = (await fencewright(['check', '--help'])).stdout;
  for (const word of ['violated', 'differs', 'vacuous', 'races']) expect(help).toContain(word);
  const manual = await readFile(new URL('../../../docs/ci.md', import.meta.url), 'utf8');
  for (const word of words) expect(manual).toContain(`| \`${word}\` |`);
  const wrong = await fencewright(['check', '--fail-on', 'violate', 'f.fw'], { cwd });
  expect(wrong.code).toBe(64);
  expect(wrong.stderr).toContain("did you mean 'violated'?");
});
