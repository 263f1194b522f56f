import type { Expression } from '@fencewright/model/program/expression.js';
import type { AccessDoes } from './access-sizes.js';
import type { BlockMark } from './block-marks.js';
import type { OwnCell } from './lowering-state.js';
import type { RegisterId } from '@fencewright/model/program/ids.js';
import type { FenceOrder, MemoryOrder } from '@fencewright/model/program/memory-order.js';
import type { AccessKind, FaultMeaning, Luck, Origin } from '@fencewright/model/program/program.js';

/** The reason for an execution's fault; `division` is a division by 0. */
export type FaultReason = FaultMeaning | 'division';

/** A load of several cells by one instruction, in words. */
export interface WideLoad {
  /** The loaded variable, and the place of a store to a part of the variable. */
  readonly what: string;
  /** The size of this part. */
  readonly part: string;
}

/** The purpose of a section under the bus lock. */
export interface LockManner {
  /** The lock only serves a load of several cells, which is no fence. */
  readonly wideLoad?: WideLoad;
  /** The section is a read-modify-write of one cell, with this order of C11. */
  readonly order?: MemoryOrder;
}

/** A step of a lowered thread. Results of a step may be unused. */
export type LoweredStep =
  | {
      readonly kind: 'assign';
      readonly into: RegisterId;
      readonly value: Expression;
      /** Whether final states show the register. */
      readonly isOutcome?: true;
      /** Whether the possible values of the register are asked for: see `atEachValue`. */
      readonly isAsked?: true;
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
      /** The hint that tells the user how to bound an input value. */
      readonly hint?: string;
    }
  | AccessStep
  /** A fence weaker than `seq_cst` waits for no buffer. */
  | { readonly kind: 'fence'; readonly order: FenceOrder }
  | { readonly kind: 'heavy-fence' }
  | ({ readonly kind: 'lock' } & LockManner)
  | { readonly kind: 'unlock' }
  /** `thread` is the number of a thread, also in `join`. */
  | { readonly kind: 'create'; readonly thread: number; readonly argument?: Expression }
  | { readonly kind: 'join'; readonly thread: number; readonly into: RegisterId }
  /** A record at the end of a thread: the cells that the thread alone accesses, by address. */
  | { readonly kind: 'observe'; readonly cells: ReadonlyMap<number, OwnCell> }
  /**
   * The end of the thread, with its result. `isLast`: the whole process ends with the thread, by
   * the return from `main` or by a call such as `exit`.
   */
  | { readonly kind: 'end'; readonly value?: Expression; readonly isLast?: 'return' | 'exit' }
  /** An error of the program, or a limit of the model. */
  | {
      readonly kind: 'fault';
      readonly reason: FaultReason;
      /** The library's message about the fault, if any. */
      readonly said?: string;
    }
  /**
   * A step without effect. `mark`: the step stands for the text mark with this number. `luck`: the
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
      /** The kind of access in C; absent for accesses that the front end adds. */
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
      /** Whether the store is made by an exchange whose result is unused. */
      readonly isLocked: boolean;
      readonly order?: MemoryOrder;
      /** The accessed mark, if the step accesses the mark of a block and nothing else. */
      readonly blockMark?: BlockMark;
    }
  /** `atomicrmw`, with LLVM's name of the operation. */
  | {
      readonly kind: 'modify';
      readonly into: RegisterId;
      readonly operation: string;
      readonly bits: number;
      readonly address: Expression;
      readonly operand: Expression;
      readonly order?: MemoryOrder;
      readonly size: number;
      /** Whether the bus lock is held already. */
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
      /** C11 lets the exchange fail although the values are equal. */
      readonly mayFail?: true;
      readonly size: number;
      readonly isInLock: boolean;
    };

/** Whether the step is an access. */
export function isAccessStep(step: LoweredStep): step is AccessStep {
  return 'size' in step;
}

/** The mark accessed in some block; `undefined` for accesses to the program's own memory. */
export function blockMarkOf(step: AccessStep): BlockMark | undefined {
  return 'blockMark' in step ? step.blockMark : undefined;
}

/** Whether the access may change the cell. */
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

/** The effect of the step on its bytes. */
export function doesOf(step: AccessStep): AccessDoes {
  if (step.kind === 'load') return 'load';
  return step.kind === 'store' && !step.isLocked ? 'store' : 'locked';
}

/** The access kind of the step; absent if the access is not the program's own. */
export function accessKindOf(step: AccessStep): AccessKind | undefined {
  return step.kind === 'load' || step.kind === 'store' ? step.access : 'atomic';
}

/**
 * The edge, with the kind of access in its origin, and whether the access is a part of a wide load.
 */
export function withMeaning(edge: StepEdge): StepEdge {
  const { step, origin } = edge;
  const access = isAccessStep(step) ? accessKindOf(step) : undefined;
  const isWideLoad =
    (step.kind === 'lock' && step.wideLoad !== undefined) ||
    (step.kind === 'load' && step.isInWideLoad === true);
  if (access === undefined && !isWideLoad) return edge;
  const meant = { ...(access && { access }), ...(isWideLoad && { isWideLoad }) };
  return { ...edge, origin: { ...origin, ...meant } };
}

/** A thread as a graph of steps. Nodes without outgoing edges are ends. */
export interface StepGraph {
  readonly nodes: number;
  readonly initial: StepNode;
  readonly edges: readonly StepEdge[];
  /** The names of registers, indexed by `RegisterId`. */
  readonly registers: readonly string[];
  /** By register shown in final states, the address of its cell or output. */
  readonly outcomes?: ReadonlyMap<RegisterId, number>;
}
