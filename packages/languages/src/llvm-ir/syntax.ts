import type { FenceOrder, MemoryOrder } from '@fencewright/model/program/memory-order.js';
import type { AccessKind } from '@fencewright/model/program/program.js';
import type { Span } from '@fencewright/ground/source/span.js';

/** A type of LLVM; `IrModule.types` defines the `named` types. */
export type IrType =
  | { readonly kind: 'int'; readonly bits: number }
  | { readonly kind: 'pointer' }
  | { readonly kind: 'void' }
  | { readonly kind: 'array'; readonly length: number; readonly element: IrType }
  | { readonly kind: 'struct'; readonly fields: readonly IrType[]; readonly isPacked: boolean }
  | { readonly kind: 'named'; readonly name: string }
  /** Floating point, vectors, and further types with values not computed by the model. */
  | { readonly kind: 'other'; readonly text: string };

export interface Typed {
  readonly type: IrType;
  readonly value: IrValue;
  /** The type of the memory that a call copies for the argument (`byval`). */
  readonly byValue?: IrType;
}

/** An operand: a constant, or the name of a computed value. */
export type IrValue =
  | { readonly kind: 'integer'; readonly value: bigint }
  | { readonly kind: 'null' }
  | { readonly kind: 'zero' }
  /** `undef` and `poison`. */
  | { readonly kind: 'undefined' }
  | { readonly kind: 'global'; readonly name: string }
  | { readonly kind: 'local'; readonly name: string }
  | { readonly kind: 'aggregate'; readonly elements: readonly Typed[] }
  | { readonly kind: 'bytes'; readonly bytes: readonly number[] }
  | { readonly kind: 'element'; readonly source: IrType; readonly operands: readonly Typed[] }
  | { readonly kind: 'cast'; readonly operation: string; readonly from: Typed }
  | {
      readonly kind: 'binary';
      readonly operation: string;
      readonly left: Typed;
      readonly right: Typed;
    }
  | {
      readonly kind: 'compare';
      readonly relation: string;
      readonly left: Typed;
      readonly right: Typed;
    }
  /** A constant that is neither an integer nor a pointer. */
  | { readonly kind: 'other'; readonly text: string };

/** An operation; `operation` fields hold LLVM's names. */
export type IrOperation =
  | {
      readonly kind: 'binary';
      readonly operation: string;
      /** Whether signed overflow of the operation is undefined (`nsw`). */
      readonly isSignedOnly: boolean;
      readonly type: IrType;
      readonly left: IrValue;
      readonly right: IrValue;
    }
  | {
      readonly kind: 'compare';
      readonly relation: string;
      readonly type: IrType;
      readonly left: IrValue;
      readonly right: IrValue;
    }
  | { readonly kind: 'cast'; readonly operation: string; readonly from: Typed; readonly to: IrType }
  /** An operation on floating-point numbers; for `fcmp`, with the relation. */
  | {
      readonly kind: 'float';
      readonly operation: string;
      readonly relation?: string;
      readonly operands: readonly Typed[];
      readonly to: IrType;
    }
  | {
      readonly kind: 'alloca';
      readonly type: IrType;
      readonly count?: Typed;
      /** The alignment in bytes, if the text states it. */
      readonly alignment?: number;
    }
  | {
      readonly kind: 'load';
      readonly type: IrType;
      /** The alignment of the address in bytes, if the text states it. */
      readonly alignment?: number;
      readonly address: IrValue;
      readonly access: AccessKind;
      /** Present if the access is atomic. */
      readonly order?: MemoryOrder;
    }
  | {
      readonly kind: 'store';
      readonly from: Typed;
      /** The alignment of the address in bytes, if the text states it. */
      readonly alignment?: number;
      readonly address: IrValue;
      readonly access: AccessKind;
      /** Present if the access is atomic. */
      readonly order?: MemoryOrder;
    }
  | {
      readonly kind: 'exchange-if';
      readonly address: IrValue;
      /** The alignment of the address in bytes, if the text states it. */
      readonly alignment?: number;
      readonly expected: Typed;
      readonly desired: IrValue;
      /** The memory order; absent in inline assembly. */
      readonly order?: MemoryOrder;
      readonly failureOrder?: MemoryOrder;
      /** Whether C11 lets the operation fail although the values are equal; x86 does not. */
      readonly isWeak?: true;
    }
  | {
      readonly kind: 'modify';
      readonly operation: string;
      /** The alignment of the address in bytes, if the text states it. */
      readonly alignment?: number;
      readonly address: IrValue;
      readonly operand: Typed;
      /** The memory order of the operation; absent in inline assembly. */
      readonly order?: MemoryOrder;
    }
  /** A fence; without an order, a fence for the compiler only. */
  | {
      readonly kind: 'fence';
      readonly order?: FenceOrder;
      /**
       * Whether the fence is an instruction of inline assembly, which has no memory order in C11.
       */
      readonly isOfAssembly?: true;
    }
  | {
      readonly kind: 'element';
      readonly source: IrType;
      readonly operands: readonly Typed[];
      /** Whether the resulting address stays within the object of the pointer, or at its end. */
      readonly isInBounds: boolean;
    }
  | {
      readonly kind: 'call';
      readonly returns: IrType;
      readonly callee: IrValue | AssemblyCode;
      readonly operands: readonly Typed[];
      /** The number of operands before `...` in the type of the call; absent without `...`. */
      readonly fixed?: number;
      /** The label of the landing pad for exceptions that leave the called function. */
      readonly unwind?: string;
    }
  | LandingPad
  /** Continues the unwinding of an exception. */
  | { readonly kind: 'resume'; readonly exception: Typed }
  | {
      readonly kind: 'phi';
      readonly type: IrType;
      readonly choices: readonly { readonly value: IrValue; readonly from: string }[];
    }
  | {
      readonly kind: 'select';
      readonly condition: IrValue;
      readonly type: IrType;
      readonly then: IrValue;
      readonly otherwise: IrValue;
    }
  | { readonly kind: 'extract'; readonly from: Typed; readonly index: number }
  | {
      readonly kind: 'insert';
      readonly into: Typed;
      readonly element: Typed;
      readonly index: number;
    }
  /** An integer of twice the bits, made of two halves; LLVM has no such instruction. */
  | { readonly kind: 'join'; readonly low: Typed; readonly high: Typed }
  | { readonly kind: 'jump'; readonly to: string }
  | {
      readonly kind: 'branch';
      readonly condition: IrValue;
      readonly then: string;
      readonly otherwise: string;
    }
  | {
      readonly kind: 'switch';
      readonly on: Typed;
      readonly otherwise: string;
      readonly cases: readonly { readonly value: IrValue; readonly to: string }[];
    }
  | { readonly kind: 'return'; readonly value?: Typed }
  | { readonly kind: 'unreachable' }
  /** An unknown operation, refused if control reaches it. */
  | { readonly kind: 'unknown'; readonly name: string };

