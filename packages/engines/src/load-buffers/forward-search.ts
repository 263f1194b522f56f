import type { Budget } from '@fencewright/ground/base/budget.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import { refuteInvariant } from '@fencewright/ground/petri/cover-certificate.js';
import { OmegaCover } from '@fencewright/ground/petri/omega-cover.js';
import { reachesTarget } from '@fencewright/ground/petri/replay-run.js';
import { LimitReached, watchLimits } from '@fencewright/ground/petri/watch.js';
import type { Crowd } from './crowd.js';
import type { CrowdResult, Kinds } from './crowd-search.js';
import { SequentialCrowds } from './sequential-crowds.js';

/** The number of units of work between two checks of the limits. */
const turn = 2_000;

/** The maximum number of configurations that are kept before the search is given up. */
const mostKept = 50_000;

/**
 * Searches forward, in all instances under SC at once, for configurations that the targets
 * describe ([KM69]). `undefined` if the search is given up: then nothing is known. Runs are
 * replayed, and invariants are checked.
 */
export async function searchCrowdsForward(
  kinds: Kinds,
  cells: number,
  targets: readonly Crowd[],
  budget: Budget,
): Promise<Exclude<CrowdResult, { readonly kind: 'stopped' }> | undefined> {
  const system = new SequentialCrowds(kinds, cells, targets);
  let search: OmegaCover | undefined;
  const bytes = (): number => (search?.bytes ?? 0) + system.bytes;
  const spend = watchLimits(budget, bytes);
  try {
    search = new OmegaCover(system, spend);
    for (;;) {
      const outcome = search.run(turn, mostKept);
      if (outcome.kind === 'coverable') {
        if (!outcome.run) return undefined;
        if (!reachesTarget(system, outcome.run))
          throw new InternalError('a run of copies misses its target');
        const copies = system.copiesIn(outcome.run.initial.marking);
        return { kind: 'reachable', copies };
      }
      if (outcome.kind === 'not-coverable') {
        const flaw = refuteInvariant(system, outcome.invariant, spend);
        if (flaw !== undefined) throw new InternalError(`an invariant does not hold: ${flaw}`);
        return { kind: 'unreachable' };
      }
      const { nodes } = search;
      if (nodes >= mostKept || (await budget.checkpoint(nodes, bytes()))) return undefined;
    }
  } catch (error) {
    if (!(error instanceof LimitReached)) throw error;
    return undefined;
  }
}
