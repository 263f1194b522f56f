import { expect, test } from 'vitest';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import { initialState, successorsOf } from '@fencewright/model/semantics/machine.js';
import { compileProgram } from '@fencewright/model/semantics/thread-code.js';
import type { Action } from '@fencewright/model/trace/computation.js';
import { survives } from '../../src/fences/survival.js';

const program =
  finiteProgram(
    parseNative(`program P
      var x, y
      thread fast { local r; x = 1; r = y; }
      thread slow { local r; y = 1; r = x; }`).model,
  ) ?? expect.fail('no program');

type Step = readonly ['fast' | 'slow', Action['kind']];

/** Whether the TSO computation remains possible with a heavy fence before the load of `slow`. */
function survivesHeavy(...steps: readonly Step[]): boolean {
  const code = compileProgram(program);
  const states = [initialState(program)];
  const computation = steps.map(([name, kind]): Action => {
    const thread = program.threads.findIndex((one) => one.name === name);
    const { steps: possible } = successorsOf('TSO', code, states.at(-1)!, thread);
    const step =
      possible.find(({ actions: [action] }) => action?.kind === kind) ??
      expect.fail(`${name} has no ${kind}`);
    states.push(step.state);
    return step.actions[0]!;
  });
  const slow = program.threads.findIndex(({ name }) => name === 'slow');
  const heavy = { kind: 'fence', thread: slow, location: 1, heavy: 1 } as const;
  return survives(program, computation, states, [heavy], () => false);
}

test('a heavy fence begins when the buffer of its own thread is empty, and not before', () => {
  // The buffer of `fast` is empty while that of `slow` is full, and full when that is empty.
  const isFullBehind = survivesHeavy(
    ...([
      ['slow', 'issue'],
      ['fast', 'issue'],
      ['fast', 'load'],
      ['slow', 'store'],
    ] as const),
    ...([
      ['slow', 'load'],
      ['fast', 'store'],
    ] as const),
  );
  // Both are empty after the store of `slow`.
  const isEmptyBehind = survivesHeavy(
    ...([
      ['slow', 'issue'],
      ['slow', 'store'],
      ['fast', 'issue'],
      ['fast', 'load'],
    ] as const),
    ...([
      ['slow', 'load'],
      ['fast', 'store'],
    ] as const),
  );
  expect([isFullBehind, isEmptyBehind]).toEqual([false, true]);
});
