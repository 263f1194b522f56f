import { Budget } from '@fencewright/ground/base/budget.js';
import { expect, test } from 'vitest';
import { compileC11 } from '../../src/c11/c11-steps.js';
import { findCells } from '../../src/c11/cells.js';
import { searchPostponedLoad } from '../../src/c11/postponed-load.js';
import { programOf } from '../robustness/native-program.js';
import { armExecutions, type Instruction } from './armv8-judge.js';

/*
 * A ticket lock whose tickets are numbers modulo 3. Thread one passes twice, and takes a third
 * ticket, which is ticket 0 again for thread two. All stores of thread one to `turn` release, so
 * they wait for its first load of `d`, and its second pass uses the forwarded value of its own
 * store. Thread two still loads turn 0, enters, and its store reaches the load of `d`.
 */

type Wait = 'ldar' | 'ldapr' | 'ldr';

const orderOf = { ldar: 'A', ldapr: 'Q', ldr: undefined } as const;

/** Excludes all executions in which the register does not hold the value. */
const only = (register: string, value: number | string): Instruction => ({
  ...{ op: 'if', equal: [register, value], then: [], else: [{ op: 'fail' }] },
});

/** Takes a ticket by adding `step`; excludes executions in which the ticket is not `value`. */
const take = (to: string, step: number, value: number): readonly Instruction[] => [
  { op: 'ldadd', to, value: step, at: { cell: 'next' } },
  only(to, value),
];

/** Waits for the turn of a ticket. */
const wait = (kind: Wait, ticket: string): readonly Instruction[] => [
  { op: 'ldr', to: `${ticket}turn`, at: { cell: 'turn' }, order: orderOf[kind] },
  only(`${ticket}turn`, ticket),
];

const enter = (value: number): Instruction => ({ op: 'str', value, at: { cell: 'd' } });

const pass = (ticket: string): readonly Instruction[] => [
  { op: 'add', to: `${ticket}next`, of: [`${ticket}turn`, 1] },
  { op: 'str', value: `${ticket}next`, at: { cell: 'turn' }, order: 'L' },
];

function threads(kind: Wait): readonly (readonly Instruction[])[] {
  const look: Instruction = { op: 'ldr', to: 'seen', at: { cell: 'd' } };
  return [
    [
      ...[...take('a', 1, 0), ...wait(kind, 'a'), enter(1), look, ...pass('a')],
      ...[...take('b', 1, 1), ...wait(kind, 'b'), enter(1), ...pass('b')],
      ...take('c', -2, 2),
      only('seen', 2),
    ],
    [...take('e', 1, 0), ...wait(kind, 'e'), enter(2)],
  ];
}

test.each([
  ['ldr', true],
  ['ldapr', true],
  ['ldar', false],
] as const)('ARMv8, waits by %s', (kind, isAllowed) => {
  const executions = armExecutions({ threads: threads(kind) }, 1_000_000);
  if (!executions) throw new Error('too many executions');
  const broken = executions.filter(({ failed }) => failed.length === 0);
  expect(broken.some((one) => one.isLoadBuffering)).toBe(isAllowed);
});

test.each(['relaxed', 'acquire'])('the search is in doubt, waits are %s', async (order) => {
  const own = (ticket: string, step: number): string => `
    ${ticket} = fetch_add(next, ${step}, relaxed);`;
  const turn = (ticket: string): string => `await (load(turn, ${order}) == ${ticket});`;
  const code = compileC11(
    programOf(`var next, turn, d
      thread one {
        local a, b, c, seen;
        ${own('a', 1)} ${turn('a')} store(d, 1); seen = load(d); store(turn, a + 1, release);
        ${own('b', 1)} ${turn('b')} store(d, 1); store(turn, b + 1, release);
        ${own('c', -2)}
      }
      thread other { local e; ${own('e', 1)} ${turn('e')} store(d, 2); }`),
  );
  const { found, isDoubtful } = await searchPostponedLoad(
    code,
    findCells(code),
    'c11',
    new Budget(),
  );
  expect([found, isDoubtful]).toEqual([undefined, true]);
});
