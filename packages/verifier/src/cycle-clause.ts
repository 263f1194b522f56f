import { hasCycle, type HappensBefore } from './happens-before.js';
import { type Action, type Machine, replay } from './machine.js';
import { type Findings, nothingFound, wrongly } from './optimum.js';
import type { OwnItems } from './repair.js';
import { survives } from './survives.js';

/**
 * Checks a clause by which a program with none of the clause's items is not robust: its computation
 * has a cycle in happens-before, and survives all items outside the clause; `outside` are these
 * items by thread. `name` names the clause, and `program` the machine's program.
 */
export function checkCycleClause(
  machine: Machine,
  computation: readonly Action[],
  outside: readonly OwnItems[],
  happensBefore: HappensBefore,
  { name, program }: { readonly name: string; readonly program: 'program' | 'instance' },
): Findings {
  const replayed = replay(machine, computation);
  if (typeof replayed === 'number')
    return wrongly(
      `${name}: the computation is not one of the ${program}: action ${replayed + 1} is not possible`,
    );
  const { moments, end } = replayed;
  if (end.buffers.some((buffer) => buffer.length > 0))
    return wrongly(`${name}: the computation leaves stores in a buffer`);
  if (!hasCycle(moments, happensBefore))
    return wrongly(`${name}: the computation has no cycle in happens-before`);
  return survives(moments, outside)
    ? nothingFound
    : wrongly(`${name}: repairs outside the clause stop its computation, too`);
}
