import type { TextRange } from '@fencewright/ground/source/tokens.js';

/** A statement without braces that is the body of `if`, `else` or a loop. */
export interface BareBody extends TextRange {
  /** The range of the keyword before the body: `if`, `else`, `while`, ... */
  readonly head: TextRange;
  /**
   * The offset at which the text before the body ends: after the parenthesis, or after the keyword.
   */
  readonly headEnd: number;
}

/**
 * A place for a fence in a text. Ranges are ranges of the text without fences.
 *
 * - `before`: before a statement, after its labels. `body` is the bare body that is the statement,
 *   or has the statement as its labelled part; `body` gets braces.
 * - `after`: at the end of a bare body of a loop.
 * - `end`: at the end of a block, before its brace at `at`. `last` starts its last statement.
 * - `operand`: before an operand is evaluated, by a comma: the condition of a statement, or the
 *   operand after `&&`, `||`, `?` or the matching colon; in a macro, also after a comma.
 */
export type FencePoint = {
  /** Present in the text of a macro, whose lines end in backslashes. */
  readonly isInMacro?: true;
} & (
  | {
      readonly kind: 'before';
      readonly statement: TextRange;
      /** Whether the body is only a semicolon. */
      readonly isEmpty: boolean;
      readonly body?: BareBody;
    }
  | { readonly kind: 'after'; readonly body: BareBody }
  | { readonly kind: 'end'; readonly at: number; readonly last?: number }
  | { readonly kind: 'operand'; readonly operand: TextRange }
);

/** Returns the offset in the text at which a fence for the point is written. */
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
