import type { DraftLocation } from '@fencewright/model/program/automaton-builder.js';
import type { LocationId } from '@fencewright/model/program/ids.js';
import type { NodeBase } from './syntax-node.js';
import type { StatementSyntax } from './syntax-statements.js';

/**
 * A place in the text where a statement may be inserted: before or after a statement, or inside an
 * empty block.
 */
export interface Gap {
  readonly kind: 'before' | 'after' | 'inside';
  readonly statement: StatementSyntax;
}

/**
 * A move of control between two points of the text that are one location, without an instruction.
 */
export interface ControlMove {
  readonly from: DraftLocation;
  readonly to: DraftLocation;
  /**
   * The place between statements that the move passes: a statement inserted there is executed on
   * this move only.
   */
  readonly gap?: Gap;
}

/** A label of the text. */
export interface TextLabel {
  readonly point: DraftLocation;
  /** The points at which the instructions of the labelled statement start. */
  readonly starts: readonly DraftLocation[];
}

/** The control flow through the text of a structured thread, from one instruction to the next. */
export interface TextFlow {
  readonly moves: readonly ControlMove[];
  /**
   * The start of the thread, and the points after instructions; a point may occur several times.
   */
  readonly entries: readonly DraftLocation[];
  /**
   * The points at which an `await` starts to evaluate its condition: an iteration leads straight
   * back to the point, past the gap before the statement.
   */
  readonly awaits: readonly DraftLocation[];
  readonly labels: ReadonlyMap<string, TextLabel>;
  /** The point of the text at the end of the thread. */
  readonly end: DraftLocation;
  /** The points at which instructions start; a point may occur several times. */
  readonly exits: readonly DraftLocation[];
  /**
   * Returns the location of a point; `undefined` for a point that control cannot reach from the
   * start or a label.
   */
  locationOf(point: DraftLocation): LocationId | undefined;
}

/**
 * Returns the gaps beside a statement. A non-empty block has its gaps inside; an annotated
 * statement has none, since its annotations would then apply to the inserted statement; the gap
 * after a labelled statement belongs to the whole.
 */
export function gapsAround(statement: StatementSyntax): {
  readonly before?: Gap;
  readonly after?: Gap;
} {
  const around = statement.parent?.kind;
  if (statement.kind === 'Block')
    return statement.statements.length > 0 ? {} : { before: { kind: 'inside', statement } };
  if (around === 'AnnotatedStatement') return {};
  const before: Gap = { kind: 'before', statement };
  if (around === 'LabelledStatement' || statement.kind === 'EmptyStatement') return { before };
  return { before, after: { kind: 'after', statement } };
}

/**
 * Whether the statement is in a list of statements, directly or after labels, so that further
 * statements may be put next to it.
 */
export function isListed({ parent }: NodeBase): boolean {
  return parent?.kind === 'Block' || (parent?.kind === 'LabelledStatement' && isListed(parent));
}
