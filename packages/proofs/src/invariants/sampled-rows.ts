import type { LocationId, ThreadId } from '@fencewright/model/program/ids.js';
import type { InvariantExpression } from '@fencewright/model/program/program.js';
import { candidateTerms, type CandidateTerm, type CandidateTerms } from './candidate-terms.js';
import { programConstants } from './program-constants.js';
import type { ProofProgram } from '../steps/proof-program.js';
import { RowSet, type Rows } from './sampled-relations.js';
import { evaluateInSample, type SampledState, type SampledThread } from './sampled-state.js';
import { computeValueClasses } from './value-classes.js';

/** A number in the program's text, with which candidate invariants compare terms. */
export interface NumberColumn {
  readonly kind: 'number';
  readonly value: number;
  readonly expression: () => InvariantExpression;
}

/**
 * The source of a column's values: a number of the program's text, equal in all rows, or a term.
 */
export type SampledColumn = NumberColumn | CandidateTerm;

/** A thread at a place (a location at which invariants hold). */
export interface PlacedThread {
  readonly thread: ThreadId;
  readonly place: LocationId;
}

/**
 * Whether `a` comes before `b`, or equals `b`, in a fixed order of threads and places. Rows of a
 * pair are stored in this order only.
 */
export function isInOrder(a: PlacedThread, b: PlacedThread): boolean {
  return a.thread < b.thread || (a.thread === b.thread && a.place <= b.place);
}

/**
 * The values of a program's numbers and terms in samples, as rows: of shared terms, of a thread at
 * a place, of two threads at two places.
 */
export class SampledRows {
  readonly #program: ProofProgram;
  readonly #terms: CandidateTerms;
  readonly #numbers: readonly number[];
  readonly #shared = new RowSet();
  /** The rows of each thread at each place, by `keyOf`. */
  readonly #at = new Map<string, RowSet>();
  /** The rows of each two threads at two places, by `pairKeyOf`. */
  readonly #ofPairs = new Map<string, RowSet>();
  /**
   * The numbers of the program's text that samples show as values, by class of values; always
   * including 0.
   */
  readonly #numbersOf = new Map<string, Set<number>>();

  constructor(program: ProofProgram, samples: readonly SampledState[]) {
    this.#program = program;
    this.#terms = candidateTerms(program, computeValueClasses(program.templates));
    this.#numbers = programConstants(program.templates);
    for (const sample of samples) this.#read(sample);
  }

  /** Returns the terms of a thread, in the order in which they are the columns of `ofPair`. */
  termsOf(thread: ThreadId): readonly CandidateTerm[] {
    return this.#terms.threads[thread] ?? [];
  }

  /**
   * Returns the columns of rows: the numbers in ascending order, then the shared terms, then the
   * terms of the thread.
   */
  columns(thread?: ThreadId): readonly SampledColumn[] {
    const numbers = this.#numbers.map((value): NumberColumn => ({
      kind: 'number',
      value,
      expression: () => ({ kind: 'constant', value }),
    }));
    const own = thread === undefined ? [] : this.termsOf(thread);
    return [...numbers, ...this.#terms.shared, ...own];
  }

  /** The distinct rows of all samples for the shared terms, with the columns of `columns()`. */
  get shared(): Rows {
    return this.#shared.rows;
  }

  /**
   * Returns the rows of all samples in which a thread is at the place, with the columns of
   * `columns(thread)`; a term with a dead register has no value.
   */
  at(stand: PlacedThread): Rows {
    return this.#at.get(keyOf(stand))?.rows ?? [];
  }

  /**
   * Returns the rows of all samples in which two threads are at the places `a` and `b`, which have
   * to be in order: the terms of the first (`termsOf`), then those of the second. No rows if no
   * sample shows the two threads there together.
   */
  ofPair(a: PlacedThread, b: PlacedThread): Rows {
    return this.#ofPairs.get(pairKeyOf(a, b))?.rows ?? [];
  }

  /**
   * Whether the two columns are worth comparing; a number comes first, and only if values of the
   * second column's class were seen to equal the number.
   */
  areComparable(left: SampledColumn, right: SampledColumn): boolean {
    if (right.kind === 'number') return false;
    if (left.kind === 'number')
      return (
        right.kind !== 'name' && this.#numbersOf.get(right.valueClass)?.has(left.value) === true
      );
    return left.valueClass === right.valueClass && !(left.kind === 'name' && right.kind === 'name');
  }

  #read(sample: SampledState): void {
    const shared = this.#terms.shared.map((term) => this.#valueOf(term, sample, []));
    this.#shared.add([...this.#numbers, ...shared]);
    const own = sample.threads.map((thread) =>
      this.termsOf(thread.thread).map((term) =>
        this.#terms.isLive(term, thread.thread, thread.location)
          ? this.#valueOf(term, sample, [thread])
          : undefined,
      ),
    );
    sample.threads.forEach((a, i) => {
      const values = own[i] ?? [];
      const stand = { thread: a.thread, place: a.location };
      rowsIn(this.#at, keyOf(stand)).add([...this.#numbers, ...shared, ...values]);
      sample.threads.forEach((b, j) => {
        const other = { thread: b.thread, place: b.location };
        if (i === j || !isInOrder(stand, other)) return;
        rowsIn(this.#ofPairs, pairKeyOf(stand, other)).add([...values, ...(own[j] ?? [])]);
      });
    });
  }

  #valueOf(
    term: CandidateTerm,
    sample: SampledState,
    bound: readonly SampledThread[],
  ): number | undefined {
    const { symbols } = this.#program.templates;
    const value = evaluateInSample(term.expression(0), symbols, sample, bound);
    if (value !== undefined) this.#note(term, value);
    return value;
  }

  #note({ valueClass }: CandidateTerm, value: number): void {
    let known = this.#numbersOf.get(valueClass);
    if (!known) this.#numbersOf.set(valueClass, (known = new Set([0])));
    if (this.#numbers.includes(value)) known.add(value);
  }
}

function keyOf({ thread, place }: PlacedThread): string {
  return `${thread}@${place}`;
}

function pairKeyOf(a: PlacedThread, b: PlacedThread): string {
  return `${keyOf(a)} ${keyOf(b)}`;
}

function rowsIn(sets: Map<string, RowSet>, key: string): RowSet {
  const known = sets.get(key) ?? new RowSet();
  sets.set(key, known);
  return known;
}
