import { at } from '@fencewright/ground/base/at.js';
import type { ExecutionGraph, GraphEvent } from '@fencewright/model/c11/execution-graph.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { C11Code } from '@fencewright/engines/c11/c11-steps.js';
import type { OrderAssignment } from './apply-orders.js';
import type { OrderSite } from './order-sites.js';
import { type Passage, passageOf } from './thread-passage.js';

/**
 * An execution graph whose memory orders are not chosen yet, with an event for each possible fence.
 */
interface OpenGraph {
  /** Returns the graph with the memory orders that the assignment chooses for the sites. */
  readonly withLevels: (assignment: OrderAssignment) => ExecutionGraph;
  /**
   * Returns the index in the open graph of an event that is given by its index in the original
   * graph.
   */
  readonly indexOf: (event: number) => number;
  /** The indices of the sites (`OrderSite`) with an event in the graph. */
  readonly sites: ReadonlySet<number>;
}

/** The sites (`OrderSite`) of a program, by instruction and by location. */
interface SiteIndex {
  readonly ofStep: (thread: ThreadId, transition: number) => number | undefined;
  readonly ofLocation: (thread: ThreadId, location: number) => number | undefined;
}

/** Returns the sites (`OrderSite`) by instruction and by location. */
export function indexSites(sites: readonly OrderSite[]): SiteIndex {
  const steps = new Map<string, number>();
  const locations = new Map<string, number>();
  sites.forEach((site, index) => {
    for (const { thread, transition } of site.steps) steps.set(`${thread} ${transition}`, index);
    for (const { thread, location } of site.fences) locations.set(`${thread} ${location}`, index);
  });
  return {
    ofStep: (thread, transition) => steps.get(`${thread} ${transition}`),
    ofLocation: (thread, location) => locations.get(`${thread} ${location}`),
  };
}

interface OpenEvent {
  readonly event: GraphEvent;
  readonly site?: number;
  /** The index of the event in the original graph; absent for an added fence. */
  readonly old?: number;
}

/**
 * Opens an execution graph: makes the orders of the events variable, and adds the possible fences.
 * The graph belongs to the program with other orders and fences, and the events of each thread have
 * no gaps.
 */
export function openGraph(
  code: C11Code,
  { ofStep, ofLocation }: SiteIndex,
  { events, modification }: ExecutionGraph,
): OpenGraph {
  const opened: OpenEvent[] = events.flatMap((event, old): OpenEvent[] =>
    event.thread === undefined ? [{ event, old }] : [],
  );
  code.program.threads.forEach((_, thread) => {
    const own = [...events.keys()].filter((index) => {
      const event = at(events, index);
      return event.thread === thread && event.kind !== 'fence';
    });
    const toOpen = (passage: Passage): OpenEvent[] => {
      if (passage.kind === 'event') {
        const event = at(events, passage.event);
        const site = ofStep(thread, passage.transition);
        return [{ event, old: passage.event, ...(site !== undefined && { site }) }];
      }
      const site =
        passage.kind === 'fence'
          ? ofStep(thread, passage.transition)
          : ofLocation(thread, passage.location);
      if (site === undefined) return [];
      return [{ event: { kind: 'fence', thread, order: 'relaxed' }, site }];
    };
    const passages = passageOf(
      code,
      thread,
      own.map((index) => at(events, index)),
      own,
    );
    opened.push(...passages.flatMap(toOpen));
  });
  const renamed = new Map(
    opened.flatMap(({ old }, index) => (old === undefined ? [] : [[old, index]])),
  );
  const indexOf = (event: number): number => renamed.get(event)!;
  const withLevels = (assignment: OrderAssignment): ExecutionGraph => ({
    events: opened.map(({ event, site }): GraphEvent => {
      const { from } = event;
      const moved = from === undefined ? event : { ...event, from: indexOf(from) };
      if (site === undefined) return moved;
      const { order, failure = order } = at(assignment, site);
      return { ...moved, order: event.kind === 'read' ? failure : order };
    }),
    modification: modification.map((stores) => stores.map(indexOf)),
  });
  const sites = new Set(opened.flatMap(({ site }) => (site === undefined ? [] : [site])));
  return { withLevels, indexOf, sites };
}
