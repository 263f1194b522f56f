import { at } from '@fencewright/ground/base/at.js';
import type { Budget, Exhaustion } from '@fencewright/ground/base/budget.js';
import type { C11Model } from '@fencewright/model/c11/execution-graph.js';
import type { Program } from '@fencewright/model/program/program.js';
import { compileC11 } from './c11-steps.js';
import type { MonitorLayout, KnowledgePart } from './monitor-layout.js';
import { searchMonitor } from './monitor-search.js';
import { MonitoredProgram } from './monitor-steps.js';
import type { RowTable } from '@fencewright/ground/base/row-table.js';

/**
 * The states of the interleavings with the knowledge of threads, as a certificate writes them:
 * `docs/automata.md`.
 */
export interface WrittenCover {
  readonly model: C11Model;
  readonly cells: readonly number[];
  readonly watched: readonly number[];
  readonly classes: readonly (readonly (readonly number[])[])[];
  readonly places: readonly (readonly object[])[];
  readonly views: readonly (readonly number[])[];
  readonly threadRows: readonly (readonly number[])[];
  readonly cellRows: readonly (readonly number[])[];
  readonly states: readonly (readonly number[])[];
}

/** Numbers lists of integers; equal lists have equal numbers. */
class Numbered {
  readonly lists: (readonly number[])[] = [];
  readonly #known = new Map<string, number>();

  of(list: readonly number[]): number {
    const key = list.join();
    const before = this.#known.get(key);
    if (before !== undefined) return before;
    this.#known.set(key, this.lists.length);
    this.lists.push(list);
    return this.lists.length - 1;
  }
}

/**
 * The parts of knowledge in certificates. The states of a search lack the sets for the parts that
 * make no difference in the program.
 */
const parts: readonly KnowledgePart[] = ['coherence', 'fence', 'access', 'eco'];

/**
 * Writes states, with the knowledge of threads about stores, for a certificate. Equal views and
 * equal rows of sets are written once.
 */
class CoverWriter {
  readonly #program: MonitoredProgram;
  readonly #layout: MonitorLayout;
  readonly #places: readonly Numbered[];
  readonly #views = new Numbered();
  readonly #threadRows = new Numbered();
  readonly #cellRows = new Numbered();
  readonly #states: (readonly number[])[] = [];
  readonly #values: readonly Set<number>[];

  constructor(program: MonitoredProgram) {
    this.#program = program;
    this.#layout = program.layout;
    this.#places = program.layout.location.map(() => new Numbered());
    this.#values = program.cells.watched.map(() => new Set());
  }

  #view(state: Int32Array, offset: number | undefined): number {
    const { view } = this.#layout;
    return this.#views.of(
      offset === undefined
        ? Array.from({ length: view }, () => -1)
        : [...state.subarray(offset, offset + view)],
    );
  }

  #parts(state: Int32Array, offsets: readonly number[]): readonly number[] {
    const known = this.#layout.parts;
    return parts.map((part) => this.#view(state, offsets[known.indexOf(part)]));
  }

  add(state: Int32Array): void {
    const layout = this.#layout;
    const { watched } = this.#program.cells;
    const { threads } = this.#program.code.program;
    const memory = [...state.subarray(layout.memory, layout.sequential)];
    watched.forEach((cell, i) => this.#values[i]!.add(at(memory, cell)));
    const places = layout.location.map((offset, t) => {
      const [location, from] = [state[offset]!, at(layout.registers, t)];
      const values = state.subarray(from, from + at(threads, t).registers.length);
      return location < 0 ? 0 : 1 + at(this.#places, t).of([location, ...values]);
    });
    const rows = layout.location.map((_, t) =>
      this.#threadRows.of([
        state[layout.knows + t]!,
        ...[layout.current, layout.acquired, layout.released].flatMap((views) =>
          this.#parts(state, at(views, t)),
        ),
      ]),
    );
    const cells = watched.map((_, cell) =>
      this.#cellRows.of([
        state[layout.storeKnows + cell]!,
        state[layout.readersKnow + cell]!,
        ...this.#parts(state, at(layout.message, cell)),
        this.#view(state, layout.behindStores[cell]),
        this.#view(state, layout.behindReads[cell]),
      ]),
    );
    this.#states.push([...places, ...memory, ...rows, ...cells]);
  }

  written(model: C11Model): WrittenCover {
    const { cells, classes } = this.#program;
    return {
      model,
      cells: cells.addresses,
      watched: cells.watched,
      classes: this.#values.map((values, cell) => {
        const sorted: number[][] = [];
        for (const value of [...values].sort((a, b) => a - b))
          (sorted[31 - Math.clz32(classes.bit(cell, value))] ??= []).push(value);
        return Array.from(sorted, (one) => one ?? []);
      }),
      places: this.#places.map(({ lists }) =>
        lists.map(([location, ...registers]) => ({ location, registers })),
      ),
      views: this.#views.lists,
      threadRows: this.#threadRows.lists,
      cellRows: this.#cellRows.lists,
      states: this.#states,
    };
  }
}

/**
 * Returns the states of a program found robust by the search, for a certificate: one state
 * represents all states that differ by exchanges of threads with equal code. If a limit ends the
 * search, returns this limit as the reason. Throws the exceptions of steps.
 */
export async function writeCover(
  program: Program,
  model: C11Model,
  budget: Budget,
): Promise<WrittenCover | Exhaustion> {
  const monitored = new MonitoredProgram(compileC11(program), model, { forwards: true });
  const { table, incomplete } = await searchMonitor(monitored, budget);
  return incomplete ?? coverOf(monitored, model, table);
}

/**
 * Returns states of a program, with the knowledge of threads about stores, in the form of
 * certificates.
 */
export function coverOf(
  monitored: MonitoredProgram,
  model: C11Model,
  table: RowTable,
): WrittenCover {
  const writer = new CoverWriter(monitored);
  for (let index = 0; index < table.size; index++) writer.add(table.get(index));
  return writer.written(model);
}
