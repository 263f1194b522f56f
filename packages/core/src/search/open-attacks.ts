import {
  computeControlFlow,
  computeReachableAvoiding,
  type ControlFlow,
} from '../analysis/control-flow.js';
import type { ThreadId, TransitionId } from '../program/ids.js';
import { endsAttack } from '../program/instruction.js';
import type { Program, Thread } from '../program/program.js';
import type { Attack } from '../verdict/attack.js';
import { isDraining, type BlockedSteps } from '../automata/attacker-automaton.js';

function storesOf({ transitions }: Thread, { transitions: blocked }: BlockedSteps): TransitionId[] {
  return transitions.flatMap(({ instruction }, id) =>
    instruction.kind === 'store' && !blocked.has(id) ? [id] : [],
  );
}

/**
 * The loads that some control-flow path from the store reaches without draining the store buffer,
 * by itself or by a repair.
 */
function loadsBehind(
  thread: Thread,
  flow: ControlFlow,
  store: TransitionId,
  blocked: BlockedSteps,
): TransitionId[] {
  const undrained = computeReachableAvoiding(
    thread,
    flow,
    thread.transitions[store]!.to,
    (transition, id) => isDraining(blocked, transition, id),
  );
  return thread.transitions.flatMap((transition, id) =>
    endsAttack(transition.instruction) &&
    undrained[transition.from] === true &&
    !isDraining(blocked, transition, id)
      ? [id]
      : [],
  );
}

/**
 * The attacks of a thread that its control flow and the blocked steps allow, in the order of the
 * program.
 */
export function* openAttacks(
  { threads }: Program,
  t: ThreadId,
  blocked: BlockedSteps,
): Generator<Attack> {
  const thread = threads[t]!;
  const flow = computeControlFlow(thread);
  for (const store of storesOf(thread, blocked))
    for (const load of loadsBehind(thread, flow, store, blocked)) yield { thread: t, store, load };
}

/** Whether control flow and the blocked steps allow any attack of a thread. */
export function hasOpenAttack(program: Program, t: ThreadId, blocked: BlockedSteps): boolean {
  return openAttacks(program, t, blocked).next().done !== true;
}

/**
 * What a search still has to decide of the attacks of one thread: all that control flow and the
 * blocked steps allow, less those that were closed. Only the closed ones are kept: there may be as
 * many attacks as stores times loads.
 */
export class OpenAttacks {
  readonly #thread: Thread;
  readonly #blocked: BlockedSteps;
  readonly #flow: ControlFlow;
  /** The stores that had an attack; counted when the first is done. */
  #stores: number | undefined;
  readonly #closed = new Map<TransitionId, Set<TransitionId>>();
  /** How many attacks are left of the stores in `#closed`. */
  readonly #left = new Map<TransitionId, number>();
  readonly #done = new Set<TransitionId>();

  constructor(thread: Thread, blocked: BlockedSteps) {
    this.#thread = thread;
    this.#blocked = blocked;
    this.#flow = computeControlFlow(thread);
  }

  /**
   * Whether an attack is still to be decided, of which the load can happen while the store is
   * buffered.
   */
  isOpen(store: TransitionId, load: TransitionId): boolean {
    return this.#closed.get(store)?.has(load) !== true;
  }

  /** Whether attacks that begin with the store are still to be decided, if there were any. */
  hasOpen(store: TransitionId): boolean {
    return !this.#done.has(store);
  }

  /** Whether all are closed; there was at least one. */
  get isEmpty(): boolean {
    if (this.#done.size === 0) return false;
    this.#stores ??= storesOf(this.#thread, this.#blocked).filter(
      (store) => this.#loads(store).length > 0,
    ).length;
    return this.#done.size === this.#stores;
  }

  /** To be called once for each attack that is feasible. */
  close(store: TransitionId, load: TransitionId): void {
    const closed = this.#closed.get(store) ?? new Set<TransitionId>();
    this.#closed.set(store, closed.add(load));
    const left = (this.#left.get(store) ?? this.#loads(store).length) - 1;
    this.#left.set(store, left);
    if (left === 0) this.#done.add(store);
  }

  #loads(store: TransitionId): TransitionId[] {
    return loadsBehind(this.#thread, this.#flow, store, this.#blocked);
  }
}
