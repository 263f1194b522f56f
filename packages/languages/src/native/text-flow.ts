import type { Point } from '@fencewright/model/program/automaton-builder.js';
import type { LocationId } from '@fencewright/model/program/ids.js';
import type { NodeBase } from './syntax-node.js';
import type { Statement } from './syntax-statements.js';

/**
 * A place in the text for inserting a statement: before or after a statement, or inside an empty
 * block.
 */
export interface Gap {
  readonly kind: 'before' | 'after' | 'inside';
  readonly statement: Statement;
}

/** A way from one point to another of the same location, without an instruction. */
export interface Move {
  readonly from: Point;
  readonly to: Point;
  /** The gap of the way: a statement inserted in the gap is executed on this way only. */
  readonly gap?: Gap;
}

/** The control flow through the text of a structured thread, between its instructions. */
export interface TextFlow {
  readonly moves: readonly Move[];
  /** Points of control after an instruction, and at the start; with repetitions. */
  readonly entries: readonly Point[];
  /** The points of labels. */
  readonly labels: readonly Point[];
  /** The point at the end of the thread. */
  readonly end: Point;
  /** Points at the start of instructions; with repetitions. */
  readonly exits: readonly Point[];
  /**
   * Returns the location of a point; `undefined` for points that neither the start nor a label
   * leads to.
   */
  locationOf(point: Point): LocationId | undefined;
}

/**
 * Returns the gaps of a statement. A non-empty block has its gaps inside; an annotated statement
 * has none, since its annotations would come to precede the inserted statement; the gap after a
 * labelled statement belongs to the whole.
 */
export function gapsAround(statement: Statement): { readonly before?: Gap; readonly after?: Gap } {
  const around = statement.parent?.kind;
  if (statement.kind === 'Block')
    return statement.statements.length > 0 ? {} : { before: { kind: 'inside', statement } };
  if (around === 'AnnotatedStatement') return {};
  const before: Gap = { kind: 'before', statement };
  if (around === 'LabelledStatement' || statement.kind === 'EmptyStatement') return { before };
  return { before, after: { kind: 'after', statement } };
}

/**
 * Whether the statement is in a list of statements, directly or behind labels, so that further
 * statements may be put around it.
 */
export function isListed({ parent }: NodeBase): boolean {
  return parent?.kind === 'Block' || (parent?.kind === 'LabelledStatement' && isListed(parent));
}
