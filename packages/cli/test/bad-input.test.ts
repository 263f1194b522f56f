import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { fencewright, folderWith, type Run } from './fencewright.js';

/** Expects that a run refuses its input: exit code 65, a message, no output, and no stack trace. */
function expectRefusal(run: Run, message: RegExp): void {
  expect(run.code).toBe(65);
  expect(run.stdout).toBe('');
  expect(run.stderr).toMatch(message);
  expect(run.stderr).toContain('hint: ');
  expect(run.stderr).not.toMatch(/\n\s+at |node:internal|internal error/);
}

const broken: Record<string, [name: string, content: string | Uint8Array, message: RegExp]> = {
  'a header': [
    'queue.hpp',
    'void push();\n',
    /^queue\.hpp: error FW1013: a header is not a program/,
  ],
  'a header in C': [
    'queue.h',
    'void push();\n',
    /a header is not a program[^]*hint: .*fencewright init --for queue\.h\n/,
  ],
  'C without a main': [
    'a.c',
    'int x;\n',
    /^a\.c: error FW1012: there is no 'main'\n {2}hint: name with --link/,
  ],
  'a header of its own': [
    'a.c',
    '#include "own.h"\nint main(void) { return 0; }\n',
    /'own\.h' file not found\n[^]*hint: name the folder of the file: -- -IFOLDER/,
  ],
  'an empty file': ['a.fw', '', /^a\.fw: error FW1004: the input is empty/],
  'an empty file for Trencher': ['a.txt', '', /^a\.txt: error FW1004: the input is empty/],
  'blanks only': ['a.fw', ' \n\n\t', /^a\.fw: error FW1004/],
  'a binary file': ['a.fw', Uint8Array.from({ length: 4096 }, (_, i) => (i * 7) % 256), /FW1005/],
  'text with a zero byte': ['a.txt', 'thread a\0', /FW1005/],
  'UTF-16': [
    'a.fw',
    Buffer.from('\ufeffprogram P\n', 'utf16le'),
    /FW1005: the text is not UTF-8, but UTF-16 as it seems\n {2}hint: convert it: iconv -f UTF-16/,
  ],
  'UTF-16 without a mark': [
    'a.fw',
    Buffer.from('program P // \u00e9\n', 'utf16le'),
    /FW1005: the text is not UTF-8, but UTF-16/,
  ],
  'a comment in Latin-1': [
    'a.c',
    Buffer.from('int x; // \u00e9t\u00e9\n', 'latin1'),
    /FW1005: the text is not UTF-8, but ISO-8859-1 as it seems\n {2}hint: .*iconv -f ISO-8859-1/,
  ],
  'an unknown label': [
    'a.fw',
    'program P\nvar x\nthread t { l0: x = 1; goto l9; }\n',
    /^a\.fw:3:\d+: error FW1002: .*'l9'/,
  ],
  'a duplicate label': [
    'a.fw',
    'program P\nvar x\nthread t { a: x = 1; a: x = 2; }\n',
    /^a\.fw:3:\d+: error FW1003: .*'a'/,
  ],
  'an undeclared register': [
    'a.fw',
    'program P\nvar x\nthread t { local r1; r2 = x; }\n',
    /^a\.fw:3:\d+: error FW1002: .*'r2'/,
  ],
  'a division by zero': [
    'a.fw',
    'program P\nvar x\nthread t { x = 1 / 0; }\n',
    /^a\.fw:3:\d+: error FW1006/,
  ],
  'a name that does not tell the format': ['a.prog', 'x', /--from native\|trencher/],
};

describe('bad input is refused with a message', () => {
  test.each(Object.entries(broken))('%s', async (_, [name, content, message]) => {
    const cwd = await folderWith({ [name]: content });
    expectRefusal(await fencewright(['check', name], { cwd }), message);
  });

  test.each(['a.fw', 'a.txt'])('ten megabytes of garbage in %s, quickly', async (name) => {
    const garbage = 'while ((x = { 1 + ] thread goto ;; \t end é '.repeat(230_000);
    const cwd = await folderWith({ [name]: garbage });
    expectRefusal(await fencewright(['check', name], { cwd }), /error FW/);
  });

  test('a missing file, with the nearest name', async () => {
    const cwd = await folderWith({ 'peterson.fw': '' });
    const run = await fencewright(['check', 'petersen.fw'], { cwd });
    expectRefusal(run, /^petersen\.fw: error FW1013: no such file/);
    expect(run.stderr).toContain('did you mean peterson.fw?');
    expectRefusal(await fencewright(['check', 'no/such.fw'], { cwd }), /no folder no/);
  });

  test('a folder', async () => {
    const cwd = await folderWith({});
    await mkdir(path.join(cwd, 'programs.fw'));
    const run = await fencewright(['check', 'programs.fw'], { cwd });
    expectRefusal(run, /FW1013: this is a folder/);
  });

  test('empty standard input', async () => {
    expectRefusal(await fencewright(['check', '-'], { input: '' }), /^-: error FW1004/);
  });

  test.each(['explain', 'reach', 'bench', 'fence', 'convert --to dot'])(
    'by %s as well',
    async (verb) => {
      const cwd = await folderWith({ 'a.fw': 'program P\nthread t { x = 1; }\n' });
      const run = await fencewright([...verb.split(' '), 'a.fw'], { cwd });
      expect(run.code).toBe(65);
      expect(run.stderr).toMatch(/^a\.fw:2:12: error FW1002/);
    },
  );

  test('all errors of a file in one run', async () => {
    const cwd = await folderWith({
      'a.fw': 'program P\nthread t { x = 1; }\nthread t { local r; r = y; }\n',
    });
    const run = await fencewright(['check', 'a.fw'], { cwd });
    expect(run.stderr.match(/error FW/g)?.length).toBeGreaterThanOrEqual(3);
  });
});

