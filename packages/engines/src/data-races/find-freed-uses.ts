import { at } from '@fencewright/ground/base/at.js';
import type { Budget } from '@fencewright/ground/base/budget.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import { observationOf } from '../exploration/observation.js';
import { PackedExploration } from '../exploration/packed-exploration.js';
import { blockCellName } from '@fencewright/model/program/block-cell-name.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { Action } from '@fencewright/model/trace/computation.js';
import type { MemoryModel } from '@fencewright/model/trace/memory-model.js';
import type { FreedUse } from '@fencewright/model/verdict/data-race.js';
import type { UnknownReason } from '@fencewright/model/verdict/unknown-reason.js';
import { whyIncomplete } from './find-data-races.js';
import { pairOf } from './possible-races.js';
import { runToUse } from './run-to-use.js';
import { watchFreed } from './watch-freed.js';

/** The uses of freed memory that a search found, and the reason if there may be more. */
interface FreedUses {
  readonly uses: readonly FreedUse[];
  readonly incomplete?: UnknownReason;
}

/**
 * Returns uses of freed memory of a program in C: accesses to blocks that are freed at the moment
 * of the access, and second frees of a block, each in some execution under the memory model. The
 * result has one use for each place in the text. A search ended early by the budget gives the uses
 * found until then.
 *
 * A robust program has all uses of freed memory under SC. For a TSO execution that is about to
 * access a freed block, an SC execution with the same happens-before is about to make the same
 * access.
 */
export async function findFreedUses(
  program: Program,
  model: MemoryModel,
  budget: Budget,
): Promise<FreedUses> {
  const watched = watchFreed(program, model);
  if (!watched) return { uses: [] };
  const { distance, from, added } = watched;
  const exploration = new PackedExploration(watched.program, {
    model,
    observation: observationOf(watched.program, []),
  });
  const incomplete = whyIncomplete(await exploration.explore(budget, () => true), exploration);
  const found = new Map<string, FreedUse>();
  for (const { thread, transition, run } of exploration.failures()) {
    const { computation } = run;
    const test = computation.findLastIndex(
      (action) => action.thread === thread && action.kind === 'load',
    );
    const tested = computation[test];
    if (tested?.kind !== 'load') throw new InternalError('an assertion without the load of a flag');
    const { address } = tested;
    const change = computation
      .slice(0, test)
      .findLast((action) => action.kind === 'issue' && action.address === address);
    if (change?.kind !== 'issue')
      throw new InternalError('a block that counts as freed and is not');
    // Another thread has allocated the block again, but its store to the flag is still buffered.
    if (change.value === 0) continue;
    const use = { thread, transition: at(at(from, thread), transition) };
    const accessed = address - distance;
    const path = computation.flatMap((action): Action[] =>
      at(added, action.thread).has(action.transition)
        ? []
        : [{ ...action, transition: at(at(from, action.thread), action.transition) }],
    );
    const shown = runToUse(program, model, path, use);
    found.set(pairOf(program, use, use), {
      address: accessed,
      cell: blockCellName(program, accessed),
      use,
      free: { thread: change.thread, transition: at(at(from, change.thread), change.transition) },
      model,
      ...(shown && { computation: shown }),
    });
  }
  const uses = [...found.values()].sort(
    (one, other) => one.use.thread - other.use.thread || one.use.transition - other.use.transition,
  );
  return { uses, ...(incomplete && { incomplete }) };
}
