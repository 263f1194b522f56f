import {
  type AllOutcomes,
  choices,
  type Event,
  isAllowed,
  isOfSC,
  type Outcomes,
  relate,
} from './all-outcomes.js';
import { isPreserved, type Straight } from './buffered-graphs.js';
import type { ProgramSketch } from './sketch.js';

interface Open {
  readonly events: readonly Event[];
  readonly stores: readonly (readonly number[])[];
}

function setsRegister({ kind }: Straight): boolean {
  return ['load', 'xchg', 'fetch_add', 'cas'].includes(kind);
}

/** Returns the register before the statement at `place`; its setters have been executed. */
function registerBefore(
  statements: readonly Straight[],
  own: ReadonlyMap<number, Event>,
  place: number,
): number {
  const setter = statements.findLastIndex((one, i) => i < place && setsRegister(one));
  if (setter < 0) return 0;
  const { does, read } = own.get(setter) ?? { does: 'R', read: 0 };
  return statements[setter]!.kind === 'cas' ? Number(does === 'U') : read;
}

function keyOf({ events, stores }: Open): string {
  const name = (i: number): string =>
    i < 0 ? '-' : `${events[i]!.thread}.${events[i]!.place}.${events[i]!.cell}`;
  const list = events.map((e, i) => `${name(i)}${e.does}${name(e.from)}${e.wrote}`).sort();
  return `${list.join()}|${stores.map((one) => one.map(name).join()).join(';')}`;
}

/**
 * Returns the outcomes of all execution graphs of a program without branches whose threads execute
 * statements in any order that keeps preserved program order; `undefined` if there are more than
 * `most` graphs.
 */
export function bufferedOutcomes(
  { cells, threads: sketched }: ProgramSketch,
  most: number,
): AllOutcomes | undefined {
  const threads = sketched as readonly (readonly Straight[])[];
  const [c11, sc] = [0, 1].map(() => ({ finals: new Set<string>(), registers: new Set<string>() }));
  const seen = new Set<string>();
  const work: Open[] = [];
  const add = (next: Open): void => {
    const key = keyOf(next);
    if (seen.has(key)) return;
    seen.add(key);
    if (isAllowed(next.events, next.stores)) work.push(next);
  };
  add({
    events: cells.map((_, cell) => ({
      ...{ thread: -1, place: 0, does: 'W', order: 'relaxed', cell, read: 0, wrote: 0, from: -1 },
    })),
    stores: cells.map((_, cell) => [cell]),
  });
  while (work.length > 0) {
    if (seen.size > most) return undefined;
    const { events, stores } = work.pop()!;
    const isDone = events.length === cells.length + threads.flat().length;
    const owns = threads.map(
      (_, thread) =>
        new Map(events.flatMap((one) => (one.thread === thread ? [[one.place, one]] : []))),
    );
    const models: Outcomes[] = isOfSC(relate(events, stores)) ? [c11!, sc!] : [c11!];
    for (const { finals, registers } of models) {
      const final = stores.map((list) => events[list.at(-1)!]!.wrote).join();
      if (isDone) (finals as Set<string>).add(final);
      threads.forEach((statements, t) => {
        if (owns[t]!.size < statements.length) return;
        const value = registerBefore(statements, owns[t]!, statements.length);
        (registers as Set<string>).add(`${t} ${value}`);
      });
    }
    threads.forEach((statements, thread) => {
      const own = owns[thread]!;
      statements.forEach((one, place) => {
        const waits = statements.some(
          (_, b) => b < place && !own.has(b) && isPreserved(statements, b, place),
        );
        if (own.has(place) || waits) return;
        const cell = one.kind === 'fence' ? -1 : cells.indexOf(one.cell);
        const written = (stores[cell] ?? []).map((store) => ({
          store,
          value: events[store]!.wrote,
        }));
        const r = registerBefore(statements, own, place);
        for (const { event, behind } of choices(one, cell, r, written))
          add({
            events: [...events, { ...event, thread, place }],
            stores:
              behind === undefined
                ? stores
                : stores.with(cell, stores[cell]!.toSpliced(behind + 1, 0, events.length)),
          });
      });
    });
  }
  return { c11: c11!, sc: sc! };
}
