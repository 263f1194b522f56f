import { describe, expect, test } from 'vitest';
import { reach } from '../../src/api/reach.js';
import { enumerateTraces } from '@fencewright/reference/definitions/enumerate-traces.js';
import { loadCorpus, parseCorpusFile } from './load-corpus.js';

/**
 * Tests that execution counts and final states of Herd equal those of the checker by definition.
 */
describe('litmus tests with counts', () => {
  const files = loadCorpus('corpus/litmus');
  const byHerd = files.filter(({ expected }) => expected.source === 'herd7 7.58 x86tso');

  test('are there in numbers', () => {
    expect(byHerd.length).toBeGreaterThanOrEqual(40);
    const onlyTracesTell = byHerd.filter(
      ({ expected }) => expected.verdict === 'not-robust' && expected.stateRobust,
    );
    expect(onlyTracesTell.length).toBeGreaterThanOrEqual(4);
  });

  test.each(files)('$path', async (file) => {
    const { expected } = file;
    const program = parseCorpusFile(file);
    const traces = enumerateTraces(program);
    expect(traces.complete).toBe(true);
    expect({
      tsoTraces: traces.executions,
      nonrobustTraces: traces.cyclicExecutions,
      tsoStates: traces.finalStates,
      scStates: traces.sequentialFinalStates,
    }).toEqual({
      tsoTraces: expected.tsoTraces,
      nonrobustTraces: expected.nonrobustTraces,
      tsoStates: expected.tsoStates,
      scStates: expected.scStates,
    });
    expect(traces.violation !== undefined).toBe(expected.verdict === 'not-robust');
    const { sc, tso, sameFinalStates } = await reach(program);
    expect(sc.finalStates).toHaveLength(expected.scStates!);
    expect(tso.finalStates).toHaveLength(expected.tsoStates!);
    expect(sameFinalStates).toBe(expected.stateRobust ? 'yes' : 'no');
  });
});
