import type { BodyId } from '../program/event-program.js';
import type { EventRun, Site } from '../trace/event-run.js';
import type { EventViolation } from '../trace/event-violation.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { AttackVerdict } from './attack.js';
import type { FaultFindings, UnknownReason } from './verdict.js';

/**
 * A robustness criterion for programs of events.
 *
 * - `concurrency`: every SC run on several threads has a serial explanation ([BEMR18] Def. 1, per
 *   invocation).
 * - `tso`: every TSO run has the happens-before of an SC run (Def. 2).
 * - `tsoSerial`: every TSO run has a serial explanation.
 */
export type Criterion = 'concurrency' | 'tso' | 'tsoSerial';

/**
 * The question of a check of a program of events; `both` is `tsoSerial`, with `concurrency` first.
 */
export type Against = 'concurrency' | 'tso' | 'both';

/** A delayed store, and the load or posting that overtakes the store. */
export interface EventAttack {
  readonly store: Site;
  readonly end: { readonly kind: 'load' | 'posting'; readonly site: Site };
}

/**
 * An attack, identified by its places in the texts: `feasible` if some instance in the call trees
 * is.
 */
export interface DecidedEventAttack extends EventAttack {
  readonly verdict: AttackVerdict;
}

/**
 * A run without explanation, replayed and judged, with the violation that rules out an explanation.
 */
export interface EventWitness {
  readonly semantics: 'multi-sc' | 'multi-tso';
  readonly run: EventRun;
  readonly violation: EventViolation;
  /** For `tso`: the first delayed store, and the load or posting that overtakes the store. */
  readonly attack?: EventAttack;
}

/** The reason why an answer about events is limited. */
export type WhyEventsUnknown =
  | { readonly kind: 'limit'; readonly reason: UnknownReason }
  /** Stacks and waiting lists were cut at this depth. */
  | { readonly kind: 'depth'; readonly depth: number }
  /** The behaviour of these bodies was explored only up to bounds. */
  | { readonly kind: 'bounds'; readonly hit: readonly EventBoundHit[] }
  /** A task reaches new states for ever. */
  | { readonly kind: 'unbounded-data' }
  /** A candidate was neither confirmed nor refuted. */
  | { readonly kind: 'unconfirmed' }
  /** Concurrency breaks, or may break, this criterion; without `concurrency` nothing is known. */
  | { readonly kind: 'needs-concurrency' }
  /** The result of the two-thread construction of [BEMR18], which does not count as an answer. */
  | { readonly kind: 'two-threads'; readonly said: 'robust' | 'not-robust' | 'unknown' };

/**
 * A bound beyond which there may be more: instances of an event with any number of instances,
 * nested invocations of a body, postings of a body in a loop, tasks of all events.
 */
export interface EventBoundHit {
  readonly kind: 'instances' | 'depth' | 'postings' | 'tasks';
  readonly body: BodyId;
  readonly most: number;
}

/** The answer for one criterion. */
export type CriterionVerdict =
  | { readonly kind: 'robust' }
  | { readonly kind: 'not-robust'; readonly witness: EventWitness }
  | { readonly kind: 'unknown'; readonly why: WhyEventsUnknown }
  /** Executions end in faults: see the diagnostics. */
  | { readonly kind: 'error' }
  | { readonly kind: 'not-asked' };

export interface EventCheckResult {
  readonly against: Against;
  readonly isPostingFenced: boolean;
  readonly criteria: Readonly<Record<Criterion, CriterionVerdict>>;
  readonly statistics: {
    /** Stored states of all searches together. */
    readonly states: number;
    readonly milliseconds: number;
  };
  readonly faults: FaultFindings;
  /**
   * In the order of the texts; only if checking against TSO alone with all attacks to be decided.
   */
  readonly attacks?: readonly DecidedEventAttack[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The criterion that decides the question: `concurrency` if it fails already. */
export function decisive({ against, criteria }: EventCheckResult): Criterion {
  if (against !== 'both') return against;
  return criteria.concurrency.kind === 'robust' ? 'tsoSerial' : 'concurrency';
}

/** The answer to the question of the check. */
export function eventVerdict(result: EventCheckResult): CriterionVerdict {
  return result.criteria[decisive(result)];
}
