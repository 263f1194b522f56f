import type { BodyId } from '../program/event-program.js';
import type { EventRun, Site } from '../trace/event-run.js';
import type { EventViolation } from '../trace/event-violation.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { AttackVerdict } from './attack.js';
import type { FaultFindings, UnknownReason } from './verdict.js';

/**
 * What a program of events can be robust against.
 *
 * - `concurrency`: every SC run on several threads has a serial explanation ([BEMR18] Def. 1, per
 *   invocation).
 * - `tso`: every TSO run has the happens-before of an SC run (Def. 2).
 * - `tsoSerial`: every TSO run has a serial explanation.
 */
export type Criterion = 'concurrency' | 'tso' | 'tsoSerial';

/** What a check of a program of events is about; `both` is `tsoSerial`, `concurrency` first. */
export type Against = 'concurrency' | 'tso' | 'both';

/** A store that is delayed, and the load or posting that overtakes it. */
export interface EventAttack {
  readonly store: Site;
  readonly end: { readonly kind: 'load' | 'posting'; readonly site: Site };
}

/**
 * An attack by its places in the texts: `feasible` if one of their instances in the call trees is.
 */
export interface DecidedEventAttack extends EventAttack {
  readonly verdict: AttackVerdict;
}

/** A run, replayed and judged, that has no explanation, with what contradicts one. */
export interface EventWitness {
  readonly semantics: 'multi-sc' | 'multi-tso';
  readonly run: EventRun;
  readonly violation: EventViolation;
  /** Of `tso`: the first store that is delayed, and the load or posting that overtakes it. */
  readonly attack?: EventAttack;
}

/** What an answer about events is limited by. */
export type WhyEventsUnknown =
  | { readonly kind: 'limit'; readonly reason: UnknownReason }
  /** Stacks and waiting lists were cut at this depth. */
  | { readonly kind: 'depth'; readonly depth: number }
  /** Only so much was looked at of what these bodies do. */
  | { readonly kind: 'bounds'; readonly hit: readonly EventBoundHit[] }
  /** A task goes on through ever new states. */
  | { readonly kind: 'unbounded-data' }
  /** A candidate was neither confirmed nor refuted. */
  | { readonly kind: 'unconfirmed' }
  /** Concurrency breaks it or may break it, without which nothing is known of this criterion. */
  | { readonly kind: 'needs-concurrency' }
  /** What the two-thread construction of [BEMR18] said, which is no answer. */
  | { readonly kind: 'two-threads'; readonly said: 'robust' | 'not-robust' | 'unknown' };

/**
 * A bound behind which there may be more: instances of an event of which there are any number,
 * invocations of a body inside of each other, postings of a body in a loop, tasks of all events.
 */
export interface EventBoundHit {
  readonly kind: 'instances' | 'depth' | 'postings' | 'tasks';
  readonly body: BodyId;
  readonly most: number;
}

/** The answer to one of the questions. */
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
  /** Against TSO alone, where every attack was to be decided: in the order of the texts. */
  readonly attacks?: readonly DecidedEventAttack[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The criterion that decides what was asked: concurrency where that fails already. */
export function decisive({ against, criteria }: EventCheckResult): Criterion {
  if (against !== 'both') return against;
  return criteria.concurrency.kind === 'robust' ? 'tsoSerial' : 'concurrency';
}

/** The answer to what was asked. */
export function eventVerdict(result: EventCheckResult): CriterionVerdict {
  return result.criteria[decisive(result)];
}
