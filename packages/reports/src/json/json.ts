import { c11PartToJson } from './c11-json.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { MemoryModel } from '@fencewright/model/trace/memory-model.js';
import type { ReachResult } from '@fencewright/model/verdict/reach-result.js';
import type { Replay } from '@fencewright/model/verdict/replay.js';
import type {
  CheckResult,
  CheckStatistics,
  Scope,
  TemplateCount,
  VacuityFindings,
  Verdict,
} from '@fencewright/model/verdict/verdict.js';
import type { ExplainedAttacks } from '@fencewright/model/verdict/explained-attacks.js';
import { attackName } from '../words/attack-name.js';
import { whyUndecided } from '../words/why-undecided.js';
import { threadName } from '../words/action-words.js';
import {
  aboutToJson,
  diagnosticToJson,
  faultsToJson,
  notLookedAtToJson,
  racesToJson,
  refOf,
  roundMilliseconds,
  stepsToJson,
  witnessToJson,
} from './json-parts.js';
import { atRestToJson, deadlocksToJson, hangsToJson, hangToJson, reasonOf } from './hang-json.js';
import { finalStateToJson } from './state-json.js';
import type { JsonCheckResult, JsonModelReach, JsonReachResult } from './json-schema.js';
import { deadlocksIn } from '@fencewright/model/verdict/hang.js';
import type { AnsweredInstances, StateAnswer } from '@fencewright/model/verdict/state-answer.js';
import type { RaceFindings } from '@fencewright/model/verdict/data-race.js';
import { headlineInWords, type HeadlineOptions, headlineText } from '../words/headline.js';
import { answerInWords, claimInWords } from '../words/answer-in-words.js';
import { reachOutcome } from '../words/reach-outcome.js';

function statisticsToJson(statistics: CheckStatistics): NonNullable<JsonCheckResult['stats']> {
  const { threads, labels, instructions, states, bytes, queries, milliseconds } = statistics;
  const { engine, phases, phaseStates, attacks } = statistics;
  const { total, byCfg, infeasible, feasible, settledBy } = attacks;
  return {
    threads,
    labels,
    instructions,
    states,
    bytes,
    queries,
    milliseconds: roundMilliseconds(milliseconds),
    engine,
    ...(phases && {
      phases: {
        generating: roundMilliseconds(phases.generating),
        compiling: roundMilliseconds(phases.compiling),
        verifying: roundMilliseconds(phases.verifying),
      },
    }),
    ...(phaseStates && { phaseStates }),
    attacks: { total, byCfg, infeasible, feasible, ...(settledBy && { settledBy }) },
  };
}

function verdictToJson(
  program: Program,
  verdict: Verdict,
  replay: Replay | undefined,
): Pick<JsonCheckResult, 'verdict' | 'cause' | 'reason' | 'detail' | 'witness'> {
  switch (verdict.kind) {
    case 'robust':
      return { verdict: 'robust' };
    case 'error':
      return { verdict: 'error', cause: verdict.cause };
    case 'unknown':
      return { verdict: 'unknown', reason: verdict.reason, detail: whyUndecided(verdict) };
    case 'not-robust':
      return { verdict: 'not-robust', witness: witnessToJson(program, verdict.witness, replay) };
  }
}

function scopeToJson(scope: Scope): NonNullable<JsonCheckResult['scope']> {
  return scope.kind === 'all'
    ? { instances: 'all', templates: [...scope.templates] }
    : {
        instances: 'one',
        copies: copiesToJson(scope.copies),
      };
}

/** Returns the numbers of copies by the names of the threads copied. */
export function copiesToJson(copies: readonly TemplateCount[]): Record<string, number> {
  return Object.fromEntries(copies.map(({ template, count }) => [template, count]));
}

type JsonFindings = Pick<
  JsonCheckResult,
  'faults' | 'vacuous' | 'races' | 'answer' | 'notLookedAt'
>;

/** Returns the findings of a check besides the verdict, and the questions not examined. */
function findingsToJson(
  program: Program,
  { faults, vacuity, races, answer, answered, deadlocks }: CheckResult,
): JsonFindings {
  return {
    ...(faults && { faults: faultsToJson(faults) }),
    ...(vacuity && { vacuous: vacuityToJson(program, vacuity) }),
    ...(races && { races: racesToJson(program, races) }),
    ...(answer && { answer: answerToJson(program, answer, answered, races, { deadlocks }) }),
    notLookedAt: answer ? { properties: [], assertions: 0 } : notLookedAtToJson(program),
  };
}

function vacuityToJson(
  program: Program,
  vacuity: VacuityFindings,
): NonNullable<JsonCheckResult['vacuous']> {
  if (vacuity.kind === 'not-looked-for')
    return { answer: 'not-looked-for', neverRun: [], neverEnd: [] };
  const neverRun = vacuity.neverRun.map(({ thread, transition }) => {
    const { copy, name = '' } = program.threads[thread] ?? {};
    const instruction = program.threads[thread]?.transitions[transition]?.instruction;
    return {
      thread: copy?.template ?? name,
      ...refOf(program, thread, transition),
      access:
        instruction?.kind === 'store' || instruction?.kind === 'rmw' ? instruction.kind : 'load',
    } as const;
  });
  const neverEnd = vacuity.neverEnd.map((thread) => threadName(program, thread));
  const isVacuous = neverRun.length + neverEnd.length > 0;
  return { answer: isVacuous ? 'found' : 'none', neverRun, neverEnd };
}

/**
 * Returns a check as an entry of the document's results. `diagnostics` come from reading the file;
 * with `replay`, the witness has the states of the machine; `explained` are the requested attacks.
 */
