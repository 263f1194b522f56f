import fc from 'fast-check';
import { binary, constant, registerValue, type Expression } from '../program/expression.js';
import type { Program, Thread } from '../program/program.js';

/** Conditions over the value `r` that is chosen, `x` that the load gave, and another register. */
const conditions: readonly ((r: Expression, x: Expression, other: Expression) => Expression)[] = [
  (r, x) => binary('==', r, x),
  (r, x) => binary('<=', r, x),
  (r, x) => binary('>=', r, x),
  (r, x) => binary('||', binary('==', r, x), binary('==', r, constant(0))),
  (r, x) => binary('||', binary('==', r, x), binary('==', r, constant(1))),
  (r, x, other) => binary('||', binary('==', r, x), binary('==', x, other)),
  (r, x, other) => binary('&&', binary('<=', r, x), binary('<=', other, x)),
  // Of what is read it only says on which side of 1 it lies.
  (r, x) => binary('==', r, binary('<', x, constant(1))),
  (r, x) => binary('!=', r, x),
  // Some values leave no choice.
  (r, x) => binary('&&', binary('==', r, x), binary('<', x, constant(2))),
  (r, x) => binary('||', binary('>=', x, constant(0)), binary('==', r, constant(0))),
];

interface Choice {
  readonly isGuess: boolean;
  readonly condition: number;
  readonly other: number;
}

function guessing(thread: Thread, choices: readonly Choice[]): Thread {
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

/** Random programs, over the values 0 to 2, in which some loads are read abstractions. */
export function withGuesses(programs: fc.Arbitrary<Program>): fc.Arbitrary<Program> {
  const choice = fc.record({
    isGuess: fc.integer({ min: 0, max: 2 }).map((n) => n > 0),
    condition: fc.nat(conditions.length - 1),
    other: fc.nat(2),
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
