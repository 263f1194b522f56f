import { Budget, type Limits } from '@fencewright/ground/base/budget.js';
import { AnyNumberSearch } from '@fencewright/engines/load-buffers/any-number-search.js';
import { countsOfTotal } from '@fencewright/engines/parameterized/instances.js';
import { instantiate } from '@fencewright/model/program/instantiate.js';
import type { UnboundedModel } from '@fencewright/model/program/model.js';
import type { BufferedModel } from '@fencewright/model/trace/memory-model.js';
import type {
  AllInstancesReach,
  ClaimOverAll,
  OverAll,
  ShownInstance,
} from '@fencewright/model/verdict/all-instances-reach.js';
import {
  answerOverAll,
  asksForState,
  type OverAllParts,
  standingIn,
} from '@fencewright/model/verdict/answer-over-all.js';
import { claimsOf } from '@fencewright/model/verdict/claims-of.js';
import type { ModelReach } from '@fencewright/model/verdict/reach-result.js';
import type { Claim, StateAnswer } from '@fencewright/model/verdict/state-answer.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { TemplateCount } from '@fencewright/model/verdict/verdict.js';
import { reach, whyOpen } from './reach.js';

/** Total numbers of copies, over all templates, in the instances explored one by one. */
const smallTotals = [0, 1, 2, 3] as const;
/** The maximum number of states that are explored of one instance. */
const statesPerInstance = 20_000;

interface Explored extends ShownInstance {
  /** For each thread of the instance, the index of the template that the thread is a copy of. */
  readonly templateOf: readonly number[];
}

/** Whether a claim fails in an instance; for an `exists`, whether the state is reached. */
function failsIn({ program, templateOf }: Explored, model: ModelReach, claim: Claim): boolean {
  if (claim.kind === 'assertion')
    return model.failedAssertions.some(
      ({ thread, transition }) =>
        templateOf[thread] === claim.thread && transition === claim.transition,
    );
  const verdict = model.properties[claim.property]?.verdict;
  return verdict === (asksForState(program, claim) ? 'holds' : 'violated');
}

/**
 * The state of a decision about claims in all instances: explores some instances, and searches all
 * instances at once.
 */
class AllInstances {
  readonly #model: UnboundedModel;
  readonly #budget: Budget;
  readonly #instances: Explored[] = [];
  #search: AnyNumberSearch | undefined;

  constructor(model: UnboundedModel, budget: Budget) {
    this.#model = model;
    this.#budget = budget;
  }

  get instances(): readonly Explored[] {
    return this.#instances;
  }

