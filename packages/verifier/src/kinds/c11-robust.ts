import type { Automata, Order } from '../automata.js';
import type { Budget } from '../budget.js';
import type { CertificateBody } from '../check.js';
import { claimOf } from '../claim.js';
import { Met } from '../code.js';
import { uses } from '../control-flow.js';
import { Cover, type CoverState, readCover } from '../c11/cover.js';
import { forwardedAddresses } from '../c11/forwarding.js';
import { acquires, type Monitor, MonitorRules, releases } from '../c11/monitor.js';
import { keepsLoadsFirst } from '../c11/program-order.js';
import {
  type Access,
  type Outcome,
  type Place,
  ThreadSteps,
  type VisibleStep,
} from '../c11/thread-steps.js';
import { type Finding, inVain, type Reached, whyNotInductive } from '../inductive.js';
import { Flaw, type KindReport, reportOf } from '../report.js';
import { threadsAlike } from '../same-threads.js';
import { countOf } from '../words.js';

/**
 * Checks that the states of a certificate contain the start and the results of all steps, and that
 * no access may take an old store (a store overwritten by a later store).
 */
class CoverCheck {
  readonly #automata: Automata;
  readonly #cover: Cover;
  readonly #rules: MonitorRules;
  readonly #steps: readonly ThreadSteps[];
  /** For each thread, all threads with equal code. */
  readonly #alike: readonly (readonly number[])[];
  readonly #isOrdered: boolean;
  readonly #plain: ReadonlySet<number>;
  /** By thread, the addresses whose stores may be forwarded to `seq_cst` loads of the thread. */
  #forwarded: readonly ReadonlySet<number>[] = [];

  constructor(automata: Automata, body: CertificateBody) {
    const written = readCover(body, 'certificate');
    this.#automata = automata;
    this.#steps = automata.threads.map((_, t) => new ThreadSteps(automata, t));
    this.#alike = threadsAlike(automata);
    this.#cover = new Cover(automata, written, this.#alike, (t, place) =>
      this.#steps[t]!.placeAt(place),
    );
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
   * `Flaw`, `Met`, `Endless`.
   */
  check(budget: Budget): Finding | undefined {
    // A thread may stand wherever a thread with equal code stands in the certificate.
    const accesses = this.#steps.map((steps, t) =>
      this.#alike
        [t]!.flatMap((one) => this.#cover.places[one]!)
        .flatMap((place) => steps.stepsFrom(steps.placeAt(place)))
        .filter((step) => step.kind !== 'fence'),
    );
    this.#forwarded = accesses.map(forwardedAddresses);
    this.#checkUnwatched(accesses);
    let starts: readonly (readonly Place[])[] = [[]];
    for (const steps of this.#steps)
      starts = starts.flatMap((places) => steps.first.map((place) => [...places, place]));
    const memory = this.#cover.initialMemory(this.#automata);
    const monitor = this.#rules.initial(this.#steps.length);
    return whyNotInductive<CoverState, CoverState>(
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
  }

  /**
   * Returns the states after all steps. Throws `Flaw` if a step may take an old store (one that a
   * later store has overwritten).
   */
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
      throw new Flaw('a read-modify-write accesses a plain variable');
    if (isPlain && [step.order, step.failureOrder].some((one) => acquires(one) || releases(one)))
      throw new Flaw('a plain variable is accessed with a memory order');
    const [order, failureOrder]: [Order, Order] = isPlain
      ? ['plain', 'plain']
      : [step.order, step.failureOrder];
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

  /**
   * Throws `Flaw` if the old stores of an unwatched cell matter: the cell is stored to, and
   * accessed by several threads or by `seq_cst` accesses. `accesses`: for each thread, the accesses
   * from all places of the thread.
   */
  #checkUnwatched(accesses: readonly (readonly Access[])[]): void {
    for (const [cell, address] of this.#cover.cells.entries()) {
      if (this.#cover.watchedAt(cell) >= 0) continue;
      const users = accesses.map((own) => own.filter((one) => one.address === address));
      const all = users.flat();
      const isOrdered = all.some((one) => [one.order, one.failureOrder].includes('seq_cst'));
      const isShared = users.filter(({ length }) => length > 0).length > 1;
      if (all.some(({ kind }) => kind !== 'load') && (isShared || isOrdered))
        throw new Flaw(`address ${address} is not watched`);
    }
  }
}

/**
 * Checks certificates that a program is robust against C11: every consistent execution graph in
 * which program order and reads-from form no cycle is the graph of an interleaving. The certificate
 * is a set of states of interleavings with knowledge, closed under steps, in which no access may
 * take an old store. A state stands for all states that differ by exchanges of threads with equal
 * code: these threads take the same steps, and the rules of the monitor name no thread. A state
 * also stands for states with less knowledge of last stores and smaller sets of old stores, in
 * which accesses may take no further old stores.
 */
export function checkC11Robust(
  automata: Automata,
  body: CertificateBody,
  budget: Budget,
): KindReport {
  const check = new CoverCheck(automata, body);
  const finding = check.check(budget);
  if (finding) return inVain(finding);
  const claim = claimOf(`robust-against-${check.model}`);
  const isPlain =
    automata.symbols.some(({ plain }) => plain) ||
    uses(automata, (one) => 'order' in one && one.order === 'plain');
  const assumes = isPlain ? ['no execution has a data race'] : [];
  const closed = `${countOf(check.states, 'state')} with what each thread knows are closed under steps, and no access takes an old store`;
  const everyGraph = 'every execution graph that C11 allows';
  if (keepsLoadsFirst(automata))
    return reportOf(claim, {
      assumes,
      proved: [
        `${everyGraph} is one of an interleaving: ${closed}`,
        'orders and dependencies keep every load before the later stores of its thread',
      ],
    });
  const isAcyclic = 'without a cycle of program order and reads-from';
  return reportOf(claim, {
    assumes,
    proved: [`${everyGraph}, ${isAcyclic}, is one of an interleaving: ${closed}`],
    open: ['whether a store may overtake an earlier load of its thread'],
  });
}
