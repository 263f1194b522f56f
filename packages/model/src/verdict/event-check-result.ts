import type { BodyId } from '../program/event-program.js';
import type { EventRun, Site } from '../trace/event-run.js';
import type { EventViolation } from '../trace/event-violation.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { AttackVerdict } from './attack.js';
import type { FaultFindings, UnknownReason } from './verdict.js';

/**
 * A robustness criterion for programs of events.
 *
 * - `determinism`: in every SC run, conflicts between tasks of one event follow DFS order ([BEMR18]
 *   Def. 1, (D)).
 * - `serialisability`: in every SC run, conflicts between events are acyclic (Def. 1, (S)).
 * - `concurrency`: every SC run on several threads has a serial explanation: `determinism` and
 *   `serialisability` together (Def. 1, per invocation).
 * - `tso`: every TSO run has the happens-before of an SC run (Def. 2).
 * - `tsoSerial`: every TSO run has a serial explanation.
 */
export type Criterion = 'determinism' | 'serialisability' | 'concurrency' | 'tso' | 'tsoSerial';

/**
 * The question of a check of a program of events: `concurrency`, `tso`, or both; `both` asks for
 * `tsoSerial`, and checks `concurrency` first.
 */
export type Against = 'concurrency' | 'tso' | 'both';

/**
 * An attack on a program of events: a delayed store, and the load, posting of a task or passing of
 * a milestone (a label) that overtakes the store.
 */
export interface EventAttack {
  readonly store: Site;
  readonly end: { readonly kind: 'load' | 'posting' | 'milestone'; readonly site: Site };
}

/**
 * An attack on a program of events with a verdict. The instructions in the text identify the
 * attack; an attack is `feasible` if feasible for some calls of the procedures that contain the
 * instructions.
 */
export interface DecidedEventAttack extends EventAttack {
  readonly verdict: AttackVerdict;
}

/**
 * A run that shows a program of events not to be robust, replayed and judged by the definition,
 * with the violation: why no allowed order explains the run.
 */
export interface EventWitness {
  readonly semantics: 'multi-sc' | 'multi-tso';
  readonly run: EventRun;
  readonly violation: EventViolation;
  /** For `tso`: the first delayed store, and the load or posting that overtakes the store. */
  readonly attack?: EventAttack;
}

/** Why a check of a program of events has no definite answer. */
export type WhyEventsUnknown =
  | { readonly kind: 'limit'; readonly reason: UnknownReason }
  /** The search did not go deeper than `depth` into stacks of calls and lists of waiting tasks. */
  | { readonly kind: 'depth'; readonly depth: number }
  /** The behaviour of the events and procedures named in `hit` was explored only up to bounds. */
  | { readonly kind: 'bounds'; readonly hit: readonly EventBoundHit[] }
  /** A task reaches new states for ever, so that the search does not end. */
  | { readonly kind: 'unbounded-data' }
  /** The search found a possible violation, but could neither confirm nor refute it by a run. */
  | { readonly kind: 'unconfirmed' }
  /**
   * The program is not, or may not be, robust against concurrency; without `concurrency` this
   * criterion has no meaning.
   */
  | { readonly kind: 'needs-concurrency' }
  /** The verdict of the two-thread construction of [BEMR18], which does not count as an answer. */
  | { readonly kind: 'two-threads'; readonly said: 'robust' | 'not-robust' | 'unknown' };

/**
 * A bound that excluded some behaviour: on instances of an event with any number of instances,
 * nested calls of a procedure, postings of a procedure in a loop, or tasks of all events.
 */
export interface EventBoundHit {
  readonly kind: 'instances' | 'depth' | 'postings' | 'tasks';
  readonly body: BodyId;
  readonly most: number;
}

/** The verdict on one robustness criterion. */
export type CriterionVerdict =
  | { readonly kind: 'robust' }
  | { readonly kind: 'not-robust'; readonly witness: EventWitness }
  | { readonly kind: 'unknown'; readonly why: WhyEventsUnknown }
  /** Executions of the program end in faults: see the diagnostics. */
  | { readonly kind: 'error' }
  | { readonly kind: 'not-asked' };

/** The verdicts before any criterion is decided: all `not-asked`. */
export const nothingAsked: Readonly<Record<Criterion, CriterionVerdict>> = {
  determinism: { kind: 'not-asked' },
  serialisability: { kind: 'not-asked' },
  concurrency: { kind: 'not-asked' },
  tso: { kind: 'not-asked' },
  tsoSerial: { kind: 'not-asked' },
};

export interface EventCheckResult {
  readonly against: Against;
  /**
   * The criteria that the caller asked for individually. Their worst verdict answers the question
   * of the check, instead of the verdicts for `against`.
   */
  readonly asked?: readonly Criterion[];
  readonly isPostingFenced: boolean;
  readonly criteria: Readonly<Record<Criterion, CriterionVerdict>>;
  readonly statistics: {
    /** The number of states stored by all searches together. */
    readonly states: number;
    readonly milliseconds: number;
  };
  readonly faults: FaultFindings;
  /**
   * The verdicts on all attacks, in the order of the texts; only of a check against TSO alone that
   * decides all attacks.
   */
  readonly attacks?: readonly DecidedEventAttack[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The kinds of verdicts, by weight: of the verdicts on several criteria, the first in this list is
 * the answer.
 */
const byWeight: readonly CriterionVerdict['kind'][] = [
  'error',
  'not-robust',
  'unknown',
  'not-asked',
  'robust',
];

/**
 * Returns the criterion whose verdict answers the question of the check. Of criteria asked
 * individually: the first with the worst verdict. For `against: 'both'`: `concurrency` unless the
 * program is robust against concurrency, else `tsoSerial`. Otherwise: `against` itself.
 */
export function decisive({ against, asked, criteria }: EventCheckResult): Criterion {
  if (asked) {
    const worst = byWeight.find((kind) => asked.some((name) => criteria[name].kind === kind));
    return asked.find((name) => criteria[name].kind === worst) ?? 'concurrency';
  }
  if (against !== 'both') return against;
  return criteria.concurrency.kind === 'robust' ? 'tsoSerial' : 'concurrency';
}

/** The answer to the question of the check. */
export function eventVerdict(result: EventCheckResult): CriterionVerdict {
  return result.criteria[decisive(result)];
}
