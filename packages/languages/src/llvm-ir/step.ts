import type { Expression } from '@fencewright/model/program/expression.js';
import type { AccessDoes } from './access-sizes.js';
import type { BlockMark } from './block-marks.js';
import type { OwnCell } from './lowering-state.js';
import type { RegisterId } from '@fencewright/model/program/ids.js';
import { isBlockAccess } from '@fencewright/model/program/block-access.js';
import type { FenceOrder, MemoryOrder } from '@fencewright/model/program/memory-order.js';
import type {
  AccessKind,
  BlockStep,
  FaultMeaning,
  Luck,
  Origin,
} from '@fencewright/model/program/program.js';

/** The reason for an execution's fault; `division` is a division by 0. */
export type FaultReason = FaultMeaning | 'division';

/** The words of messages for a load of several cells by one instruction. */
export interface WideLoad {
  /** The loaded variable, and the place of a store to a part of the variable, in words. */
  readonly what: string;
  /** The size of the part of the variable to which a store writes, in words. */
  readonly part: string;
  /**
   * Whether loads of the parts, one by one, may stand for the load while a store waits in the
   * store buffer: see `canBeSplit`.
   */
  readonly isSplit?: true;
}

/** The purpose of a section under the bus lock. */
export interface LockManner {
  /** Present if the lock only serves a load of several cells, which is no fence. */
  readonly wideLoad?: WideLoad;
  /** Present for a section that is a read-modify-write of one cell; the memory order in C11. */
  readonly order?: MemoryOrder;
}

/** A step of a lowered thread. Results of a step may be unused. */
export type LoweredStep =
  | {
      readonly kind: 'assign';
      readonly into: RegisterId;
      readonly value: Expression;
      /** Whether final states show the register that the step sets. */
      readonly isOutcome?: true;
      /**
       * Whether the possible values of the register that the step sets are requested: see
       * `atEachValue`.
       */
      readonly isAsked?: true;
      /**
       * Present if the step frees the block at the value, or allocates this freed block again, or
       * stands for an access to the cell of a block at the value; the register is unused.
       */
      readonly block?: BlockStep;
      /**
       * Present if the step frees a block possibly still accessed by another thread: this thread
       * has not waited for the other thread's end.
       */
      readonly isBeside?: true;
    }
  /**
   * A condition. If the condition fails, the thread waits. With `cutsOff`, the execution is dropped
   * instead. With `luck`, the condition belongs to an alternative that the thread has chosen
   * before.
   */
  | {
      readonly kind: 'assume';
      readonly condition: Expression;
      readonly cutsOff?: true;
      readonly luck?: 'choice';
    }
  | { readonly kind: 'assert'; readonly condition: Expression }
  | {
      readonly kind: 'havoc';
      readonly into: RegisterId;
      readonly range: { readonly low: number; readonly high: number };
      /**
       * The hint on how the user can bound an input value, for the message if the choice has too
       * many values.
       */
      readonly hint?: string;
    }
  | AccessStep
  /** A fence. A fence weaker than `seq_cst` does not wait for the store buffer. */
  | { readonly kind: 'fence'; readonly order: FenceOrder }
  | { readonly kind: 'heavy-fence' }
  | ({ readonly kind: 'lock' } & LockManner)
  | { readonly kind: 'unlock' }
  /** Creates a thread, given by its number, with an argument. */
  | { readonly kind: 'create'; readonly thread: number; readonly argument?: Expression }
  | { readonly kind: 'join'; readonly thread: number; readonly into: RegisterId }
  /** A record, at the end of a thread, of the cells that only the thread accesses, by address. */
  | { readonly kind: 'observe'; readonly cells: ReadonlyMap<number, OwnCell> }
  /**
   * The end of the thread, with its result. `isLast`: the whole process ends with the thread, by
   * the return from `main` or by a call such as `exit`.
   */
  | { readonly kind: 'end'; readonly value?: Expression; readonly isLast?: 'return' | 'exit' }
  /** A fault: an error of the program, or a limit of the model. */
  | {
      readonly kind: 'fault';
      readonly reason: FaultReason;
      /** The message of the library's source or of the lowering about the fault, if any. */
      readonly said?: string;
      /** The advice for the fault, if it depends on the statement. */
      readonly advice?: string;
    }
  /**
   * A step without effect. `mark`: the step represents the text mark with this number. `luck`: the
   * reason why progress must not rely on the step. `label`: a progress claim says that the thread
   * can reach this step again and again.
   */
  | {
      readonly kind: 'skip';
      readonly mark?: number;
      readonly luck?: Luck;
      readonly label?: string;
    };

