/**
 * The limit that ended a search: on states, counted work, memory or time; or the user's request to
 * stop.
 */
export type Exhaustion = 'states' | 'work' | 'memory' | 'time' | 'cancelled';

/**
 * The work that all stages of a run together may still do, in units of about one stored state;
 * negative if a stage did more than was left. Work is counted, never timed, so that a run ends at
 * the same point on every machine.
 */
export interface Meter {
  left: number;
}

export interface Progress {
  /** The number of states that the running search has stored so far. */
  readonly states: number;
  /** The maximum size that the state tables of the running search have had so far, in bytes. */
  readonly memory: number;
  readonly milliseconds: number;
}

/** The limits of a search; a limit that is absent is unlimited. */
export interface Limits {
  readonly maxStates?: number;
  /** The maximum work of all stages of a run together, in the unit of `Meter`. */
  readonly effort?: number;
  /**
   * The meter of the work that is left of `effort`, for budgets that share the work; if absent,
   * each budget made from the limits has a meter of its own.
   */
  readonly meter?: Meter;
  /** The maximum size of all state tables together, in bytes; exceeded by at most a tenth. */
  readonly maxMemory?: number;
  /** The maximum time of the search in milliseconds, from the creation of its budget on. */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
  /** Called a few times a second while a search runs. */
  readonly onProgress?: (progress: Progress) => void;
}

const yieldEvery = 100;

/** The work that each checkpoint counts, in the unit of `Meter`. */
const workPerCheckpoint = 100;

/**
 * Returns the limits with a meter for their effort, so that all stages of a run share the effort.
 */
export function metered<L extends Limits>(limits: L): L {
  const { effort, meter } = limits;
  return effort === undefined || meter ? limits : { ...limits, meter: { left: effort } };
}

/**
 * The limits on the states, work, memory and time of all searches of a run together, and the
 * amounts already used. Tells searches when and why to stop.
 */
export class Budget {
  readonly #limits: Limits;
  #start = performance.now();
  #nextYield = this.#start + yieldEvery;
  #glances = 0;
  #finishedStates = 0;
  /**
   * The number of states of the running search that have been counted towards the limit on work.
   */
  #metered = { states: 0 };
  #mostBytes = 0;

  constructor(limits: Limits = {}) {
    this.#limits = metered(limits);
  }

  /** The time since the creation of the budget, in milliseconds. */
  get milliseconds(): number {
    return performance.now() - this.#start;
  }

  /**
   * Whether it is time to call `checkTime`, which lets the event loop run; for loops with long
   * iterations. The call itself is cheap, and counts as one unit of work.
   */
  isDue(): boolean {
    // Reading the clock each time would cost a third of a search.
    this.#glances = (this.#glances + 1) & 63;
    this.spend(1);
    return this.#glances === 0 && performance.now() >= this.#nextYield;
  }

  /**
   * The time that is left of the timeout in milliseconds, at least 0; infinite without a timeout.
   */
  get timeLeft(): number {
    const { timeout = Number.POSITIVE_INFINITY } = this.#limits;
    return Math.max(0, timeout - this.milliseconds);
  }

  /** Whether the time or the work is used up. Does not let the event loop run. */
  get isOver(): boolean {
    return this.timeLeft === 0 || this.#isWorkDone;
  }

  /** The work that is left, in the unit of `Meter`; infinite without a limit. */
  get workLeft(): number {
    return this.#limits.meter?.left ?? Number.POSITIVE_INFINITY;
  }

  /**
   * Whether at most a fifth of the time, the work and the states is used, so that a search for a
   * better choice among good answers can repeat the work done so far without exceeding a limit.
   */
  get isMostlyLeft(): boolean {
    const { effort, maxStates = Number.POSITIVE_INFINITY } = this.#limits;
    return (
      this.timeLeft >= 4 * this.milliseconds &&
      (effort === undefined || 5 * this.workLeft >= 4 * effort) &&
      5 * this.#finishedStates <= maxStates
    );
  }

