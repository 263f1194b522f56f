import type { DiagnosticCode } from '../../source/diagnostic.js';
import { knowsEnds, type ModelReach, type ReachResult } from '../../verdict/reach-result.js';

/**
 * Whether TSO shows more than SC: in final states, in properties, or in assertions that fail.
 * `error`: the program is at fault.
 */
export type ReachOutcome = 'same' | 'different' | 'unknown' | 'error';

/** What one model says of an assertion. */
export type AssertionVerdict = 'holds' | 'fails' | 'unknown';

export interface ComparedAssertion {
  readonly thread: number;
  readonly transition: number;
  readonly sc: AssertionVerdict;
  readonly tso: AssertionVerdict;
}

function assertionVerdict(model: ModelReach, thread: number, transition: number): AssertionVerdict {
  const fails = model.failedAssertions.some(
    (failed) => failed.thread === thread && failed.transition === transition,
  );
  if (fails) return 'fails';
  return knowsEnds(model) ? 'holds' : 'unknown';
}

/** The assertions that fail under at least one model, in the order of the program. */
export function compareAssertions({ sc, tso }: ReachResult): ComparedAssertion[] {
  const found = new Map<string, { thread: number; transition: number }>();
  for (const { thread, transition } of [...sc.failedAssertions, ...tso.failedAssertions])
    found.set(`${thread} ${transition}`, { thread, transition });
  return [...found.values()]
    .sort((a, b) => a.thread - b.thread || a.transition - b.transition)
    .map(({ thread, transition }) => ({
      thread,
      transition,
      sc: assertionVerdict(sc, thread, transition),
      tso: assertionVerdict(tso, thread, transition),
    }));
}

/**
 * Mistakes of the program that end an execution; what is merely beyond the tool leaves the outcome
 * unknown.
 */
const programFaults: readonly DiagnosticCode[] = ['FW3002', 'FW3003', 'FW3004'];

/**
 * The answer of a comparison of SC and TSO; one known difference settles it, however incomplete the
 * rest is.
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
  if (pairs.some(([sc, tso]) => isKnown(sc) && isKnown(tso) && sc !== tso)) return 'different';
  const known = knowsEnds(result.sc) && knowsEnds(result.tso) && pairs.flat().every(isKnown);
  return known && result.sameFinalStates === 'yes' ? 'same' : 'unknown';
}
