import type { BinaryOperator } from '@fencewright/model/program/expression.js';
import type { Name, NodeBase } from './syntax-node.js';

export type BinaryOperatorToken = BinaryOperator | '=' | '<-';

/**
 * An expression as written: operands, with an operator between each two; read-term.ts applies C's
 * precedence. `<-` is `<` and `-` without a blank; `=` is a reported error. A missing expression
 * has no operands.
 */
export interface ExpressionSyntax extends NodeBase {
  readonly kind: 'Expression';
  readonly operands: readonly OperandSyntax[];
  readonly operators: readonly BinaryOperatorToken[];
}

export interface OperandSyntax extends NodeBase {
  readonly kind: 'Operand';
  readonly signs: readonly ('-' | '+' | '!' | '~')[];
  /** The operand without its signs; `undefined` only after an error. */
  readonly primary: Primary | undefined;
}

export type Primary =
  | NumberLiteral
  | BooleanLiteral
  | EveryIndex
  | MemoryAccessSyntax
  | AddressOfSyntax
  | Parentheses
  | CallSyntax
  | Reference;

export interface NumberLiteral extends NodeBase {
  readonly kind: 'NumberLiteral';
  /** The text of the number as written; empty if the number is missing. */
  readonly text: string;
}

export interface BooleanLiteral extends NodeBase {
  readonly kind: 'BooleanLiteral';
  readonly value: boolean;
}

/** The `*` of `a[*]`, which means every index. */
export interface EveryIndex extends NodeBase {
  readonly kind: 'EveryIndex';
}

/** The syntax of a cell by address: `mem[e]`. */
export interface MemoryAccessSyntax extends NodeBase {
  readonly kind: 'MemoryAccess';
  readonly address: ExpressionSyntax;
}

/** The syntax of an address: `&x`, `&a[e]`. */
export interface AddressOfSyntax extends NodeBase {
  readonly kind: 'AddressOf';
  readonly name: Name;
  readonly index: ExpressionSyntax | undefined;
}

export interface Parentheses extends NodeBase {
  readonly kind: 'Parentheses';
  readonly expression: ExpressionSyntax;
}

/** The syntax of a call: `name(e, e)`. */
export interface CallSyntax extends NodeBase {
  readonly kind: 'Call';
  readonly name: Name;
  readonly arguments: readonly ExpressionSyntax[];
}

/**
 * A variable, or a part of a thread: `x`, `a[e]`, `t @ label`, `t[e] @ label`, `t.register`,
 * `t[e].register`.
 */
export interface Reference extends NodeBase {
  readonly kind: 'Reference';
  readonly name: Name;
  readonly index: ExpressionSyntax | undefined;
  readonly label: Name | undefined;
  readonly register: Name | undefined;
}

/** A cost with decimals, `0.5`; only annotations have it. */
export interface DecimalLiteral extends NodeBase {
  readonly kind: 'DecimalLiteral';
  /** The text of the number as written, without blanks. */
  readonly text: string;
}

/** The syntax of an annotation: `@name`, `@name(e)`, `@cost(0.5)`. */
export interface Annotation extends NodeBase {
  readonly kind: 'Annotation';
  readonly name: Name;
  readonly value: ExpressionSyntax | DecimalLiteral | undefined;
}
