import { keyOf, negation } from '@fencewright/model/program/expression.js';
import type { CandidateTerm } from './candidate-terms.js';
import { atPlace, CandidateMaker, implies, join, type Candidate } from './candidates.js';
import { closestRelations, relate, type ColumnRelation } from './closest-relations.js';
import type { ProofProgram } from '../steps/proof-program.js';
import { rowGuards, pointersOf, type Guard } from './row-guards.js';
import { compareColumns, relationsSeen, type Rows } from './sampled-relations.js';
import { isInOrder, SampledRows, type SampledColumn, type PlacedThread } from './sampled-rows.js';
import type { SampledState } from './sampled-state.js';

/** The maximum number of candidates; beyond that, later templates are left out. */
const mostCandidates = 3000;

/**
 * Returns candidate invariants that no sampled state contradicts: relations between variables,
 * registers, cells and constants, always, at a place, or under a condition; places that exclude
 * each other; and relations between the registers of two threads at two places. General candidates
 * come first.
 */
export function candidatesOf(
  program: ProofProgram,
  samples: readonly SampledState[],
): readonly Candidate[] {
  const templates = new Templates(program, samples);
  const groups = [
    () => templates.shared(),
    () => templates.ofThreads(),
    () => templates.exclusions(),
    () => templates.guarded(),
    () => templates.ofPairs(),
    () => templates.guardedAtPlaces(),
  ];
  const candidates: Candidate[] = [];
  for (const group of groups) {
    const more = group();
    if (candidates.length + more.length > mostCandidates) break;
    candidates.push(...more);
  }
  return candidates;
}

/** Fills the templates of invariants in all ways that the samples do not contradict. */
class Templates {
  readonly #program: ProofProgram;
  readonly #samples: SampledRows;
  readonly #make: CandidateMaker;

  constructor(program: ProofProgram, samples: readonly SampledState[]) {
    this.#program = program;
    this.#make = new CandidateMaker(program);
    this.#samples = new SampledRows(program, samples);
  }

