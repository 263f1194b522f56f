import fc from 'fast-check';
import {
  binary,
  constant,
  registerValue,
  type Expression,
} from '@fencewright/model/program/expression.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import type { Program, Thread } from '@fencewright/model/program/program.js';

/**
 * The conditions of read abstractions (`havoc r with ...`), over the chosen value `r`, the loaded
 * value `x`, and another register.
 */
const conditions: readonly ((r: Expression, x: Expression, other: Expression) => Expression)[] = [
  (r, x) => binary('==', r, x),
  (r, x) => binary('<=', r, x),
  (r, x) => binary('>=', r, x),
  (r, x) => binary('||', binary('==', r, x), binary('==', r, constant(0))),
  (r, x) => binary('||', binary('==', r, x), binary('==', r, constant(1))),
  (r, x, other) => binary('||', binary('==', r, x), binary('==', x, other)),
  (r, x, other) => binary('&&', binary('<=', r, x), binary('<=', other, x)),
  // Reveals only on which side of 1 the value read lies.
  (r, x) => binary('==', r, binary('<', x, constant(1))),
  (r, x) => binary('!=', r, x),
  // Some values leave no choice.
  (r, x) => binary('&&', binary('==', r, x), binary('<', x, constant(2))),
  (r, x) => binary('||', binary('>=', x, constant(0)), binary('==', r, constant(0))),
];

interface GuessChoice {
  readonly isGuess: boolean;
  readonly condition: number;
  readonly other: number;
}

function guessing(thread: Thread, choices: readonly GuessChoice[]): Thread {
  let { registers, locations, transitions } = thread;
  const held = registers.length;
  thread.transitions.forEach((transition, id) => {
    const { isGuess, condition, other } = choices[id % choices.length]!;
    const { instruction } = transition;
    if (instruction.kind !== 'load' || !isGuess) return;
    const middle = locations.length;
    registers = [...thread.registers, { name: 'held', hidden: true }];
    locations = [...locations, { name: `m${middle}`, hidden: true }];
    const where = conditions[condition]!(
      registerValue(instruction.into),
      registerValue(held),
      registerValue(other === instruction.into ? (other + 1) % held : other),
    );
    transitions = [
      ...transitions.with(id, {
        ...transition,
        to: middle,
        instruction: { ...instruction, into: held },
      }),
      {
        from: middle,
        to: transition.to,
        instruction: { kind: 'havoc', into: instruction.into, where },
        origin: {},
      },
    ];
  });
  return { ...thread, registers, locations, transitions };
}

/**
 * Returns random programs, over the values 0 to 2, with some loads replaced by read abstractions (a
 * load and a `havoc`).
 */
export function withGuesses(programs: fc.Arbitrary<Program>): fc.Arbitrary<Program> {
  const choice = fc.record({
    isGuess: fc.integer({ min: 0, max: 2 }).map((n) => n > 0),
    condition: fc.nat(conditions.length - 1),
    other: fc.nat(1),
  });
  return fc
    .tuple(programs, fc.array(choice, { minLength: 3, maxLength: 7 }))
    .map(([program, choices]) => ({
      ...program,
      domain: { low: 0, high: 2 },
      threads: program.threads.map((thread, t) =>
        guessing(thread, [...choices.slice(t % choices.length), ...choices]),
      ),
    }));
}

const address = fc.nat(1).map(constant);
const access: fc.Arbitrary<readonly Instruction[]> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(address, fc.oneof(fc.nat(2).map(constant), fc.nat(1).map(registerValue)))
      .map(([to, value]): Instruction[] => [{ kind: 'store', address: to, value }]),
  },
  {
    weight: 6,
    arbitrary: fc
      .tuple(address, fc.nat(1))
      .map(([from, into]): Instruction[] => [{ kind: 'load', address: from, into }]),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(address, address, fc.nat(2), fc.nat(1))
      .map(([from, to, value, into]): Instruction[] => [
        { kind: 'lock' },
        { kind: 'load', address: from, into },
        { kind: 'store', address: to, value: constant(value) },
        { kind: 'unlock' },
      ]),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(address, fc.nat(2), fc.nat(2), fc.nat(1))
      .map(([to, expected, desired, into]): Instruction[] => [
        {
          kind: 'rmw',
          into,
          address: to,
          operation: { name: 'cas', operands: [constant(expected), constant(desired)] },
        },
      ]),
  },
  { weight: 1, arbitrary: fc.constant<Instruction[]>([{ kind: 'fence' }]) },
);

/**
 * Returns random programs without branches over two cells, many not robust: each of the first two
 * threads begins with a store to its own cell and a load of the opposite cell.
 */
export function meetingThreads(): fc.Arbitrary<Program> {
  const value = fc.integer({ min: 0, max: 5 }).map((n) => constant(n < 4 ? (n % 2) + 1 : 0));
  const start = (own: number): fc.Arbitrary<readonly Instruction[]> =>
    value.map((stored) => [
      { kind: 'store', address: constant(own), value: stored },
      { kind: 'load', address: constant(1 - own), into: 0 },
    ]);
  const more = (maxLength: number): fc.Arbitrary<readonly Instruction[]> =>
    fc.array(access, { minLength: 0, maxLength }).map((all) => all.flat());
  const body = (own: number): fc.Arbitrary<readonly Instruction[]> =>
    fc
      .tuple(more(1), start(own), more(1))
      .map(([before, meeting, after]) => [...before, ...meeting, ...after]);
  const other = fc
    .tuple(fc.nat(2), fc.array(access, { minLength: 1, maxLength: 2 }))
    .map(([size, all]) => all.slice(0, size).flat());
  const initial = fc.constantFrom([0, 0], [0, 0], [1, 0], [1, 2]);
  return fc.tuple(body(0), body(1), other, fc.nat(3), initial).map(([a, b, c, twins, cells]) => {
    const bodies = twins === 0 ? [a, b, b] : c.length > 0 ? [a, b, c] : [a, b];
    return {
      name: 'meeting',
      symbols: [{ name: 'm', base: 0, length: 2, isArray: true, initial: cells }],
      properties: [],
      threads: bodies.map((instructions, t): Thread => ({
        name: `t${t}`,
        registers: [0, 1].map((r) => ({ name: `r${r}`, hidden: false })),
        locations: [...instructions, undefined].map((_, l) => ({ name: `l${l}`, hidden: false })),
        initial: 0,
        transitions: instructions.map((instruction, from) => ({
          from,
          to: from + 1,
          instruction,
          origin: {},
        })),
      })),
    };
  });
}
