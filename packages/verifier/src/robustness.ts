import { type Automata, draining, localKinds } from './automata.js';
import type { Budget, Exhausted } from './budget.js';
import { explore } from './explore.js';
import type { HappensBefore } from './happens-before.js';
import { whySeveralMayDelay } from './several-delays.js';
import { Machine, type State, stateKey, type Step } from './machine.js';

/**
 * The first store that the attacker delays; an access of another thread to the store's cell closes
 * the cycle.
 */
interface Target {
  readonly attacker: number;
  readonly address: number;
  readonly value: number;
}

/**
 * A state behind the attacker's last load `l`. The other threads run under SC. An access is
 * `reached` if happens-before leads from `l` to the access.
 */
interface Path {
  readonly state: State;
  /** Threads that have made a reached access; all later accesses of such a thread are reached. */
  readonly threads: ReadonlySet<number>;
  /** By cell: the values that reached accesses read or wrote. */
  readonly seen: ReadonlyMap<number, readonly number[]>;
  /** Cells whose current value was stored by a reached access. */
  readonly stored: ReadonlySet<number>;
  /**
   * Accesses of the open lock block; empty if happens-before leads from `l` to one of them, and
   * outside of lock blocks.
   */
  readonly block: readonly {
    readonly address: number;
    readonly values: readonly number[];
    readonly written: boolean;
  }[];
  /** Whether a reached access was to the cell of the first delayed store. */
  readonly met: boolean;
}

export type Robustness =
  | { readonly kind: 'robust'; readonly faults: boolean }
  | { readonly kind: 'not-robust' }
  | { readonly kind: 'unknown'; readonly reason: Exhausted };

/**
 * Decides whether a program with finitely many states is robust, by a plain search for the
 * computations to which the locality theorems reduce the question ([BDM13] Theorem 1, Fig. 4;
 * docs/value-happens-before.md for values; docs/adr/0007 for lock blocks, which are single
 * accesses). One thread, the attacker, delays stores, from `s` on, and makes no further use of
 * memory until loading `l` from memory. Then the other threads run under SC until happens-before
 * leads from `l` to an access to the cell of `s`. The cycle is closed when `s` reaches memory after
 * that access: `s` leads to `l` by program order.
 */
class Search {
  readonly #machine: Machine;
  readonly #happensBefore: HappensBefore;
  readonly #budget: Budget;
  faults = false;
  exhausted: Exhausted | undefined;

  constructor(automata: Automata, happensBefore: HappensBefore, budget: Budget) {
    this.#machine = new Machine(automata);
    this.#happensBefore = happensBefore;
    this.#budget = budget;
  }

