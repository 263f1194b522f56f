import { negation } from '@fencewright/model/program/expression.js';
import { bindThreads } from '@fencewright/model/program/invariant-binders.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import type { Invariant, InvariantExpression } from '@fencewright/model/program/program.js';
import { relate, type ColumnRelation } from './closest-relations.js';
import type { BasicRelation } from './sampled-relations.js';
import type { PlacedThread } from './sampled-rows.js';

/**
 * An invariant that no sampled state contradicts, and the candidates to try if the invariant is not
 * inductive.
 */
export interface Candidate {
  readonly invariant: Invariant;
  /**
   * The consequences of the invariant for single places, which are tried if the invariant is not
   * inductive.
   */
  readonly weaker: readonly Candidate[];
}

/** Returns the condition that the thread bound by `binder` is at the place. */
export const atPlace = (binder: number, { place }: PlacedThread): InvariantExpression => ({
  kind: 'at',
  binder,
  location: place,
});

/** Returns two conditions joined by the operator. */
export const join = (
  operator: '&&' | '||' | '<' | '==' | BasicRelation,
  left: InvariantExpression,
  right: InvariantExpression,
): InvariantExpression => ({ kind: 'binary', operator, left, right });

/** Returns the condition that the conclusion holds if all premises hold. */
export const implies = (
  premises: readonly InvariantExpression[],
  conclusion: InvariantExpression,
): InvariantExpression =>
  premises.length === 0
    ? conclusion
    : join('||', negation(premises.reduce((left, right) => join('&&', left, right))), conclusion);

/** Creates candidates for invariants; each has a distinct name. */
export class CandidateMaker {
  readonly #program: Templates;
  readonly #name: string;
  #names = 0;

  /** Creates an object that makes candidates; their names begin with `name`. */
  constructor(program: Templates, name = 'inferred') {
    this.#program = program;
    this.#name = name;
  }

  /**
   * Returns a candidate for a condition on threads; the condition's binders are the threads in this
   * order.
   */
  candidate(
    threads: readonly ThreadId[],
    condition: InvariantExpression,
    weaker: readonly Candidate[] = [],
  ): Candidate {
    const binders = bindThreads(this.#program, threads);
    return { invariant: { name: `${this.#name}${++this.#names}`, binders, condition }, weaker };
  }

  /**
   * Returns a candidate for a relation between columns at all places; its weaker candidates are the
   * weaker relations, and the relation restricted to each of the places `stands`.
   */
  general(
    threads: readonly ThreadId[],
    each: ColumnRelation,
    stands: readonly PlacedThread[],
  ): Candidate {
    return this.candidate(threads, relate(each), [
      ...each.weaker.map((next) => this.general(threads, next, stands)),
      ...stands.map((stand) => this.guardedBy([stand.thread], [atPlace(0, stand)], each, [])),
    ]);
  }

  /**
   * Returns a candidate for a relation between columns under conditions; its weaker candidates are
   * the weaker relations under these conditions.
   */
  guardedBy(
    threads: readonly ThreadId[],
    premises: readonly InvariantExpression[],
    each: ColumnRelation,
    weaker: readonly ColumnRelation[] = each.weaker,
  ): Candidate {
    return this.candidate(
      threads,
      implies(premises, relate(each)),
      weaker.map((next) => this.guardedBy(threads, premises, next)),
    );
  }
}
