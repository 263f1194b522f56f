import { at } from '@fencewright/ground/base/at.js';
import type { ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import { admittedBy } from '@fencewright/model/semantics/admitted.js';
import type { Computation } from '@fencewright/model/trace/computation.js';
import { happensBeforePath, hasCycle } from '@fencewright/model/trace/cycle.js';
import { buildTrace, type HappensBefore, type Trace } from '@fencewright/model/trace/trace.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';

/** A step of a schedule, of which shortening needs only the thread. */
interface OfThread {
  readonly thread: ThreadId;
}

/**
 * Executes steps, and then moves the attacker's buffered stores to memory; returns `undefined` if
 * some step is impossible.
 */
type Perform<S> = (steps: readonly S[]) => Computation | undefined;

/** The maximum number of executed steps for shortening one schedule. */
const maxShrinkingSteps = 100_000;

/**
 * Returns the schedule without helper steps (steps of threads besides the attacker) that the cycle
 * does not need. Each attempt leaves out the last step of one thread. A long schedule is first
 * reduced to the steps that one cycle needs, as `neededSteps` finds them, and may keep further
 * steps.
 */
export function shrinkSchedule<S extends OfThread>(
  program: Program,
  schedule: readonly S[],
  attack: Attack,
  happensBefore: HappensBefore,
  perform: Perform<S>,
): readonly S[] {
  const admitted = admittedBy(program);
  const isWitness = (steps: readonly S[]): boolean => {
    const computation = perform(steps);
    return (
      computation !== undefined &&
      hasCycle(buildTrace(computation, admitted(computation)), happensBefore)
    );
  };
  let current = schedule;
  if (schedule.length ** 2 > maxShrinkingSteps) {
    const needed = neededSteps(program, schedule, attack, happensBefore, perform);
    if (needed && isWitness(needed)) current = needed;
  }
  let left = maxShrinkingSteps;
  const isLeft = new Set<ThreadId>([attack.thread]);
  for (let at = current.length - 1; at >= 0 && left > 0; at--) {
    const step = current[at];
    if (!step || isLeft.has(step.thread)) continue;
    const shorter = current.toSpliced(at, 1);
    left -= shorter.length;
    if (isWitness(shorter)) current = shorter;
    else isLeft.add(step.thread);
  }
  return current;
}

/**
 * Returns the steps of the attacker, and of each other thread the steps up to its last access that
 * the happens-before path of the attack needs: accesses on the path, and the sources of the values
 * that needed accesses read. `undefined` if the path is not found. The machine may be unable to
 * execute the result.
 */
function neededSteps<S extends OfThread>(
  program: Program,
  schedule: readonly S[],
  { thread: attacker, store, load }: Attack,
  happensBefore: HappensBefore,
  perform: Perform<S>,
): readonly S[] | undefined {
  const computation = perform(schedule);
  if (!computation) return undefined;
  const trace = buildTrace(computation, admittedBy(program)(computation));
  const isOf = (at: number, transition: TransitionId): boolean =>
    computation[at]?.thread === attacker && computation[at]?.transition === transition;
  const last = trace.nodes.findLastIndex(({ issuedAt }) => isOf(issuedAt, load));
  const loadedAt = trace.nodes[last]?.issuedAt ?? -1;
  const first = trace.nodes.findIndex(
    ({ issuedAt, storedAt = -1 }) => isOf(issuedAt, store) && storedAt > loadedAt,
  );
  const path = first < 0 ? undefined : happensBeforePath(trace, last, first, happensBefore);
  if (!path) return undefined;
  const nodesOf = new Map<ThreadId, number[]>();
  trace.nodes.forEach(({ thread }, node) => {
    const own = nodesOf.get(thread) ?? [];
    own.push(node);
    nodesOf.set(thread, own);
  });
  /** For each thread, the last needed node of the thread, and the number of examined nodes. */
  const needed = new Map<ThreadId, number>([[attacker, Number.POSITIVE_INFINITY]]);
  const seen = new Map<ThreadId, number>();
  const pending: ThreadId[] = [attacker];
  const need = (node: number): void => {
    const { thread } = at(trace.nodes, node);
    if ((needed.get(thread) ?? -1) >= node) return;
    needed.set(thread, node);
    pending.push(thread);
  };
  for (const { from, to } of path) for (const node of [from, to]) need(node);
  for (let thread = pending.pop(); thread !== undefined; thread = pending.pop()) {
    const own = nodesOf.get(thread) ?? [];
    let next = seen.get(thread) ?? 0;
    for (; next < own.length && at(own, next) <= (needed.get(thread) ?? -1); next++) {
      const { source } = at(trace.nodes, at(own, next));
      if (source !== undefined) need(source);
    }
    seen.set(thread, next);
  }
  return untilLastNeeded(schedule, trace, computation, needed);
}

/** Returns the steps of each thread up to its last needed node; `needed` is indexed by thread. */
function untilLastNeeded<S extends OfThread>(
  schedule: readonly S[],
  { nodes }: Trace,
  computation: Computation,
  needed: ReadonlyMap<ThreadId, number>,
): readonly S[] {
  /** By thread, the number of steps kept so far. */
  const kept = new Map<ThreadId, number>();
  const steps = new Map<ThreadId, number>();
  const nodeAt = new Map(nodes.map(({ issuedAt }, node) => [issuedAt, node]));
  computation.forEach(({ thread, kind }, place) => {
    if (kind === 'store') return;
    const count = (steps.get(thread) ?? 0) + 1;
    steps.set(thread, count);
    const node = nodeAt.get(place);
    if (node !== undefined && node <= (needed.get(thread) ?? -1)) kept.set(thread, count);
  });
  const taken = new Map<ThreadId, number>();
  return schedule.filter(({ thread }) => {
    const count = (taken.get(thread) ?? 0) + 1;
    taken.set(thread, count);
    return needed.get(thread) === Number.POSITIVE_INFINITY || count <= (kept.get(thread) ?? 0);
  });
}