  #explore<T>(
    starts: readonly T[],
    key: (node: T) => string,
    next: (node: T) => readonly T[] | 'goal',
    seen?: Set<string>,
  ): boolean {
    const found = explore(starts, key, next, this.#budget, seen);
    if (typeof found === 'object') this.exhausted = found.exhausted;
    return found === 'goal';
  }

  #stepsOf(state: State, thread: number, sc: boolean): readonly Step[] {
    const { steps, faults } = this.#machine.steps(state, thread, sc);
    this.faults ||= faults.length > 0;
    return steps;
  }

  /**
   * Returns the steps of all threads except `leftOut`. If all next steps of some thread are
   * invisible to other threads and lead forward in the thread's list of locations, only the steps
   * of that thread are returned: such steps can be done first, and a series of such steps ends.
   * While an attacker delays stores, no other thread ends a heavy fence.
   */
  #steps(state: State, leftOut: number | undefined, attacker?: number): readonly Step[] {
    const all: Step[] = [];
    for (let thread = 0; thread < state.locations.length; thread++) {
      if (thread === leftOut) continue;
      const steps = this.#stepsOf(state, thread, thread !== attacker);
      const at = state.locations[thread]!;
      if (steps.length > 0 && this.#isQuiet(thread, at)) return steps;
      all.push(...steps);
    }
    const isAttacked = leftOut !== undefined || attacker !== undefined;
    return isAttacked ? all.filter(({ kind }) => kind !== 'heavy-fence') : all;
  }

  #isQuiet(thread: number, location: number): boolean {
    const { transitions } = this.#machine.automata.threads[thread]!;
    return this.#machine.leaving[thread]![location]!.every((id) => {
      const { to, instruction } = transitions[id]!;
      return to > location && localKinds.has(instruction.kind);
    });
  }

  /** Whether some thread, as the attacker, produces a happens-before cycle. */
  run(): boolean {
    const starts = new Map<number, State[]>();
    const delaying = this.#machine.automata.threads.map((_, t) => this.#canLoad(t));
    // Phase one: everything under SC. Any state in which a thread can issue a store is a start of
    // phase two.
    this.#explore([this.#machine.initial], stateKey, (state) => {
      state.locations.forEach((_, attacker) => {
        if (state.holder === attacker) return;
        for (const { kind, state: after } of this.#stepsOf(state, attacker, false))
          if (kind === 'store' && delaying[attacker]!.has(after.locations[attacker]!))
            starts.set(attacker, [...(starts.get(attacker) ?? []), after]);
      });
      return this.#steps(state, undefined).map(({ state: after }) => after);
    });
    for (const [attacker, states] of starts)
      if (this.exhausted === undefined && this.#attack(attacker, states, delaying[attacker]!))
        return true;
    return false;
  }

  /**
   * Returns the locations from which a thread can reach a load without waiting for an empty buffer.
   */
  #canLoad(thread: number): ReadonlySet<number> {
    const { transitions } = this.#machine.automata.threads[thread]!;
    const found = new Set<number>();
    for (let size = -1; size < found.size;) {
      size = found.size;
      for (const { from, to, instruction } of transitions)
        if (instruction.kind === 'load' || (found.has(to) && !draining.has(instruction.kind)))
          found.add(from);
    }
    return found;
  }

  /**
   * Searches phase two of attacks, in which the attacker's stores stay in the buffer; returns
   * whether an attack succeeds. Loads see only the newest store to each address, and the end of the
   * attack depends only on the oldest store of all.
   */
  #attack(attacker: number, starts: readonly State[], useful: ReadonlySet<number>): boolean {
    const paths = new Set<string>();
    const short = (state: State): State => {
      const [first, ...rest] = state.buffers[attacker]!;
      const newest = new Map(rest.map((store) => [store.address, store]));
      const kept = [...newest.values()].sort((a, b) => a.address - b.address);
      const buffer = first ? [first, ...kept] : [];
      return { ...state, buffers: state.buffers.map((old, t) => (t === attacker ? buffer : old)) };
    };
    return this.#explore(starts.map(short), stateKey, (state) => {
      const after: State[] = [];
      for (const step of this.#steps(state, undefined, attacker)) {
        const next = step.state;
        if (step.thread === attacker && step.kind === 'load' && !step.access!.early) {
          const { address, value } = state.buffers[attacker]![0]!;
          const target = { attacker, address, value };
          if (this.#goOn(target, next, step.access!.address, step.access!.read!, paths))
            return 'goal';
        }
        if (useful.has(next.locations[attacker]!)) after.push(short(next));
      }
      return after;
    });
  }

  /**
   * Searches phase three of attacks, from the attacker's last load on; returns whether an attack
   * succeeds. The attacker and the stores in the attacker's buffer play no part except for the
   * target.
   */
  #goOn(target: Target, state: State, cell: number, value: number, known: Set<string>): boolean {
    const { attacker } = target;
    const start: Path = {
      state: {
        ...state,
        locations: state.locations.map((at, t) => (t === attacker ? 0 : at)),
        registers: state.registers.map((own, t) => (t === attacker ? [] : own)),
        buffers: state.buffers.map(() => []),
      },
      threads: new Set(),
      seen: new Map([[cell, [value]]]),
      stored: new Set(),
      block: [],
      met: false,
    };
    // The attacker's load did not wait, so no other thread holds the lock. The attacker does not
    // hold the lock either: the release would need an empty buffer.
    const key = ({ state: at, threads, seen, stored, block, met }: Path): string => {
      const sorted = [[...threads].sort(), [...seen].sort(([a], [b]) => a - b), [...stored].sort()];
      return JSON.stringify([stateKey(at), target, sorted, block, met]);
    };
    return this.#explore(
      [start],
      key,
      (path) => {
        if (path.met && path.state.holder === undefined) return 'goal';
        return this.#steps(path.state, attacker).map((step) => this.#follow(path, step, target));
      },
      known,
    );
  }

  /**
   * Returns the path after an SC step of a thread other than the attacker, with the reached
   * accesses updated.
   */
  #follow(path: Path, step: Step, target: Target): Path {
    const { thread, access, state } = step;
    const released = step.kind === 'unlock' ? [] : path.block;
    if (!access) return { ...path, state, block: released };
    const { address, read, written } = access;
    const byValue = this.#happensBefore === 'value';
    const seen = path.seen.get(address) ?? [];
    const isReached =
      path.threads.has(thread) ||
      // src, from the last store
      (read !== undefined && path.stored.has(address)) ||
      // st and cf, from reached accesses: all reached accesses come before this store in memory
      (written !== undefined && seen.some((value) => !byValue || value !== written));
    const values = [read, written].filter((value) => value !== undefined);
    const own = { address, values, written: written !== undefined };
    const isLocked = state.holder === thread;
    if (!isReached) {
      const stored = new Set(path.stored);
      if (own.written) stored.delete(address);
      return { ...path, state, stored, block: isLocked ? [...path.block, own] : path.block };
    }
    // If one access of a lock block is reached, all are.
    const all = [...path.block, own];
    const grown = new Map(path.seen);
    const stored = new Set(path.stored);
    for (const one of all) {
      const known = [...(grown.get(one.address) ?? []), ...one.values];
      grown.set(one.address, byValue ? [...new Set(known)].sort((a, b) => a - b) : [0]);
      if (one.written) stored.add(one.address);
    }
    const meets = all.some(
      (one) =>
        one.address === target.address &&
        (!byValue || one.values.some((value) => value !== target.value)),
    );
    const threads = new Set([...path.threads, thread]);
    return { state, threads, seen: grown, stored, block: [], met: path.met || meets };
  }
}

/**
 * Decides whether a program is robust in a notion of happens-before; returns the exhausted limit if
 * undecided. `faults`: some execution ends in a fault.
 */
export function decideRobustness(
  automata: Automata,
  happensBefore: HappensBefore,
  budget: Budget,
): Robustness {
  const search = new Search(automata, happensBefore, budget);
  if (search.run()) return { kind: 'not-robust' };
  const { faults, exhausted = whySeveralMayDelay(automata, budget) } = search;
  return exhausted === undefined
    ? { kind: 'robust', faults }
    : { kind: 'unknown', reason: exhausted };
}
