import { at } from '@fencewright/ground/base/at.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import type { EventAction, Site, Task, TaskId } from '@fencewright/model/trace/event-run.js';

/** An access, a posting or the begin of a task. A store is one node, created by its issue. */
export interface EventTraceNode {
  readonly task: TaskId;
  /** A name that depends only on the trace: the task, and the number of the node in the task. */
  readonly name: string;
  readonly kind: 'load' | 'store' | 'rmw' | 'post' | 'begin';
  /** Of an access. */
  readonly cell?: number;
  /** For reading nodes: the node of the store; absent for the initial value. */
  readonly source?: number;
  /** The posted task. */
  readonly posted?: TaskId;
  /** The number of the block, for nodes between `lock` and `unlock`. */
  readonly block?: number;
}

interface TracedFrame {
  readonly body: number;
  readonly location: number;
  readonly registers: readonly number[];
  readonly calledAt?: Site;
}

export interface TracedTask {
  readonly task: Task;
  /**
   * A name that depends only on the trace: the instance, and the postings that lead to the task.
   */
  readonly name: string;
  /** The path to the task in the call tree of its event: a child index for each level. */
  readonly path: readonly number[];
  /** `stopped`: the task is blocked, or was cut. */
  readonly status: 'waiting' | 'running' | 'stopped' | 'done';
  readonly frames: readonly TracedFrame[];
  /** The actions of the task, with the sources of its reads. */
  readonly history: string;
  readonly nodes: number;
  readonly steps: number;
  readonly children: readonly TaskId[];
}

interface Pending {
  readonly node: number;
  readonly task: TaskId;
  readonly site: Site;
  readonly cell: number;
  readonly value: number;
}

interface History {
  readonly action: EventAction;
  readonly before: History | undefined;
}

/** A configuration of the multi-thread machine, together with the trace leading to it. */
export interface EventTraceState {
  readonly memory: ReadonlyMap<number, number>;
  readonly tasks: readonly TracedTask[];
  readonly started: readonly number[];
  /** Thread to its buffered stores, oldest first. */
  readonly buffers: ReadonlyMap<number, readonly Pending[]>;
  /** Cell to the nodes of its stores, in order of arrival in memory. */
  readonly order: ReadonlyMap<number, readonly number[]>;
  readonly nodes: readonly EventTraceNode[];
  /** The tasks of main, in order of their begin. */
  readonly main: readonly TaskId[];
  /** On a single thread: the tasks still to run, in order. */
  readonly line: readonly TaskId[];
  /** The thread between `lock` and `unlock`. */
  readonly holder?: number;
  /** The number of lock blocks so far. */
  readonly blocks: number;
  readonly threads: number;
  readonly past: History | undefined;
}

/** The state before any action. */
export function initialEventTrace({ symbols, instances }: EventProgram): EventTraceState {
  return {
    memory: new Map(
      symbols.flatMap(({ base, initial }) =>
        initial.map((value, cell): [number, number] => [base + cell, value]),
      ),
    ),
    tasks: [],
    started: instances.map(() => 0),
    buffers: new Map(),
    order: new Map(),
    nodes: [],
    main: [],
    line: [],
    blocks: 0,
    threads: 1,
    past: undefined,
  };
}

/** The actions that led to the state. */
export function actionsOf({ past }: EventTraceState): readonly EventAction[] {
  const actions: EventAction[] = [];
  for (let h = past; h; h = h.before) actions.push(h.action);
  return actions.reverse();
}

/** The state with one more action in its past. */
export function did(state: EventTraceState, action: EventAction): EventTraceState {
  return { ...state, past: { action, before: state.past } };
}

/** The state with some fields of a task changed. */
export function withTask(
  state: EventTraceState,
  id: TaskId,
  change: Partial<TracedTask>,
): EventTraceState {
  return {
    ...state,
    tasks: state.tasks.map((task, other) => (other === id ? { ...task, ...change } : task)),
  };
}

/** The state with a new node of a task; `what` describes the node in the task's history. */
export function withNode(
  state: EventTraceState,
  id: TaskId,
  node: Omit<EventTraceNode, 'task' | 'name' | 'block'>,
  what: string,
): EventTraceState {
  const task = at(state.tasks, id);
  const isInBlock = state.holder === task.task.thread;
  const source = node.source === undefined ? '' : at(state.nodes, node.source).name;
  return withTask(
    {
      ...state,
      nodes: [
        ...state.nodes,
        {
          ...node,
          task: id,
          name: `${task.name}#${task.nodes}`,
          ...(isInBlock && { block: state.blocks }),
        },
      ],
    },
    id,
    { nodes: task.nodes + 1, history: `${task.history};${what}<${source}` },
  );
}

/** The state after the store `node` reaches memory. */
export function withStored(
  state: EventTraceState,
  node: number,
  cell: number,
  value: number,
): EventTraceState {
  return {
    ...state,
    memory: new Map(state.memory).set(cell, value),
    order: new Map(state.order).set(cell, [...(state.order.get(cell) ?? []), node]),
  };
}

/** The state with a new waiting task. */
export function withNewTask(
  state: EventTraceState,
  task: Task,
  name: string,
  path: readonly number[],
): EventTraceState {
  const made: TracedTask = {
    task,
    name,
    path,
    status: 'waiting',
    frames: [],
    history: '',
    nodes: 0,
    steps: 0,
    children: [],
  };
  return { ...state, tasks: [...state.tasks, made] };
}

/** The node read by the next load of a cell from memory, if any. */
export function lastStored({ order }: EventTraceState, cell: number): number | undefined {
  return order.get(cell)?.at(-1);
}

/**
 * A key of the trace: two runs have equal keys iff all tasks perform equal actions with equal
 * sources, stores reach each cell in equal order, and, with `countsMain`, main's tasks begin in
 * equal order.
 */
export function eventTraceKey(state: EventTraceState, countsMain: boolean): string {
  const tasks = state.tasks.map(({ name, status, history }) => `${name}:${status}${history}`);
  const orders = [...state.order].map(
    ([cell, nodes]) => `${cell}=${nodes.map((node) => at(state.nodes, node).name).join()}`,
  );
  const main = countsMain ? state.main.map((id) => at(state.tasks, id).name).join() : '';
  const line = state.line.map((id) => at(state.tasks, id).name).join();
  return `${tasks.sort().join('|')}/${orders.sort().join('|')}/${main}/${line}/${state.holder === undefined ? '' : 'held'}`;
}
