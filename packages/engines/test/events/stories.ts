import { binary, registerValue } from '@fencewright/model/program/expression.js';
import {
  equals,
  eventProgramOf,
  instructions,
} from '@fencewright/reference/testing/event-builder.js';
import type { DefinedVerdict } from '@fencewright/reference/definitions/enumerate-event-traces.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';

const { store, load, rmw, fence, assume, call, post, when, assign, atomic } = instructions;
const [x, y, z, a, b] = [0, 1, 2, 3, 4];

/** A program with the verdicts that the definitions give, found by hand. */
export interface Story {
  readonly name: string;
  readonly program: EventProgram;
  readonly concurrency: DefinedVerdict;
  readonly tso: DefinedVerdict;
  readonly tsoSerial: DefinedVerdict;
  /** The final memories of the program: on a single thread, under SC, and under TSO. */
  readonly finals: readonly (readonly string[])[];
}

const cells = ['x', 'y', 'z', 'a', 'b'];
const once = { event: 0 };
const plus = (name: `r${number}`, value: number) =>
  binary('+', registerValue(Number(name.slice(1))), { kind: 'constant', value });

function story(
  name: string,
  [concurrency, tso, tsoSerial]: readonly DefinedVerdict[],
  finals: readonly (readonly string[])[],
  sketch: Omit<Parameters<typeof eventProgramOf>[0], 'cells' | 'name'>,
): Story {
  const program = eventProgramOf({ name, cells, ...sketch });
  return { name, program, concurrency: concurrency!, tso: tso!, tsoSerial: tsoSerial!, finals };
}

/** An instruction that waits for a value that no task ever stores. */
const never = assume(0);

