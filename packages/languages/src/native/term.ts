import type { BinaryOperator, UnaryOperator } from '@fencewright/model/program/expression.js';
import type { Span } from '@fencewright/ground/source/span.js';

/** A name with an optional index: `x`, `a[i]`. */
export interface NameTerm {
  readonly kind: 'name';
  readonly name: string;
  readonly index?: NativeTerm;
  readonly span: Span;
}

/** `mem[address]`. */
interface MemoryTerm {
  readonly kind: 'memory';
  readonly address: NativeTerm;
  readonly span: Span;
}

/** `name(arguments)`. */
export interface CallTerm {
  readonly kind: 'call';
  readonly name: string;
  readonly arguments: readonly NativeTerm[];
  readonly span: Span;
}

/** A term that names a cell of memory. */
export type CellTerm = NameTerm | MemoryTerm;

/** `t @ label` or `t.register`: a part of a thread's state. */
export interface StateTerm {
  readonly kind: 'at' | 'member';
  readonly thread: string;
  /** The index of the thread's copy. */
  readonly copy?: NativeTerm;
  /** The label or the register. */
  readonly part: string;
  readonly nameSpan: Span;
  readonly partSpan: Span;
  readonly span: Span;
}

/** An expression as written, by C's precedence, before looking up names. */
export type NativeTerm =
  | { readonly kind: 'number'; readonly value: number; readonly span: Span }
  /** The `*` of `a[*]`. */
  | { readonly kind: 'every-index'; readonly span: Span }
  | NameTerm
  | MemoryTerm
  | CallTerm
  /** `&x`, `&a[i]` */
  | { readonly kind: 'address-of'; readonly cell: NameTerm; readonly span: Span }
  | StateTerm
  | {
      readonly kind: 'unary';
      readonly operator: UnaryOperator;
      readonly operand: NativeTerm;
      readonly span: Span;
    }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: NativeTerm;
      readonly right: NativeTerm;
      readonly span: Span;
    };
