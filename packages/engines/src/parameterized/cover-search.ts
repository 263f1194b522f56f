import type { Budget, Exhaustion } from '@fencewright/ground/base/budget.js';
import type { Configuration, CoveringRun } from '@fencewright/ground/petri/counter-system.js';
import { refuteInvariant } from '@fencewright/ground/petri/cover-certificate.js';
import { OmegaCover } from '@fencewright/ground/petri/omega-cover.js';
import { reachesTarget } from '@fencewright/ground/petri/replay-run.js';
import { LimitReached, type Spend, watchLimits } from '@fencewright/ground/petri/watch.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import { type AttackJob, AttackSystem } from './attack-system.js';
import type { TemplateAutomata } from './template-automata.js';

type CoverOutcome =
  /** One of the attacks is feasible in some instance. */
  | {
      readonly kind: 'feasible';
      /**
       * The number of threads of each class in an instance with an attack; `undefined` if the run
       * to the attack is too long to be written down.
       */
      readonly threads: readonly number[] | undefined;
    }
  | {
      readonly kind: 'infeasible';
      readonly system: AttackSystem;
      readonly invariant: readonly Configuration[];
    }
  | { readonly kind: 'unknown'; readonly reason: Exhaustion | 'unsupported' };

/** The number of successors computed between two checks of the limits. */
const turn = 2_000;

/**
 * Decides whether, in an instance with any number of copies, one of the attacks in `jobs` is
 * feasible. The search may end at a limit with the answer `unknown`. The run of a feasible attack
 * is replayed, unless it is too long to be written down. The invariant that shows `infeasible` is
 * checked to be inductive.
 */
export async function searchAllInstances(
  templates: TemplateAutomata,
  jobs: readonly AttackJob[],
  budget: Budget,
): Promise<CoverOutcome & { readonly states: number }> {
  const system = new AttackSystem(templates, jobs);
  let search: OmegaCover | undefined;
  const bytes = (): number => (search?.bytes ?? 0) + system.bytes + templates.all.bytes();
  const spend = watchLimits(budget, bytes);
  const end = (outcome: CoverOutcome): CoverOutcome & { readonly states: number } => {
    const states = search?.nodes ?? 0;
    budget.finishSearch(states, bytes());
    return { ...outcome, states };
  };
  try {
    search = new OmegaCover(system, spend);
    for (;;) {
      const outcome = search.run(turn, budget.room(0));
      if (outcome.kind === 'coverable') return end(feasible(system, outcome.run));
      if (outcome.kind === 'not-coverable')
        return end(infeasible(templates, system, outcome.invariant, spend));
      const reason = await budget.checkpoint(search.nodes, bytes());
      if (reason) return end({ kind: 'unknown', reason });
    }
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error;
    return end({ kind: 'unknown', reason: budget.exceededBy(0, bytes()) ?? 'time' });
  }
}

function feasible(system: AttackSystem, run: CoveringRun | undefined): CoverOutcome {
  if (run && !reachesTarget(system, run))
    throw new InternalError('a run of threads misses its goal');
  return { kind: 'feasible', threads: run && system.threadsOf(run.initial.marking) };
}

function infeasible(
  { all }: TemplateAutomata,
  system: AttackSystem,
  invariant: readonly Configuration[],
  spend: Spend,
): CoverOutcome {
  const flaw = refuteInvariant(system, invariant, spend);
  if (flaw !== undefined) throw new InternalError(`an invariant does not hold: ${flaw}`);
  // If the computations of a thread were cut off, or end in faults, there may be attacks that the
  // search has not seen.
  return all.isEndless() || all.faults().length > 0
    ? { kind: 'unknown', reason: 'unsupported' }
    : { kind: 'infeasible', system, invariant };
}
