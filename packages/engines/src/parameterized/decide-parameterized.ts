import type { Budget, Exhaustion } from '@fencewright/ground/base/budget.js';
import { at } from '@fencewright/ground/base/at.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import type { Configuration } from '@fencewright/ground/petri/counter-system.js';
import { hasHeavyFences } from '@fencewright/model/program/heavy-fences.js';
import { fact } from '@fencewright/ground/base/fact.js';
import type { Program } from '@fencewright/model/program/program.js';
import { type InstantiatedProgram, instantiate } from '@fencewright/model/program/instantiate.js';
import type { UnboundedModel } from '@fencewright/model/program/model.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import type { Decision } from '../robustness/decision.js';
import { maySeveralDelayInAll } from '../robustness/several-delays.js';
import { StaticPaths } from '../closures/static-path.js';
import { searchAttacks } from '../search/attack-search.js';
import type { SearchOptions } from '../search/search-session.js';
import type { FaultyStep } from '@fencewright/model/semantics/machine.js';
import type {
  Attack,
  AttackStage,
  AttackVerdict,
  DecidedAttack,
} from '@fencewright/model/verdict/attack.js';
import type { UnknownReason } from '@fencewright/model/verdict/verdict.js';
import { attacksOfTemplates, toJobs } from './attack-jobs.js';
import type { AttackSystem } from './attack-system.js';
import { searchAllInstances } from './cover-search.js';
import { copiesFor, countsOfTotal, totalOf } from './instances.js';
import { createTemplateAutomata, type TemplateAutomata } from './template-automata.js';

/**
 * The optional steps of the decision; each is on by default, and leaving one out can change a
 * verdict only to `unknown`.
 */
export interface ParameterizedSteps {
  /** Whether instances with 1, 2 and 3 copies are searched first; on by default. */
  readonly smallInstances?: boolean;
  /**
   * Whether an attack is refuted without a search if control flow and addresses alone exclude a
   * happens-before path from its load to its store; on by default.
   */
  readonly staticPath?: boolean;
  /** Whether all instances are searched at once; on by default. */
  readonly cover?: boolean;
}

export interface ParameterizedOptions extends SearchOptions, ParameterizedSteps {
  readonly budget: Budget;
  /** Whether every attack is decided, instead of stopping at the first feasible one. */
  readonly allAttacks: boolean;
}

/** An instance that is not robust, with its numbers of copies and the decision. */
export interface BrokenInstance {
  readonly instance: InstantiatedProgram;
  /** For each unbounded thread, its number of copies in the instance, indexed by thread. */
  readonly counts: readonly number[];
  readonly decision: Decision;
}

export interface ParameterizedDecision {
  /** The attacks of the templates, in order; attacks that were not tried are left out. */
  readonly attacks: readonly DecidedAttack[];
  readonly total: number;
  /** The decision on the smallest instance found that is not robust; absent if none was found. */
  readonly broken?: BrokenInstance;
  /**
   * The proof that all attacks are infeasible; absent if no search was needed, or some attack is
   * feasible.
   */
  readonly proof?: {
    /**
     * The attacks that the invariant refutes; the remaining attacks are refuted without a search.
     */
    readonly attacks: readonly Attack[];
    readonly system: AttackSystem;
    readonly invariant: readonly Configuration[];
  };
  readonly incomplete?: UnknownReason;
  /** The steps that fault in some instance. Threads are numbered as in the templates. */
  readonly faults: readonly FaultyStep[];
  readonly states: number;
  readonly queries: number;
}

/**
 * The maximum number of states that the search of one small instance stores before all instances
 * are searched.
 */
const statesForSmall = 5_000;
const smallest = [1, 2, 3];

/**
 * Searches the instances with the given numbers of copies, in order. Returns the first instance
 * that is not robust. If a limit is exhausted before, returns the limit; if all instances are
 * robust, `undefined`.
 */