  #stands(): readonly PlacedThread[] {
    return this.#program.threads.flatMap(({ thread, places }) =>
      places.map((place) => ({ thread, place })),
    );
  }

  #relations(
    columns: readonly SampledColumn[],
    rows: Rows,
    isWanted?: (left: SampledColumn, right: SampledColumn) => boolean,
  ): readonly ColumnRelation[] {
    return closestRelations(this.#samples, columns, rows, isWanted);
  }

  /**
   * Returns candidates for relations between shared terms; weaker candidates claim the relation at
   * single places.
   */
  shared(): readonly Candidate[] {
    const found: Candidate[] = [];
    const columns = this.#samples.columns();
    for (const each of this.#relations(columns, this.#samples.shared)) {
      const { invariant, weaker } = this.#make.general([], each, this.#stands());
      const guarded = this.#pointerGuards(columns, each).map((guard) =>
        this.#make.guardedBy([], [guard.condition], each),
      );
      found.push({ invariant, weaker: [...weaker, ...guarded] });
    }
    return found;
  }

  /**
   * Returns guards of a relation: that a variable which the relation uses as an array index has, or
   * has not, a certain value.
   */
  #pointerGuards(columns: readonly SampledColumn[], each: ColumnRelation): readonly Guard[] {
    const { shared } = this.#samples;
    return [...rowGuards(this.#samples, columns, shared, pointersOf(each, columns))];
  }

  /**
   * Returns candidates for relations of one thread, at all places or at one place, and for
   * unreached places.
   */
  ofThreads(): readonly Candidate[] {
    const general = new Set<string>();
    for (const each of this.#relations(this.#samples.columns(), this.#samples.shared))
      general.add(keyOf(relate(each)));
    const found: Candidate[] = [];
    for (const { thread, places } of this.#program.threads) {
      const columns = this.#samples.columns(thread);
      const stands = places.map((place) => ({ thread, place }));
      const everywhere = stands.flatMap((stand) => this.#samples.at(stand));
      const always = new Set<string>();
      const isOwn = (left: SampledColumn, right: SampledColumn): boolean =>
        [left, right].some(({ kind }) => kind === 'cell' || kind === 'name') &&
        [left, right].every((column) => isAlwaysLive(column));
      for (const each of this.#relations(columns, everywhere, isOwn)) {
        always.add(keyOf(relate(each)));
        found.push(this.#make.general([thread], each, stands));
      }
      for (const stand of stands) {
        const rows = this.#samples.at(stand);
        if (rows.length === 0)
          found.push(this.#make.candidate([thread], negation(atPlace(0, stand))));
        for (const each of this.#relations(columns, rows)) {
          const text = keyOf(relate(each));
          if (!general.has(text) && !always.has(text))
            found.push(this.#make.guardedBy([thread], [atPlace(0, stand)], each));
        }
      }
    }
    return found;
  }

  /**
   * Returns candidates claiming that two threads never occupy a pair of places together: one for
   * each pair of places that occur in samples, but never together.
   */
  exclusions(): readonly Candidate[] {
    return this.#pairs().flatMap(([a, b]) => {
      if (this.#samples.at(a).length === 0 || this.#samples.at(b).length === 0) return [];
      if (this.#samples.ofPair(a, b).length > 0) return [];
      return [
        this.#make.candidate(
          [a.thread, b.thread],
          implies([atPlace(0, a)], negation(atPlace(1, b))),
        ),
      ];
    });
  }

  /** Returns all pairs of places of two threads, each pair once. */
  #pairs(): readonly (readonly [PlacedThread, PlacedThread])[] {
    const { unbounded } = this.#program;
    const stands = this.#stands();
    return stands.flatMap((a) =>
      stands
        .filter((b) => isInOrder(a, b) && (a.thread !== b.thread || unbounded.includes(a.thread)))
        .map((b) => [a, b] as const),
    );
  }

  /**
   * Returns candidates for relations that hold while a shared variable has, or has not, a certain
   * value.
   */
  guarded(): readonly Candidate[] {
    const found: Candidate[] = [];
    const columns = this.#samples.columns();
    const known = new Set<string>();
    for (const each of this.#relations(columns, this.#samples.shared))
      known.add(keyOf(relate(each)));
    const isAbout = (guard: Guard) => (left: SampledColumn, right: SampledColumn) =>
      left !== guard.column && right !== guard.column;
    const shared = columns.filter(({ kind }) => kind === 'shared');
    for (const guard of rowGuards(this.#samples, columns, this.#samples.shared, shared)) {
      for (const each of this.#relations(columns, guard.rows, isAbout(guard)))
        if (!known.has(keyOf(relate(each))))
          found.push(this.#make.guardedBy([], [guard.condition], each));
    }
    return found;
  }

  /**
   * Returns, for each place, candidates for bounds of terms other than registers that hold while a
   * register has, or has not, a certain value.
   */
  guardedAtPlaces(): readonly Candidate[] {
    const found: Candidate[] = [];
    for (const stand of this.#stands()) {
      const columns = this.#samples.columns(stand.thread);
      const rows = this.#samples.at(stand);
      const known = new Set<string>();
      for (const each of this.#relations(columns, rows)) known.add(keyOf(relate(each)));
      const registers = columns.filter(({ kind }) => kind === 'register');
      const guards = rowGuards(this.#samples, columns, rows, registers);
      for (const guard of guards)
        for (const each of this.#relations(
          columns,
          guard.rows,
          (left, right) => left.kind === 'number' && right.kind !== 'register',
        ))
          if (!known.has(keyOf(relate(each))))
            found.push(
              this.#make.guardedBy([stand.thread], [atPlace(0, stand), guard.condition], each),
            );
    }
    return found;
  }

  /** Returns candidates for relations between registers and names of two threads at two places. */
  ofPairs(): readonly Candidate[] {
    return this.#pairs().flatMap(([a, b]) => {
      const rows = this.#samples.ofPair(a, b);
      if (rows.length === 0) return [];
      const left = this.#samples.termsOf(a.thread);
      const right = this.#samples.termsOf(b.thread);
      const isTwin = a.thread === b.thread && a.place === b.place;
      const isLocal = ({ kind }: CandidateTerm): boolean => kind === 'register' || kind === 'name';
      return left.flatMap((mine, i) =>
        right.flatMap((other, j) => {
          if (!isLocal(mine) || !isLocal(other) || (isTwin && i > j)) return [];
          if (!this.#samples.areComparable(mine, other)) return [];
          const seen = compareColumns(rows, i, left.length + j);
          return relationsSeen(seen).map((relation) =>
            this.#make.candidate(
              [a.thread, b.thread],
              implies(
                [atPlace(0, a), atPlace(1, b)],
                join(relation, mine.expression(0), other.expression(1)),
              ),
            ),
          );
        }),
      );
    });
  }
}

/** Whether the column's term has a value at all places of the thread. */
function isAlwaysLive(column: SampledColumn): boolean {
  return column.kind === 'number' || column.registers.length === 0;
}
