import type { BinaryOperator, UnaryOperator } from '@fencewright/model/program/expression.js';
import type { Span } from '@fencewright/ground/source/span.js';

/** A variable or an array's cell: `x`, `a[i]`. */
export interface NameTerm {
  readonly kind: 'name';
  readonly name: string;
  readonly index?: NativeTerm;
  readonly span: Span;
}

/** A cell by address: `mem[address]`. */
interface MemoryTerm {
  readonly kind: 'memory';
  readonly address: NativeTerm;
  readonly span: Span;
}

/** A call: `name(arguments)`. */
export interface CallTerm {
  readonly kind: 'call';
  readonly name: string;
  readonly arguments: readonly NativeTerm[];
  readonly span: Span;
}

/** A term that names a cell of memory. */
export type CellTerm = NameTerm | MemoryTerm;

/** A part of a thread's state: `t @ label` or `t.register`. */
export interface StateTerm {
  readonly kind: 'at' | 'member';
  readonly thread: string;
  /** The term for the number of the copy: `e` in `t[e] @ label`. */
  readonly copy?: NativeTerm;
  /** The name of the label or register that the term mentions. */
  readonly part: string;
  readonly nameSpan: Span;
  readonly partSpan: Span;
  readonly span: Span;
}

/** An expression as C's precedence groups it, before names are looked up. */
export type NativeTerm =
  | { readonly kind: 'number'; readonly value: number; readonly span: Span }
  /** The index `*` of `a[*]`, which means every index. */
  | { readonly kind: 'every-index'; readonly span: Span }
  | NameTerm
  | MemoryTerm
  | CallTerm
  /** The address of a cell: `&x`, `&a[i]` */
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
