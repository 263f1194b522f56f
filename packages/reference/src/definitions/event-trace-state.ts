import { at } from '@fencewright/ground/base/at.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import type { EventAction, Site, Task, TaskId } from '@fencewright/model/trace/event-run.js';

/**
 * A node of a trace of an event program: an access, the posting of a task, the passing of a
 * milestone (a label) or the begin of a task. A store is one node, created by its issue.
 */
export interface EventTraceNode {
  readonly task: TaskId;
  /** The name of the node: its task, and its number in the task. It depends only on the trace. */
  readonly name: string;
  readonly kind: 'load' | 'store' | 'rmw' | 'post' | 'pass' | 'begin';
  /** The address of the cell that the node accesses; absent for nodes that are no accesses. */
  readonly cell?: number;
  /**
   * The node of the store from which a reading node reads; absent for the initial value, and for
   * other nodes.
   */
  readonly source?: number;
  /** The task that the node posts; absent for a node that posts no task. */
  readonly posted?: TaskId;
  /**
   * The number of the lock block (from `lock` to `unlock`) that contains the node; absent for nodes
   * outside.
   */
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
   * The name of the task: the instance, and the postings that lead to the task. It depends only on
   * the trace.
   */
  readonly name: string;
  /**
   * The path to the task in the tree of tasks that its event posted: the index of a child for each
   * level.
   */
  readonly path: readonly number[];
  /** The status of the task; `stopped`: it is blocked, or was not followed beyond a limit. */
  readonly status: 'waiting' | 'running' | 'stopped' | 'done';
  readonly frames: readonly TracedFrame[];
  /**
   * The actions of the task so far. Each read has the name of the store from which the value comes.
   */
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

/** A state of the machine with several threads, together with the trace that leads to it. */
export interface EventTraceState {
  readonly memory: ReadonlyMap<number, number>;
  readonly tasks: readonly TracedTask[];
  readonly started: readonly number[];
  /** By thread, its buffered stores, oldest first. */
  readonly buffers: ReadonlyMap<number, readonly Pending[]>;
  /**
   * By address of a cell, the nodes of the stores to it, in the order in which they reached memory.
   */
  readonly order: ReadonlyMap<number, readonly number[]>;
  readonly nodes: readonly EventTraceNode[];
  /** By milestone (a label), the nodes that passed the milestone. */
  readonly passes: readonly (readonly number[])[];
  /**
   * By event that has begun, and by milestone (a label) for which the event waited: the node of the
   * event's begin, and the nodes that had passed the milestone.
   */
  readonly causes: readonly { readonly begin: number; readonly candidates: readonly number[] }[];
  /** The tasks of the main thread, in the order in which they began. */
  readonly main: readonly TaskId[];
  /** The tasks that still have to run, in order, if the program runs on a single thread. */
  readonly line: readonly TaskId[];
  /** The number of the thread that is between `lock` and `unlock`; absent if there is none. */
  readonly holder?: number;
  /** The number of lock blocks (from `lock` to `unlock`) begun so far. */
  readonly blocks: number;
  readonly threads: number;
  readonly past: History | undefined;
}

/** Returns the state of an event program before any action. */
export function initialEventTrace(program: EventProgram): EventTraceState {
  const { symbols, instances, milestones = [] } = program;
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
    passes: milestones.map(() => []),
    causes: [],
    main: [],
    line: [],
    blocks: 0,
    threads: 1,
    past: undefined,
  };
}

/** Returns the actions that led to the state. */
export function pastActions({ past }: EventTraceState): readonly EventAction[] {
  const actions: EventAction[] = [];
  for (let h = past; h; h = h.before) actions.push(h.action);
  return actions.reverse();
}

/** Returns the state with one more action appended to the actions so far. */
export function withAction(state: EventTraceState, action: EventAction): EventTraceState {
  return { ...state, past: { action, before: state.past } };
}

/** Returns the state with some fields of a task changed. */
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

/**
 * Returns the state with a new node of a task in the trace; `what` describes the node in the task's
 * history.
 */
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

/** Returns the state after the store `node` reaches memory. */
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

/** Returns the state with a new waiting task. */
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

/**
 * Returns the node from which the next load of a cell from memory reads; `undefined` for the
 * initial value.
 */
export function lastStored({ order }: EventTraceState, cell: number): number | undefined {
  return order.get(cell)?.at(-1);
}

/**
 * Returns a key of the trace: two runs have equal keys iff all tasks perform equal actions that
 * read from equal stores, stores reach each cell in equal order, and, with `countsMain`, the tasks
 * of the main thread begin in equal order.
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
