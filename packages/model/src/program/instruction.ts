import { InternalError } from '@fencewright/ground/base/unreachable.js';
import type { Expression } from './expression.js';
import type { RegisterId } from './ids.js';
import type { MemoryOrder, WeakFenceOrder } from './memory-order.js';
import type { RmwOperation } from './rmw.js';

/**
 * The instructions of programs ([BDM13] Fig. 1 and locked instructions).
 *
 * - `assume` blocks while its condition is 0 (the papers' blocking `assert`). With `cutsOff` a
 *   thread does not wait: executions that arrive while the condition is 0 are excluded from all
 *   statements.
 * - `assert` never blocks; a state in which its condition is 0 violates a safety property.
 * - `rmw` performs its operation as defined by `rmwMeaning`, atomically.
 * - `heavy-fence` waits until its thread's store buffer is empty, and then until every other
 *   thread's buffer has been empty at some moment (Linux `membarrier`). Front ends refuse it in
 *   lock blocks.
 * - `lock`, `unlock` take and release the only bus lock; `lock` waits while any thread holds the
 *   lock (its own thread too), `unlock` blocks in a thread without the lock.
 * - An rmw with `handOver` posts a task, or begins a posted task, through mailboxes, cells accessed
 *   only by such rmws. It takes effect at once, bypasses its own store buffer and the program's
 *   domain, and blocks as long as its operation would not store. Only lowered event programs have
 *   mailboxes.
 * - A `skip` with `fence` is a fence of C11 that is weaker than `seq_cst`. TSO keeps the order of
 *   such a fence anyway; the fence is no instruction of x86, and waits for no buffer.
 * - `order` is the memory order of C11, for `check --model c11`; if it is absent, the default for
 *   the kind of access (`c11/default-orders.ts`). TSO ignores orders.
 * - `havoc` gives the register any value of `range` (default: the program's domain) for which
 *   `where` is non-zero; `where` sees the new value.
 */
export type Instruction =
  | {
      readonly kind: 'store';
      readonly address: Expression;
      readonly value: Expression;
      readonly order?: MemoryOrder;
    }
  | {
      readonly kind: 'load';
      readonly into: RegisterId;
      readonly address: Expression;
      readonly order?: MemoryOrder;
    }
  | { readonly kind: 'fence' }
  | { readonly kind: 'heavy-fence' }
  | {
      readonly kind: 'rmw';
      readonly into?: RegisterId;
      readonly address: Expression;
      readonly operation: RmwOperation;
      readonly handOver?: HandOver;
      readonly order?: MemoryOrder;
      /**
       * The memory order of the load if the operation does not store; absent:
       * `failureOrderOf(order)`.
       */
      readonly failureOrder?: MemoryOrder;
      /**
       * Present if the rmw is a store of C11, which x86 makes by an exchange; its result is unused.
       */
      readonly isStore?: true;
      /**
       * Present if C11 lets the `cas` fail at any time (`compare_exchange_weak`); on x86 it fails
       * only if the values differ.
       */
      readonly mayFail?: true;
    }
  | {
      readonly kind: 'lock';
      /**
       * The memory order of C11 if the lock block is a read-modify-write of one cell; otherwise
       * absent.
       */
      readonly order?: MemoryOrder;
      readonly failureOrder?: MemoryOrder;
      /**
       * Present if C11 lets the lock block take a path without a store at any time, as a weak `cas`
       * does.
       */
      readonly mayFail?: true;
    }
  | { readonly kind: 'unlock' }
  | {
      readonly kind: 'assign';
      readonly into: RegisterId;
      readonly value: Expression;
    }
  | { readonly kind: 'assume'; readonly condition: Expression; readonly cutsOff?: true }
  | { readonly kind: 'assert'; readonly condition: Expression }
  | { readonly kind: 'skip'; readonly fence?: WeakFenceOrder }
  | {
      readonly kind: 'havoc';
      readonly into: RegisterId;
      readonly range?: { readonly low: number; readonly high: number };
      readonly where?: Expression;
    };

/** The kinds of instructions without operands. */
export type PlainKind = {
  [K in Instruction['kind']]: { readonly kind: K } extends Extract<Instruction, { kind: K }>
    ? K
    : never;
}[Instruction['kind']];

/** The words of the native language for instructions without operands. */
export const plainWords = {
  skip: 'skip',
  fence: 'fence',
  'heavy-fence': 'heavy_fence',
  lock: 'lock',
  unlock: 'unlock',
} as const satisfies Readonly<Record<PlainKind, string>>;

/** Whether the instruction has no operands. */
export function isPlain(
  instruction: Instruction,
): instruction is Extract<Instruction, { kind: PlainKind }> {
  return Object.hasOwn(plainWords, instruction.kind);
}

export type RmwInstruction = Extract<Instruction, { readonly kind: 'rmw' }>;

/**
 * The effect of an rmw on a mailbox (a cell through which tasks are posted): it posts a task,
 * passes an argument, or begins a task.
 */
export type HandOver = 'post' | 'argument' | 'begin';

/**
 * Whether the instruction is an rmw that posts or begins a task through a mailbox (a cell for
 * posted tasks).
 */
export function isHandOver(instruction: Instruction): boolean {
  return instruction.kind === 'rmw' && instruction.handOver !== undefined;
}

