import { leavesOf, registersIn } from '@fencewright/model/analysis/state-leaves.js';
import type { LocationId, RegisterId } from '@fencewright/model/program/ids.js';
import type { Program, Property, StateLeaf } from '@fencewright/model/program/program.js';

/** The parts of a thread's state on which the observation depends at every moment. */
export interface ThreadView {
  /**
   * The locations that matter to the question: at every moment, whether the thread is at the
   * location.
   */
  readonly locations: ReadonlySet<LocationId>;
  readonly registers: ReadonlySet<RegisterId>;
  readonly ended: boolean;
  readonly drained: boolean;
}

/**
 * The parts of a program's states on which a question depends. Steps that change none of these
 * parts are merged with neighbouring steps.
 */
export interface Observation {
  /**
   * For each thread, the parts of the thread's state on which the question depends at every moment,
   * indexed by thread.
   */
  readonly threads: readonly ThreadView[];
  /**
   * For each thread, the registers that the question depends on in states without further steps,
   * indexed by thread.
   */
  readonly whenStuck: readonly ReadonlySet<RegisterId>[];
  /**
   * For each thread, the registers that the question depends on when the thread has ended, indexed
   * by thread.
   */
  readonly atEnds: readonly ReadonlySet<RegisterId>[];
  /** The addresses of the cells whose values the question depends on at every moment. */
  readonly memory: ReadonlySet<number>;
  /**
   * Whether the question depends on the states inside of lock blocks. Then the steps of lock blocks
   * are not merged.
   */
  readonly blocks: boolean;
  /**
   * Whether the question tells states without a next step from other states. In states without a
   * next step, the locations of the threads matter, too.
   */
  readonly stuck: boolean;
  /** Whether the question depends on the contents of store buffers. */
  readonly buffers: boolean;
  /**
   * Whether the question depends only on states with empty buffers. A thread then issues a store
   * only if the store can reach memory at once, or if the thread makes a later access while the
   * store waits in the buffer.
   */
  readonly issuesLate?: true;
  /**
   * Whether the question depends on whether threads can make progress. If so, each state in which
   * the thread may stand still for ever is a separate node. A thread that can wait at a location,
   * but can also go on alone, keeps both possibilities.
   */
  readonly progress?: true;
}

/**
 * Returns the observation needed for the final states of a program (memory and registers known to
 * users) and for its properties.
 *
 * - `never` looks at every state: the parts mentioned in the condition are seen at every moment,
 *   and lock blocks are seen inside.
 * - `finally` and `exists` look at final states, after the end of all threads.
 * - `stuck` looks at states without a step: registers and locations of threads are seen there.
 */
export function observationOf(
  program: Program,
  properties: readonly Property[] = program.properties,
): Observation {
  const ofKinds = (...kinds: readonly Property['kind'][]): readonly StateLeaf[] =>
    leavesOf(properties.flatMap((one) => (kinds.includes(one.kind) ? [one.condition] : [])));
  const always = ofKinds('never');
  const whenStuck = ofKinds('stuck');
  const final = ofKinds('finally', 'exists');
  const stuck = properties.some(({ kind }) => kind === 'stuck');
  const threads = program.threads.map((_, thread): ThreadView => {
    const own = always.filter((leaf) => leaf.kind !== 'memory' && leaf.thread === thread);
    return {
      locations: new Set(own.flatMap((leaf) => (leaf.kind === 'at' ? [leaf.location] : []))),
      registers: registersIn(own, thread),
      ended: own.some(({ kind }) => kind === 'ended'),
      drained: own.some(({ kind }) => kind === 'drained'),
    };
  });
  return {
    threads,
    whenStuck: program.threads.map((_, thread) => registersIn(whenStuck, thread)),
    atEnds: program.threads.map(({ registers }, thread) => {
      const known = registersIn(final, thread);
      registers.forEach(({ hidden }, register) => {
        if (!hidden) known.add(register);
      });
      return known;
    }),
    memory: new Set(always.flatMap((leaf) => (leaf.kind === 'memory' ? [leaf.address] : []))),
    blocks: stuck || properties.some(({ kind }) => kind === 'never'),
    stuck,
    buffers: threads.some(({ drained }) => drained),
  };
}

function union<T>(sets: readonly ReadonlySet<T>[]): ReadonlySet<T> {
  return new Set(sets.flatMap((set) => [...set]));
}

/**
 * Returns an observation that sees of each thread all that the given observation sees of any thread
 * of the same kind, so that threads with equal code and kind stay interchangeable. `kindOf` is
 * indexed by thread.
 */
export function alikeByKind(
  { threads, whenStuck, atEnds, ...rest }: Observation,
  kindOf: readonly number[],
): Observation {
  const overKind = <T, U>(all: readonly T[], join: (some: readonly T[]) => U): readonly U[] =>
    kindOf.map((kind) => join(all.filter((_, thread) => kindOf[thread] === kind)));
  return {
    ...rest,
    threads: overKind(threads, (views) => ({
      locations: union(views.map(({ locations }) => locations)),
      registers: union(views.map(({ registers }) => registers)),
      ended: views.some(({ ended }) => ended),
      drained: views.some(({ drained }) => drained),
    })),
    whenStuck: overKind(whenStuck, union),
    atEnds: overKind(atEnds, union),
  };
}

/** Returns the observation that properties alone need, without further parts of final states. */
export function observationOfProperties(
  program: Program,
  properties: readonly Property[],
): Observation {
  const leaves = leavesOf(
    properties.flatMap(({ kind, condition }) =>
      kind === 'finally' || kind === 'exists' ? [condition] : [],
    ),
  );
  const atEnds = program.threads.map((_, thread) => registersIn(leaves, thread));
  return { ...observationOf(program, properties), atEnds };
}
