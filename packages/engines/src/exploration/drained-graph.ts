import { at } from '@fencewright/ground/base/at.js';
import type { UnpackedState } from '@fencewright/ground/product/product-search.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import { addressOf } from '@fencewright/model/analysis/address-sets.js';
import { constantValue } from '@fencewright/model/program/evaluate.js';
import type { LocationId, ThreadId } from '@fencewright/model/program/ids.js';
import { transitionsFrom, transitionsTo } from '@fencewright/model/program/leaving.js';
import type { ProcessEnd, Program, Thread } from '@fencewright/model/program/program.js';
import { progressGoal } from '@fencewright/model/program/property.js';
import { type Observation, observationOf } from './observation.js';
import type { PackedExploration } from './packed-exploration.js';

/**
 * A step of one thread without store buffers: a store reaches memory at once, and a lock block is
 * one step.
 */
interface UndelayedStep {
  /** The state after the step, given by its number in the exploration. */
  readonly to: number;
  /**
   * Whether only chance lets the thread make the step. A proof of progress must not rely on such a
   * step.
   */
  readonly isLuck: boolean;
  /** The labels of `progress` properties that the thread reaches during the step. */
  readonly passes: ReadonlySet<LocationId>;
}

/**
 * The facts about a part of a thread's step, up to some point: whether a step by chance was made,
 * and the labels of `progress` properties that the thread has passed.
 */
type PathFacts = Pick<UndelayedStep, 'isLuck' | 'passes'>;

const firstWay: PathFacts = { isLuck: false, passes: new Set() };

/**
 * The functions that are called while the steps of a thread are followed: `arrive` at each state
 * after a step, `read` for each cell read.
 */
interface Walker {
  readonly arrive: (to: number, way: PathFacts) => void;
  readonly read?: (address: number) => void;
}

/** The steps of a thread from a state. */
interface UndelayedSteps {
  /**
   * The steps of the thread, one for each next state. `isLuck` is false if the thread can reach the
   * next state without chance, too.
   */
  readonly steps: readonly UndelayedStep[];
  /**
   * The addresses of the cells that decide the possible steps of the thread, including cells in
   * conditions for which the thread waits.
   */
  readonly reads: ReadonlySet<number>;
}

/** Returns the steps that do not depend on chance. */
export function withoutLuck(steps: readonly UndelayedStep[]): readonly UndelayedStep[] {
  return steps.filter(({ isLuck }) => !isLuck);
}

/**
 * Returns the observation with which an exploration has the drained states that `DrainedGraph`
 * needs: all cells are in memory, stores are issued as late as possible, and a thread that can
 * still make progress is never represented by a thread that cannot.
 */
export function drainedObservation(program: Program): Observation {
  const labels = progressLabels(program);
  const observation = observationOf(program, []);
  const threads = observation.threads.map((view, t) => ({ ...view, locations: at(labels, t) }));
  return {
    ...observation,
    ...{ threads, stuck: true, blocks: false, issuesLate: true, progress: true },
  };
}

/** Returns the labels named in `progress` properties, by thread. */
function progressLabels({ threads, properties }: Program): readonly ReadonlySet<LocationId>[] {
  const goals = properties.flatMap((property) => progressGoal(property) ?? []);
  return threads.map((_, t) => {
    const own = goals.filter(({ thread }) => thread === t);
    return new Set(own.flatMap(({ locations = [] }) => locations));
  });
}

/**
 * The drained states of a complete exploration with `drainedObservation`, and the steps between
 * drained states without store buffers. In a drained state all buffers are empty, no thread is in a
 * lock block unless the execution ends there, and no thread is between a choice and the condition
 * of the alternative chosen. If the exploration is under TSO, the states of this graph that can be
 * reached from the initial state, number 0, are the SC states.
 */
export class DrainedGraph {
  readonly exploration: PackedExploration;
  /** Whether the program has a step by chance or a choice. */
  readonly hasLuck: boolean;
  readonly #choices: readonly ReadonlySet<LocationId>[];
  readonly #counted: readonly ((address: number) => boolean)[];
  readonly #processEnds: readonly ProcessEnd[];
  readonly #labels: readonly ReadonlySet<LocationId>[];

