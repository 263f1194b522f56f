import { eventsMayFault } from '../analysis/possible-faults.js';
import type { Budget } from '@fencewright/ground/base/budget.js';
import type { FaultKind } from '../program/evaluate.js';
import type { EventProgram } from '../program/event-program.js';
import type { Site } from '../trace/event-run.js';
import type { FaultFindings } from '../verdict/verdict.js';
import { exploreEvents } from './explore-events.js';
import type { EventSemantics } from './machine.js';

/** An instruction at which some run ends in a fault. */
export interface FaultySite {
  readonly site: Site;
  readonly fault: FaultKind;
}

/** The result of a search for faults. */
export interface FaultLook {
  readonly findings: FaultFindings;
  /** The instructions that fault, without duplicates, in the order of discovery. */
  readonly faults: readonly FaultySite[];
  readonly states: number;
}

/** The maximum number of configurations (states) that the search for faults explores. */
const maxStates = 50_000;

/**
 * The bounds of the search for faults: the number of instances of each event with `any` count, and
 * the depth of tasks.
 */
const bounds = { instances: 2, depth: 64 };

/**
 * Searches for runs that end in a fault, by exploring the machine under `semantics` within fixed
 * bounds and the remaining budget. If all TSO runs of a program have the happens-before relation of
 * SC runs, exploring SC is enough: the behaviour of a task up to a fault depends only on the values
 * it has loaded.
 */
export async function lookForEventFaults(
  program: EventProgram,
  budget: Budget,
  semantics: EventSemantics = 'multi-sc',
  postingFenced = false,
): Promise<FaultLook> {
  if (!eventsMayFault(program))
    return { findings: { kind: 'none', shownBy: 'instructions' }, faults: [], states: 0 };
  const found = new Map<string, FaultySite>();
  const visitor = {
    onConfiguration: () => undefined,
    onFailedAssertion: () => undefined,
    onFault: ({ site, fault }: FaultySite) => {
      found.set(`${site.body}.${site.transition}.${fault}`, { site, fault });
    },
  };
  const part = budget.part(maxStates);
  const explored = await exploreEvents(program, semantics, part, visitor, {
    ...bounds,
    postingFenced,
  });
  const { states, incomplete } = explored;
  budget.finishSearch(states);
  const isComplete = incomplete === undefined && explored.bounds.length === 0;
  const findings: FaultFindings =
    found.size > 0
      ? { kind: 'found' }
      : isComplete
        ? { kind: 'none', shownBy: 'search' }
        : { kind: 'not-looked-for' };
  return { findings, faults: [...found.values()], states };
}
