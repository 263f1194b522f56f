import type { Point } from '@fencewright/model/program/automaton-builder.js';
import type { LocationId } from '@fencewright/model/program/ids.js';
import type { NodeBase } from './syntax-node.js';
import type { Statement } from './syntax-statements.js';

/**
 * A place in the text where a statement can be inserted: before or after a statement, or inside of
 * an empty block.
 */
export interface Gap {
  readonly kind: 'before' | 'after' | 'inside';
  readonly statement: Statement;
}

/** A way from one point to another, both of one location, without an instruction. */
export interface Move {
  readonly from: Point;
  readonly to: Point;
  /** A statement inserted here is executed on this way, and on no other. */
  readonly gap?: Gap;
}

/** How control runs through the text of a structured thread between its instructions. */
export interface TextFlow {
  readonly moves: readonly Move[];
  /** Where control is after an instruction, and at the start; with repetitions. */
  readonly entries: readonly Point[];
  /** Where labels stand. */
  readonly labels: readonly Point[];
  /** Where the thread ends. */
  readonly end: Point;
  /** Where instructions start; with repetitions. */
  readonly exits: readonly Point[];
  /** Absent for what neither the start nor a label leads to. */
  locationOf(point: Point): LocationId | undefined;
}

/**
 * The gaps of a statement. A block that is not empty has its gaps inside; what annotations stand
 * before has none, for they would come to stand before the inserted statement; the gap after a
 * labelled statement is that of the whole.
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
 * Whether the statement stands in a list of statements, directly or behind labels: there others may
 * be put around it.
 */
export function isListed({ parent }: NodeBase): boolean {
  return parent?.kind === 'Block' || (parent?.kind === 'LabelledStatement' && isListed(parent));
}