  constructor(program: Program, exploration: PackedExploration) {
    this.exploration = exploration;
    this.#counted = countedCells(program);
    this.#processEnds = program.processEnds ?? [];
    this.#labels = progressLabels(program);
    this.#choices = program.threads.map(openChoices);
    this.hasLuck = program.threads.some(({ transitions }) =>
      transitions.some(({ luck }) => luck === 'chance' || luck === 'choice'),
    );
  }

  has(state: number): boolean {
    return this.exploration.automata.every((_, thread) => {
      const { state: local } = this.exploration.nodeOf(state, thread);
      if (local.buffer.length > 0) return false;
      if (at(this.#choices, thread).has(local.location)) return false;
      return !local.holdsLock || this.#endsAt(thread, this.exploration.search.node(state, thread));
    });
  }

  /**
   * Whether the process has ended: its end has been reached, and all joined threads have ended.
   */
  hasEnded(state: number): boolean {
    const hasEnded = (thread: ThreadId): boolean => this.exploration.isGone(state, thread);
    return this.#processEnds.some(({ at: last, awaits }) => {
      const isThere =
        !last || this.exploration.nodeOf(state, last.thread).state.location === last.location;
      return isThere && awaits.every(({ thread }) => hasEnded(thread));
    });
  }

  /**
   * Whether the execution ends when the thread is at the node, even inside a lock block: the
   * process ends, or an `assume` excludes the execution.
   */
  #endsAt(thread: ThreadId, node: number): boolean {
    const automaton = at(this.exploration.automata, thread);
    const { location } = automaton.node(node).state;
    const isEndOfProcess = this.#processEnds.some(
      ({ at: last }) => last?.thread === thread && last.location === location,
    );
    return isEndOfProcess || automaton.isCutOff(node);
  }

  /** Whether, in a state, a thread has stopped all other threads by ending the process. */
  isStopped(state: number): boolean {
    return this.exploration.automata.some(
      (_, thread) => this.exploration.nodeOf(state, thread).state.holdsLock,
    );
  }

  /**
   * Returns the states after one step from a drained state, thread by thread. A state may occur
   * several times. Steps by chance count only if `withLuck` is true.
   */
  next(state: number, withLuck: boolean): readonly number[] {
    const next: number[] = [];
    if (this.isStopped(state)) return next;
    const unpacked = this.exploration.search.state(state);
    const arrive = (to: number, { isLuck }: PathFacts): void => {
      if (withLuck || !isLuck) next.push(to);
    };
    for (let t = 0; t < this.#labels.length; t++) this.#walk(unpacked, t, { arrive });
    return next;
  }

  /** Returns the steps of one thread from a drained state. */
  stepsOf(state: number, thread: ThreadId): UndelayedSteps {
    const steps = new Map<number, UndelayedStep>();
    const reads = new Set<number>();
    if (this.isStopped(state)) return { steps: [], reads };
    this.#walk(this.exploration.search.state(state), thread, {
      read: (address) => void reads.add(address),
      arrive: (to, { isLuck, passes }) => {
        const other = steps.get(to);
        if (isLuck && other && !other.isLuck) return;
        const isSame = other?.isLuck === isLuck;
        const all = isSame ? new Set([...other.passes, ...passes]) : passes;
        steps.set(to, { to, isLuck, passes: all });
      },
    });
    return { steps: [...steps.values()], reads };
  }

  /** Follows the steps of a thread from a state. The state is changed meanwhile, and restored. */
  #walk({ nodes, values }: UnpackedState, thread: ThreadId, { arrive, read }: Walker): void {
    const { exploration } = this;
    const automaton = at(exploration.automata, thread);
    const labels = at(this.#labels, thread);
    const first = at(nodes, thread);
    let known: Set<string> | undefined;
    const goOn = (node: number, way: PathFacts): void => {
      const cells = automaton.actionCells(node);
      for (let action = 0; action < cells.length; action++) {
        const cell = at(cells, action);
        if (automaton.issuesStores(node, action)) continue;
        const isLuck = way.isLuck || automaton.isLuck(node, action);
        if (read && cell >= 0 && !isLuck && !automaton.isBlind(node, action))
          read(exploration.cells.address(cell));
        while (values.length <= cell) values.push(0);
        const value = cell < 0 ? 0 : at(values, cell);
        for (const outcome of exploration.outcomes(thread, { node, action, value })) {
          if (cell >= 0) values[cell] = outcome.value;
          const { location } = automaton.node(outcome.node).state;
          const isThere = labels.has(location);
          const passes = isThere ? new Set([...way.passes, location]) : way.passes;
          comeTo(outcome.node, isLuck === way.isLuck && !isThere ? way : { isLuck, passes });
        }
        if (cell >= 0) values[cell] = value;
      }
    };
    const comeTo = (node: number, way: PathFacts): void => {
      const { holdsLock, location } = automaton.node(node).state;
      if (holdsLock && !this.#endsAt(thread, node)) {
        const key = `${node} ${values.join()} ${way.isLuck ? 'L' : ''} ${[...way.passes].join()}`;
        if (known?.has(key)) return;
        (known ??= new Set()).add(key);
        goOn(node, way);
        return;
      }
      nodes[thread] = node;
      const to = exploration.search.numberOf({ nodes, values });
      nodes[thread] = first;
      if (to < 0) throw new InternalError('a step of a complete exploration leads out of it');
      const isChoosing = at(this.#choices, thread).has(location);
      arrive(to, isChoosing ? { ...way, isLuck: true } : way);
    };
    goOn(first, firstWay);
  }

  /**
   * Whether memory differs between the states before and after a step in a way that counts as
   * progress of the thread.
   */
  changes(thread: ThreadId, from: number, to: number): boolean {
    return this.#changesSome(from, to, at(this.#counted, thread));
  }

  /** Whether memory differs between two states, also in cells accessed by only one thread. */
  changesMemory(from: number, to: number): boolean {
    return this.#changesSome(from, to, () => true);
  }

  #changesSome(from: number, to: number, counts: (address: number) => boolean): boolean {
    const { cells, search } = this.exploration;
    return search
      .state(to)
      .values.some(
        (value, cell) => value !== search.value(from, cell) && counts(cells.address(cell)),
      );
  }
}

