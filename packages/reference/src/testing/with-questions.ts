import fc from 'fast-check';
import {
  binary,
  constant,
  registerValue,
  unary,
  type Expression,
} from '@fencewright/model/program/expression.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import type {
  Program,
  Property,
  StateExpression,
  Thread,
} from '@fencewright/model/program/program.js';
import { randomProgram, type RandomProgramOptions } from './random-program.js';

/** An instruction to be inserted after a transition of a thread. */
interface Insertion {
  readonly thread: number;
  readonly transition: number;
  readonly instruction: Instruction;
}

const registers = 3;
const register = fc.nat(registers - 1);
const small = fc.integer({ min: 0, max: 2 });

/** Random assertions, and instructions that sometimes fault. */
const observed: fc.Arbitrary<Instruction> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom('!=', '<='), register, small)
      .map(([operator, r, value]): Instruction => ({
        kind: 'assert',
        condition: binary(operator as '!=', registerValue(r), constant(value)),
      })),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(register, register).map(([into, r]): Instruction => ({
      kind: 'assign',
      into,
      value: binary('/', constant(2), registerValue(r)),
    })),
  },
);

const insertion: fc.Arbitrary<Insertion> = fc.record({
  thread: fc.nat(5),
  transition: fc.nat(30),
  instruction: observed,
});

function insert(thread: Thread, transition: number, instruction: Instruction): Thread {
  const id = transition % thread.transitions.length;
  const before = thread.transitions[id]!;
  const middle = thread.locations.length;
  return {
    ...thread,
    locations: [...thread.locations, { name: `i${middle}`, hidden: true }],
    transitions: [
      ...thread.transitions.with(id, { ...before, to: middle }),
      { from: middle, to: before.to, instruction, origin: {} },
    ],
  };
}

interface RandomLeaf {
  readonly kind: 'at' | 'ended' | 'drained' | 'register' | 'memory';
  readonly thread: number;
  readonly place: number;
  readonly value: number;
  readonly negated: boolean;
}

const leaf: fc.Arbitrary<RandomLeaf> = fc.record({
  kind: fc.constantFrom(
    'at' as const,
    'at' as const,
    'ended' as const,
    'drained' as const,
    'register' as const,
    'memory' as const,
    'memory' as const,
  ),
  thread: fc.nat(5),
  place: fc.nat(30),
  value: small,
  negated: fc.integer({ min: 0, max: 3 }).map((n) => n === 0),
});

/** The addresses of cells that conditions may name, including thread-local cells. */
const addresses = [0, 1, 2, 10, 11];

function toCondition(program: Program, { kind, thread, place, value, negated }: RandomLeaf) {
  const t = thread % program.threads.length;
  const locations = program.threads[t]!.locations.length;
  const is = (seen: StateExpression): StateExpression =>
    binary(negated ? '!=' : '==', seen, constant(value));
  switch (kind) {
    case 'register':
      return is({ kind, thread: t, register: place % registers });
    case 'memory':
      return is({ kind, address: addresses[place % addresses.length]! });
    default: {
      const seen: StateExpression =
        kind === 'at' ? { kind, thread: t, location: place % locations } : { kind, thread: t };
      return negated ? unary('!', seen) : seen;
    }
  }
}

const anyKind: readonly Property['kind'][] = ['never', 'never', 'finally', 'exists', 'stuck'];

const property = (kinds: readonly Property['kind'][]) =>
  fc.record({
    kind: fc.constantFrom(...kinds),
    leaves: fc.array(leaf, { minLength: 1, maxLength: 3 }),
  });

/**
 * Returns the threads, and one more that takes the bus lock and waits in its block, sometimes for
 * ever.
 */
function withWaiter(threads: readonly Thread[], address: number): readonly Thread[] {
  const instructions: readonly Instruction[] = [
    { kind: 'lock' },
    { kind: 'load', into: 0, address: constant(address) },
    { kind: 'assume', condition: binary('==', registerValue(0), constant(1)) },
    { kind: 'unlock' },
  ];
  const waiter: Thread = {
    name: 'waiter',
    registers: threads[0]!.registers,
    locations: [0, 1, 2, 3, 4].map((l) => ({ name: `w${l}`, hidden: false })),
    initial: 0,
    transitions: instructions.map((instruction, i) => ({
      from: i,
      to: i + 1,
      instruction,
      origin: {},
    })),
  };
  return [...threads, waiter];
}

/**
 * Returns the thread with two more stores after each end; at the new end, the stores may still be
 * buffered.
 */
function withFinalStores(thread: Thread, id: number): Thread {
  const leaving = new Set(thread.transitions.map(({ from }) => from));
  const locations = [...thread.locations];
  const transitions = [...thread.transitions];
  for (const end of thread.locations.keys()) {
    if (leaving.has(end)) continue;
    let from = end;
    for (const address of [id % 2, (id + 1) % 2]) {
      const to = locations.push({ name: `s${locations.length}`, hidden: true }) - 1;
      const value = constant(1 + (id % 2));
      transitions.push({
        from,
        to,
        instruction: { kind: 'store', address: constant(address), value },
        origin: {},
      });
      from = to;
    }
  }
  return { ...thread, locations, transitions };
}

/**
 * Returns random programs with assertions, faults, hidden registers and at most `maxProperties`
 * properties.
 */
export function programWithQuestions(
  options: RandomProgramOptions & {
    readonly maxProperties?: number;
    readonly kinds?: readonly Property['kind'][];
    /** Whether a thread is added that takes the bus lock and waits for a value inside its block. */
    readonly waiter?: boolean;
    /** Whether threads have additional stores at their ends. */
    readonly finalStores?: boolean;
  } = {},
): fc.Arbitrary<Program> {
  const { maxProperties = 2, kinds = anyKind, waiter = false, finalStores = false } = options;
  return fc
    .tuple(
      randomProgram(options),
      fc.array(insertion, { maxLength: 3 }),
      fc.array(property(kinds), { minLength: waiter ? 1 : 0, maxLength: maxProperties }),
      fc.integer({ min: 0, max: 3 }),
      fc.integer({ min: 0, max: 3 }),
    )
    .map(([plain, insertions, properties, hidden, domain]) => {
      let threads = plain.threads;
      for (const { thread, transition, instruction } of insertions) {
        const t = thread % threads.length;
        threads = threads.with(t, insert(threads[t]!, transition, instruction));
      }
      if (finalStores) threads = threads.map(withFinalStores);
      if (waiter) threads = withWaiter(threads, domain % 2);
      if (hidden === 0)
        threads = threads.map((thread) => ({
          ...thread,
          registers: thread.registers.map((r, i) => (i === 2 ? { ...r, hidden: true } : r)),
        }));
      const program: Program = {
        ...plain,
        threads,
        ...(domain === 0 && { domain: { low: 0, high: 1 } }),
      };
      return {
        ...program,
        properties: properties.map(({ kind, leaves }, i): Property => {
          const parts = leaves.map((one): StateExpression => toCondition(program, one));
          const condition = parts.reduce((a, b): Expression<never> | StateExpression =>
            binary('&&', a, b),
          );
          return { name: `p${i}`, kind, condition };
        }),
      };
    });
}
