import { describe, expect, test } from 'vitest';
import { check } from '../../src/api/check.js';
import { folders, loadCorpus, parseCorpusFile } from './load-corpus.js';

describe.each(folders)('%s', (folder) => {
  test.each(loadCorpus(folder))('$path: both engines give the expected verdict', async (file) => {
    const program = parseCorpusFile(file);
    const byAttack = await check(program, { engine: 'instrument', allAttacks: true });
    expect(byAttack.verdict.kind).toBe(file.expected.verdict);
    const { total, byCfg, infeasible, feasible } = byAttack.statistics.attacks;
    expect(byCfg + infeasible + feasible).toBe(total);
    const bySingleQuery = await check(program, { engine: 'single-query' });
    expect(bySingleQuery.verdict.kind).toBe(file.expected.verdict);
  });
});
