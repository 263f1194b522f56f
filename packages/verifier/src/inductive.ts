import type { Budget, Exhausted } from './budget.js';
import { type KindReport, rejected } from './report.js';

/** An error in a certificate, in words; or the limit that ended the check. */
export type Finding =
  | { readonly kind: 'wrong'; readonly text: string }
  | { readonly kind: 'stopped'; readonly reason: Exhausted };

/** Returns the report on a certificate, given the finding that ended the check. */
export function inVain(finding: Finding): KindReport {
  return finding.kind === 'wrong'
    ? rejected(finding.text)
    : { kind: 'unknown', reason: finding.reason };
}

/**
 * A state that executions reach from a cover (a set of states), with the finding to be reported if
 * the cover does not contain it; or the finding about a bad state, which no cover may lead to.
 */
export type Reached<S> =
  { readonly state: S; readonly otherwise: string } | { readonly bad: string };

/**
 * A set of states, given as the union of parts: explicit states, states of single threads or pairs,
 * or all states with at most some number of threads at each place.
 */
export interface Cover<S, Part> {
  /** Returns the initial states of the system. */
  starts(): Iterable<Reached<S>>;
  readonly parts: Iterable<Part>;
  contains(state: S): boolean;
  /** Returns all states, each as `Reached`, to which one step leads from a state of the part. */
  after(part: Part): Iterable<Reached<S>>;
}

/**
 * Returns the reason why a cover is no inductive invariant; `undefined` if the cover contains all
 * initial states, every step from a state of the cover stays inside, and no state of the cover is
 * bad. Parts count as states of the budget.
 */
export function whyNotInductive<S, Part>(
  cover: Cover<S, Part>,
  budget: Budget,
): Finding | undefined {
  const refute = (all: Iterable<Reached<S>>): Finding | undefined => {
    for (const one of all) {
      const stopped = budget.spend();
      if (stopped !== undefined) return { kind: 'stopped', reason: stopped };
      if ('bad' in one) return { kind: 'wrong', text: one.bad };
      if (!cover.contains(one.state)) return { kind: 'wrong', text: one.otherwise };
    }
    return undefined;
  };
  const wrongStart = refute(cover.starts());
  if (wrongStart) return wrongStart;
  for (const part of cover.parts) {
    const stopped = budget.spend(1);
    if (stopped !== undefined) return { kind: 'stopped', reason: stopped };
    const finding = refute(cover.after(part));
    if (finding) return finding;
  }
  return undefined;
}
