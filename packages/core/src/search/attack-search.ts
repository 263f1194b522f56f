import type { Budget, Exhaustion } from '../base/budget.js';
import type { ThreadId } from '../program/ids.js';
import type { Program } from '../program/program.js';
import { ProductSearch } from '../product/product-search.js';
import { enumerateAttacks, isInfeasibleByControlFlow } from '../robustness/attacks.js';
import type { Decision } from '../robustness/decision.js';
import type { Attack, AttackVerdict, DecidedAttack } from '../verdict/attack.js';
import type { Witness } from '../verdict/verdict.js';
import { AttackerSearch } from './attacker-search.js';
import { EndlessComputation } from './local-closure.js';
import { createProgramAutomata, type ProgramAutomata } from './program-automata.js';

/** The reductions of the search; none changes a verdict. */
export interface SearchReductions {
  /** Keep the nodes of threads with the same code sorted; on by default. */
  readonly symmetry?: boolean;
  /** Set dead registers to 0; on by default. */
  readonly maskDeadRegisters?: boolean;
  /** Remember dead states of the last phase across attacks; on by default. */
  readonly shareDeadStates?: boolean;
  /** Make packed layouts as narrow as possible, so that they have to grow all the time; off by default, for tests. */
  readonly tightLayout?: boolean;
}

export interface AttackSearchOptions extends SearchReductions {
  readonly budget: Budget;
  /** Decide every attack, instead of stopping at the first feasible one. */
  readonly allAttacks: boolean;
}

const firstStage = 100;
const statesPerBreath = 50_000;
const scansPerBreath = 4096;

/** The search for feasible attacks; see `searchAttacks`. */
class AttackSearch {
  readonly #program: Program;
  readonly #allAttacks: boolean;
  readonly #automata: ProgramAutomata;
  readonly #sequential: ProductSearch;
  readonly #initial: (readonly number[])[] = [];
  readonly #verdicts = new Map<string, AttackVerdict>();
  /** One for each class of threads, by its first member. */
  readonly #attackers = new Map<ThreadId, AttackerSearch>();
  #scanned = 0;
  #witness: Witness | undefined;

