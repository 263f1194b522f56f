import type { FetchOperator } from './fetch-operations.js';

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
  /** Assumptions made when the program was read. */
  readonly assumptions?: readonly string[];
  /** Further assumptions, of answers about C11. */
  readonly assumptionsOfC11?: readonly string[];
}

/** A shared variable: `length` cells from address `base`. `boundless`: any integer is an index. */
export interface SharedSymbol {
  readonly name: string;
  readonly base: number;
  readonly length: number;
  readonly isArray: boolean;
  readonly initial: readonly number[];
  readonly boundless?: true;
  /** Accesses to the cells are not atomic in C11. TSO does not tell such accesses apart. */
  readonly plain?: true;
}

export interface Named {
  readonly name: string;
  readonly hidden?: true;
}

export interface Thread {
  readonly name: string;
  readonly copy?: { readonly template: string; readonly index: number };
  /** Present if any number of copies of the thread run, 0 included. */
  readonly unbounded?: true;
  readonly registers: readonly Named[];
  readonly locations: readonly Named[];
  readonly initial: number;
  readonly transitions: readonly Transition[];
}

export interface Transition {
  readonly from: number;
  readonly to: number;
  readonly instruction: Instruction;
  readonly cost?: number;
  readonly nofence?: true;
  /**
   * The luck that the step needs, which may be missing for ever. Luck makes a difference only to
   * threads that wait for ever, not to reachable states.
   */
  readonly luck?: 'chance' | 'time-out' | 'choice';
}

/** The memory orders of C11, from weak to strong; `acquire` and `release` are not comparable. */
export const orders = ['plain', 'relaxed', 'acquire', 'release', 'acq_rel', 'seq_cst'] as const;
export type Order = (typeof orders)[number];

/** The orders of a read-modify-write, with the order of its load if it stores nothing. */
interface RmwOrders {
  readonly order?: Order;
  readonly failureOrder?: Order;
  /** Present if C11 lets the read-modify-write store nothing at any time, unlike x86. */
  readonly mayFail?: true;
}

export type Instruction =
  | {
      readonly kind: 'store';
      readonly address: Expression;
      readonly value: Expression;
      readonly order?: Order;
    }
  | {
      readonly kind: 'load';
      readonly into: number;
      readonly address: Expression;
      readonly order?: Order;
    }
  | ({
      readonly kind: 'rmw';
      readonly into?: number;
      readonly address: Expression;
      readonly operation: Operation;
      /** Present if the instruction is a store in C11, which x86 executes as an exchange. */
      readonly isStore?: true;
    } & RmwOrders)
  | { readonly kind: 'fence' }
  /** Waits until the buffer of every thread has been empty once (docs/asymmetric.md). */
  | { readonly kind: 'heavy-fence' }
  | ({ readonly kind: 'lock' } & RmwOrders)
  | { readonly kind: 'unlock' }
  /** With `fence`, a fence of C11 that is no instruction of x86. */
  | { readonly kind: 'skip'; readonly fence?: Order }
  | { readonly kind: 'assign'; readonly into: number; readonly value: Expression }
  /**
   * A condition that holds up the thread while false. With `cutsOff`, executions in which the
   * condition is false are not examined; otherwise the thread waits.
   */
  | { readonly kind: 'assume'; readonly condition: Expression; readonly cutsOff?: true }
  | { readonly kind: 'assert'; readonly condition: Expression }
  | {
      readonly kind: 'havoc';
      readonly into: number;
      readonly range?: { readonly low: number; readonly high: number };
      readonly where?: Expression;
    };

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

/** The kinds of instructions whose execution no other thread can notice. */
export const localKinds = kindsThat('local', 'idle');

type IdleKind = {
  [K in Instruction['kind']]: (typeof bufferUse)[K] extends 'idle' ? K : never;
}[Instruction['kind']];

const idleKinds = kindsThat('idle');

/** Whether the instruction only moves its thread on. */
export function isIdle<I extends { readonly kind: string }>(
  instruction: I,
): instruction is Extract<I, { readonly kind: IdleKind }> {
  return idleKinds.has(instruction.kind);
}

export type Operation =
  | { readonly kind: 'xchg'; readonly value: Expression }
  | { readonly kind: 'cas'; readonly expected: Expression; readonly desired: Expression }
  | {
      readonly kind: 'fetch';
      readonly operator: FetchOperator;
      readonly operand: Expression;
    };

/**
 * The unary operators of C, and conversions to integers of the given number of bits, with a sign
 * (`i`) or without (`u`).
 */
export const unaryOperators = ['-', '!', '~', 'i8', 'u8', 'i16', 'u16'] as const;
export type UnaryOperator = (typeof unaryOperators)[number];

/** The binary operators of C; operators that end in `%` compute modulo 2^32. */
// prettier-ignore
export const binaryOperators = [
  '+', '-', '*', '/', '%', '&', '|', '^', '<<', '>>', '==', '!=', '<', '<=', '>', '>=', '&&', '||',
  '+%', '-%', '*%', '/%', '%%', '<<%', '>>%', '<%', '<=%', '>%', '>=%',
] as const;
export type BinaryOperator = (typeof binaryOperators)[number];

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

/** An expression over a whole state. */
export type StateExpression = Term<
  | ({ readonly kind: 'at'; readonly location: number } & Subject)
  | ({ readonly kind: 'ended' } & Subject)
  | ({ readonly kind: 'drained' } & Subject)
  | ({ readonly kind: 'register'; readonly register: number } & Subject)
  | { readonly kind: 'memory'; readonly address: number }
>;

/**
 * A thread in a condition. `copy` numbers the copies of an unbounded thread: different numbers mean
 * any different copies.
 */
export interface Subject {
  readonly thread: number;
  readonly copy?: number;
}

/** An expression over a whole state, and over the threads that an invariant speaks of. */
export type InvariantExpression = Term<
  | { readonly kind: 'at'; readonly binder: number; readonly location: number }
  | { readonly kind: 'ended'; readonly binder: number }
  | { readonly kind: 'register'; readonly binder: number; readonly register: number }
  | { readonly kind: 'self'; readonly binder: number }
  | { readonly kind: 'cell'; readonly symbol: number; readonly index?: InvariantExpression }
  /** A stand-in for any integer; every occurrence in a condition means the same integer. */
  | { readonly kind: 'every-index' }
>;

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
