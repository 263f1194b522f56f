import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { initialState, successors } from '../../src/semantics/machine.js';
import { replayStates } from '../../src/semantics/replay.js';
import { compileProgram } from '../../src/semantics/thread-code.js';
import { randomProgram } from '@fencewright/reference/testing/random-program.js';
import type { Action, Computation } from '../../src/trace/computation.js';
import { programOf } from '../../../engines/test/robustness/native-program.js';

const x = 0;
const y = 1;
const program = programOf(
  `var x @ ${x}, y @ ${y}
  thread a { local r; x = 1; r = y; }
  thread b { local q; y = 2; fence; q = x; }`,
);

const issueX: Action = { thread: 0, kind: 'issue', transition: 0, address: x, value: 1 };
const loadY: Action = {
  thread: 0,
  kind: 'load',
  transition: 1,
  address: y,
  value: 0,
  early: false,
};
const issueY: Action = { thread: 1, kind: 'issue', transition: 0, address: y, value: 2 };
const fence: Action = { thread: 1, kind: 'fence', transition: 1 };
const loadX: Action = {
  thread: 1,
  kind: 'load',
  transition: 2,
  address: x,
  value: 0,
  early: false,
};
const storeX: Action = { ...issueX, kind: 'store' };
const storeY: Action = { ...issueY, kind: 'store' };

/** A computation of store buffering that violates robustness. */
const violation: Computation = [issueX, loadY, issueY, storeY, fence, loadX, storeX];

describe('replay', () => {
  test('gives the states along a computation, the initial one first', () => {
    const states = replayStates(program, violation);
    expect(states).toHaveLength(violation.length + 1);
    expect(states?.[0]).toEqual(initialState(program));
    expect(states?.[1]?.buffers[0]).toEqual([{ transition: 0, address: x, value: 1 }]);
    expect(states?.at(-1)?.memory).toEqual(
      new Map([
        [x, 1],
        [y, 2],
      ]),
    );
    expect(states?.at(-1)?.buffers).toEqual([[], []]);
  });

  test('gives the initial state for the computation without actions', () => {
    expect(replayStates(program, [])).toEqual([initialState(program)]);
  });

  test.each<[string, Computation]>([
    ['a wrong value of a load', violation.with(5, { ...loadX, value: 1 })],
    ['a wrong value of a store', violation.with(6, { ...storeX, value: 2 })],
    ['a wrong address', violation.with(1, { ...loadY, address: x })],
    ['a wrong thread', violation.with(0, { ...issueX, thread: 1 })],
    ['a wrong instruction', violation.with(1, { ...loadY, transition: 0 })],
    ['a load that is not early', violation.with(1, { ...loadY, early: true })],
    ['a load before the store ahead of it', [loadY, ...violation]],
    ['a fence with a store in the buffer', [issueX, loadY, issueY, fence, storeY, loadX]],
    ['a store that reaches memory twice', [...violation, storeX]],
    ['a store without its issue', [storeX]],
    ['an action beyond the end', [...violation, loadX]],
    ['a choice of an instruction that has none', [{ thread: 0, kind: 'local', transition: 0 }]],
  ])('rejects %s', (_what, computation) => {
    expect(replayStates(program, computation)).toBeUndefined();
  });

  test('accepts random walks of random programs, and no action of another value', () => {
    fc.assert(
      fc.property(
        randomProgram({ loops: true }),
        fc.array(fc.nat(1000), { maxLength: 25 }),
        (random, choices) => {
          const code = compileProgram(random);
          let state = initialState(random);
          const computation: Action[] = [];
          for (const choice of choices) {
            const { steps } = successors('TSO', code, state);
            const step = steps[choice % Math.max(1, steps.length)];
            if (!step) break;
            computation.push(...step.actions);
            ({ state } = step);
          }
          const states = replayStates(random, computation);
          expect(states?.at(-1)).toEqual(state);
          computation.forEach((action, at) => {
            if (!('value' in action)) return;
            const wrong = computation.with(at, { ...action, value: action.value + 100 });
            expect(replayStates(random, wrong)).toBeUndefined();
          });
        },
      ),
      { numRuns: randomRuns(200, 4000), seed: randomSeed(1) },
    );
  });
});
