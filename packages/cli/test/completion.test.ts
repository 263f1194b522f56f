import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { verbs } from '../src/verbs.js';
import { fencewright, folderWith } from './fencewright.js';

const run = promisify(execFile);

/** Whether a program is installed on this machine. */
const has = (program: string): Promise<boolean> =>
  run('sh', ['-c', `command -v ${program}`]).then(
    () => true,
    () => false,
  );

async function scriptFor(shell: string): Promise<string> {
  const { code, stdout } = await fencewright(['completion', shell]);
  expect(code).toBe(0);
  return stdout;
}

const batchWords = ['check', 'fence', 'reach', 'trf', 'prove', 'merge', 'status'];
const commands = [...Object.keys(verbs), ...batchWords.map((word) => `batch ${word}`)];

/** Returns the options that the help lists for a verb, sorted. */
async function optionsOf(words: string): Promise<readonly string[]> {
  const { stdout } = await fencewright([...words.split(' '), '--help-all']);
  const [, options = ''] = stdout.split('\nOptions:\n');
  const shown = [...options.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, name = '']) => name);
  expect(shown.length, words).toBeGreaterThan(0);
  return shown.sort();
}

test('another shell is a usage error that names those that there are', async () => {
  const ended = await fencewright(['completion', 'tcsh']);
  expect(ended).toMatchObject({ code: 64, stdout: '' });
  expect(ended.stderr).toContain('bash, zsh, fish');
});

describe('bash', () => {
  let script = '';
  beforeAll(async () => {
    script = await scriptFor('bash');
  });

  /**
   * Returns the completions that bash offers for each line. The last word of a line is incomplete;
   * `=` is a word of its own.
   */
  async function offered(lines: readonly string[]): Promise<readonly string[][]> {
    const asked = lines.map((line) => {
      const words = line
        .split(' ')
        .flatMap((word) => word.split(/(=)/).filter((part, i) => part !== '' || i === 0));
      if (line.endsWith('=')) words.push('');
      const quoted = words.map((word) => `'${word}'`).join(' ');
      return `COMP_WORDS=(${quoted}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _fencewright; echo "\${COMPREPLY[*]}"`;
    });
    const folder = await folderWith({ 'lines.bash': `${script}\n${asked.join('\n')}\n` });
    const { stdout } = await run('bash', ['--norc', path.join(folder, 'lines.bash')]);
    return stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => line.split(' ').filter((word) => word !== ''));
  }

  test('offers verbs, words of options, and leaves files to bash', async () => {
    const [first, begun, engines, after, half, file, file2, shells, helped] = await offered([
      'fencewright ',
      'fencewright ch',
      'fencewright check --engine ',
      'fencewright check --engine=s',
      'fencewright check --all',
      'fencewright check lock',
      'fencewright check --certificate out',
      'fencewright completion ',
      'fencewright help fe',
    ]);
    expect(first).toEqual(expect.arrayContaining(Object.keys(verbs)));
    expect(begun).toEqual(['check']);
    expect(engines).toEqual(expect.arrayContaining(['search', 'chc', 'spin']));
    expect(after).toEqual(['search', 'single-query', 'spin']);
    expect(half).toEqual(['--all-attacks']);
    expect([file, file2]).toEqual([[], []]);
    expect(shells).toEqual(['bash', 'zsh', 'fish']);
    expect(helped).toEqual(['fence']);
  });

  test('offers the words behind a verb, which are no files', async () => {
    const [words, begun, file, third] = await offered([
      'fencewright batch ',
      'fencewright batch m',
      'fencewright batch suite',
      'fencewright batch reach ',
    ]);
    expect(words).toEqual(batchWords);
    expect(begun).toEqual(['merge']);
    expect([file, third]).toEqual([[], []]);
  });

  test('every option that the help of a verb shows is offered behind it, and no other', async () => {
    const lists = await offered(commands.map((name) => `fencewright ${name} -`));
    for (const [i, name] of commands.entries())
      expect(lists[i]!.toSorted(), name).toEqual(await optionsOf(name));
  });

  test('is taken from a shell that has it in its settings', async () => {
    const folder = await folderWith({ rc: script });
    const { stdout } = await run('bash', [
      '--rcfile',
      path.join(folder, 'rc'),
      '-ic',
      'complete -p fencewright',
    ]);
    expect(stdout).toBe('complete -F _fencewright fencewright\n');
  });
});

describe.each([
  ['zsh', ['-n']],
  ['fish', ['--no-execute']],
])('%s', (shell, check) => {
  test('its script parses', async ({ skip }) => {
    const script = await scriptFor(shell);
    for (const name of Object.keys(verbs)) expect(script).toContain(name);
    if (!(await has(shell))) skip(`${shell} is not installed`);
    const folder = await folderWith({});
    const file = path.join(folder, `fencewright.${shell}`);
    await writeFile(file, script);
    await run(shell, [...check, file]);
  });
});

test('fish offers verbs, words behind them, and the options that the help shows', async ({
  skip,
}) => {
  if (!(await has('fish'))) skip('fish is not installed');
  const lines = ['fencewright ', 'fencewright batch ', 'fencewright check --engine '].concat(
    commands.map((name) => `fencewright ${name} -`),
  );
  const asked = lines.map((line) => `complete -C '${line}'; echo .`).join('\n');
  const folder = await folderWith({ 'lines.fish': `${await scriptFor('fish')}\n${asked}\n` });
  // Completes in a folder without files, which fish would offer.
  const { stdout, stderr } = await run('fish', ['--no-config', 'lines.fish'], { cwd: folder });
  expect(stderr).toBe('');
  const [first, behind, engines, ...lists] = stdout
    .split('\n.\n')
    .map((text) => text.split('\n').map((line) => line.replace(/\t.*/, '')));
  expect(first).toEqual(expect.arrayContaining(Object.keys(verbs)));
  expect(behind).toEqual(expect.arrayContaining(batchWords));
  expect(engines).toEqual(expect.arrayContaining(['search', 'chc', 'spin']));
  for (const [i, name] of commands.entries())
    expect(lists[i]!.filter((word) => word.startsWith('--')).sort(), name).toEqual(
      await optionsOf(name),
    );
});