/**
 * Returns the locations at which the thread has chosen an alternative and not yet tested its
 * condition: all paths from the location lead to a condition of `choice`. The chosen alternative
 * may not exist.
 */
function openChoices(thread: Thread): ReadonlySet<LocationId> {
  const isOpen = (location: LocationId): boolean =>
    transitionsFrom(thread, location).every(({ to, luck }) => luck === 'choice' || found.has(to));
  const found = new Set<LocationId>();
  const pending = thread.transitions.flatMap(({ from, luck }) => (luck === 'choice' ? from : []));
  for (let location = pending.pop(); location !== undefined; location = pending.pop()) {
    if (found.has(location) || !isOpen(location)) continue;
    found.add(location);
    pending.push(...transitionsTo(thread, location).map(({ from }) => from));
  }
  return found;
}

/**
 * Returns the addresses of the cells named by instructions of a thread, or by all of them except
 * loads if `onlyStores`; `all` if an address is computed.
 */
function namedCells(
  { symbols }: Program,
  { transitions }: Thread,
  onlyStores: boolean,
): ReadonlySet<number> | 'all' {
  const named = new Set<number>();
  for (const { instruction } of transitions) {
    const expression = addressOf(instruction);
    if (!expression || (onlyStores && instruction.kind === 'load')) continue;
    const address = constantValue(expression, symbols);
    if (address === undefined) return 'all';
    named.add(address);
  }
  return named;
}

/**
 * Returns, for each thread, whether a change of the cell at an address counts as progress of the
 * thread. Cells named in the text of other threads count. If a thread stores to none of these
 * cells, all cells count.
 */
function countedCells(program: Program): readonly ((address: number) => boolean)[] {
  const named = program.threads.map((thread) => namedCells(program, thread, false));
  return program.threads.map((thread, t) => {
    const isShared = (address: number): boolean =>
      named.some((cells, other) => other !== t && (cells === 'all' || cells.has(address)));
    const stored = namedCells(program, thread, true);
    if (stored !== 'all' && ![...stored].some(isShared)) return () => true;
    return isShared;
  });
}
