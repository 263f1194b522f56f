import { at } from '@fencewright/ground/base/at.js';
import type { Budget, Exhaustion } from '@fencewright/ground/base/budget.js';
import {
  findRaceIn,
  isConsistentButForThinAir,
  isSequentiallyConsistent,
} from '@fencewright/model/c11/consistency.js';
import type { C11Model, ExecutionGraph } from '@fencewright/model/c11/execution-graph.js';
import type { LocationId, ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import { isWord } from '@fencewright/model/program/wide-values.js';
import { type C11Cells, findCells } from './cells.js';
import { type C11Code, type C11Step, isTesting, type ThreadPoint } from './c11-steps.js';
import { cellOfStep, type Extension, extensionsOf, withEventAt } from './graph-extensions.js';
import { asLateLoad, isUntouched, type LateLoad, mayPass, withLateLoad } from './late-loads.js';
import { computeLaterStores } from './later-stores.js';
import { WideValue } from './monitor-steps.js';
import { settleThread } from './settle.js';
import { effectsOf, type StepEffect } from './step-effects.js';
import { type Draft, initialDraft } from './violation-graph.js';

/** The number of graphs that are built between two checks of the limits. */
const checkEvery = 64;

/** The entry in `OpenGraph.passed` that stands for a plain load. */
const plainLoad = 'plain';

/**
 * An unfinished execution: its graph, and the place (location and registers) of each thread. The
 * place of a stuck thread is `undefined`.
 */
interface OpenGraph extends Draft {
  readonly places: readonly (ThreadPoint | undefined)[];
  /**
   * By thread, the places (location and registers) at which the thread has been since its last
   * store, as texts. An entry `plainLoad` stands for each plain load in between.
   */
  readonly passed: readonly (readonly string[])[];
  /** By thread, the late load: a load that the thread has skipped and still has to execute. */
  readonly late: readonly (LateLoad | undefined)[];
  /**
   * Assertions that failed while the graph still lacked a late load. These failures count only if
   * the graph completed by the load is consistent.
   */
  readonly failed: readonly { readonly thread: ThreadId; readonly assertion: TransitionId }[];
}

/** An execution from which the search goes on. */
export interface StartedGraph extends Pick<OpenGraph, 'places' | 'failed'>, Draft {}

export interface GraphOptions {
  /** The executions with which the search starts; by default, the execution without events. */
  readonly starts?: readonly StartedGraph[];
  /**
   * The maximum number of graphs to build, checked every `checkEvery` graphs; unlimited by default.
   */
  readonly most?: number;
  /**
   * Whether a thread may execute a load late, after later accesses, as processors do. Some graphs
   * then have cycles of program order and reads-from, but not all such graphs of processors are
   * built.
   */
  readonly hasLateLoads?: boolean;
}

/** An execution in which every thread has ended, is stuck, or waits. */
export interface EndedGraph {
  readonly graph: ExecutionGraph;
  readonly isOfSC: boolean;
  readonly places: readonly (ThreadPoint | undefined)[];
  /** The last value of each cell in modification order, by position among all cells. */
  readonly memory: readonly number[];
  /** The threads that wait for ever at the end of the graph, each with the waiting step. */
  readonly waiting: readonly { readonly thread: ThreadId; readonly step: C11Step }[];
}

/**
 * A failing assertion, with an execution in which the assertion fails. The execution is an SC
 * execution if the search found one.
 */
export interface FailedGraph {
  readonly thread: ThreadId;
  readonly assertion: TransitionId;
  readonly graph: ExecutionGraph;
  readonly isOfSC: boolean;
}

/**
 * The executions of a program under C11 without cycles of program order and reads-from, and without
 * turns. A turn is a part of a thread that only loads or executes fences and returns to the same
 * location with the same registers. Removing a turn from an execution leaves a consistent execution
 * with an equal final state; removing a turn from an interleaving leaves an interleaving. But races
 * of plain loads in the turn are lost.
 */
export interface AllGraphs {
  readonly cells: C11Cells;
  readonly ends: readonly EndedGraph[];
  readonly failures: readonly FailedGraph[];
  /** An execution with a data race; absent if none was found. */
  readonly racing?: ExecutionGraph;
  readonly graphs: number;
  /**
   * Whether the search left out turns. Executions in which a thread turns for ever are missing from
   * `ends`.
   */
  readonly hasTurns: boolean;
  /** Whether the search left out a turn with a plain load, which may race with a later store. */
  readonly hasPlainTurns: boolean;
  /** The limit that ended the search; absent after a complete search. */
  readonly incomplete?: Exhaustion;
}

/**
 * Builds the execution graphs of a program event by event; events are added in an order that
 * follows program order and reads-from. A store, a fence, or a load from a cell to which no other
 * thread stores any more can be added first without losing graphs: the search then extends a graph
 * by the steps of this thread only. If several threads have such a step, the thread with the fewest
 * events is chosen, so that a loop cannot starve other threads. The search extends a graph by the
 * steps of all threads only if every thread is before another kind of load, or would make a turn.
 */
class GraphSearch {
  readonly #code: C11Code;
  readonly #model: C11Model;
  readonly #cells: C11Cells;
  readonly #later: ReturnType<typeof computeLaterStores>;
  readonly #hasPlain: boolean;
  readonly #seen = new Set<string>();
  readonly #work: OpenGraph[] = [];
  readonly #most: number;
  readonly #hasLateLoads: boolean;
  readonly #starts: readonly StartedGraph[] | undefined;
  readonly #ends: EndedGraph[] = [];
  readonly #failures: FailedGraph[] = [];
  #racing: ExecutionGraph | undefined;
  #hasTurns = false;
  #hasPlainTurns = false;

  constructor(
    code: C11Code,
    model: C11Model,
    { most = Number.POSITIVE_INFINITY, hasLateLoads = false, starts }: GraphOptions,
  ) {
    this.#starts = starts;
    this.#most = most;
    this.#hasLateLoads = hasLateLoads;
    this.#code = code;
    this.#model = model;
    this.#cells = findCells(code);
    this.#later = computeLaterStores(code, this.#cells);
    this.#hasPlain = this.#cells.isRacy.some((isRacy) => isRacy);
    if (!this.#cells.initial.every(isWord)) throw new WideValue();
  }

  async search(budget: Budget): Promise<AllGraphs> {
    this.#start();
    let incomplete: Exhaustion | undefined;
    // Graphs are expanded in the order in which they were found, so short executions come first.
    for (let index = 0; index < this.#work.length; index++) {
      if (index % checkEvery === 0) {
        const bytes = this.#seen.size * 2000;
        incomplete = await budget.checkpoint(this.#seen.size, bytes);
        if (this.#seen.size > this.#most) incomplete ??= 'states';
        if (incomplete) break;
      }
      this.#expand(this.#work[index]!);
    }
    budget.finishSearch(this.#seen.size, this.#seen.size * 2000);
    return {
      ...{ cells: this.#cells, ends: this.#ends, failures: this.#failures },
      ...(this.#racing && { racing: this.#racing }),
      ...{ graphs: this.#seen.size, hasTurns: this.#hasTurns },
      hasPlainTurns: this.#hasPlainTurns,
      ...(incomplete && { incomplete }),
    };
  }

  #start(): void {
    if (this.#starts) for (const start of this.#starts) this.#goOnFrom(start);
    else this.#startEmpty();
  }

  #goOnFrom({ events, modification, places, failed }: StartedGraph): void {
    const draft = { events, modification };
    for (const { thread, assertion } of failed) this.#fail(draft, thread, assertion);
    const passed = places.map((place) => (place ? [textOf(place)] : []));
    this.#add({ ...draft, places, passed, late: places.map(() => undefined), failed: [] });
  }

  #startEmpty(): void {
    const draft = initialDraft(this.#cells);
    let starts: readonly (readonly (ThreadPoint | undefined)[])[] = [[]];
    for (const [thread, { initial, registers }] of this.#code.program.threads.entries()) {
      const zeros = registers.map(() => 0);
      const places = this.#settled(draft, thread, { registers: zeros, targets: [initial] });
      starts = starts.flatMap((before) => places.map((place) => [...before, place]));
    }
    for (const places of starts) this.#goOnFrom({ ...draft, places, failed: [] });
  }

  #add(open: OpenGraph): void {
    const key = keyOf(open);
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    if (!isConsistentButForThinAir(open, this.#model)) return;
    if (!hasLate(open)) this.#noteRace(open);
    this.#work.push(open);
  }

  #expand(open: OpenGraph): void {
    const { places, events } = open;
    const count = (thread: ThreadId): number =>
      events.filter((event) => event.thread === thread).length;
    const first = [...places.keys()]
      .filter((thread) => this.#mayGoFirst(open, thread))
      .toSorted((a, b) => count(a) - count(b));
    for (const thread of first) {
      const { next, turns } = this.#behind(open, thread);
      if (turns) continue;
      for (const one of next) this.#add(one);
      return;
    }
    if (!hasLate(open)) this.#noteEnd(open);
    for (const thread of places.keys())
      for (const one of [...this.#behind(open, thread).next, ...this.#lateLoads(open, thread)])
        this.#add(one);
  }

  /**
   * Returns the executions in which the thread skips the next load. For a thread with a skipped
   * load, returns the executions in which the thread executes the skipped load now.
   */
  #lateLoads(open: OpenGraph, thread: ThreadId): readonly OpenGraph[] {
    const place = open.places[thread];
    if (!this.#hasLateLoads || !place) return [];
    const late = open.late[thread];
    if (!late) return this.#passings(open, thread, place);
    return at(open.modification, late.cell).flatMap((from) => {
      const draft = withLateLoad(open, thread, late, from);
      const left = open.late.with(thread, undefined);
      const isWhole = left.every((one) => one === undefined);
      const failed = [...open.failed];
      const registers = place.registers.with(late.into, at(open.events, from).written!);
      const places = this.#settled(draft, thread, { registers, targets: [place.location] }, failed);
      if (isWhole) for (const one of failed) this.#fail(draft, one.thread, one.assertion);
      return places.map((next) => ({
        ...{ ...open, ...draft, late: left, failed: isWhole ? [] : failed },
        places: open.places.with(thread, next),
      }));
    });
  }

  #passings(open: OpenGraph, thread: ThreadId, place: ThreadPoint): readonly OpenGraph[] {
    const before = open.events.filter((event) => event.thread === thread).length;
    return at(at(this.#code.steps, thread), place.location).flatMap((step) => {
      if (step.kind !== 'load') return [];
      const cell = cellOfStep(this.#cells, step, place);
      const late = asLateLoad(this.#code, thread, step, { cell, before });
      if (!late || at(this.#cells.isPlain, cell)) return [];
      const effect = { registers: place.registers, targets: [step.code.transition.to] };
      const failed = [...open.failed];
      return this.#settled(open, thread, effect, failed).map((next) => ({
        ...{ ...open, failed, late: open.late.with(thread, late) },
        places: open.places.with(thread, next),
        passed: open.passed.with(thread, []),
      }));
    });
  }

  /**
   * Returns the executions with one more step of the thread; `turns` says whether a turn was left
   * out.
   */
  #behind(
    open: OpenGraph,
    thread: ThreadId,
  ): { readonly next: readonly OpenGraph[]; readonly turns: boolean } {
    const place = open.places[thread];
    if (!place) return { next: [], turns: false };
    const late = open.late[thread];
    const steps = at(at(this.#code.steps, thread), place.location).filter(
      (step) => !late || this.#passes(late, step, place),
    );
    const all = steps.flatMap((step) =>
      extensionsOf(this.#code, this.#cells, open, { thread, step, place }).flatMap((extension) =>
        this.#extended(open, thread, extension),
      ),
    );
    const next = all.filter((one) => one !== 'turn');
    const turns = next.length < all.length;
    this.#hasTurns ||= turns;
    return { next, turns };
  }

  #passes(late: LateLoad, step: C11Step, place: ThreadPoint): boolean {
    if (step.kind === 'fence') return false;
    return mayPass(late, step, cellOfStep(this.#cells, step, place));
  }

  /**
   * Whether the search may extend the execution by steps of this thread only: a step of this thread
   * can come next in the construction of every complete execution that contains the given
   * execution.
   */
  #mayGoFirst({ places, late }: OpenGraph, thread: ThreadId): boolean {
    const place = places[thread];
    if (!place || late[thread]) return false;
    const steps = at(at(this.#code.steps, thread), place.location);
    return (
      steps.length > 0 &&
      steps.every((step) => {
        if (step.kind === 'store' || step.kind === 'fence') return true;
        if (isTesting(step) || this.#hasLateLoads) return false;
        const cell = cellOfStep(this.#cells, step, place);
        return places.every(
          (other, one) =>
            one === thread || !other || !at(at(this.#later, one), other.location).has(cell),
        );
      })
    );
  }

  #extended(
    open: OpenGraph,
    thread: ThreadId,
    { event, place, cell, effect }: Extension,
  ): readonly (OpenGraph | 'turn')[] {
    const draft = withEventAt(open, open.events.length, { event, cell, place });
    const passed = place === undefined ? at(open.passed, thread) : [];
    const isPlain = cell !== undefined && at(this.#cells.isPlain, cell);
    const before = isPlain ? [...passed, plainLoad] : passed;
    const late = open.late[thread];
    const needs = (target: LocationId): boolean =>
      late !== undefined && !isUntouched(this.#code, thread, target, late.into);
    if (late && effect.targets.some(needs))
      return effect.targets.map((location) => ({
        ...{ ...open, ...draft, late: open.late.with(thread, { ...late, isNeeded: true }) },
        places: open.places.with(thread, { location, registers: effect.registers }),
      }));
    const failed = hasLate(open) ? [...open.failed] : undefined;
    return this.#settled(draft, thread, effect, failed).map((next) => {
      const own = next ? textOf(next) : '';
      if (next && before.includes(own)) {
        this.#noteRace(draft);
        this.#hasPlainTurns ||= before.includes(plainLoad, before.indexOf(own));
        return 'turn';
      }
      return {
        ...{ ...draft, late: open.late, failed: failed ?? [] },
        passed: open.passed.with(thread, [...before, own]),
        places: open.places.with(thread, next),
      };
    });
  }

  #noteRace(graph: Draft): void {
    if (!this.#hasPlain || this.#racing || !findRaceIn(graph)) return;
    if (isConsistentButForThinAir(graph, this.#model)) this.#racing = graph;
  }

  /**
   * Returns the places (location and registers) at which the thread may be after a step and the
   * local instructions that follow the step. An assertion that fails on the way is added to
   * `failing`; without `failing`, the failure is recorded with `draft` as its execution.
   */
  #settled(
    draft: Draft,
    thread: ThreadId,
    { registers, targets }: Pick<StepEffect, 'registers' | 'targets'>,
    failing?: { readonly thread: ThreadId; readonly assertion: TransitionId }[],
  ): readonly (ThreadPoint | undefined)[] {
    return targets.flatMap((target): readonly (ThreadPoint | undefined)[] => {
      const { states, failed } = settleThread(this.#code, thread, target, registers);
      for (const assertion of failed)
        if (failing) failing.push({ thread, assertion });
        else this.#fail(draft, thread, assertion);
      return states.length > 0 ? states : [undefined];
    });
  }

  #fail(graph: Draft, thread: ThreadId, assertion: TransitionId): void {
    const known = this.#failures.findIndex(
      (one) => one.thread === thread && one.assertion === assertion,
    );
    if (this.#failures[known]?.isOfSC) return;
    const isOfSC = isSequentiallyConsistent(graph);
    if (known >= 0 && !isOfSC) return;
    if (!isConsistentButForThinAir(graph, this.#model)) return;
    const failure = { thread, assertion, graph, isOfSC };
    if (known < 0) this.#failures.push(failure);
    else this.#failures[known] = failure;
  }

  /**
   * Records the execution as ended if no thread can take a step with the last stores of all cells.
   */
  #noteEnd(open: OpenGraph): void {
    const memory = open.modification.map((stores) => at(open.events, stores.at(-1)!).written!);
    const waiting: { readonly thread: ThreadId; readonly step: C11Step }[] = [];
    for (const [thread, place] of open.places.entries()) {
      if (!place) continue;
      for (const step of at(at(this.#code.steps, thread), place.location)) {
        if (step.kind === 'fence') return;
        const held = memory[cellOfStep(this.#cells, step, place)]!;
        if (effectsOf(this.#code, step, place.registers, held).length > 0) return;
        waiting.push({ thread, step });
      }
    }
    const { places } = open;
    this.#ends.push({
      graph: open,
      isOfSC: isSequentiallyConsistent(open),
      places,
      memory,
      waiting,
    });
  }
}

function hasLate({ late }: OpenGraph): boolean {
  return late.some((one) => one !== undefined);
}

function textOf({ location, registers }: ThreadPoint): string {
  return `${location}:${registers.join()}`;
}

/**
 * Returns a text that is equal for equal executions, also if events were added in different orders.
 */
function keyOf({ events, modification, places, late }: OpenGraph): string {
  const counts: number[] = [];
  const names = events.map(({ thread, address }) => {
    if (thread === undefined) return `i${address}`;
    counts[thread] = (counts[thread] ?? 0) + 1;
    return `${thread}.${counts[thread]}`;
  });
  const list = events.flatMap(({ thread, transition, kind, from, read, written }, i) =>
    thread === undefined
      ? []
      : [
          `${names[i]}${kind}${transition}:${read}:${written}${from === undefined ? '' : names[from]}`,
        ],
  );
  const orders = modification.map((stores) => stores.map((store) => names[store]).join());
  const ends = places.map((place) => place && textOf(place));
  const passedBy = late.map((one) => one && `${one.step.code.id}@${one.before}${one.isNeeded}`);
  return [list.sort().join(), orders.join(';'), ends.join(';'), passedBy.join()].join('|');
}

/**
 * Builds the execution graphs of a program under C11 that have no cycle of program order and
 * reads-from, as far as `budget` and `options` allow. Each graph is consistent by the definitions;
 * with `hasLateLoads`, except for the rule against out-of-thin-air values. A program whose loops
 * store may have infinitely many graphs. Throws the exceptions of steps.
 */
export function searchGraphs(
  code: C11Code,
  model: C11Model,
  budget: Budget,
  options: GraphOptions = {},
): Promise<AllGraphs> {
  return new GraphSearch(code, model, options).search(budget);
}