  async explore(counts: readonly number[], part: Budget): Promise<Explored> {
    const { templates, unbounded } = this.#model;
    const { program, templateOf } = instantiate(this.#model, counts);
    const result = await reach(program, { limits: part.share(1) });
    const copies = unbounded.map((thread): TemplateCount => ({
      template: templates.threads[thread]?.name ?? '',
      count: counts[thread] ?? 0,
    }));
    this.#budget.finishSearch(result.sc.states + result.tso.states, 0);
    const explored = { copies, program, result, templateOf };
    this.#instances.push(explored);
    return explored;
  }

  async exploreSmall(): Promise<void> {
    for (const total of smallTotals)
      for (const counts of countsOfTotal(this.#model, total)) {
        if (this.#budget.isOver) return;
        await this.explore(counts, this.#budget.part(statesPerInstance));
      }
  }

  /** Returns an explored instance in which the claim fails under the given memory model, if any. */
  seen(claim: Claim, model: BufferedModel): Explored | undefined {
    return this.#instances.find((one) =>
      failsIn(one, model === 'SC' ? one.result.sc : one.result.tso, claim),
    );
  }

  /**
   * Returns an explored instance in which a thread waits for ever, or else an instance with
   * additional states under TSO; `undefined` if there is none.
   */
  differing(): OverAllParts['differing'] {
    for (const kind of ['hangs', 'differs'] as const)
      for (const { copies, program, result } of this.#instances) {
        const { answer } = result;
        if (answer.kind === kind) return { copies, program, result, differs: answer };
      }
    return undefined;
  }

  async decide(claim: Claim): Promise<ClaimOverAll> {
    const tso = await this.#under('TSO', claim);
    // Everything reachable under SC is reachable under TSO.
    const sc = tso.kind === 'never' ? tso : await this.#under('SC', claim);
    return { claim, sc, tso };
  }

  async #under(model: BufferedModel, claim: Claim): Promise<OverAll> {
    const early = this.seen(claim, model);
    if (early) return { kind: 'in', copies: early.copies };
    const property =
      claim.kind === 'property' ? this.#model.templates.properties[claim.property] : undefined;
    if (property && property.kind !== 'never') return { kind: 'unknown', why: { kind: 'ends' } };
    this.#search ??= new AnyNumberSearch(this.#model);
    const answer = await this.#search.decide(claim, this.#budget, { model });
    switch (answer.kind) {
      case 'holds':
        return { kind: 'never' };
      case 'unknown':
        return { kind: 'unknown', why: whyOpen(answer.reason) };
      case 'fails': {
        // A claim is called violated only after running an instance that violates the claim.
        await this.explore(answer.counts, this.#budget.part(Number.POSITIVE_INFINITY));
        const shown = this.seen(claim, model);
        return shown
          ? { kind: 'in', copies: shown.copies }
          : { kind: 'unknown', why: { kind: 'limit', reason: 'states' } };
      }
    }
  }
}

/**
 * Returns the fault diagnostics of an instance with faulting executions. An instance with faulting
 * executions is never decided.
 */
function diagnosticsOf(instances: readonly Explored[]): readonly Diagnostic[] {
  return instances.find(({ result }) => result.diagnostics.length > 0)?.result.diagnostics ?? [];
}

/**
 * Returns an explored instance in which a claim fails only under TSO, or else one in which a claim
 * fails; `undefined` if there is no such instance.
 */
function shownBy(
  { templates }: UnboundedModel,
  claims: readonly ClaimOverAll[],
  all: AllInstances,
): Explored | undefined {
  for (const [standing, model] of [
    ['breaks', 'TSO'],
    ['wrong-under-sc', 'SC'],
  ] as const) {
    const first = claims.find((one) => standingIn(templates, one) === standing);
    if (first) return all.seen(first.claim, model);
  }
  return undefined;
}

/**
 * Decides whether all instances are robust, within the remaining budget; `undefined` if the budget
 * does not suffice, or the check has no answer.
 */
async function robustnessOf(
  model: UnboundedModel,
  budget: Budget,
): Promise<'robust' | 'not-robust' | undefined> {
  const { checkParameterized } = await import('./check-parameterized.js');
  const { verdict } = (await checkParameterized(model, { limits: budget.share(1) })).result;
  return verdict.kind === 'robust' || verdict.kind === 'not-robust' ? verdict.kind : undefined;
}

export interface ReachAllOptions {
  readonly limits?: Limits;
  /** Whether all instances are robust, if already known. */
  readonly robustness?: 'robust' | 'not-robust';
}

/**
 * Decides the properties and assertions of a program in all instances, under SC and under TSO, and
 * the answer that follows. Small instances are explored; violations of assertions and of `never`
 * are searched for in all instances at once, backwards over load buffers. A claim counts as failing
 * only if an execution of an instance shows the failure.
 */
export async function reachAll(
  model: UnboundedModel,
  { limits, robustness: asked }: ReachAllOptions = {},
): Promise<AllInstancesReach> {
  const { templates } = model;
  const budget = new Budget(limits);
  const all = new AllInstances(model, budget);
  await all.exploreSmall();
  const isFaulty = diagnosticsOf(all.instances).length > 0;
  const claims: ClaimOverAll[] = [];
  if (!isFaulty) for (const claim of claimsOf(templates)) claims.push(await all.decide(claim));
  const diagnostics = diagnosticsOf(all.instances);
  const worst = shownBy(model, claims, all);
  const differing = all.differing();
  const parts = {
    claims,
    ...(worst && { shown: worst }),
    ...(differing && { differing }),
    isFaulty: diagnostics.length > 0,
  };
  const answerWith = (robustness: 'robust' | 'not-robust' | undefined): StateAnswer =>
    answerOverAll(templates, { ...parts, ...(robustness && { robustness }) });
  let answer = answerWith(asked);
  if (asked === undefined && answer.kind === 'unknown' && answer.open === 'states')
    answer = answerWith(await robustnessOf(model, budget));
  const shown =
    worst ?? (answer.kind === 'differs' || answer.kind === 'hangs' ? differing : undefined);
  return {
    templates: model.unbounded.map((thread) => templates.threads[thread]?.name ?? ''),
    claims,
    answer,
    ...(shown && { shown: { copies: shown.copies, program: shown.program, result: shown.result } }),
    states: budget.finishedStates,
    milliseconds: budget.milliseconds,
    diagnostics,
  };
}
