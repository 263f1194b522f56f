import { computeLiveRegisters, instructionAccess } from '@fencewright/model/analysis/liveness.js';
import type { LocationId, RegisterId, TransitionId } from '@fencewright/model/program/ids.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import type { Thread } from '@fencewright/model/program/program.js';

/**
 * In the set of instructions that may have set a register at a location, the element for the case
 * that no instruction has set the register (`takes`).
 */
const start = -1;

/**
 * Whether the instruction gives the register a value that the thread holds from then on: it writes
 * the register, or it is a `cas` that expects the register's value, and so claims the value.
 */
function takes(instruction: Instruction, register: RegisterId): boolean {
  if (instructionAccess.defines(instruction, register)) return true;
  if (instruction.kind !== 'rmw' || instruction.operation.name !== 'cas') return false;
  const [expected] = instruction.operation.operands;
  return expected?.kind === 'register' && expected.register === register;
}

/** Returns, by location, the instructions that may have set the current value of the register. */
function reachingDefinitions(
  { transitions, locations, initial }: Thread,
  register: RegisterId,
): readonly ReadonlySet<TransitionId | typeof start>[] {
  const reaching = locations.map(() => new Set<TransitionId | typeof start>());
  reaching[initial]?.add(start);
  for (let isGrowing = true; isGrowing;) {
    isGrowing = false;
    for (const [id, { from, to, instruction }] of transitions.entries()) {
      const before = reaching[from] ?? new Set();
      const after = reaching[to] ?? new Set();
      const passing = takes(instruction, register) ? (before.size > 0 ? [id] : []) : [...before];
      for (const one of passing)
        if (!after.has(one)) {
          after.add(one);
          isGrowing = true;
        }
    }
  }
  return reaching;
}

/**
 * Returns the places at which a thread surely holds a value in a register, grouped by the
 * instructions that may have set the register. At such a place the register has been set on every
 * path, and is read later, or has its value from locked instructions only. A value from locked
 * instructions may be a claim, such as a ticket, even if the register is not read again.
 */
export function placesHolding(
  thread: Thread,
  register: RegisterId,
  places: readonly LocationId[],
): readonly (readonly LocationId[])[] {
  const reaching = reachingDefinitions(thread, register);
  const live = computeLiveRegisters(thread, instructionAccess);
  const groups = new Map<string, LocationId[]>();
  for (const place of places) {
    const givers = [...(reaching[place] ?? [])].sort((a, b) => a - b);
    if (givers.length === 0 || givers.includes(start)) continue;
    const isLive = live[place]?.[register] === true;
    if (!isLive && !givers.every((id) => thread.transitions[id]?.instruction.kind === 'rmw'))
      continue;
    const key = givers.join();
    const group = groups.get(key);
    if (group) group.push(place);
    else groups.set(key, [place]);
  }
  return [...groups.values()];
}

/** Returns the places at which no instruction can have set the register. */
export function placesBeforeGiving(
  thread: Thread,
  register: RegisterId,
  places: readonly LocationId[],
): readonly LocationId[] {
  const reaching = reachingDefinitions(thread, register);
  return places.filter((place) => {
    const givers = [...(reaching[place] ?? [])];
    return givers.length > 0 && givers.every((giver) => giver === start);
  });
}
