import { at } from '@fencewright/ground/base/at.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import { type Repair, repairName, singleRepairs } from '@fencewright/model/program/repair.js';
import type { Action, Computation } from '@fencewright/model/trace/computation.js';
import type { RepairProblem } from './repair-problem.js';
import { textThread } from './text-thread.js';
import { TraceOrder } from './trace-order.js';

/**
 * The requirement that the action at position `before` comes before the action at position `after`.
 */
interface Precedence {
  /**
   * The position of the action that comes first; `undefined` if the computation has no such action,
   * since a store never reaches memory.
   */
  readonly before: number | undefined;
  readonly after: number;
}

/** Returns the computation with the waiting stores reaching memory at its end. */
function withLastStores(computation: Computation): Computation {
  const waiting = new Map<ThreadId, Extract<Action, { kind: 'issue' }>[]>();
  for (const action of computation) {
    const own = waiting.get(action.thread) ?? [];
    if (action.kind === 'issue') waiting.set(action.thread, [...own, action]);
    if (action.kind === 'store') waiting.set(action.thread, own.slice(1));
  }
  const last = [...waiting.values()].flat().map((issue): Action => ({ ...issue, kind: 'store' }));
  return [...computation, ...last];
}

/**
 * Returns, for each single repair, by name, pairs of actions of the computation. The computation is
 * possible in the program with the repair exactly if each pair's first action comes first.
 */
function precedencesOf(
  program: Program,
  computation: Computation,
): ReadonlyMap<string, readonly Precedence[]> {
  const found = new Map<string, Precedence[]>();
  const add = (repair: Repair, before: number | undefined, after: number): void => {
    const name = repairName(repair);
    found.set(name, [...(found.get(name) ?? []), { before, after }]);
  };
  const stored = program.threads.map((_, thread) =>
    [...computation.keys()].filter(
      (place) =>
        at(computation, place).thread === thread && at(computation, place).kind === 'store',
    ),
  );
  const issued = program.threads.map(() => 0);
  /**
   * By thread, the transition of the last instruction that the thread has executed, if it is a
   * store; otherwise `undefined`.
   */
  const latest = program.threads.map((): number | undefined => undefined);
  for (const [place, { kind, thread, transition }] of computation.entries()) {
    if (kind === 'store') continue;
    const text = textThread(program, thread);
    const count = at(issued, thread);
    if (count > 0) {
      const before = at(stored, thread)[count - 1];
      const location = at(at(program.threads, thread).transitions, transition).from;
      add({ kind: 'fence', thread: text, location }, before, place);
      const previous = latest[thread];
      const changed = previous === undefined ? [transition] : [previous, transition];
      for (const each of changed)
        for (const change of ['xchg', 'keep'] as const)
          add({ kind: change, thread: text, transition: each }, before, place);
    }
    latest[thread] = kind === 'issue' ? transition : undefined;
    if (kind === 'issue') issued[thread] = count + 1;
  }
  return found;
}

/**
 * Returns the computation reduced to the actions that its last action needs. Needed stores that are
 * still buffered then reach memory at the end.
 */
function withoutUnneeded(program: Program, computation: Computation): Computation {
  const order = new TraceOrder(program, computation);
  const needed = order.upTo(computation.length - 1);
  const issued = program.threads.map(() => 0);
  for (const place of needed) {
    const { kind, thread } = at(computation, place);
    if (kind === 'issue') issued[thread]!++;
  }
  const stored = program.threads.map(() => 0);
  const kept = computation.filter(({ kind, thread }, place) => {
    if (kind !== 'store') return needed.has(place);
    stored[thread]!++;
    return stored[thread]! <= issued[thread]!;
  });
  return withLastStores(kept);
}

/** Whether some thread is inside a lock block at the end. */
function endsInBlock(computation: Computation): boolean {
  const last = computation.findLast(({ kind }) => kind === 'lock' || kind === 'unlock');
  return last?.kind === 'lock';
}

/**
 * Returns a computation with the same trace and final state that is prevented by as few as possible
 * of the repairs `preventing`, which prevent the given computation. No further item prevents the
 * given or the returned computation. With `isAssertion`, the last action fails an assertion and
 * stays the last; actions that the last action does not need are left out.
 */
export function withFewestDelays(
  { program, items }: Pick<RepairProblem, 'program' | 'items'>,
  computation: Computation,
  preventing: readonly number[],
  isAssertion: boolean,
): Computation {
  const failing = computation.at(-1);
  if (!failing || endsInBlock(computation)) return computation;
  const whole = isAssertion ? withoutUnneeded(program, computation) : computation;
  const order = new TraceOrder(program, whole);
  const precedences = precedencesOf(program, whole);
  const require = (some: readonly Repair[]): boolean => {
    const parts = some.flatMap((item) => singleRepairs(item));
    const all = parts.flatMap((part) => precedences.get(repairName(part)) ?? []);
    const pairs = all.flatMap(({ before, after }) =>
      before === undefined ? [] : [[before, after] as const],
    );
    return pairs.length === all.length && order.tryAll(pairs);
  };
  if (!require(items.filter((_, index) => !preventing.includes(index)))) return computation;
  for (const index of preventing) require([at(items, index)]);
  const reordered = order.inOrder() ?? computation;
  if (!isAssertion) return reordered;
  const isFailing = ({ kind, thread, transition }: Action): boolean =>
    kind === failing.kind && thread === failing.thread && transition === failing.transition;
  return reordered.slice(0, reordered.findLastIndex(isFailing) + 1);
}
