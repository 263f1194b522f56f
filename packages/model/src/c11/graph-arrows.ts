import { relationsOf } from './consistency.js';
import type { ExecutionGraph } from './execution-graph.js';

/**
 * The relations of a drawn execution graph: program order, reads-from, modification order,
 * from-read, and reads-from that synchronises.
 */
export type ArrowRelation = 'po' | 'rf' | 'mo' | 'fr' | 'sw';

/** A pair of events of threads in a relation. */
export interface GraphArrow {
  /** The index of the event at which the arrow starts; `to` is the event at its head. */
  readonly from: number;
  readonly to: number;
  readonly relation: ArrowRelation;
}

/**
 * Returns the pairs of related events of threads that a drawing shows: neighbours in program order
 * and in modification order, a store and the events that read from it, a read and the store after
 * the one that it reads from, and events that synchronise. Within a thread only program order is
 * shown.
 */
export function arrowsOf(graph: ExecutionGraph): readonly GraphArrow[] {
  const { events, modification } = graph;
  const { po, sw } = relationsOf(graph);
  const arrows: GraphArrow[] = [];
  const add = (from: number, to: number | undefined, relation: ArrowRelation): void => {
    if (to === undefined || from === to) return;
    if (events[from]!.thread === undefined || (relation !== 'po' && po.has(from, to))) return;
    if (!arrows.some((one) => one.from === from && one.to === to))
      arrows.push({ from, to, relation });
  };
  events.forEach(({ thread, from: store }, event) => {
    if (thread === undefined) return;
    const next = events.findIndex((other, index) => index > event && other.thread === thread);
    if (next >= 0) add(event, next, 'po');
    // Fences in front of the store or behind the load may synchronise in their place.
    events.forEach((_, other) => {
      if (sw.has(event, other)) add(event, other, 'sw');
    });
    if (store === undefined) return;
    add(store, event, 'rf');
    const order = modification.find((stores) => stores.includes(store)) ?? [];
    add(event, order[order.indexOf(store) + 1], 'fr');
  });
  for (const stores of modification)
    stores.forEach((store, place) => {
      add(store, stores[place + 1], 'mo');
    });
  return arrows;
}

/**
 * Returns a shortest cycle through `event` or, if there is none, through another event; empty if
 * there is no cycle. The cycle consists of program order and reads-from; with `isOld`, of
 * modification order and from-read as well.
 */
export function cycleThrough(
  graph: ExecutionGraph,
  event: number,
  isOld: boolean,
): readonly GraphArrow[] {
  const { po, rf, mo, fr } = relationsOf(graph);
  const relations = Object.entries(isOld ? { po, rf, mo, fr } : { po, rf });
  const own = [...graph.events.keys()].filter((one) => graph.events[one]!.thread !== undefined);
  for (const start of [event, ...own]) {
    const arrival = new Map<number, GraphArrow>();
    for (const work = [start]; work.length > 0 && !arrival.has(start);) {
      const from = work.shift()!;
      for (const to of own) {
        const found = relations.find(([, relation]) => relation.has(from, to));
        if (!found || arrival.has(to)) continue;
        arrival.set(to, { from, to, relation: found[0] as ArrowRelation });
        work.push(to);
      }
    }
    const way: GraphArrow[] = [];
    for (let one = arrival.get(start); one; one = arrival.get(one.from)) {
      way.unshift(one);
      if (one.from === start) return way;
    }
  }
  return [];
}
