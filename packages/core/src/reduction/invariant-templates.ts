import { bindThreads } from '../program/invariant-binders.js';
import type { LocationId, ThreadId } from '../program/ids.js';
import type { Invariant, InvariantExpression } from '../program/program.js';
import { candidateTerms, type CandidateTerm, type CandidateTerms } from './candidate-terms.js';
import { programConstants } from './program-constants.js';
import type { ProofProgram } from './proof-program.js';
import { evaluateInSample, type SampledState } from './sampled-state.js';
import {
  compareColumns,
  relationsSeen,
  RowSet,
  type BasicRelation,
  type Rows,
} from './sampled-relations.js';
import { computeValueClasses } from './value-classes.js';

/** An invariant that no sampled state contradicts, and what to try where it is not inductive. */
export interface Candidate {
  readonly invariant: Invariant;
  /** What it says, of single places. */
  readonly weaker: readonly Candidate[];
}

/** More candidates than these are too many; templates whose turn comes later are then left out. */
const mostCandidates = 3000;

/** A value that a template may take for a term: one of the terms, or a number. */
interface Column {
  readonly expression: (binder: number) => InvariantExpression;
  readonly valueClass: string;
  readonly kind: CandidateTerm['kind'] | 'number';
}

/** A thread at a place. */
interface Stand {
  readonly thread: ThreadId;
  readonly place: LocationId;
}

const at = (binder: number, { place }: Stand): InvariantExpression => ({
  kind: 'at',
  binder,
  location: place,
});

const not = (operand: InvariantExpression): InvariantExpression => ({
  kind: 'unary',
  operator: '!',
  operand,
});

const join = (
  operator: '&&' | '||' | '==' | BasicRelation,
  left: InvariantExpression,
  right: InvariantExpression,
): InvariantExpression => ({ kind: 'binary', operator, left, right });

const implies = (
  premises: readonly InvariantExpression[],
  conclusion: InvariantExpression,
): InvariantExpression =>
  premises.length === 0
    ? conclusion
    : join('||', not(premises.reduce((left, right) => join('&&', left, right))), conclusion);

