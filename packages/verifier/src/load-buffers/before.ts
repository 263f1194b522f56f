import { type Cone, hasPlace, isBelow, isNormal, type Letter, type Word } from './cone.js';
import type { Edge, ThreadNode, ThreadGraphs } from './thread-graphs.js';

/**
 * The machine with load buffers (after [AABN18]), which reaches the same states as the machine of
 * [BDM13] Table 1. Each thread has a buffer of letters, the oldest first:
 *
 * - a store of v to x writes memory, removes all letters on x from the own buffer, and appends
 *   `own (x, v)`;
 * - `(x, m[x])` may be appended to a buffer at any time, and an oldest letter removed;
 * - a load of v from x needs `own (x, v)`, or no own letter on x, and `(x, v)` as the oldest;
 * - a fence, an rmw and both ends of a lock block need an empty buffer, an rmw works on memory;
 * - a thread may access memory, or append letters from it, only if no other thread holds the lock.
 *
 * At some moment memory may freeze. From then on stores change only the buffer of their thread, and
 * nothing is appended; fences, rmws and lock blocks are over. The stores of a thread from then on
 * are the content of its store buffer at the corresponding moment of the machine of [BDM13].
 */

/**
 * Returns buffer contents that a thread may have had before a load: the thread loads `value` from
 * `address`, and has `word` in its buffer afterwards. Before the load, its buffer had at least the
 * letters of one of the results.
 */
function beforeLoad(word: Word, address: number, value: number): readonly Word[] {
  const own: Letter = { address, value, own: true };
  const isOwn = (letter: Letter): boolean => letter.own && letter.address === address;
  const known = word.find(isOwn);
  if (known) return known.value === value ? [word] : [];
  const plain: Letter = { address, value, own: false };
  const [oldest] = word;
  const isThere = oldest !== undefined && isBelow(plain, oldest);
  const put = [...word.keys(), word.length].map((i) => word.toSpliced(i, 0, own));
  const made = [...word.keys()].filter((i) => isBelow(word[i]!, own)).map((i) => word.with(i, own));
  return [isThere ? word : [plain, ...word], ...[...put, ...made].filter(isNormal)];
}

/**
 * Returns the least buffer content before a store, if the thread stores `value` to `address` and
 * has `word` afterwards; `undefined` if impossible.
 */
function beforeStore(word: Word, address: number, value: number): Word | undefined {
  const newest = word.at(-1);
  const isNew = newest !== undefined && isBelow(newest, { address, value, own: true });
  const rest = isNew ? word.slice(0, -1) : word;
  return rest.some((letter) => letter.address === address) ? undefined : rest;
}

function isFree({ lock }: Cone, thread: number): boolean {
  return lock === null || lock === thread;
}

/** Whether a configuration of the cone may have `value` in memory at `address`. */
function mayHold({ memory }: Cone, address: number, value: number): boolean {
  return !memory.has(address) || memory.get(address) === value;
}

function holding({ memory }: Cone, address: number, value: number | undefined): Cone['memory'] {
  const changed = new Map(memory);
  if (value === undefined) changed.delete(address);
  else changed.set(address, value);
  return changed;
}

/** Returns the configurations from which a step of a thread leads into a cone. */
function beforeStep(cone: Cone, thread: number, { from, to, effect }: Edge): readonly Cone[] {
  const { places, words, frozen, lock, stored } = cone;
  if (!hasPlace(places[thread]!, to)) return [];
  const { location, registers } = from;
  const moved = { ...cone, places: places.with(thread, { location, registers }) };
  const word = words[thread]!;
  const isDrained = !frozen && word.length === 0;
  switch (effect.kind) {
    case 'local':
      return [moved];
    case 'fence':
      return isDrained ? [moved] : [];
    case 'lock':
      return isDrained && lock === thread ? [{ ...moved, lock: null }] : [];
    case 'unlock':
      return isDrained && lock === null ? [{ ...moved, lock: thread }] : [];
    case 'load': {
      const { address, read } = effect.access;
      return beforeLoad(word, address, read!).map((own) => ({
        ...moved,
        words: words.with(thread, own),
      }));
    }
    case 'store': {
      const { address, written } = effect.access;
      const own = beforeStore(word, address, written!);
      if (!own) return [];
      const before = { ...moved, words: words.with(thread, own) };
      if (frozen)
        return stored[thread] === false ? [] : [{ ...before, stored: stored.with(thread, null) }];
      if (!isFree(cone, thread) || !mayHold(cone, address, written!)) return [];
      return [{ ...before, memory: holding(cone, address, undefined) }];
    }
    case 'rmw': {
      const { address, read, written = read } = effect.access;
      if (!isDrained || !isFree(cone, thread) || !mayHold(cone, address, written!)) return [];
      return [{ ...moved, memory: holding(cone, address, read) }];
    }
  }
}

/**
 * Returns the configurations from which appending a letter from memory to a thread's buffer leads
 * into a cone.
 */
function beforeAppending(cone: Cone, thread: number): readonly Cone[] {
  const { words, frozen } = cone;
  const newest = words[thread]!.at(-1);
  if (!newest || newest.own || frozen || !isFree(cone, thread)) return [];
  const { address, value } = newest;
  if (!mayHold(cone, address, value)) return [];
  const rest = words.with(thread, words[thread]!.slice(0, -1));
  return [{ ...cone, words: rest, memory: holding(cone, address, value) }];
}

/** Returns the configurations from which the freezing of memory leads into a cone. */
function beforeFreezing({ frozen, stored, ...cone }: Cone): readonly Cone[] {
  if (!frozen || stored.includes(true)) return [];
  return [{ ...cone, frozen: false, stored: stored.map(() => null) }];
}

/** Whether the thread holds the bus lock either in both the cone and the node, or in neither. */
export function agreesOnLock({ lock }: Cone, thread: number, { holds }: ThreadNode): boolean {
  return holds === (lock === thread);
}

/**
 * Returns cones of the configurations from which one step leads into a cone; some may already lie
 * in the cone. Configurations in which the lock and a thread's node disagree about who holds the
 * lock are excluded.
 */
export function before(cone: Cone, { edges }: ThreadGraphs): readonly Cone[] {
  const found = beforeFreezing(cone).slice();
  for (const [thread, steps] of edges.entries()) {
    found.push(...beforeAppending(cone, thread));
    for (const edge of steps)
      if (agreesOnLock(cone, thread, edge.to))
        for (const one of beforeStep(cone, thread, edge))
          if (agreesOnLock(one, thread, edge.from)) found.push(one);
  }
  return found;
}
