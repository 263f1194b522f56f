import { Budget } from '@fencewright/ground/base/budget.js';
import { repairEvents } from '@fencewright/repairs/events/event-repair.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import { defaultHittingSetSolver } from '@fencewright/ground/solvers/hitting-set.js';
import type { EventFenceResult } from '@fencewright/model/verdict/event-fence-result.js';
import { checkEvents, type EventCheckOptions } from './check-events.js';
import { eventPlaces, type FencePlaceOptions } from './event-places.js';
import { verifiedEventWitness } from './judge-witness.js';

export interface EventFenceOptions extends EventCheckOptions, FencePlaceOptions {}

/**
 * Finds a cheapest set of fences that makes a program of events robust against the given criteria,
 * with a proof of minimality; or a violating run that no fence prevents.
 */
export async function fenceEvents(
  program: EventProgram,
  options: EventFenceOptions = {},
): Promise<EventFenceResult> {
  const { limits, postingFenced = false } = options;
  const budget = new Budget(limits);
  const { verdict, asIs, last, rounds, clauses } = await repairEvents({
    program,
    items: eventPlaces(program, options),
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
