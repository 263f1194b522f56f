import { expect, test } from 'vitest';
import type { Program } from '@fencewright/model/program/program.js';
import { initialState, isFinal, successors } from '@fencewright/model/semantics/machine.js';
import { compileProgram } from '@fencewright/model/semantics/thread-code.js';
import type { Action } from '@fencewright/model/trace/computation.js';
import { enumerateTraces } from '@fencewright/reference/definitions/enumerate-traces.js';
import { programOf } from './native-program.js';

/**
 * Returns the parts of a computation that persistence compares: the actions of each thread with
 * their values, and the order of all stores.
 */
function patternOf(program: Program, actions: readonly Action[]): string {
  const own = program.threads.map((_, thread) =>
    actions
      .filter((action) => action.thread === thread && action.kind !== 'store')
      .map((action) => `${action.transition}${'value' in action ? `=${action.value}` : ''}`)
      .join(),
  );
  const stores = actions.flatMap((action) =>
    action.kind === 'store' ? [`${action.thread}.${action.transition}`] : [],
  );
  return `${own.join(' | ')} : ${stores.join(' ')}`;
}

/** Returns the patterns of all complete executions of a program without loops. */
function patterns(model: 'SC' | 'TSO', program: Program): ReadonlySet<string> {
  const code = compileProgram(program);
  const found = new Set<string>();
  const visit = (state: ReturnType<typeof initialState>, actions: readonly Action[]): void => {
    if (isFinal(code, state)) found.add(patternOf(program, actions));
    for (const step of successors(model, code, state).steps)
      visit(step.state, [...actions, ...step.actions]);
  };
  visit(initialState(program), []);
  return found;
}

const isPersistent = (program: Program): boolean => {
  const sequential = patterns('SC', program);
  return [...patterns('TSO', program)].every((pattern) => sequential.has(pattern));
};

const isRobust = (program: Program): boolean => {
  const { violation, complete } = enumerateTraces(program);
  expect(complete).toBe(true);
  return !violation;
};

test.each([
  [
    'store buffering',
    'thread a { local r; x = 1; r = y; } thread b { local s; y = 1; s = x; }',
    false,
    false,
  ],
  [
    'fenced',
    'thread a { local r; x = 1; fence; r = y; } thread b { local s; y = 1; fence; s = x; }',
    true,
    true,
  ],
  // The next two programs are those of docs/reduction.md.
  ['a look behind a store', 'thread a { local r; x = 1; r = y; } thread b { y = 1; }', true, false],
  [
    'an own store between',
    'thread a { local r, s; x = 1; r = x; s = y; } thread b { y = 1; }',
    true,
    false,
  ],
])('%s: robust and persistent are two things', (_, text, robust, persistent) => {
  const program = programOf(`var x, y ${text}`);
  expect([isRobust(program), isPersistent(program)]).toEqual([robust, persistent]);
});
