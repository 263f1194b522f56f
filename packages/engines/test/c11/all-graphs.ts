import {
  findRaceIn,
  isConsistent,
  isSequentiallyConsistent,
} from '@fencewright/model/c11/consistency.js';
import type {
  C11Model,
  ExecutionGraph,
  GraphEvent,
} from '@fencewright/model/c11/execution-graph.js';
import { isPlainCell, type ProgramSketch, type Sketch } from './sketch.js';

/** An unfinished execution graph, with the remaining statements of each thread. */
interface Partial {
  readonly events: readonly GraphEvent[];
  readonly modification: readonly (readonly number[])[];
  readonly threads: readonly { readonly rest: readonly Sketch[]; readonly r: number }[];
}

/** The answers about all execution graphs of a program. */
export interface GraphAnswer {
  readonly isRobust: boolean;
  readonly isRacy: boolean;
  readonly graphs: number;
}

function keyOf({ events, modification, threads }: Partial): string {
  const name = (index: number): string => {
    const { thread, address } = events[index]!;
    if (thread === undefined) return `i${address}`;
    return `${thread}.${events.slice(0, index).filter((one) => one.thread === thread).length}`;
  };
  const list = events.flatMap(({ thread, kind, from, read, written }, i) =>
    thread === undefined
      ? []
      : [`${name(i)}${kind}${from === undefined ? '' : name(from)}:${read}:${written}`],
  );
  const places = threads.map(({ rest, r }) => `${JSON.stringify(rest)}/${r}`);
  return `${list.sort().join()}|${modification.map((o) => o.map(name).join()).join(';')}|${places.join()}`;
}

/**
 * Builds all consistent execution graphs of a program without loops, event by event, in an order
 * that follows program order and reads-from. Returns whether all graphs are SC, and whether some
 * graph has a data race; `undefined` if there are more than `most` graphs.
 */
export function answerByGraphs(
  { cells, threads }: ProgramSketch,
  model: C11Model,
  most = 20_000,
): GraphAnswer | undefined {
  const initial: GraphEvent[] = cells.map((_, address) => ({
    ...{ kind: 'write', order: 'relaxed', address, written: 0 },
  }));
  const seen = new Set<string>();
  const work: Partial[] = [];
  let [isRobust, isRacy] = [true, false];
  const add = (next: Partial): void => {
    const key = keyOf(next);
    if (seen.has(key)) return;
    seen.add(key);
    const graph: ExecutionGraph = { events: next.events, modification: next.modification };
    if (!isConsistent(graph, model)) return;
    if (!isSequentiallyConsistent(graph)) isRobust = false;
    if (findRaceIn(graph)) isRacy = true;
    work.push(next);
  };
  add({
    events: initial,
    modification: cells.map((_, cell) => [cell]),
    threads: threads.map((rest) => ({ rest, r: 0 })),
  });
  while (work.length > 0) {
    if (seen.size > most) return undefined;
    const now = work.pop()!;
    now.threads.forEach(({ rest: [first, ...rest], r }, thread) => {
      if (first) for (const next of extend(now, thread, first, rest, r, cells)) add(next);
    });
  }
  return { isRobust, isRacy, graphs: seen.size };
}

function extend(
  now: Partial,
  thread: number,
  first: Sketch,
  rest: readonly Sketch[],
  r: number,
  cells: readonly string[],
): readonly Partial[] {
  const at = (left: readonly Sketch[], register: number): Partial['threads'] =>
    now.threads.with(thread, { rest: left, r: register });
  const event = (given: Omit<GraphEvent, 'thread'>, register: number, place?: number): Partial => {
    const { address } = given;
    const modification =
      place === undefined || address === undefined
        ? now.modification
        : now.modification.with(
            address,
            now.modification[address]!.toSpliced(place, 0, now.events.length),
          );
    return {
      events: [...now.events, { ...given, thread }],
      modification,
      threads: at(rest, register),
    };
  };
  if (first.kind === 'if')
    return [{ ...now, threads: at(r === first.equals ? [...first.then, ...rest] : rest, r) }];
  if (first.kind === 'fence') return [event({ kind: 'fence', order: first.order }, r)];
  const address = cells.indexOf(first.cell);
  const order = isPlainCell(first.cell) ? ('plain' as const) : first.order;
  const stores = now.modification[address]!;
  const valueOf = (store: number): number => now.events[store]!.written!;
  const value = 'value' in first ? (first.value === 'r' ? r : first.value) : 0;
  const update = (store: number, place: number, written: number, result: number): Partial =>
    event(
      { kind: 'update', order, address, read: valueOf(store), written, from: store },
      result,
      place + 1,
    );
  const read = (store: number, by: GraphEvent['order'], result: number): Partial =>
    event({ kind: 'read', order: by, address, read: valueOf(store), from: store }, result);
  switch (first.kind) {
    case 'store':
    case 'plain-store':
      return stores.map((_, place) =>
        event({ kind: 'write', order, address, written: value }, r, place + 1),
      );
    case 'load':
    case 'plain-load':
      return stores.map((store) => read(store, order, valueOf(store)));
    case 'await':
      return stores
        .filter((store) => valueOf(store) === value)
        .map((store) => read(store, order, r));
    case 'xchg':
    case 'fetch_add':
      return stores.map((store, place) => {
        const old = valueOf(store);
        return update(store, place, first.kind === 'xchg' ? value : old + value, old);
      });
    case 'cas':
      return stores.flatMap((store, place) => {
        const isEqual = valueOf(store) === first.expected;
        const fails = !first.waits && (!isEqual || first.isWeak);
        return [
          ...(isEqual ? [update(store, place, value, first.waits ? r : 1)] : []),
          ...(fails ? [read(store, first.failure, 0)] : []),
        ];
      });
  }
}
