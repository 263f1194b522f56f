import { describe, expect, test } from 'vitest';
import { check } from '../../core/src/api/check.js';
import { parseNative } from '../src/native/parse-native.js';
import { printNative } from '../src/native/print-native.js';
import { parseTrencher } from '../src/trencher/parse-trencher.js';
import { printTrencher } from '../src/trencher/print-trencher.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import type { Program } from '@fencewright/model/program/program.js';
import { loadCorpus, parseCorpusFile } from '../../core/test/corpus/load-corpus.js';

const files = (['corpus/table2', 'corpus/figures', 'examples'] as const).flatMap((folder) =>
  loadCorpus(folder),
);

/** Returns the verdict, and the number of attacks with each result. */
async function outcome(program: Program) {
  const { verdict, statistics } = await check(program, { allAttacks: true });
  // Trencher's format knows no arrays, and without their bounds other stages settle attacks.
  const { settledBy: _, ...attacks } = statistics.attacks;
  return { verdict: verdict.kind, ...attacks };
}

function reread(text: string, parse: typeof parseNative): Program {
  const { model, diagnostics } = parse(text);
  const program = finiteProgram(model);
  if (!program) throw new Error(JSON.stringify(diagnostics));
  return program;
}

function hasRmws({ threads }: Program): boolean {
  return threads.some(({ transitions }) =>
    transitions.some(({ instruction }) => instruction.kind === 'rmw'),
  );
}

function hasInitialValues({ symbols }: Program): boolean {
  return symbols.some(({ initial }) => initial.some((value) => value !== 0));
}

describe.each(files)('$path, written and read again', (file) => {
  const program = parseCorpusFile(file);

  test('in the native language has the same attacks', async () => {
    const before = await outcome(program);
    expect(before.verdict).toBe(file.expected.verdict);
    expect(await outcome(reread(printNative(program), parseNative))).toEqual(before);
  });

  test("in Trencher's format, and from there in the native language, has the same attacks", async () => {
    const { text } = printTrencher(program);
    // Initial values are the only part of these programs that the format lacks.
    expect(text === undefined).toBe(hasInitialValues(program));
    if (text === undefined) return;
    const trencher = reread(text, parseTrencher);
    const before = await outcome(program);
    const { verdict, feasible, infeasible } = before;
    const after = await outcome(trencher);
    expect(after).toMatchObject({ verdict, feasible, infeasible });
    // A read-modify-write becomes a load and a store, between which the bus lock stands: more
    // pairs, ruled out by control flow.
    if (!hasRmws(program)) expect(after).toEqual(before);
    expect(await outcome(reread(printNative(trencher), parseNative))).toEqual(after);
  });
});
