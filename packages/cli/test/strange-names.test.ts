import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { fencewright, folderWith } from './fencewright.js';
import { storeBuffering } from './programs.js';

/** Matches characters that a terminal interprets or hides; line feeds are allowed. */
const harmful = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/**
 * A name with everything harmful: an escape sequence, a line end, a bidi mark, a command, quotes.
 */
const name = 'a\u001b[31m\n; (assert false)\u202e$(touch harm)"\'';

const trencher = `Initial state: i
thread t1
initial l0
transition l0 l1 write(1)(1)
end`;

test('what may stand in the name of a file: no output has it as it is', async () => {
  const fw = `${name}.fw`;
  const cwd = await folderWith({ [fw]: storeBuffering, [`bad${fw}`]: 'thread' });
  const calls = [
    ['check', fw],
    ['check', `no${fw}`],
    ['check', `bad${fw}`],
    ['explain', fw],
    ['explain', '--report', 'html=-', fw],
    ['explain', '--report', `dot=out${fw}`, fw],
    ['reach', fw],
    ['trf', fw],
    ['fence', fw],
    ['fence', '-o', `out${fw}`, fw],
    ['fence', '-o', `none/${fw}`, fw],
    ['bench', fw],
    ['prove', fw, '--certificate', `cert${fw}`],
    ['convert', fw, '--to', 'dot'],
    ['cover', '--from', 'mist', fw],
    ['verify-certificate', fw, fw],
  ];
  for (const args of calls) {
    const run = await fencewright(args, { cwd });
    expect([args, run.code]).not.toEqual([args, 70]);
    expect(run.stdout).not.toMatch(harmful);
    expect(run.stderr).not.toMatch(harmful);
    // In quoted names, a line end starts no new line.
    expect(run.stdout + run.stderr).not.toMatch(/^; \(assert/m);
  }
});

test('what may stand in the name of a program: no format has it as it is', async () => {
  const cwd = await folderWith({ [`${name}.txt`]: trencher });
  for (const to of ['native', 'dot', 'promela', 'memorax', 'smt2', 'trencher']) {
    const run = await fencewright(['convert', '--to', to, `${name}.txt`], { cwd });
    expect(run.stdout).not.toMatch(harmful);
    expect(run.stdout).not.toMatch(/^; \(assert/m);
  }
});

test('the command that a hint shows does what it says', async () => {
  const fw = `${name}.fw`;
  const cwd = await folderWith({ [fw]: storeBuffering });
  const { stdout } = await fencewright(['check', fw], { cwd });
  const command = /(fencewright fence .*) finds/.exec(stdout)?.[1];
  const script = `fencewright() { printf '%s\\n' "$@"; }; ${command ?? 'false'}`;
  const args = ['--norc', '-c', `LC_ALL=C.UTF-8; ${script}`];
  expect(execFileSync('bash', args, { cwd, encoding: 'utf8' })).toBe(`fence\n${fw}\n`);
});

test('the name of a file is text in Markdown: no table cell, link, mention or tag', async () => {
  const strange = 'a|b<i>[l](x)`c`_d_*e*~~f~~ @me #1 &amp;!.fw';
  const cwd = await folderWith({ [strange]: storeBuffering });
  const { stdout } = await fencewright(['check', '--report', 'markdown=-', strange], { cwd });
  const row = stdout.split('\n').find((line) => line.startsWith('| a'));
  const cell = /^\| ((?:\\.|[^\\|])*) \|/.exec(row ?? '')?.[1] ?? '';
  // CommonMark 0.31, Sect. 2.4: a backslash before a sign makes the sign text, as an entity does.
  const bare = cell.replaceAll(/\\[!-/:-@[-`{-~]|&(?:lt|gt|amp);/g, '');
  expect(bare).toMatch(/^[\w ;]*$/);
  expect(bare).not.toContain('_');
  const entities = { '&lt;': '<', '&gt;': '>', '&amp;': '&' } as Readonly<Record<string, string>>;
  const read = cell.replaceAll(
    /\\(.)|&(?:lt|gt|amp);/g,
    (all: string, sign?: string) => sign ?? entities[all] ?? all,
  );
  expect(read).toBe(strange);
});
