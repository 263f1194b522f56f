import { describe, expect, test } from 'vitest';
import { checkTwoThreads } from '../../../../core/src/api/check-two-threads.js';
import { printEventProgram } from '../../../../core/src/api/print-model.js';
import {
  enumerateEventTraces,
  type JudgedTrace,
} from '@fencewright/reference/definitions/enumerate-event-traces.js';
import { twoThreads } from '../../../src/events/two-threads/construct.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import { eventText, wholeText } from './event-text.js';

function traces(program: EventProgram, semantics: 'SC' | 'TSO') {
  const {
    isComplete,
    isCut,
    hasFaults,
    traces: count,
    finalStates,
  } = enumerateEventTraces(program, semantics);
  return { isComplete, isCut, hasFaults, count, finalStates };
}

/** Returns the tasks that run on background threads, in all traces. */
function backgroundTasks(program: EventProgram): ReadonlySet<number> {
  const found = new Set<number>();
  const onTrace = ({ run }: JudgedTrace): void => {
    found.add(run.tasks.filter(({ thread }) => thread > 0).length);
  };
  enumerateEventTraces(program, 'TSO', { onTrace });
  return found;
}

describe('2-threads(P)', () => {
  test.each(['SC', 'TSO'] as const)('is the code of the paper, by hand (%s)', (semantics) => {
    const program = eventText(`
      event e(n) { local r; r = asked; async[any] p(n + r); mark = n; }
      event f() { async[main] last(); }
      procedure p(n) { data = n; call q(); async[any] q(); }
      procedure q() { async[any] last(); }
      procedure last() { done = done + 1; }
      events e(3), f()`);
    // The text shows which thread runs a procedure: own_p and own_q never run on main.
    const orFork = (own: string, call: string) => `
      free = fork;
      if (free == 1) { choose { async[any] ${own}; fork = 0; } or { call ${call}; } }
      else { call ${call}; }`;
    const byHand = eventText(`
      var fork = 1
      event e(n) {
        local r, free;
        r = asked;
        ${orFork('own_p(n + r)', 'p(n + r)')}
        mark = n;
      }
      event f() { async[main] last(); }
      procedure p(n) { local free; data = n; call q(); ${orFork('own_q()', 'q()')} }
      procedure own_p(n) { data = n; call own_q(); async[main] q(); }
      procedure q() { local free; ${orFork('last()', 'last()')} }
      procedure own_q() { async[main] last(); }
      procedure last() { done = done + 1; }
      events e(3), f()`);
    const made = traces(twoThreads(program).program, semantics);
    expect(made).toEqual(traces(byHand, semantics));
    expect(made).toMatchObject({ isComplete: true, isCut: false, hasFaults: false });
    expect(made.count).toBeGreaterThan(10);
  });

  test('forks any one task, or none', () => {
    const text = `
      event e() { async[any] p(); async[any] p(); }
      procedure p() { data = 1; async[any] q(); }
      procedure q() { done = 1; }
      events e() * 2`;
    const program = eventText(text);
    expect(Math.max(...backgroundTasks(eventText(text.replace('e() * 2', 'e()'))))).toBe(4);
    expect(backgroundTasks(twoThreads(program).program)).toEqual(new Set([0, 1]));
  });

  test.each([
    [0, 0],
    [-2, -1],
    [7, 9],
  ])('has a flag that fits in the domain %i..%i', async (low, high) => {
    const program = wholeText(`program Narrow
      var data = ${high}
      domain ${low}..${high}
      event e() { async[any] p(); async[any] p(); }
      procedure p() { data = ${low}; }
      events e()`);
    const made = twoThreads(program).program;
    expect(backgroundTasks(made)).toEqual(new Set([0, 1]));
    expect(traces(made, 'TSO').hasFaults).toBe(false);
    const printed = await printEventProgram(program, 'two-threads');
    // The printed text needs a flag with two values, and the domain has one value.
    if (low === high) expect(printed?.diagnostics).toHaveLength(1);
    else expect(traces(wholeText(printed?.text ?? ''), 'TSO')).toEqual(traces(made, 'TSO'));
  });

  test('leaves programs without background tasks as they are', () => {
    const program = eventText(`
      event e() { async[main] p(); }
      procedure p() { data = 1; }
      events e()`);
    expect(twoThreads(program).program).toEqual(program);
  });
});

