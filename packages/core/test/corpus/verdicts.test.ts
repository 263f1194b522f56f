import { describe, expect, test } from 'vitest';
import { check } from '../../src/api/check.js';
import type { CheckResult } from '@fencewright/model/verdict/verdict.js';
import { folders, loadCorpus, parseCorpusFile } from './load-corpus.js';

/** Returns the feasible attacks, the infeasible ones, and those decided without a search. */
function decisions({ attacks }: CheckResult): string[] {
  return attacks
    .map(({ attack: { thread, store, load }, verdict }) => `${thread}:${store}:${load} ${verdict}`)
    .sort();
}

describe.each(folders)('%s', (folder) => {
  test.each(loadCorpus(folder))('$path: all engines give the expected verdict', async (file) => {
    const program = parseCorpusFile(file);
    const reference = await check(program, { engine: 'instrument', allAttacks: true });
    expect(reference.verdict.kind).toBe(file.expected.verdict);
    expect(reference.attacks).toHaveLength(reference.statistics.attacks.total);
    const search = await check(program, { engine: 'search', allAttacks: true });
    expect(search.verdict.kind).toBe(file.expected.verdict);
    expect(decisions(search)).toEqual(decisions(reference));
    const singleQuery = await check(program, { engine: 'single-query' });
    expect(singleQuery.verdict.kind).toBe(file.expected.verdict);
  });
});
