import { draining, type Instruction, type Thread } from './automata.js';

/** Whether some instruction of the threads satisfies `isWanted`. */
export function uses(
  { threads }: { readonly threads: readonly Pick<Thread, 'transitions'>[] },
  isWanted: (instruction: Instruction) => boolean,
): boolean {
  return threads.some(({ transitions }) =>
    transitions.some(({ instruction }) => isWanted(instruction)),
  );
}

/**
 * Returns the locations that control flow reaches from the given locations if it takes only
 * instructions for which `passes` is true.
 */
export function reachableFrom(
  { transitions }: Pick<Thread, 'transitions'>,
  starts: Iterable<number>,
  passes: (instruction: Instruction) => boolean = () => true,
): ReadonlySet<number> {
  const found = new Set(starts);
  // The set grows during the loop.
  for (const location of found)
    for (const { from, to, instruction } of transitions)
      if (from === location && passes(instruction)) found.add(to);
  return found;
}

/**
 * Returns the locations that the thread reaches from `start` without passing an instruction that
 * drains its buffer.
 */
export function undrainedFrom(thread: Thread, start: number): ReadonlySet<number> {
  return reachableFrom(thread, [start], ({ kind }) => !draining.has(kind));
}

/** Returns the locations of the lock block that begins at `start`, after the `lock`. */
export function insideBlock(thread: Thread, start: number): ReadonlySet<number> {
  return reachableFrom(thread, [start], ({ kind }) => kind !== 'unlock');
}

/** Returns, by location, the first locations of the lock blocks that contain the location. */
export function blocksOf(thread: Thread): ReadonlyMap<number, readonly number[]> {
  const blocks = new Map<number, number[]>();
  const starts = thread.transitions.flatMap(({ to, instruction }) =>
    instruction.kind === 'lock' ? [to] : [],
  );
  for (const start of new Set(starts))
    for (const location of insideBlock(thread, start))
      blocks.set(location, [...(blocks.get(location) ?? []), start]);
  return blocks;
}

/**
 * Returns the loads, by transition, that control flow reaches from a store without emptying the
 * buffer. A load outside this set forms no attack with the store ([BDM13] Def. 1).
 */
export function loadsBehind(thread: Thread, store: number): ReadonlySet<number> {
  const { transitions } = thread;
  const start = transitions[store];
  if (start?.instruction.kind !== 'store') return new Set();
  const reached = undrainedFrom(thread, start.to);
  const isLoad = (id: number): boolean => transitions[id]!.instruction.kind === 'load';
  return new Set(
    [...transitions.keys()].filter((id) => isLoad(id) && reached.has(transitions[id]!.from)),
  );
}

/**
 * Returns the attacks of a thread that control flow allows: for each store, the loads that can
 * overtake the store.
 */
export function openAttacks(thread: Thread): ReadonlyMap<number, ReadonlySet<number>> {
  const all = thread.transitions.map((_, id) => [id, loadsBehind(thread, id)] as const);
  return new Map(all.filter(([, loads]) => loads.size > 0));
}
