import type { Span } from '@fencewright/ground/source/span.js';
import type { NativeToken } from './token.js';

/** A node of the syntax tree: a part of the text, with `kind` naming the construct. */
export interface NodeBase {
  readonly kind: string;
  /**
   * The child nodes and tokens of the node, in the order of the text. Printed one after the other,
   * they are the node's text.
   */
  readonly parts: readonly (NodeBase | NativeToken)[];
  /** The node that contains the node; `undefined` for the root. */
  readonly parent: NodeBase | undefined;
  /**
   * The offset of the node's start, zero-based in UTF-16 units, without trivia around the node. A
   * node without tokens is directly after the previous token.
   */
  readonly start: number;
  readonly end: number;
  readonly span: Span;
  /**
   * Whether an error makes the node unusable; errors inside a nested statement or declaration do
   * not count.
   */
  readonly isDamaged: boolean;
}

/** The node where the syntax requires a name; empty if the name is missing. */
export interface Name extends NodeBase {
  readonly kind: 'Name';
  /**
   * The name for look-up, with both kinds of prime replaced by one. Empty if the name is missing.
   */
  readonly text: string;
}

/** Text that the parser skipped, since it belongs to no construct. */
export interface Skipped extends NodeBase {
  readonly kind: 'Skipped';
}
