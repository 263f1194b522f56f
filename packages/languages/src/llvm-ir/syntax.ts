import type { AccessKind } from '@fencewright/model/program/program.js';
import type { Span } from '@fencewright/ground/source/span.js';

/** A type of LLVM's; `named` ones are looked up in `Module.types`. */
export type IrType =
  | { readonly kind: 'int'; readonly bits: number }
  | { readonly kind: 'pointer' }
  | { readonly kind: 'void' }
  | { readonly kind: 'array'; readonly length: number; readonly element: IrType }
  | { readonly kind: 'struct'; readonly fields: readonly IrType[]; readonly isPacked: boolean }
  | { readonly kind: 'named'; readonly name: string }
  /** Floating point, vectors, and what else values of programs here never have. */
  | { readonly kind: 'other'; readonly text: string };

export interface Typed {
  readonly type: IrType;
  readonly value: IrValue;
}

/** An operand: a constant, or the name of what a function computes. */
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
  /** A constant that is none of integers or pointers. */
  | { readonly kind: 'other'; readonly text: string };

/** What an instruction does; operations bear LLVM's names. */
export type IrOperation =
  | {
      readonly kind: 'binary';
      readonly operation: string;
      /** Signed overflow is undefined (`nsw`). */
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
  | { readonly kind: 'alloca'; readonly type: IrType; readonly count?: Typed }
  | {
      readonly kind: 'load';
      readonly type: IrType;
      readonly address: IrValue;
      readonly access: AccessKind;
    }
  | {
      readonly kind: 'store';
      readonly from: Typed;
      readonly address: IrValue;
      readonly access: AccessKind;
      /** A sequentially consistent atomic. */
      readonly isLocked: boolean;
    }
  | {
      readonly kind: 'exchange-if';
      readonly address: IrValue;
      readonly expected: Typed;
      readonly desired: IrValue;
    }
  | {
      readonly kind: 'modify';
      readonly operation: string;
      readonly address: IrValue;
      readonly operand: Typed;
    }
  | { readonly kind: 'fence'; readonly isFull: boolean }
  | {
      readonly kind: 'element';
      readonly source: IrType;
      readonly operands: readonly Typed[];
      /** It stays in the object that it starts from, or comes to its end. */
      readonly isInBounds: boolean;
    }
  | {
      readonly kind: 'call';
      readonly returns: IrType;
      readonly callee: IrValue | AssemblyCode;
      readonly operands: readonly Typed[];
      /** The block that control goes to with an exception that leaves what is called. */
      readonly unwind?: string;
    }
  | LandingPad
  /** An exception goes on to leave calls. */
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
  /** An integer of twice the bits, of two halves; LLVM has no such instruction. */
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
  /** Not among those known: refused where control gets to it. */
  | { readonly kind: 'unknown'; readonly name: string };

/** Where control arrives with an exception: its address, and the number of the clause's type. */
export interface LandingPad {
  readonly kind: 'landing';
  /** Control arrives even if no clause takes the exception. */
  readonly isCleanup: boolean;
  readonly clauses: readonly LandingClause[];
}

/** The types of a clause: the one that it takes, `null` for all; or those that may pass. */
interface LandingClause {
  readonly kind: 'catch' | 'filter';
  readonly value: IrValue;
}

/** An instruction: what it does, the local name of its result, and where it stands. */
export interface IrInstruction {
  readonly operation: IrOperation;
  readonly result?: string;
  /** In the IR. */
  readonly span: Span;
  /** The number of its `!DILocation`. */
  readonly debug?: string;
  /** The node that describes the variable that it makes room for. */
  readonly variable?: string;
}

export interface IrBlock {
  readonly label: string;
  readonly instructions: readonly IrInstruction[];
}

/** Who sees a name, and whether another definition may take its place. */
export interface Linkage {
  /** Of its own module only. */
  readonly isInternal: boolean;
  readonly isReplaceable: boolean;
  /** Its address is null where nothing of that name is defined. */
  readonly isOptional?: true;
  /** A library of the machine may define it. */
  readonly mayBeElsewhere?: true;
}

export interface IrParameter {
  readonly type: IrType;
  readonly name: string;
  /** What the pointer leads to, where the function gets a copy of that (`byval`). */
  readonly byValue?: IrType;
}

export interface IrFunction extends Linkage {
  readonly name: string;
  readonly returns: IrType;
  readonly parameters: readonly IrParameter[];
  readonly isVariadic: boolean;
  /** The entry first; empty for a function that is only declared. */
  readonly blocks: readonly IrBlock[];
  readonly span: Span;
}

export interface IrGlobal extends Linkage {
  readonly name: string;
  readonly type: IrType;
  /** Absent where it is defined elsewhere. */
  readonly initial?: IrValue;
  readonly isThreadLocal: boolean;
  /** Nobody may store to it. */
  readonly isConstant: boolean;
  readonly alignment?: number;
  /** Where it is put in the compiled program, if the text says that. */
  readonly section?: string;
  /** The node that describes it. */
  readonly variable?: string;
  readonly span: Span;
}

/** Another name for a function or a global, or for a part of one. */
export interface IrAlias extends Linkage {
  readonly name: string;
  readonly meant: IrValue;
  readonly span: Span;
}

/** A file of LLVM IR, as far as it is looked at. */
export interface IrModule {
  readonly types: ReadonlyMap<string, IrType>;
  readonly globals: ReadonlyMap<string, IrGlobal>;
  readonly functions: ReadonlyMap<string, IrFunction>;
  readonly aliases: ReadonlyMap<string, IrAlias>;
  /** The text behind `=` of each numbered metadata node, by its name (`!12`). */
  readonly metadata: ReadonlyMap<string, string>;
  /** Those of the file's `target` lines. */
  readonly targets: ReadonlyMap<string, string>;
}

/** Inline assembly, as the IR has it. */
export interface AssemblyCode {
  readonly kind: 'assembly';
  readonly text: string;
  readonly constraints: string;
  /** What operands that are addresses point to. */
  readonly pointees: readonly (IrType | undefined)[];
  /** It is in the notation of Intel's manuals. */
  readonly isIntel: boolean;
  /** Why it is refused where control gets to it. */
  readonly why?: string;
}
