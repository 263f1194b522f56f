import type { Limits } from '../../base/budget.js';
import type { Invariant } from '../../program/program.js';
import type { Conclusion, ProvedProperty, ProveVerdict } from '../../verdict/prove-result.js';
import type { Agreement } from '../obligations/movers.js';
import type { Finding } from '../obligations/obligation.js';
import { overallAgreement, type StoreAtomicity } from '../obligations/write-atomicity.js';

/** What the arguments for the stores show; absent if one has none, or an abstraction is none. */
export function conclude(
  stores: readonly StoreAtomicity[],
  abstractions: readonly { readonly finding: Finding }[],
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

/** The verdict where nothing was shown. */
export function whyUnknown(
  abstractions: readonly { readonly finding: Finding }[],
  stores: readonly StoreAtomicity[],
  isStopped: boolean,
  { signal }: Limits,
): ProveVerdict {
  if (signal?.aborted)
    return { kind: 'unknown', reason: 'cancelled', detail: 'the run was interrupted' };
  if (isStopped) return { kind: 'unknown', reason: 'time', detail: 'the time ran out' };
  if (abstractions.some(({ finding }) => finding.kind !== 'holds'))
    return {
      kind: 'unknown',
      reason: 'abstractions',
      detail: 'a havoc does not allow all that a load in its place would read',
    };
  const open = stores.filter(({ argument }) => argument.kind === 'none').length;
  if (open === 0)
    return {
      kind: 'unknown',
      reason: 'undecided',
      detail: 'the solver does not say whether the premises of the proof can be satisfied',
    };
  const detail = `${open} store${open === 1 ? ' has' : 's have'} no argument`;
  return { kind: 'unknown', reason: 'movers', detail };
}

/** Whether what was asked for holds of all states that TSO reaches with empty buffers. */
export function settleProperty(
  name: string,
  given: readonly Invariant[],
  kept: readonly Invariant[],
  conclusion: Conclusion | undefined,
  isAbstract: boolean,
): ProvedProperty {
  const claims = given.filter((invariant) => invariant.name === name);
  const subject = isAbstract ? 'the abstraction' : 'the program';
  if (!claims.every((claim) => kept.includes(claim)))
    return { name, verdict: 'unknown', detail: 'it is not inductive with the other invariants' };
  if (!conclusion)
    return {
      name,
      verdict: 'unknown',
      detail: `${subject} has it under SC, but TSO may reach more states`,
    };
  return {
    name,
    verdict: 'holds',
    detail: `${subject} has it under SC, and so has every state that TSO reaches with empty store buffers while nobody has the bus lock`,
  };
}
