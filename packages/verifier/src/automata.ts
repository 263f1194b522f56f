import {
  binaryOperations,
  type BinaryOperator,
  fetchOperations,
  operatorsOf,
  unaryOperations,
  type UnaryOperator,
} from './operators.js';
import {
  anyIndex,
  index,
  int32,
  list,
  literal,
  members,
  positive,
  type Read,
  type Reader,
  record,
  type Tagged,
  tagged,
  text,
  wrong,
} from './shape.js';

/**
 * The automata of a program, as described in `docs/automata.md`. The verifier shares nothing but
 * this format with the programs judged. Indices count from 0.
 */
export interface Automata {
  readonly format: 'fencewright-automata';
  readonly version: 1;
  readonly name: string;
  readonly symbols: readonly SharedSymbol[];
  readonly domain?: { readonly low: number; readonly high: number };
  readonly threads: readonly Thread[];
  readonly properties: readonly Property[];
  readonly invariants: readonly Invariant[];
  /** The assumptions made when the program was read. */
  readonly assumptions?: readonly string[];
  /** The further assumptions made when the program was read that concern answers about C11. */
  readonly assumptionsOfC11?: readonly string[];
}

const nothing = record({});
export const range = record({ low: int32, high: int32 });
export const named = record({ name: text }, { hidden: literal(true) });
export type Named = Read<typeof named>;

/**
 * A shared variable: `length` cells from address `base`. `boundless`: any integer is an index.
 * `plain`: accesses to the cells are not atomic in C11; TSO makes no difference between such
 * accesses and atomic ones.
 */
const symbol = record(
  {
    name: text,
    base: int32,
    length: anyIndex,
    isArray: literal(true, false),
    initial: list(int32),
  },
  { boundless: literal(true), plain: literal(true) },
);
export type SharedSymbol = Read<typeof symbol>;

/**
 * Reads shared variables. Every variable has at least one cell and a value for each cell; no two
 * variables share a cell.
 */
export const symbolsReader: Reader<readonly SharedSymbol[]> = (value, path) => {
  const symbols = list(symbol)(value, path);
  for (const [i, { base, length, isArray, initial }] of symbols.entries()) {
    const at = `${path}[${i}]`;
    if (length < 1 || base + length > 2 ** 31) wrong(at, 'cells at addresses of 32 bits');
    if (!isArray && length > 1) wrong(at, 'one cell, as it is no array');
    if (initial.length !== length) wrong(`${at}.initial`, `${length} values, as 'length' says`);
  }
  const ordered = [...symbols].sort((a, b) => a.base - b.base);
  for (const [i, { base, length, name }] of ordered.entries())
    if (base + length > (ordered[i + 1]?.base ?? Number.POSITIVE_INFINITY))
      wrong(path, `cells that one variable has, not those of '${name.slice(0, 40)}'`);
  return symbols;
};

/** An expression of any sort: constants, operators, and the sort's own kinds `Leaf`. */
type Term<Leaf> =
  | { readonly kind: 'constant'; readonly value: number }
  | Leaf
  | { readonly kind: 'unary'; readonly operator: UnaryOperator; readonly operand: Term<Leaf> }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Term<Leaf>;
      readonly right: Term<Leaf>;
    };

/** An expression over the registers of one thread. */
export type Expression = Term<
  | { readonly kind: 'register'; readonly register: number }
  | { readonly kind: 'self' }
  | { readonly kind: 'address'; readonly symbol: number }
  | { readonly kind: 'element'; readonly symbol: number; readonly index: Expression }
>;

/** An expression over a whole state of the program: registers, cells and locations. */
export type StateExpression = Term<
  | ({ readonly kind: 'at'; readonly location: number } & Subject)
  | ({ readonly kind: 'ended' } & Subject)
  | ({ readonly kind: 'drained' } & Subject)
  | ({ readonly kind: 'register'; readonly register: number } & Subject)
  | { readonly kind: 'memory'; readonly address: number }
>;

/**
 * A thread that a condition mentions. `copy` numbers the copies of an unbounded thread: different
 * numbers mean any different copies.
 */
export interface Subject {
  readonly thread: number;
  readonly copy?: number;
}

/** An expression over a whole state, and over the threads that an invariant names. */
export type InvariantExpression = Term<
  | { readonly kind: 'at'; readonly binder: number; readonly location: number }
  | { readonly kind: 'ended'; readonly binder: number }
  | { readonly kind: 'register'; readonly binder: number; readonly register: number }
  | { readonly kind: 'self'; readonly binder: number }
  | { readonly kind: 'cell'; readonly symbol: number; readonly index?: InvariantExpression }
  /**
   * A variable that stands for any integer; all its occurrences in a condition mean the same
   * integer.
   */
  | { readonly kind: 'every-index' }
>;

/** Returns readers of constants and of operators; `self` reads the operands of operators. */
export function operators<E>(self: Reader<E>) {
  return {
    constant: record({ value: int32 }),
    unary: record({ operator: literal(...operatorsOf(unaryOperations)), operand: self }),
    binary: record({
      operator: literal(...operatorsOf(binaryOperations)),
      left: self,
      right: self,
    }),
  };
}

/** Returns a reader of expressions in a program with the given numbers of registers and symbols. */
export function expressionReader(registers: number, symbols: number): Reader<Expression> {
  const self: Reader<Expression> = (value, path) => reader(value, path);
  const reader = tagged<Expression>({
    ...operators(self),
    register: record({ register: index(registers) }),
    self: nothing,
    address: record({ symbol: index(symbols) }),
    element: record({ symbol: index(symbols), index: self }),
  });
  return reader;
}

