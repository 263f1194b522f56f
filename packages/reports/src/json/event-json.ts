import { at } from '@fencewright/ground/base/at.js';
import type { BodyId, EventProgram } from '@fencewright/model/program/event-program.js';
import { formatAddress } from '@fencewright/model/program/format.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { EventAction, EventRun, Site } from '@fencewright/model/trace/event-run.js';
import type { EventViolation } from '@fencewright/model/trace/event-violation.js';
import {
  type CriterionVerdict,
  type EventAttack,
  type EventCheckResult,
  eventVerdict,
  type EventWitness,
} from '@fencewright/model/verdict/event-check-result.js';
import type {
  EventReachResult,
  EventSemanticsReach,
} from '@fencewright/model/verdict/event-reach-result.js';
import { whyEventsUnknown } from '../words/event-criteria.js';
import { violationSentences } from '../words/event-violation-words.js';
import { eventInstructionText, siteLine, taskNames } from '../words/event-words.js';
import {
  diagnosticToJson,
  faultsToJson,
  notLookedAtToJson,
  roundMilliseconds,
} from './json-parts.js';
import { eventsFindings } from '../words/events-findings.js';
import { eventReachOutcome } from '../words/event-reach-outcome.js';
import type {
  JsonCheckResult,
  JsonCriterion,
  JsonEventRun,
  JsonEventSide,
  JsonReachResult,
} from './json-schema.js';

type JsonEventAttack = NonNullable<NonNullable<JsonCriterion['witness']>['attack']>;

function stepToJson(program: EventProgram, action: EventAction): JsonEventRun['steps'][number] {
  const site = 'site' in action ? action.site : undefined;
  const line = site && siteLine(program, site);
  return {
    task: action.task,
    action: action.kind,
    ...(line !== undefined && { line }),
    ...(site && { instruction: eventInstructionText(program, site) }),
    ...('address' in action && { address: formatAddress(program, action.address) }),
    ...('value' in action && { value: action.value }),
    ...('read' in action && { value: action.read }),
    ...('written' in action && { written: action.written }),
    ...(action.kind === 'load' && action.fromBuffer && { early: true }),
    ...(action.kind === 'post' && { posted: action.posted }),
  };
}

/** Returns a run as JSON data: the tasks with procedures and parents, and the steps. */
export function eventRunToJson(program: EventProgram, run: EventRun): JsonEventRun {
  const names = taskNames(program, run);
  return {
    tasks: run.tasks.map((task, id) => ({
      name: at(names, id),
      procedure: at(program.bodies, task.body).name,
      arguments: [...task.arguments],
      event: task.event,
      thread: task.thread,
      ...(task.parent !== undefined && { postedBy: task.parent }),
    })),
    steps: run.actions.map((action) => stepToJson(program, action)),
  };
}

function violationToJson(
  program: EventProgram,
  run: EventRun,
  violation: EventViolation,
): NonNullable<JsonCriterion['witness']>['violation'] {
  return {
    kind: violation.kind,
    edges: violationSentences(program, run, violation).map((edge) => ({ ...edge })),
  };
}

/**
 * Returns a place as JSON data, by label and line as for threads; the event or procedure is named
 * only if different from `task`.
 */
function placeToJson(program: EventProgram, site: Site, task: BodyId): JsonEventAttack['store'] {
  const { name, locations, transitions } = at(program.bodies, site.body);
  const line = siteLine(program, site);
  return {
    label: at(locations, at(transitions, site.transition).from).name,
    ...(line !== undefined && { line }),
    ...(site.body !== task && { in: name }),
  };
}

function attackToJson(program: EventProgram, { store, end }: EventAttack): JsonEventAttack {
  const overtaking = placeToJson(program, end.site, store.body);
  return {
    task: at(program.bodies, store.body).name,
    store: placeToJson(program, store, store.body),
    [end.kind]: overtaking,
  };
}

/**
 * Returns a run that has no explanation as JSON data, with the accesses that contradict every
 * serial order.
 */
export function eventWitnessToJson(
  program: EventProgram,
  { semantics, run, violation, attack }: EventWitness,
): NonNullable<JsonCriterion['witness']> {
  return {
    semantics,
    ...(attack && { attack: attackToJson(program, attack) }),
    ...eventRunToJson(program, run),
    violation: violationToJson(program, run, violation),
  };
}

/** Returns the verdict on one question of robustness as JSON data. */
export function criterionToJson(program: EventProgram, verdict: CriterionVerdict): JsonCriterion {
  switch (verdict.kind) {
    case 'not-robust':
      return { verdict: 'not-robust', witness: eventWitnessToJson(program, verdict.witness) };
    case 'unknown':
      return {
        verdict: 'unknown',
        reason: verdict.why.kind === 'limit' ? verdict.why.reason : verdict.why.kind,
        detail: whyEventsUnknown(program, verdict.why),
      };
    case 'robust':
    case 'error':
    case 'not-asked':
      return { verdict: verdict.kind };
  }
}

/**
 * Returns the verdicts on determinism and serialisability, the two parts of robustness against
 * concurrency, as far as they were asked for.
 */
