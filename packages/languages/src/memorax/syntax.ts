import type { BinaryOperator, UnaryOperator } from '@fencewright/model/program/expression.js';
import type { Span } from '@fencewright/ground/source/span.js';

/**
 * The smallest and largest value allowed for a location or a register; `undefined` for all
 * integers.
 */
export interface DomainBounds {
  readonly low: number;
  readonly high: number;
}

/**
 * The declaration of a location or register: `x = 0 : [0:3]`. Without an initial value (`*`), any
 * value of the domain may be the initial one.
 */
export interface MemoraxDeclaration {
  readonly name: string;
  readonly span: Span;
  readonly initial?: number;
  readonly bounds?: DomainBounds;
}

/** An expression over registers; conditions are expressions, too. */
export type MemoraxTerm =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'register'; readonly name: string; readonly span: Span }
  | { readonly kind: 'unary'; readonly operator: UnaryOperator; readonly operand: MemoraxTerm }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: MemoraxTerm;
      readonly right: MemoraxTerm;
    };

/** A memory location: `x`, `x[my]`, `x[1]`, or `[e]`, the global with the number `e`. */
export type MemoraxCell = { readonly span: Span } & (
  | { readonly kind: 'global'; readonly name: string }
  | { readonly kind: 'local'; readonly name: string; readonly owner: number | 'my' }
  | { readonly kind: 'pointer'; readonly index: MemoraxTerm }
);

export interface Label {
  readonly name: string;
  readonly span: Span;
}

export type MemoraxStatement = { readonly span: Span; readonly labels: readonly Label[] } & (
  | { readonly kind: 'nop' }
  | { readonly kind: 'fence' }
  | { readonly kind: 'assign'; readonly register: Label; readonly value: MemoraxTerm }
  | { readonly kind: 'assume'; readonly condition: MemoraxTerm }
  /** `synchronised`: whether the read waits until the buffer is empty, as after a fence. */
  | {
      readonly kind: 'read-into';
      readonly register: Label;
      readonly cell: MemoraxCell;
      readonly synchronised: boolean;
    }
  | {
      readonly kind: 'read-equal';
      readonly cell: MemoraxCell;
      readonly value: MemoraxTerm;
      readonly synchronised: boolean;
    }
  | {
      readonly kind: 'write';
      readonly cell: MemoraxCell;
      readonly value: MemoraxTerm;
      readonly synchronised: boolean;
    }
  | {
      readonly kind: 'cas';
      readonly cell: MemoraxCell;
      readonly expected: MemoraxTerm;
      readonly desired: MemoraxTerm;
    }
  | { readonly kind: 'goto'; readonly target: Label }
  | { readonly kind: 'block'; readonly body: readonly MemoraxStatement[] }
  /** A choice between alternatives; `locked`: the chosen one is executed under the bus lock. */
  | {
      readonly kind: 'either';
      readonly alternatives: readonly (readonly MemoraxStatement[])[];
      readonly locked: boolean;
    }
  | {
      readonly kind: 'if';
      readonly condition: MemoraxTerm;
      readonly positive: MemoraxStatement;
      readonly negative?: MemoraxStatement;
    }
  | { readonly kind: 'while'; readonly condition: MemoraxTerm; readonly body: MemoraxStatement }
);

export interface Process {
  /** The number of copies of the process. */
  readonly copies: number;
  readonly span: Span;
  readonly data: readonly MemoraxDeclaration[];
  readonly registers: readonly MemoraxDeclaration[];
  readonly body: readonly MemoraxStatement[];
}

/** A forbidden state: a label for each process; absent for a process that may be anywhere. */
export interface ForbiddenState {
  readonly labels: readonly (Label | undefined)[];
  readonly span: Span;
}

export interface MemoraxFile {
  readonly forbidden: readonly ForbiddenState[];
  readonly data: readonly MemoraxDeclaration[];
  readonly processes: readonly Process[];
}
