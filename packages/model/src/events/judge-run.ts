import { at } from '@fencewright/ground/base/at.js';
import type { EventProgram } from '../program/event-program.js';
import type { EventRun, TaskId } from '../trace/event-run.js';
import type {
  EventCycleEdge,
  OrderReason,
  RunAccess,
  RunCause,
  RunConflict,
  RunJudgement,
  Serialisation,
} from '../verdict/event-judgement.js';
import { placesInCells, runAccesses } from './run-accesses.js';
import { runCauses } from './run-causes.js';
import { shortestCycle } from './shortest-cycle.js';

/**
 * Returns, for each task of the run, its path in the tree of tasks posted by the event: a child
 * index for each level.
 */
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

/**
 * Whether the task at `path` of an event's tree of posted tasks precedes the task at `other` in
 * depth-first order.
 */
export function isBeforeInTree(path: readonly number[], other: readonly number[]): boolean {
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

/**
 * The reason why, on a single thread, one event comes before another; `from` and `to` are the
 * numbers of the events.
 */
interface EventEdge extends NumberedEdge {
  readonly order: OrderReason;
}

/**
 * Returns the violations of the conditions (D) (depth-first order of an event's tasks) and (S)
 * (acyclic conflicts between events) of [BEMR18] Def. 1 in a run.
 */
function orderViolationsOf(
  run: EventRun,
  accesses: readonly RunAccess[],
  causes: readonly (readonly RunCause[])[],
): Pick<RunJudgement, 'againstDfsOrder' | 'cycleOfEvents'> {
  const paths = treePaths(run);
  const taskOf = (access: number): TaskId => at(accesses, access).task;
  const eventOf = (access: number): number => at(run.tasks, taskOf(access)).event;
  const conflicts = conflictsOf(accesses);
  const against = conflicts.find(
    ({ first, second }) =>
      eventOf(first) === eventOf(second) &&
      !isBeforeInTree(at(paths, taskOf(first)), at(paths, taskOf(second))),
  );
  const conflicting = conflicts
    .map((conflict): EventEdge => ({
      from: eventOf(conflict.first),
      to: eventOf(conflict.second),
      order: { kind: 'conflict', conflict },
    }))
    .filter(({ from, to }) => from !== to);
  const eventAt = (action: number): number => at(run.tasks, at(run.actions, action).task).event;
  const caused = causes.map((candidates) =>
    candidates.map((cause): EventEdge => ({
      from: eventAt(cause.passed),
      to: eventAt(cause.begun),
      order: { kind: 'cause', cause },
    })),
  );
  const cycle = shortestCycle(edgesOfStuck(run.tasks.length, conflicting, caused));
  return {
    ...(against && { againstDfsOrder: against }),
    ...(cycle && { cycleOfEvents: cycle.map(({ order }) => order) }),
  };
}

function serialisationOf({
  againstDfsOrder,
  cycleOfEvents,
}: ReturnType<typeof orderViolationsOf>): Serialisation {
  if (againstDfsOrder) return { kind: 'against-dfs-order', conflict: againstDfsOrder };
  if (cycleOfEvents) return { kind: 'cycle-of-events', orders: cycleOfEvents };
  return { kind: 'serialisable' };
}

/**
 * A node of the happens-before relation of an event program's run: an access, the posting of a
 * task, the passing of a milestone (a label) or the begin of a task, identified by its action.
 */
interface HappensBeforeNode {
  readonly action: number;
  readonly thread: number;
  /** The number of the access among the accesses of the run; absent for other nodes. */
  readonly access?: number;
  /** The task that the action posts; absent unless the action is a posting. */
  readonly posts?: TaskId;
  /** The task that begins; absent unless the action is the begin of a task. */
  readonly begins?: TaskId;
}

function nodesOf(
  { tasks, actions }: EventRun,
  accesses: readonly RunAccess[],
  passes: ReadonlySet<number>,
): readonly HappensBeforeNode[] {
  const accessAt = new Map(accesses.map(({ action }, access) => [action, access]));
  return actions.flatMap((action, place): HappensBeforeNode[] => {
    const { thread } = at(tasks, action.task);
    const node = { action: place, thread };
    const access = accessAt.get(place);
    if (access !== undefined) return [{ ...node, access }];
    if (action.kind === 'post') return [{ ...node, posts: action.posted }];
    if (passes.has(place)) return [node];
    return action.kind === 'begin' ? [{ ...node, begins: action.task }] : [];
  });
}

/**
 * The happens-before relation from `a` to `b`, two accesses of one cell, by their positions among
 * the accesses of the cell; `isSource`: `b` reads from `a`. `undefined` if there is no relation.
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
 * Returns the edges of the happens-before relation of a run. Program order, store order and
 * conflicts are transitively closed, so that cycles are short.
 */
function happensBefore(
  run: EventRun,
  accesses: readonly RunAccess[],
  passes: ReadonlySet<number>,
): readonly EventCycleEdge[] {
  const nodes = nodesOf(run, accesses, passes);
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
 * Returns a shortest cycle of the happens-before relation, with each lock block (from `lock` to
 * `unlock`) treated as one node; `undefined` if there is none. Edges inside of lock blocks are
 * added to connect the cycle.
 */
function happensBeforeCycle(
  run: EventRun,
  accesses: readonly RunAccess[],
  causes: readonly (readonly RunCause[])[],
): readonly EventCycleEdge[] | undefined {
  const blocks = new Map(accesses.map(({ action, block }) => [action, block ?? action]));
  const blockOf = (action: number): number => blocks.get(action) ?? action;
  const between = (edge: EventCycleEdge) => ({
    from: blockOf(edge.from),
    to: blockOf(edge.to),
    edge,
  });
  const passes = new Set(causes.flat().map(({ passed }) => passed));
  const fixed = happensBefore(run, accesses, passes)
    .map(between)
    .filter(({ from, to }) => from !== to);
  const caused = causes.map((candidates) =>
    candidates.map(({ passed, begun }) => between({ from: passed, to: begun, relation: 'cause' })),
  );
  const cycle = shortestCycle(edgesOfStuck(run.actions.length, fixed, caused));
  return cycle?.flatMap(({ edge }, place) => {
    const from = edge.to;
    const to = at(cycle, (place + 1) % cycle.length).edge.from;
    return from === to ? [edge] : [edge, { from, to, relation: from < to ? 'po' : 'lock' }];
  });
}

/** An edge between two of finitely many nodes, which are numbered from 0. */
interface NumberedEdge {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns edges that contain a cycle iff every choice of one edge from each group of `choices`
 * leaves a cycle; the edges of a group lead to the same node. Nodes are put into an order one by
 * one: a node can follow if all sources of its `fixed` edges, and one source of each of its groups,
 * are in the order. The edges among the remaining nodes are returned, except groups with a source
 * in the order.
 */
function edgesOfStuck<E extends NumberedEdge>(
  size: number,
  fixed: readonly E[],
  choices: readonly (readonly E[])[],
): readonly E[] {
  if (choices.length === 0) return fixed;
  const isPlaced = Array.from({ length: size }, () => false);
  const isOpen = ({ from }: E): boolean => isPlaced[from] !== true;
  for (let isGrowing = true; isGrowing;) {
    isGrowing = false;
    const blocked = new Set<number>();
    for (const edge of fixed) if (isOpen(edge)) blocked.add(edge.to);
    for (const group of choices)
      if (group.every(isOpen)) for (const { to } of group) blocked.add(to);
    for (let node = 0; node < size; node++)
      if (isPlaced[node] !== true && !blocked.has(node)) isPlaced[node] = isGrowing = true;
  }
  const stuck = choices.filter((group) => group.every(isOpen));
  return [...fixed, ...stuck.flat()].filter((edge) => isOpen(edge) && isPlaced[edge.to] !== true);
}

/**
 * Judges a run of an event program by three conditions of [BEMR18]. The run uses many threads,
 * under SC or TSO, and need not be complete. (D) Conflicting accesses by tasks of one event are in
 * the depth-first order of the event's tree of posted tasks. (S) The order of events is acyclic:
 * one event precedes another by a conflict of their tasks, or because the other waited for a
 * milestone (a label) that the first passed. The happens-before relation of Definition 2 is
 * acyclic. A store takes effect when it reaches memory, a load directly after the store from which
 * it reads. Of several tasks that had passed a milestone when the waiting event began, any may
 * count.
 */
export function judgeRun(program: EventProgram, run: EventRun): RunJudgement {
  const accesses = runAccesses(run);
  const causes = runCauses(program, run);
  const cycle = happensBeforeCycle(run, accesses, causes);
  const disorders = orderViolationsOf(run, accesses, causes);
  return {
    accesses,
    ...disorders,
    serialisation: serialisationOf(disorders),
    ...(cycle && { happensBeforeCycle: cycle }),
  };
}
