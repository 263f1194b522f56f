import type { Budget } from '@fencewright/ground/base/budget.js';
import type { C11Model } from '@fencewright/model/c11/execution-graph.js';
import { findCells } from './cells.js';
import type { C11Code } from './c11-steps.js';
import { MonitoredProgram } from './monitor-steps.js';
import { type LoadBufferingFindings, PostponedLoadSearch } from './postponed-load.js';
import { OrderOfLoads } from './stores-behind-loads.js';

/**
 * Searches for load buffering in executions that also load old stores: a load whose value changes
 * because hardware executes a later store of the same thread first. Returns `undefined` if no store
 * may overtake a load. The search ends at the first step of which it cannot tell whether load
 * buffering is possible. Throws the exceptions of steps.
 */
export async function searchBesideOldLoads(
  code: C11Code,
  model: C11Model,
  budget: Budget,
  { isWhole = false }: { readonly isWhole?: boolean } = {},
): Promise<LoadBufferingFindings | undefined> {
  const cells = findCells(code);
  const order = new OrderOfLoads(code, cells);
  const overtaken = new Set(
    code.steps.flatMap((list, thread) =>
      list.flat().filter((step) => order.mayBeOvertaken(thread, step)),
    ),
  );
  if (overtaken.size === 0) return undefined;
  const monitored = new MonitoredProgram(code, model, { purpose: 'observation', late: overtaken });
  return new PostponedLoadSearch(monitored, cells, {
    mayPostpone: (_, load) => overtaken.has(load),
    ...{ hasOldLoads: true, model, isWhole },
  }).search(budget);
}

/**
 * Whether hardware may execute a load after a later store of the same thread, such that the load's
 * value changes, in executions that also load old stores. Also true if the search cannot tell, or a
 * limit ends the search. The caller has already found, by `observe`, no difference between C11 and
 * SC for this program. If the answer is false, no execution of hardware has a cycle of program
 * order and reads-from, so the result of `observe` holds for hardware as well. Throws the
 * exceptions of steps.
 */
export async function hasLoadBufferingBesideOldLoads(
  code: C11Code,
  model: C11Model,
  budget: Budget,
): Promise<boolean> {
  const findings = await searchBesideOldLoads(code, model, budget);
  if (!findings) return false;
  const { found, doubt, incomplete } = findings;
  return found.length > 0 || doubt !== undefined || incomplete !== undefined;
}
