import { expect, test } from 'vitest';
import { check } from '../../src/api/check.js';
import { parseText } from '@fencewright/languages/read/parse-text.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import { readRepositoryFile } from './load-corpus.js';

/** By file: the verdict, and how many threads have to delay stores. */
const expected = JSON.parse(readRepositoryFile('corpus/asymmetric/expected.json')) as Readonly<
  Record<string, { readonly verdict: string; readonly delaying: number }>
>;

test.each(Object.entries(expected))(
  '%s has its verdict, by as many delaying threads as it needs',
  async (file, { verdict, delaying }) => {
    const text = readRepositoryFile(`corpus/asymmetric/${file}`);
    const { model, diagnostics } = await parseText('native', text);
    const program = finiteProgram(model) ?? expect.fail(JSON.stringify(diagnostics));
    const result = await check(program);
    expect(result.verdict.kind).toBe(verdict);
    if (result.verdict.kind !== 'not-robust') return;
    const { others = [] } = result.verdict.witness;
    expect(others.length + 1).toBe(delaying);
  },
);
