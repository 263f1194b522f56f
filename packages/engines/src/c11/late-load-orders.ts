import { at } from '@fencewright/ground/base/at.js';
import { cycleThrough } from '@fencewright/model/c11/graph-arrows.js';
import type { ExecutionGraph } from '@fencewright/model/c11/execution-graph.js';
import type { RaisedOrder } from '@fencewright/model/c11/preventing-orders.js';
import type { C11Code } from './c11-steps.js';
import type { C11Cells } from './cells.js';
import { acquiringOrder } from './late-loads.js';
import { OrderOfLoads } from './stores-behind-loads.js';

/** The maximum number of changes of orders that an answer names. */
const mostChanges = 2;

/**
 * Returns the index of the first late load; -1 if there is none. A late load is on a cycle of
 * program order and reads-from, and reads from a later event of the list. If the graph was built
 * step by step, the load was executed late. A load that reads from a later event, but is on no such
 * cycle, could have been executed at the load's place in program order.
 */
export function firstLateLoad(graph: ExecutionGraph): number {
  return graph.events.findIndex(
    ({ from }, index) =>
      from !== undefined && from > index && cycleThrough(graph, index, false)[0]?.from === index,
  );
}

/**
 * Returns, as indices, the loads that a shortest cycle of program order and reads-from through
 * `event` enters by reads-from and leaves by program order. An update that the cycle leaves by
 * reads-from is not among them.
 */
function loadsBeforeStores(graph: ExecutionGraph, event: number): readonly number[] {
  const cycle = cycleThrough(graph, event, false);
  return cycle.flatMap(({ from, relation }, index) => {
    const before = cycle.at(index - 1)!;
    return relation === 'po' && before.relation === 'rf' ? [from] : [];
  });
}

/**
 * Returns one or two changes of memory orders to acquiring orders that exclude an execution in
 * which the load `event` is late; `undefined` if more changes are needed, or a plain access would
 * have to change. With the changes, each load on the cycle of program order and reads-from is
 * executed before the store that follows in program order on the cycle: the program's memory
 * orders, fences and dependencies ensure this.
 */
export function ordersAgainstLateLoad(
  code: C11Code,
  cells: C11Cells,
  graph: ExecutionGraph,
  event: number,
): readonly RaisedOrder[] | undefined {
  const kept = new OrderOfLoads(code, cells);
  const changes = loadsBeforeStores(graph, event).flatMap((load): readonly RaisedOrder[] => {
    const { thread, transition, order } = at(graph.events, load);
    const step = at(code.steps, thread!)
      .flat()
      .find((one) => one.code.id === transition);
    const isKept = load !== event && step !== undefined && !kept.mayBeOvertaken(thread!, step);
    return isKept ? [] : [{ event: load, order: acquiringOrder(order) }];
  });
  const isPlain = changes.some(({ event: load }) => at(graph.events, load).order === 'plain');
  return isPlain || changes.length === 0 || changes.length > mostChanges ? undefined : changes;
}
