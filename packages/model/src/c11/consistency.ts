import type { C11Model, EventOrder, ExecutionGraph, GraphEvent } from './execution-graph.js';
import { Relation } from './relation.js';

/** The relations of an execution graph that the definitions of C11 are about. */
interface GraphRelations {
  readonly events: readonly GraphEvent[];
  /**
   * The relation program order: events of one thread in their order; initial stores precede
   * everything.
   */
  readonly po: Relation;
  /** The relation reads-from: from a store to the events reading its value. */
  readonly rf: Relation;
  /** The relation modification order: stores to the same cell, in the order of taking effect. */
  readonly mo: Relation;
  /**
   * The relation from-read: from a read to every store after the store read, in modification order.
   */
  readonly fr: Relation;
  /**
   * The relation synchronises-with: from a release event to an acquire event that reads from its
   * release sequence.
   */
  readonly sw: Relation;
  /** The relation happens-before: program order and synchronises-with, transitively. */
  readonly hb: Relation;
  /**
   * The relation extended coherence order: the transitive closure of reads-from, modification order
   * and from-read.
   */
  readonly eco: Relation;
}

const acquires = new Set<EventOrder>(['acquire', 'acq_rel', 'seq_cst']);
const releases = new Set<EventOrder>(['release', 'acq_rel', 'seq_cst']);

function reads({ kind }: GraphEvent): boolean {
  return kind === 'read' || kind === 'update';
}

function writes({ kind }: GraphEvent): boolean {
  return kind === 'write' || kind === 'update';
}

function isFence({ kind }: GraphEvent): boolean {
  return kind === 'fence';
}

function isAcquire(event: GraphEvent): boolean {
  return acquires.has(event.order) && event.kind !== 'write';
}

function isRelease(event: GraphEvent): boolean {
  return releases.has(event.order) && event.kind !== 'read';
}

/** Program order: the events of each thread in their order, after all initial stores. */
function programOrder(events: readonly GraphEvent[]): Relation {
  const po = new Relation(events.length);
  events.forEach(({ thread }, from) => {
    events.forEach((event, to) => {
      if (event.thread === undefined) return;
      if (thread === undefined || (thread === event.thread && from < to)) po.add(from, to);
    });
  });
  return po;
}

/** Returns a function from a condition to the identity relation on the events that satisfy it. */
function identityOn(events: readonly GraphEvent[]) {
  return (holds: (event: GraphEvent) => boolean): Relation =>
    Relation.identity(events.length, (event) => holds(events[event]!));
}

/**
 * The definition of release sequences. Read-modify-writes of any thread continue a release
 * sequence. Later stores of the same thread do so in C11 (5.1.2.4) and up to C++17, and do not in
 * C++20 ([intro.races]).
 */
export type ReleaseSequences = 'C++20' | 'C++17';

/** The release sequences of all stores: from each store to the stores of its sequence. */
function releaseSequences(
  { events, modification }: ExecutionGraph,
  rf: Relation,
  standard: ReleaseSequences,
): Relation {
  const on = identityOn(events);
  const stores = on((event) => writes(event) && event.order !== 'plain');
  if (standard === 'C++20') {
    const updates = on(({ kind }) => kind === 'update');
    return stores.then(rf.then(updates).closure().optional());
  }
  const sequences = new Relation(events.length);
  for (const order of modification)
    order.forEach((head, place) => {
      const { thread } = events[head]!;
      const later = order.slice(place + 1).map((store) => events[store]!);
      const end = later.findIndex((store) => store.kind !== 'update' && store.thread !== thread);
      const size = end < 0 ? later.length : end;
      for (const store of order.slice(place, place + 1 + size)) sequences.add(head, store);
    });
  return stores.then(sequences).then(stores);
}

/**
 * Synchronises-with: a release event or fence, the release sequence of a store, and an acquire
 * event or fence that reads from it.
 */
function synchronisation(
  graph: ExecutionGraph,
  po: Relation,
  rf: Relation,
  standard: ReleaseSequences,
): Relation {
  const { events } = graph;
  const on = identityOn(events);
  const isAtomic = (event: GraphEvent): boolean => event.order !== 'plain';
  const sequence = releaseSequences(graph, rf, standard);
  const before = on((event) => isRelease(event) && !isFence(event)).union(
    on((event) => isRelease(event) && isFence(event)).then(po),
  );
  const after = on((event) => isAcquire(event) && !isFence(event)).union(
    po.then(on((event) => isAcquire(event) && isFence(event))),
  );
  const read = rf.then(on((event) => reads(event) && isAtomic(event)));
  return before.then(sequence).then(read).then(after);
}

