import type { Automata } from '../automata.js';
import type { Local } from '../code.js';
import {
  anyIndex,
  distinct,
  index,
  int32,
  list,
  literal,
  type Read,
  record,
  wrong,
} from '../shape.js';
import { initialValues } from '../initial-memory.js';
import { isWithin, type Monitor, viewsOfCell, viewsOfThread } from './monitor.js';
import type { Place } from './thread-steps.js';

const ints = list(int32);

export const readCover = record({
  model: literal('c11', 'ra'),
  /** The addresses of all cells that the program of the certificate accesses. */
  cells: distinct(int32),
  /** The cells whose old stores the certificate follows, as indices into `cells`. */
  watched: distinct(anyIndex),
  /**
   * For each watched cell, all values that the cell may ever hold, divided into classes. Sets of
   * values have one bit for each class.
   */
  classes: list(list(ints)),
  /**
   * For each thread, the places (locations with registers) that occur in the states of the
   * certificate.
   */
  places: list(list(record({ location: anyIndex, registers: ints }))),
  /** The views of the certificate's states: two sets for each watched cell, as in `monitor.ts`. */
  views: list(ints),
  /**
   * The rows of knowledge of a thread in the certificate's states: a set of cells, then indices
   * into `views`.
   */
  threadRows: list(ints),
  /**
   * The rows of knowledge of a watched cell in the certificate's states: two sets of cells, then
   * indices into `views`.
   */
  cellRows: list(ints),
  /**
   * For each state the places of the threads (0: the thread waits for ever; else an index into
   * `places`, plus 1), the values of the cells, and indices of the rows of threads and of watched
   * cells.
   */
  states: list(ints),
});
type Written = Read<typeof readCover>;

/** A state of an interleaving of the threads, with the state of the monitor after it. */
export interface CoverState {
  readonly places: readonly Place[];
  readonly memory: readonly number[];
  readonly monitor: Monitor;
}

/** A state of the certificate, with the names of the threads' places. */
interface Listed {
  readonly placed: readonly string[];
  readonly monitor: Monitor;
}

function namesOf({ places }: CoverState): readonly string[] {
  return places.map((place) => (place ? `${place.location} ${place.registers.join()}` : '-'));
}

/**
 * Replaces the indices of views in a row by the views; the first `sets` entries of the row are sets
 * of cells.
 */
function rowOf(
  written: readonly number[],
  path: string,
  sets: number,
  length: number,
  views: readonly (readonly number[])[],
): Int32Array {
  if (written.length !== sets + length) wrong(path, `${sets + length} numbers`);
  const known = index(views.length);
  const named = written.slice(sets).map((view, i) => views[known(view, `${path}[${sets + i}]`)]!);
  return Int32Array.from([...written.slice(0, sets), ...named.flat()]);
}

/**
 * The states of a certificate; the checker determines whether they contain all reachable states.
 */
export class Cover {
  readonly states: readonly CoverState[];
  /** By thread, the places (locations with registers) that occur in states. */
  readonly places: readonly (readonly Local[])[];
  readonly #written: Written;
  readonly #alike: readonly (readonly number[])[];
  readonly #byName = new Map<string, Listed[]>();
  readonly #cellAt: ReadonlyMap<number, number>;

