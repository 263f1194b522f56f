import fc from 'fast-check';
import {
  binary,
  constant,
  registerValue,
  unary,
  type Expression,
} from '@fencewright/model/program/expression.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import type { Program, Thread, Transition } from '@fencewright/model/program/program.js';
import type { RmwOperation } from '@fencewright/model/program/rmw.js';

/** Limits on the size and features of the programs. */
export interface RandomProgramOptions {
  readonly maxThreads?: number;
  /** The maximum number of pieces of a thread; a lock block counts as one piece. */
  readonly maxItems?: number;
  /** Whether conditional jumps may go backwards. */
  readonly loops?: boolean;
  /** Whether about every second thread restarts at its end. */
  readonly endless?: boolean;
  /** A feature that is to be frequent; lock blocks then have up to three accesses. */
  readonly many?: 'lock blocks' | 'rmws';
  /** Whether most stores write 0 or 1, so that many leave their cell unchanged. */
  readonly fewValues?: boolean;
}

const registerCount = 3;
const register = fc.nat(registerCount - 1);
const smallValue = fc.integer({ min: 0, max: 2 });

const read = register.map(registerValue);
const bit = (e: Expression): Expression => binary('&', e, constant(1));

/** A constant in the pieces of threads. It is replaced by an address that no other thread uses. */
const ownAddress = 3;

/**
 * Random addresses: mostly one of two, so that threads interact; some are computed from registers.
 */
const address: fc.Arbitrary<Expression> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(constant(0), constant(1)) },
  { weight: 1, arbitrary: fc.constant(constant(2)) },
  { weight: 1, arbitrary: fc.constant(constant(ownAddress)) },
  { weight: 2, arbitrary: read.map(bit) },
  { weight: 1, arbitrary: read.map((r) => bit(binary('+', r, constant(1)))) },
);

const value: fc.Arbitrary<Expression> = fc.oneof(
  { weight: 4, arbitrary: smallValue.map(constant) },
  { weight: 2, arbitrary: read },
  { weight: 1, arbitrary: read.map((r) => bit(binary('+', r, constant(1)))) },
);

const fewValues: fc.Arbitrary<Expression> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(constant(0), constant(1), constant(1)) },
  { weight: 1, arbitrary: read.map(bit) },
);

const condition: fc.Arbitrary<Expression> = fc
  .tuple(fc.constantFrom('==', '!=', '<' as const), read, smallValue.map(constant))
  .map(([operator, left, right]) => binary(operator as '==', left, right));

const storeOf = (stored: fc.Arbitrary<Expression>): fc.Arbitrary<Instruction> =>
  fc.tuple(address, stored).map(([a, v]) => ({ kind: 'store', address: a, value: v }));

const load: fc.Arbitrary<Instruction> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(register, address)
      .map(([into, a]): Instruction => ({ kind: 'load', into, address: a })),
  },
  {
    // The register occurs in its own address.
    weight: 1,
    arbitrary: register.map((into): Instruction => ({
      kind: 'load',
      into,
      address: bit(registerValue(into)),
    })),
  },
);

const rmwOf = (stored: fc.Arbitrary<Expression>): fc.Arbitrary<Instruction> =>
  fc
    .tuple(
      fc.option(register, { nil: undefined }),
      address,
      fc.oneof(
        stored.map((v): RmwOperation => ({ name: 'xchg', operands: [v] })),
        fc.tuple(stored, stored).map((operands): RmwOperation => ({ name: 'cas', operands })),
        fc
          .tuple(fc.constantFrom('fetch_xor', 'fetch_max', 'fetch_min'), stored)
          .map(([name, operand]): RmwOperation => ({ name, operands: [operand] })),
      ),
    )
    .map(([into, a, operation]) => ({
      kind: 'rmw',
      ...(into !== undefined && { into }),
      address: a,
      operation,
    }));

const local: fc.Arbitrary<Instruction> = fc.oneof(
  fc.tuple(register, value).map(([into, v]): Instruction => ({ kind: 'assign', into, value: v })),
  condition.map((c): Instruction => ({ kind: 'assume', condition: c })),
  register.map((into): Instruction => ({ kind: 'havoc', into, range: { low: 0, high: 1 } })),
  fc.constant<Instruction>({ kind: 'skip' }),
);

const fence = fc.constant<Instruction>({ kind: 'fence' });

/** A piece of a random thread; locations are numbered in the order of the pieces. */
type ThreadPiece =
  | { readonly kind: 'instruction'; readonly instruction: Instruction }
  /** A store followed by a load: the beginning of an attack. */
  | { readonly kind: 'pair'; readonly store: Instruction; readonly load: Instruction }
  /**
   * A jump: `if (condition)` the next `distance` pieces are skipped (or repeated, if backwards); a
   * far jump leads to a dead end.
   */
  | { readonly kind: 'branch'; readonly condition: Expression; readonly distance: number }
  | { readonly kind: 'choice'; readonly left: Instruction; readonly right: Instruction }
  | {
      readonly kind: 'locked';
      readonly body: readonly Instruction[];
      readonly released: boolean;
      readonly spins: boolean;
    };

