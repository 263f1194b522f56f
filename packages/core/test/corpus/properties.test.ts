import { describe, expect, test } from 'vitest';
import { reach } from '../../src/api/reach.js';
import { loadCorpus, parseCorpusFile } from './load-corpus.js';

/** Limits on states that suffice for SC; under TSO some programs have infinitely many states. */
const limits = { maxStates: 110_000 };

describe.each(['corpus/table2', 'corpus/figures', 'examples'] as const)('%s', (folder) => {
  const files = loadCorpus(folder).filter(({ text }) => /^property /m.test(text));

  test.each(files)('$path: what the program promises holds under SC', async (file) => {
    const program = parseCorpusFile(file);
    const { sc, tso, diagnostics } = await reach(program, { limits });
    expect(diagnostics).toEqual([]);
    expect(sc.incomplete).toBeUndefined();
    expect(sc.failedAssertions).toEqual([]);
    expect(sc.properties.map(({ verdict }) => verdict)).toEqual(
      program.properties.map(() => 'holds'),
    );
    const violated = tso.properties
      .filter(({ verdict }) => verdict === 'violated')
      .map(({ property }) => property);
    expect(violated).toEqual(file.expected.violated ?? []);
    expect(tso.failedAssertions).toEqual([]);
  });
});
