import type { DiagnosticCode } from '@fencewright/ground/source/diagnostic.js';
import type { WaitingState } from '@fencewright/model/verdict/hang.js';
import {
  compareAssertions,
  knowsEnds,
  type ReachResult,
} from '@fencewright/model/verdict/reach-result.js';

/**
 * Whether TSO shows more than SC: in states at rest, in properties, in assertions that fail, or in
 * threads that wait for ever. `error`: the program has a fault.
 */
export type ReachOutcome = 'same' | 'different' | 'unknown' | 'error';

/**
 * The codes of faults that are mistakes of the program and end an execution. Faults that are limits
 * of the tool leave the outcome unknown.
 */
const programFaults: readonly DiagnosticCode[] = ['FW3002', 'FW3003', 'FW3004'];

/** Returns the states at rest, with threads that wait for ever, absent under SC. */
export function hangsOfTsoAlone({ hangs }: Pick<ReachResult, 'hangs'>): readonly WaitingState[] {
  if (hangs.kind === 'unknown') return [];
  return (hangs.atRest ?? []).filter(({ isSequential }) => !isSequential);
}

/**
 * Returns the answer of a comparison of SC and TSO; one known difference settles the answer, even
 * if all else is incomplete.
 */
export function reachOutcome(result: ReachResult): ReachOutcome {
  if (result.diagnostics.some(({ code }) => programFaults.includes(code))) return 'error';
  const pairs: [string, string][] = [
    ...result.sc.properties.map(({ verdict }, i): [string, string] => [
      verdict,
      result.tso.properties[i]?.verdict ?? 'unknown',
    ]),
    ...compareAssertions(result).map(({ sc, tso }): [string, string] => [sc, tso]),
  ];
  const isKnown = (verdict: string): boolean => verdict !== 'unknown';
  if (result.sameFinalStates === 'no') return 'different';
  if (result.hangs.kind === 'found' && result.hangs.hangs.length > 0) return 'different';
  if (hangsOfTsoAlone(result).length > 0) return 'different';
  if (pairs.some(([sc, tso]) => isKnown(sc) && isKnown(tso) && sc !== tso)) return 'different';
  const known = knowsEnds(result.sc) && knowsEnds(result.tso) && pairs.flat().every(isKnown);
  return known && result.sameFinalStates === 'yes' ? 'same' : 'unknown';
}