function itemArbitrary(
  loops: boolean,
  stored: fc.Arbitrary<Expression>,
  many: RandomProgramOptions['many'],
): fc.Arbitrary<ThreadPiece> {
  const store = storeOf(stored);
  const rmw = rmwOf(stored);
  const access = fc.oneof(store, load);
  const instruction = fc
    .oneof(
      { weight: 6, arbitrary: store },
      { weight: 6, arbitrary: load },
      { weight: many === 'rmws' ? 8 : 1, arbitrary: rmw },
      { weight: 1, arbitrary: fence },
      { weight: 2, arbitrary: local },
    )
    .map((i): ThreadPiece => ({ kind: 'instruction', instruction: i }));
  return fc.oneof(
    { weight: 6, arbitrary: instruction },
    {
      weight: 6,
      arbitrary: fc
        .tuple(store, load)
        .map(([s, l]): ThreadPiece => ({ kind: 'pair', store: s, load: l })),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(condition, fc.integer({ min: loops ? -3 : 1, max: 3 }))
        .map(([c, distance]): ThreadPiece => ({ kind: 'branch', condition: c, distance })),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(access, access)
        .map(([left, right]): ThreadPiece => ({ kind: 'choice', left, right })),
    },
    {
      weight: many === 'lock blocks' ? 8 : 1,
      arbitrary: fc
        .record({
          body: fc.array(fc.oneof(store, load, rmw, local), {
            minLength: 1,
            maxLength: many === 'lock blocks' ? 3 : 2,
          }),
          released: fc.integer({ min: 0, max: 9 }).map((n) => n > 0),
          spins: fc.integer({ min: 0, max: 3 }).map((n) => loops && n === 0),
        })
        .map((block): ThreadPiece => ({ kind: 'locked', ...block })),
    },
  );
}

function withOwnAddress(instruction: Instruction, t: number): Instruction {
  if (!('address' in instruction) || instruction.address.kind !== 'constant') return instruction;
  return instruction.address.value === ownAddress
    ? { ...instruction, address: constant(10 + t) }
    : instruction;
}

/**
 * Returns the pieces as an automaton; the last location is a dead end, reached only by far jumps.
 */
function layOut(t: number, items: readonly ThreadPiece[]): Thread {
  const transitions: Transition[] = [];
  const starts: number[] = [];
  let next = 0;
  const jumps: { from: number; item: number; condition: Expression }[] = [];
  const push = (from: number, to: number, instruction: Instruction): void =>
    void transitions.push({ from, to, instruction: withOwnAddress(instruction, t), origin: {} });
  const add = (instruction: Instruction): void => {
    push(next, next + 1, instruction);
    next++;
  };
  items.forEach((item, index) => {
    starts.push(next);
    switch (item.kind) {
      case 'instruction':
        add(item.instruction);
        return;
      case 'pair':
        add(item.store);
        add(item.load);
        return;
      case 'branch':
        jumps.push({ from: next, item: index + item.distance, condition: item.condition });
        add({ kind: 'assume', condition: unary('!', item.condition) });
        return;
      case 'choice':
        push(next, next + 1, item.right);
        add(item.left);
        return;
      case 'locked': {
        add({ kind: 'lock' });
        const start = next;
        item.body.forEach(add);
        if (item.spins) {
          const again = binary('!=', registerValue(0), constant(0));
          transitions.push({
            from: next,
            to: start,
            instruction: { kind: 'assume', condition: again },
            origin: {},
          });
          add({ kind: 'assume', condition: unary('!', again) });
        }
        if (item.released) add({ kind: 'unlock' });
      }
    }
  });
  const deadEnd = next + 1;
  for (const { from, item, condition: c } of jumps)
    transitions.push({
      from,
      to: starts[Math.max(0, item)] ?? deadEnd,
      instruction: { kind: 'assume', condition: c },
      origin: {},
    });
  return {
    name: `t${t}`,
    registers: Array.from({ length: registerCount }, (_, r) => ({ name: `r${r}`, hidden: false })),
    locations: Array.from({ length: deadEnd + 1 }, (_, l) => ({ name: `l${l}`, hidden: false })),
    initial: 0,
    transitions,
  };
}

/** Returns the thread with a path from its end back to its start. */
function startAgain(thread: Thread): Thread {
  // The last location is the dead end.
  const from = thread.locations.length - 2;
  const again: Transition = { from, to: 0, instruction: { kind: 'skip' }, origin: {} };
  return { ...thread, transitions: [...thread.transitions, again] };
}

/**
 * Returns small random programs with features that have caused bugs in checkers of robustness:
 * computed addresses, early reads, rmws, lock blocks (some never released), branches, choices, dead
 * ends. Without `loops` and `endless` all executions are finite.
 */
export function randomProgram(options: RandomProgramOptions = {}): fc.Arbitrary<Program> {
  const { maxThreads = 3, maxItems = 4, loops = false, endless = false } = options;
  const stored = options.fewValues ? fewValues : value;
  const laidOut = fc
    .integer({ min: 2, max: maxThreads })
    .chain((threads) =>
      fc.tuple(
        fc.integer({ min: 0, max: 3 }),
        fc.array(
          fc.array(itemArbitrary(loops, stored, options.many), {
            minLength: 1,
            maxLength: threads > 2 ? Math.min(3, maxItems) : maxItems,
            size: 'max',
          }),
          { minLength: threads, maxLength: threads },
        ),
      ),
    )
    // Now and then the last two threads run the same code.
    .map(([twins, threads]) => (twins === 0 ? threads.with(-1, threads.at(-2) ?? []) : threads))
    .map((threads) => threads.map((items, t) => layOut(t, items)));
  const threads = endless
    ? fc
        .tuple(laidOut, fc.array(fc.boolean(), { minLength: maxThreads, maxLength: maxThreads }))
        .map(([all, coins]) =>
          all.map((thread, t) => (coins[t] === true ? startAgain(thread) : thread)),
        )
    : laidOut;
  return threads.map((all) => ({ name: 'random', symbols: [], threads: all, properties: [] }));
}