function ordersToJson(
  program: EventProgram,
  { determinism, serialisability }: EventCheckResult['criteria'],
): Pick<NonNullable<JsonCheckResult['criteria']>, 'determinism' | 'serialisability'> {
  const json = (verdict: CriterionVerdict): JsonCriterion | undefined =>
    verdict.kind === 'not-asked' ? undefined : criterionToJson(program, verdict);
  const [d, s] = [json(determinism), json(serialisability)];
  return { ...(d && { determinism: d }), ...(s && { serialisability: s }) };
}

/** Returns a check of a program of events as an entry of the document's results. */
export function eventCheckToJson(
  file: string,
  program: EventProgram,
  result: EventCheckResult,
  diagnostics: readonly Diagnostic[] = [],
): JsonCheckResult {
  return {
    ...criteriaToJson(file, program, result, diagnostics),
    notLookedAt: notLookedAtToJson(program),
  };
}

function criteriaToJson(
  file: string,
  program: EventProgram,
  result: EventCheckResult,
  diagnostics: readonly Diagnostic[],
): JsonCheckResult {
  const { criteria, against, asked, attacks, faults, isPostingFenced, statistics } = result;
  const verdict = eventVerdict(result);
  const answer = criterionToJson(program, verdict);
  return {
    file,
    program: program.name,
    verdict: verdict.kind === 'not-asked' ? 'unknown' : verdict.kind,
    ...(verdict.kind === 'error' && { cause: 'program' as const }),
    ...(answer.reason !== undefined && { reason: answer.reason, detail: answer.detail }),
    ...(asked ? { asked: [...asked] } : { against }),
    posting: isPostingFenced ? 'fenced' : 'plain',
    criteria: {
      ...ordersToJson(program, criteria),
      concurrency: criterionToJson(program, criteria.concurrency),
      tso: {
        ...criterionToJson(program, criteria.tso),
        ...(attacks && {
          attacks: attacks.map((attack) => ({
            ...attackToJson(program, attack),
            verdict: attack.verdict,
          })),
        }),
      },
      tsoSerial: criterionToJson(program, criteria.tsoSerial),
    },
    eventStats: {
      states: statistics.states,
      milliseconds: roundMilliseconds(statistics.milliseconds),
    },
    faults: faultsToJson(faults),
    diagnostics: [...diagnostics, ...result.diagnostics].map(diagnosticToJson),
  };
}

function memoryToJson(
  program: EventProgram,
  memory: ReadonlyMap<number, number>,
): Readonly<Record<string, number>> {
  const named = program.symbols.flatMap(({ base, length }) =>
    Array.from({ length }, (_, cell): readonly [number, number] => [base + cell, 0]),
  );
  const cells = new Map<number, number>([...named, ...memory]);
  return Object.fromEntries(
    [...cells].map(([address, value]) => [formatAddress(program, address), value]),
  );
}

function sideToJson(program: EventProgram, side: EventSemanticsReach): JsonEventSide {
  const { states, incomplete, bounds, finalStates, properties, failedAssertions, blocked } = side;
  return {
    states,
    ...(incomplete && { incomplete }),
    bounds: [...bounds],
    finalStates: finalStates.map(({ memory, run }) => ({
      memory: memoryToJson(program, memory),
      ...(run && { run: eventRunToJson(program, run) }),
    })),
    properties: properties.map(({ property, verdict, isVacuous, run }) => ({
      property,
      verdict,
      ...(isVacuous && { vacuous: true as const }),
      ...(run && { run: eventRunToJson(program, run) }),
    })),
    failedAssertions: failedAssertions.map(({ site, run }) => {
      const line = siteLine(program, site);
      return { ...(line !== undefined && { line }), run: eventRunToJson(program, run) };
    }),
    blocked: {
      states: blocked.states,
      ...(blocked.run && { run: eventRunToJson(program, blocked.run) }),
    },
  };
}

/** Returns the final states of a program of events as an entry of the document's results. */
export function eventReachToJson(
  file: string,
  program: EventProgram,
  result: EventReachResult,
  diagnostics: readonly Diagnostic[] = [],
): JsonReachResult {
  const outcome = eventReachOutcome(result);
  return {
    file,
    program: program.name,
    verdict: outcome,
    ...(outcome === 'error' && { cause: 'program' as const }),
    semantics: {
      single: sideToJson(program, result.single),
      multiSc: sideToJson(program, result.sc),
      multiTso: sideToJson(program, result.tso),
      withinSingle: { ...result.isWithinSingle },
    },
    milliseconds: roundMilliseconds(result.milliseconds),
    diagnostics: diagnostics.map(diagnosticToJson),
  };
}

/**
 * Returns the results of all questions about a program of events as an entry of the document's
 * results.
 */
export function eventsToJson(
  file: string,
  program: EventProgram,
  { check, reach }: { readonly check: EventCheckResult; readonly reach: EventReachResult },
  diagnostics: readonly Diagnostic[] = [],
): JsonCheckResult {
  const { semantics } = eventReachToJson(file, program, reach);
  return {
    ...criteriaToJson(file, program, check, diagnostics),
    ...(semantics && { semantics }),
    findings: eventsFindings(program, check, reach).map(({ text }) => text),
  };
}
