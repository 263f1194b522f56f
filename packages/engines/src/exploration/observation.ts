import { hasPart } from '@fencewright/model/program/expression.js';
import type { LocationId, RegisterId, ThreadId } from '@fencewright/model/program/ids.js';
import type { Program, Property, StateExpression, StateLeaf } from '@fencewright/model/program/program.js';

/** What of a thread is seen at every moment. */
export interface ThreadView {
  /** Whether the thread stands at one of these places, and at which. */
  readonly locations: ReadonlySet<LocationId>;
  readonly registers: ReadonlySet<RegisterId>;
  readonly ended: boolean;
  readonly drained: boolean;
}

/**
 * What questions see of the states of a program. Steps that change nothing of it are not told apart
 * from the ones before and after them.
 */
export interface Observation {
  /** Indexed by thread. */
  readonly threads: readonly ThreadView[];
  /** Indexed by thread: registers that are seen where nothing can happen any more. */
  readonly whenStuck: readonly ReadonlySet<RegisterId>[];
  /** Indexed by thread: registers that are seen where the thread has ended. */
  readonly atEnds: readonly ReadonlySet<RegisterId>[];
  /** Addresses of cells that are seen at every moment. */
  readonly memory: ReadonlySet<number>;
  /** What the inside of a lock block looks like is seen. */
  readonly blocks: boolean;
  /** Whether nothing can happen any more is seen, and where threads stand then. */
  readonly stuck: boolean;
  /** Which stores wait in buffers is seen. */
  readonly buffers: boolean;
  /** Where threads stand before stores is seen: a store is never issued together with others. */
  readonly issues?: true;
  /**
   * Whether a thread can still get on is seen: every way to stand still for ever is a node of its
   * own, and a thread that may wait at a place or go on by itself can go on later, too.
   */
  readonly progress?: true;
}

function leavesOf(conditions: readonly StateExpression[]): readonly StateLeaf[] {
  const leaves: StateLeaf[] = [];
  for (const condition of conditions)
    hasPart<StateLeaf>(condition, (part) => {
      if (part.kind === 'memory' || 'thread' in part) leaves.push(part);
      return false;
    });
  return leaves;
}

function registersIn(leaves: readonly StateLeaf[], thread: ThreadId): Set<RegisterId> {
  const registers = new Set<RegisterId>();
  for (const leaf of leaves)
    if (leaf.kind === 'register' && leaf.thread === thread) registers.add(leaf.register);
  return registers;
}

/**
 * What has to be seen for the final states of a program, memory and registers that users know, and
 * for its properties.
 *
 * - `never` looks at every state: what its condition mentions is seen at every moment, and lock
 *   blocks are seen inside.
 * - `finally` and `exists` look at final states, where all threads have ended.
 * - `stuck` looks at states without a step: registers are seen there, and where threads stand.
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

/** What has to be seen for properties alone, whatever else final states are. */
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