async function searchInstances(
  program: Templates,
  vectors: readonly (readonly number[])[],
  options: ParameterizedOptions,
  maxStates: number,
): Promise<BrokenInstance | Exhaustion | undefined> {
  const { budget } = options;
  for (const counts of vectors) {
    const stopped = await budget.checkpoint(0, 0);
    if (stopped) return stopped;
    const instance = instantiate(program, counts);
    const own = budget.part(maxStates);
    const decision = await searchAttacks(instance.program, {
      ...options,
      allAttacks: false,
      budget: own,
    });
    budget.finishPart(own);
    if (decision.witness) return { instance, counts, decision };
    // A search that ended at its own limit leaves room for the next one.
    const exhaustion = exhaustionOf(decision);
    if (exhaustion && maxStates === Number.POSITIVE_INFINITY) return exhaustion;
  }
  return undefined;
}

/** Returns the limit that ended the search for a decision; `undefined` if none did. */
function exhaustionOf({ incomplete }: Decision): Exhaustion | undefined {
  switch (incomplete) {
    case 'states':
    case 'work':
    case 'memory':
    case 'time':
    case 'cancelled':
      return incomplete;
    default:
      return undefined;
  }
}

/** Returns a smallest instance that has the attack which the search of all instances has found. */
async function findBroken(
  templates: TemplateAutomata,
  threads: readonly number[] | undefined,
  options: ParameterizedOptions,
): Promise<BrokenInstance | Exhaustion> {
  const { program, classes } = templates;
  const known = threads && copiesFor(templates, threads);
  const bound = known ? totalOf(program, known) : Number.POSITIVE_INFINITY;
  for (let total = 0; total <= bound; total++) {
    const vectors = countsOfTotal(program, total).filter((counts) =>
      // Templates with equal code are interchangeable: copies of the first suffice.
      classes.every(({ unbounded }) => unbounded.slice(1).every((thread) => counts[thread] === 0)),
    );
    const found = await searchInstances(program, vectors, options, Number.POSITIVE_INFINITY);
    if (found) return found;
  }
  throw new InternalError('an attack on some instance is none on the instance that was named');
}

/**
 * Returns the faults, named by threads of the templates, that were found in the instance with two
 * copies of each template.
 */
function faultsOf({ all, pairs }: TemplateAutomata): readonly FaultyStep[] {
  return all.faults().map((fault) => ({ ...fault, thread: pairs.templateOf[fault.thread]! }));
}

/**
 * Decides whether all instances of a parameterised program are robust ([BDM13] Sect. 6, Theorem 4):
 * control flow, small instances, happens-before paths by control flow, and at last all instances at
 * once, as a question of coverability.
 */
export async function decideParameterized(
  program: UnboundedModel,
  options: ParameterizedOptions,
): Promise<ParameterizedDecision> {
  const {
    allAttacks,
    maskDeadRegisters = true,
    ownedCells = true,
    happensBefore = 'standard',
  } = options;
  const templates = createTemplateAutomata(program, {
    maskDeadRegisters,
    ownedCells,
    happensBefore,
  });
  const { all, open } = attacksOfTemplates(templates);
  const byStatic = new Set((options.staticPath ?? true) ? withoutStaticPath(templates, open) : []);
  const left = open.filter((attack) => !byStatic.has(attack));
  const run = new DecisionRun(templates, options, all, open, byStatic);
  if (left.length === 0) return run.result({});
  if (options.smallInstances ?? true) {
    const vectors = smallest.flatMap((total) => countsOfTotal(program, total));
    const found = await searchInstances(program, vectors, options, statesForSmall);
    if (typeof found === 'string') return run.result({ incomplete: found });
    if (found) {
      run.broken = found;
      if (!allAttacks) return run.result({});
    }
  }
  if (hasHeavyFences(program.templates) && maySeveralDelayInAll(templates.pairs.program))
    return run.result({ incomplete: 'several-delays' });
  if (!(options.cover ?? true)) return run.result({ incomplete: 'states' });
  return allAttacks ? run.decideEach(left) : run.decideTogether(left);
}

/** The static paths of a program; each round of a repair asks for them. */
const staticPathsOf = fact((program: Program) => new StaticPaths(program));

/**
 * Returns the attacks that have no happens-before path for any number of copies, judged by control
 * flow and addresses alone.
 */
export function withoutStaticPath(
  { pairs, all, classOf }: TemplateAutomata,
  attacks: readonly Attack[],
): readonly Attack[] {
  const paths = staticPathsOf(pairs.program);
  return attacks.filter((attack) => {
    const [thread = 0] = at(all.classes, at(classOf, attack.thread));
    return paths.refutes({ ...attack, thread });
  });
}

