import { at } from '@fencewright/ground/base/at.js';
import type { Exhaustion } from '@fencewright/ground/base/budget.js';
import type { TransitionId } from '@fencewright/model/program/ids.js';
import { ProductSearch, type ProductState } from '@fencewright/ground/product/product-search.js';
import { TableFull } from '@fencewright/ground/product/state-storage.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';
import type { Allowance } from './allowance.js';
import { cellBit } from '../automata/attack-starts.js';
import { DelayPhase } from './delay-phase.js';
import { LastPhase, type LastPhaseStart } from './last-phase.js';
import type { LocalStep } from '../automata/local-closure.js';
import type { OpenStart } from './open-starts.js';
import type { SearchedAttacker } from './searched-attacker.js';
import { helperGroups, lastPhaseGroups, type SearchSession } from './search-session.js';
import type { WitnessEvidence, WitnessTrail } from './search-witness.js';

/**
 * A state in which a third phase starts. Its search exceeded the allowance of states, and is
 * continued later.
 */
interface Postponed {
  readonly attack: Attack;
  readonly trail: WitnessTrail;
  readonly seed: ProductState;
}

const statesPerCheckpoint = 4096;
const scansPerCheckpoint = 256;
/**
 * The number of scanned states between two checks of the limits on states and memory; to scan one
 * state may store many states.
 */
const scansPerLook = 8;

/**
 * Checks the limits, but only after every so many scanned states. Returns the exhausted limit, if
 * any.
 */
function pause(
  scanned: number,
  { budget, usage }: Allowance,
): Promise<Exhaustion | undefined> | Exhaustion | undefined {
  if (scanned % scansPerCheckpoint === 0) return budget.checkpoint(usage.states, usage.bytes);
  if (budget.isDue()) return budget.checkTime(usage.states, usage.bytes);
  return scanned % scansPerLook === 0 ? budget.exceededBy(usage.states, usage.bytes) : undefined;
}

/** Returns a copy of a state whose arrays the search will overwrite. */
function keptState({ nodes, values }: ProductState): ProductState {
  return { nodes: [...nodes], values: [...values] };
}

/**
 * The second and third phases of the search for all attacks of one thread, which stands for all
 * threads with equal code.
 */
export class AttackerSearch {
  readonly #session: SearchSession;
  readonly #onFeasible: (evidence: WitnessEvidence) => void;
  readonly #attacker: SearchedAttacker;
  readonly #delays = new Map<TransitionId, DelayPhase>();
  readonly #lastPhase: LastPhase;
  /** The number of first-phase states in which the search has looked for first delayed stores. */
  #scanned = 0;
  readonly #helperGroups: readonly (readonly number[])[];
  #postponed: Postponed[] = [];
  #finishedDelayStates = 0;

  constructor(
    session: SearchSession,
    attacker: SearchedAttacker,
    onFeasible: (evidence: WitnessEvidence) => void,
  ) {
    this.#session = session;
    this.#onFeasible = onFeasible;
    this.#attacker = attacker;
    this.#helperGroups = helperGroups(session.groups, attacker.thread);
    this.#lastPhase = new LastPhase(session, attacker.thread);
  }

  /** Updates the open attacks; to be called after attacks were refuted without a search. */
  refresh(): void {
    this.#attacker.open.refresh();
    this.#forget();
  }

  /** Whether an attack that control flow allows is still to be decided. */
  isOpen({ thread, store, load }: Attack): boolean {
    return thread === this.#attacker.thread && this.#attacker.open.isOpen(store, load);
  }

  /** Closes an open attack of the thread that another search found to be feasible. */
  close(attack: Attack): void {
    if (!this.isOpen(attack)) return;
    this.#attacker.open.close(attack.store, attack.load);
    this.#forget();
  }

  #forget(): void {
    this.#attacker.starts.forget();
    for (const delay of this.#delays.values()) delay.forget();
  }

  /**
   * Whether no attack of the attacker is open: each is known to be feasible, or was refuted without
   * a search.
   */
  get finished(): boolean {
    return this.#attacker.open.isEmpty;
  }

  /**
   * Whether nothing is left to do: no attack is open, or all three phases have been searched
   * completely.
   */
  get isDecided(): boolean {
    const { table, cursor } = this.#session.sequential;
    if (this.finished) return true;
    return cursor >= table.count && this.#scanned >= table.count && this.#isIdle;
  }