describe('wrong usage exits 64', () => {
  test.each([
    [''],
    ['chek a.fw'],
    ['check'],
    ['check --engine magic a.fw'],
    ['check --max-states 0 a.fw'],
    ['check --max-states many a.fw'],
    ['check --timeout -1 a.fw'],
    ['check --jobs 0 a.fw'],
    ['check --from cobol a.fw'],
    ['check --color pink a.fw'],
    ['check --colour a.fw'],
    ['reach --engine search a.fw'],
    ['check --kernel magic a.fw'],
    ['fence'],
    ['fence --certificate c.json a.fw b.fw'],
    ['fence -o c.fw a.fw b.fw'],
    ['fence --repair lock a.fw'],
    ['fence --minimise --repair any a.fw'],
    ['fence --minimise --for mutex a.fw'],
    ['fence --locked-stores a.fw'],
    ['fence --write -o b.fw a.fw'],
    ['fence --write -'],
    ['fence --json -o - a.fw'],
    ['fence --runs 0 a.fw'],
    ['fence --seed -1 a.fw'],
    ['verify-certificate'],
    ['trf --certificate c.json a.fw'],
    ['check --fail-on never a.fw'],
    ['convert a.fw'],
    ['convert --to png a.fw'],
    ['convert --to dot a.fw b.fw'],
  ])('fencewright %s', async (line) => {
    const run = await fencewright(line.split(' ').filter((word) => word !== ''));
    expect(run).toMatchObject({ code: 64, stdout: '' });
    expect(run.stderr).not.toMatch(/\n\s+at /);
  });

  test('but --help and --version are not wrong', async () => {
    const help = await fencewright(['--help']);
    expect(help).toMatchObject({ code: 0, stderr: '' });
    const verbs = ['check', 'fence', 'verify-certificate', 'explain', 'reach', 'bench', 'convert'];
    for (const verb of verbs) expect(help.stdout).toMatch(new RegExp(`\n  ${verb} {2,}\\w`));
    expect(await fencewright(['check', '--help'])).toMatchObject({ code: 0, stderr: '' });
    const version = await fencewright(['--version']);
    expect(version).toMatchObject({ code: 0, stderr: '' });
    expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

test('two files that define main are named, and not by a place of neither', async () => {
  const main = 'int main(void) { return 0; }\n';
  const cwd = await folderWith({ 'a.c': main, 'b.c': main });
  const run = await fencewright(['check', 'a.c', '--link', 'b.c'], { cwd });
  expectRefusal(run, /^a\.c: error FW1003: 'main' is defined in two files: a\.c and b\.c$/m);
});

test('a file in C without main names the command that makes one for its header', async () => {
  const cwd = await folderWith({
    'lib/ring.h': 'int push(int v);\n',
    'ring.c': '#include "lib/ring.h"\nint push(int v) { return v; }\n',
    'alone.c': 'int push(int v) { return v; }\n',
  });
  const run = await fencewright(['ring.c'], { cwd });
  expectRefusal(run, /, or have one made: fencewright init --for lib\/ring\.h$/m);
  const alone = await fencewright(['alone.c'], { cwd });
  expectRefusal(alone, /or add a 'main' that starts the threads$/m);
});

test.each([
  ['help about a verb that does not exist is an error', ['help', 'fense'], 64, /unknown command/],
  ['-v is the version', ['-v'], 0, /^$/],
  ['the course is in the playground', ['course'], 64, /^ {2}hint: fencewright playground serves/m],
  ['a misspelt verb is not in the playground', ['fense'], 64, /^(?![^]*playground)/],
])('%s', async (_, args, code, stderr) => {
  const run = await fencewright(args);
  expect(run.code).toBe(code);
  expect(run.stderr).toMatch(stderr);
});

test('a symbolic link that leads nowhere, and one that leads to itself, are named as such', async () => {
  const cwd = await folderWith({});
  await symlink('gone.fw', path.join(cwd, 'dangling.fw'));
  await symlink('round.fw', path.join(cwd, 'round.fw'));
  const dangling = await fencewright(['check', 'dangling.fw'], { cwd });
  expectRefusal(
    dangling,
    /^dangling\.fw: error FW1013: a symbolic link to gone\.fw, where nothing is$/m,
  );
  const round = await fencewright(['check', 'round.fw'], { cwd });
  expectRefusal(round, /^round\.fw: error FW1013: its symbolic links lead round in a circle$/m);
});
