import type { Components } from '../../src/pairs/components.js';

/** The least closed relation, and the features of the steps that lead to it. */
interface LeastRelation {
  /** `i,j` for all related items `i` and `j`, in both orders. */
  readonly pairs: ReadonlySet<string>;
  /** The largest number of participants of a step. */
  readonly participants: number;
}

/**
 * Returns the least closed relation between items, from the definition: the initial values of all
 * cells are related to the initial items of threads, and all steps of all items' threads are taken
 * again until a round of steps relates no further items. `undefined` if more than
 * `most` items are found.
 */
export function leastRelation(components: Components, most: number): LeastRelation | undefined {
  const pairs = new Set<string>();
  let participantsOfStep = 1;
  const has = (item: number, other: number) => pairs.has(`${item},${other}`);
  const relate = (item: number, other: number) => {
    if (item !== other) pairs.add(`${item},${other}`).add(`${other},${item}`);
  };
  const everyItem = () => Array.from({ length: components.size }, (_, item) => item);
  const relateAll = (items: readonly number[]) => {
    for (const item of items) for (const other of items) relate(item, other);
  };
  const take = (participants: readonly number[]): void => {
    const { results, missing } = components.steps(participants);
    const unchanged = everyItem().filter((item) => participants.every((one) => has(one, item)));
    for (const items of results) {
      participantsOfStep = Math.max(participantsOfStep, participants.length);
      relateAll(items);
      for (const item of items) for (const other of unchanged) relate(item, other);
    }
    if (missing === undefined) return;
    for (const partner of components.all[missing]!)
      if (participants.every((one) => has(one, partner))) take([...participants, partner]);
  };
  /** Relates the initial items of different components to each other. */
  const relateInitial = () => {
    const cells = everyItem().filter((item) => components.isInitialCell(item));
    const initial = [...components.starts, ...cells.map((item) => [item])];
    for (const items of initial)
      for (const others of initial)
        if (others !== items)
          for (const item of items) for (const other of others) relate(item, other);
  };
  let before: string | undefined;
  while (before !== `${pairs.size} ${components.size}`) {
    before = `${pairs.size} ${components.size}`;
    relateInitial();
    for (const item of everyItem())
      if (components.item(item).component < components.threads.length) take([item]);
    if (components.size > most) return undefined;
  }
  return { pairs, participants: participantsOfStep };
}
