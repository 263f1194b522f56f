import { hasHeavyFences, refuseHeavyFence } from '@fencewright/model/program/heavy-fences.js';
import { at } from '@fencewright/ground/base/at.js';
import { computeLiveRegisters, instructionAccess } from '@fencewright/model/analysis/liveness.js';
import { accessEffect } from '../automata/access-effect.js';
import { holdsLockAfter } from '../automata/bus-lock.js';
import type { CellDirectory } from '../automata/cell-directory.js';
import { noOwnership } from '../automata/cell-ownership.js';
import { ThreadCode, type LocalState, type LocalStep } from '../automata/local-closure.js';
import type { Observation, ThreadView } from '../exploration/observation.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import { isAccess, isHandOver, isLocal } from '@fencewright/model/program/instruction.js';
import type { Program, Thread } from '@fencewright/model/program/program.js';
import type { CodeTransition } from '@fencewright/model/semantics/thread-code.js';

/**
 * The effect of a step of a thread's graph on memory, buffers or the bus lock; cells and values are
 * ids.
 */
export type GraphEffect =
  | { readonly kind: 'local' }
  | { readonly kind: 'fence' | 'lock' | 'unlock' }
  | { readonly kind: 'store'; readonly cell: number; readonly value: number }
  | { readonly kind: 'load'; readonly cell: number; readonly value: number }
  /** An rmw; `written` equals `value` if the rmw only loads. */
  | {
      readonly kind: 'rmw';
      readonly cell: number;
      readonly value: number;
      readonly written: number;
    };

export interface ThreadGraphEdge {
  readonly from: number;
  readonly to: number;
  readonly effect: GraphEffect;
  /**
   * The steps of the thread along the edge: the instruction that has the effect, then the local
   * instructions that follow.
   */
  readonly path: readonly LocalStep[];
}

/**
 * The local states that a thread may reach, as nodes, and the steps between nodes, for any values
 * and times of the stores of other threads.
 */
export interface ThreadGraph {
  /** The local state of each node, indexed by node; some nodes are no longer used. */
  readonly states: readonly LocalState[];
  readonly initial: number;
  readonly edges: readonly ThreadGraphEdge[];
}

/** The reason why a program has no finite graphs. */
export type GraphFailure =
  | { readonly kind: 'values'; readonly address: number }
  | { readonly kind: 'states'; readonly thread: ThreadId }
  | { readonly kind: 'faults' | 'unsupported' };

export interface ThreadGraphs {
  readonly threads: readonly ThreadGraph[];
  /**
   * The number of possible values of each cell, indexed by cell; the ids of a cell's values are the
   * numbers from 0 on.
   */
  readonly values: readonly number[];
}

const maxValues = 64;
const maxStates = 20_000;

interface CellReader {
  readonly thread: GraphBuilder;
  readonly node: number;
  readonly step: CodeTransition;
}

/** The possible values of each cell, and the nodes that read the cell. */
class CellTable {
  readonly counts: number[] = [];
  readonly #readers: CellReader[][] = [];
  readonly #directory: CellDirectory;

  constructor(directory: CellDirectory) {
    this.#directory = directory;
  }

  at(address: number): number {
    const cell = this.#directory.cell(address);
    this.counts[cell] ??= 1;
    this.#readers[cell] ??= [];
    return cell;
  }

