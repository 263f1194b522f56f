import { at } from '@fencewright/ground/base/at.js';
import type { Budget } from '@fencewright/ground/base/budget.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import { observationOf } from '../exploration/observation.js';
import { PackedExploration } from '../exploration/packed-exploration.js';
import { formatAddress, symbolAt } from '@fencewright/model/program/format.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { MemoryModel } from '@fencewright/model/trace/memory-model.js';
import type { FreedUse } from '@fencewright/model/verdict/data-race.js';
import { pairOf } from './possible-races.js';
import { watchFreed } from './watch-freed.js';

/**
 * Returns uses of freed memory of a program in C: accesses to blocks that are freed at this moment,
 * and second frees of a block, each in some execution under the memory model. One use is given for
 * each place in the text. A search that the budget ends gives the uses found until then.
 *
 * A robust program has all its uses under SC: if a TSO execution comes to an access of a freed
 * block, the SC execution with the happens-before of the part before comes to it as well.
 */
export async function findFreedUses(
  program: Program,
  model: MemoryModel,
  budget: Budget,
): Promise<readonly FreedUse[]> {
  const watched = watchFreed(program, model);
  if (!watched) return [];
  const { distance, from } = watched;
  const exploration = new PackedExploration(watched.program, {
    model,
    observation: observationOf(watched.program, []),
  });
  await exploration.explore(budget, () => true);
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
    // Another thread has allocated the block, while the flag still waited in a store buffer.
    if (change.value === 0) continue;
    const use = { thread, transition: at(at(from, thread), transition) };
    const accessed = address - distance;
    found.set(pairOf(program, use, use), {
      address: accessed,
      cell: nameOf(program, accessed),
      use,
      free: { thread: change.thread, transition: at(at(from, change.thread), change.transition) },
      model,
    });
  }
  return [...found.values()].sort(
    (one, other) => one.use.thread - other.use.thread || one.use.transition - other.use.transition,
  );
}

/** The name of a cell of a freed block; by its block if no variable is there. */
function nameOf(program: Program, address: number): string {
  const pointed = program.pointers?.names.get(address);
  const block = program.freedBlocks?.find(
    (each) => address >= each.address && address < each.address + each.size,
  );
  if (pointed !== undefined || !block || symbolAt(program, address) !== undefined)
    return pointed ?? formatAddress(program, address);
  return address === block.address ? block.name : `${block.name}+${address - block.address}`;
}
