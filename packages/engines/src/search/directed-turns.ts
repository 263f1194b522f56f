import type { Budget } from '@fencewright/ground/base/budget.js';
import type { ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';
import type { BlockedSteps } from '../automata/attacker-automaton.js';
import type { DirectedFinder, DirectedWitness } from '../directed/directed-finder.js';
import type { Allowance } from './allowance.js';
import { openAttacks } from './open-attacks.js';
import type { SearchSession } from './search-session.js';
import type { TurnFindings } from './settled-attacks.js';

/**
 * The turns of directed searches. A turn comes when all searches together have stored `times` as
 * many states as at the first turn of the stages. In the turn, directed searches may store `credit`
 * states more. A state of a directed search takes as long as about 20 states of other searches.
 */
const turns = [
  { times: 2, credit: 1000 },
  { times: 10, credit: 10_000 },
  { times: 80, credit: 100_000 },
] as const;

/** A kind of directed search for an attack, with the maximum number of its states. */
interface SearchPlan {
  readonly states: number;
  /**
   * The kind of the search: `all`: all threads run; `few`: only a few threads run; `writes`: for
   * the order of writes.
   */
  readonly kind: 'few' | 'all' | 'writes';
}

/** The number of threads that run beside the attacker in a search with few threads. */
const fewHelpers = 4;

/**
 * The searches for an attack, in the order of a turn. Each search is made for all attacks before
 * the next search is made.
 */
const plans: readonly SearchPlan[] = [
  { states: 250, kind: 'writes' },
  { states: 250, kind: 'few' },
  { states: 250, kind: 'all' },
  { states: 4000, kind: 'writes' },
  { states: 2000, kind: 'few' },
  { states: 2000, kind: 'all' },
  { states: 20_000, kind: 'writes' },
  { states: 20_000, kind: 'few' },
  { states: 20_000, kind: 'all' },
];

/**
 * Returns the searches for a program with this many threads: searches with few threads only if the
 * program has more.
 */
function plansFor(threads: number): readonly SearchPlan[] {
  return plans.filter(({ kind }) => kind !== 'few' || threads - 1 > fewHelpers);
}

/**
 * The number of states by which each attack that a directed search finds raises the number of
 * states that directed searches may store.
 */
const earnedBySearch = 4000;
/**
 * The number of states by which each attack that a write schedule finds raises the number of states
 * that directed searches may store.
 */
const earnedBySchedule = 200;
/** The maximum number of states that directed searches may be allowed to store at one time. */
const mostCredit = 100_000;

/** An attacker, the steps at which it has to drain the store buffer, and its undecided attacks. */
export interface DirectedJob {
  readonly thread: ThreadId;
  readonly blocked: BlockedSteps;
  readonly isOpen: (attack: Attack) => boolean;
}

const nothing: TurnFindings = { refuted: [], found: [] };

/** The present numbers of states and bytes of all searches. */
type Usage = Pick<Allowance['usage'], 'states' | 'bytes'>;

/** A store, with the last loads of the undecided attacks that delay this store first. */
interface OpenStore {
  readonly thread: ThreadId;
  readonly blocked: BlockedSteps;
  readonly store: TransitionId;
  readonly loads: Set<TransitionId>;
}

/**
 * Finds attacks of one session by directed searches, and by the write schedules of the attacks
 * found. The findings depend only on the program, the undecided attacks, and earlier turns.
 */
export class DirectedTurns {
  readonly #session: SearchSession;
  #finder: DirectedFinder | undefined;
  #credit = 0;

  constructor(session: SearchSession) {
    this.#session = session;
  }

  /** The number of states that directed searches have stored in all turns. */
  get states(): number {
    return this.#finder?.states ?? 0;
  }

  /** Whether directed searches are switched on, and can find attacks in the program. */
  get isOn(): boolean {
    const { stages, program } = this.#session;
    return stages.directed && program.threads.length > 1;
  }

  /**
   * The turns of directed searches, each with the number of states that all searches have stored
   * when the turn comes.
   */
  get turns(): readonly { readonly after: number; readonly credit: number }[] {
    const { stagesAfter } = this.#session.stages;
    return this.isOn
      ? turns.map(({ times, credit }) => ({ after: times * stagesAfter, credit }))
      : [];
  }

  /**
   * Takes a turn for all jobs and returns the attacks found. `credit` is the number of states that
   * may be stored before an attack is found, beyond what earlier turns have left. With
   * `stopAtFirst` the turn ends with the first attack. `usage` is that of all searches together.
   */
  async take(
    credit: number,
    jobs: readonly DirectedJob[],
    usage: Usage,
    budget: Budget,
    stopAtFirst: boolean,
  ): Promise<TurnFindings> {
    const { program, automataOptions } = this.#session;
    // Loaded late, because most programs are decided before this point.
    const room = await import('../directed/directed-finder.js');
    const finder = (this.#finder ??= new room.DirectedFinder(program, automataOptions));
    this.#earn(credit);
    const found: DirectedWitness[] = [];
    if (!finder.isDirected) return nothing;
    const stores = jobs.flatMap((job) => this.#storesOf(job));
    for (const { states: limit, kind } of plansFor(program.threads.length)) {
      const failed = new Set<number>();
      for (const open of stores) {
        const { states } = usage;
        const exhausted = await budget.checkpoint(states, usage.bytes + finder.bytes);
        if (exhausted) return { ...nothing, found, exhausted };
        const plan = { states: Math.min(limit, budget.room(states)), kind };
        found.push(...this.#findAll(finder, open, plan, failed, stopAtFirst));
        if (stopAtFirst && found.length > 0) return { ...nothing, found };
      }
    }
    return { ...nothing, found };
  }

  /**
   * Finds an attack of the job by running the write schedules of known attacks, if one of them
   * leads to an attack.
   */
  async takeKnown(job: DirectedJob, usage: Usage, budget: Budget): Promise<TurnFindings> {
    const finder = this.#finder;
    if (!finder?.isDirected) return nothing;
    for (const open of this.#storesOf(job)) {
      const exhausted = await budget.checkpoint(usage.states, usage.bytes + finder.bytes);
      if (exhausted) return { ...nothing, exhausted };
      const [first] = this.#carryOver(finder, open);
      if (first) return { ...nothing, found: [first] };
    }
    return nothing;
  }

  #earn(states: number): void {
    this.#credit = Math.min(mostCredit, this.#credit + states);
  }

  #storesOf({ thread, blocked, isOpen }: DirectedJob): OpenStore[] {
    const stores = new Map<TransitionId, OpenStore>();
    for (const attack of openAttacks(this.#session.program, thread, blocked)) {
      const { store, load } = attack;
      if (!this.#session.isWanted(attack) || !isOpen(attack)) continue;
      const known = stores.get(store) ?? { thread, blocked, store, loads: new Set() };
      stores.set(store, known);
      known.loads.add(load);
    }
    return [...stores.values()];
  }

  #carryOver(finder: DirectedFinder, { thread, blocked, store, loads }: OpenStore) {
    const attacker = finder.attacker(thread, blocked);
    const carried = finder.carryOver(attacker, store, (load) => loads.has(load));
    this.#earn(earnedBySchedule * carried.length);
    for (const { attack } of carried) loads.delete(attack.load);
    return carried;
  }

  /**
   * Searches for the undecided attacks with one store, by one kind of search; returns the attacks
   * found. If a search finds nothing, the place of the store (`placeOf`) is added to `failed`: this
   * kind of search is not used again for attacks with a store at an equal place. With
   * `stopAtFirst`, the search ends with the first attack found.
   */
  #findAll(
    finder: DirectedFinder,
    open: OpenStore,
    { states, kind }: SearchPlan,
    failed: Set<number>,
    stopAtFirst: boolean,
  ): DirectedWitness[] {
    const { thread, blocked, store, loads } = open;
    const found = this.#carryOver(finder, open);
    const place = finder.placeOf(thread, store);
    for (const load of loads) {
      const isOver = stopAtFirst && found.length > 0;
      if (isOver || this.#credit <= 0 || failed.has(place)) break;
      const before = finder.states;
      const attacker = finder.attacker(thread, blocked);
      const most = Math.min(states, this.#credit);
      const attack = { thread, store, load };
      const witness =
        kind === 'writes'
          ? finder.searchWrites(attacker, attack, most)
          : finder.search(attacker, attack, most, kind === 'few' ? fewHelpers : undefined);
      this.#credit -= finder.states - before;
      if (!witness) failed.add(place);
      else {
        this.#earn(earnedBySearch);
        loads.delete(load);
        found.push(witness, ...this.#carryOver(finder, open));
      }
    }
    return found;
  }
}
