import { at } from '@fencewright/ground/base/at.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import { UniqueNames } from '@fencewright/ground/base/unique-names.js';
import type { LocationId, ThreadId } from '@fencewright/model/program/ids.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import type { MemoryOrder } from '@fencewright/model/program/memory-order.js';
import { isAtMost, type OrderLevel } from '@fencewright/model/program/order-level.js';
import type { Program, Thread, Transition } from '@fencewright/model/program/program.js';
import type { C11Code } from '@fencewright/engines/c11/c11-steps.js';
import { locationsOfWait, type OrderSite } from './order-sites.js';

/**
 * The memory orders that are chosen for all sites (`OrderSite`): one level for each site, by index.
 */
export type OrderAssignment = readonly OrderLevel[];

function fenceOf(order: MemoryOrder): Instruction {
  if (order === 'seq_cst') return { kind: 'fence' };
  return order === 'relaxed' ? { kind: 'skip' } : { kind: 'skip', fence: order };
}

/** Returns the instruction with the memory orders of the given level. */
function withLevel(instruction: Instruction, { order, failure }: OrderLevel): Instruction {
  switch (instruction.kind) {
    case 'load':
    case 'store':
      return { ...instruction, order };
    case 'rmw':
    case 'lock':
      return { ...instruction, order, ...(failure !== undefined && { failureOrder: failure }) };
    case 'fence':
    case 'skip':
      return fenceOf(order);
    default:
      throw new InternalError('only accesses and fences have orders');
  }
}

/** Whether a transition leads back to the start of a loop that only waits for a value. */
export function leadsBack(
  code: C11Code,
  thread: ThreadId,
  { from, to }: Pick<Transition, 'from' | 'to'>,
): boolean {
  return at(at(code.steps, thread), to).some((step) =>
    locationsOfWait(code, thread, to, step).includes(from),
  );
}

/**
 * Inserts fences before locations; a loop that only waits has the fence before the loop.
 * Transitions keep their ids; the fences are appended.
 */
function insertFences(
  code: C11Code,
  id: ThreadId,
  thread: Thread,
  fences: ReadonlyMap<LocationId, MemoryOrder>,
): Thread {
  if (fences.size === 0) return thread;
  const taken = thread.locations.map(({ name }) => name);
  const names = new UniqueNames([], { taken, suffix: String });
  const places = [...fences.keys()];
  const fresh = new Map(places.map((place, i) => [place, thread.locations.length + i]));
  const enter = (to: LocationId): LocationId => fresh.get(to) ?? to;
  return {
    ...thread,
    initial: enter(thread.initial),
    locations: [
      ...thread.locations,
      ...places.map((place) => ({
        name: names.fresh(`${at(thread.locations, place).name}_fenced`),
        hidden: true,
      })),
    ],
    transitions: [
      ...thread.transitions.map((each) =>
        leadsBack(code, id, each) ? each : { ...each, to: enter(each.to) },
      ),
      ...places.map((place): Transition => ({
        ...{ from: fresh.get(place)!, to: place, origin: {} },
        instruction: fenceOf(fences.get(place)!),
      })),
    ],
  };
}

function isEqual(one: OrderLevel, other: OrderLevel): boolean {
  return isAtMost(one, other) && isAtMost(other, one);
}

/** Returns the program in which each site has the memory order of the assigned level. */
export function applyOrders(
  code: C11Code,
  sites: readonly OrderSite[],
  assignment: OrderAssignment,
): Program {
  const { program } = code;
  return {
    ...program,
    threads: program.threads.map((thread, id) => {
      const changed = new Map<number, OrderLevel>();
      const fences = new Map<LocationId, MemoryOrder>();
      sites.forEach((site, index) => {
        const level = at(assignment, index);
        if (isEqual(level, site.given)) return;
        for (const step of site.steps) if (step.thread === id) changed.set(step.transition, level);
        for (const part of site.fences)
          if (part.thread === id) fences.set(part.location, level.order);
      });
      const transitions = thread.transitions.map((transition, number) => {
        const level = changed.get(number);
        if (!level) return transition;
        return { ...transition, instruction: withLevel(transition.instruction, level) };
      });
      return insertFences(code, id, { ...thread, transitions }, fences);
    }),
  };
}
