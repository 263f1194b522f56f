import type { Expression } from '@fencewright/model/program/expression.js';
import type { Mark } from './block-marks.js';
import type { OwnCell } from './lowering-state.js';
import type { RegisterId } from '@fencewright/model/program/ids.js';
import type { AccessKind, FaultMeaning, Luck, Origin } from '@fencewright/model/program/program.js';

/** What it means that an execution ends in a fault; `division` is a division by 0. */
export type FaultReason = FaultMeaning | 'division';

/** What a step of a lowered thread does, before it is known which of its results are used. */
export type Step =
  | {
      readonly kind: 'assign';
      readonly into: RegisterId;
      readonly value: Expression;
      /** The register is looked at in final states. */
      readonly isOutcome?: true;
    }
  /** `cutsOff`: executions in which it is 0 are not looked at; others wait for it. */
  | { readonly kind: 'assume'; readonly condition: Expression; readonly cutsOff?: true }
  | { readonly kind: 'assert'; readonly condition: Expression }
  | {
      readonly kind: 'havoc';
      readonly into: RegisterId;
      readonly range: { readonly low: number; readonly high: number };
      /** How the user can say more of a value from outside. */
      readonly hint?: string;
    }
  | Access
  | { readonly kind: 'fence' }
  | { readonly kind: 'lock' }
  | { readonly kind: 'unlock' }
  /** The number of a thread, also below. */
  | { readonly kind: 'create'; readonly thread: number; readonly argument?: Expression }
  | { readonly kind: 'join'; readonly thread: number; readonly into: RegisterId }
  /** The thread is about to end; what it alone has then, by address. */
  | { readonly kind: 'observe'; readonly cells: ReadonlyMap<number, OwnCell> }
  /** The end of the thread, with what it returns; `isLast`: of the process, too, and how. */
  | { readonly kind: 'end'; readonly value?: Expression; readonly isLast?: 'return' | 'exit' }
  /** The program has a mistake here, or is beyond what the model has. */
  | {
      readonly kind: 'fault';
      readonly reason: FaultReason;
      /** What the library says of the reason, if it says something. */
      readonly said?: string;
    }
  /**
   * `mark`: it has to stay, as the place of the mark of that number in the text. `luck`: nobody can
   * count on it. `label`: the program asks whether the thread can always come here again.
   */
  | {
      readonly kind: 'skip';
      readonly mark?: number;
      readonly luck?: Luck;
      readonly label?: string;
    };

/** An access to memory, of `size` bytes. */
export type Access =
  | {
      readonly kind: 'load';
      readonly into: RegisterId;
      readonly address: Expression;
      readonly size: number;
      /** Absent where it is none of the program's. */
      readonly access?: AccessKind;
      readonly blockMark?: Mark;
    }
  | {
      readonly kind: 'store';
      readonly address: Expression;
      readonly value: Expression;
      readonly size: number;
      readonly access: AccessKind;
      /** It is an exchange whose result nobody gets. */
      readonly isLocked: boolean;
      /** It is to that mark of some block, and nowhere else; so are loads that have one. */
      readonly blockMark?: Mark;
    }
  /** `atomicrmw`, with LLVM's name of the operation. */
  | {
      readonly kind: 'modify';
      readonly into: RegisterId;
      readonly operation: string;
      readonly bits: number;
      readonly address: Expression;
      readonly operand: Expression;
      readonly size: number;
      /** The bus lock is held already. */
      readonly isInLock: boolean;
    }
  | {
      readonly kind: 'exchange-if';
      readonly old: RegisterId;
      readonly success: RegisterId;
      readonly address: Expression;
      readonly expected: Expression;
      readonly desired: Expression;
      readonly size: number;
      readonly isInLock: boolean;
    };

/** Whether the step is an access. */
export function isAccess(step: Step): step is Access {
  return 'size' in step;
}

/** The mark that the access is to, of some block; `undefined` if it is to what is the program's. */
export function blockMarkOf(step: Access): Mark | undefined {
  return 'blockMark' in step ? step.blockMark : undefined;
}

/** Whether the step may change the cell. */
export function isStoring({ kind }: Access): boolean {
  return kind !== 'load';
}

/** A node of a graph of steps: a number from 0 on. */
export type Node = number;

export interface Edge {
  readonly from: Node;
  readonly to: Node;
  readonly step: Step;
  readonly origin: Origin;
  /** No fence can stand before it in the text. */
  readonly nofence?: true;
}

/** How the step accesses memory; absent where it is no access of the program's. */
export function accessOf(step: Access): AccessKind | undefined {
  return step.kind === 'load' || step.kind === 'store' ? step.access : 'atomic';
}

/** An edge whose origin says how it accesses memory, if it does. */
export function withAccess(edge: Edge): Edge {
  const { step, origin } = edge;
  const access = isAccess(step) ? accessOf(step) : undefined;
  return access === undefined ? edge : { ...edge, origin: { ...origin, access } };
}

/** A thread as a graph of steps. Nodes without edges are ends. */
export interface StepGraph {
  readonly nodes: number;
  readonly initial: Node;
  readonly edges: readonly Edge[];
  /** Names of registers, indexed by `RegisterId`. */
  readonly registers: readonly string[];
  /** By register that is looked at in final states, the address of what it stands for. */
  readonly outcomes?: ReadonlyMap<RegisterId, number>;
}
