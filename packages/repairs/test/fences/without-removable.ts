import { removableInstructions, withoutItems } from '../../src/fences/apply-repair.js';
import { textThread } from '../../src/fences/text-thread.js';
import type { Program } from '@fencewright/model/program/program.js';
import { type Repair, repairName } from '@fencewright/model/program/repair.js';

/**
 * Returns the program without the fences that `--minimise` may remove, apart from those in `kept`.
 */
export function withoutRemovable(
  program: Program,
  lockedStores: boolean,
  kept: readonly Repair[] = [],
): Program {
  const names = new Set(kept.map(repairName));
  const items = program.threads.flatMap((thread, t) =>
    textThread(program, t) === t
      ? [...removableInstructions(thread, lockedStores)].map((transition): Repair => ({
          kind: 'keep',
          thread: t,
          transition,
        }))
      : [],
  );
  return withoutItems(
    program,
    items.filter((item) => !names.has(repairName(item))),
  );
}
