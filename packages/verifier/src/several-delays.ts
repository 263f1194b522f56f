import type { Automata, Thread } from './automata.js';
import type { Budget, Exhausted } from './budget.js';
import { blocksOf, reachableFrom, undrainedFrom, uses } from './control-flow.js';
import { type Addresses, addressesOf, writes } from './static-path.js';
import { countOf } from './words.js';

/**
 * The maximum number of threads of a program in which cycles are searched for; with more, there is
 * no answer.
 */
const maxThreads = 20;
/** The maximum number of steps of the search for cycles; after more, there is no answer. */
const maxSteps = 200_000;

/** A memory access of a thread, with the facts that conflicts and delays depend on. */
interface Access {
  /** The number of the access, unique among the accesses of all threads. */
  readonly number: number;
  readonly addresses: Addresses;
  readonly kind: string;
  readonly writes: boolean;
}

/**
 * A part of a cycle in one thread, from the access `first` to the access `last`; or a walk through
 * several threads. `surplus`: the number of loads that precede a delayed store in memory, minus the
 * number of heavy fences passed.
 */
interface Part {
  readonly first: Access;
  readonly last: Access;
  readonly passesHeavy: boolean;
  readonly surplus: number;
}

export function hasHeavyFences(automata: Automata): boolean {
  return uses(automata, ({ kind }) => kind === 'heavy-fence');
}

/**
 * The locations that a thread reaches from some start locations, by the heavy fences on the way.
 * `light`: the locations reached by paths without heavy fences. `heavy`: by location, the least
 * number of heavy fences among the paths with at least one heavy fence.
 */
interface Distances {
  readonly light: ReadonlySet<number>;
  readonly heavy: ReadonlyMap<number, number>;
}

function distancesFrom(thread: Thread, starts: readonly number[]): Distances {
  const light = reachableFrom(thread, starts, ({ kind }) => kind !== 'heavy-fence');
  const heavy = new Map<number, number>();
  for (let hasChanged = true; hasChanged;) {
    hasChanged = false;
    for (const { from, to, instruction } of thread.transitions) {
      const isHeavy = instruction.kind === 'heavy-fence';
      const before = isHeavy && light.has(from) ? 0 : (heavy.get(from) ?? Number.POSITIVE_INFINITY);
      const distance = before + (isHeavy ? 1 : 0);
      if (distance >= (heavy.get(to) ?? Number.POSITIVE_INFINITY)) continue;
      heavy.set(to, distance);
      hasChanged = true;
    }
  }
  return { light, heavy };
}

/**
 * Returns the accesses of a thread, numbered from `number` on. Accesses of one kind count as one.
 */
function accessesOf(automata: Automata, { transitions }: Thread, number: number) {
  const known = new Map<string, Access>();
  return transitions.flatMap(({ from, to, instruction }) => {
    if (!('address' in instruction)) return [];
    const { kind } = instruction;
    const addresses = addressesOf(automata, instruction.address);
    const name = `${kind} ${addresses === 'any' ? addresses : [...addresses].join()}`;
    const fresh = { number: number + known.size, addresses, kind, writes: writes(instruction) };
    const access = known.get(name) ?? fresh;
    known.set(name, access);
    return [{ access, from, to }];
  });
}

/** Returns the parts of cycles in a thread, or the limit that ended the work. */
function partsOf(
  thread: Thread,
  accesses: ReturnType<typeof accessesOf>,
  budget: Budget,
): readonly Part[] | Exhausted {
  const blocks = blocksOf(thread);
  const parts = new Map<string, Part>();
  const add = (part: Part): void => {
    const name = `${part.first.number} ${part.last.number} ${part.passesHeavy}`;
    if (part.surplus > (parts.get(name)?.surplus ?? Number.NEGATIVE_INFINITY))
      parts.set(name, part);
  };
  for (const { access: first, from, to } of accesses) {
    add({ first, last: first, passesHeavy: false, surplus: 0 });
    // Happens-before leads from each access of a lock block to all others.
    const { light, heavy } = distancesFrom(thread, [to, ...(blocks.get(from) ?? [])]);
    const undrained = first.kind === 'store' ? undrainedFrom(thread, to) : new Set<number>();
    for (const { access: last, from: end } of accesses) {
      const exhausted = budget.spend();
      if (exhausted !== undefined) return exhausted;
      const delays = last.kind === 'load' && undrained.has(end);
      const least = heavy.get(end);
      if (light.has(end)) add({ first, last, passesHeavy: false, surplus: delays ? 1 : 0 });
      if (least !== undefined) add({ first, last, passesHeavy: true, surplus: -least });
    }
  }
  return [...parts.values()];
}

function conflict(a: Access, b: Access): boolean {
  if (!a.writes && !b.writes) return false;
  if (a.addresses === 'any' || b.addresses === 'any') return true;
  const others = b.addresses;
  return [...a.addresses].some((address) => others.has(address));
}

