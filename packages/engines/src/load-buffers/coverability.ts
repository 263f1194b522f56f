import type { Budget, Exhaustion } from '@fencewright/ground/base/budget.js';
import { any } from './minor.js';

/**
 * A system for backward coverability. The elements represent upward-closed sets of configurations,
 * and are well-quasi-ordered by `covers`. `S` is the type of the system's steps.
 */
interface CoverableSystem<T, S> {
  /** Returns the nodes of the threads by which elements are listed; `any` represents every node. */
  readonly nodes: (element: T) => readonly number[];
  /**
   * Returns the name of the list for the element. If an element covers another element, the list
   * names are equal.
   */
  readonly listName: (element: T) => string;
  /**
   * Whether each configuration of `other` belongs to `one`; the caller has compared nodes and list
   * names.
   */
  readonly covers: (one: T, other: T) => boolean;
  /** Returns the size of the element; the search expands small elements first. */
  readonly size: (element: T) => number;
  /** Whether the element contains an initial configuration. */
  readonly isInitial: (element: T) => boolean;
  /** Whether no configuration of the element can be reached; such elements are left out. */
  readonly isImpossible: (element: T) => boolean;
  /**
   * Returns the least predecessors of the element, each with a step that leads from the
   * predecessor's configurations into the element.
   */
  readonly before: (element: T) => Iterable<{ readonly element: T; readonly step: S }>;
  /** The estimated number of bytes that storing an element takes. */
  readonly bytes: number;
  readonly elementsPerCheckpoint: number;
}

/**
 * The answer whether configurations of the targets can be reached from an initial configuration.
 */
type Coverability<T, S> =
  /** The steps lead from an initial configuration of `first` to a target. */
  | { readonly kind: 'reachable'; readonly first: T; readonly steps: readonly S[] }
  /**
   * The elements contain all targets, no step leads into them from outside, and none contains an
   * initial configuration.
   */
  | { readonly kind: 'unreachable'; readonly elements: readonly T[] }
  | { readonly kind: 'stopped'; readonly reason: Exhaustion };

interface Kept<T, S> {
  readonly element: T;
  /**
   * For an element found backwards: a forward step from this element, and the element after the
   * step. Absent for targets.
   */
  readonly next?: { readonly kept: Kept<T, S>; readonly step: S };
  isDropped: boolean;
}

/**
 * The elements that a search keeps, none covered by another. They are kept in lists, by the nodes
 * of their threads, so that few pairs have to be compared.
 */
class Antichain<T, S> {
  readonly #system: CoverableSystem<T, S>;
  readonly #lists = new Map<string, Kept<T, S>[]>();
  /**
   * The patterns of the kept elements, each under a key: for each thread, whether the element
   * describes any node of the thread (`any`).
   */
  readonly #patterns = new Map<string, readonly boolean[]>();

  constructor(system: CoverableSystem<T, S>) {
    this.#system = system;
  }

  /**
   * Adds an element unless covered, and drops all elements covered by the added element; returns
   * whether the element was added.
   */
  add(kept: Kept<T, S>): boolean {
    const { element } = kept;
    const { nodes: nodesOf, listName, covers } = this.#system;
    const nodes = nodesOf(element);
    const rest = listName(element);
    for (const isAny of this.#patterns.values()) {
      if (nodes.some((node, t) => node === any && !isAny[t])) continue;
      const general = nodes.map((node, t) => (isAny[t] ? any : node));
      for (const other of this.#lists.get(`${general.join()};${rest}`) ?? [])
        if (covers(other.element, element)) return false;
    }
    const isAny = nodes.map((node) => node === any);
    this.#patterns.set(isAny.join(), isAny);
    const name = `${nodes.join()};${rest}`;
    const left = (this.#lists.get(name) ?? []).filter((other) => {
      if (!covers(element, other.element)) return true;
      other.isDropped = true;
      return false;
    });
    left.push(kept);
    this.#lists.set(name, left);
    return true;
  }

  elements(): readonly T[] {
    return [...this.#lists.values()].flat().map(({ element }) => element);
  }
}

/** A queue of elements of a search, those of the least size first. */
class Queue<T, S> {
  readonly #bySize: (Kept<T, S>[] | undefined)[] = [];

  push(kept: Kept<T, S>, size: number): void {
    (this.#bySize[size] ??= []).push(kept);
  }

  pop(): Kept<T, S> | undefined {
    return this.#bySize.find((waiting) => waiting !== undefined && waiting.length > 0)?.pop();
  }
}

function stepsFrom<T, S>(kept: Kept<T, S>): readonly S[] {
  const steps: S[] = [];
  for (let here = kept; here.next; here = here.next.kept) steps.push(here.next.step);
  return steps;
}

/**
 * Computes the least elements from which the targets can be reached: backward coverability. The
 * search is exact, and ends because the order is a well-quasi-order.
 */
export async function searchCoverability<T, S>(
  system: CoverableSystem<T, S>,
  targets: readonly T[],
  budget: Budget,
): Promise<Coverability<T, S>> {
  const { bytes, elementsPerCheckpoint } = system;
  const antichain = new Antichain(system);
  const queue = new Queue<T, S>();
  let kept = 0;
  const finish = (result: Coverability<T, S>): Coverability<T, S> => {
    budget.finishSearch(kept, kept * bytes);
    return result;
  };
  const add = (element: T, next?: Kept<T, S>['next']): Kept<T, S> | undefined => {
    if (system.isImpossible(element)) return undefined;
    const own: Kept<T, S> = { element, ...(next && { next }), isDropped: false };
    if (!antichain.add(own)) return undefined;
    kept++;
    queue.push(own, system.size(element));
    return system.isInitial(element) ? own : undefined;
  };
  const reachable = (first: Kept<T, S>) =>
    finish({ kind: 'reachable', first: first.element, steps: stepsFrom(first) });
  for (const target of targets) {
    const first = add(target);
    if (first) return reachable(first);
  }
  let turns = 0;
  for (let next = queue.pop(); next; next = queue.pop()) {
    const reason =
      turns++ % elementsPerCheckpoint === 0
        ? await budget.checkpoint(kept, kept * bytes)
        : budget.exceededBy(kept, kept * bytes);
    if (reason) return finish({ kind: 'stopped', reason });
    if (next.isDropped) continue;
    for (const { element, step } of system.before(next.element)) {
      const first = add(element, { kept: next, step });
      if (first) return reachable(first);
    }
  }
  return finish({ kind: 'unreachable', elements: antichain.elements() });
}

/** Returns the number of letters in all words of load buffers together. */
export function lettersOf({ words }: { readonly words: readonly (readonly unknown[])[] }): number {
  return words.reduce((sum, word) => sum + word.length, 0);
}