/** Returns the relations of a graph. */
export function relationsOf(
  graph: ExecutionGraph,
  standard: ReleaseSequences = 'C++20',
): GraphRelations {
  const { events, modification } = graph;
  const size = events.length;
  const po = programOrder(events);
  const rf = new Relation(size);
  const mo = new Relation(size);
  const fr = new Relation(size);
  for (const order of modification)
    order.forEach((from, place) => {
      for (const to of order.slice(place + 1)) mo.add(from, to);
    });
  events.forEach(({ from }, event) => {
    if (from === undefined) return;
    rf.add(from, event);
    for (let store = 0; store < size; store++)
      if (store !== event && mo.has(from, store)) fr.add(event, store);
  });
  const sw = synchronisation(graph, po, rf, standard);
  const hb = po.union(sw).closure();
  return { events, po, rf, mo, fr, sw, hb, eco: rf.union(mo, fr).closure() };
}

/**
 * Whether every read-modify-write reads from the store directly before its own store in
 * modification order.
 */
function isAtomic({ events, modification }: ExecutionGraph): boolean {
  return modification.every((order) =>
    order.every(
      (store, place) =>
        events[store]!.kind !== 'update' || (place > 0 && events[store]!.from === order[place - 1]),
    ),
  );
}

/**
 * Whether one order of all `seq_cst` fences, and under `c11` of all `seq_cst` accesses, exists
 * (C++20 [atomics.order]): strongly-happens-before and coherence-ordered-before have no cycle.
 */
function hasOrderOfSeqCst(relations: GraphRelations, model: C11Model): boolean {
  const { events, po, sw, hb, eco } = relations;
  const on = identityOn(events);
  const fences = on((event) => event.order === 'seq_cst' && isFence(event));
  const accesses = on((event) => model === 'c11' && event.order === 'seq_cst' && !isFence(event));
  const all = fences.union(accesses);
  const strongly = po.union(accesses.then(sw).then(accesses), po.then(hb).then(po)).closure();
  const order = all
    .then(strongly)
    .then(all)
    .union(
      accesses
        .union(fences.then(hb))
        .then(eco)
        .then(accesses.union(hb.then(fences))),
      fences.then(hb).then(fences),
    );
  return order.isAcyclic;
}

/**
 * Whether the graph is consistent with C11 without the rule against out-of-thin-air values: events
 * may read from stores that depend on these events.
 */
export function isConsistentButForThinAir(
  graph: ExecutionGraph,
  model: C11Model,
  standard?: ReleaseSequences,
): boolean {
  const relations = relationsOf(graph, standard);
  return (
    relations.hb.isIrreflexive &&
    relations.eco.isIrreflexive &&
    relations.hb.then(relations.eco).isIrreflexive &&
    isAtomic(graph) &&
    hasOrderOfSeqCst(relations, model)
  );
}

/** Whether the graph is consistent with C11: RC20 with the `seq_cst` accesses of C++20. */
export function isConsistent(graph: ExecutionGraph, model: C11Model): boolean {
  const { po, rf } = relationsOf(graph);
  return po.union(rf).isAcyclic && isConsistentButForThinAir(graph, model);
}

/** Whether one total order explains all events of the graph (sequential consistency). */
export function isSequentiallyConsistent(graph: ExecutionGraph): boolean {
  const { po, rf, mo, fr } = relationsOf(graph);
  return isAtomic(graph) && po.union(rf, mo, fr).isAcyclic;
}

/**
 * Returns two conflicting accesses, at least one of them plain and unordered by happens-before;
 * `undefined` if no such pair exists. With `among`, only the two given accesses count.
 */
export function findRaceIn(
  graph: ExecutionGraph,
  among?: readonly [number, number],
): readonly [number, number] | undefined {
  const { events, hb } = relationsOf(graph);
  for (const [one, a] of events.entries())
    for (const [other, b] of events.entries()) {
      if (among && (one !== among[0] || other !== among[1])) continue;
      if (one >= other || a.thread === undefined || b.thread === undefined) continue;
      if (a.thread === b.thread || a.address === undefined || a.address !== b.address) continue;
      if (!writes(a) && !writes(b)) continue;
      if (a.order !== 'plain' && b.order !== 'plain') continue;
      if (!hb.has(one, other) && !hb.has(other, one)) return [one, other];
    }
  return undefined;
}
