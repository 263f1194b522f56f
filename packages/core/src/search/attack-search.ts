import type { Budget, Exhaustion } from '../base/budget.js';
import type { ThreadId, TransitionId } from '../program/ids.js';
import type { Program } from '../program/program.js';
import { ProductSearch, type ProductState } from '../product/product-search.js';
import { enumerateAttacks, isInfeasibleByControlFlow } from '../robustness/attacks.js';
import type { Decision } from '../robustness/decision.js';
import type { Attack, AttackVerdict, DecidedAttack } from '../verdict/attack.js';
import type { Witness } from '../verdict/verdict.js';
import { EndlessComputation } from './local-closure.js';
import { mark } from './marked-cells.js';
import { createProgramAutomata, type ProgramAutomata } from './program-automata.js';
import { buildSearchWitness, type DelaySeed, type WitnessTrail } from './search-witness.js';

export interface AttackSearchOptions {
  readonly budget: Budget;
  /** Decide every attack, instead of stopping at the first feasible one. */
  readonly allAttacks: boolean;
  /** Keep the nodes of threads with the same code sorted; on by default, changes no verdict. */
  readonly symmetry?: boolean;
  /** Set dead registers to 0; on by default, changes no verdict. */
  readonly maskDeadRegisters?: boolean;
  /** Remember dead states of the last phase across attacks; on by default, changes no verdict. */
  readonly shareDeadStates?: boolean;
  /** Make packed layouts as narrow as possible, so that they have to grow all the time; for tests. */
  readonly tightLayout?: boolean;
}

/** The second phase of all attacks that begin with one store. */
interface DelayPhase {
  readonly search: ProductSearch;
  /** How its initial states came about; the parent of the `k`-th is `-1 - k`. */
  readonly seeds: DelaySeed[];
  /** States looked at for last loads. */
  scanned: number;
}

/** The end of the second phase: who stands where when the last load is about to happen. */
interface Candidate {
  readonly attack: Attack;
  readonly trail: WitnessTrail;
  readonly seed: ProductState;
}

const firstStage = 100;
const statesPerBreath = 50_000;

/** The search for feasible attacks; see `searchAttacks`. */
class AttackSearch {
  readonly #program: Program;
  readonly #options: AttackSearchOptions;
  readonly #automata: ProgramAutomata;
  readonly #sequential: ProductSearch;
  readonly #groups: readonly (readonly number[])[];
  readonly #initial: (readonly number[])[] = [];
  readonly #verdicts = new Map<string, AttackVerdict>();
  readonly #open = new Map<ThreadId, Map<TransitionId, Set<TransitionId>>>();
  readonly #delays = new Map<string, DelayPhase>();
  readonly #lastPhases = new Map<ThreadId, ProductSearch>();
  #postponed: Candidate[] = [];
  #scanned = 0;
  #lastPhaseStates = 0;
  #openCount = 0;
  witness: Witness | undefined;

