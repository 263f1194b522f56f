import type { Budget, Exhaustion } from '@fencewright/ground/base/budget.js';
import type { Program } from '@fencewright/model/program/program.js';
import type {
  GoalRun,
  ReachabilityAnswer,
  ReachabilityEngine,
} from '@fencewright/model/reach/engine.js';
import type { FaultyStep } from '@fencewright/model/semantics/machine.js';
import type { Attack, AttackVerdict, DecidedAttack } from '@fencewright/model/verdict/attack.js';
import type { Witness } from '@fencewright/model/verdict/verdict.js';
import {
  enumerateAttacks,
  isInfeasibleByControlFlow,
} from '@fencewright/engines/robustness/attacks.js';
import type { Decision } from '@fencewright/engines/robustness/decision.js';
import {
  instrumentAnyAttack,
  instrumentAttack,
  observedAttack,
  type Instrumented,
  type InstrumentOptions,
} from './instrument.js';
import { liftInstrumentedRun } from './lift-run.js';

interface QueryOptions {
  readonly reachability: ReachabilityEngine;
  readonly budget: Budget;
  /** Whether to decide every attack; otherwise the search stops at the first feasible attack. */
  readonly allAttacks: boolean;
  readonly instrument?: InstrumentOptions;
  /** Called with the decision when the first feasible attack is found, if the search goes on. */
  readonly onDecided?: (decision: Decision) => void;
}

/**
 * The maximum number of states for each query in each round, so that an endless query does not keep
 * others from being answered.
 */
const slices = [2_000, 64_000, Number.POSITIVE_INFINITY];

/** Collects the findings of reachability queries about attacks. */
class QueryFindings {
  readonly attacks: readonly Attack[];
  readonly #verdicts = new Map<string, AttackVerdict>();
  readonly #faults = new Map<string, FaultyStep>();
  witness: Witness | undefined;
  incomplete: Exhaustion | 'undecided' | 'effort' | undefined;
  phases: Decision['phases'];
  failure: Decision['failure'];
  states = 0;
  queries = 0;

  constructor(readonly program: Program) {
    this.attacks = enumerateAttacks(program);
  }

  set(attack: Attack, verdict: AttackVerdict): void {
    this.#verdicts.set(`${attack.thread}.${attack.store}.${attack.load}`, verdict);
  }

  addFaults(instrumented: Instrumented, faults: readonly FaultyStep[]): void {
    for (const { thread, transition, fault } of faults) {
      const from = instrumented.origins[thread]?.[transition]?.from ?? transition;
      this.#faults.set(`${thread}.${from}.${fault}`, { thread, transition: from, fault });
    }
  }

  addWitness(instrumented: Instrumented, attack: Attack, goal: GoalRun): void {
    const witness = liftInstrumentedRun(this.program, instrumented, attack, goal.run);
    if (!this.witness || witness.computation.length < this.witness.computation.length)
      this.witness = witness;
  }

  /** Adds the effort of an answer to the totals. */
  addCosts({ states, phases, failure }: ReachabilityAnswer): void {
    this.states += states;
    this.queries++;
    this.failure ??= failure;
    const { generating = 0, compiling = 0, verifying = 0 } = this.phases ?? {};
    if (phases)
      this.phases = {
        generating: generating + phases.generating,
        compiling: compiling + phases.compiling,
        verifying: verifying + phases.verifying,
      };
  }

