import { at } from '@fencewright/ground/base/at.js';
import type { Budget, Exhaustion } from '@fencewright/ground/base/budget.js';
import type { OrderedStep } from './lift-steps.js';
import { nobody } from './minor.js';
import type { GraphEdge, ThreadGraph, ThreadGraphs } from './thread-graph.js';

/** A state with empty buffers in which nobody holds the bus lock. */
export interface DrainedState {
  /** Indexed by thread: nodes. */
  readonly nodes: readonly number[];
  /** Indexed by cell: values. */
  readonly memory: readonly number[];
}

/** A buffered store. */
interface Waiting {
  readonly cell: number;
  readonly value: number;
}

interface State extends DrainedState {
  /** The buffered stores of each thread, oldest first; indexed by thread. */
  readonly buffers: readonly (readonly Waiting[])[];
  readonly lock: number;
}

interface Found {
  readonly state: State;
  readonly from?: Found;
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

/** A string that identifies a drained state. */
export function drainedKey({ nodes, memory }: DrainedState): string {
  return `${nodes.join()};${memory.join()}`;
}

function keyOf(state: State): string {
  const { buffers, lock } = state;
  const waiting = buffers.map((own) => own.map(({ cell, value }) => `${cell}=${value}`).join());
  return `${drainedKey(state)};${waiting.join('|')};${lock}`;
}

/** The machine with store buffers of at most `room` stores; the SC machine if `room` is 0. */
class StoreBuffers {
  readonly #room: number;
  readonly #leaving: readonly (readonly (readonly GraphEdge[])[])[];
  /** Whether some store was not issued because its buffer was full. */
  isCut = false;

  constructor(graphs: readonly ThreadGraph[], room: number) {
    this.#room = room;
    this.#leaving = graphs.map(({ states, edges }) => {
      const lists: GraphEdge[][] = states.map(() => []);
      for (const edge of edges) at(lists, edge.from).push(edge);
      return lists;
    });
  }

  *successors(state: State): Generator<readonly [State, OrderedStep[]]> {
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

  #flush(state: State, thread: number): State | undefined {
    const { buffers, memory, lock } = state;
    const [oldest, ...rest] = at(buffers, thread);
    if (!oldest || (lock !== nobody && lock !== thread)) return undefined;
    const { cell, value } = oldest;
    return { ...state, buffers: buffers.with(thread, rest), memory: memory.with(cell, value) };
  }

  #execute(state: State, thread: number, { effect }: GraphEdge): State | undefined {
    const { memory, buffers, lock } = state;
    const own = at(buffers, thread);
    const isFree = lock === nobody || lock === thread;
    switch (effect.kind) {
      case 'local':
        return state;
      case 'fence':
        return own.length === 0 ? state : undefined;
      case 'lock':
        return own.length === 0 && lock === nobody ? { ...state, lock: thread } : undefined;
      case 'unlock':
        return own.length === 0 && lock === thread ? { ...state, lock: nobody } : undefined;
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

function stepsTo(found: Found): readonly OrderedStep[] {
  const steps: OrderedStep[] = [];
  for (let here: Found | undefined = found; here; here = here.from)
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
  const initial: State = {
    nodes: threads.map(({ initial: node }) => node),
    memory: values.map(() => 0),
    buffers: threads.map(() => []),
    lock: nobody,
  };
  const known = new Set<string>();
  const queue: Found[] = [];
  const finish = (result: Exploration): Exploration => {
    budget.finishSearch(known.size, known.size * bytesPerState);
    return result;
  };
  const visit = (found: Found): boolean => {
    const { state } = found;
    const key = keyOf(state);
    if (known.has(key)) return false;
    known.add(key);
    queue.push(found);
    const isDrained = state.lock === nobody && state.buffers.every(({ length }) => length === 0);
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
      let from: Found = here;
      for (const step of steps) from = { state, from, step };
      if (visit(from)) return finish({ kind: 'found', state, steps: stepsTo(from) });
    }
  }
  return finish({ kind: 'complete', isCut: machine.isCut });
}
