import { fact } from '@fencewright/ground/base/fact.js';
import { reachableAvoiding } from '@fencewright/model/analysis/control-flow.js';
import {
  drainsBuffer,
  endsAttack,
  type Instruction,
  isBuffered,
} from '@fencewright/model/program/instruction.js';
import type { LocationId, ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import type { Program, Thread } from '@fencewright/model/program/program.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';

function idsOf(thread: Thread, selects: (instruction: Instruction) => boolean): TransitionId[] {
  return thread.transitions.flatMap(({ instruction }, id) => (selects(instruction) ? [id] : []));
}

/** The stores of a thread that begin attacks, and the loads and postings that end attacks. */
const attackEnds = fact((thread: Thread) => ({
  stores: idsOf(thread, isBuffered),
  loads: idsOf(thread, endsAttack),
}));

/** The attacks of a thread with a given first delayed store. */
interface StoreAttacks {
  readonly store: TransitionId;
  /** All loads and postings of the thread, in program order. */
  readonly loads: readonly TransitionId[];
  /**
   * Whether some control-flow path from the store reaches the load without draining the store
   * buffer.
   */
  readonly undrained: (load: TransitionId) => boolean;
}

/**
 * Yields the attacks of a thread, in program order. Attacks may number millions and are not
 * collected first.
 */
export function* attacksByStore({ threads }: Program, t: ThreadId): Generator<StoreAttacks> {
  const thread = threads[t]!;
  const { stores, loads } = attackEnds(thread);
  if (loads.length === 0) return;
  for (const store of stores) {
    const reached = undrainedBehind(thread, thread.transitions[store]!.to);
    const undrained = (load: TransitionId) => reached.has(thread.transitions[load]!.from);
    yield { store, loads, undrained };
  }
}

/**
 * Returns every attack: each pair of a store and a load or posting of one thread, in program order
 * ([BDM13] Def. 1). Rmws count neither as stores nor as loads.
 */
export function enumerateAttacks(program: Program): Attack[] {
  return program.threads.flatMap((thread, t) => {
    const { stores, loads } = attackEnds(thread);
    return stores.flatMap((store) => loads.map((load) => ({ thread: t, store, load })));
  });
}

/** Counts the attacks without listing them. */
export function countAttacks({ threads }: Program): number {
  const ends = threads.map((thread) => attackEnds(thread));
  return ends.reduce((sum, { stores, loads }) => sum + stores.length * loads.length, 0);
}

/** The locations at which a store with target location `start` may still be buffered. */
interface Undrained {
  readonly start: LocationId;
  readonly reached: ReadonlySet<LocationId>;
}

/**
 * For each thread, the result that was computed last. Only one is kept, since all results together
 * would take quadratic space, and callers ask for one store after another.
 */
const lastUndrained = new WeakMap<Thread, Undrained>();

function undrainedBehind(thread: Thread, start: LocationId): ReadonlySet<LocationId> {
  const last = lastUndrained.get(thread);
  if (last?.start === start) return last.reached;
  const reached = reachableAvoiding(thread, start, ({ instruction }) => drainsBuffer(instruction));
  lastUndrained.set(thread, { start, reached });
  return reached;
}

/**
 * Whether every control-flow path from the store to the load drains the store buffer. If so, the
 * attack is infeasible without a search.
 */
export function isInfeasibleByControlFlow(program: Program, attack: Attack): boolean {
  const thread = program.threads[attack.thread];
  const store = thread?.transitions[attack.store];
  const load = thread?.transitions[attack.load];
  if (!thread || !store || !load) return true;
  return !undrainedBehind(thread, store.to).has(load.from);
}
