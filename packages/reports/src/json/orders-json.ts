import { at } from '@fencewright/ground/base/at.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { Position } from '@fencewright/ground/source/span.js';
import type { OrderChange } from '@fencewright/model/program/order-change.js';
import type { Program } from '@fencewright/model/program/program.js';
import { allAssertions } from '@fencewright/model/verdict/fence-result.js';
import type { OrdersResult } from '@fencewright/model/verdict/orders-result.js';
import { textName } from '../words/action-words.js';
import { assumptionsAboutC11 } from '../words/c11-words.js';
import { linesOfChange, type OrdersFindings } from '../words/orders-findings.js';
import { aboutToJson, diagnosticToJson, roundMilliseconds } from './json-parts.js';
import type { JsonFenceResult, JsonOrderChange } from './json-schema.js';

function changeToJson(
  program: Program,
  change: OrderChange,
  places?: readonly Position[],
): JsonOrderChange {
  const { kind, steps, fences, from, to, cost } = change;
  return {
    kind,
    thread: textName(program, at([...steps, ...fences], 0).thread),
    lines: [...linesOfChange(program, change, places)],
    ...{ from: { ...from }, to: { ...to }, cost },
  };
}

/** Returns the verdict on the orders that the program has, before any change. */
function verdictOf({ verdict, change, goal }: OrdersResult): JsonFenceResult['verdict'] {
  const [good, bad] =
    goal === 'assertions' ? (['holds', 'violated'] as const) : (['robust', 'not-robust'] as const);
  switch (verdict.kind) {
    case 'unknown':
      return 'unknown';
    case 'impossible':
      return bad;
    case 'found':
      if (change === 'lower' || verdict.changes.length === 0) return good;
      return verdict.reasons.length === 0 ? 'unknown' : bad;
  }
}

/** Returns the result of a search for memory orders as an entry of the JSON document. */
export function ordersToJson(
  file: string,
  program: Program,
  { costModel, result, places, diff, changed }: OrdersFindings,
  diagnostics: readonly Diagnostic[] = [],
): JsonFenceResult {
  const { model, goal, change, target, verdict, leftOut, statistics } = result;
  return {
    file,
    ...aboutToJson(program),
    verdict: verdictOf(result),
    outcome: verdict.kind,
    ...(verdict.kind === 'unknown' && { reason: verdict.reason }),
    costModel,
    ...(goal === 'assertions' && { properties: [allAssertions] }),
    orders: {
      ...{ model, change, target },
      ...(verdict.kind === 'unknown' && verdict.limit && { limit: verdict.limit }),
      ...(verdict.kind === 'unknown' &&
        verdict.soFar?.bound !== undefined && { bound: verdict.soFar.bound }),
      ...(verdict.kind === 'found' && {
        cost: verdict.cost,
        bound: verdict.open?.bound ?? verdict.cost,
        changes: verdict.changes.map((one, index) => changeToJson(program, one, places[index])),
        alone: verdict.alone.map((one) => changeToJson(program, one)),
        isAloneOpen: verdict.open?.isAloneOpen ?? false,
        ...(leftOut && {
          leftOut: leftOut.map(({ span: { start, source: of }, why }) => ({
            line: start.line + 1,
            ...(of && { file: of.name }),
            why,
          })),
        }),
        assumptions: assumptionsAboutC11(program, verdict).map(({ name, text }) => ({
          name,
          text,
        })),
      }),
      checks: statistics.checks,
      clauses: statistics.clauses,
      states: statistics.states,
      milliseconds: roundMilliseconds(statistics.milliseconds),
    },
    ...(diff !== undefined && diff !== '' && { diff }),
    ...(changed !== undefined && { changed }),
    diagnostics: [...diagnostics, ...result.diagnostics].map(diagnosticToJson),
  };
}
