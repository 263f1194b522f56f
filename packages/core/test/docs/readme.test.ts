import { describe, expect, test } from 'vitest';
import { commandTable } from '../../../cli/src/command-table.js';
import { verbs } from '../../../cli/src/verbs.js';
import { exitCodes } from '../../../cli/src/exit-codes.js';
import { check } from '../../src/api/check.js';
import type { CheckResult } from '@fencewright/model/verdict/verdict.js';
import { loadCorpus, parseCorpusFile, readRepositoryFile } from '../corpus/load-corpus.js';

const readme = readRepositoryFile('README.md');
/** The pages that describe commands to users: the README and docs/commands.md. */
const pages = readme + readRepositoryFile('docs/commands.md');
const table2 = readRepositoryFile('docs/table2.md');

/** The options of each verb, without deprecated spellings. */
const helpOf = new Map(
  (await commandTable(verbs)).map(({ name, options }) => [
    name,
    [...options.map(({ flags }) => flags), '--help'].join('\n'),
  ]),
);
const allHelp = ['--version', ...helpOf.values()].join('\n');

function optionsIn(text: string): string[] {
  return [...text.matchAll(/(?<![\w-])--[a-z][a-z-]*/g)].map(([option]) => option);
}

/** Whether the help lists the option itself, and not only a longer option with this prefix. */
function mentions(help: string, option: string): boolean {
  return new RegExp(`${option}(?![\\w-])`).test(help);
}

describe('the commands in the README and the page of commands', () => {
  const commands = [...pages.matchAll(/\bfencewright ([a-z-]+)(?![\w./-])([^`#\n]*)/g)].map(
    ([line, verb = '', rest = '']) => ({ line, verb, rest }),
  );

  test('show every verb', () => {
    expect(commands.map(({ verb }) => verb)).toEqual(
      expect.arrayContaining(['check', 'explain', 'reach', 'bench', 'convert']),
    );
  });

  test.each(commands)('$line', ({ verb, rest }) => {
    const help = helpOf.get(verb) ?? '';
    expect(help).not.toBe('');
    for (const option of optionsIn(rest)) expect(mentions(help, option), option).toBe(true);
    for (const [file] of rest.matchAll(/(examples|corpus)\/[\w./-]+\.fw/g))
      expect(readRepositoryFile(file)).not.toBe('');
  });

  test.each([...new Set(optionsIn(pages))])('%s is an option', (option) => {
    expect(mentions(allHelp, option)).toBe(true);
  });
});

test('the exit codes in the README are those of the code', () => {
  const table = [...readme.matchAll(/^\| (\d+) \| /gm)].map(([, code]) => Number(code));
  const { interrupted: _, brokenPipe: __, ...documented } = exitCodes;
  expect(table.sort()).toEqual(Object.values(documented).sort());
});

interface Row {
  readonly name: string;
  readonly cells: readonly string[];
}

function sizeCell(sizes: readonly number[]): string {
  return sizes.join(' ');
}

function queryCell([queries, byFlow, refuted, feasible]: readonly number[]): string {
  return `${queries} = ${byFlow} + ${refuted} + ${feasible}`;
}

function ownCells({ statistics }: CheckResult): [string, string] {
  const { threads, labels, instructions, attacks } = statistics;
  const { byCfg, infeasible, feasible } = attacks;
  const decided = byCfg + infeasible + feasible;
  return [
    sizeCell([threads, labels, instructions]),
    queryCell([decided, byCfg, infeasible, feasible]),
  ];
}

describe('the page of Table 2', () => {
  const rows = [...table2.matchAll(/^\| (\w+) \| (\d+ \d+ \d+) \| (.*) \| (.*) \| (.*) \|$/gm)].map(
    ([, name = '', ...cells]): Row => ({ name, cells }),
  );
  const files = loadCorpus('corpus/table2').map((file) => ({
    file,
    program: parseCorpusFile(file),
  }));

  test('has a row for every program, and no other', () => {
    expect(rows.map(({ name }) => name).sort()).toEqual(
      files.map(({ program }) => program.name).sort(),
    );
  });

  test.each(rows)('$name', async ({ name, cells }) => {
    const { file, program } = files.find((candidate) => candidate.program.name === name)!;
    const { T, L, I, RQ, NR1, NR2, R } = file.expected.paper!;
    const [sizes, queries] = ownCells(await check(program, { allAttacks: true }));
    expect(cells).toEqual([sizes, sizeCell([T, L, I]), queries, queryCell([RQ, NR1, NR2, R])]);
  });
});