/**
 * Throws `InternalError` for an rmw on a mailbox (a cell through which tasks are posted). Called by
 * code that does not support mailboxes.
 */
export function refuseHandOver({ handOver }: { readonly handOver?: HandOver }): void {
  if (handOver) throw new InternalError('only the attack search knows how tasks are posted');
}

/**
 * Whether an attack can end with the instruction: it can be executed while earlier stores are
 * buffered, and is visible to other threads ([BDM13] Def. 1; a posted task begins after its
 * posting).
 */
export function endsAttack(instruction: Instruction): boolean {
  return (
    instruction.kind === 'load' || (instruction.kind === 'rmw' && instruction.handOver === 'post')
  );
}

/** Facts about a kind of instruction; an absent fact is false. */
interface InstructionFacts {
  /** The instruction accesses a memory cell: it reads the cell, may write the cell, or both. */
  readonly accesses?: true;
  /** Present if the instruction reads a memory cell. */
  readonly reads?: true;
  /** Present if the instruction may write a memory cell. */
  readonly writes?: true;
  /** Present if the write of the instruction waits in its thread's store buffer. */
  readonly isBuffered?: true;
  /** Present if the instruction accesses only the registers of its own thread. */
  readonly isLocal?: true;
  /** Present if the instruction waits until its thread's store buffer is empty. */
  readonly drains?: true;
  /** Present if the instruction may have to wait until other threads take steps. */
  readonly awaitsOthers?: true;
  /** Present if the instruction reads, changes and tests no register and no cell. */
  readonly isWithoutValues?: true;
  /** Present if under SC the instruction has no effect but to advance its thread. */
  readonly isIdle?: true;
  /** Present if no format but the native language has the instruction. */
  readonly isOnlyNative?: true;
}

const instructionFacts = {
  store: { accesses: true, writes: true, isBuffered: true },
  load: { accesses: true, reads: true },
  // `drainsBuffer` excepts rmws on mailboxes.
  rmw: { accesses: true, reads: true, writes: true, drains: true },
  fence: { drains: true, isWithoutValues: true, isIdle: true },
  'heavy-fence': { drains: true, awaitsOthers: true, isWithoutValues: true, isOnlyNative: true },
  lock: { drains: true, awaitsOthers: true, isWithoutValues: true },
  unlock: { drains: true, isWithoutValues: true },
  assign: { isLocal: true },
  assume: { isLocal: true },
  assert: { isLocal: true },
  skip: { isLocal: true, isWithoutValues: true, isIdle: true },
  havoc: { isLocal: true },
} as const satisfies Readonly<Record<Instruction['kind'], InstructionFacts>>;

/** The kinds of instructions for which the fact holds. */
type KindsWith<F extends keyof InstructionFacts> = {
  [K in Instruction['kind']]: (typeof instructionFacts)[K] extends Readonly<Record<F, true>>
    ? K
    : never;
}[Instruction['kind']];

/** Returns the test of a fact, for `Instruction` and for larger sets of instructions. */
function test<F extends keyof InstructionFacts>(fact: F) {
  const rows: readonly [string, InstructionFacts][] = Object.entries(instructionFacts);
  const kinds = new Set(rows.filter(([, facts]) => facts[fact]).map(([kind]) => kind));
  return <I extends { readonly kind: string }>(
    instruction: I,
  ): instruction is Extract<I, { readonly kind: KindsWith<F> }> => kinds.has(instruction.kind);
}

/** Whether the instruction is a store, a load or an rmw. */
export const isAccess = test('accesses');

/** Whether the instruction reads a memory cell. */
export const readsCell = test('reads');

/** Whether the instruction may write a memory cell. */
export const writesCell = test('writes');

/**
 * Whether the instruction touches only the registers of its own thread. A fence is local only under
 * SC and counts as not local here.
 */
export const isLocal = test('isLocal');

/** Whether the instruction's write waits in its thread's store buffer, if the model has one. */
export const isBuffered = test('isBuffered');

/** Whether the instruction may have to wait until other threads take steps. */
export const awaitsOthers = test('awaitsOthers');

/**
 * Whether the instruction reads, changes and tests no register and no cell: a fence, a `skip`, or
 * the taking or release of the bus lock.
 */
export const isWithoutValues = test('isWithoutValues');

/** Whether the instruction under SC has no effect but to advance its thread. */
export const isIdle = test('isIdle');

/** Whether no format but the native language has the instruction. */
export const isOnlyNative = test('isOnlyNative');

const inPlural: Readonly<Record<KindsWith<'isOnlyNative'>, string>> = {
  'heavy-fence': 'heavy fences',
};

/**
 * Returns the error, as message and hint, for a format that does not have instructions of the kind.
 */
export function onlyNative(kind: KindsWith<'isOnlyNative'>): readonly [string, string] {
  return [
    `${inPlural[kind]} do not exist in this format`,
    'keep the program in the native language',
  ];
}

const drains = test('drains');

/**
 * Whether the instruction waits until its thread's store buffer is empty: no store is delayed past
 * the instruction.
 */
export function drainsBuffer(instruction: Instruction): boolean {
  return drains(instruction) && !isHandOver(instruction);
}