  constructor(program: Program, options: AttackSearchOptions) {
    this.#program = program;
    this.#options = options;
    const { symmetry = true, maskDeadRegisters = true } = options;
    this.#automata = createProgramAutomata(program, { symmetry, maskDeadRegisters });
    const { threads, valueTables } = this.#automata;
    this.#groups = this.#automata.classes.filter((members) => members.length > 1);
    this.#sequential = new ProductSearch(valueTables, {
      automata: threads.map(({ sequentialNumber }) => sequentialNumber),
      groups: this.#groups,
      tightLayout: options.tightLayout === true,
    });
    for (const attack of enumerateAttacks(program)) this.#classify(attack);
    this.#addInitialStates();
  }

  get states(): number {
    let states = this.#sequential.table.count + this.#lastPhaseStates;
    for (const { search } of this.#delays.values()) states += search.table.count;
    return states;
  }

  get bytes(): number {
    let bytes = this.#sequential.table.bytes;
    for (const { search } of this.#delays.values()) bytes += search.table.bytes;
    for (const search of this.#lastPhases.values()) bytes += search.table.bytes;
    return bytes + this.#automata.valueTables.bytes + this.#automata.markTables.bytes;
  }

  get finished(): boolean {
    return this.#openCount === 0 || (this.witness !== undefined && !this.#options.allAttacks);
  }

  /** Runs until everything is decided or the budget is used up. */
  async run(budget: Budget): Promise<Exhaustion | undefined> {
    for (let stage = firstStage; !this.finished; stage *= 2) {
      const exhausted = await this.#runStage(stage, budget);
      if (exhausted) return exhausted;
      const complete =
        this.#sequential.cursor >= this.#sequential.table.count &&
        this.#scanned >= this.#sequential.table.count &&
        this.#postponed.length === 0 &&
        [...this.#delays.values()].every(
          ({ search, scanned }) =>
            search.cursor >= search.table.count && scanned >= search.table.count,
        );
      if (complete) return undefined;
    }
    return undefined;
  }

  decision(exhausted: Exhaustion | undefined): Decision {
    const faults = this.#automata.faults();
    const stopped = this.witness !== undefined && !this.#options.allAttacks;
    const rest: AttackVerdict = exhausted || faults.length > 0 ? 'unknown' : 'infeasible';
    const attacks = enumerateAttacks(this.#program).flatMap((attack): DecidedAttack[] => {
      const verdict = this.#verdicts.get(this.#name(attack));
      if (verdict) return [{ attack, verdict }];
      return stopped ? [] : [{ attack, verdict: rest }];
    });
    return {
      attacks,
      ...(this.witness && { witness: this.witness }),
      ...(exhausted && { incomplete: exhausted }),
      faults,
      states: this.states,
      queries: attacks.filter(({ verdict }) => verdict !== 'by-cfg').length,
    };
  }

  /** The class of a thread stands for all its members. */
  #representative(thread: ThreadId): ThreadId {
    return this.#automata.classes.find((members) => members.includes(thread))?.[0] ?? thread;
  }

  #name({ thread, store, load }: Attack): string {
    return `${this.#representative(thread)}.${store}.${load}`;
  }

  #classify(attack: Attack): void {
    const { thread, store, load } = attack;
    if (this.#representative(thread) !== thread) return;
    if (isInfeasibleByControlFlow(this.#program, attack)) {
      this.#verdicts.set(this.#name(attack), 'by-cfg');
      return;
    }
    const stores = this.#open.get(thread) ?? new Map<TransitionId, Set<TransitionId>>();
    const loads = stores.get(store) ?? new Set<TransitionId>();
    this.#open.set(thread, stores.set(store, loads.add(load)));
    this.#openCount++;
  }

  #addInitialStates(): void {
    let combinations: number[][] = [[]];
    for (const { sequential } of this.#automata.threads) {
      const nodes = sequential.initialNodes();
      combinations = combinations.flatMap((rest) => nodes.map(({ node }) => [...rest, node]));
    }
    for (const nodes of combinations) {
      this.#initial.push(nodes);
      this.#sequential.add({ nodes, values: [] }, -this.#initial.length);
    }
  }

  async #runStage(stage: number, budget: Budget): Promise<Exhaustion | undefined> {
    for (;;) {
      const limit = Math.min(stage, this.#sequential.table.count + statesPerBreath);
      const result = this.#sequential.run(limit);
      const exhausted = await budget.breathe(this.states, this.bytes);
      if (exhausted) return exhausted;
      if (result === 'full') return 'memory';
      if (result === 'done' || this.#sequential.table.count >= stage) break;
    }
    const postponed = this.#postponed;
    this.#postponed = [];
    for (const candidate of postponed) this.#tryCandidate(candidate, stage);
    while (this.#scanned < this.#sequential.table.count && !this.finished) {
      this.#startAttacks(this.#scanned++, stage);
      const exhausted =
        this.#scanned % 256 === 0 ? await budget.breathe(this.states, this.bytes) : undefined;
      if (exhausted) return exhausted;
    }
    for (const [name, delay] of this.#delays) {
      if (this.finished) break;
      const exhausted = await this.#runDelayPhase(name, delay, stage, budget);
      if (exhausted) return exhausted;
    }
    return undefined;
  }

  /** Looks for first delayed stores in a state of the first phase. */
  #startAttacks(state: number, stage: number): void {
    const { threads, classes } = this.#automata;
    const search = this.#sequential;
    const isExclusive = threads.some(({ sequential }, c) =>
      sequential.isExclusive(search.node(state, c)),
    );
    // While somebody holds the bus lock no attack begins: it could as well begin after the release.
    if (isExclusive) return;
    for (const members of classes) {
      const [attacker = 0] = members;
      const stores = this.#open.get(attacker);
      if (!stores || stores.size === 0) continue;
      let previous = -1;
      for (const place of members) {
        const node = search.node(state, place);
        if (node === previous) continue;
        previous = node;
        const actions = threads[attacker]?.sequential.actions(node) ?? [];
        actions.forEach(({ step, effect }, action) => {
          if (effect.kind === 'store' && stores.has(step.id))
            this.#delayStore(attacker, place, state, node, action, step.id, stage);
        });
      }
    }
  }

  #delayStore(
    attacker: ThreadId,
    place: number,
    state: number,
    node: number,
    action: number,
    store: TransitionId,
    stage: number,
  ): void {
    const automata = this.#automata.threads[attacker];
    const loads = this.#open.get(attacker)?.get(store);
    if (!automata || !loads) return;
    const { nodes, values } = this.#sequential.state(state);
    // The attacker changes places with the representative of its class.
    const helpers = nodes.with(place, nodes[attacker] ?? 0);
    automata.attacker.enter(node, action).forEach((entry, entryIndex) => {
      const before = helpers.with(attacker, entry.node);
      const start = { state, place, node, action, entry: entryIndex };
      this.#tryLoads(attacker, store, { nodes: before, values }, stage, (load) => ({
        kind: 'direct',
        start,
        load,
      }));
      automata.attacker.loads(entry.node).forEach((load, loadAction) => {
        const value = values[load.cell] ?? 0;
        automata.attacker
          .explainedOutcomes(entry.node, loadAction, value)
          .forEach((after, outcome) => {
            const seed = { ...start, firstLoad: { action: loadAction, outcome } };
            this.#addDelayed(attacker, store, seed, {
              nodes: helpers.with(attacker, after.node),
              values,
            });
          });
      });
    });
  }

  #addDelayed(attacker: ThreadId, store: TransitionId, seed: DelaySeed, state: ProductState): void {
    const name = `${attacker}.${store}`;
    let delay = this.#delays.get(name);
    if (!delay) {
      delay = { search: this.#createDelaySearch(attacker), seeds: [], scanned: 0 };
      this.#delays.set(name, delay);
    }
    if (delay.search.add(state, -1 - delay.seeds.length) >= 0) delay.seeds.push(seed);
  }

  #createDelaySearch(attacker: ThreadId): ProductSearch {
    const { threads, valueTables } = this.#automata;
    return new ProductSearch(valueTables, {
      automata: threads.map(({ sequentialNumber, attackerNumber }, t) =>
        t === attacker ? attackerNumber : sequentialNumber,
      ),
      groups: this.#helperGroups(attacker),
      tightLayout: this.#options.tightLayout === true,
    });
  }

  #helperGroups(attacker: ThreadId): number[][] {
    return this.#automata.classes
      .map((members) => members.filter((member) => member !== attacker))
      .filter((members) => members.length > 1);
  }

  async #runDelayPhase(
    name: string,
    delay: DelayPhase,
    stage: number,
    budget: Budget,
  ): Promise<Exhaustion | undefined> {
    const [attacker = 0, store = 0] = name.split('.').map(Number);
    const { search } = delay;
    for (;;) {
      if (!this.#open.get(attacker)?.has(store)) {
        // Decided: nothing more to find here.
        search.cursor = search.table.count;
        delay.scanned = search.table.count;
        return undefined;
      }
      while (delay.scanned < search.table.count && !this.finished) {
        const state = delay.scanned++;
        const isExclusive = this.#automata.threads.some(
          ({ sequential }, c) => c !== attacker && sequential.isExclusive(search.node(state, c)),
        );
        if (!isExclusive)
          this.#tryLoads(attacker, store, search.state(state), stage, (load) => ({
            kind: 'delayed',
            search,
            seeds: delay.seeds,
            state,
            load,
          }));
        if (delay.scanned % 256 === 0) {
          const exhausted = await budget.breathe(this.states, this.bytes);
          if (exhausted) return exhausted;
        }
      }
      if (this.finished || search.cursor >= search.table.count || search.table.count >= stage)
        return undefined;
      const result = search.run(Math.min(stage, search.table.count + statesPerBreath));
      if (result === 'full') return 'memory';
      const exhausted = await budget.breathe(this.states, this.bytes);
      if (exhausted) return exhausted;
    }
  }

  /** Tries every load that the attacker can do in a state of the second phase as its last one. */
  #tryLoads(
    attacker: ThreadId,
    store: TransitionId,
    { nodes, values }: ProductState,
    stage: number,
    trail: (load: TransitionId) => WitnessTrail,
  ): void {
    const { threads, marks } = this.#automata;
    const own = threads[attacker];
    if (!own) return;
    const attackerNode = nodes[attacker] ?? 0;
    const target = own.attacker.target(attackerNode);
    for (const { transition: load, cell } of own.attacker.loads(attackerNode)) {
      const attack = { thread: attacker, store, load };
      if (this.#verdicts.has(this.#name(attack)) || this.finished) continue;
      if (!this.#somebodyJoins(attacker, nodes, cell)) continue;
      const cells = Math.max(values.length, cell + 1, target + 1);
      const marked = Array.from({ length: cells }, (_, c) =>
        marks.id(
          c,
          values[c] ?? 0,
          c === target ? mark.target : c === cell ? mark.load : mark.none,
        ),
      );
      const helpers = nodes.flatMap((node, t) =>
        t === attacker ? [] : (threads[t]?.path.offPath(node) ?? 0),
      );
      const seed = { nodes: helpers, values: marked };
      this.#tryCandidate({ attack, trail: trail(load), seed }, stage);
    }
  }

  /** Whether some helper stands at a store to the cell, or before a lock block: nobody else can make the first step of the path. */
  #somebodyJoins(attacker: ThreadId, nodes: readonly number[], cell: number): boolean {
    return nodes.some((node, t) => {
      if (t === attacker) return false;
      const actions = this.#automata.threads[t]?.sequential.actions(node) ?? [];
      return actions.some(
        (action) =>
          action.effect.kind === 'lock' || (action.cell === cell && action.effect.kind !== 'load'),
      );
    });
  }

  /** The helpers' groups by their places when the attacker is left out. */
  #lastPhaseGroups(attacker: ThreadId): number[][] {
    const place = (t: number): number => (t > attacker ? t - 1 : t);
    return this.#helperGroups(attacker).map((members) => members.map(place));
  }

  #lastPhase(attacker: ThreadId): ProductSearch {
    const known = this.#lastPhases.get(attacker);
    if (known) return known;
    const { threads, markTables } = this.#automata;
    const helpers = threads.flatMap(({ pathNumber }, t) => (t === attacker ? [] : [pathNumber]));
    const search = new ProductSearch(markTables, {
      automata: helpers,
      groups: this.#lastPhaseGroups(attacker),
      tightLayout: this.#options.tightLayout === true,
    });
    this.#lastPhases.set(attacker, search);
    return search;
  }

  /** The third phase: is there a happens-before path from the load to the first delayed store? */
  #tryCandidate(candidate: Candidate, stage: number): void {
    const { attack, trail, seed } = candidate;
    const name = this.#name(attack);
    if (this.#verdicts.has(name) || this.finished) return;
    const search = this.#lastPhase(attack.thread);
    const first = search.table.count;
    // States that are there already are dead: no goal can be reached from them.
    if (search.add(seed, -1) < 0) return;
    search.cursor = first;
    const result = search.run(first + 50 * stage);
    this.#lastPhaseStates += search.table.count - first;
    if (result === 'goal') {
      const witness = buildSearchWitness({
        program: this.#program,
        automata: this.#automata,
        attack,
        trail,
        sequential: this.#sequential,
        initial: this.#initial,
        lastPhase: search,
        seed,
        groups: {
          all: this.#groups,
          helpers: this.#helperGroups(attack.thread),
          lastPhase: this.#lastPhaseGroups(attack.thread),
        },
      });
      if (!this.witness || witness.computation.length < this.witness.computation.length)
        this.witness = witness;
      this.#setFeasible(attack);
    } else if (result !== 'done') this.#postponed.push(candidate);
    if (result !== 'done' || this.#options.shareDeadStates === false)
      search.table.truncate(result === 'done' ? 0 : first);
    search.cursor = search.table.count;
  }

  #setFeasible(attack: Attack): void {
    this.#verdicts.set(this.#name(attack), 'feasible');
    this.#openCount--;
    const stores = this.#open.get(attack.thread);
    const loads = stores?.get(attack.store);
    loads?.delete(attack.load);
    if (loads?.size === 0) stores?.delete(attack.store);
  }
}

/**
 * Decides robustness by searching for attacks in three phases over tabulated thread automata: plain SC; the attacker delays its
 * stores; helpers build the happens-before path. The first phase is shared by all attacks, the second by all attacks with the same
 * store, and states of the third that cannot reach the goal by all attacks of a thread. The phases advance in stages that double,
 * so that programs with infinitely many states are answered if they are not robust.
 */
export async function searchAttacks(
  program: Program,
  options: AttackSearchOptions,
): Promise<Decision> {
  const search = new AttackSearch(program, options);
  let exhausted: Exhaustion | undefined;
  try {
    exhausted = await search.run(options.budget);
  } catch (error) {
    if (!(error instanceof EndlessComputation)) throw error;
    exhausted = 'states';
  }
  options.budget.finishSearch(search.states);
  return search.decision(exhausted);
}
