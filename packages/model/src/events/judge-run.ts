import { at } from '@fencewright/ground/base/at.js';
import type { EventRun, TaskId } from '../trace/event-run.js';
import type {
  EventCycleEdge,
  RunAccess,
  RunConflict,
  RunJudgement,
  Serialisation,
} from '../verdict/event-judgement.js';
import { placesInCells, runAccesses } from './run-accesses.js';
import { shortestCycle } from './shortest-cycle.js';

/** The path to each task in the call tree of its event: a child index for each level. */
function treePaths({ tasks, actions }: EventRun): readonly (readonly number[])[] {
  const paths: (readonly number[])[] = tasks.map(() => []);
  const children = new Map<TaskId, number>();
  for (const action of actions)
    if (action.kind === 'post') {
      const { task, posted } = action;
      const child = children.get(task) ?? 0;
      children.set(task, child + 1);
      paths[posted] = [...at(paths, task), child];
    }
  return paths;
}

/** Whether the task at `path` of a call tree precedes the task at `other` in DFS order. */
function isBeforeInTree(path: readonly number[], other: readonly number[]): boolean {
  const fork = path.findIndex((child, level) => child !== other[level]);
  if (fork < 0) return path.length < other.length;
  const [left, right] = [path[fork], other[fork]];
  return left !== undefined && right !== undefined && left < right;
}

function conflictsOf(accesses: readonly RunAccess[]): readonly RunConflict[] {
  const places = placesInCells(accesses);
  const byCell = new Map<number, number[]>();
  accesses.forEach(({ address }, access) => {
    if (places[access] === undefined) return;
    const known = byCell.get(address);
    if (known) known.push(access);
    else byCell.set(address, [access]);
  });
  const isLoad = (access: number): boolean => at(accesses, access).kind === 'load';
  const isEarlier = (a: number, b: number): boolean => (places[a] ?? 0) < (places[b] ?? 0);
  return [...byCell.values()].flatMap((cell) =>
    cell.flatMap((first) =>
      cell
        .filter((second) => isEarlier(first, second) && !(isLoad(first) && isLoad(second)))
        .filter((second) => at(accesses, first).task !== at(accesses, second).task)
        .map((second) => ({ first, second })),
    ),
  );
}

function serialisationOf(run: EventRun, accesses: readonly RunAccess[]): Serialisation {
  const paths = treePaths(run);
  const taskOf = (access: number): TaskId => at(accesses, access).task;
  const eventOf = (access: number): number => at(run.tasks, taskOf(access)).event;
  const conflicts = conflictsOf(accesses);
  const against = conflicts.find(
    ({ first, second }) =>
      eventOf(first) === eventOf(second) &&
      !isBeforeInTree(at(paths, taskOf(first)), at(paths, taskOf(second))),
  );
  if (against) return { kind: 'against-dfs-order', conflict: against };
  const cycle = shortestCycle(
    conflicts
      .map((conflict) => ({
        from: eventOf(conflict.first),
        to: eventOf(conflict.second),
        conflict,
      }))
      .filter(({ from, to }) => from !== to),
  );
  if (!cycle) return { kind: 'serialisable' };
  return { kind: 'cycle-of-events', conflicts: cycle.map(({ conflict }) => conflict) };
}

/**
 * A node of the happens-before relation: an access, a posting or the begin of a task, identified by
 * its action.
 */
interface HappensBeforeNode {
  readonly action: number;
  readonly thread: number;
  /** The number of the access; absent for postings and begins. */
  readonly access?: number;
  /** For a posting: the posted task. For a begin, `begins` is the task that begins. */
  readonly posts?: TaskId;
  readonly begins?: TaskId;
}

function nodesOf(
  { tasks, actions }: EventRun,
  accesses: readonly RunAccess[],
): readonly HappensBeforeNode[] {
  const accessAt = new Map(accesses.map(({ action }, access) => [action, access]));
  return actions.flatMap((action, place): HappensBeforeNode[] => {
    const { thread } = at(tasks, action.task);
    const node = { action: place, thread };
    const access = accessAt.get(place);
    if (access !== undefined) return [{ ...node, access }];
    if (action.kind === 'post') return [{ ...node, posts: action.posted }];
    return action.kind === 'begin' ? [{ ...node, begins: action.task }] : [];
  });
}

/**
 * The happens-before relation from `a` to `b`, two accesses of one cell, by their places in this
 * cell.
 */
function relationInCell(
  a: RunAccess,
  b: RunAccess,
  isSource: boolean,
  [place, other]: readonly [number | undefined, number | undefined],
): EventCycleEdge['relation'] | undefined {
  if (isSource) return 'src';
  if (place === undefined || other === undefined || b.kind === 'load' || place >= other)
    return undefined;
  return a.kind === 'load' ? 'cf' : 'st';
}

/**
 * The happens-before edges. Program order, store order and conflicts are transitively closed, so
 * that cycles are short.
 */
function happensBefore(run: EventRun, accesses: readonly RunAccess[]): readonly EventCycleEdge[] {
  const nodes = nodesOf(run, accesses);
  const places = placesInCells(accesses);
  const relation = (
    a: HappensBeforeNode,
    b: HappensBeforeNode,
  ): EventCycleEdge['relation'] | undefined => {
    if (a.thread === b.thread && a.action < b.action) return 'po';
    if (a.posts !== undefined && a.posts === b.begins) return 'post';
    if (a.access === undefined || b.access === undefined || a === b) return undefined;
    const [first, second] = [at(accesses, a.access), at(accesses, b.access)];
    if (first.address !== second.address) return undefined;
    return relationInCell(first, second, second.source === a.access, [
      places[a.access],
      places[b.access],
    ]);
  };
  return nodes.flatMap((a) =>
    nodes.flatMap((b) => {
      const found = relation(a, b);
      return found ? [{ from: a.action, to: b.action, relation: found }] : [];
    }),
  );
}

/**
 * A shortest cycle of happens-before, with each lock block treated as one node; `undefined` if
 * there is none. Edges inside of lock blocks are added to connect the cycle.
 */
function happensBeforeCycle(
  run: EventRun,
  accesses: readonly RunAccess[],
): readonly EventCycleEdge[] | undefined {
  const blocks = new Map(accesses.map(({ action, block }) => [action, block ?? action]));
  const blockOf = (action: number): number => blocks.get(action) ?? action;
  const cycle = shortestCycle(
    happensBefore(run, accesses)
      .map((edge) => ({ from: blockOf(edge.from), to: blockOf(edge.to), edge }))
      .filter(({ from, to }) => from !== to),
  );
  return cycle?.flatMap(({ edge }, place) => {
    const from = edge.to;
    const to = at(cycle, (place + 1) % cycle.length).edge.from;
    return from === to ? [edge] : [edge, { from, to, relation: from < to ? 'po' : 'lock' }];
  });
}

/**
 * Judges a run of the multi-thread machine, SC or TSO, complete or not: (D) conflicts between tasks
 * of one event follow the DFS order of its call tree, (S) conflicts between events are acyclic, and
 * the happens-before relation of [BEMR18] Definition 2 is acyclic. A store takes effect when it
 * reaches memory, a load directly behind the store it reads from.
 */
export function judgeRun(run: EventRun): RunJudgement {
  const accesses = runAccesses(run);
  const cycle = happensBeforeCycle(run, accesses);
  return {
    accesses,
    serialisation: serialisationOf(run, accesses),
    ...(cycle && { happensBeforeCycle: cycle }),
  };
}