  /**
   * Whether the second and third phases are complete for all first-phase states in which the search
   * has looked for first delayed stores.
   */
  get #isIdle(): boolean {
    if (this.#postponed.length > 0) return false;
    for (const { search, scanned } of this.#delays.values())
      if (search.cursor < search.table.count || scanned < search.table.count) return false;
    return true;
  }

  /** The number of states that the second and third phases have stored. */
  get states(): number {
    return this.delayStates + this.pathStates;
  }

  /** The number of states that the second phase has stored. */
  get delayStates(): number {
    let states = this.#finishedDelayStates;
    for (const { search } of this.#delays.values()) states += search.table.count;
    return states;
  }

  /** The number of states that the third phase has stored. */
  get pathStates(): number {
    return this.#lastPhase.states;
  }

  /** The number of bytes that the searches of the second phase use. */
  get bytes(): number {
    let bytes = 0;
    for (const { search } of this.#delays.values()) bytes += search.table.bytes;
    return bytes;
  }

  /**
   * Searches the second and third phases to the end of a stage; the first phase of the stage has to
   * be complete. Returns the exhausted limit, if any.
   */
  async advance(allowance: Allowance): Promise<Exhaustion | undefined> {
    const exhausted = await this.#scan(allowance);
    if (exhausted || allowance.usage.isOver) return exhausted;
    const postponed = this.#postponed;
    this.#postponed = [];
    for (const { attack, trail, seed } of postponed)
      if (this.isOpen(attack)) this.#runLastPhase(attack, seed, trail, allowance);
    for (const [store, delay] of this.#delays) {
      const failed = await this.#runDelayPhase(store, delay, allowance);
      if (failed) return failed;
    }
    return undefined;
  }

  /**
   * Looks for first delayed stores in the first-phase states of the stage. Returns the exhausted
   * limit, if any.
   */
  async #scan(allowance: Allowance): Promise<Exhaustion | undefined> {
    const { sequential } = this.#session;
    const { stage, usage } = allowance;
    const end = Math.min(sequential.table.count, stage);
    while (this.#scanned < end && !this.finished && !usage.isOver) {
      const state = this.#scanned++;
      // No attack needs to begin while a thread holds the bus lock: the attack can begin after the
      // release.
      if (!this.#session.isLocked(sequential, state))
        for (const place of this.#attacker.members) this.#scanState(state, place, allowance);
      const pausing = pause(this.#scanned, allowance);
      const exhausted = pausing && (await pausing);
      if (exhausted) return exhausted;
    }
    return undefined;
  }

  /**
   * Starts attacks in a state of the first phase. The attacker is the thread at position `place` of
   * the state, which has the code of the searched attacker. No thread may hold the bus lock in the
   * state.
   */
  #scanState(state: number, place: number, allowance: Allowance): void {
    const node = this.#session.sequential.node(state, place);
    for (const start of this.#attacker.starts.at(node)) {
      if (start.lastLoads.length > 0) this.#tryStart(start, state, place, allowance);
      if (start.firstLoads.length > 0) this.#delayFurther(start, state, place);
    }
  }

  /**
   * Returns the cells by whose accesses another thread can join the happens-before path in one
   * step, as a set of `cellBit`s. The first step of the path accesses one of these cells.
   */
  #joinableIn(search: ProductSearch, state: number, attackerPlace: number): number {
    let cells = 0;
    for (let t = 0; t < this.#attacker.joinable.length; t++)
      if (t !== attackerPlace) cells |= at(this.#attacker.joinable, t).at(search.node(state, t));
    return cells;
  }

  /**
   * Searches for attacks whose last load is the first load from memory after the delayed store.
   */
  #tryStart(start: OpenStart, state: number, place: number, allowance: Allowance): void {
    const { sequential } = this.#session;
    const { action, store, entry, target, lastLoads } = start;
    const joinable = this.#joinableIn(sequential, state, place);
    for (const { load, cell, bit } of lastLoads) {
      if ((joinable & bit) === 0) continue;
      const attack = { thread: this.#attacker.thread, store, load };
      const from = { source: sequential, state, place, target, loadCell: cell };
      this.#endWith(attack, start.node, from, allowance, (lastLoad) => ({
        kind: 'direct',
        start: { state, place, node: sequential.node(state, place), action, entry },
        lastLoad,
      }));
    }
  }

  /**
   * Adds the second-phase states after the attacker's first load from memory, if this load need not
   * be the last.
   */
  #delayFurther(start: OpenStart, state: number, place: number): void {
    const { sequential } = this.#session;
    const { action, store, entry } = start;
    for (const first of start.firstLoads) {
      const value = sequential.value(state, first.cell);
      for (const { outcome, node, held } of this.#attacker.starts.continuations(
        start,
        first,
        value,
      )) {
        if (!this.#attacker.open.hasOpen(store)) return;
        const { search, seeds } = this.#delayPhase(store);
        const change = { cell: first.cell, value: held };
        const move = { component: place, to: this.#attacker.thread, node, change };
        if (search.addMoved(sequential, state, move, -1 - seeds.length) < 0) continue;
        seeds.push({
          state,
          place,
          node: sequential.node(state, place),
          action,
          entry,
          firstLoad: { action: first.action, outcome },
        });
      }
    }
  }

  #delayPhase(store: TransitionId): DelayPhase {
    const known = this.#delays.get(store);
    if (known) return known;
    const { automata, reductions, delayedNumbers } = this.#session;
    const search = new ProductSearch(automata.valueTables, {
      automata: delayedNumbers.with(this.#attacker.thread, this.#attacker.number),
      groups: this.#helperGroups,
      tightLayout: reductions.tightLayout,
      kernel: reductions.kernel,
    });
    const delay = new DelayPhase(search, this.#attacker.automaton, (load) =>
      this.#attacker.open.isOpen(store, load),
    );
    this.#delays.set(store, delay);
    return delay;
  }

  async #runDelayPhase(
    store: TransitionId,
    delay: DelayPhase,
    allowance: Allowance,
  ): Promise<Exhaustion | undefined> {
    const { budget, stage, usage } = allowance;
    const { search } = delay;
    for (;;) {
      while (delay.scanned < search.table.count && this.#attacker.open.hasOpen(store)) {
        this.#scanDelayed(store, delay, delay.scanned++, allowance);
        const pausing = pause(delay.scanned, allowance);
        const exhausted = pausing && (await pausing);
        if (exhausted) return exhausted;
      }
      if (!this.#attacker.open.hasOpen(store)) {
        this.#finishedDelayStates += search.table.count;
        this.#delays.delete(store);
        return undefined;
      }
      if (search.cursor >= search.table.count || search.table.count >= stage) return undefined;
      const more = Math.min(statesPerCheckpoint, budget.room(usage.states));
      const full = budget.exceededBy(usage.states, usage.bytes, search.table.growthFor(more));
      if (full) return full;
      const result = search.run(Math.min(stage, search.table.count + more));
      if (result === 'full') return 'memory';
      const exhausted = await budget.checkpoint(usage.states, usage.bytes);
      if (exhausted) return exhausted;
    }
  }

  #scanDelayed(store: TransitionId, delay: DelayPhase, state: number, allowance: Allowance): void {
    const { search } = delay;
    const place = this.#attacker.thread;
    const node = search.node(state, place);
    const loads = delay.openLoads(node);
    if (loads.length === 0) return;
    // While a helper holds the bus lock the attacker cannot load from memory.
    if (this.#session.isLocked(search, state, place)) return;
    const joinable = this.#joinableIn(search, state, place);
    for (const { transition: load, cell } of loads) {
      if ((joinable & cellBit(cell)) === 0) continue;
      const attack = { thread: this.#attacker.thread, store, load };
      const target = this.#attacker.automaton.target(node);
      const from = { source: search, state, place, target, loadCell: cell };
      this.#endWith(attack, node, from, allowance, (lastLoad) => ({
        kind: 'delayed',
        search,
        seeds: delay.seeds,
        state,
        lastLoad,
      }));
    }
  }

  /**
   * Searches the third phase of an attack whose last load is about to happen: once, or several
   * times if the load is a read abstraction.
   */
  #endWith(
    attack: Attack,
    node: number,
    from: Omit<LastPhaseStart, 'loadMark' | 'loadHeld'>,
    allowance: Allowance,
    trailOf: (lastLoad: readonly LocalStep[]) => WitnessTrail,
  ): void {
    if (!this.isOpen(attack)) return;
    const value = from.source.value(from.state, from.loadCell);
    for (const { mark, held, path } of this.#attacker.automaton.lastLoads(
      node,
      attack.load,
      value,
    )) {
      if (!this.isOpen(attack)) return;
      const seed = this.#lastPhase.seed({ ...from, loadMark: mark, loadHeld: held });
      this.#runLastPhase(attack, seed, trailOf(path), allowance);
    }
  }

  /**
   * Searches the third phase from a state, unless the state is known to be dead. May throw
   * `TableFull`.
   */
  #runLastPhase(
    attack: Attack,
    seed: ProductState,
    trail: WitnessTrail,
    allowance: Allowance,
  ): void {
    const result = this.#lastPhase.run(seed, allowance);
    if (result === 'goal') this.#setFeasible(attack, keptState(seed), trail);
    else if (result !== 'done') this.#postponed.push({ attack, seed: keptState(seed), trail });
    this.#lastPhase.leave(result);
    if (result === 'full') throw new TableFull();
  }

  #setFeasible(attack: Attack, seed: ProductState, trail: WitnessTrail): void {
    this.#attacker.open.close(attack.store, attack.load);
    this.#attacker.starts.forget();
    this.#delays.get(attack.store)?.forget();
    const { program, automata, sequential, initial, groups } = this.#session;
    this.#onFeasible({
      program,
      automata,
      attack,
      attacker: this.#attacker.automaton,
      trail,
      sequential,
      initial,
      lastPhase: this.#lastPhase.search,
      seed,
      groups: {
        all: groups,
        helpers: this.#helperGroups,
        lastPhase: lastPhaseGroups(groups, this.#attacker.thread),
      },
    });
  }
}
