import { at } from '@fencewright/ground/base/at.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import type { LocationId, ThreadId } from '@fencewright/model/program/ids.js';
import type { Program, Property } from '@fencewright/model/program/program.js';
import { replayStates } from '@fencewright/model/semantics/replay.js';
import type { Computation } from '@fencewright/model/trace/computation.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';
import {
  type FencePart,
  singleRepairs,
  type Repair,
  repairName,
} from '@fencewright/model/program/repair.js';
import { applyRepair, fencePlaces } from './apply-repair.js';
import type { Clause } from './cheapest-hitting.js';
import { withFewestDelays } from './fewest-delays.js';
import { type Violation, violatedProperty } from './find-violation.js';
import { withLateIssues, withoutRepairs } from './lift-violation.js';
import { isNamed, type RepairProblem } from './repair-problem.js';
import { textThread } from './text-thread.js';

/**
 * A clause met by every repair reaching the goal: the repair contains one of `items`, or lacks the
 * fence at the place of one of the threads in `nowhere`. A repair that does not meet the clause
 * leaves the computation possible, with fences passed while the buffer is empty, and the
 * computation ends in a state that violates the goal.
 */
export interface PropertyClause extends Clause {
  /**
   * The name of the violated property, or of the missed goal for states at rest (a `RestGoal`);
   * absent for assertions.
   */
  readonly property?: string;
  /** A TSO computation of the problem's program; a failing assertion fails in the last action. */
  readonly computation: Computation;
  /** The program of the repair problem that `computation` is a computation of. */
  readonly program: Program;
  /**
   * The threads that have to be at a location without a label at the end of the computation, for
   * the goal to be violated. A fence leaves a thread at such a location: before the fence if the
   * fence is at an end or before a label; otherwise after the fence.
   */
  readonly nowhere: readonly ThreadId[];
}

/**
 * The maximum number of fences for which all subsets are tested whether they make no difference to
 * a violation. A clause names all fences if there are more.
 */
const maxIndifferent = 6;

/**
 * Returns the items that make a computation of the program impossible: a fence where a thread with
 * a non-empty buffer executes an instruction; an exchange for a store that waits in the buffer
 * while its thread executes an instruction, or at the end of the computation, or that is issued
 * with a non-empty buffer.
 */
function itemsThatPrevent({ program, items }: RepairProblem, computation: Computation): number[] {
  const buffered = program.threads.map((): number[] => []);
  const names = new Set<string>();
  const addDelayed = (thread: ThreadId, transitions: readonly number[]): void => {
    for (const transition of transitions)
      for (const kind of ['xchg', 'keep'] as const)
        names.add(repairName({ kind, thread: textThread(program, thread), transition }));
  };
  for (const { kind, thread, transition } of computation) {
    const own = buffered[thread] ?? [];
    if (kind === 'store') {
      own.shift();
      continue;
    }
    if (own.length > 0) {
      const location = at(at(program.threads, thread).transitions, transition).from;
      names.add(repairName({ kind: 'fence', thread: textThread(program, thread), location }));
      addDelayed(thread, [...own, transition]);
    }
    if (kind === 'issue') own.push(transition);
  }
  buffered.forEach((own, thread) => addDelayed(thread, own));
  return items.flatMap((item, index) => (isNamed(item, names) ? [index] : []));
}

function* subsetsOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let bits = 0; bits < 2 ** all.length; bits++) yield all.filter((_, i) => bits & (1 << i));
}

/**
 * The state at the end of a computation of the program, and the changes of this state by fences at
 * the threads' locations.
 */
class LastState {
  readonly #problem: RepairProblem;
  readonly #properties: readonly Property[];
  readonly #state: MachineState;

  constructor(problem: RepairProblem, properties: readonly Property[], state: MachineState) {
    this.#problem = problem;
    this.#properties = properties;
    this.#state = state;
  }