/** The decision for programs that the engine does not support: no attack is tried. */
export const undecidedForAll: ParameterizedDecision = {
  attacks: [],
  total: 0,
  incomplete: 'unsupported',
  faults: [],
  states: 0,
  queries: 0,
};

/**
 * The findings about a parameterised program so far, while the steps of the decision are executed.
 */
class DecisionRun {
  broken: BrokenInstance | undefined;
  readonly #templates: TemplateAutomata;
  readonly #options: ParameterizedOptions;
  readonly #all: readonly Attack[];
  readonly #verdicts = new Map<Attack, AttackVerdict>();
  readonly #byStatic: ReadonlySet<Attack>;
  #queries = 0;

  constructor(
    templates: TemplateAutomata,
    options: ParameterizedOptions,
    all: readonly Attack[],
    open: readonly Attack[],
    byStatic: ReadonlySet<Attack>,
  ) {
    this.#byStatic = byStatic;
    this.#templates = templates;
    this.#options = options;
    this.#all = all;
    for (const attack of all)
      if (!open.includes(attack)) this.#verdicts.set(attack, 'by-cfg');
      else if (byStatic.has(attack)) this.#verdicts.set(attack, 'infeasible');
  }

  async decideTogether(attacks: readonly Attack[]): Promise<ParameterizedDecision> {
    const outcome = await this.#search(attacks);
    switch (outcome.kind) {
      case 'infeasible':
        for (const attack of attacks) this.#verdicts.set(attack, 'infeasible');
        return this.result({ proof: { ...outcome, attacks } });
      case 'unknown':
        for (const attack of attacks) this.#verdicts.set(attack, 'unknown');
        return this.result({ incomplete: outcome.reason });
      case 'feasible':
        return this.result(await this.#nameInstance(outcome.threads));
    }
  }

  async decideEach(attacks: readonly Attack[]): Promise<ParameterizedDecision> {
    let incomplete: UnknownReason | undefined;
    for (const attack of attacks) {
      const outcome = await this.#search([attack]);
      const verdict = outcome.kind;
      this.#verdicts.set(attack, verdict);
      if (outcome.kind === 'unknown') incomplete = outcome.reason;
      if (outcome.kind === 'feasible' && !this.broken)
        incomplete = (await this.#nameInstance(outcome.threads)).incomplete ?? incomplete;
      if (incomplete === 'cancelled' || incomplete === 'time' || incomplete === 'work') break;
    }
    for (const attack of attacks)
      if (!this.#verdicts.has(attack)) this.#verdicts.set(attack, 'unknown');
    if (this.broken || incomplete) return this.result({ ...(incomplete && { incomplete }) });
    return this.decideTogether(attacks);
  }

  #search(attacks: readonly Attack[]) {
    this.#queries += 1;
    const jobs = toJobs(this.#templates, attacks);
    return searchAllInstances(this.#templates, jobs, this.#options.budget);
  }

  async #nameInstance(
    threads: readonly number[] | undefined,
  ): Promise<{ readonly incomplete?: UnknownReason }> {
    const found = await findBroken(this.#templates, threads, this.#options);
    if (typeof found === 'string') return { incomplete: found };
    this.broken = found;
    return {};
  }

  #stageOf(attack: Attack, verdict: AttackVerdict): AttackStage | undefined {
    if (verdict === 'by-cfg') return 'control-flow';
    if (verdict === 'unknown') return undefined;
    return this.#byStatic.has(attack) ? 'static-path' : 'search';
  }

  result(more: Pick<ParameterizedDecision, 'proof' | 'incomplete'>): ParameterizedDecision {
    const { budget } = this.#options;
    return {
      attacks: this.#all.flatMap((attack): DecidedAttack[] => {
        const verdict = this.#verdicts.get(attack) ?? (more.incomplete ? 'unknown' : undefined);
        const settledBy = verdict && this.#stageOf(attack, verdict);
        return verdict ? [{ attack, verdict, ...(settledBy && { settledBy }) }] : [];
      }),
      total: this.#all.length,
      ...(this.broken && { broken: this.broken }),
      ...more,
      faults: this.broken ? [] : faultsOf(this.#templates),
      states: budget.finishedStates,
      queries: this.#queries,
    };
  }
}
