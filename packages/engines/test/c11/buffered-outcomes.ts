import {
  type AllOutcomes,
  choices,
  type Event,
  isAllowed,
  isOfSC,
  type Outcomes,
  relate,
} from './all-outcomes.js';
import {
  isPreserved,
  isWrite,
  type Outcome,
  setsRegister,
  type Straight,
} from './buffered-graphs.js';
import type { ProgramSketch, Sketch } from './sketch.js';

/** A condition before a statement: the register holds the value, or not, as `holds` tells. */
interface Condition {
  /** The number of statements of the thread before the condition. */
  readonly place: number;
  readonly equals: number;
  readonly holds: boolean;
}

/** A path through a thread: its statements, with the outcomes of its conditions. */
interface Way {
  readonly statements: readonly Straight[];
  readonly conditions: readonly Condition[];
}

interface Open {
  readonly events: readonly Event[];
  readonly stores: readonly (readonly number[])[];
}

type Own = ReadonlyMap<number, Event>;

function waysThrough(thread: readonly Sketch[]): readonly Way[] {
  let ways: readonly Way[] = [{ statements: [], conditions: [] }];
  for (const one of thread)
    ways = ways.flatMap(({ statements, conditions }): readonly Way[] => {
      if (one.kind !== 'if') return [{ statements: [...statements, one], conditions }];
      return [true, false].map((holds): Way => ({
        statements: holds ? [...statements, ...(one.then as readonly Straight[])] : statements,
        conditions: [...conditions, { place: statements.length, equals: one.equals, holds }],
      }));
    });
  return ways;
}

/**
 * Returns the index of the last statement before the statement at `place` that sets the register;
 * -1 if there is none.
 */
function setterBefore(statements: readonly Straight[], place: number): number {
  return statements.findLastIndex((one, i) => i < place && setsRegister(one));
}

/**
 * Returns the register's value before the statement at `place`; the statements that set it have
 * been executed.
 */
function registerBefore(statements: readonly Straight[], own: Own, place: number): number {
  const setter = setterBefore(statements, place);
  if (setter < 0) return 0;
  const { does, read } = own.get(setter) ?? { does: 'R', read: 0 };
  return statements[setter]!.kind === 'cas' ? Number(does === 'U') : read;
}

/**
 * Whether no condition of the path is violated: a condition whose register value is known has the
 * outcome that the path needs.
 */
function isOnWay({ statements, conditions }: Way, own: Own): boolean {
  return conditions.every(({ place, equals, holds }) => {
    const setter = setterBefore(statements, place);
    const isKnown = setter < 0 || own.has(setter);
    return !isKnown || (registerBefore(statements, own, place) === equals) === holds;
  });
}

function outcomeOf(event: Event | undefined): Outcome {
  return event && (event.does === 'R' ? 'fails' : 'succeeds');
}

/** Whether hardware may execute the event at a place next, after the events `own` of the thread. */
function isInOrder(
  { statements, conditions }: Way,
  own: Own,
  place: number,
  event: Event,
): boolean {
  const now = outcomeOf(event);
  // A store waits until the conditions before it are known.
  const isDecided = conditions.every((condition) => {
    const setter = setterBefore(statements, condition.place);
    return condition.place > place || setter < 0 || own.has(setter);
  });
  if (!isDecided && isWrite(statements[place]!)) return false;
  return statements.every((_, other) => {
    const known = own.get(other);
    if (other < place)
      return known !== undefined || !isPreserved(statements, other, place, { second: now });
    if (other === place || !known) return true;
    return !isPreserved(statements, place, other, { first: now, second: outcomeOf(known) });
  });
}

function keyOf({ events, stores }: Open): string {
  const name = (i: number): string =>
    i < 0 ? '-' : `${events[i]!.thread}.${events[i]!.place}.${events[i]!.cell}`;
  const list = events.map((e, i) => `${name(i)}${e.does}${name(e.from)}${e.wrote}`).sort();
  return `${list.join()}|${stores.map((one) => one.map(name).join()).join(';')}`;
}