export function checkToJson(
  file: string,
  program: Program,
  result: CheckResult,
  diagnostics: readonly Diagnostic[] = [],
  replay?: Replay,
  explained?: ExplainedAttacks,
): JsonCheckResult {
  const { witness, ...verdict } = verdictToJson(program, result.verdict, replay);
  return {
    file,
    ...aboutToJson(program),
    ...verdict,
    happensBefore: result.happensBefore,
    ...(result.scope && { scope: scopeToJson(result.scope) }),
    ...(result.invariant !== undefined && { invariant: result.invariant }),
    ...(result.portable && { c11: c11PartToJson(program, result.portable) }),
    stats: statisticsToJson(result.statistics),
    attacks: result.attacks.map(({ attack, verdict: decided, settledBy }) => ({
      thread: threadName(program, attack.thread),
      store: refOf(program, attack.thread, attack.store),
      load: refOf(program, attack.thread, attack.load),
      verdict: decided,
      ...(settledBy && { settledBy }),
    })),
    ...(witness && { witness }),
    ...(explained && {
      executions: explained.executions.map((one) => ({
        name: attackName(program, one.witness.attack),
        ...witnessToJson(program, one.witness, one.replay),
      })),
    }),
    ...findingsToJson(program, result),
    ...(result.cutShort && { cutShort: result.cutShort }),
    diagnostics: [...diagnostics, ...result.diagnostics].map(diagnosticToJson),
  };
}

export function answerToJson(
  program: Program,
  answer: StateAnswer,
  answered?: AnsweredInstances,
  races?: RaceFindings,
  { model = 'TSO', deadlocks }: HeadlineOptions = {},
): NonNullable<JsonReachResult['answer']> {
  const { kind } = answer;
  const { templates = program, shown } = answered ?? {};
  const run = shown?.program ?? templates;
  const claims = 'claims' in answer ? answer.claims : [];
  const computation = 'computation' in answer ? answer.computation : undefined;
  const headline = headlineInWords(program, answer, answered, races, { model, deadlocks });
  return {
    kind,
    text: answerInWords(program, answer, answered, model),
    ...(headline && { headline: headlineText(headline) }),
    ...(deadlocks && { deadlocks: deadlocksToJson(templates, deadlocks) }),
    ...(claims.length > 0 && { claims: claims.map((claim) => claimInWords(templates, claim)) }),
    ...(shown && kind !== 'unknown' && { copies: copiesToJson(shown.copies) }),
    ...(kind === 'hangs' && { hangs: answer.hangs.map((hang) => hangToJson(run, hang, model)) }),
    ...(kind === 'differs' && { state: finalStateToJson(run, answer.state) }),
    ...(kind === 'differs' && answer.openHangs && { hangsOpen: reasonOf(answer.openHangs) }),
    ...(computation && { computation: stepsToJson(run, computation) }),
    ...(kind === 'unknown' && {
      open: answer.open,
      reason: reasonOf(answer.why),
    }),
  };
}

/**
 * Returns the states and properties reached under a memory model as JSON data; with `hangs`, the
 * states at rest as well.
 */
export function modelToJson(
  program: Program,
  { sc, tso, hangs }: Pick<ReachResult, 'sc' | 'tso' | 'hangs'>,
  memory: MemoryModel,
): JsonModelReach {
  const model = memory === 'SC' ? sc : tso;
  const atRest = atRestToJson(program, hangs, memory);
  return {
    states: model.states,
    ...(model.incomplete !== undefined && { incomplete: model.incomplete }),
    ...(model.settledBy && { settledBy: model.settledBy }),
    ...(model.buffer !== undefined && { buffer: model.buffer }),
    finalStates: model.finalStates.map((state) => finalStateToJson(program, state)),
    ...(atRest && { atRest }),
    properties: model.properties.map(
      ({ property, verdict, isVacuous, settledBy, computation }, i) => ({
        name: property,
        kind: program.properties[i]?.kind ?? 'never',
        verdict,
        ...(isVacuous && { vacuous: true }),
        ...(settledBy && { settledBy }),
        ...(computation && { computation: stepsToJson(program, computation) }),
      }),
    ),
    failedAssertions: model.failedAssertions.map(({ thread, transition, computation }) => ({
      thread: threadName(program, thread),
      ...refOf(program, thread, transition),
      computation: stepsToJson(program, computation),
    })),
  };
}

/** Returns a comparison of SC and TSO as an entry of the document's results. */
export function reachToJson(
  file: string,
  program: Program,
  result: ReachResult,
  diagnostics: readonly Diagnostic[] = [],
): JsonReachResult {
  const verdict = reachOutcome(result);
  return {
    file,
    ...aboutToJson(program),
    verdict,
    ...(verdict === 'error' && { cause: 'program' }),
    sameFinalStates: result.sameFinalStates,
    ...(result.notShown && { notShown: [...result.notShown] }),
    ...(result.robustness && { robustness: result.robustness }),
    answer: answerToJson(program, result.answer, undefined, result.races, {
      model: result.model,
      deadlocks: deadlocksIn(result.hangs),
    }),
    hangs: hangsToJson(program, result.hangs, result.model),
    ...(result.races && { races: racesToJson(program, result.races) }),
    model: result.model,
    sc: modelToJson(program, result, 'SC'),
    tso: modelToJson(program, result, result.model),
    milliseconds: roundMilliseconds(result.milliseconds),
    diagnostics: [...diagnostics, ...result.diagnostics].map(diagnosticToJson),
  };
}
