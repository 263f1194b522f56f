import type { AssemblyOp } from './assembly-op.js';
import type { Operand } from './operand.js';
import type { Shape } from './shape.js';
import type { Value } from './value.js';

export type { Operand };

/**
 * An edge of the control flow to a block, with the simultaneous assignments of the block's phis.
 */
export interface Edge {
  readonly to: number;
  readonly moves: readonly { readonly out: number; readonly from: Operand }[];
}

/**
 * An instruction of the machine. `out` is the register of the result, or -1 if the result is
 * unused.
 */
export type Op =
  | { readonly kind: 'copy'; readonly from: Operand; readonly out: number }
  | {
      readonly kind: 'binary';
      readonly name: string;
      readonly bits: number;
      readonly noOverflow: boolean;
      readonly left: Operand;
      readonly right: Operand;
      readonly out: number;
    }
  | {
      readonly kind: 'compare';
      readonly relation: string;
      readonly bits: number;
      readonly left: Operand;
      readonly right: Operand;
      readonly out: number;
    }
  | {
      readonly kind: 'cast';
      readonly name: string;
      readonly from: Operand;
      readonly fromBits: number;
      readonly toBits: number;
      readonly out: number;
    }
  | {
      readonly kind: 'room';
      readonly size: number;
      readonly align: number;
      readonly count: Operand;
      readonly out: number;
    }
  | {
      readonly kind: 'load';
      readonly shape: Shape;
      readonly pointer: Operand;
      readonly out: number;
    }
  | {
      readonly kind: 'store';
      readonly shape: Shape;
      readonly value: Operand;
      readonly pointer: Operand;
      readonly isLocked: boolean;
    }
  | {
      readonly kind: 'modify';
      readonly name: string;
      readonly shape: Shape;
      readonly bits: number;
      readonly pointer: Operand;
      readonly operand: Operand;
      readonly out: number;
    }
  | {
      readonly kind: 'exchange-if';
      readonly shape: Shape;
      readonly pointer: Operand;
      readonly expected: Operand;
      readonly desired: Operand;
      readonly out: number;
    }
  | { readonly kind: 'fence' }
  | {
      readonly kind: 'element';
      readonly base: Operand;
      readonly offset: number;
      readonly scaled: readonly {
        readonly index: Operand;
        readonly bits: number;
        readonly scale: number;
      }[];
      readonly out: number;
    }
  | {
      readonly kind: 'call';
      readonly callee: Operand;
      readonly operands: readonly Operand[];
      readonly returns: Shape;
      readonly out: number;
      /** The landing pad for exceptions that leave the call. */
      readonly unwind?: Edge;
    }
  | {
      readonly kind: 'landing';
      readonly isCleanup: boolean;
      /**
       * For each clause, the description of the caught type, null for all types; filters have no
       * rule.
       */
      readonly clauses: readonly (Operand | 'filter')[];
      readonly out: number;
    }
  | { readonly kind: 'resume'; readonly exception: Operand }
  | {
      readonly kind: 'extract';
      readonly from: Operand;
      readonly index: number;
      readonly out: number;
    }
  | {
      readonly kind: 'insert';
      readonly into: Operand;
      readonly element: Operand;
      readonly index: number;
      readonly length: number;
      readonly out: number;
    }
  | {
      readonly kind: 'select';
      readonly condition: Operand;
      readonly then: Operand;
      readonly otherwise: Operand;
      readonly out: number;
    }
  | { readonly kind: 'jump'; readonly edge: Edge }
  | {
      readonly kind: 'branch';
      readonly condition: Operand;
      readonly then: Edge;
      readonly otherwise: Edge;
    }
  | {
      readonly kind: 'switch';
      readonly on: Operand;
      readonly cases: readonly { readonly value: Value; readonly edge: Edge }[];
      readonly otherwise: Edge;
    }
  /**
   * Starts a thread with a copy of the frame, which runs `statement` from the op `first` on; the
   * starting thread continues with the op `behind`.
   */
  | {
      readonly kind: 'thread';
      readonly statement: Code;
      readonly first: number;
      readonly behind: number;
    }
  | AssemblyOp
  | { readonly kind: 'return'; readonly value?: Operand }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'not-known'; readonly what: string };

/** A function of the module, compiled for the machine. */
export interface Code {
  readonly name: string;
  /** The index of the compiled function in `Image.functions`. */
  readonly id: number;
  readonly registers: number;
  readonly parameters: readonly { readonly register: number; readonly copied: number }[];
  readonly constants: readonly Value[];
  readonly ops: readonly Op[];
  /** For each op of the function, the registers that are live before it. */
  readonly live: readonly (readonly number[])[];
}
