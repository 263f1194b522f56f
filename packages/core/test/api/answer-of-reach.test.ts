import { describe, expect, test } from 'vitest';
import { decide } from '../../src/api/decide.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';
import { type AnswerParts, stateAnswer } from '@fencewright/model/verdict/answer-of-reach.js';
import type { ModelReach, PropertyVerdict } from '@fencewright/model/verdict/reach-result.js';
import { programOf } from '../../../engines/test/robustness/native-program.js';

// docs/states.md: the first case that applies; no case follows from unknown facts.

const program = programOf(`var x
  thread t { local r; r = x; assert(r < 2); }
  property low: never (x == 2)
  property high: exists (x == 1)`);
const low = { kind: 'property', property: 0 } as const;
const high = { kind: 'property', property: 1 } as const;
const assertion = { kind: 'assertion', thread: 0, transition: 1 } as const;

function ended(r: number): MachineState {
  return { locations: [2], registers: [[r]], memory: new Map(), buffers: [[]] };
}

/** Returns the results under a memory model of a complete exploration in which no claim fails. */
function model(
  verdicts: Partial<Record<'low' | 'high', PropertyVerdict['verdict']>> = {},
  more: Partial<ModelReach> = {},
): ModelReach {
  const properties = (['low', 'high'] as const).map((property): PropertyVerdict => {
    const verdict = verdicts[property] ?? 'holds';
    const isShown = (verdict === 'holds') === (property === 'high');
    return { property, verdict, ...(isShown && { computation: [] }) };
  });
  return { states: 1, finalStates: [ended(0)], properties, failedAssertions: [], ...more };
}

function answer(parts: Partial<AnswerParts>) {
  return stateAnswer(program, {
    ...{ sc: model(), tso: model(), sameFinalStates: 'yes', isFaulty: false },
    hangs: { kind: 'found', hangs: [] },
    ...parts,
  });
}

describe('nothing is said', () => {
  test('of a program whose executions fault', () => {
    expect(answer({ robustness: 'robust', isFaulty: true })).toMatchObject({
      ...{ kind: 'unknown', open: 'claims', why: { kind: 'faults' } },
    });
  });

  test('while a claim is open, be the program robust', () => {
    const tso = model({ low: 'unknown' });
    expect(answer({ tso, robustness: 'robust' })).toMatchObject({
      ...{ kind: 'unknown', open: 'claims', claims: [low] },
    });
  });

  test('of a state that TSO reaches, if SC may reach it, too', () => {
    const sc = model({ high: 'unknown' });
    expect(answer({ sc })).toMatchObject({ kind: 'unknown', claims: [high] });
  });

  test('of what fails under TSO, if it may fail under SC, too', () => {
    const parts = { sc: model({ low: 'unknown' }), tso: model({ low: 'violated' }) };
    expect(answer(parts)).toMatchObject({ kind: 'unknown', claims: [low] });
  });

  test.each([
    ['SC', { sc: model({}, { incomplete: 'states' }) }],
    ['TSO', { tso: model({}, { incomplete: 'states' }) }],
  ])('while an assertion may fail in what was not seen of %s', (_, parts) => {
    expect(answer({ ...parts, robustness: 'not-robust' })).toMatchObject({
      ...{ kind: 'unknown', open: 'claims', claims: [assertion] },
      why: { kind: 'limit', reason: 'states' },
    });
  });

  test('while states with empty buffers were not compared', () => {
    expect(answer({ robustness: 'not-robust' })).toMatchObject({ kind: 'unknown', open: 'states' });
    const drained = { kind: 'unknown', why: { kind: 'values', address: 1 } } as const;
    expect(answer({ robustness: 'not-robust', drained })).toMatchObject({
      ...{ kind: 'unknown', open: 'states', why: drained.why },
    });
  });

  test('of traces while nobody knows whether the program is robust', () => {
    const drained = { kind: 'same' } as const;
    const open = { kind: 'unknown', open: 'traces' };
    expect(answer({ drained })).toMatchObject(open);
    expect(answer({ drained, robustness: 'unknown' })).toMatchObject(open);
    expect(answer({ drained, robustness: 'not-robust' })).toEqual({
      ...{ kind: 'stricter', reached: [high], neverReached: [] },
    });
  });
});

test('final states that differ in registers alone differ', () => {
  const tso = model({}, { finalStates: [ended(0), ended(1)] });
  expect(answer({ tso, sameFinalStates: 'no', robustness: 'not-robust' })).toEqual({
    ...{ kind: 'differs', state: ended(1), varying: { cells: [], registers: [[0, 0]] } },
  });
});

// docs/value-happens-before.md, the first example: both stores to y write 1. So the program is
// robust for value happens-before, and TSO reaches the states of SC, although not all traces are
// traces of SC.
test('who is robust by values is not robust', async () => {
  const same = programOf(`var x, y
    thread t { x = 1; y = 1; }
    thread u { local r; y = 1; r = x; }`);
  const question = { kind: 'check', happensBefore: 'value', answers: 'full' } as const;
  expect(await decide({ kind: 'finite', program: same }, question)).toMatchObject({
    result: { verdict: { kind: 'robust' }, answer: { kind: 'stricter' } },
  });
});

test('a robust program tells which of the states asked for are reached', () => {
  const never = model({ high: 'violated' });
  expect(answer({ robustness: 'robust', sc: never, tso: never })).toEqual({
    ...{ kind: 'robust', reached: [], neverReached: [high] },
  });
});
