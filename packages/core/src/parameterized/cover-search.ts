import type { Budget, Exhaustion } from '../base/budget.js';
import type { Configuration, Run } from '../petri/counter-system.js';
import { refuteInvariant } from '../petri/cover-certificate.js';
import { OmegaCover } from '../petri/omega-cover.js';
import { reachesTarget } from '../petri/replay-run.js';
import { InternalError } from '../base/unreachable.js';
import type { AttackJob } from './attack-system.js';
import { AttackSystem } from './attack-system.js';
import type { TemplateAutomata } from './template-automata.js';

export type CoverOutcome =
  /** Some attack is feasible. */
  | {
      readonly kind: 'feasible';
      /** Threads of each class in an instance with an attack; absent where the run to it is too long to be written down. */
      readonly threads: readonly number[] | undefined;
    }
  | {
      readonly kind: 'infeasible';
      readonly system: AttackSystem;
      readonly invariant: readonly Configuration[];
    }
  | { readonly kind: 'unknown'; readonly reason: Exhaustion | 'unsupported' };

/** How many successors are looked at between two looks at the clock. */
const turn = 2_000;

function isGood(system: AttackSystem, run: Run): boolean {
  return reachesTarget(system, run);
}

/** Whether some attack of the jobs is feasible in some instance; exact, where it ends. What it says was checked. */
export async function searchAllInstances(
  templates: TemplateAutomata,
  jobs: readonly AttackJob[],
  budget: Budget,
): Promise<CoverOutcome & { readonly states: number }> {
  const system = new AttackSystem(templates, jobs);
  const search = new OmegaCover(system);
  const end = (outcome: CoverOutcome): CoverOutcome & { readonly states: number } => {
    budget.finishSearch(search.nodes);
    return { ...outcome, states: search.nodes };
  };
  for (;;) {
    const outcome = search.run(turn, budget.room(0));
    if (outcome.kind === 'coverable') {
      const { run } = outcome;
      if (run && !isGood(system, run)) throw new InternalError('a run of threads misses its goal');
      return end({ kind: 'feasible', threads: run && system.threadsOf(run.initial.marking) });
    }
    if (outcome.kind === 'not-coverable') {
      const { invariant } = outcome;
      const flaw = refuteInvariant(system, invariant);
      if (flaw !== undefined) throw new InternalError(`an invariant does not hold: ${flaw}`);
      // A computation that was cut off may go on to an attack, and so may an execution that ends in a fault.
      const isCut = templates.all.isEndless() || templates.all.faults().length > 0;
      return end(
        isCut
          ? { kind: 'unknown', reason: 'unsupported' }
          : { kind: 'infeasible', system, invariant },
      );
    }
    const reason = await budget.breathe(search.nodes, search.bytes + templates.all.bytes());
    if (reason) return end({ kind: 'unknown', reason });
  }
}
