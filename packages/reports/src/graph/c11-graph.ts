import type { GraphEvent } from '@fencewright/model/c11/execution-graph.js';
import { arrowsOf, type GraphArrow } from '@fencewright/model/c11/graph-arrows.js';
import type { ExecutionGraph } from '@fencewright/model/c11/execution-graph.js';
import type { Program } from '@fencewright/model/program/program.js';
import { cellOfEvent, eventLine, threadEventNoun, valueOfEvent } from '../words/c11-words.js';
import { type GraphNode, type HappensBeforeGraph, mostNodes } from './happens-before-graph.js';

/** Returns an event in few words: `load x = 0`, `rmw m: 0 to 1`. */
function textOf(program: Program, event: GraphEvent): string {
  const own = threadEventNoun(program, event);
  if (own !== undefined) return own;
  const { kind, read, written } = event;
  const cell = cellOfEvent(program, event);
  const value = (one: number | undefined): string => valueOfEvent(program, event, one);
  switch (kind) {
    case 'read':
      return `load ${cell} = ${value(read)}`;
    case 'write':
      return `store ${cell} = ${value(written)}`;
    case 'update':
      return `rmw ${cell}: ${value(read)} to ${value(written)}`;
    case 'fence':
      return 'fence';
  }
}

/**
 * Returns an execution graph for drawing, with the cycle that no interleaving has, or with the
 * marked events. Of a large graph, only these events are drawn.
 */
export function c11Graph(
  program: Program,
  graph: ExecutionGraph,
  cycle: readonly GraphArrow[],
  marked: readonly number[],
): HappensBeforeGraph {
  const onCycle = new Set([...cycle.flatMap(({ from, to }) => [from, to]), ...marked]);
  const all = [...graph.events.keys()].filter((one) => graph.events[one]!.thread !== undefined);
  const kept = all.length > mostNodes ? all.filter((one) => onCycle.has(one)) : all;
  const nodes = kept.map((step): GraphNode => {
    const event = graph.events[step]!;
    const foot = event.order + eventLine(program, event).replace(' at', ' ·');
    const text = textOf(program, event);
    return { step, thread: event.thread!, text, foot, onCycle: onCycle.has(step) };
  });
  const isOnCycle = ({ from, to }: GraphArrow): boolean =>
    cycle.some((one) => one.from === from && one.to === to);
  const arrows = [...cycle, ...arrowsOf(graph).filter((one) => !isOnCycle(one))];
  const edges = arrows
    .filter(({ from, to }) => kept.includes(from) && kept.includes(to))
    .map(({ from, to, relation }, index) => ({
      ...{ from: kept.indexOf(from), to: kept.indexOf(to), relation },
      onCycle: index < cycle.length,
    }));
  return { nodes, edges, leftOut: all.length - kept.length };
}
