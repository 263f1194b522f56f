import { at } from '@fencewright/ground/base/at.js';
import type { Budget, Exhaustion } from '@fencewright/ground/base/budget.js';
import type { OrderedStep } from './lift-steps.js';
import { noHolder } from './minor.js';
import type { ThreadGraphEdge, ThreadGraph, ThreadGraphs } from './thread-graph.js';

/** A state with empty store buffers in which no thread holds the bus lock. */
export interface DrainedState {
  /** The node at which each thread is, in the graph of the thread; indexed by thread. */
  readonly nodes: readonly number[];
  /** The value that each cell has in memory, indexed by cell. */
  readonly memory: readonly number[];
}

/** A store that waits in the thread's store buffer. */
interface WaitingStore {
  readonly cell: number;
  readonly value: number;
}

interface BufferState extends DrainedState {
  /** For each thread, its buffered stores, oldest first; indexed by thread. */
  readonly buffers: readonly (readonly WaitingStore[])[];
  readonly lock: number;
}

interface FoundState {
  readonly state: BufferState;
  readonly from?: FoundState;
  readonly step?: OrderedStep;
}

/** The result of an exploration with store buffers of a given size. */
export type Exploration =
  | { readonly kind: 'stopped'; readonly reason: Exhaustion }
  /** The exploration found a state that `onDrained` accepts. */
  | { readonly kind: 'found'; readonly state: DrainedState; readonly steps: readonly OrderedStep[] }
  /**
   * All states were explored; `isCut` says whether some store was not issued because its buffer was
   * full.
   */
  | { readonly kind: 'complete'; readonly isCut: boolean };

const statesPerCheckpoint = 256;
const bytesPerState = 400;

/** Returns a string that identifies a drained state (with empty store buffers). */
export function drainedKey({ nodes, memory }: DrainedState): string {
  return `${nodes.join()};${memory.join()}`;
}

function keyOf(state: BufferState): string {
  const { buffers, lock } = state;
  const waiting = buffers.map((own) => own.map(({ cell, value }) => `${cell}=${value}`).join());
  return `${drainedKey(state)};${waiting.join('|')};${lock}`;
}

/** The machine with store buffers of at most `room` stores each; the SC machine if `room` is 0. */
class StoreBuffers {
  readonly #room: number;
  readonly #leaving: readonly (readonly (readonly ThreadGraphEdge[])[])[];
  /** Whether some store was left out because its buffer was full. */
  isCut = false;

  constructor(graphs: readonly ThreadGraph[], room: number) {
    this.#room = room;
    this.#leaving = graphs.map(({ states, edges }) => {
      const lists: ThreadGraphEdge[][] = states.map(() => []);
      for (const edge of edges) at(lists, edge.from).push(edge);
      return lists;
    });
  }

  *successors(state: BufferState): Generator<readonly [BufferState, OrderedStep[]]> {
    for (const [thread, node] of state.nodes.entries()) {
      for (const edge of at(this.#leaving, thread)[node] ?? []) {
        const next = this.#execute(state, thread, edge);
        if (!next) continue;
        const nodes = state.nodes.with(thread, edge.to);
        const steps = edge.path.map((step): OrderedStep => ({ thread, step }));
        // Under SC a store is in memory at once.
        if (this.#room === 0 && edge.effect.kind === 'store')
          steps.splice(1, 0, { thread, step: 'flush' });
        yield [{ ...next, nodes }, steps];
      }
      const flushed = this.#flush(state, thread);
      if (flushed) yield [flushed, [{ thread, step: 'flush' }]];
    }
  }

  #flush(state: BufferState, thread: number): BufferState | undefined {
    const { buffers, memory, lock } = state;
    const [oldest, ...rest] = at(buffers, thread);
    if (!oldest || (lock !== noHolder && lock !== thread)) return undefined;
    const { cell, value } = oldest;
    return { ...state, buffers: buffers.with(thread, rest), memory: memory.with(cell, value) };
  }

  #execute(
    state: BufferState,
    thread: number,
    { effect }: ThreadGraphEdge,
  ): BufferState | undefined {
    const { memory, buffers, lock } = state;
    const own = at(buffers, thread);
    const isFree = lock === noHolder || lock === thread;
    switch (effect.kind) {
      case 'local':
        return state;
      case 'fence':
        return own.length === 0 ? state : undefined;
      case 'lock':
        return own.length === 0 && lock === noHolder ? { ...state, lock: thread } : undefined;
      case 'unlock':
        return own.length === 0 && lock === thread ? { ...state, lock: noHolder } : undefined;
      case 'load': {
        const newest = own.findLast(({ cell }) => cell === effect.cell);
        if (newest) return newest.value === effect.value ? state : undefined;
        return isFree && memory[effect.cell] === effect.value ? state : undefined;
      }
      case 'rmw': {
        if (own.length > 0 || !isFree || memory[effect.cell] !== effect.value) return undefined;
        return { ...state, memory: memory.with(effect.cell, effect.written) };
      }
      case 'store': {
        const { cell, value } = effect;
        if (this.#room === 0)
          return isFree ? { ...state, memory: memory.with(cell, value) } : undefined;
        if (own.length < this.#room)
          return { ...state, buffers: buffers.with(thread, [...own, { cell, value }]) };
        this.isCut = true;
        return undefined;
      }
    }
  }
}

function stepsTo(found: FoundState): readonly OrderedStep[] {
  const steps: OrderedStep[] = [];
  for (let here: FoundState | undefined = found; here; here = here.from)
    if (here.step) steps.push(here.step);
  return steps.reverse();
}

/**
 * Explores the graphs of all threads with store buffers of at most `room` stores, shortest runs
 * first; under SC if `room` is 0. `onDrained` is called for each drained state and returns whether
 * to end the exploration with this state.
 */
export async function exploreStoreBuffers(
  { threads, values }: ThreadGraphs,
  room: number,
  onDrained: (state: DrainedState) => boolean,
  budget: Budget,
): Promise<Exploration> {
  const machine = new StoreBuffers(threads, room);
  const initial: BufferState = {
    nodes: threads.map(({ initial: node }) => node),
    memory: values.map(() => 0),
    buffers: threads.map(() => []),
    lock: noHolder,
  };
  const known = new Set<string>();
  const queue: FoundState[] = [];
  const finish = (result: Exploration): Exploration => {
    budget.finishSearch(known.size, known.size * bytesPerState);
    return result;
  };
  const visit = (found: FoundState): boolean => {
    const { state } = found;
    const key = keyOf(state);
    if (known.has(key)) return false;
    known.add(key);
    queue.push(found);
    const isDrained = state.lock === noHolder && state.buffers.every(({ length }) => length === 0);
    return isDrained && onDrained(state);
  };
  const start = { state: initial };
  if (visit(start)) return finish({ kind: 'found', state: initial, steps: [] });
  for (const [turn, here] of queue.entries()) {
    const bytes = known.size * bytesPerState;
    const reason =
      turn % statesPerCheckpoint === 0
        ? await budget.checkpoint(known.size, bytes)
        : budget.exceededBy(known.size, bytes);
    if (reason) return finish({ kind: 'stopped', reason });
    for (const [state, steps] of machine.successors(here.state)) {
      let from: FoundState = here;
      for (const step of steps) from = { state, from, step };
      if (visit(from)) return finish({ kind: 'found', state, steps: stepsTo(from) });
    }
  }
  return finish({ kind: 'complete', isCut: machine.isCut });
}
