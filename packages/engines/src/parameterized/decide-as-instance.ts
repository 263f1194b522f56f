import { hasGuesses } from '@fencewright/model/analysis/guesses.js';
import { withThreads } from '@fencewright/model/verdict/rename-threads.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { Decision } from '../robustness/decision.js';
import { verifiedWitness } from '../robustness/lift-witness.js';
import { decideAttacks } from '../search/decide-attacks.js';
import type { Attack, AttackStage } from '@fencewright/model/verdict/attack.js';
import { type AsInstance, threadsOfInstance } from './as-instance.js';
import {
  type BrokenInstance,
  decideParameterized,
  type ParameterizedDecision,
  type ParameterizedOptions,
} from './decide-parameterized.js';

/**
 * The conclusion about a program that is viewed as an instance of templates, drawn from a decision
 * about all instances of these templates.
 */
export type InstanceOutcome =
  | { readonly kind: 'decided'; readonly decision: Decision }
  /** The limits were reached before a decision about the instances. */
  | { readonly kind: 'open' }
  /** Some instance is not robust, but nothing follows about the program. */
  | { readonly kind: 'no-answer' };

/**
 * Decides whether a program is robust by viewing it as an instance of a program with any number of
 * copies. The question about all instances may be easier, since it does not distinguish threads
 * with equal code; `AsInstance` says why the answer is right. With `allAttacks`, the function
 * answers only if all instances are robust. The decision's `states` are the states of `budget`.
 */
export async function decideAsInstance(
  program: Program,
  view: AsInstance,
  options: ParameterizedOptions,
): Promise<InstanceOutcome> {
  const { happensBefore = 'standard', allAttacks, budget } = options;
  // Only searches with fixed numbers of threads know the values that read abstractions admit.
  if (happensBefore === 'value' && hasGuesses(program)) return { kind: 'no-answer' };
  const found = await decideParameterized(view.model, { ...options, allAttacks: false });
  const cost = { faults: [], states: budget.finishedStates, queries: found.queries };
  if (found.broken) {
    if (allAttacks) return { kind: 'no-answer' };
    const attacked = attackOnProgram(program, view, found.broken, happensBefore);
    return attacked
      ? { kind: 'decided', decision: { ...attacked, ...cost } }
      : { kind: 'no-answer' };
  }
  if (found.faults.length > 0) return { kind: 'no-answer' };
  if (found.incomplete !== undefined)
    return { kind: found.incomplete === 'unsupported' ? 'no-answer' : 'open' };
  return { kind: 'decided', decision: { attacks: refuted(program, view, found), ...cost } };
}

/**
 * Returns the witness of an instance, replayed on the program, and the verdicts of the program's
 * attacks; `undefined` if the instance has no witness, or the program has fewer copies than the
 * instance.
 */
function attackOnProgram(
  program: Program,
  view: AsInstance,
  { instance, decision }: BrokenInstance,
  happensBefore: NonNullable<ParameterizedOptions['happensBefore']>,
): Pick<Decision, 'attacks' | 'witness'> | undefined {
  const threads = threadsOfInstance(view, instance);
  if (!threads || !decision.witness) return undefined;
  const renamed = withThreads(decision.witness, (thread) => threads[thread]!);
  const { attack, computation } = renamed;
  const witness = verifiedWitness(program, attack, computation, happensBefore);
  const attacks = decideAttacks(program, (thread) => ({
    feasible: thread === attack.thread ? [{ attack, turn: 0, settledBy: 'search' }] : [],
    others: undefined,
    refutedBy: () => undefined,
  }));
  return {
    witness,
    attacks: attacks.map((each) =>
      each.verdict === 'feasible' ? { ...each, settledBy: 'any-number' } : each,
    ),
  };
}

/** Returns the attacks of a program whose instances are all robust, as refuted. */
function refuted(
  program: Program,
  { members }: AsInstance,
  { attacks }: ParameterizedDecision,
): Decision['attacks'] {
  const keyOf = ({ thread, store, load }: Attack): string => `${thread}.${store}.${load}`;
  const byPath = new Set(
    attacks.flatMap(({ attack, settledBy }) =>
      settledBy === 'static-path' ? [keyOf(attack)] : [],
    ),
  );
  const templateOf = new Map<ThreadId, ThreadId>(
    members.flatMap((threads, template) => threads.map((thread) => [thread, template] as const)),
  );
  return decideAttacks(program, (thread) => ({
    feasible: [],
    others: undefined,
    refutedBy: (attack): AttackStage =>
      byPath.has(keyOf({ ...attack, thread: templateOf.get(thread) ?? thread }))
        ? 'static-path'
        : 'any-number',
  }));
}
