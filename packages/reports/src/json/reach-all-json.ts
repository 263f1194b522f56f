import type { Program } from '@fencewright/model/program/program.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { AllInstancesReach, OverAll } from '@fencewright/model/verdict/all-instances-reach.js';
import { claimInWords, whyInWords } from '../words/answer-in-words.js';
import { answeredInstances, asksForState } from '@fencewright/model/verdict/answer-over-all.js';
import { reachAllOutcome, verdictOverAll } from '../words/reach-all-outcome.js';
import { aboutToJson, diagnosticToJson, roundMilliseconds } from './json-parts.js';
import type { JsonReachResult } from './json-schema.js';
import { answerToJson, copiesToJson, modelToJson } from './json.js';

type JsonClaim = NonNullable<JsonReachResult['claims']>[number];

/**
 * Returns the claims of a program, decided for any number of copies of some threads, as an entry of
 * the document's results.
 */
export function reachAllToJson(
  file: string,
  program: Program,
  result: AllInstancesReach,
  diagnostics: readonly Diagnostic[] = [],
): JsonReachResult {
  const outcome = reachAllOutcome(program, result);
  const sideOf = (one: OverAll, isQuestion: boolean): JsonClaim['sc'] => ({
    verdict: verdictOverAll(one, isQuestion),
    ...(one.kind === 'in' && { copies: copiesToJson(one.copies) }),
    ...(one.kind === 'unknown' && { why: whyInWords(program, one.why) }),
  });
  const { shown } = result;
  return {
    file,
    ...aboutToJson(program),
    verdict: outcome === 'breaks' || outcome === 'hangs' ? 'different' : outcome,
    ...(outcome === 'error' && { cause: 'program' }),
    scope: { instances: 'all', templates: [...result.templates] },
    answer: answerToJson(program, result.answer, answeredInstances(program, result)),
    claims: result.claims.map((one): JsonClaim => {
      const { claim } = one;
      const isQuestion = asksForState(program, one.claim);
      return {
        claim: claimInWords(program, claim),
        kind:
          claim.kind === 'assertion'
            ? 'assert'
            : (program.properties[claim.property]?.kind ?? 'never'),
        sc: sideOf(one.sc, isQuestion),
        tso: sideOf(one.tso, isQuestion),
      };
    }),
    ...(shown && {
      shown: {
        copies: copiesToJson(shown.copies),
        sameFinalStates: shown.result.sameFinalStates,
        answer: answerToJson(shown.program, shown.result.answer),
        sc: modelToJson(shown.program, shown.result, 'SC'),
        tso: modelToJson(shown.program, shown.result, shown.result.model),
      },
    }),
    milliseconds: roundMilliseconds(result.milliseconds),
    diagnostics: [...diagnostics, ...result.diagnostics].map(diagnosticToJson),
  };
}
