import type { Limits } from '@fencewright/ground/base/budget.js';
import type { Invariant } from '@fencewright/model/program/program.js';
import type {
  Conclusion,
  ProvedProperty,
  ProveVerdict,
} from '@fencewright/model/verdict/prove-result.js';
import type { Agreement } from '../obligations/movers.js';
import type { ObligationAnswer } from '../obligations/obligation.js';
import { overallAgreement, type StoreAtomicity } from '../obligations/write-atomicity.js';

/**
 * Returns the conclusion about the program from the arguments for its stores; `undefined` if a
 * store has no argument, or an abstraction is unsound.
 */
export function conclude(
  stores: readonly StoreAtomicity[],
  abstractions: readonly { readonly finding: ObligationAnswer }[],
): Conclusion | undefined {
  const agreement = overallAgreement(stores);
  if (agreement === undefined) return undefined;
  if (abstractions.some(({ finding }) => finding.kind !== 'holds')) return undefined;
  if (abstractions.length > 0) return { kind: 'abstraction' };
  return conclusionOf[agreement];
}

const conclusionOf: Readonly<Record<Agreement, Conclusion>> = {
  apart: { kind: 'robust', happensBefore: 'standard' },
  'same-values': { kind: 'robust', happensBefore: 'value' },
  'same-outcomes': { kind: 'same-states' },
};

/**
 * Returns the verdict `unknown` with the reason why an attempt showed nothing. `isStopped`: whether
 * the time ended the attempt.
 */
export function whyUnknown(
  abstractions: readonly { readonly finding: ObligationAnswer }[],
  stores: readonly StoreAtomicity[],
  isStopped: boolean,
  { signal, meter }: Limits,
): ProveVerdict {
  if (signal?.aborted) return { kind: 'unknown', reason: 'cancelled', why: { kind: 'cancelled' } };
  if (meter && meter.left <= 0) return { kind: 'unknown', reason: 'work', why: { kind: 'work' } };
  if (isStopped) return { kind: 'unknown', reason: 'time', why: { kind: 'time' } };
  if (abstractions.some(({ finding }) => finding.kind !== 'holds'))
    return { kind: 'unknown', reason: 'abstractions', why: { kind: 'abstractions' } };
  const open = stores.filter(({ argument }) => argument.kind === 'none').length;
  return open === 0
    ? { kind: 'unknown', reason: 'undecided', why: { kind: 'premises' } }
    : { kind: 'unknown', reason: 'movers', why: { kind: 'stores', open } };
}

/**
 * Returns whether a requested claim holds in all states that TSO reaches with empty buffers, as far
 * as the conclusion of a proof tells. `isAbstract`: whether the proof is about an abstraction.
 */
export function settleProperty(
  name: string,
  given: readonly Invariant[],
  kept: readonly Invariant[],
  conclusion: Conclusion | undefined,
  isAbstract: boolean,
): ProvedProperty {
  const claims = given.filter((invariant) => invariant.name === name);
  if (!claims.every((claim) => kept.includes(claim)))
    return { name, verdict: 'unknown', why: { kind: 'not-inductive' } };
  const why = { kind: 'under-sc', of: isAbstract ? 'abstraction' : 'program' } as const;
  return { name, verdict: conclusion ? 'holds' : 'unknown', why };
}
