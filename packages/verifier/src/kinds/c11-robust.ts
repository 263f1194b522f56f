import type { Automata, Order } from '../automata.js';
import type { Budget } from '../budget.js';
import type { CertificateBody } from '../check.js';
import { claimOf } from '../claim.js';
import { Met } from '../code.js';
import { Cover, type CoverState, readCover } from '../c11/cover.js';
import { forwardedAddresses } from '../c11/forwarding.js';
import { acquires, type Monitor, MonitorRules, releases } from '../c11/monitor.js';
import { keepsLoadsFirst } from '../c11/program-order.js';
import {
  NotOfC11,
  type Outcome,
  type Place,
  ThreadSteps,
  type VisibleStep,
} from '../c11/thread-steps.js';
import { type Finding, inVain, type Reached, whyNotInductive } from '../inductive.js';
import { type KindReport, rejected } from '../report.js';
import { outOfScope } from '../scope.js';
import { countOf } from '../words.js';

type Access = Exclude<VisibleStep, { kind: 'fence' }>;

/** Thrown at an error in a certificate. */
class Flaw extends Error {
  override readonly name = 'Flaw';
}

/** The threads that access a cell, and the kinds of their accesses. */
interface Users {
  readonly threads: Set<number>;
  isStored: boolean;
  isOrdered: boolean;
}

/**
 * Checks that the states of a certificate contain the start and the results of all steps, and that
 * no access may take an old store.
 */
class CoverCheck {
  readonly #automata: Automata;
  readonly #cover: Cover;
  readonly #rules: MonitorRules;
  readonly #steps: readonly ThreadSteps[];
  readonly #isOrdered: boolean;
  readonly #plain: ReadonlySet<number>;
  readonly #users = new Map<number, Users>();
  /** By thread, the addresses whose stores may be forwarded to `seq_cst` loads of the thread. */
  #forwarded: readonly ReadonlySet<number>[] = [];

