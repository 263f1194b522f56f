import { finiteProgram } from '@fencewright/model/program/model.js';
import { describe, expect, test } from 'vitest';
import { lintModel } from '@fencewright/model/analysis/lint-model.js';
import { reach } from '../../src/api/reach.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { readRepositoryFile } from './load-corpus.js';

/** The programs in docs/language.md, in their order. */
const programs = [...readRepositoryFile('docs/language.md').matchAll(/^```fw\n(.*?)^```$/gms)].map(
  ([, text]) => text ?? '',
);

describe('the programs of the language manual', () => {
  test('are there', () => {
    expect(programs.length).toBeGreaterThanOrEqual(5);
  });

  test.each(programs)('parse without errors and warnings: %#', (text) => {
    const { model, diagnostics } = parseNative(text);
    expect(diagnostics).toEqual([]);
    const found = model ? lintModel(model) : [];
    expect(found.filter(({ severity }) => severity !== 'info')).toEqual([]);
  });

  test('have the properties that they claim', async () => {
    const { model } = parseNative(programs.find((text) => text.includes('Counter')) ?? '');
    const program = finiteProgram(model);
    const { sc, tso } = await reach(program!);
    for (const { properties } of [sc, tso])
      expect(properties.map(({ verdict }) => verdict)).toEqual([
        'holds',
        'holds',
        'holds',
        'holds',
      ]);
  });
});
