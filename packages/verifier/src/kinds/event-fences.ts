import type { Budget } from '../budget.js';
import type { CertificateBody, VerifyOptions } from '../check.js';
import { claimOf, type Statement } from '../claim.js';
import { EventMachine } from '../events/machine.js';
import { type EventItem, eventItemRules, readEventItem, survivesAt } from '../events/places.js';
import type { EventAutomata } from '../events/program.js';
import { readRun, replayEvents } from '../events/replay.js';
import { bounded, decideEventRobustness } from '../events/robust.js';
import { criteria, type Criterion, violatesCriterion } from '../events/watch.js';
import { checkCheapest, checkItemsBy, outsideOf, repairMembersOf } from '../optimum.js';
import { type Findings, Flaw, type KindReport, rejected, wrongly } from '../report.js';
import { boundlessArray } from '../scope.js';
import { anyIndex, distinct, list, literal, type Read, record } from '../shape.js';
import { withChosen } from '../words.js';

const readClaim = record({
  ...repairMembersOf(readEventItem),
  against: literal(...criteria),
  postingFenced: literal(true, false),
  clauses: list(record({ items: distinct(anyIndex), run: readRun })),
});

type EventClaim = Read<typeof readClaim>;

/**
 * The number of instances with which the search for a violation represents any number of instances
 * of an event.
 */
const instancesTried = 2;

const fencedPosting = 'a posting waits until the store buffer of its thread is empty';

const statementOf: Readonly<Record<Criterion, Statement>> = {
  concurrency: 'robust-against-concurrency',
  tso: 'robust',
  both: 'serialisable',
};

const inWords: Readonly<Record<Criterion, string>> = {
  concurrency: 'robust against concurrency',
  tso: 'robust against TSO',
  both: 'serialisable under TSO',
};

/**
 * Throws `Flaw` if there is an error in a clause: a program with fences at none of the clause's
 * places has to violate the criterion.
 */
function checkClause(machine: EventMachine, claim: EventClaim, at: number): undefined {
  const { items, run } = claim.clauses[at]!;
  const replayed = replayEvents(machine, run);
  if (typeof replayed === 'number')
    throw new Flaw(`the run is not one of the program: action ${replayed + 1} is not possible`);
  const { moments, end } = replayed;
  if (end.buffers.size > 0) throw new Flaw('the run leaves stores in a buffer');
  if (
    !violatesCriterion(
      moments.map(({ step }) => step),
      claim.against,
    )
  )
    throw new Flaw(`the run does not show that the program is not ${inWords[claim.against]}`);
  const outside = outsideOf(claim.items, items);
  if (!survivesAt(moments, outside.flat()))
    throw new Flaw('fences outside the clause stop its run, too');
}

function checkSufficiency(
  automata: EventAutomata,
  { against, postingFenced, items, chosen, cost }: EventClaim,
  budget: Budget,
): Findings {
  const fences = chosen.flatMap((i): readonly EventItem[] => items[i]!.item);
  const says = `${withChosen({ chosen, cost }, 'fence')} it is ${inWords[against]}`;
  const anyNumber = automata.instances.some(({ count }) => count === 'any');
  const found = decideEventRobustness(
    bounded(automata, instancesTried),
    { criterion: against, postingFenced, fences },
    budget,
  );
  const open = (why: string): Findings => ({ open: [`${says} (${why})`] });
  switch (found.kind) {
    case 'not-robust':
      return wrongly(`the program with the chosen fences is not ${inWords[against]}`);
    case 'unknown':
      return open(found.reason);
    case 'robust':
      if (found.faults) return open('executions end in faults');
      return anyNumber
        ? open(
            `only up to ${instancesTried} instances were checked of those with any number; the claim for more is not checked`,
          )
        : { proved: [says], assumes: postingFenced ? [fencedPosting] : [] };
  }
}

/**
 * Checks certificates that a set of fences is a cheapest set making a program of events robust
 * against concurrency, robust against TSO, or serialisable under TSO ([BEMR18]; docs/events.md).
 */
export function checkEventFences(
  automata: EventAutomata,
  body: CertificateBody,
  budget: Budget,
  { repairs }: VerifyOptions,
): KindReport {
  const claim = { ...readClaim(body, 'certificate'), mode: 'fence' as const };
  const boundless = boundlessArray(automata);
  if (boundless !== undefined) return rejected(boundless);
  const items = checkItemsBy(eventItemRules(automata), claim, repairs);
  const { against, postingFenced } = claim;
  const rules = { sc: against === 'concurrency', postingFenced, fences: [] };
  return checkCheapest(
    claim,
    items,
    () => new EventMachine(automata, rules),
    {
      claimed: claimOf(statementOf[against], { repairs: claim }),
      clause: (machine, at) => checkClause(machine, claim, at),
      sufficiency: () => checkSufficiency(automata, claim, budget),
    },
    budget,
  );
}
