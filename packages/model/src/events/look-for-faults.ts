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

/** What a look for faults has come to. */
export interface FaultLook {
  readonly findings: FaultFindings;
  /** In the order in which they were found, each once. */
  readonly faults: readonly FaultySite[];
  readonly states: number;
}

/** Configurations that are looked at, at most. */
const maxStates = 50_000;

/** How far is looked where there is no end: instances of what there is any number of, and tasks. */
const bounds = { instances: 2, depth: 64 };

/**
 * Looks for runs that end in a fault: those of this semantics are explored, within fixed bounds and
 * what is left of the budget. Of a program whose TSO runs have the happens-before of runs under SC,
 * runs under SC are enough: what a task does until it faults depends on what it has loaded.
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