/**
 * Candidates for invariants: how variables, registers, cells and constants compare, always, at a place, or under a condition; which places
 * exclude each other; and how the registers of two threads at two places compare. Only what all samples agree with. What is more
 * general comes first.
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

class Templates {
  readonly #program: ProofProgram;
  readonly #terms: CandidateTerms;
  readonly #numbers: readonly number[];
  /** Values of `#sharedColumns` in the samples. */
  readonly #sharedRows = new RowSet();
  /** Values of the columns of a thread, by `key`. */
  readonly #rowsAt = new Map<string, RowSet>();
  /** Values of the registers and names of two threads. */
  readonly #rowsOfPairs = new Map<string, RowSet>();
  /** The numbers that a class of values was seen to take, among those of the program's text; 0 always. */
  readonly #numbersOf = new Map<string, Set<number>>();
  #names = 0;

  constructor(program: ProofProgram, samples: readonly SampledState[]) {
    this.#program = program;
    this.#terms = candidateTerms(program, computeValueClasses(program.templates));
    this.#numbers = programConstants(program.templates);
    for (const sample of samples) this.#read(sample);
  }

  #read(sample: SampledState): void {
    const { symbols } = this.#program.templates;
    const { shared, threads } = this.#terms;
    const valuesOf = (
      terms: readonly CandidateTerm[],
      bound: SampledState['threads'],
    ): readonly (number | undefined)[] =>
      terms.map((term) => {
        const value = evaluateInSample(term.expression(0), symbols, sample, bound);
        if (value !== undefined) this.#note(term, value);
        return value;
      });
    const sharedValues = valuesOf(shared, []);
    this.#sharedRows.add([...this.#constantRow(), ...sharedValues]);
    const own = sample.threads.map((thread) => {
      const terms = threads[thread.thread] ?? [];
      return terms.map((term) => {
        if (!this.#terms.isLive(term, thread.thread, thread.location)) return undefined;
        return valuesOf([term], [thread])[0];
      });
    });
    sample.threads.forEach((a, i) => {
      const values = own[i] ?? [];
      const stand = { thread: a.thread, place: a.location };
      rowsIn(this.#rowsAt, keyOf(stand)).add([...this.#constantRow(), ...sharedValues, ...values]);
      sample.threads.forEach((b, j) => {
        if (i === j) return;
        const other = { thread: b.thread, place: b.location };
        if (!isInOrder(stand, other)) return;
        const row = [...values, ...(own[j] ?? [])];
        rowsIn(this.#rowsOfPairs, `${keyOf(stand)} ${keyOf(other)}`).add(row);
      });
    });
  }

  #note({ valueClass }: CandidateTerm, value: number): void {
    let known = this.#numbersOf.get(valueClass);
    if (!known) this.#numbersOf.set(valueClass, (known = new Set([0])));
    if (this.#numbers.includes(value)) known.add(value);
  }

  #constantRow(): readonly number[] {
    return this.#numbers;
  }

  /** The columns of rows: numbers, what is shared, what is the thread's. */
  #columns(thread?: ThreadId): readonly Column[] {
    const numbers = this.#numbers.map((value): Column => ({
      expression: () => ({ kind: 'constant', value }),
      valueClass: String(value),
      kind: 'number',
    }));
    const own = thread === undefined ? [] : (this.#terms.threads[thread] ?? []);
    return [...numbers, ...this.#terms.shared, ...own];
  }

  #areComparable(left: Column, right: Column): boolean {
    if (left.kind === 'number')
      return (
        right.kind !== 'number' &&
        right.kind !== 'name' &&
        this.#numbersOf.get(right.valueClass)?.has(Number(left.valueClass)) === true
      );
    return left.valueClass === right.valueClass && !(left.kind === 'name' && right.kind === 'name');
  }

  #stands(): readonly Stand[] {
    return this.#program.threads.flatMap(({ thread, places }) =>
      places.map((place) => ({ thread, place })),
    );
  }

  #rows(stand: Stand): Rows {
    return this.#rowsAt.get(keyOf(stand))?.rows ?? [];
  }

  #candidate(
    threads: readonly ThreadId[],
    condition: InvariantExpression,
    weaker: readonly Candidate[] = [],
  ): Candidate {
    const binders = bindThreads(this.#program, threads);
    return { invariant: { name: `inferred${++this.#names}`, binders, condition }, weaker };
  }

  /**
   * The relations between columns that rows allow, the right one being the later one: for numbers the closest bounds, and gaps between them.
   */
  #relations(
    columns: readonly Column[],
    rows: Rows,
    isWanted: (left: Column, right: Column) => boolean = () => true,
  ): readonly Relation[] {
    const found: Relation[] = [];
    const bounds = new Map<Column, { low?: number; high?: number }>();
    for (const [j, right] of columns.entries()) {
      const numbers: Relation[] = [];
      const bound: { low?: number; high?: number } = {};
      bounds.set(right, bound);
      for (const [i, left] of columns.slice(0, j).entries()) {
        if (!this.#areComparable(left, right)) continue;
        const isNumber = left.kind === 'number';
        const relations = relationsSeen(compareColumns(rows, i, j));
        const wanted = isWanted(left, right);
        for (const relation of relations) {
          if (!isNumber) {
            if (wanted && !follows(bounds.get(left), relation, bound))
              found.push({ left, right, relation, weaker: [] });
            continue;
          }
          if (wanted) numbers.push({ left, right, relation, weaker: [] });
          const value = Number(left.valueClass);
          if (relation === '<=') bound.low = Math.max(bound.low ?? value, value);
          if (relation === '>=') bound.high = Math.min(bound.high ?? value, value);
        }
      }
      found.push(...closest(numbers));
    }
    return found;
  }

  /** Relations between what is shared, with those at places where they are no invariants. */
  shared(): readonly Candidate[] {
    const found: Candidate[] = [];
    const columns = this.#columns();
    for (const each of this.#relations(columns, this.#sharedRows.rows)) {
      const { invariant, weaker } = this.#general([], each, this.#stands());
      const guarded = this.#pointerGuards(columns, each).map((guard) =>
        this.#guardedBy([], [guard.condition], each),
      );
      found.push({ invariant, weaker: [...weaker, ...guarded] });
    }
    return found;
  }

  /** That a variable in whose place in an array the relation looks has, or has not, some value: it may be no index then. */
  #pointerGuards(columns: readonly Column[], { left, right }: Relation): readonly Guard[] {
    const pointers = columns.filter((pointer) =>
      [left, right].some((column) => isPointedAt(column, pointer)),
    );
    return [...this.#guards(columns, this.#sharedRows.rows, pointers)];
  }

  /** A relation wherever threads stand; weaker are those at places, and weaker relations. */
  #general(threads: readonly ThreadId[], each: Relation, stands: readonly Stand[]): Candidate {
    return this.#candidate(threads, relate(each), [
      ...each.weaker.map((next) => this.#general(threads, next, stands)),
      ...stands.map((stand) => this.#guardedBy([stand.thread], [at(0, stand)], each, [])),
    ]);
  }

  /** A relation under conditions, with the weaker ones. */
  #guardedBy(
    threads: readonly ThreadId[],
    premises: readonly InvariantExpression[],
    each: Relation,
    weaker: readonly Relation[] = each.weaker,
  ): Candidate {
    return this.#candidate(
      threads,
      implies(premises, relate(each)),
      weaker.map((next) => this.#guardedBy(threads, premises, next)),
    );
  }

  /** Relations of a thread, wherever it stands or at one place; and places where nobody ever is. */
  ofThreads(): readonly Candidate[] {
    const general = new Set<string>();
    for (const each of this.#relations(this.#columns(), this.#sharedRows.rows))
      general.add(JSON.stringify(relate(each)));
    const found: Candidate[] = [];
    for (const { thread, places } of this.#program.threads) {
      const columns = this.#columns(thread);
      const stands = places.map((place) => ({ thread, place }));
      const everywhere = stands.flatMap((stand) => this.#rows(stand));
      const always = new Set<string>();
      const isOwn = (left: Column, right: Column): boolean =>
        [left, right].some(({ kind }) => kind === 'cell' || kind === 'name') &&
        [left, right].every((column) => isAlwaysLive(column));
      for (const each of this.#relations(columns, everywhere, isOwn)) {
        always.add(JSON.stringify(relate(each)));
        found.push(this.#general([thread], each, stands));
      }
      for (const stand of stands) {
        const rows = this.#rows(stand);
        if (rows.length === 0) found.push(this.#candidate([thread], not(at(0, stand))));
        for (const each of this.#relations(columns, rows)) {
          const text = JSON.stringify(relate(each));
          if (!general.has(text) && !always.has(text))
            found.push(this.#guardedBy([thread], [at(0, stand)], each));
        }
      }
    }
    return found;
  }

  /** Pairs of places that two threads are never at. */
  exclusions(): readonly Candidate[] {
    return this.#pairs().flatMap(([a, b]) => {
      if (this.#rows(a).length === 0 || this.#rows(b).length === 0) return [];
      if (this.#rowsOfPairs.has(`${keyOf(a)} ${keyOf(b)}`)) return [];
      return [this.#candidate([a.thread, b.thread], implies([at(0, a)], not(at(1, b))))];
    });
  }

  /** Places of two threads, each pair once. */
  #pairs(): readonly (readonly [Stand, Stand])[] {
    const { unbounded } = this.#program;
    const stands = this.#stands();
    return stands.flatMap((a) =>
      stands
        .filter((b) => isInOrder(a, b) && (a.thread !== b.thread || unbounded.includes(a.thread)))
        .map((b) => [a, b] as const),
    );
  }

  /** Relations that hold while a shared variable has, or has not, a value; or is the thread's name. */
  guarded(): readonly Candidate[] {
    const found: Candidate[] = [];
    const columns = this.#columns();
    const known = new Set<string>();
    for (const each of this.#relations(columns, this.#sharedRows.rows))
      known.add(JSON.stringify(relate(each)));
    const isAbout = (guard: Guard) => (left: Column, right: Column) =>
      left !== guard.column && right !== guard.column;
    const shared = columns.filter(({ kind }) => kind === 'shared');
    for (const guard of this.#guards(columns, this.#sharedRows.rows, shared)) {
      for (const each of this.#relations(columns, guard.rows, isAbout(guard)))
        if (!known.has(JSON.stringify(relate(each))))
          found.push(this.#guardedBy([], [guard.condition], each));
    }
    return found;
  }

  /** The same at places, for registers too. */
  guardedAtPlaces(): readonly Candidate[] {
    const found: Candidate[] = [];
    for (const stand of this.#stands()) {
      const columns = this.#columns(stand.thread);
      const rows = this.#rows(stand);
      const known = new Set<string>();
      for (const each of this.#relations(columns, rows)) known.add(JSON.stringify(relate(each)));
      const registers = columns.filter(({ kind }) => kind === 'register');
      const guards = this.#guards(columns, rows, registers);
      for (const guard of guards)
        for (const each of this.#relations(
          columns,
          guard.rows,
          (left, right) => left.kind === 'number' && right.kind !== 'register',
        ))
          if (!known.has(JSON.stringify(relate(each))))
            found.push(this.#guardedBy([stand.thread], [at(0, stand), guard.condition], each));
    }
    return found;
  }

  /** Comparisons of a column with a number that are true of some rows and not of others. */
  *#guards(columns: readonly Column[], rows: Rows, guarding: readonly Column[]): Generator<Guard> {
    for (const [j, column] of columns.entries()) {
      if (!guarding.includes(column)) continue;
      for (const [i, number] of columns.entries()) {
        if (number.kind !== 'number' || !this.#areComparable(number, column)) continue;
        const equal = rows.filter((row) => row[j] === row[i]);
        const other = rows.filter((row) => row[j] !== row[i]);
        if (equal.length === 0 || other.length === 0) continue;
        const operands = [column.expression(0), number.expression(0)] as const;
        yield { column, rows: equal, condition: join('==', ...operands) };
        yield { column, rows: other, condition: join('!=', ...operands) };
      }
    }
  }

  /** Relations between registers and names of two threads at two places. */
  ofPairs(): readonly Candidate[] {
    return this.#pairs().flatMap(([a, b]) => {
      const rows = this.#rowsOfPairs.get(`${keyOf(a)} ${keyOf(b)}`)?.rows;
      if (!rows) return [];
      const left = this.#terms.threads[a.thread] ?? [];
      const right = this.#terms.threads[b.thread] ?? [];
      const isTwin = a.thread === b.thread && a.place === b.place;
      const isLocal = ({ kind }: CandidateTerm): boolean => kind === 'register' || kind === 'name';
      return left.flatMap((mine, i) =>
        right.flatMap((other, j) => {
          if (!isLocal(mine) || !isLocal(other) || (isTwin && i > j)) return [];
          if (!this.#areComparable(mine, other)) return [];
          const seen = compareColumns(rows, i, left.length + j);
          return relationsSeen(seen).map((relation) =>
            this.#candidate(
              [a.thread, b.thread],
              implies(
                [at(0, a), at(1, b)],
                join(relation, mine.expression(0), other.expression(1)),
              ),
            ),
          );
        }),
      );
    });
  }
}

interface Guard {
  readonly column: Column;
  readonly rows: Rows;
  readonly condition: InvariantExpression;
}

/** The relation with a number on the right, as people write it. */
function relate({ left, right, relation }: Relation): InvariantExpression {
  if (left.kind !== 'number') return join(relation, left.expression(0), right.expression(0));
  const turned = { '<=': '>=', '>=': '<=', '!=': '!=' } as const;
  return join(turned[relation], right.expression(0), left.expression(0));
}

/** Whether the column is the cell of an array at the index that the other one is. */
function isPointedAt(column: Column, pointer: Column): boolean {
  const cell = column.expression(0);
  const index = cell.kind === 'cell' ? cell.index : undefined;
  return index !== undefined && JSON.stringify(index) === JSON.stringify(pointer.expression(0));
}

function isAlwaysLive(column: Column): boolean {
  return !('registers' in column) || (column as unknown as CandidateTerm).registers.length === 0;
}

function keyOf({ thread, place }: Stand): string {
  return `${thread}@${place}`;
}

function isInOrder(a: Stand, b: Stand): boolean {
  return a.thread < b.thread || (a.thread === b.thread && a.place <= b.place);
}

function rowsIn(sets: Map<string, RowSet>, key: string): RowSet {
  const known = sets.get(key) ?? new RowSet();
  sets.set(key, known);
  return known;
}

/** How two columns of the rows compare, and what else to say of them if that is no invariant. */
interface Relation {
  readonly left: Column;
  readonly right: Column;
  readonly relation: BasicRelation;
  readonly weaker: readonly Relation[];
}

/** Of comparisons with numbers, ascending, the closest bounds and what is left out between them; others are weaker. */
function closest(numbers: readonly Relation[]): readonly Relation[] {
  const valueOf = ({ left }: Relation): number => Number(left.valueClass);
  const gaps = numbers.filter(({ relation }) => relation === '!=');
  const chain = (
    bounds: readonly Relation[],
    isBeyond: (gap: Relation, bound: Relation) => boolean,
  ) =>
    bounds.reduce<Relation | undefined>(
      (weaker, bound) => ({
        ...bound,
        weaker: [...(weaker ? [weaker] : []), ...gaps.filter((gap) => isBeyond(gap, bound))],
      }),
      undefined,
    );
  const low = chain(
    numbers.filter(({ relation }) => relation === '<='),
    (gap, bound) => valueOf(gap) < valueOf(bound),
  );
  const high = chain(
    numbers.filter(({ relation }) => relation === '>=').reverse(),
    (gap, bound) => valueOf(gap) > valueOf(bound),
  );
  const between = gaps.filter(
    (gap) => !(low && valueOf(gap) < valueOf(low)) && !(high && valueOf(gap) > valueOf(high)),
  );
  return [...(low ? [low] : []), ...(high ? [high] : []), ...between];
}

/** Whether the bounds of two columns show how they compare. */
function follows(
  left: { readonly low?: number; readonly high?: number } | undefined,
  relation: BasicRelation,
  right: { readonly low?: number; readonly high?: number },
): boolean {
  const isBelow = (a: typeof left, b: typeof left, gap: number): boolean =>
    a?.high !== undefined && b?.low !== undefined && a.high + gap <= b.low;
  switch (relation) {
    case '<=':
      return isBelow(left, right, 0);
    case '>=':
      return isBelow(right, left, 0);
    case '!=':
      return isBelow(left, right, 1) || isBelow(right, left, 1);
  }
}
