import type { DraftLocation } from '@fencewright/model/program/automaton-builder.js';
import type { LocationId } from '@fencewright/model/program/ids.js';
import { wrongOperand } from '@fencewright/ground/source/diagnostic.js';
import type { LoweredThread } from './lowered-thread.js';
import type { ProblemList } from './problem-list.js';
import type { StateTerm } from './term.js';
import type { ControlMove, TextFlow } from './text-flow.js';

/**
 * Returns the location of the label that a claim names, `term.part`; `undefined` after a reported
 * error. A label where no instruction of its statement starts is one location with the code behind
 * the statement. So if control can come to this code without passing the label, being at the label
 * is no state of its own, and the claim is refused.
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
  if (text.kind === 'automaton' || !canBeAvoided(text.flow, part)) return location;
  problems.add(
    wrongOperand(
      partSpan,
      `the thread can come to the code behind the label '${part}' without passing the label, and takes no step at the label`,
      `write '${part}: skip;' in the thread: then the label is a place of its own`,
    ),
  );
  return undefined;
}

/**
 * Whether control can come from the instruction before the label to the instruction after it, or to
 * the end of the thread, without passing the label. False if an instruction of the labelled
 * statement starts at the label.
 */
function canBeAvoided({ moves, entries, exits, end, labels }: TextFlow, label: string): boolean {
  const labelled = labels.get(label);
  if (!labelled) return false;
  const behind = reachedBy(moves, [labelled.point]);
  if (labelled.starts.some((start) => behind.has(start))) return false;
  const around = reachedBy(moves, entries, labelled.point);
  return [end, ...exits].some((exit) => behind.has(exit) && around.has(exit));
}

/**
 * Returns the points that control reaches from `starts` by `moves`, which execute no instruction,
 * without passing the point `except`.
 */
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
