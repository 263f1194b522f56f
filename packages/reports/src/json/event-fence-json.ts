import { at } from '@fencewright/ground/base/at.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type {
  EventFenceReason,
  EventFenceVerdict,
  PricedPlace,
} from '@fencewright/model/verdict/event-fence-result.js';
import { whyEventsUnknown } from '../words/event-criteria.js';
import { type EventFenceFindings, placeLines } from '../words/event-fence-findings.js';
import { criterionToJson, eventWitnessToJson } from './event-json.js';
import { diagnosticToJson, roundMilliseconds } from './json-parts.js';
import type { JsonFenceResult, JsonRepair } from './json-schema.js';

type ToJson = (place: PricedPlace) => JsonRepair;

function placeToJson(
  program: EventProgram,
  positionsOf: EventFenceFindings['positionsOf'],
  place: PricedPlace,
): JsonRepair {
  const lines = placeLines(program, place, positionsOf);
  const [line] = lines;
  const { name, locations } = at(program.bodies, place.body);
  return {
    kind: 'fence',
    thread: name,
    label: at(locations, place.location).name,
    ...(line !== undefined && { line }),
    ...(lines.length > 1 && { lines: [...lines] }),
    cost: place.cost,
  };
}

function clausesToJson(
  program: EventProgram,
  reasons: readonly EventFenceReason[],
  toJson: ToJson,
): NonNullable<JsonFenceResult['eventClauses']> {
  return reasons.map(({ places, witness }) => ({
    repairs: places.map(toJson),
    witness: eventWitnessToJson(program, witness),
  }));
}

function answerToJson(
  program: EventProgram,
  verdict: EventFenceVerdict,
  toJson: ToJson,
): Partial<JsonFenceResult> {
  switch (verdict.kind) {
    case 'found': {
      const { fences, cost, reasons } = verdict;
      return {
        verdict: fences.length === 0 ? 'robust' : 'not-robust',
        fences: fences.map(toJson),
        cost,
        optimal: true,
        bound: cost,
        eventClauses: clausesToJson(program, reasons, toJson),
      };
    }
    case 'impossible':
      return {
        verdict: 'not-robust',
        optimal: false,
        because: verdict.why,
        eventWitness: eventWitnessToJson(program, verdict.witness),
      };
    case 'unknown': {
      const { why, bound, reasons } = verdict;
      return {
        verdict: 'unknown',
        optimal: false,
        reason: why.kind === 'limit' ? why.reason : why.kind,
        detail: whyEventsUnknown(program, why),
        bound,
        eventClauses: clausesToJson(program, reasons, toJson),
      };
    }
    case 'error':
      return { verdict: 'error', cause: 'program' };
  }
}

/** Returns the fences for a program of events as an entry of the document's results. */
export function eventFenceToJson(
  file: string,
  program: EventProgram,
  { costModel, result, positionsOf, diff }: EventFenceFindings,
  diagnostics: readonly Diagnostic[] = [],
): JsonFenceResult {
  const { verdict, statistics, asIs } = result;
  const { criteria, against, isPostingFenced } = asIs;
  const { states, rounds, clauses, milliseconds } = statistics;
  return {
    file,
    program: program.name,
    verdict: 'unknown',
    outcome: verdict.kind,
    against,
    posting: isPostingFenced ? 'fenced' : 'plain',
    criteria: {
      concurrency: criterionToJson(program, criteria.concurrency),
      tso: criterionToJson(program, criteria.tso),
      tsoSerial: criterionToJson(program, criteria.tsoSerial),
    },
    mode: 'fence',
    costModel,
    ...answerToJson(program, verdict, (place) => placeToJson(program, positionsOf, place)),
    ...(diff !== undefined && { diff }),
    eventStats: { states, rounds, clauses, milliseconds: roundMilliseconds(milliseconds) },
    diagnostics: [...diagnostics, ...result.diagnostics].map(diagnosticToJson),
  };
}