  constructor(program: Program, options: AttackSearchOptions) {
    this.#program = program;
    this.#allAttacks = options.allAttacks;
    const { symmetry = true, maskDeadRegisters = true } = options;
    const { shareDeadStates = true, tightLayout = false } = options;
    this.#automata = createProgramAutomata(program, { symmetry, maskDeadRegisters });
    const { threads, classes, valueTables } = this.#automata;
    const groups = classes.filter((members) => members.length > 1);
    this.#sequential = new ProductSearch(valueTables, {
      automata: threads.map(({ sequentialNumber }) => sequentialNumber),
      groups,
      tightLayout,
    });
    const shared = {
      program,
      automata: this.#automata,
      sequential: this.#sequential,
      initial: this.#initial,
      groups,
      shareDeadStates,
      tightLayout,
      onFeasible: (attack: Attack, witness: Witness): void => this.#setFeasible(attack, witness),
    };
    for (const [first = 0] of classes) {
      const own = threads[first];
      if (own) this.#attackers.set(first, new AttackerSearch(shared, first, own));
    }
    for (const attack of enumerateAttacks(program)) this.#classify(attack);
    this.#addInitialStates();
  }

  get states(): number {
    let states = this.#sequential.table.count;
    for (const attacker of this.#attackers.values()) states += attacker.states;
    return states;
  }

  get #bytes(): number {
    const { valueTables, markTables } = this.#automata;
    let bytes = this.#sequential.table.bytes + valueTables.bytes + markTables.bytes;
    for (const attacker of this.#attackers.values()) bytes += attacker.bytes;
    return bytes;
  }

  get #finished(): boolean {
    if (this.#witness && !this.#allAttacks) return true;
    return [...this.#attackers.values()].every(({ finished }) => finished);
  }

  /** Runs until everything is decided or the budget is used up. */
  async run(budget: Budget): Promise<Exhaustion | undefined> {
    for (let stage = firstStage; !this.#finished; stage *= 2) {
      const exhausted =
        (await this.#growFirstPhase(stage, budget)) ??
        (await this.#scan(stage, budget)) ??
        (await this.#advance(stage, budget));
      if (exhausted) return exhausted;
      const complete =
        this.#sequential.cursor >= this.#sequential.table.count &&
        this.#scanned >= this.#sequential.table.count &&
        [...this.#attackers.values()].every(({ idle }) => idle);
      if (complete) return undefined;
    }
    return undefined;
  }

  decision(exhausted: Exhaustion | undefined): Decision {
    const faults = this.#automata.faults();
    const stopped = this.#witness !== undefined && !this.#allAttacks;
    const rest: AttackVerdict = exhausted || faults.length > 0 ? 'unknown' : 'infeasible';
    const attacks = enumerateAttacks(this.#program).flatMap((attack): DecidedAttack[] => {
      const verdict = this.#verdicts.get(this.#name(attack));
      if (verdict) return [{ attack, verdict }];
      return stopped ? [] : [{ attack, verdict: rest }];
    });
    return {
      attacks,
      ...(this.#witness && { witness: this.#witness }),
      ...(exhausted && { incomplete: exhausted }),
      faults,
      states: this.states,
      queries: attacks.filter(({ verdict }) => verdict !== 'by-cfg').length,
    };
  }

  #representative(thread: ThreadId): ThreadId {
    return this.#automata.classes.find((members) => members.includes(thread))?.[0] ?? thread;
  }

  /** Threads with the same code have the same feasible attacks. */
  #name({ thread, store, load }: Attack): string {
    return `${this.#representative(thread)}.${store}.${load}`;
  }

  #classify(attack: Attack): void {
    if (isInfeasibleByControlFlow(this.#program, attack))
      this.#verdicts.set(this.#name(attack), 'by-cfg');
    else this.#attackers.get(attack.thread)?.add(attack);
  }

  #setFeasible(attack: Attack, witness: Witness): void {
    this.#verdicts.set(this.#name(attack), 'feasible');
    if (!this.#witness || witness.computation.length < this.#witness.computation.length)
      this.#witness = witness;
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

  async #growFirstPhase(stage: number, budget: Budget): Promise<Exhaustion | undefined> {
    const search = this.#sequential;
    for (;;) {
      const result = search.run(Math.min(stage, search.table.count + statesPerBreath));
      if (result === 'full') return 'memory';
      const exhausted = await budget.breathe(this.states, this.#bytes);
      if (exhausted) return exhausted;
      if (result === 'done' || search.table.count >= stage) return undefined;
    }
  }

  /** Looks for first delayed stores in the new states of the first phase. */
  async #scan(stage: number, budget: Budget): Promise<Exhaustion | undefined> {
    const { threads, classes } = this.#automata;
    const search = this.#sequential;
    while (this.#scanned < search.table.count && !this.#finished) {
      const state = this.#scanned++;
      // While somebody holds the bus lock no attack begins: it could as well begin after the release.
      const isLocked = threads.some(({ sequential }, t) =>
        sequential.isExclusive(search.node(state, t)),
      );
      if (!isLocked)
        for (const members of classes) {
          const attacker = this.#attackers.get(members[0] ?? 0);
          if (!attacker || attacker.finished) continue;
          for (const place of members) attacker.scan(state, place, stage);
        }
      if (this.#scanned % scansPerBreath !== 0) continue;
      const exhausted = await budget.breathe(this.states, this.#bytes);
      if (exhausted) return exhausted;
    }
    return undefined;
  }

  async #advance(stage: number, budget: Budget): Promise<Exhaustion | undefined> {
    const usage = (): readonly [number, number] => [this.states, this.#bytes];
    for (const attacker of this.#attackers.values()) {
      if (this.#finished) return undefined;
      const exhausted = await attacker.advance(stage, budget, usage);
      if (exhausted) return exhausted;
    }
    return undefined;
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