  decision(attacks = this.attacks): Decision {
    const decided = attacks.flatMap((attack): DecidedAttack[] => {
      const verdict = this.#verdicts.get(`${attack.thread}.${attack.store}.${attack.load}`);
      return verdict ? [{ attack, verdict }] : [];
    });
    return {
      attacks: decided,
      ...(this.witness && { witness: this.witness }),
      ...(this.incomplete && { incomplete: this.incomplete }),
      ...(this.phases && { phases: this.phases }),
      ...(this.failure && { failure: this.failure }),
      faults: [...this.#faults.values()],
      states: this.states,
      queries: this.queries,
    };
  }
}

function splitByControlFlow(findings: QueryFindings): Attack[] {
  return findings.attacks.filter((attack) => {
    const byControlFlow = isInfeasibleByControlFlow(findings.program, attack);
    if (byControlFlow) findings.set(attack, 'by-cfg');
    return !byControlFlow;
  });
}

/**
 * Returns the verdict on one attack by the answer to its query; `undefined` if the query reached
 * its limit of states for the round.
 */
function verdictOf(answer: ReachabilityAnswer): AttackVerdict | undefined {
  if (answer.goals.length > 0) return 'feasible';
  if (answer.incomplete === 'slice') return undefined;
  const isCertain = !answer.incomplete && !answer.failure && answer.faults.length === 0;
  return isCertain ? 'infeasible' : 'unknown';
}

/** Decides robustness by one reachability query for each attack ([BDM13] Theorem 3). */
export async function decideAttackByAttack(
  program: Program,
  { reachability, budget, allAttacks, instrument = {}, onDecided }: QueryOptions,
): Promise<Decision> {
  const findings = new QueryFindings(program);
  let open = splitByControlFlow(findings);
  for (const slice of slices) {
    const postponed: Attack[] = [];
    for (const attack of open) {
      const instrumented = instrumentAttack(program, attack, instrument);
      const { goals } = instrumented;
      const query = { program: instrumented.program, goals, slice };
      const answer = await reachability.explore(query, budget);
      const verdict = verdictOf(answer);
      if (!verdict) {
        postponed.push(attack);
        continue;
      }
      findings.set(attack, verdict);
      findings.addCosts(answer);
      findings.addFaults(instrumented, answer.faults);
      const [goal] = answer.goals;
      const isFirst = goal && !findings.witness;
      if (goal) findings.addWitness(instrumented, attack, goal);
      if (isFirst && allAttacks) onDecided?.(findings.decision([attack]));
      if (goal && !allAttacks) return findings.decision();
      if (answer.incomplete && answer.incomplete !== 'slice') {
        findings.incomplete = answer.incomplete;
        // Memory is freed for the next query; states, time and a cancellation count for the whole
        // run.
        if (['memory', 'undecided', 'effort'].includes(answer.incomplete)) continue;
        for (const other of [...postponed, ...open.slice(open.indexOf(attack) + 1)])
          findings.set(other, 'unknown');
        return findings.decision();
      }
    }
    open = postponed;
  }
  return findings.decision();
}

/** Decides robustness by a single query for all attacks ([BDM13] Sect. 8.3). */
export async function decideBySingleQuery(
  program: Program,
  { reachability, budget, allAttacks, instrument = {} }: QueryOptions,
): Promise<Decision> {
  const findings = new QueryFindings(program);
  const open = splitByControlFlow(findings);
  if (open.length === 0) return findings.decision();
  const instrumented = instrumentAnyAttack(program, open, instrument);
  const { goals } = instrumented;
  const answer = await reachability.explore(
    {
      program: instrumented.program,
      goals,
      observe: observedAttack,
      allGoals: allAttacks,
      among: open.map(({ thread, store, load }) => [thread, store, load]),
    },
    budget,
  );
  findings.addCosts(answer);
  findings.addFaults(instrumented, answer.faults);
  if (answer.incomplete && answer.incomplete !== 'slice') findings.incomplete = answer.incomplete;
  const certain = !answer.incomplete && !answer.failure && answer.faults.length === 0;
  const stopped = !allAttacks && answer.goals.length > 0;
  if (!stopped) for (const attack of open) findings.set(attack, certain ? 'infeasible' : 'unknown');
  for (const goal of answer.goals) {
    const [thread = 0, store = 0, load = 0] = goal.observed;
    const attack = { thread, store, load };
    findings.set(attack, 'feasible');
    findings.addWitness(instrumented, attack, goal);
  }
  return findings.decision();
}
