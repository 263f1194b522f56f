import { computeControlFlow, reachableAvoiding } from '@fencewright/model/analysis/control-flow.js';
import { fact } from '@fencewright/ground/base/fact.js';
import type { ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import { endsAttack, isBuffered } from '@fencewright/model/program/instruction.js';
import type { Program, Thread } from '@fencewright/model/program/program.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';
import { isDraining, type BlockedSteps } from '../automata/attacker-automaton.js';

function storesOf({ transitions }: Thread, { transitions: blocked }: BlockedSteps): TransitionId[] {
  return transitions.flatMap(({ instruction }, id) =>
    isBuffered(instruction) && !blocked.has(id) ? [id] : [],
  );
}

/**
 * Returns the loads that some control-flow path from the store reaches without draining the store
 * buffer, neither by an instruction nor by a repair.
 */
function loadsBehind(thread: Thread, store: TransitionId, blocked: BlockedSteps): TransitionId[] {
  const { outgoing } = computeControlFlow(thread);
  const loads: TransitionId[] = [];
  const undrained = reachableAvoiding(thread, thread.transitions[store]!.to, (transition, id) =>
    isDraining(blocked, transition, id),
  );
  for (const location of undrained)
    for (const id of outgoing[location] ?? []) {
      const transition = thread.transitions[id]!;
      if (endsAttack(transition.instruction) && !isDraining(blocked, transition, id))
        loads.push(id);
    }
  return loads.sort((a, b) => a - b);
}

/** Whether the thread has an instruction with which an attack can end. */
const hasEnds = fact((thread: Thread) =>
  thread.transitions.some(({ instruction }) => endsAttack(instruction)),
);

/**
 * Yields the attacks of a thread that control flow and the repairs in `BlockedSteps` allow, in
 * program order.
 */
export function* openAttacks(
  { threads }: Program,
  t: ThreadId,
  blocked: BlockedSteps,
): Generator<Attack> {
  const thread = threads[t]!;
  if (!hasEnds(thread)) return;
  for (const store of storesOf(thread, blocked))
    for (const load of loadsBehind(thread, store, blocked)) yield { thread: t, store, load };
}

/** Returns whether an attack is known to be infeasible for another reason than control flow. */
export type IsRefuted = (store: TransitionId, load: TransitionId) => boolean;

/**
 * Whether control flow and the repairs in `BlockedSteps` allow an attack of a thread that is not
 * refuted.
 */
export function hasOpenAttack(
  program: Program,
  t: ThreadId,
  blocked: BlockedSteps,
  isRefuted: IsRefuted = () => false,
): boolean {
  for (const { store, load } of openAttacks(program, t, blocked))
    if (!isRefuted(store, load)) return true;
  return false;
}

/**
 * The undecided attacks of one thread: allowed by control flow and by the repairs in
 * `BlockedSteps`, not refuted, and not found to be feasible. Only feasible attacks are stored: the
 * number of attacks may be stores times loads.
 */
export class OpenAttacks {
  readonly #thread: Thread;
  readonly #blocked: BlockedSteps;
  readonly #isRefuted: IsRefuted;
  readonly #closed = new Map<TransitionId, Set<TransitionId>>();
  /** For each store that begins a feasible attack, the number of its undecided attacks. */
  readonly #left = new Map<TransitionId, number>();
  readonly #done = new Set<TransitionId>();
  /**
   * The stores that begin attacks still to be decided; computed when all attacks of some store have
   * been closed.
   */
  #remaining: Set<TransitionId> | undefined;

  constructor(thread: Thread, blocked: BlockedSteps, isRefuted: IsRefuted = () => false) {
    this.#thread = thread;
    this.#blocked = blocked;
    this.#isRefuted = isRefuted;
  }

  /**
   * Whether an attack is still to be decided. The caller has found that the load is possible while
   * the store is buffered.
   */
  isOpen(store: TransitionId, load: TransitionId): boolean {
    return this.#closed.get(store)?.has(load) !== true && !this.#isRefuted(store, load);
  }

  /**
   * Whether an attack with the given first store is still undecided. The store must have had an
   * undecided attack at the start.
   */
  hasOpen(store: TransitionId): boolean {
    return !this.#done.has(store);
  }

  /** Whether all attacks are decided. The thread must have had an undecided attack at the start. */
  get isEmpty(): boolean {
    if (this.#done.size === 0 && !this.#remaining) return false;
    this.#remaining ??= this.#openStores();
    return this.#remaining.size === 0;
  }

  /** Closes an attack that was found to be feasible; to be called once per attack. */
  close(store: TransitionId, load: TransitionId): void {
    const known = this.#left.get(store);
    const left = (known ?? this.#openLoads(store).length) - 1;
    const closed = this.#closed.get(store) ?? new Set<TransitionId>();
    this.#closed.set(store, closed.add(load));
    this.#left.set(store, left);
    if (left > 0) return;
    this.#done.add(store);
    this.#remaining?.delete(store);
  }

  /** Computes the open attacks again; to be called when more attacks have been refuted. */
  refresh(): void {
    this.#left.clear();
    this.#remaining = this.#openStores();
    for (const store of storesOf(this.#thread, this.#blocked))
      if (!this.#remaining.has(store)) this.#done.add(store);
  }

  #openStores(): Set<TransitionId> {
    const stores = storesOf(this.#thread, this.#blocked);
    return new Set(stores.filter((store) => this.#openLoads(store).length > 0));
  }

  #openLoads(store: TransitionId): TransitionId[] {
    const loads = loadsBehind(this.#thread, store, this.#blocked);
    return loads.filter((load) => this.isOpen(store, load));
  }
}