export const stories: readonly Story[] = [
  story(
    'the store of a handler waits while the task that it posted reads: no SC run ([BEMR18] Fig. 2)',
    ['robust', 'not-robust', 'not-robust'],
    [['0=1 1=1 4=1'], ['0=1 1=1 4=1'], ['0=1 1=1', '0=1 1=1 4=1']],
    {
      procedures: [{ name: 'p', does: [store(y, 1), load('r0', x), store(b, 'r0')] }],
      events: [{ name: 'e', does: [store(x, 1), post('any', 0)] }],
      instances: [once],
    },
  ),
  story(
    'the same with a fence before the posting',
    ['robust', 'robust', 'robust'],
    [['0=1 4=1'], ['0=1 4=1'], ['0=1 4=1']],
    {
      procedures: [{ name: 'p', does: [load('r0', x), store(b, 'r0')] }],
      events: [{ name: 'e', does: [store(x, 1), fence, post('any', 0)] }],
      instances: [once],
    },
  ),
  story(
    'the value goes along as an argument: the store may wait',
    ['robust', 'robust', 'robust'],
    [['0=1 4=1'], ['0=1 4=1'], ['0=1 4=1']],
    {
      procedures: [{ name: 'p', parameters: 1, does: [store(b, 'r0')] }],
      events: [{ name: 'e', does: [store(x, 1), post('any', 0, 1)] }],
      instances: [once],
    },
  ),
  story(
    'the posted task on main reads from the buffer of main, which outlives tasks',
    ['robust', 'robust', 'robust'],
    [['0=1 4=1'], ['0=1 4=1'], ['0=1 4=1']],
    {
      procedures: [{ name: 'p', does: [load('r0', x), store(b, 'r0')] }],
      events: [{ name: 'e', does: [store(x, 1), post('main', 0)] }],
      instances: [once],
    },
  ),
  story(
    'two background tasks that count lose an update',
    ['not-robust', 'robust', 'not-robust'],
    [['0=2'], ['0=1', '0=2'], ['0=1', '0=2']],
    {
      procedures: [{ name: 'p', does: [load('r0', x), store(x, plus('r0', 1))] }],
      events: [{ name: 'e', does: [post('any', 0)] }],
      instances: [{ event: 0, count: 2 }],
    },
  ),
  story(
    'three tasks count on main, in any order',
    ['robust', 'robust', 'robust'],
    [['0=3'], ['0=3'], ['0=3']],
    {
      procedures: [{ name: 'p', does: [load('r0', x), store(x, plus('r0', 1))] }],
      events: [{ name: 'e', does: [post('main', 0)] }],
      instances: [{ event: 0, count: 2 }, once],
    },
  ),
  story(
    'two reports posted to main are taken in either order: its waiting tasks are a set',
    ['not-robust', 'robust', 'not-robust'],
    [['0=2'], ['0=1', '0=2'], ['0=1', '0=2']],
    {
      procedures: [{ name: 'p', parameters: 1, does: [store(x, 'r0')] }],
      events: [{ name: 'e', does: [post('main', 0, 1), post('main', 0, 2)] }],
      instances: [once],
    },
  ),
  story('one report posts the next', ['robust', 'robust', 'robust'], [['0=2'], ['0=2'], ['0=2']], {
    procedures: [
      {
        name: 'p',
        parameters: 1,
        does: [store(x, 'r0'), when(equals('r0', 1), [post('main', 0, 2)])],
      },
    ],
    events: [{ name: 'e', does: [post('main', 0, 1)] }],
    instances: [once],
  }),
  story(
    'what a caller does behind its posting comes before the task: no call in its place',
    ['not-robust', 'robust', 'not-robust'],
    [['0=2'], ['0=1', '0=2'], ['0=1', '0=2']],
    {
      procedures: [{ name: 'p', does: [store(x, 2)] }],
      events: [{ name: 'e', does: [post('any', 0), store(x, 1)] }],
      instances: [once],
    },
  ),
  story(
    'a called procedure is in the same task, and recursion has registers of its own',
    ['robust', 'robust', 'robust'],
    [['0=3 1=3'], ['0=3 1=3'], ['0=3 1=3']],
    {
      procedures: [
        {
          name: 'p',
          parameters: 1,
          does: [
            when(equals('r0', 3), [store(x, 3)], [assign('r1', plus('r0', 1)), call(0, 'r1')]),
            when(equals('r0', 0), [load('r2', x), store(y, 'r2')]),
          ],
        },
      ],
      events: [{ name: 'e', does: [call(0, 0)] }],
      instances: [once],
    },
  ),
  story(
    'a locked instruction decides which of two background tasks submits',
    ['robust', 'robust', 'robust'],
    [['0=1 1=1'], ['0=1 1=1'], ['0=1 1=1']],
    {
      procedures: [
        {
          name: 'p',
          does: [
            rmw('cas', x, [0, 1], 'r0'),
            when(equals('r0', 1), [load('r1', y), store(y, plus('r1', 1))]),
          ],
        },
      ],
      events: [{ name: 'e', does: [post('any', 0)] }],
      instances: [{ event: 0, count: 2 }],
    },
  ),
  story(
    'only the order in which main happened to serve two handlers makes the cycle',
    ['robust', 'not-robust', 'robust'],
    [['0=1 1=1'], ['0=1 1=1'], ['0=1 1=1']],
    {
      procedures: [{ name: 'p', does: [store(y, 1), fence, load('r0', x)] }],
      events: [
        { name: 'e1', does: [store(x, 1)] },
        { name: 'e2', does: [load('r0', y)] },
        { name: 'e3', does: [post('any', 0)] },
      ],
      instances: [{ event: 0 }, { event: 1 }, { event: 2 }],
    },
  ),
  story(
    'no load at all: the store waits while two tasks are posted',
    ['robust', 'not-robust', 'not-robust'],
    [['0=2'], ['0=2'], ['0=1', '0=2']],
    {
      procedures: [
        { name: 'q', does: [store(x, 2)] },
        { name: 'p', does: [fence, post('any', 0)] },
      ],
      events: [{ name: 'e', does: [store(x, 1), post('any', 1)] }],
      instances: [once],
    },
  ),
  story(
    'a background task blocks for ever behind its stores, and counts as stopped',
    ['robust', 'not-robust', 'not-robust'],
    [[], [], []],
    {
      procedures: [
        { name: 'K', does: [store(x, 1), load('r0', y)] },
        { name: 'p', does: [store(y, 1), fence, store(z, 1), never] },
      ],
      events: [
        { name: 'e1', does: [post('any', 0)] },
        { name: 'e2', does: [post('any', 1)] },
        { name: 'e3', does: [load('r0', z), when(equals('r0', 1), [load('r1', x)])] },
      ],
      instances: [{ event: 0 }, { event: 1 }, { event: 2 }],
    },
  ),
  story(
    'two handlers with empty bodies: the thread of main is no reason to fail',
    ['robust', 'robust', 'robust'],
    [[''], [''], ['']],
    { events: [{ name: 'e', does: [] }], instances: [{ event: 0, count: 2 }] },
  ),
  story(
    'on a single thread the tasks of a task come before its siblings: DFS order',
    ['not-robust', 'robust', 'not-robust'],
    [['0=2'], ['0=1', '0=2'], ['0=1', '0=2']],
    {
      procedures: [
        { name: 'c', does: [store(x, 1)] },
        { name: 'a', does: [post('main', 0)] },
        { name: 'b', does: [store(x, 2)] },
      ],
      events: [{ name: 'e', does: [post('main', 1), post('main', 2)] }],
      instances: [once],
    },
  ),
  story(
    'a failing cas is a load: two of them on each of two cells do not conflict',
    ['robust', 'robust', 'robust'],
    [[''], [''], ['']],
    {
      procedures: [{ name: 'p', does: [rmw('cas', x, [1, 2]), rmw('cas', y, [1, 2])] }],
      events: [{ name: 'e', does: [post('any', 0)] }],
      instances: [{ event: 0, count: 2 }],
    },
  ),
  story(
    'nobody acts inside a block, so no update is lost',
    ['robust', 'robust', 'robust'],
    [['0=2'], ['0=2'], ['0=2']],
    {
      procedures: [{ name: 'p', does: [atomic(load('r0', x), store(x, plus('r0', 1)))] }],
      events: [{ name: 'e', does: [post('any', 0)] }],
      instances: [{ event: 0, count: 2 }],
    },
  ),
  story(
    'a handler reads what the one before it left in the buffer of main, and misses what is new',
    ['robust', 'not-robust', 'not-robust'],
    [
      ['0=1 1=1 2=1', '0=1 1=1 2=1 3=1'],
      ['0=1 1=1 2=1', '0=1 1=1 2=1 3=1'],
      ['0=1 1=1 2=1', '0=1 1=1 2=1 3=1'],
    ],
    {
      procedures: [{ name: 'append', does: [store(x, 1), fence, load('r0', y)] }],
      events: [
        { name: 'log', does: [post('any', 0)] },
        { name: 'close', does: [store(y, 1), store(z, 1)] },
        {
          name: 'tick',
          does: [load('r0', z), when(equals('r0', 1), [load('r1', x), store(a, 'r1')])],
        },
      ],
      instances: [{ event: 0 }, { event: 1 }, { event: 2 }],
    },
  ),
];