/** The operations of a kind. */
export type IrOperationOf<K extends IrOperation['kind']> = Extract<
  IrOperation,
  { readonly kind: K }
>;

export type IrCall = IrOperationOf<'call'>;

/**
 * The landing pad of an exception; the result is the exception's address and the number of the
 * matching clause's type.
 */
export interface LandingPad {
  readonly kind: 'landing';
  /** Whether exceptions that match no clause of the landing pad enter the pad as well. */
  readonly isCleanup: boolean;
  readonly clauses: readonly LandingClause[];
}

/**
 * A clause of a landing pad: `catch` with the caught type, `null` for all types; or `filter` with
 * the types that may pass.
 */
interface LandingClause {
  readonly kind: 'catch' | 'filter';
  readonly value: IrValue;
}

/** An instruction: the operation, the local name of the result, and the source place. */
export interface IrInstruction {
  readonly operation: IrOperation;
  readonly result?: string;
  /** The place of the instruction in the text of the IR. */
  readonly span: Span;
  /** The number of the instruction's `!DILocation`, its place in the source. */
  readonly debug?: string;
  /** For an `alloca`, the node of debug information about the variable. */
  readonly variable?: string;
}

export interface IrBlock {
  readonly label: string;
  readonly instructions: readonly IrInstruction[];
}

/** The visibility of a name, and whether another definition may replace it. */
export interface Linkage {
  /** Whether the name is visible only in its own module. */
  readonly isInternal: boolean;
  readonly isReplaceable: boolean;
  /** Whether the address is null if the name is not defined. */
  readonly isOptional?: true;
  /** Whether a library of the machine may define the name. */
  readonly mayBeElsewhere?: true;
}

export interface IrParameter {
  readonly type: IrType;
  readonly name: string;
  /** The type of the memory that the caller copies for the parameter (`byval`). */
  readonly byValue?: IrType;
}

export interface IrFunction extends Linkage {
  readonly name: string;
  readonly returns: IrType;
  readonly parameters: readonly IrParameter[];
  readonly isVariadic: boolean;
  /** The blocks of the function, the entry first; empty for a declaration. */
  readonly blocks: readonly IrBlock[];
  readonly span: Span;
}

export interface IrGlobal extends Linkage {
  readonly name: string;
  readonly type: IrType;
  /** The initial value of the global; absent if another module defines the global. */
  readonly initial?: IrValue;
  readonly isThreadLocal: boolean;
  /** Whether stores to the global are forbidden. */
  readonly isConstant: boolean;
  readonly alignment?: number;
  /** The section of the compiled program that contains the definition, if given. */
  readonly section?: string;
  /** The node of debug information that describes the global's variable. */
  readonly variable?: string;
  readonly span: Span;
}

/** Another name for a function or a global, or for a part of one. */
export interface IrAlias extends Linkage {
  readonly name: string;
  readonly meant: IrValue;
  readonly span: Span;
}

/** The text after `=` of each numbered metadata node, by the node's name (`!12`). */
export interface Metadata extends Iterable<readonly [string, string]> {
  get(node: string): string | undefined;
}

/** The supported part of a file of LLVM IR. */
export interface IrModule {
  readonly types: ReadonlyMap<string, IrType>;
  readonly globals: ReadonlyMap<string, IrGlobal>;
  readonly functions: ReadonlyMap<string, IrFunction>;
  readonly aliases: ReadonlyMap<string, IrAlias>;
  readonly metadata: Metadata;
  /** The values of the `target` lines of the file, by name. */
  readonly targets: ReadonlyMap<string, string>;
}

/** Inline assembly as in the IR. */
export interface AssemblyCode {
  readonly kind: 'assembly';
  readonly text: string;
  readonly constraints: string;
  /**
   * By operand, the type of the memory pointed to; `undefined` for an operand other than a pointer
   * with a known type.
   */
  readonly pointees: readonly (IrType | undefined)[];
  /** Whether the assembly text is in Intel's notation. */
  readonly isIntel: boolean;
  /**
   * The reason for refusing the program if control reaches the assembly; absent if no reason is
   * known.
   */
  readonly why?: string;
}
