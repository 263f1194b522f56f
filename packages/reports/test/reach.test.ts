import { describe, expect, test } from 'vitest';
import { plainPalette } from '../src/text/palette.js';
import { reachReport } from '../src/text/reach.js';
import { reachOutcome } from '../src/words/reach-outcome.js';
import type { ReachResult } from '@fencewright/model/verdict/reach-result.js';
import { reachResult, subject } from './store-buffering.js';

const { sc, tso } = reachResult;
const same: ReachResult = { ...reachResult, tso: { ...sc, states: 40 }, sameFinalStates: 'yes' };

describe('the report on reachable states', () => {
  test('sets SC and TSO side by side and points out what only TSO does', () => {
    expect(reachReport(subject, reachResult, plainPalette)).toMatchInlineSnapshot(`
      "sb.fw: SB is different under TSO: 1 more final state and oneSeesTheOther fails
        breaks: oneSeesTheOther holds under SC and not under TSO
        model  states  final states  exploration
        SC         12             3  complete
        TSO        40             4  complete
        in 3.2 ms

      Final states
        t1.r1  t2.r2  SC   TSO
            0      0  no   yes  only under TSO
            0      1  yes  yes
            1      0  yes  yes
            1      1  yes  yes
        in all of them: x = 1, y = 1

      Properties
        property         kind     SC     TSO
        oneSeesTheOther  finally  holds  violated

      An execution: oneSeesTheOther fails under TSO
        step  thread  action  label  line  address  value  instruction
           1  t1      issue   l0        4  x            1  x = 1
           2  t1      load    l1        5  y            0  r1 = y
           3  t2      issue   l0        8  y            1  y = 1
           4  t2      store   l0        8  y            1  y = 1
           5  t2      load    l1        9  x            0  r2 = x
           6  t1      store   l0        4  x            1  x = 1
      "
    `);
  });

  test('says that buffers were bounded', () => {
    const tso = { ...sc, states: 20, incomplete: 'buffer', buffer: 2 } as const;
    const text = reachReport(
      subject,
      { ...reachResult, tso, sameFinalStates: 'unknown' },
      plainPalette,
    );
    expect(text).toContain(
      'is undecided: no difference shows with at most 2 stores in each buffer',
    );
    expect(text).toContain('bounded: at most 2 stores in each buffer');
  });

  test('says that executions end in faults, which no other engine would change', () => {
    const sc = { ...reachResult.sc, incomplete: 'unsupported' } as const;
    const fault = { code: 'FW3002', severity: 'error', message: 'division by zero' } as const;
    const text = reachReport(
      subject,
      { ...reachResult, sc, sameFinalStates: 'unknown', diagnostics: [fault] },
      plainPalette,
    );
    expect(text).toMatch(/SC +12 +3 +incomplete: executions end in faults\n/);
    expect(text).not.toContain('engine');
  });

  test('says that an exploration is incomplete, and doubts what it did not see', () => {
    const cut: ReachResult = {
      ...reachResult,
      tso: {
        ...sc,
        states: 20,
        incomplete: 'states',
        properties: [{ property: 'oneSeesTheOther', verdict: 'unknown' }],
      },
      sameFinalStates: 'unknown',
    };
    expect(reachReport(subject, cut, plainPalette)).toMatchInlineSnapshot(`
      "sb.fw: SB is undecided: not all states were explored
        breaks: oneSeesTheOther holds under SC and not under TSO
        model  states  final states  exploration
        SC         12             3  complete
        TSO        20             3  incomplete: the limit on states was reached
        hint: --buffer N explores the executions with at most N stores in a buffer
        in 3.2 ms

      Final states
        t1.r1  t2.r2  SC   TSO
            0      1  yes  yes
            1      0  yes  yes
            1      1  yes  yes
        in all of them: x = 1, y = 1

      Properties
        property         kind     SC     TSO
        oneSeesTheOther  finally  holds  unknown
      "
    `);
  });

  test('lists assertions that can fail', () => {
    const failing: ReachResult = {
      ...same,
      tso: { ...same.tso, failedAssertions: [{ thread: 0, transition: 1, computation: [] }] },
    };
    expect(reachReport(subject, failing, plainPalette)).toContain(
      'Assertions that can fail\n' +
        '  thread  line  assertion  SC     TSO\n' +
        '  t1         5  r1 = y     holds  fails\n',
    );
  });
});

describe('the outcome of a comparison', () => {
  const withProperty = (verdict: 'holds' | 'violated' | 'unknown'): ReachResult => ({
    ...same,
    tso: { ...same.tso, properties: [{ property: 'oneSeesTheOther', verdict }] },
  });

  test('is `same` only when everything is explored and equal', () => {
    expect(reachOutcome(same)).toBe('same');
    expect(reachOutcome({ ...same, sc: { ...sc, incomplete: 'time' } })).toBe('unknown');
    expect(reachOutcome({ ...same, sameFinalStates: 'unknown' })).toBe('unknown');
    expect(reachOutcome(withProperty('unknown'))).toBe('unknown');
  });

  test('is `different` on one known difference', () => {
    expect(reachOutcome({ ...same, sameFinalStates: 'no' })).toBe('different');
    expect(reachOutcome(withProperty('violated'))).toBe('different');
    expect(reachOutcome({ ...reachResult, tso: { ...tso, incomplete: 'memory' } })).toBe(
      'different',
    );
  });

  test('an assertion that SC may not have reached yet proves no difference', () => {
    const failed = { thread: 0, transition: 1, computation: [] };
    const tsoFails: ReachResult = { ...same, tso: { ...same.tso, failedAssertions: [failed] } };
    expect(reachOutcome(tsoFails)).toBe('different');
    expect(reachOutcome({ ...tsoFails, sc: { ...sc, incomplete: 'states' } })).toBe('unknown');
  });

  test('is `error` when an execution is at fault', () => {
    const fault = { code: 'FW3002', severity: 'error', message: 'division by zero' } as const;
    expect(reachOutcome({ ...reachResult, diagnostics: [fault] })).toBe('error');
  });
});