/** Adds the outcomes of all execution graphs for the given paths through the threads. */
function addOutcomes(
  cells: readonly string[],
  ways: readonly Way[],
  [c11, sc]: readonly [Outcomes, Outcomes],
  most: number,
): boolean {
  const seen = new Set<string>();
  const work: Open[] = [];
  const ownOf = (events: readonly Event[], thread: number): Own =>
    new Map(events.flatMap((one) => (one.thread === thread ? [[one.place, one]] : [])));
  const add = (next: Open): void => {
    const key = keyOf(next);
    if (seen.has(key)) return;
    seen.add(key);
    if (!ways.every((way, thread) => isOnWay(way, ownOf(next.events, thread)))) return;
    if (isAllowed(next.events, next.stores)) work.push(next);
  };
  add({
    events: cells.map((_, cell) => ({
      ...{ thread: -1, place: 0, does: 'W', order: 'relaxed', cell, read: 0, wrote: 0, from: -1 },
    })),
    stores: cells.map((_, cell) => [cell]),
  });
  while (work.length > 0) {
    if (seen.size > most) return false;
    const { events, stores } = work.pop()!;
    const owns = ways.map((_, thread) => ownOf(events, thread));
    const isDone = ways.every(({ statements }, t) => owns[t]!.size === statements.length);
    // A graph with an access of a thread but without an earlier one is no SC execution.
    const isPrefix = owns.every((own) => [...own.keys()].every((place) => place < own.size));
    const isSC = isPrefix && isOfSC(relate(events, stores));
    for (const { finals, registers } of isSC ? [c11, sc] : [c11]) {
      const ended = ways.flatMap(({ statements }, t) => {
        if (owns[t]!.size < statements.length) return [];
        return `${t} ${registerBefore(statements, owns[t]!, statements.length)}`;
      });
      for (const one of ended) (registers as Set<string>).add(one);
      const memory = stores.map((list) => events[list.at(-1)!]!.wrote);
      if (isDone) (finals as Set<string>).add([...memory, ...ended].join());
    }
    ways.forEach((way, thread) => {
      const own = owns[thread]!;
      way.statements.forEach((one, place) => {
        const setter = setterBefore(way.statements, place);
        const needs = 'value' in one && one.kind !== 'cas' && one.value === 'r' && setter >= 0;
        if (own.has(place) || (needs && !own.has(setter))) return;
        const cell = one.kind === 'fence' ? -1 : cells.indexOf(one.cell);
        const written = (stores[cell] ?? []).map((store) => ({
          store,
          value: events[store]!.wrote,
        }));
        for (const choice of choices(
          one,
          cell,
          registerBefore(way.statements, own, place),
          written,
        )) {
          const event = { ...choice.event, thread, place };
          if (!isInOrder(way, own, place, event)) continue;
          const { behind } = choice;
          add({
            events: [...events, event],
            stores:
              behind === undefined
                ? stores
                : stores.with(cell, stores[cell]!.toSpliced(behind + 1, 0, events.length)),
          });
        }
      });
    });
  }
  return true;
}

/**
 * Returns the outcomes of all execution graphs of a program whose threads execute statements in any
 * order that keeps preserved program order: dependencies, memory orders, and conditions before
 * stores. `undefined` if some paths through the threads have more than `most` graphs.
 */
export function bufferedOutcomes(
  { cells, threads }: ProgramSketch,
  most: number,
): AllOutcomes | undefined {
  const none = (): Outcomes => ({ finals: new Set(), registers: new Set() });
  const [c11, sc] = [none(), none()];
  let combinations: readonly (readonly Way[])[] = [[]];
  for (const thread of threads)
    combinations = combinations.flatMap((ways) => waysThrough(thread).map((way) => [...ways, way]));
  const areAll = combinations.every((ways) => addOutcomes(cells, ways, [c11, sc], most));
  return areAll ? { c11, sc } : undefined;
}
