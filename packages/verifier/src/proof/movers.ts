import type { Arc } from './acts.js';
import { type PathAccess, take } from './execute.js';
import type { Premises } from './invariants.js';
import { isSameCell } from './memory.js';
import { type Obligation, Question } from './question.js';
import { coreOf, nameOf } from './steps.js';
import type { Model, TermState } from './symbolic-state.js';
import { and, type Bool, not, or, same } from './terms.js';

/**
 * The relation that says when two neighbouring accesses of different threads are ordered.
 *
 * - `standard`: the accesses are to one cell and at least one is a store.
 * - `value`: the accesses are to one cell, and the values read or written differ.
 * - `outcome`: as `value`; but a store is ordered with a guess (a load that may return any value
 * its condition allows) or with a failing `cas` only if the stored value would change what the
 * guess or the `cas` does.
 */
export type Order = 'standard' | 'value' | 'outcome';

/**
 * Returns obligations that a load is not ordered before the following step of any other thread, or
 * that a store is not ordered after the preceding step.
 */
export function moves(
  model: Model,
  premises: Premises,
  thread: number,
  mover: Arc,
  order: Order,
): readonly Obligation[] {
  return model.threads.flatMap(({ steps }, other) =>
    other === thread && !premises.isMany(thread)
      ? []
      : distinct(steps).flatMap(
          (step) => passes(model, premises, { thread, mover, other, step }, order) ?? [],
        ),
  );
}

/** Returns the parts of the steps that other threads can notice, without repetitions. */
function distinct(steps: readonly (readonly Arc[])[]): readonly (readonly Arc[])[] {
  const cores = steps.map(coreOf).filter(({ length }) => length > 0);
  const known = new Map(cores.map((core) => [core.map((arc) => arcKey(arc)).join(), core]));
  return [...known.values()];
}

function arcKey({ id, act }: Arc): string {
  return `${id}${'outcome' in act ? act.outcome : act.kind}`;
}

interface Neighbours {
  readonly thread: number;
  readonly mover: Arc;
  readonly other: number;
  readonly step: readonly Arc[];
}

function passes(
  model: Model,
  premises: Premises,
  { thread, mover, other, step }: Neighbours,
  order: Order,
): Obligation | undefined {
  const question = new Question();
  const [mine, its] = [premises.role(thread), premises.role(other)];
  const state = premises.state([mine, its], question);
  // Both steps can start from one state: a load changes no memory, and the effect of a store does
  // not depend on memory. But the other step may miss stores delayed in front of the load.
  const own = take(model, [mover], mine, state, question);
  const isLoad = mover.act.kind === 'load';
  const found = isLoad ? missing(model, thread, step, state, question) : state;
  const theirs = take(model, step, its, found, question);
  const [access] = own.accesses;
  const ordered = theirs.accesses.map((each) =>
    and([
      isSameCell(access!.cell, each.cell),
      isLoad ? loadFirst(access!, each, order) : storeLast(access!, each, order),
    ]),
  );
  const any = or(ordered);
  if (any.value === false) return undefined;
  question.assert(own.guard);
  question.assert(theirs.guard);
  question.assert(any);
  const { thread: owner } = model.threads[thread]!;
  const { thread: neighbour } = model.threads[other]!;
  const direction = isLoad ? 'right' : 'left';
  const claim = `${mover.act.kind} of ${owner.name} at ${nameOf(owner, mover.from)} moves ${direction} of ${neighbour.name}'s step from ${nameOf(neighbour, step[0]!.from)} (${order})`;
  return { claim, script: question.script, wanted: 'unsat' };
}

/**
 * Returns a state as a step of another thread may find it while a thread delays stores: every slot
 * that the thread stores to may hold anything. Only a lock block can notice the difference: any
 * other step accesses one cell, the cell of the load that should move, to which no store is
 * delayed.
 */
function missing(
  { memory, threads }: Model,
  thread: number,
  step: readonly Arc[],
  state: TermState,
  question: Question,
): TermState {
  if (step.filter(({ act }) => 'address' in act).length < 2) return state;
  const { arcs, isLocked } = threads[thread]!;
  const stored = new Set(
    arcs.flatMap(({ act, from }) =>
      act.kind === 'store' && !isLocked.get(from)
        ? [memory.cellAt(act.address, () => question.integer()).slot]
        : [],
    ),
  );
  const early = state.memory.map((held, slot) => {
    if (!stored.has(slot)) return held;
    return memory.slots[slot]!.isArray ? question.array() : question.integer();
  });
  return { ...state, memory: early };
}

const never: Bool = { text: 'false', value: false };

/** Returns the condition that a load is ordered before another thread's access to the same cell. */
function loadFirst(load: PathAccess, { written }: PathAccess, order: Order): Bool {
  if (!written) return never;
  if (order === 'standard') return { text: 'true', value: true };
  return order === 'outcome' ? not(load.permits!(written)) : not(same(load.read!, written));
}

/** Returns the condition that a store is ordered after another thread's access to the same cell. */
function storeLast({ written: value }: PathAccess, other: PathAccess, order: Order): Bool {
  if (order === 'standard') return { text: 'true', value: true };
  const finds = !other.read
    ? never
    : order === 'outcome' && other.permits
      ? not(other.permits(value!))
      : not(same(other.read, value!));
  return or([finds, other.written ? not(same(other.written, value!)) : never]);
}
