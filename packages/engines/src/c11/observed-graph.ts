import { at } from '@fencewright/ground/base/at.js';
import { isConsistent } from '@fencewright/model/c11/consistency.js';
import type { C11Model, ExecutionGraph } from '@fencewright/model/c11/execution-graph.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { MonitoredProgram, MonitorEvent, StaleStep } from './monitor-steps.js';
import {
  addEvent,
  type Draft,
  initialDraft,
  neededFor,
  restrict,
  withStaleEvent,
} from './violation-graph.js';

/**
 * A load, or a failing read-modify-write, of the value of an old store (a store already
 * overwritten).
 */
export interface OldRead {
  readonly kind: 'old-read';
  readonly stale: StaleStep;
  readonly value: number;
}

/** An execution graph with the events that have read old stores. */
export interface ObservedGraph {
  readonly graph: ExecutionGraph;
  readonly oldReads: readonly number[];
}

/**
 * Returns the graph with one more event: a read of the value of `old`. The event reads from the
 * newest old store with this value that C11 allows; `undefined` if C11 allows no such store.
 */
function withOldRead(
  program: MonitoredProgram,
  model: C11Model,
  draft: Draft,
  { stale, value }: OldRead,
): Draft | undefined {
  const stores = at(draft.modification, stale.cell);
  for (let place = stores.length - 2; place >= 0; place--) {
    if (draft.events[at(stores, place)]!.written !== value) continue;
    const extended = withStaleEvent(program, draft, { ...stale, values: [value] }, place);
    if (isConsistent(extended, model)) return extended;
  }
  return undefined;
}

/**
 * Returns the graph of an execution, if possible without events that the last step of `thread` does
 * not need; `undefined` if C11 does not allow all reads of old stores together. The definitions of
 * C11 judge the graph.
 */
export function observedGraph(
  program: MonitoredProgram,
  model: C11Model,
  run: readonly (MonitorEvent | OldRead)[],
  thread: ThreadId,
): ObservedGraph | undefined {
  let draft = initialDraft(program.cells);
  const old: number[] = [];
  for (const one of run) {
    if (one.kind !== 'old-read') addEvent(program.cells, draft, one);
    else {
      const next = withOldRead(program, model, draft, one);
      if (!next) return undefined;
      old.push(next.events.length - 1);
      draft = { events: [...next.events], modification: next.modification };
    }
  }
  const last = draft.events.findLastIndex((event) => event.thread === thread);
  const whole = new Set(draft.events.keys());
  for (const kept of [last < 0 ? whole : neededFor(draft, [last]), whole]) {
    const { graph, renamed } = restrict(draft, kept);
    const oldReads = old.filter((event) => kept.has(event)).map((event) => renamed.get(event)!);
    if (oldReads.length > 0 && isConsistent(graph, model)) return { graph, oldReads };
  }
  return undefined;
}