/**
 * A part of a cycle that leads through several threads and passes a heavy fence, and the set of
 * these threads.
 */
interface Walk extends Part {
  readonly visited: number;
}

/** The search for a cycle of happens-before in which delays outnumber the heavy fences passed. */
class CycleSearch {
  readonly #parts: readonly (readonly Part[])[];
  readonly #budget: Budget;
  readonly #accesses: number;
  readonly #delaying: readonly number[];
  /**
   * By number of an access, the parts of all threads that begin with an access in conflict with it.
   */
  readonly #partsAfter = new Map<number, readonly { thread: number; part: Part }[]>();
  /**
   * By the visited threads and the last access of a walk, the largest surplus found so far. All
   * walks start with the same access, at which the search currently starts.
   */
  #best = new Map<number, number>();
  #steps = 0;
  gaveUp: Exhausted | undefined;

  constructor(parts: readonly (readonly Part[])[], accesses: number, budget: Budget) {
    this.#parts = parts;
    this.#accesses = accesses;
    this.#budget = budget;
    this.#delaying = [...parts.keys()].filter((thread) =>
      parts[thread]!.some(({ surplus }) => surplus > 0),
    );
  }

  /**
   * Whether delays outnumber the heavy fences on some cycle of happens-before; the search starts
   * from each part that passes a heavy fence.
   */
  run(): boolean {
    return this.#parts.some((own, thread) => {
      const passing = own.filter(({ passesHeavy }) => passesHeavy);
      return [...new Set(passing.map(({ first }) => first))].some((first) => {
        this.#best = new Map();
        return passing.some(
          (part) => part.first === first && this.#closes({ ...part, visited: 1 << thread }),
        );
      });
    });
  }

  #closes(walk: Walk): boolean {
    const { first, last, visited, surplus } = walk;
    // Even if all threads that are left delay, the delays have to outnumber the heavy fences.
    const left = this.#delaying.filter((thread) => (visited & (1 << thread)) === 0);
    if (surplus + left.length <= 0) return false;
    const key = visited * this.#accesses + last.number;
    if (surplus <= (this.#best.get(key) ?? Number.NEGATIVE_INFINITY)) return false;
    this.#best.set(key, surplus);
    this.gaveUp ??= this.#budget.spend();
    if (++this.#steps > maxSteps)
      this.gaveUp ??= `the count of delays has more than ${countOf(maxSteps, 'step')}`;
    if (this.gaveUp !== undefined) return false;
    if (surplus > 0 && conflict(last, first)) return true;
    return this.#after(last).some(
      ({ thread, part }) =>
        (visited & (1 << thread)) === 0 && this.#closes(joined(walk, part, thread)),
    );
  }

  #after(last: Access) {
    const known =
      this.#partsAfter.get(last.number) ??
      this.#parts.flatMap((own, thread) =>
        own.filter(({ first }) => conflict(last, first)).map((part) => ({ thread, part })),
      );
    this.#partsAfter.set(last.number, known);
    return known;
  }
}

/** Returns the walk continued by a part in another thread. */
function joined(walk: Walk, { last, surplus }: Part, thread: number): Walk {
  const visited = walk.visited | (1 << thread);
  return { ...walk, last, visited, surplus: walk.surplus + surplus };
}

/** The reason given for an unknown answer if a violation may need several delaying threads. */
const severalDelays: Exhausted = 'several delaying threads';

/**
 * Returns the reason why one delaying thread may not be enough to decide robustness; `undefined` if
 * one delaying thread is enough. The reason is that control flow and addresses leave room for a
 * cycle of happens-before that passes a heavy fence, or that a limit ended the search for cycles.
 * In a cycle of an execution the delays outnumber the heavy fences (docs/asymmetric.md), and a
 * shortest cycle visits each thread once.
 */
export function whySeveralMayDelay(automata: Automata, budget: Budget): Exhausted | undefined {
  if (!hasHeavyFences(automata)) return undefined;
  const { threads } = automata;
  if (threads.length > maxThreads)
    return `delays are counted for at most ${countOf(maxThreads, 'thread')}`;
  const parts: (readonly Part[])[] = [];
  let accesses = 0;
  for (const thread of threads) {
    const own = accessesOf(automata, thread, accesses);
    accesses += own.length;
    const found = partsOf(thread, own, budget);
    if (typeof found === 'string') return found;
    parts.push(found);
  }
  const search = new CycleSearch(parts, accesses, budget);
  return search.run() ? severalDelays : search.gaveUp;
}

/** Returns the claims on which robustness with heavy fences rests. Tests support these claims. */
export function heavyFenceClaims(automata: Automata): readonly string[] {
  return hasHeavyFences(automata)
    ? ['cycles without heavy fences need one delaying thread only (docs/asymmetric.md)']
    : [];
}
