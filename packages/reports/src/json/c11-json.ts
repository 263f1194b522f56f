import { accessOrders } from '@fencewright/model/c11/access-orders.js';
import type { ExecutionGraph } from '@fencewright/model/c11/execution-graph.js';
import type { SeenOn } from '@fencewright/model/c11/seen-on.js';
import type { ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { C11Claim, C11Result, C11Violation } from '@fencewright/model/verdict/c11-result.js';
import { findTransition, placeCell, threadName } from '../words/action-words.js';
import { assumptionsAboutC11, cellOfEvent, lineOfEvent } from '../words/c11-words.js';
import { aboutToJson, diagnosticToJson, roundMilliseconds } from './json-parts.js';
import type { JsonC11Graph, JsonCheckResult } from './json-schema.js';

function graphToJson(program: Program, { events, modification }: ExecutionGraph): JsonC11Graph {
  return {
    events: events.map((event) => {
      const { kind, thread, order, address, read, written, from } = event;
      const line = lineOfEvent(program, event);
      return {
        kind,
        order,
        ...(thread !== undefined && { thread: threadName(program, thread) }),
        ...(line !== undefined && { line }),
        ...(address !== undefined && { cell: cellOfEvent(program, event) }),
        ...(read !== undefined && { read }),
        ...(written !== undefined && { written }),
        ...(from !== undefined && { from }),
      };
    }),
    modification: modification.map((stores) => [...stores]),
  };
}

function lineOf(program: Program, thread: ThreadId, transition: TransitionId): { line?: number } {
  const span = findTransition(program, thread, transition)?.transition.origin.span;
  return span ? { line: span.start.line + 1 } : {};
}

function seenOnToJson({ seenOn }: C11Violation): { seenOn?: SeenOn[] } {
  return seenOn ? { seenOn: seenOn.map((one) => ({ ...one })) } : {};
}

function claimToJson(
  program: Program,
  { property, answer, underSC, graph }: C11Claim,
): NonNullable<NonNullable<JsonCheckResult['c11']>['claims']>[number] {
  return {
    ...{ property: program.properties[property]!.name, answer },
    ...(underSC !== undefined && { underSC: underSC ? ('holds' as const) : ('fails' as const) }),
    ...(graph && { execution: graphToJson(program, graph) }),
  };
}

/** Returns the accesses and fences of the text with their orders, each place of the text once. */
export function accessOrdersToJson(
  program: Program,
): NonNullable<NonNullable<JsonCheckResult['c11']>['orders']> {
  const seen = new Set<string>();
  return accessOrders(program).flatMap(({ thread, transition, kind, order, failureOrder }) => {
    const place = placeCell(program, thread, transition);
    const { origin, instruction } = findTransition(program, thread, transition)!.transition;
    const access = {
      thread: threadName(program, thread),
      ...(place !== '' && { place }),
      ...{ access: kind, order },
      ...(failureOrder !== undefined && { failure: failureOrder }),
    };
    // Copies of a thread have the same text.
    const { line, column } = origin.span?.start ?? { line: transition, column: thread };
    const key = JSON.stringify([place, line, column, instruction.kind, order, failureOrder]);
    if (seen.has(key)) return [];
    seen.add(key);
    return [access];
  });
}

/** Returns the members of a check's result that only checks against C11 have, as JSON data. */
export function c11PartToJson(
  program: Program,
  result: C11Result,
): NonNullable<JsonCheckResult['c11']> {
  const { model, verdict, race, effect, claims, assertions, states, milliseconds } = result;
  const assumptions = assumptionsAboutC11(program, result);
  return {
    model,
    verdict: verdict.kind,
    ...(assumptions.length > 0 && {
      assumptions: assumptions.map(({ name, text }) => ({ name, text })),
    }),
    ...(verdict.kind === 'unknown' && verdict.limit && { limit: verdict.limit }),
    ...(verdict.kind === 'not-robust' && {
      violation: {
        kind: verdict.violation.kind,
        event: verdict.violation.event,
        ...(verdict.violation.preventedBy && {
          preventedBy: verdict.violation.preventedBy.map((one) => ({ ...one })),
        }),
        ...seenOnToJson(verdict.violation),
        ...graphToJson(program, verdict.violation.graph),
      },
    }),
    ...(effect && { effect: effect.kind }),
    ...(effect?.kind === 'assertion-fails' && {
      failure: {
        thread: threadName(program, effect.thread),
        ...lineOf(program, effect.thread, effect.assertion),
        oldReads: [...effect.oldReads],
        ...seenOnToJson(effect.execution),
        ...graphToJson(program, effect.execution.graph),
      },
    }),
    ...(effect?.kind === 'waits' && {
      wait: {
        thread: threadName(program, effect.thread),
        ...lineOf(program, effect.thread, effect.transition),
        oldReads: [...effect.oldReads],
        ...seenOnToJson(effect.execution),
        ...graphToJson(program, effect.execution.graph),
      },
    }),
    ...(claims && { claims: claims.map((claim) => claimToJson(program, claim)) }),
    races: typeof race === 'object' ? 'found' : race,
    ...(typeof race === 'object' && {
      race: {
        ...{ first: race.first, second: race.second },
        ...(race.late !== undefined && { late: race.late }),
        ...graphToJson(program, race.graph),
      },
    }),
    assertions,
    states,
    milliseconds: roundMilliseconds(milliseconds),
  };
}

/** Returns the result of a check against C11 as an entry of the JSON document. */
export function c11ToJson(
  file: string,
  program: Program,
  result: C11Result,
  diagnostics: readonly Diagnostic[] = [],
): JsonCheckResult {
  const { verdict } = result;
  return {
    file,
    ...aboutToJson(program),
    verdict: verdict.kind,
    ...(verdict.kind === 'unknown' && { reason: verdict.reason }),
    c11: { ...c11PartToJson(program, result), orders: accessOrdersToJson(program) },
    diagnostics: [...diagnostics, ...result.diagnostics].map(diagnosticToJson),
  };
}
