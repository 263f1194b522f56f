import { benchTable, printableLine, quoteName, type ResultOf } from '@fencewright/core';
import { subjectOf } from '../advice-in-words.js';
import { reportOnCheck } from '../check-outcome.js';
import type { FileReport } from '../file-report.js';
import type { ReadFile } from '../finding.js';
import { advancedOptions, advancedWishes } from '../options/advanced.js';
import { engine, hb, jobs, happensBeforeComplaint, searchOptions } from '../options/common.js';
import { choiceOr, type Declared, flag, type ValuesOf } from '../options/declare.js';
import { terminalPalette } from '../palette.js';
import type { RunSettings } from '../run-settings.js';
import { fileVerb } from '../file-verb.js';

const options = {
  ...searchOptions,
  jobs,
  engine,
  ...advancedOptions,
  hb,
  // Commander makes an option `--no-x` true by default.
  fences: flag(
    '--no-fences',
    'leave out column F, the size of a smallest fence set',
  ) as Declared<boolean>,
  columns: choiceOr(
    '--columns <which>',
    'the columns of the table: usual, or all, with the states of each phase of the search, or the seconds that --engine spin takes for generating, compiling and verifying',
    ['usual', 'all'],
    'usual',
  ),
  suite: choiceOr(
    '--suite <name>',
    'the table to print: search, or reduction, with the columns of [BEMT18] Table 1',
    ['search', 'reduction'],
    'search',
  ),
};

type BenchValues = ValuesOf<typeof options>;

function complaint({ hb: happensBefore, engine: name, suite }: BenchValues): string | undefined {
  return (
    happensBeforeComplaint(happensBefore, name) ??
    (happensBefore === 'value' && suite === 'reduction'
      ? '--suite reduction looks for proofs in either notion: leave --hb out'
      : undefined)
  );
}

/** Returns the report on a file, with a row for the table of searches. */
function searched(
  read: ReadFile,
  { about, result, fences }: ResultOf<'bench'>,
  run: RunSettings,
): FileReport {
  const subject = subjectOf(read, about);
  const report = reportOnCheck(subject, result, run, '');
  const name = about.name === '' ? quoteName(read.file) : printableLine(about.name);
  // A row needs no list of attacks, which may have millions of entries.
  const row = { name, result: { ...result, attacks: [] } };
  if (fences === undefined) return { ...report, row };
  const json = typeof fences === 'number' ? { ...report.json, fenceCount: fences } : report.json;
  return { ...report, json, row: { ...row, fences } };
}

export const benchVerb = fileVerb<typeof options, 'bench' | 'prove'>({
  name: 'bench',
  options,
  complaint,
  isSilent: true,
  documentOf: ({ suite }) => (suite === 'reduction' ? 'prove' : 'bench'),
  request: (values, files) => ({
    question:
      values.suite === 'reduction'
        ? { kind: 'prove', ...(values.solver && { solver: values.solver }) }
        : {
            kind: 'bench',
            ...advancedWishes(values),
            engine: values.engine,
            happensBefore: values.hb,
            listsAttacks: values.json ?? false,
            jobs: files.length === 1 ? values.jobs : 1,
            countsFences: values.fences,
          },
  }),
  print: async (read, answer, run) => {
    if (answer.kind === 'bench') return searched(read, answer, run);
    const { reportOnProof } = await import('../proof-outcome.js');
    return reportOnProof(read, answer, run);
  },
  conclude: async (reports, { json, colours }, { suite, columns }) => {
    if (json) return {};
    const palette = terminalPalette(colours.stdout);
    const rows = reports.flatMap(({ row }) => row ?? []);
    // Without measurements, only the messages are printed.
    const isEmpty = reports.every(({ row, proofRow }) => !proofRow && row?.failure !== undefined);
    if (isEmpty) return {};
    if (suite === 'search') return { stdout: benchTable(rows, palette, columns) };
    const proofs = reports.flatMap(
      ({ row, proofRow }) =>
        proofRow ?? (row ? { name: row.name, failure: row.failure ?? '' } : []),
    );
    const { proofTable } = await import('@fencewright/core/prove');
    return { stdout: proofTable(proofs, palette) };
  },
});
