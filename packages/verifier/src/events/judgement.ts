import type { TaskStep, Task } from './machine.js';

/** The robustness criteria for programs of events; see docs/events.md. */
export const criteria = ['concurrency', 'tso', 'both'] as const;
export type Criterion = (typeof criteria)[number];

/**
 * Whether position `a` in a call tree comes before position `b` in depth-first order: parents
 * before children.
 */
export function isBeforeInTree(a: readonly number[], b: readonly number[]): boolean {
  for (let level = 0; level < Math.min(a.length, b.length); level++)
    if (a[level] !== b[level]) return a[level]! < b[level]!;
  return a.length < b.length;
}

/** Whether a directed graph, given by edges, has a cycle. */
function isCyclic<T>(edges: readonly (readonly [T, T])[]): boolean {
  let left = edges;
  for (;;) {
    // An edge to a node without outgoing edges is on no cycle.
    const sources = new Set(left.map(([from]) => from));
    const next = left.filter(([, to]) => sources.has(to));
    if (next.length === left.length) return next.length > 0;
    left = next;
  }
}

/**
 * A step of a task that is visible to other tasks: an access, a posting, or the begin of the task.
 */
interface VisibleStep {
  readonly task: Task;
  readonly address?: number;
  readonly writes: boolean;
  readonly reads: boolean;
  /** For a step that reads: the store read; absent for the initial value. */
  readonly source?: VisibleStep;
  /** For a posting, the created task; absent for other steps. */
  readonly posted?: Task;
  readonly begins: boolean;
  /**
   * An object shared by all accesses between a `lock` and its `unlock`; any other access has an
   * object to itself.
   */
  readonly group: object;
  /**
   * For a store, the position in the order of all stores reaching memory; absent for other steps.
   */
  rank?: number;
}

/** Returns the visible steps of a run, in the order of execution. */
function nodesOf(steps: readonly TaskStep[]): readonly VisibleStep[] {
  const nodes: VisibleStep[] = [];
  const newest = new Map<number, VisibleStep>();
  const buffers = new Map<string, VisibleStep[]>();
  const blocks = new Map<string, object>();
  let rank = 0;
  const arrive = (node: VisibleStep): void => {
    node.rank = rank++;
    newest.set(node.address!, node);
  };
  for (const { task, effect } of steps) {
    const buffer = buffers.get(task.thread) ?? [];
    buffers.set(task.thread, buffer);
    const group = blocks.get(task.thread) ?? {};
    const node = { task, writes: false, reads: false, begins: false, group };
    const from = (source: VisibleStep | undefined): Partial<VisibleStep> =>
      source ? { source } : {};
    switch (effect.kind) {
      case 'lock':
        blocks.set(task.thread, {});
        break;
      case 'unlock':
        blocks.delete(task.thread);
        break;
      case 'begin':
        nodes.push({ ...node, begins: true });
        break;
      case 'post':
        nodes.push({ ...node, posted: effect.posted });
        break;
      case 'issue': {
        const issued: VisibleStep = { ...node, address: effect.address, writes: true };
        nodes.push(issued);
        buffer.push(issued);
        break;
      }
      case 'commit':
        arrive(buffer.shift()!);
        break;
      case 'early': {
        const { address, entry } = effect;
        nodes.push({ ...node, address, reads: true, ...from(buffer[entry]) });
        break;
      }
      case 'memory': {
        const { address, reads, writes } = effect;
        const source = reads ? from(newest.get(address)) : {};
        const access: VisibleStep = { ...node, address, reads, writes, ...source };
        nodes.push(access);
        if (writes) arrive(access);
        break;
      }
      case 'silent':
      case 'fence':
      case 'start':
      case 'return':
    }
  }
  return nodes;
}

/**
 * Returns the position of an access among the accesses to its cell: the rank of a store; for a
 * load, the position directly after the store whose value is read.
 */
function placeOf({ writes, rank, source }: VisibleStep): number {
  if (writes) return rank!;
  return source ? source.rank! + 0.5 : -1;
}

/**
 * Returns the pairs of conflicting accesses, the earlier access first. Accesses conflict if both
 * are to the same cell, and at least one is a store.
 */
function conflictsOf(
  nodes: readonly VisibleStep[],
): readonly (readonly [VisibleStep, VisibleStep])[] {
  const accesses = nodes.filter(({ address }) => address !== undefined);
  return accesses.flatMap((a) =>
    accesses
      .filter((b) => a.address === b.address && (a.writes || b.writes) && placeOf(a) < placeOf(b))
      .map((b) => [a, b] as const),
  );
}

/**
 * Whether no serial order explains a run: (D) tasks of one event conflict against depth-first
 * order, or (S) conflicts form a cycle of events ([BEMR18] Definition 1, applied to each
 * invocation).
 */
function isUnserialisable(nodes: readonly VisibleStep[]): boolean {
  const conflicts = conflictsOf(nodes)
    .map(([a, b]) => [a.task, b.task] as const)
    .filter(([a, b]) => a.name !== b.name);
  const against = conflicts.some(
    ([a, b]) => a.event === b.event && !isBeforeInTree(a.path, b.path),
  );
  const between = conflicts.flatMap(([a, b]) =>
    a.event === b.event ? [] : [[a.event, b.event] as const],
  );
  return against || isCyclic(between);
}

/**
 * Whether the happens-before relation of a run has a cycle. The relation consists of: the order of
 * each thread; stores before the loads that read them; the order of stores to a cell; loads before
 * the stores whose value comes later; and postings before the begin of the posted task ([BEMR18]
 * Definition 2).
 */
function hasCycle(nodes: readonly VisibleStep[]): boolean {
  const edges = conflictsOf(nodes).map(([a, b]) => [a.group, b.group] as const);
  nodes.forEach((a, i) =>
    nodes.forEach((b, j) => {
      const isNext = i < j && a.task.thread === b.task.thread;
      const isPosting = b.begins && a.posted === b.task;
      if (isNext || isPosting) edges.push([a.group, b.group]);
    }),
  );
  return isCyclic(edges.filter(([from, to]) => from !== to));
}

/** Whether a run that ends with empty buffers violates a criterion. */
export function violatesCriterion(steps: readonly TaskStep[], criterion: Criterion): boolean {
  const nodes = nodesOf(steps);
  return criterion === 'tso' ? hasCycle(nodes) : isUnserialisable(nodes);
}
