import { closestCut } from '@fencewright/ground/base/closest-cut.js';
import type { DraftLocation } from '@fencewright/model/program/automaton-builder.js';
import type { EventInstruction } from '@fencewright/model/program/event-program.js';
import type { LocationId } from '@fencewright/model/program/ids.js';
import type { Thread } from '@fencewright/model/program/program.js';
import type { Position } from '@fencewright/ground/source/span.js';
import type { Automaton } from './syntax.js';
import type { LoweredThread } from './lowered-thread.js';
import { readNative } from './parse-native.js';
import { endOf } from './spans.js';
import type { Gap, ControlMove, TextFlow } from './text-flow.js';

/** A place in the text for inserting a fence statement. */
interface InsertionPoint {
  /**
   * The zero-based position of the statement before or after which the fence is inserted, or of the
   * label that an automaton's fence takes over.
   */
  readonly position: Position;
  /**
   * Present if the place is before an `await`, whose iterations do not pass the place: enough for a
   * fence, but a heavy fence at the location would be executed in each iteration.
   */
  readonly isBeforeAwait?: true;
}

/**
 * By location, its places for fences in the text: fences at all places of a location together make
 * a fence before every instruction that leaves the location. Places are in the order of the text.
 */
type ThreadInsertionPoints = ReadonlyMap<LocationId, readonly InsertionPoint[]>;

/**
 * Returns for each thread (indexed by `ThreadId`) and each of its locations the places at which
 * `fence;` can be inserted such that the fences together precede every instruction that leaves the
 * location; `undefined` if the text has errors.
 *
 * The places are the fewest possible, as near as possible to the instructions: one place before a
 * statement for most locations; for the head of a `while` the places before the loop, at the end of
 * its body and before each `continue`; for an `await` the place before the statement, as its loop
 * delays no store. Locations within the evaluation of a statement have no
 * places and are absent. In an automaton every location has one place, realised by a new label.
 *
 * Ends are absent unless `withEnds` is set: the places of an end are after the last statements,
 * before labels at the end. With `before` all locations are treated like ends: the places together
 * lie on every way to the location, and to the labels of the location.
 */
export function nativeInsertionPoints(
  text: string,
  {
    withEnds = false,
    before = false,
    copies,
  }: {
    readonly withEnds?: boolean;
    readonly before?: boolean;
    readonly copies?: ReadonlyMap<string, number>;
  } = {},
): readonly ThreadInsertionPoints[] | undefined {
  const { lowered: program } = readNative(text, copies);
  const inBodies = program?.bodies.map((body) => pointsOfText(body, before));
  return program?.threads.map((lowered) => {
    const points = pointsOfThread(lowered, inBodies ?? [], before);
    if (withEnds) return points;
    const inner = new Set(lowered.thread.transitions.map(({ from }) => from));
    return new Map([...points].filter(([location]) => inner.has(location)));
  });
}

/** Returns the places of a thread; a location in a procedure has its places in the procedure. */
function pointsOfThread(
  { calling, ...lowered }: LoweredThread<EventInstruction>,
  inBodies: readonly ThreadInsertionPoints[],
  before: boolean,
): ThreadInsertionPoints {
  if (!calling) return pointsOfText(lowered, before);
  const own = pointsOfText({ ...lowered, thread: calling.written }, before);
  return new Map(
    calling.locations.flatMap((written, location) => {
      const places = written && (written.body === undefined ? own : inBodies[written.body]);
      const points = places?.get(written?.id ?? -1);
      return points ? [[location, points] as const] : [];
    }),
  );
}

function pointsOfText(
  { thread, text }: LoweredThread<EventInstruction>,
  before: boolean,
): ThreadInsertionPoints {
  if (text.kind === 'automaton') return pointsOfAutomaton(thread, text.automaton, before);
  const gaps = [...computeGaps(text.flow, before)];
  const awaits = awaitLocations(text.flow);
  return new Map(
    gaps.map(([location, own]) => [
      location,
      own.map((gap) => ({
        ...toInsertionPoint(gap),
        ...(awaits.has(location) && { isBeforeAwait: true as const }),
      })),
    ]),
  );
}

