import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomRuns } from '../../../../tools/random-runs.js';
import { initialState, successors } from '../../src/semantics/machine.js';
import { compileProgram } from '../../src/semantics/thread-code.js';
import { withoutBuffers } from '../../src/semantics/without-buffers.js';
import { randomProgram } from '@fencewright/reference/testing/random-program.js';
import type { Action, Computation } from '../../src/trace/computation.js';
import { programOf } from '../../../engines/test/robustness/native-program.js';

const x = 0;
const y = 1;
const declarations = `var x @ ${x}, y @ ${y}`;

const issue = (thread: number, address: number): Action => ({
  thread,
  kind: 'issue',
  transition: 0,
  address,
  value: 1,
});
const load = (thread: number, address: number, value: number): Action => ({
  thread,
  kind: 'load',
  transition: 1,
  address,
  value,
  early: false,
});
const done = (action: Action): Action => ({ ...action, kind: 'store' }) as Action;

test('the load that comes last sees the store that was delayed', () => {
  const program = programOf(
    `${declarations} thread a { local r; x = 1; r = y; } thread b { local q; y = 1; q = x; }`,
  );
  const computation = [
    issue(0, x),
    load(0, y, 0),
    issue(1, y),
    done(issue(1, y)),
    load(1, x, 0),
    done(issue(0, x)),
  ];
  const { steps, memory, partsAt } = withoutBuffers(program, computation);
  expect(steps).toEqual([
    { step: 0, action: issue(0, x) },
    { step: 1, action: load(0, y, 0) },
    { step: 2, action: issue(1, y) },
    { step: 4, action: load(1, x, 1) },
  ]);
  expect([...memory]).toEqual([
    [x, 1],
    [y, 1],
  ]);
  expect(partsAt).toBeUndefined();
});

test('a thread that would go another way parts the runs', () => {
  const program = programOf(
    `${declarations} thread a { local r; x = 1; } thread b { local q; q = x; if (q == 0) { y = 1; } }`,
  );
  const [assume] = [{ thread: 1, kind: 'local', transition: 1 } as const];
  const computation: Computation = [
    issue(0, x),
    { ...load(1, x, 0), transition: 0 },
    assume,
    { ...issue(1, y), transition: 2 },
    done(issue(0, x)),
  ];
  expect(withoutBuffers(program, computation)).toMatchObject({
    steps: [{ step: 0 }, { step: 1, action: { value: 1 } }],
    partsAt: 2,
  });
});

test('an SC computation is its own counterpart', () => {
  let actions = 0;
  fc.assert(
    fc.property(randomProgram({ loops: true }), fc.nat(1000), (program, seed) => {
      const code = compileProgram(program);
      const computation: Action[] = [];
      let state = initialState(program);
      for (let turn = 0; turn < 12; turn++) {
        const { steps } = successors('SC', code, state);
        const step = steps[(seed + turn) % Math.max(1, steps.length)];
        if (!step) break;
        computation.push(...step.actions);
        ({ state } = step);
      }
      actions += computation.length;
      const found = withoutBuffers(program, computation);
      expect(found.partsAt).toBeUndefined();
      expect(found.memory).toEqual(state.memory);
      expect(found.steps.map(({ action }) => action)).toEqual(
        computation.filter(({ kind }) => kind !== 'store'),
      );
    }),
    { numRuns: randomRuns(100, 2000) },
  );
  expect(actions).toBeGreaterThan(300);
});