  /**
   * Adds a value of a cell, and returns the value's id; if the value is new, the nodes with a read
   * of the cell are processed again.
   */
  add(cell: number, value: number): number {
    const id = this.#directory.id(cell, value);
    if (id < at(this.counts, cell)) return id;
    if (id >= maxValues) throw new Unbounded(this.#directory.address(cell));
    this.counts[cell] = id + 1;
    for (const reader of [...at(this.#readers, cell)]) reader.thread.read(reader, cell, id);
    return id;
  }

  subscribe(cell: number, reader: CellReader): void {
    at(this.#readers, cell).push(reader);
    for (let id = 0; id < at(this.counts, cell); id++) reader.thread.read(reader, cell, id);
  }

  value(cell: number, id: number): number {
    return this.#directory.value(cell, id);
  }
}

class Unbounded extends Error {
  constructor(readonly address: number) {
    super();
  }
}

class TooMany extends Error {
  constructor(readonly thread: ThreadId) {
    super();
  }
}

function keyOf({ location, registers, holdsLock }: LocalState): string {
  return `${location}:${registers.join()}${holdsLock ? 'L' : ''}`;
}

/** Builds the graph of one thread: the local states, and the steps between local states. */
class GraphBuilder {
  readonly states: LocalState[] = [];
  readonly edges: ThreadGraphEdge[] = [];
  readonly code: ThreadCode;
  readonly #numbers = new Map<string, number>();
  readonly #cells: CellTable;
  readonly #pending: number[];

  constructor(code: ThreadCode, cells: CellTable) {
    this.code = code;
    this.#cells = cells;
    this.#pending = [];
    this.node(code.initial);
  }

  /**
   * Processes the nodes with new steps, or with new values of the read cell; returns whether any
   * node was processed.
   */
  work(): boolean {
    const hadWork = this.#pending.length > 0;
    for (let node = this.#pending.pop(); node !== undefined; node = this.#pending.pop())
      this.#expand(node);
    return hadWork;
  }

  node(state: LocalState): number {
    const key = keyOf(state);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.states.push(state) - 1;
    if (number >= maxStates) throw new TooMany(this.code.thread);
    this.#numbers.set(key, number);
    this.#pending.push(number);
    return number;
  }

  read({ node, step }: CellReader, cell: number, id: number): void {
    const { registers } = at(this.states, node);
    const effect = accessEffect(this.code, registers, step);
    const result = this.code.guarded(step.id, () => effect?.apply(this.#cells.value(cell, id)));
    if (!result) return;
    if (effect?.kind === 'load') {
      this.#add(node, step, { kind: 'load', cell, value: id }, result.registers);
      return;
    }
    const written = result.written === undefined ? id : this.#cells.add(cell, result.written);
    this.#add(node, step, { kind: 'rmw', cell, value: id, written }, result.registers);
  }

  #expand(node: number): void {
    const state = at(this.states, node);
    for (const step of this.code.leaving(state.location)) this.#step(node, state, step);
  }

  #step(node: number, state: LocalState, step: CodeTransition): void {
    const { registers, holdsLock } = state;
    const { instruction } = step.transition;
    if (isAccess(instruction)) {
      this.#access(node, state, step);
      return;
    }
    if (isLocal(instruction)) {
      for (const { registers: next, choice } of this.code.local(state, step) ?? [])
        this.#add(node, step, { kind: 'local' }, next, holdsLock, choice);
      return;
    }
    if (instruction.kind === 'heavy-fence') return refuseHeavyFence();
    const { kind } = instruction;
    const next = holdsLockAfter(holdsLock, instruction);
    if (next !== undefined) this.#add(node, step, { kind }, registers, next);
  }

  #access(node: number, { registers }: LocalState, step: CodeTransition): void {
    const address = this.code.guarded(step.id, () => step.address(registers, 0));
    if (address === undefined) return;
    const cell = this.#cells.at(address);
    const effect = accessEffect(this.code, registers, step);
    if (effect?.kind !== 'store') {
      this.#cells.subscribe(cell, { thread: this, node, step });
      return;
    }
    const written = this.code.guarded(step.id, () => effect.apply(0)?.written);
    if (written === undefined) return;
    const value = this.#cells.add(cell, written);
    this.#add(node, step, { kind: 'store', cell, value }, registers);
  }

  #add(
    from: number,
    { id, transition: { to } }: CodeTransition,
    effect: GraphEffect,
    registers: readonly number[],
    holdsLock = at(this.states, from).holdsLock,
    choice?: number,
  ): void {
    const next = { location: to, registers: this.code.masked(registers, to), holdsLock };
    const path = [{ transition: id, ...(choice !== undefined && { choice }) }];
    this.edges.push({ from, to: this.node(next), effect, path });
  }
}

/**
 * Whether a node has to stay in the graph: a thread may be there for ever, or may fail an
 * assertion.
 */
function isKept(leaving: readonly CodeTransition[]): boolean {
  if (leaving.length === 0) return true;
  return leaving.some(({ transition }) => transition.instruction.kind === 'assert');
}

/**
 * Returns a string for the parts of a thread on which the observation depends at every moment; all
 * unobserved locations have equal strings. `isEnd`: whether the thread has ended at the location.
 */
function viewOf(
  { location, registers }: LocalState,
  isEnd: boolean,
  { locations, registers: seen, ended }: ThreadView,
): string {
  const place = locations.has(location) ? location : '';
  const values = [...seen].map((register) => registers[register]);
  return `${place};${values.join()};${ended && isEnd ? 'ended' : ''}`;
}

/**
 * Returns the graph without the nodes that have only local outgoing steps: a thread at a node of
 * this kind continues immediately, since no other thread can notice the difference. A node stays if
 * the local step changes the observed part of the thread, if an assertion may fail at the node, if
 * the node is an end or a dead end, or if the node closes a cycle of local steps.
 */
function withoutLocalSteps(
  graph: ThreadGraph,
  keeps: (node: number) => boolean,
  view: (node: number) => string,
): ThreadGraph {
  const leaving: ThreadGraphEdge[][] = graph.states.map(() => []);
  for (const edge of graph.edges) at(leaving, edge.from).push(edge);
  const passes = leaving.map(
    (edges, node) =>
      node !== graph.initial &&
      !keeps(node) &&
      edges.length > 0 &&
      edges.every(({ effect, to }) => effect.kind === 'local' && view(to) === view(node)),
  );
  // One node of each cycle is kept.
  const state = new Uint8Array(graph.states.length);
  const breakCycles = (root: number): void => {
    const stack = [{ node: root, next: 0 }];
    state[root] = 1;
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const edge = leaving[top.node]?.[top.next++];
      if (!edge || !passes[top.node]) {
        state[top.node] = 2;
        stack.pop();
      } else if (state[edge.to] === 1) passes[edge.to] = false;
      else if (state[edge.to] === 0 && passes[edge.to]) {
        state[edge.to] = 1;
        stack.push({ node: edge.to, next: 0 });
      }
    }
  };
  passes.forEach((isPassed, node) => {
    if (isPassed && state[node] === 0) breakCycles(node);
  });
  const edges: ThreadGraphEdge[] = [];
  const reached = new Set([graph.initial]);
  for (const from of reached)
    for (const first of leaving[from] ?? []) {
      const pending = [first];
      const done = new Set<number>();
      for (let edge = pending.pop(); edge; edge = pending.pop()) {
        if (done.has(edge.to)) continue;
        done.add(edge.to);
        if (!passes[edge.to]) {
          edges.push(edge);
          reached.add(edge.to);
          continue;
        }
        for (const { to, path } of leaving[edge.to] ?? [])
          pending.push({ ...edge, to, path: [...edge.path, ...path] });
      }
    }
  return { ...graph, edges };
}

/**
 * Whether states of a thread that differ in a register are different nodes, indexed by location,
 * then by register.
 */
export function distinguishingRegisters(
  thread: Thread,
  id: ThreadId,
  observation: Observation,
): readonly (readonly boolean[])[] {
  const always = [...at(observation.threads, id).registers, ...at(observation.whenStuck, id)];
  return computeLiveRegisters(thread, instructionAccess, always, at(observation.atEnds, id));
}

/**
 * Computes the graphs of all threads of a program. A load finds any value that some thread may
 * store to the loaded cell, or the initial value. This approximation only makes the graphs finite
 * and does not change results: each step names the needed value. Chains of local steps are merged
 * into single steps, unless `mergesSteps` is false.
 */
export function threadGraphs(
  program: Program,
  observation: Observation,
  directory: CellDirectory,
  { mergesSteps = true }: { readonly mergesSteps?: boolean } = {},
): ThreadGraphs | GraphFailure {
  const hasHandOvers = program.threads.some(({ transitions }) =>
    transitions.some(({ instruction }) => isHandOver(instruction)),
  );
  if (hasHandOvers || hasHeavyFences(program)) return { kind: 'unsupported' };
  const cells = new CellTable(directory);
  const ownership = noOwnership(program);
  try {
    const builders = program.threads.map((thread, t) => {
      const live = distinguishingRegisters(thread, t, observation);
      return new GraphBuilder(new ThreadCode(program, t, true, ownership, live), cells);
    });
    while (builders.map((builder) => builder.work()).includes(true));
    if (builders.some(({ code }) => code.faults.size > 0)) return { kind: 'faults' };
    const threads = builders.map(({ states, edges, code }, t) => {
      if (!mergesSteps) return { states, initial: 0, edges };
      const leaving = (node: number): readonly CodeTransition[] =>
        code.leaving(at(states, node).location);
      const keeps = (node: number): boolean => isKept(leaving(node));
      const seen = at(observation.threads, t);
      const view = (node: number): string =>
        viewOf(at(states, node), leaving(node).length === 0, seen);
      return withoutLocalSteps({ states, initial: 0, edges }, keeps, view);
    });
    return { threads, values: cells.counts };
  } catch (error) {
    if (error instanceof Unbounded) return { kind: 'values', address: error.address };
    if (error instanceof TooMany) return { kind: 'states', thread: error.thread };
    throw error;
  }
}