/** Returns the witness against TSO found by the construction. */
async function confirmed(text: string) {
  const program = eventText(text);
  const { tso } = (await checkTwoThreads(program)).criteria;
  if (tso.kind !== 'not-robust') throw new Error(JSON.stringify(tso));
  const { run } = tso.witness;
  const tasks = run.tasks.map(({ body, arguments: given, thread, parent }) => ({
    name: program.bodies[body]?.name,
    given,
    thread,
    ...(parent !== undefined && { parent: program.bodies[run.tasks[parent]?.body ?? -1]?.name }),
  }));
  return { run, tasks };
}

describe('a run of the construction', () => {
  test('is one of the program, where the task was forked', async () => {
    const { tasks } = await confirmed(`
      event e() { data = 1; async[any] p(5); }
      procedure p(n) { local r; r = data; done = n; }
      events e()`);
    expect(tasks).toEqual([
      { name: 'e', given: [], thread: 0 },
      { name: 'p', given: [5], thread: 1, parent: 'e' },
    ]);
  });

  test('is one where what was called has a thread of its own, with its arguments', async () => {
    // Only p beside k is a violation: the construction calls one of them on main.
    const { tasks, run } = await confirmed(`
      event e() { async[any] k(); }
      event f() { local n; n = mark; async[any] p(n + 7); }
      procedure k() { local r; data = 1; r = done; }
      procedure p(n) { local r; done = n; call look(); }
      procedure look() { local r; r = data; }
      events e(), f()`);
    const posted = tasks.filter(({ thread }) => thread > 0);
    expect(posted.map(({ name, given, parent }) => [name, given, parent]).sort()).toEqual([
      ['k', [], 'e'],
      ['p', [7], 'f'],
    ]);
    expect(tasks.map(({ thread }) => thread).sort()).toEqual([0, 0, 1, 2]);
    expect(run.actions.filter(({ kind }) => kind === 'post')).toHaveLength(2);
  });

  test('is one where what the other thread posted to main has a thread of its own', async () => {
    // The fence keeps main from being the attacker. The attacker is k on its own thread, and the
    // helper is p, which k posts to main.
    const { tasks } = await confirmed(`
      event e() { fence; async[any] k(); }
      procedure k() { local r; async[any] p(); data = 1; r = done; }
      procedure p() { local r; done = 1; r = data; }
      events e()`);
    expect(tasks).toContainEqual({ name: 'p', given: [], thread: 2, parent: 'k' });
    expect(tasks).toContainEqual({ name: 'k', given: [], thread: 1, parent: 'e' });
  });

  test('is looked for where main delays nothing, if the first one is none of the program', async () => {
    // [BEMR18] Fig. 2, right: in the shortest run, main loads from its buffer a value that another
    // thread would have in its buffer.
    const { tasks } = await confirmed(`
      var turn = 1
      event e() { if (turn == 1) { async[any] p(); } }
      procedure p() { local r; data = 1; r = mark; async[any] q(); }
      procedure q() { done = 1; }
      event f() { if (done == 1) { async[any] s(); } }
      procedure s() { local r; mark = 1; r = data; }
      events e(), f()`);
    expect(tasks.map(({ name, thread }) => [name, thread > 0]).sort()).toEqual([
      ['e', false],
      ['f', false],
      ['p', true],
      ['q', true],
      ['s', true],
    ]);
  });

  test('waits at postings for the buffer, where the program does', async () => {
    const program = eventText(`
      event e() { data = 1; async[any] p(); }
      procedure p() { local r; r = data; }
      events e()`);
    const { criteria } = await checkTwoThreads(program, { postingFenced: true });
    expect(criteria.tso).toMatchObject({ kind: 'unknown', why: { said: 'robust' } });
  });

  test('is not looked for behind limits', async () => {
    const program = eventText(`
      event e() { data = 1; async[any] p(); }
      procedure p() { local r; r = data; async[any] p(); }
      events e() * 2`);
    const { criteria } = await checkTwoThreads(program, { limits: { maxStates: 1 } });
    expect(criteria.tso).toMatchObject({ kind: 'unknown', why: { said: 'unknown' } });
  });
});