  constructor(automata: Automata, body: CertificateBody) {
    const written = readCover(body, 'certificate');
    this.#automata = automata;
    this.#steps = automata.threads.map((_, t) => new ThreadSteps(automata, t));
    this.#cover = new Cover(automata, written, (t, place) => this.#steps[t]!.placeAt(place));
    this.#rules = new MonitorRules(this.#cover.watched);
    this.#isOrdered = written.model === 'c11';
    this.#plain = new Set(
      automata.symbols
        .filter(({ plain }) => plain)
        .flatMap(({ base, length }) => Array.from({ length }, (_, i) => base + i)),
    );
  }

  get model(): 'c11' | 'ra' {
    return this.#isOrdered ? 'c11' : 'ra';
  }

  get states(): number {
    return this.#cover.states.length;
  }

  /**
   * Returns the reason why the states are not closed under steps; `undefined` if they are. Throws
   * `Flaw`, `Met`, `Endless`, `NotOfC11`.
   */
  check(budget: Budget): Finding | undefined {
    this.#forwarded = this.#steps.map((steps, t) =>
      forwardedAddresses(this.#cover.places[t]!.flatMap((place) => steps.stepsFrom(place))),
    );
    let starts: readonly (readonly Place[])[] = [[]];
    for (const steps of this.#steps)
      starts = starts.flatMap((places) => steps.first.map((place) => [...places, place]));
    const memory = this.#cover.initialMemory(this.#automata);
    const monitor = this.#rules.initial(this.#steps.length);
    const finding = whyNotInductive<CoverState, CoverState>(
      {
        starts: () =>
          starts.map((places) => ({
            state: { places, memory, monitor },
            otherwise: 'the initial state is not among the states',
          })),
        parts: this.#cover.states,
        contains: (state) => this.#cover.contains(state),
        after: (state) => this.#after(state),
      },
      budget,
    );
    if (!finding) this.#checkUnwatched();
    return finding;
  }

  /** Returns the states after all steps. Throws `Flaw` if a step may take an old store. */
  *#after(state: CoverState): Generator<Reached<CoverState>> {
    for (const [thread, place] of state.places.entries())
      for (const step of place ? this.#steps[thread]!.stepsFrom(place) : [])
        yield* this.#take(state, thread, step);
  }

  *#take(state: CoverState, thread: number, step: VisibleStep): Generator<Reached<CoverState>> {
    if (step.kind === 'fence') {
      const monitor = this.#rules.fence(state.monitor, thread, step.order);
      yield* this.#arrive(state, thread, step.next, { monitor });
      return;
    }
    const { address } = step;
    const cell = this.#cover.cellAt(address);
    if (cell === undefined) throw new Flaw(`the cells leave out address ${address}`);
    const isPlain = this.#plain.has(address);
    if (isPlain && step.kind === 'rmw')
      throw new NotOfC11('a read-modify-write accesses a plain variable');
    if (isPlain && [step.order, step.failureOrder].some((one) => acquires(one) || releases(one)))
      throw new NotOfC11('a plain variable is accessed with a memory order');
    const [order, failureOrder]: [Order, Order] = isPlain
      ? ['plain', 'plain']
      : [step.order, step.failureOrder];
    this.#note(cell, thread, step, [order, failureOrder]);
    const watched = this.#cover.watchedAt(cell);
    if (watched >= 0) this.#refuseOld(state.monitor, thread, step, watched, [order, failureOrder]);
    const held = state.memory[cell]!;
    for (const { written, next } of step.outcomes(held)) {
      const kind = step.kind === 'store' ? 'write' : written === undefined ? 'read' : 'update';
      const by = kind === 'read' ? failureOrder : order;
      let { monitor } = state;
      if (watched >= 0) {
        const old = this.#cover.classOf(watched, held);
        if (old === undefined)
          throw new Flaw(`the classes leave out a value of address ${address}`);
        const isForwarded = this.#forwarded[thread]!.has(address);
        const access = { thread, cell: watched, kind, order: by, old, isForwarded } as const;
        monitor = this.#rules.access(monitor, access, this.#isOrdered);
      }
      const memory = written === undefined ? state.memory : state.memory.with(cell, written);
      yield* this.#arrive(state, thread, next, { monitor, memory });
    }
  }

  #arrive(
    state: CoverState,
    thread: number,
    next: readonly Place[],
    change: Partial<CoverState>,
  ): readonly Reached<CoverState>[] {
    const otherwise = `a step of thread '${this.#automata.threads[thread]!.name}' leads out of the states`;
    return next.map((place) => ({
      state: { ...state, ...change, places: state.places.with(thread, place) },
      otherwise,
    }));
  }

  /** Throws `Flaw` if the access may take an old store although its thread knows a later store. */
  #refuseOld(
    monitor: Monitor,
    thread: number,
    step: Access,
    watched: number,
    [order, failureOrder]: readonly [Order, Order],
  ): void {
    const mayTake = (
      by: Order,
      which: 'all' | 'unread',
      isIt: (one: Outcome) => boolean,
    ): boolean =>
      this.#cover
        .valuesOf(watched, this.#rules.takeable(monitor, thread, watched, by, which))
        .some((value) => this.#outcomes(step, value).some(isIt));
    const isTaken =
      step.kind === 'store'
        ? this.#rules.takeable(monitor, thread, watched, order, 'unread') !== 0
        : mayTake(failureOrder, 'all', ({ written }) => written === undefined) ||
          mayTake(order, 'unread', ({ written }) => written !== undefined);
    if (isTaken)
      throw new Flaw(
        `an access of thread '${this.#automata.threads[thread]!.name}' may take an old store`,
      );
  }

  /**
   * Returns the outcomes for an old value. A fault is an outcome, too: one that stores nothing and
   * has no next place.
   */
  #outcomes(step: Access, value: number): readonly Outcome[] {
    try {
      return step.outcomes(value);
    } catch (error) {
      if (!(error instanceof Met)) throw error;
      return [{ next: [] }];
    }
  }

  #note(cell: number, thread: number, { kind }: Access, orders: readonly Order[]): void {
    const users = this.#users.get(cell) ?? {
      threads: new Set(),
      ...{ isStored: false, isOrdered: false },
    };
    users.threads.add(thread);
    users.isStored ||= kind !== 'load';
    users.isOrdered ||= orders.includes('seq_cst');
    this.#users.set(cell, users);
  }

  /**
   * Old stores do not matter at cells that nobody stores to, and at cells of one thread without
   * `seq_cst` accesses. Throws `Flaw` if another cell is not watched.
   */
  #checkUnwatched(): void {
    for (const [cell, { threads, isStored, isOrdered }] of this.#users)
      if (isStored && (threads.size > 1 || isOrdered) && this.#cover.watchedAt(cell) < 0)
        throw new Flaw(`address ${this.#cover.addressOf(cell)} is not watched`);
  }
}

function hasPlainAccess({ threads }: Automata): boolean {
  return threads.some(({ transitions }) =>
    transitions.some(({ instruction }) => 'order' in instruction && instruction.order === 'plain'),
  );
}

/**
 * Checks certificates that a program is robust against C11: that every consistent execution graph,
 * with program order and reads-from without a cycle, is one of an interleaving. The certificate is
 * a set of states of interleavings with knowledge, closed under steps, in which no access may take
 * an old store. More knowledge of last stores, and larger sets of old stores, only allow more.
 */
export function checkC11Robust(
  automata: Automata,
  body: CertificateBody,
  budget: Budget,
): KindReport {
  const outside = outOfScope(automata);
  if (outside !== undefined) return rejected(outside);
  const check = new CoverCheck(automata, body);
  try {
    const finding = check.check(budget);
    if (finding) return inVain(finding);
  } catch (error) {
    if (error instanceof Flaw || error instanceof NotOfC11) return rejected(error.message);
    throw error;
  }
  const claim = claimOf(`robust-against-${check.model}`);
  const isPlain = automata.symbols.some(({ plain }) => plain) || hasPlainAccess(automata);
  const assumes = isPlain ? ['no execution has a data race'] : [];
  const closed = `${countOf(check.states, 'state')} with what each thread knows are closed under steps, and no access takes an old store`;
  if (keepsLoadsFirst(automata))
    return {
      ...{ kind: 'accepted', claim, assumes },
      proves: [
        `every execution graph that C11 allows is one of an interleaving: ${closed}`,
        'orders and dependencies keep every load before the later stores of its thread',
      ],
    };
  return {
    ...{ kind: 'partly', claim, assumes },
    checked: [
      `every execution graph that C11 allows, without a cycle of program order and reads-from, is one of an interleaving: ${closed}`,
    ],
    notChecked: ['whether a store may overtake an earlier load of its thread'],
  };
}
