import { Budget } from '../base/budget.js';
import { repairEvents } from '../events/fences/event-repair.js';
import { sizeCosts } from '../fences/cost-models.js';
import type { CostModel } from '../fences/repair-problem.js';
import type { BodyId, EventProgram } from '../program/event-program.js';
import type { LocationId } from '../program/ids.js';
import { defaultHittingSetSolver } from '../solvers/hitting-set.js';
import type { EventFenceResult, PricedPlace } from '../verdict/event-fence-result.js';
import { checkEvents, type EventCheckOptions } from './check-events.js';
import { verifiedEventWitness } from './judge-witness.js';

export interface EventFenceOptions extends EventCheckOptions {
  /** `size` where absent; bodies stand for threads in it. */
  readonly costs?: CostModel;
  /** Places at which the source has room for a fence; absent means everywhere. */
  readonly canFence?: (body: BodyId, location: LocationId) => boolean;
}

/** Every place that `@nofence` and the source allow. */
function placesOf(
  program: EventProgram,
  { costs = sizeCosts({ threads: program.bodies }), canFence = () => true }: EventFenceOptions,
): readonly PricedPlace[] {
  return program.bodies.flatMap(({ locations, transitions }, body) => {
    const forbidden = new Set(
      transitions.flatMap(({ from, nofence }) => (nofence === true ? [from] : [])),
    );
    return locations.flatMap((_, location): readonly PricedPlace[] =>
      forbidden.has(location) || !canFence(body, location)
        ? []
        : [{ body, location, cost: costs.fence(body, location) }],
    );
  });
}

/**
 * A cheapest set of fences that makes a program of events robust against what was asked, with the
 * proof that none is cheaper; or a run that no fences prevent.
 */
export async function fenceEvents(
  program: EventProgram,
  options: EventFenceOptions = {},
): Promise<EventFenceResult> {
  const { limits, postingFenced = false } = options;
  const budget = new Budget(limits);
  const { verdict, asIs, last, rounds, clauses } = await repairEvents({
    program,
    items: placesOf(program, options),
    options: { postingFenced },
    check: async (fenced) => {
      const room = budget.room(0);
      const left = { ...budget.share(1), ...(Number.isFinite(room) && { maxStates: room }) };
      const result = await checkEvents(fenced, { ...options, limits: left });
      budget.finishSearch(result.statistics.states);
      return result;
    },
    judge: (run, { semantics }) => {
      const criterion =
        semantics === 'multi-sc' ? 'concurrency' : options.against === 'tso' ? 'tso' : 'tsoSerial';
      return verifiedEventWitness(program, run, criterion, postingFenced);
    },
    solver: defaultHittingSetSolver,
    budget,
  });
  return {
    asIs,
    verdict,
    statistics: {
      rounds,
      clauses,
      states: budget.finishedStates,
      milliseconds: budget.milliseconds,
    },
    diagnostics: last.diagnostics,
  };
}