  /** Returns the index of the fence item at the thread's location; `undefined` if there is none. */
  fenceOf(thread: ThreadId): number | undefined {
    const { items } = this.#problem;
    const index = items.findIndex((item) => this.#fencesHere(item, thread).length > 0);
    return index < 0 ? undefined : index;
  }

  /** Returns the parts of an item that are fences at the thread's location. */
  #fencesHere(item: Repair, thread: ThreadId): readonly FencePart[] {
    const text = textThread(this.#problem.program, thread);
    const place = this.#state.locations[thread];
    return singleRepairs(item).flatMap((part) =>
      part.kind === 'fence' && part.thread === text && part.location === place ? [part] : [],
    );
  }

  /**
   * Whether a fence at the thread's location would delay the thread: the thread's buffer is not
   * empty, and the thread is at an end, or at a label before which the fence is placed.
   */
  waits(thread: ThreadId): boolean {
    const place = this.#state.locations[thread];
    const { program, items } = this.#problem;
    const { transitions } = at(program.threads, thread);
    const isEnd = transitions.every(({ from }) => from !== place);
    const isBefore = items.some((item) =>
      this.#fencesHere(item, thread).some(({ before }) => before),
    );
    return (isEnd || isBefore) && at(this.#state.buffers, thread).length > 0;
  }

  /**
   * Returns the indices of the fence items that delay some thread at the end of the computation.
   */
  holdingUp(): readonly number[] {
    const fences = this.#state.locations.flatMap((_, thread) =>
      this.waits(thread) ? (this.fenceOf(thread) ?? []) : [],
    );
    return [...new Set(fences)];
  }

  /**
   * Whether the state at the end of the computation violates the goal with the given fences, if the
   * threads in `nowhere` are at locations without a label.
   */
  #isViolation(fences: ReadonlySet<number>, nowhere: readonly ThreadId[]): boolean {
    const { program, items } = this.#problem;
    const added = [...fences].map((index) => items[index]!);
    const locations = this.#state.locations.map((location, thread): LocationId => {
      const fence = this.fenceOf(thread);
      const isThere = fence !== undefined && fences.has(fence);
      const isNowhere = nowhere.includes(thread) || (isThere && this.waits(thread));
      if (!isNowhere) return location;
      return fencePlaces(program, added, thread).get(location) ?? location;
    });
    const repaired = applyRepair(program, added);
    const state = { ...this.#state, locations };
    return violatedProperty(repaired, this.#properties, state) !== undefined;
  }

  /**
   * Whether the state at the end of the computation violates the goal with the fences of the
   * threads in `nowhere` and with any subset of the fences outside `excluded`.
   */
  isAlwaysViolation(excluded: readonly number[], nowhere: readonly ThreadId[]): boolean {
    const there = nowhere.flatMap((thread) => this.fenceOf(thread) ?? []);
    if (there.some((fence) => excluded.includes(fence))) return false;
    const indifferent = this.holdingUp().filter(
      (fence) => !excluded.includes(fence) && !there.includes(fence),
    );
    if (indifferent.length > maxIndifferent) return false;
    return [...subsetsOf(indifferent)].every((fences) =>
      this.#isViolation(new Set([...there, ...fences]), nowhere),
    );
  }
}

/**
 * Returns the parts of the clause that follow from the state at the end of a violation: the fences
 * that prevent the violation, and the threads that have to be at a fence.
 */
function clauseOfState(
  problem: RepairProblem,
  chosen: readonly Repair[],
  { property, state: reached }: Extract<Violation, { kind: 'property' }>,
  end: MachineState,
): Pick<Required<PropertyClause>, 'items' | 'unless' | 'nowhere'> {
  const { program } = problem;
  const last = new LastState(problem, [property], end);
  let nowhere = reached.locations.flatMap((location, thread) =>
    [...fencePlaces(program, chosen, thread).values()].includes(location) ? [thread] : [],
  );
  const there = nowhere.flatMap((thread) => last.fenceOf(thread) ?? []);
  let excluded = last.holdingUp().filter((fence) => !there.includes(fence));
  if (!last.isAlwaysViolation(excluded, nowhere))
    throw new InternalError('a violation is none without the repairs that do not prevent it');
  for (const thread of nowhere) {
    const fewer = nowhere.filter((other) => other !== thread);
    if (last.isAlwaysViolation(excluded, fewer)) nowhere = fewer;
  }
  for (const fence of excluded) {
    const fewer = excluded.filter((other) => other !== fence);
    if (last.isAlwaysViolation(fewer, nowhere)) excluded = fewer;
  }
  const unless = [...new Set(nowhere.flatMap((thread) => last.fenceOf(thread) ?? []))];
  return { items: excluded, unless, nowhere };
}

/**
 * Returns the clause of a violation in the program repaired with `chosen`; the choice does not meet
 * the clause.
 */
export function clauseOf(
  problem: RepairProblem,
  chosen: readonly Repair[],
  violation: Violation,
): PropertyClause {
  const found = withLateIssues(withoutRepairs(problem.program, violation.computation));
  const preventing = itemsThatPrevent(problem, found);
  const computation = withLateIssues(
    withFewestDelays(problem, found, preventing, violation.kind === 'assertion'),
  );
  const end = replayStates(problem.program, computation)?.at(-1);
  if (!end) throw new InternalError('a violation of a repaired program is none of the original');
  const atEnd =
    violation.kind === 'property'
      ? clauseOfState(problem, chosen, violation, end)
      : { items: [], nowhere: [], unless: [] };
  const { nowhere, unless } = atEnd;
  const items = new Set([...itemsThatPrevent(problem, computation), ...atEnd.items]);
  const property = nameOf(violation);
  return {
    items: [...items].sort((a, b) => a - b),
    unless,
    ...(property !== undefined && { property }),
    ...{ computation, nowhere, program: problem.program },
  };
}

/** Returns the name of the violated property; `undefined` for an assertion. */
export function nameOf(violation: Violation): string | undefined {
  switch (violation.kind) {
    case 'property':
      return violation.property.name;
    case 'rest':
      return violation.goal;
    case 'assertion':
      return undefined;
  }
}
