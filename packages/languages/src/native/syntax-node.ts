import type { Span } from '@fencewright/ground/source/span.js';
import type { Token } from './token.js';

/** A part of a text, with all that it consists of. The kind tells what it is. */
export interface NodeBase {
  readonly kind: string;
  /**
   * What it consists of, in the order of the text. Printed one after the other they are the node's
   * text.
   */
  readonly parts: readonly (NodeBase | Token)[];
  /** Absent from the whole text. */
  readonly parent: NodeBase | undefined;
  /**
   * Zero-based, in UTF-16 units; without the trivia before and behind it. A node without tokens is
   * empty, behind the token before.
   */
  readonly start: number;
  readonly end: number;
  readonly span: Span;
  /**
   * Whether an error makes it unfit for use; one in a statement, declaration or the like within it
   * does not.
   */
  readonly isDamaged: boolean;
}

/** A name where one belongs. */
export interface Name extends NodeBase {
  readonly kind: 'Name';
  /** As it is looked up: both kinds of prime are one. Empty if the name is missing. */
  readonly text: string;
}

/** What was skipped, since it can be no part of anything. */
export interface Skipped extends NodeBase {
  readonly kind: 'Skipped';
}