function pointsOfAutomaton(
  thread: Thread<EventInstruction>,
  automaton: Automaton,
  before: boolean,
): ThreadInsertionPoints {
  const points = new Map<LocationId, readonly InsertionPoint[]>();
  thread.locations.forEach(({ name }, location) => {
    const leaving = automaton.instructions.find(({ label }) => label.text === name);
    const entering = automaton.instructions.find(({ target }) => target.text === name);
    const entry = location === thread.initial ? undefined : entering?.target;
    const place = before ? entry : (leaving?.label ?? entry);
    if (place) points.set(location, [{ position: place.span.start }]);
  });
  return points;
}

export function toInsertionPoint({ kind, statement }: Gap): InsertionPoint {
  const span = statement.span;
  const { start } = kind === 'inside' ? endOf(span) : span;
  return { position: kind === 'after' ? span.end : start };
}

/**
 * Returns by location the gaps (places between statements) in the text of a structured thread for a
 * fence at the location, in the order of the text. Source: see `nativeInsertionPoints`.
 */
export function computeGaps(
  flow: TextFlow,
  before = false,
): ReadonlyMap<LocationId, readonly Gap[]> {
  const moves = groupByLocation(flow, flow.moves, ({ from }) => from);
  const entries = groupByLocation(flow, flow.entries, (point) => point);
  const labels = groupByLocation(
    flow,
    [...flow.labels.values()].map(({ point }) => point),
    (point) => point,
  );
  const exits = groupByLocation(flow, flow.exits, (point) => point);
  const gaps = new Map<LocationId, readonly Gap[]>();
  const setGaps = (
    location: LocationId,
    from: readonly DraftLocation[],
    to: readonly DraftLocation[],
  ): void => {
    const cut = cutMoves(moves.get(location) ?? [], from, to);
    const inOrder = cut.toSorted((a, b) => placeOf(a) - placeOf(b));
    if (inOrder.length > 0) gaps.set(location, inOrder);
  };
  // An iteration of an await finds an empty buffer behind the fence: an iteration has no stores.
  const entriesOf = (location: LocationId): readonly DraftLocation[] =>
    (entries.get(location) ?? []).filter((point) => !flow.awaits.includes(point));
  const labelsOf = (location: LocationId): readonly DraftLocation[] => labels.get(location) ?? [];
  for (const [location, sinks] of exits)
    if (before) setGaps(location, entriesOf(location), [...labelsOf(location), ...sinks]);
    else setGaps(location, [...entriesOf(location), ...labelsOf(location)], sinks);
  // A thread at a label at its end has passed the fence.
  const end = flow.locationOf(flow.end);
  if (end !== undefined && !exits.has(end))
    setGaps(end, entriesOf(end), [...labelsOf(end), flow.end]);
  return gaps;
}

/** Returns the locations at which the thread evaluates the condition of an `await`. */
export function awaitLocations(flow: TextFlow): ReadonlySet<LocationId | undefined> {
  return new Set(flow.awaits.map((point) => flow.locationOf(point)));
}

function groupByLocation<T>(
  flow: TextFlow,
  items: readonly T[],
  pointOf: (item: T) => number,
): ReadonlyMap<LocationId, readonly T[]> {
  const groups = new Map<LocationId, T[]>();
  for (const item of items) {
    const location = flow.locationOf(pointOf(item));
    if (location === undefined) continue;
    const group = groups.get(location);
    if (group) group.push(item);
    else groups.set(location, [item]);
  }
  return groups;
}

function cutMoves(
  moves: readonly ControlMove[],
  entries: readonly DraftLocation[],
  exits: readonly DraftLocation[],
): readonly Gap[] {
  const edges = moves.map(({ from, to, gap }) => ({ from, to, isCuttable: gap !== undefined }));
  const cut = closestCut(edges, entries, exits) ?? [];
  return cut.flatMap((id) => moves[id]?.gap ?? []);
}

function placeOf({ kind, statement }: Gap): number {
  return kind === 'before' ? statement.start : statement.end;
}