/** An access to `size` bytes of memory. */
export type AccessStep =
  | {
      readonly kind: 'load';
      readonly into: RegisterId;
      readonly address: Expression;
      readonly size: number;
      /**
       * The kind of the access in C (plain, volatile or atomic); absent for accesses that the front
       * end adds.
       */
      readonly access?: AccessKind;
      readonly order?: MemoryOrder;
      readonly blockMark?: BlockMark;
      /** Present if the step is a part of a load of several cells by one instruction. */
      readonly isInWideLoad?: true;
    }
  | {
      readonly kind: 'store';
      readonly address: Expression;
      readonly value: Expression;
      readonly size: number;
      readonly access: AccessKind;
      /** Whether x86 makes the store by an exchange whose result is unused. */
      readonly isLocked: boolean;
      readonly order?: MemoryOrder;
      /**
       * The mark of a `malloc` block (a word that records the freeing of the block) accessed by the
       * step; absent for all other accesses.
       */
      readonly blockMark?: BlockMark;
    }
  /** An `atomicrmw` instruction, with LLVM's name of the operation. */
  | {
      readonly kind: 'modify';
      readonly into: RegisterId;
      readonly operation: string;
      readonly bits: number;
      readonly address: Expression;
      readonly operand: Expression;
      readonly order?: MemoryOrder;
      readonly size: number;
      /** Present if the step subtracts a tag from a pointer: other executions fault. */
      readonly isOfTag?: true;
      /** Whether the thread holds the bus lock before the step. */
      readonly isInLock: boolean;
    }
  | {
      readonly kind: 'exchange-if';
      readonly old: RegisterId;
      readonly success: RegisterId;
      readonly address: Expression;
      readonly expected: Expression;
      readonly desired: Expression;
      readonly order?: MemoryOrder;
      readonly failureOrder?: MemoryOrder;
      /** Present if C11 lets the compare-exchange fail although the values are equal. */
      readonly mayFail?: true;
      readonly size: number;
      readonly isInLock: boolean;
    };

export function isAccessStep(step: LoweredStep): step is AccessStep {
  return 'size' in step;
}

/**
 * The mark of a `malloc` block (a word that records the freeing of the block) accessed by the step;
 * `undefined` for accesses to the program's own memory.
 */
export function blockMarkOf(step: AccessStep): BlockMark | undefined {
  return 'blockMark' in step ? step.blockMark : undefined;
}

/** Whether the access may change the value of the cell. */
export function isStoring({ kind }: AccessStep): boolean {
  return kind !== 'load';
}

/** A node of a graph of steps: a number from 0 on. */
export type StepNode = number;

export interface StepEdge {
  readonly from: StepNode;
  readonly to: StepNode;
  readonly step: LoweredStep;
  readonly origin: Origin;
  /** Present if no fence can be inserted before the step in the text. */
  readonly nofence?: true;
}

/**
 * How the step uses the bytes of its cell: by a load, by a store, or by an atomic
 * read-modify-write.
 */
export function doesOf(step: AccessStep): AccessDoes {
  if (step.kind === 'load') return 'load';
  return step.kind === 'store' && !step.isLocked ? 'store' : 'locked';
}

/**
 * The kind of access in C (plain, volatile or atomic); `undefined` if the front end has added the
 * access.
 */
export function accessKindOf(step: AccessStep): AccessKind | undefined {
  return step.kind === 'load' || step.kind === 'store' ? step.access : 'atomic';
}

/**
 * Whether the step sets a register that only later steps of its thread use: final states do not
 * show the register, and nothing has requested its possible values.
 */
export function isOwnAssignment(
  step: LoweredStep,
): step is Extract<LoweredStep, { readonly kind: 'assign' }> {
  return step.kind === 'assign' && !step.isOutcome && !step.isAsked && !step.block;
}

/**
 * Whether the step is an access to a block that another thread may free, or frees a block that
 * another thread may access.
 */
export function isUseBeside(step: LoweredStep): boolean {
  return step.kind === 'assign' && (isBlockAccess(step.block) || step.isBeside === true);
}

/**
 * The edge with an origin that includes the kind of access, whether the access is a part of a load
 * of several cells, and whether the step is one on a block of allocated memory.
 */
export function withMeaning(edge: StepEdge): StepEdge {
  const { step, origin } = edge;
  const access = isAccessStep(step) ? accessKindOf(step) : undefined;
  const isWideLoad =
    (step.kind === 'lock' && step.wideLoad !== undefined) ||
    (step.kind === 'load' && step.isInWideLoad === true);
  const block = step.kind === 'assign' ? step.block : undefined;
  if (access === undefined && !isWideLoad && block === undefined) return edge;
  const meant = {
    ...(access && { access }),
    ...(isWideLoad && { isWideLoad }),
    ...(block && { block }),
  };
  return { ...edge, origin: { ...origin, ...meant } };
}

/** A thread as a graph of steps. Nodes without outgoing edges are ends. */
export interface StepGraph {
  readonly nodes: number;
  readonly initial: StepNode;
  readonly edges: readonly StepEdge[];
  /** The names of the graph's registers, indexed by `RegisterId`. */
  readonly registers: readonly string[];
  /** By register shown in final states, the address of the represented cell or output. */
  readonly outcomes?: ReadonlyMap<RegisterId, number>;
}
