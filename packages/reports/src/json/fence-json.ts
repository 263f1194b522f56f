import { at } from '@fencewright/ground/base/at.js';
import type { Program } from '@fencewright/model/program/program.js';
import {
  isHeavyFence,
  singleRepairs,
  repairLocation,
  type PricedRepair,
} from '@fencewright/model/program/repair.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { FenceVerdict, RepairReason } from '@fencewright/model/verdict/fence-result.js';
import { textName, threadName } from '../words/action-words.js';
import { delayAt } from '../words/delay.js';
import { otherFile } from '../words/repair-in-words.js';
import {
  allAssertions,
  type FenceFindings,
  isMinimising,
  repairLines,
} from '../words/fence-findings.js';
import {
  aboutToJson,
  diagnosticToJson,
  racesToJson,
  refOf,
  roundMilliseconds,
  stepsToJson,
  witnessToJson,
} from './json-parts.js';
import type { JsonFenceResult, JsonRepair } from './json-schema.js';

type JsonClause = NonNullable<JsonFenceResult['clauses']>[number];

function repairToJson(
  program: Program,
  repair: PricedRepair,
  placesOf: FenceFindings['placesOf'],
): JsonRepair {
  const { cost } = repair;
  const kind = isHeavyFence(repair) ? 'heavy-fence' : repair.kind;
  const lines = repairLines(program, repair, placesOf);
  const [line] = lines;
  const file = otherFile(program, repair);
  const [first, ...also] = singleRepairs(repair).map((part) => ({
    thread: textName(program, part.thread),
    label: at(at(program.threads, part.thread).locations, repairLocation(program, part)).name,
  }));
  return {
    kind,
    ...first!,
    ...(file !== undefined && { file }),
    ...(line !== undefined && { line }),
    ...(lines.length > 1 && { lines: [...lines] }),
    ...(also.length > 0 && { also }),
    cost,
  };
}

function clauseToJson(
  program: Program,
  reason: RepairReason,
  placesOf: FenceFindings['placesOf'],
): JsonClause {
  const { repairs, computation, program: instance = program } = reason;
  const delay = delayAt(program, reason, at(repairs, 0));
  return {
    repairs: repairs.map((repair) => repairToJson(program, repair, placesOf)),
    ...(delay && {
      attack: {
        thread: threadName(program, delay.store.thread),
        store: refOf(program, delay.store.thread, delay.store.transition),
        load: refOf(program, delay.store.thread, delay.overtaker.transition),
      },
    }),
    computation: stepsToJson(instance, computation),
  };
}

/** Returns the verdict on the program as given, before any repair. */
function verdictOf(findings: FenceFindings, verdict: FenceVerdict): JsonFenceResult['verdict'] {
  const [good, bad] = findings.properties
    ? (['holds', 'violated'] as const)
    : (['robust', 'not-robust'] as const);
  switch (verdict.kind) {
    case 'found':
      return isMinimising(findings) || verdict.repairs.length === 0 ? good : bad;
    case 'impossible':
    case 'property-fails':
      return bad;
    case 'unknown':
    case 'error':
      return verdict.kind;
  }
}

function answerToJson(
  program: Program,
  findings: FenceFindings,
  verdict: FenceVerdict,
): Partial<JsonFenceResult> {
  const { placesOf } = findings;
  switch (verdict.kind) {
    case 'found': {
      const toJson = (repair: PricedRepair): JsonRepair => repairToJson(program, repair, placesOf);
      const { repairs, cost, removable, reasons, light } = verdict;
      return {
        fences: repairs.map(toJson),
        cost,
        optimal: true,
        bound: cost,
        clauses: reasons.map((reason) => clauseToJson(program, reason, placesOf)),
        ...(isMinimising(findings) && {
          removable: removable.map(toJson),
          saving: removable.reduce((sum, repair) => sum + repair.cost, 0),
        }),
        ...(light && {
          light: light.map((part) => {
            const { thread, label, line } = toJson({ ...part, kind: 'fence', cost: 0 });
            return { thread, label, ...(line !== undefined && { line }) };
          }),
        }),
      };
    }
    case 'impossible':
      return { optimal: false, witness: witnessToJson(program, verdict.witness) };
    case 'property-fails': {
      const { property = allAssertions, under, computation, program: own = program } = verdict;
      const steps = stepsToJson(own, computation);
      return { optimal: false, property, failsUnder: under, computation: steps };
    }
    case 'unknown':
      return { optimal: false, reason: verdict.reason, bound: verdict.bound };
    case 'error':
      return {};
  }
}

/**
 * Returns the result of `fence` as an entry of the document's results. `diagnostics` come from
 * reading the file.
 */
export function fenceToJson(
  file: string,
  program: Program,
  findings: FenceFindings,
  diagnostics: readonly Diagnostic[] = [],
): JsonFenceResult {
  const { mode, costModel, properties, forRobustness, result, diff, changed } = findings;
  const { verdict, statistics, races } = result;
  const { states, rounds, clauses, milliseconds } = statistics;
  return {
    file,
    ...aboutToJson(program),
    verdict: verdictOf(findings, verdict),
    ...(verdict.kind === 'error' && { cause: 'program' }),
    outcome: verdict.kind,
    ...(result.happensBefore && { happensBefore: result.happensBefore }),
    mode,
    costModel,
    ...(properties && { properties: [...properties] }),
    ...answerToJson(program, findings, verdict),
    ...(forRobustness && { forRobustness }),
    ...(diff !== undefined && { diff }),
    ...(changed !== undefined && { changed }),
    ...(races && { races: racesToJson(program, races) }),
    stats: {
      threads: program.threads.length,
      labels: program.threads.reduce((sum, { locations }) => sum + locations.length, 0),
      instructions: program.threads.reduce((sum, { transitions }) => sum + transitions.length, 0),
      states,
      rounds,
      clauses,
      milliseconds: roundMilliseconds(milliseconds),
    },
    diagnostics: [...diagnostics, ...result.diagnostics].map(diagnosticToJson),
  };
}