  get #isWorkDone(): boolean {
    return this.workLeft <= 0;
  }

  /** Counts work that stores no states, in the unit of `Meter`. */
  spend(work: number): void {
    const { meter } = this.#limits;
    if (meter) meter.left -= work;
  }

  #meterStates(states: number): void {
    if (states <= this.#metered.states) return;
    this.spend(states - this.#metered.states);
    this.#metered.states = states;
  }

  /**
   * Adds the states of a finished search, which used at most `memory` bytes. The memory counts
   * towards `mostBytes`, but later searches can use it again.
   */
  finishSearch(states: number, memory = 0): void {
    this.#finishedStates += states;
    this.#meterStates(states);
    this.#metered.states = 0;
    this.#noteMemory(memory);
  }

  /**
   * Adds the states and the memory of the finished searches of `part`, a budget made from this
   * budget.
   */
  finishPart({ finishedStates, mostBytes }: Budget): void {
    this.#finishedStates += finishedStates;
    this.#noteMemory(mostBytes);
  }

  /** The maximum size of the state tables in bytes, as reported by searches. */
  get mostBytes(): number {
    return this.#mostBytes;
  }

  #noteMemory(memory: number): void {
    if (memory > this.#mostBytes) this.#mostBytes = memory;
  }

  /** The number of states of finished searches. */
  get finishedStates(): number {
    return this.#finishedStates;
  }

  /**
   * Returns a budget for one search, with what is left of the limits of this budget, and at most
   * `maxStates` states. This budget does not count the states of the search by itself: see
   * `finishPart`.
   */
  part(maxStates: number): Budget {
    const { timeout } = this.#limits;
    return new Budget({
      ...this.#limits,
      maxStates: Math.min(maxStates, this.room(0)),
      ...(timeout !== undefined && { timeout: Math.max(0, timeout - this.milliseconds) }),
    });
  }

  /**
   * Returns this budget with at most `maxStates` states for the running search; time, memory and
   * progress are the same.
   */
  capped(maxStates: number): Budget {
    const capped = new Budget({
      ...this.#limits,
      maxStates: Math.min(
        this.#limits.maxStates ?? Number.POSITIVE_INFINITY,
        this.#finishedStates + maxStates,
      ),
    });
    capped.#start = this.#start;
    capped.#nextYield = this.#nextYield;
    capped.#finishedStates = this.#finishedStates;
    capped.#metered = this.#metered;
    return capped;
  }

  /**
   * Returns a budget for one search, with the given share of the states and time that are left.
   * This budget does not count the states of the search by itself: see `finishPart`. Work is not
   * divided: the search may use all work that is left.
   */
  slice(share: number): Budget {
    const { timeout } = this.#limits;
    const room = this.room(0);
    return new Budget({
      ...this.#limits,
      ...(room < Number.POSITIVE_INFINITY && { maxStates: Math.ceil(share * room) }),
      ...(timeout !== undefined && { timeout: share * Math.max(0, timeout - this.milliseconds) }),
    });
  }

  /**
   * Returns the limits for each of `parts` concurrent searches: equal shares of the memory, and the
   * remaining time.
   */
  share(parts: number): Limits {
    const { maxMemory, timeout } = this.#limits;
    return {
      ...this.#limits,
      ...(maxMemory !== undefined && { maxMemory: maxMemory / parts }),
      ...(timeout !== undefined && { timeout: Math.max(0, timeout - this.milliseconds) }),
    };
  }

  /** Reports the states and bytes of all concurrent searches together, as progress. */
  report(states: number, memory: number): void {
    const { milliseconds } = this;
    this.#limits.onProgress?.({ states: this.#finishedStates + states, memory, milliseconds });
  }

  /** The number of states that the running search may still store in addition to its `states`. */
  room(states: number): number {
    const { maxStates = Number.POSITIVE_INFINITY } = this.#limits;
    return Math.max(0, maxStates - this.#finishedStates - states);
  }

  /**
   * Returns the limit that a running search exceeds with `states` states and `memory` bytes, if it
   * adds `growth` more bytes; `undefined` if it exceeds none. A cheap call.
   */
  exceededBy(states: number, memory: number, growth = 0): 'states' | 'work' | 'memory' | undefined {
    this.#noteMemory(memory);
    this.spend(1);
    this.#meterStates(states);
    const { maxStates, maxMemory } = this.#limits;
    if (maxStates !== undefined && this.#finishedStates + states >= maxStates) return 'states';
    if (this.#isWorkDone) return 'work';
    // Tables grow by leaps: the last leap may exceed the limit, by a tenth at most.
    if (maxMemory !== undefined && (memory > maxMemory || memory + growth > 1.1 * maxMemory))
      return 'memory';
    return undefined;
  }

  /**
   * Returns the limit that was reached during a computation of `memory` bytes that stores no
   * states, if any; does not let the event loop run. A cheap call.
   */
  spentBy(memory: number): 'time' | 'work' | 'memory' | undefined {
    if (this.timeLeft === 0) return 'time';
    const exceeded = this.exceededBy(Number.NEGATIVE_INFINITY, memory);
    return exceeded === 'states' ? undefined : exceeded;
  }

  /**
   * Checks the time limit and the cancelling signal; from time to time lets the event loop run, so
   * that the signal can arrive, and reports progress. Returns the limit that was reached, if any.
   * States and memory are not checked here: the times of calls depend on the clock, but the point
   * where states or memory run out must not.
   */
  async checkTime(states: number, memory: number): Promise<'time' | 'cancelled' | undefined> {
    const now = performance.now();
    if (now >= this.#nextYield) {
      this.#nextYield = now + yieldEvery;
      this.report(states, memory);
      await new Promise<void>((resolve) => setTimeout(resolve, 0));
    }
    if (this.#limits.signal?.aborted) return 'cancelled';
    const { timeout } = this.#limits;
    return timeout !== undefined && now - this.#start > timeout ? 'time' : undefined;
  }

  /**
   * Calls `checkTime` and checks all limits; returns the exhausted limit, if any. To be called
   * every few thousand states.
   */
  async checkpoint(states: number, memory: number, growth = 0): Promise<Exhaustion | undefined> {
    this.spend(workPerCheckpoint);
    return (await this.checkTime(states, memory)) ?? this.exceededBy(states, memory, growth);
  }
}