  /**
   * Reads the states of a certificate, given the automata, and for each thread all threads with
   * equal code; throws `ShapeError` if the states have the wrong form.
   */
  constructor(
    { threads }: Automata,
    written: Written,
    alike: readonly (readonly number[])[],
    placed: (t: number, at: Local) => Local,
  ) {
    this.#written = written;
    this.#alike = alike;
    const { cells, watched, classes, places, views, states } = written;
    this.#cellAt = new Map(cells.map((address, cell) => [address, cell]));
    const cell = index(cells.length);
    watched.forEach((one, i) => cell(one, `watched[${i}]`));
    if (watched.length > 31) wrong('watched', 'at most 31 cells');
    if (classes.length !== watched.length) wrong('classes', 'a list for each watched cell');
    if (classes.some(({ length }) => length > 31)) wrong('classes', 'at most 31 classes');
    for (const [i, view] of views.entries())
      if (view.length !== 2 * watched.length) wrong(`views[${i}]`, 'two sets for each cell');
    if (places.length !== threads.length) wrong('places', 'a list for each thread');
    this.places = places.map((list, t) =>
      list.map((place, i) => {
        const { locations, registers } = threads[t]!;
        const path = `places[${t}][${i}]`;
        index(locations.length)(place.location, `${path}.location`);
        if (place.registers.length !== registers.length) wrong(path, 'a value for each register');
        return placed(t, place);
      }),
    );
    const row =
      (name: string, sets: number, length: number) => (numbers: readonly number[], i: number) =>
        rowOf(numbers, `${name}[${i}]`, sets, length, views);
    const threadRows = written.threadRows.map(row('threadRows', 1, viewsOfThread));
    const cellRows = written.cellRows.map(row('cellRows', 2, viewsOfCell));
    const length = 2 * threads.length + cells.length + watched.length;
    this.states = states.map((numbers, i) => {
      const path = `states[${i}]`;
      if (numbers.length !== length) wrong(path, `${length} numbers`);
      const rest = [...numbers];
      const take = <T>(count: number, table: (at: number) => readonly T[]): readonly T[] =>
        rest.splice(0, count).map((one, t) => {
          const entries = table(t);
          return entries[index(entries.length)(one, path)]!;
        });
      const at = take<Place>(threads.length, (t) => [undefined, ...this.places[t]!]);
      const memory = rest.splice(0, cells.length);
      const monitor = {
        threads: take(threads.length, () => threadRows),
        cells: take(watched.length, () => cellRows),
      };
      const state: CoverState = { places: at, memory, monitor };
      this.#add(state);
      return state;
    });
  }

  #add(state: CoverState): void {
    const placed = namesOf(state);
    const name = this.#nameOf(state, placed);
    const listed = { placed, monitor: state.monitor };
    const known = this.#byName.get(name);
    if (known) known.push(listed);
    else this.#byName.set(name, [listed]);
  }

  /** Returns a name that exchanges of threads with equal code do not change. */
  #nameOf({ memory }: CoverState, placed: readonly string[]): string {
    const groups = this.#alike.map((group, thread) =>
      group[0] === thread ? group.map((one) => placed[one]!).sort() : [],
    );
    return `${groups.flat().join(';')}|${memory.join()}`;
  }

  /** The number of watched cells, whose old stores the certificate follows. */
  get watched(): number {
    return this.#written.watched.length;
  }

  /**
   * Whether some state of the certificate has these places and this memory, and views at least as
   * large, after an exchange of threads with equal code.
   */
  contains(state: CoverState): boolean {
    const placed = namesOf(state);
    const listed = this.#byName.get(this.#nameOf(state, placed));
    return !!listed?.some((one) => this.#isCovered({ placed, monitor: state.monitor }, one));
  }

  #isCovered({ placed, monitor }: Listed, other: Listed): boolean {
    if (!monitor.cells.every((row, i) => isWithin(row, other.monitor.cells[i]!))) return false;
    const taken = new Set<number>();
    const isCoveredFrom = (thread: number): boolean => {
      if (thread === placed.length) return true;
      return this.#alike[thread]!.some((one) => {
        if (taken.has(one) || placed[thread] !== other.placed[one]) return false;
        if (!isWithin(monitor.threads[thread]!, other.monitor.threads[one]!)) return false;
        taken.add(one);
        if (isCoveredFrom(thread + 1)) return true;
        taken.delete(one);
        return false;
      });
    };
    return isCoveredFrom(0);
  }

  /** Returns the cell at an address; `undefined` if the certificate does not list it. */
  cellAt(address: number): number | undefined {
    return this.#cellAt.get(address);
  }

  /** The addresses of all cells, by number of the cell. */
  get cells(): readonly number[] {
    return this.#written.cells;
  }

  /** Returns the number of the cell among the watched cells; -1 if it is not watched. */
  watchedAt(cell: number): number {
    return this.#written.watched.indexOf(cell);
  }

  initialMemory({ symbols }: Automata): readonly number[] {
    return this.#written.cells.map(initialValues(symbols));
  }

  /** Returns the set with only the class of the value; `undefined` if no class has the value. */
  classOf(watched: number, value: number): number | undefined {
    const at = this.#written.classes[watched]!.findIndex((values) => values.includes(value));
    return at < 0 ? undefined : 1 << at;
  }

  /** Returns the values of a watched cell that belong to the classes in the set. */
  valuesOf(watched: number, set: number): readonly number[] {
    return this.#written.classes[watched]!.flatMap((values, at) => ((set >> at) & 1 ? values : []));
  }
}
