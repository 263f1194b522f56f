import { hasKind } from './has-kind.js';
import { at } from '@fencewright/ground/base/at.js';
import type { EventInstruction } from './event-program.js';
import { constant, isSame } from './expression.js';
import type { TransitionId } from './ids.js';
import type { Instruction, RmwInstruction } from './instruction.js';
import type { Thread, Transition } from './program.js';
import { resultOfFailure } from './rmw.js';

/**
 * An rmw that may fail at any time without effect (`weak_cas`, `weak_xchg`). As an alternative to
 * the rmw, the thread can execute a fence at the rmw's location, followed by an assignment of the
 * result of a failed rmw to the register (or by a `skip` if the result is dropped). So a weak rmw
 * consists of ordinary instructions.
 */
interface WeakRmw {
  readonly rmw: TransitionId;
  readonly fence: TransitionId;
  readonly result: TransitionId;
}

/**
 * Finds the weak rmws (which may fail at any time) of a thread, in the order of their rmws; a weak
 * rmw has no label inside.
 */
export function findWeakRmws({
  transitions,
  locations,
  initial,
}: Thread<EventInstruction>): readonly WeakRmw[] {
  if (!hasKind([{ transitions }], 'rmw')) return [];
  const arrivals = locations.map(() => 0);
  const departures = locations.map((): TransitionId[] => []);
  transitions.forEach(({ from, to }, id) => {
    arrivals[to] = (arrivals[to] ?? 0) + 1;
    departures[from]?.push(id);
  });
  const taken = new Set<TransitionId>();
  return transitions.flatMap(({ from, to, instruction }, rmw): WeakRmw[] => {
    if (instruction.kind !== 'rmw') return [];
    const failure = failureOf(instruction);
    if (!failure) return [];
    for (const fence of departures[from] ?? []) {
      const leaving = transitions[fence];
      if (!leaving || taken.has(fence)) continue;
      if (leaving.instruction.kind !== 'fence' || !isUnmarked(leaving)) continue;
      const middle = leaving.to;
      const [result, ...others] = departures[middle] ?? [];
      const last = result === undefined ? undefined : transitions[result];
      if (result === undefined || !last || others.length > 0 || last.to !== to) continue;
      if (middle === initial || arrivals[middle] !== 1 || !locations[middle]?.hidden) continue;
      if (!isSame(last.instruction, failure) || !isUnmarked(last)) continue;
      taken.add(fence);
      return [{ rmw, fence, result }];
    }
    return [];
  });
}

function isUnmarked({ cost, nofence, luck }: Transition<unknown>): boolean {
  return cost === undefined && nofence === undefined && luck === undefined;
}

/**
 * Returns the instruction after the fence of a failing weak rmw: it assigns the result of failure,
 * or is a `skip`. `undefined` if the rmw cannot be weak.
 */
function failureOf({ into, operation }: RmwInstruction): Instruction | undefined {
  const value = resultOfFailure(operation);
  if (!value) return undefined;
  return into === undefined ? { kind: 'skip' } : { kind: 'assign', into, value };
}

/**
 * Returns the transitions that make an rmw from `from` to `to` weak; `middle` is a new location
 * between the fence and the assignment. Empty if the rmw cannot be weak.
 */
export function failingBranch(
  { from, to, instruction, origin }: Transition,
  middle: number,
): readonly Transition[] {
  const failure = instruction.kind === 'rmw' ? failureOf(instruction) : undefined;
  if (!failure) return [];
  return [
    { from, to: middle, instruction: { kind: 'fence' }, origin },
    { from: middle, to, instruction: failure, origin },
  ];
}

/**
 * Returns the thread with an rmw made weak; the rmw keeps its id. The thread is unchanged if the
 * rmw is weak already, or cannot be.
 */
export function weakenRmw(thread: Thread, rmw: TransitionId): Thread {
  const transition = thread.transitions[rmw];
  if (!transition || findWeakRmws(thread).some((each) => each.rmw === rmw)) return thread;
  const middle = thread.locations.length;
  const branch = failingBranch(transition, middle);
  if (branch.length === 0) return thread;
  const name = `${at(thread.locations, transition.from).name}'${middle}`;
  return {
    ...thread,
    locations: [...thread.locations, { name, hidden: true }],
    transitions: [...thread.transitions, ...branch],
  };
}

/**
 * Returns the thread with weak rmws replaced by ordinary rmws; all ids are kept, and the fences
 * become unreachable.
 */
export function strengthenRmws(thread: Thread): Thread {
  const fences = new Set(findWeakRmws(thread).map(({ fence }) => fence));
  if (fences.size === 0) return thread;
  return {
    ...thread,
    transitions: thread.transitions.map((transition, id) =>
      fences.has(id)
        ? { ...transition, instruction: { kind: 'assume', condition: constant(0) } }
        : transition,
    ),
  };
}
