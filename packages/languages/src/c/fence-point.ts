import type { TextRange } from '@fencewright/ground/source/tokens.js';

/** A statement without braces that `if`, `else` or a loop has as its body. */
export interface BareBody extends TextRange {
  /** The word that it belongs to: `if`, `else`, `while`, ... */
  readonly head: TextRange;
  /** Where what stands before it ends: a parenthesis, or a word. */
  readonly headEnd: number;
}

/**
 * A place of a text at which a fence can stand. Ranges are those of the text without fences.
 *
 * - `before`: before a statement, behind its labels. `body` is the bare body that the statement is
 *   or is the labelled part of, and that gets braces.
 * - `after`: at the end of a bare body of a loop.
 * - `end`: at the end of a block, before its brace at `at`. `last` starts its last statement.
 * - `operand`: before an operand is evaluated, by a comma: the condition of a statement, or what
 *   stands behind `&&`, `||`, `?` or the colon that belongs to it.
 */
export type FencePoint =
  | {
      readonly kind: 'before';
      readonly statement: TextRange;
      /** It is a semicolon alone. */
      readonly isEmpty: boolean;
      readonly body?: BareBody;
    }
  | { readonly kind: 'after'; readonly body: BareBody }
  | { readonly kind: 'end'; readonly at: number; readonly last?: number }
  | { readonly kind: 'operand'; readonly operand: TextRange };

/** Where a point stands in the text. */
export function offsetOf(point: FencePoint): number {
  switch (point.kind) {
    case 'before':
      return point.statement.start;
    case 'after':
      return point.body.end;
    case 'end':
      return point.at;
    case 'operand':
      return point.operand.start;
  }
}
