import type { DraftLocation } from '@fencewright/model/program/automaton-builder.js';
import type { LocationId } from '@fencewright/model/program/ids.js';
import { wrongOperand } from '@fencewright/ground/source/diagnostic.js';
import { nestedStatements } from './collect-locals.js';
import { doesSomething } from './lower-statement.js';
import type { LoweredThread } from './lowered-thread.js';
import type { ProblemList } from './problem-list.js';
import type { LabelledStatement, StatementSyntax } from './syntax-statements.js';
import type { StateTerm } from './term.js';
import type { ControlMove, TextFlow } from './text-flow.js';

/**
 * Returns the location of the label that a claim names, `term.part`; `undefined` after a reported
 * error. A label before a statement without instructions is one location with the code behind the
 * statement. So if control can come to this code without passing the label, being at the label is
 * no state of its own, and the claim is refused.
 */
export function findLabel(
  { labels, text }: LoweredThread,
  { part, partSpan }: StateTerm,
  problems: ProblemList,
): LocationId | undefined {
  const location = labels.get(part);
  if (location === undefined) {
    problems.addUnknown(partSpan, 'label', part, () => labels.keys());
    return undefined;
  }
  if (text.kind === 'automaton' || !isBare(text.body, part) || !canBeAvoided(text.flow, part))
    return location;
  problems.add(
    wrongOperand(
      partSpan,
      `the thread can come to the code behind the label '${part}' without passing the label, and takes no step at the label`,
      `write '${part}: skip;' in the thread: then the label is a place of its own`,
    ),
  );
  return undefined;
}

/** Whether the label stands before a statement without instructions, or before a brace. */
function isBare(body: StatementSyntax, label: string): boolean {
  const labelled = findLabelled(body, label);
  return labelled !== undefined && !(labelled.statement && doesSomething(labelled.statement));
}

function findLabelled(statement: StatementSyntax, label: string): LabelledStatement | undefined {
  if (statement.kind === 'LabelledStatement' && statement.label.text === label) return statement;
  for (const nested of nestedStatements(statement)) {
    const found = findLabelled(nested, label);
    if (found) return found;
  }
  return undefined;
}

/**
 * Whether control can come to the instruction behind the label, or to the end of the thread behind
 * the label, without passing the label since the instruction before.
 */
function canBeAvoided({ moves, entries, exits, end, labels }: TextFlow, label: string): boolean {
  const point = labels.get(label);
  if (point === undefined) return false;
  const behind = reachedBy(moves, [point]);
  const around = reachedBy(moves, entries, point);
  return [end, ...exits].some((exit) => behind.has(exit) && around.has(exit));
}

/** Returns the points that control reaches from `starts` by moves, without passing `except`. */
function reachedBy(
  moves: readonly ControlMove[],
  starts: readonly DraftLocation[],
  except?: DraftLocation,
): ReadonlySet<DraftLocation> {
  const next = new Map<DraftLocation, DraftLocation[]>();
  for (const { from, to } of moves) {
    const known = next.get(from);
    if (known) known.push(to);
    else next.set(from, [to]);
  }
  const reached = new Set(starts.filter((point) => point !== except));
  // The loop also visits points added during the loop.
  for (const point of reached)
    for (const to of next.get(point) ?? []) if (to !== except) reached.add(to);
  return reached;
}
