import type { Span } from '@fencewright/ground/source/span.js';
import type { Token } from './token.js';

/** A part of a text with all its contents, identified by `kind`. */
export interface NodeBase {
  readonly kind: string;
  /**
   * The contents in the order of the text. Printed one after the other, the parts are the node's
   * text.
   */
  readonly parts: readonly (NodeBase | Token)[];
  /** The parent; absent from the root. */
  readonly parent: NodeBase | undefined;
  /**
   * Zero-based, in UTF-16 units; without surrounding trivia. A node without tokens is empty,
   * directly behind the previous token.
   */
  readonly start: number;
  readonly end: number;
  readonly span: Span;
  /**
   * Whether an error makes the node unusable; errors inside a nested statement, declaration or the
   * like do not count.
   */
  readonly isDamaged: boolean;
}

/** A name in a name's position. */
export interface Name extends NodeBase {
  readonly kind: 'Name';
  /** The name for look-up: both kinds of prime are one. Empty if the name is missing. */
  readonly text: string;
}

/** Skipped text, which belongs to no construct. */
export interface Skipped extends NodeBase {
  readonly kind: 'Skipped';
}