/** The memory orders of C11, from weak to strong; `acquire` and `release` are not comparable. */
export const orders = ['plain', 'relaxed', 'acquire', 'release', 'acq_rel', 'seq_cst'] as const;
export type Order = (typeof orders)[number];

const order = literal(...orders);

/**
 * The memory orders of a read-modify-write. `failureOrder`: the order of its load if it stores
 * nothing. `mayFail`: unlike x86, C11 lets the read-modify-write store nothing at any time.
 */
const rmwOrders = { order, failureOrder: order, mayFail: literal(true) };

function operationReaders(expression: Reader<Expression>) {
  return {
    xchg: record({ value: expression }),
    cas: record({ expected: expression, desired: expression }),
    fetch: record({ operator: literal(...operatorsOf(fetchOperations)), operand: expression }),
  };
}
export type Operation = Tagged<ReturnType<typeof operationReaders>>;

/**
 * Returns readers of the members of instructions in a program with the given numbers of registers
 * and symbols, by kind of instruction:
 *
 * - `rmw` with `isStore`: a store in C11, which x86 executes as an exchange;
 * - `heavy-fence`: waits until the buffer of every thread has been empty once (docs/asymmetric.md);
 * - `skip`: has no effect; with `fence`, a fence of C11 that is no instruction of x86;
 * - `assume`: holds up the thread while the condition is false. With `cutsOff`, executions in which
 *   the condition is false are not examined; otherwise the thread waits.
 */
export function instructionReaders(registers: number, symbols: number) {
  const expression = expressionReader(registers, symbols);
  const into = index(registers);
  const operation = tagged<Operation>(operationReaders(expression));
  return {
    store: record({ address: expression, value: expression }, { order }),
    load: record({ into, address: expression }, { order }),
    rmw: record({ address: expression, operation }, { into, isStore: literal(true), ...rmwOrders }),
    fence: nothing,
    'heavy-fence': nothing,
    lock: record({}, rmwOrders),
    unlock: nothing,
    skip: record({}, { fence: order }),
    assign: record({ into, value: expression }),
    assume: record({ condition: expression }, { cutsOff: literal(true) }),
    assert: record({ condition: expression }),
    havoc: record({ into }, { range, where: expression }),
  };
}
export type Instruction = Tagged<ReturnType<typeof instructionReaders>>;

/**
 * Returns a reader of transitions between locations. `luck` names the chance event on which the
 * step depends: the event may fail to occur for ever. `luck` makes a difference only to the
 * question whether threads wait for ever, not to the reachable states.
 */
export function transitionReader<I>(location: Reader<number>, instruction: Reader<I>) {
  return record(
    { from: location, to: location, instruction },
    { cost: positive, nofence: literal(true), luck: literal('chance', 'time-out', 'choice') },
  );
}
export type Transition = Read<ReturnType<typeof transitionReader<Instruction>>>;

/** Returns a reader of threads; `unbounded`: any number of copies run, 0 included. */
function threadShape(registers: number, locations: number, symbols: number) {
  const location = index(locations);
  const instruction = tagged<Instruction>(instructionReaders(registers, symbols));
  return record(
    {
      name: text,
      registers: list(named),
      locations: list(named),
      initial: location,
      transitions: list(transitionReader(location, instruction)),
    },
    { copy: record({ template: text, index: anyIndex }), unbounded: literal(true) },
  );
}
export type Thread = Read<ReturnType<typeof threadShape>>;

/** Returns a reader of the threads of a program with the given number of symbols. */
export function threadReader(symbols: number): Reader<Thread> {
  const lengthOf = (one: unknown): number => (Array.isArray(one) ? one.length : 0);
  return (value, path) => {
    const found = members(value, path);
    const [registers, locations] = [found.get('registers'), found.get('locations')].map(lengthOf);
    return threadShape(registers!, locations!, symbols)(value, path);
  };
}

export interface Property {
  readonly name: string;
  readonly kind: 'never' | 'finally' | 'exists' | 'stuck' | 'progress';
  readonly condition: StateExpression;
}

export interface Invariant {
  readonly name: string;
  readonly binders: readonly { readonly name: string; readonly thread: number }[];
  readonly condition: InvariantExpression;
}

/**
 * For each kind of instruction, its relation to the store buffer of its thread: `enters` puts a
 * store into the buffer, `passes` may be executed before buffered stores reach memory, `waits`
 * waits until the buffer is empty. A `local` instruction touches only registers of its thread, and
 * an `idle` instruction only moves its thread on.
 */
const bufferUse = {
  store: 'enters',
  load: 'passes',
  rmw: 'waits',
  fence: 'waits',
  'heavy-fence': 'waits',
  lock: 'waits',
  unlock: 'waits',
  skip: 'idle',
  assign: 'local',
  assume: 'local',
  assert: 'local',
  havoc: 'local',
} as const satisfies Readonly<
  Record<Instruction['kind'], 'enters' | 'passes' | 'waits' | 'local' | 'idle'>
>;

const kindsThat = (...uses: readonly string[]): ReadonlySet<string> =>
  new Set(Object.entries(bufferUse).flatMap(([kind, use]) => (uses.includes(use) ? [kind] : [])));

/** The kinds of instructions that wait for an empty buffer. */
export const draining = kindsThat('waits');

/** The kinds of instructions invisible to all other threads. */
export const localKinds = kindsThat('local', 'idle');

type IdleKind = {
  [K in Instruction['kind']]: (typeof bufferUse)[K] extends 'idle' ? K : never;
}[Instruction['kind']];

const idleKinds = kindsThat('idle');

/** Whether the instruction has no effect but to move its thread to the next location. */
export function isIdle<I extends { readonly kind: string }>(
  instruction: I,
): instruction is Extract<I, { readonly kind: IdleKind }> {
  return idleKinds.has(instruction.kind);
}
