import type { Budget } from '@fencewright/ground/base/budget.js';
import type { C11Model } from '@fencewright/model/c11/execution-graph.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import { findCells } from './cells.js';
import { compileC11 } from './c11-steps.js';
import { MonitoredProgram } from './monitor-steps.js';
import { PostponedLoadSearch } from './postponed-load.js';
import { ThreadSymmetry } from './symmetry.js';

/**
 * Whether hardware may execute a load of the thread after a later store, as far as the budget
 * allows to search; true in doubt. The memory orders and fences of other threads make no
 * difference. Throws the exceptions of steps.
 */
export async function hasLoadBuffering(
  program: Program,
  model: C11Model,
  thread: ThreadId,
  budget: Budget,
): Promise<boolean> {
  const code = compileC11(program);
  const monitored = new MonitoredProgram(code, model, { purpose: 'interleavings' });
  const symmetry = new ThreadSymmetry(code, monitored.layout);
  // Loads of threads with equal code are overtaken in the same executions with threads renamed.
  const mayPostpone = (one: ThreadId): boolean => symmetry.areAlike(one, thread);
  const search = new PostponedLoadSearch(monitored, findCells(code), { model, mayPostpone });
  const { found, doubt } = await search.search(budget);
  return found.length > 0 || doubt !== undefined;
}
