import { at } from '@fencewright/ground/base/at.js';
import type { Budget, Exhaustion } from '@fencewright/ground/base/budget.js';
import type { IsImpossible } from './backward-search.js';
import { type Crowd, coversCrowd, normalised } from './crowd.js';
import { any, noHolder } from './minor.js';
import { indexSteps, PreImages, type BufferedModel } from './pre-images.js';
import { impossibleMinors } from './single-writers.js';
import type { ThreadGraph } from './thread-graph.js';

/** The kinds of threads. */
export interface Kinds {
  /** The graphs of all kinds of threads, indexed by kind: single threads, then templates. */
  readonly graphs: readonly ThreadGraph[];
  /** The number of kinds that are single threads. */
  readonly singles: number;
}

/** Whether target configurations can be reached in some instance. */
type CrowdResult =
  /**
   * A target is reached with these numbers of copies, indexed by kind; the run found needs all
   * copies.
   */
  | { readonly kind: 'reachable'; readonly copies: readonly number[]; readonly kept: number }
  /** No instance has a run to a target. */
  | { readonly kind: 'unreachable'; readonly kept: number }
  | { readonly kind: 'stopped'; readonly reason: Exhaustion; readonly kept: number };

export interface CrowdSearchOptions {
  readonly model?: BufferedModel;
  /** Whether to leave out states excluded by the writers of cells; on by default. */
  readonly singleWriters?: boolean;
}

interface Kept {
  readonly crowd: Crowd;
  isDropped: boolean;
}

const bytesPerCrowd = 900;
const crowdsPerCheckpoint = 64;

/**
 * Kept crowds, none of which is covered by another; indexed by the nodes of single threads, the
 * lock and freezing, so that the crowds that may cover a given one are in a few lists.
 */
class Antichain {
  readonly #singles: number;
  readonly #lists = new Map<string, Kept[]>();
  /** The sets of single threads with node `any` in some kept crowd. */
  readonly #patterns = new Map<string, readonly boolean[]>();

  constructor(singles: number) {
    this.#singles = singles;
  }

  #listName({ minor: { nodes, lock, isFrozen } }: Crowd, open: readonly boolean[]): string {
    const places = open.map((isOpen, t) => (isOpen ? '*' : at(nodes, t)));
    return `${places.join()};${lock === noHolder};${isFrozen}`;
  }

  /**
   * Adds a crowd unless it is covered, and drops crowds that it covers; returns whether the crowd
   * was added.
   */
  add(kept: Kept): boolean {
    const { crowd } = kept;
    const singles = this.#singles;
    for (const open of this.#patterns.values()) {
      const others = this.#lists.get(this.#listName(crowd, open)) ?? [];
      if (others.some((other) => coversCrowd(other.crowd, crowd, singles))) return false;
    }
    const own = crowd.minor.nodes.slice(0, singles).map((node) => node === any);
    this.#patterns.set(own.join(), own);
    const name = this.#listName(crowd, own);
    const left = (this.#lists.get(name) ?? []).filter((other) => {
      if (!coversCrowd(crowd, other.crowd, singles)) return true;
      other.isDropped = true;
      return false;
    });
    left.push(kept);
    this.#lists.set(name, left);
    return true;
  }
}

/** A queue that returns crowds with the fewest copies and letters first. */
class Queue {
  readonly #bySize: Kept[][] = [];

  push(kept: Kept): void {
    const { kinds, minor } = kept.crowd;
    const size = minor.words.reduce((sum, word) => sum + word.length, kinds.length);
    (this.#bySize[size] ??= []).push(kept);
  }

  pop(): Kept | undefined {
    for (const waiting of this.#bySize) {
      const kept = waiting?.pop();
      if (kept) return kept;
    }
    return undefined;
  }
}

/** Computes steps backwards from crowds: of the threads in the crowd, and of further copies. */
class CrowdPreImages {
  readonly #graphs: readonly ThreadGraph[];
  readonly #singles: number;
  readonly #model: BufferedModel;
  readonly #byKinds = new Map<string, PreImages>();

  constructor({ graphs, singles }: Kinds, model: BufferedModel) {
    this.#graphs = graphs;
    this.#singles = singles;
    this.#model = model;
  }

  #of(kinds: readonly number[]): PreImages {
    const name = kinds.join();
    const known = this.#byKinds.get(name);
    if (known) return known;
    const graphs = kinds.map((kind) => at(this.#graphs, kind));
    const made = new PreImages(indexSteps(graphs), this.#model);
    this.#byKinds.set(name, made);
    return made;
  }

  *before({ minor, kinds }: Crowd): Generator<Crowd> {
    for (const before of this.#of(kinds).of(minor)) yield { minor: before.minor, kinds };
    const { nodes, words, pending } = minor;
    for (let kind = this.#singles; kind < this.#graphs.length; kind++) {
      const wider = {
        ...minor,
        nodes: [...nodes, any],
        words: [...words, []],
        ...(pending && { pending: [...pending, any] }),
      };
      const more = [...kinds, kind];
      for (const before of this.#of(more).ofThread(wider, kinds.length))
        yield { minor: before.minor, kinds: more };
    }
  }
}

function isInitial({ minor, kinds }: Crowd, graphs: readonly ThreadGraph[]): boolean {
  const { nodes, memory, words, lock, isFrozen } = minor;
  return (
    lock === noHolder &&
    !isFrozen &&
    words.every((word) => word.length === 0) &&
    memory.every((value) => value === any || value === 0) &&
    nodes.every((node, t) => node === any || node === at(graphs, at(kinds, t)).initial)
  );
}

/** Returns a function that says whether no configuration of any instance can be above a crowd. */
function impossibleCrowds(
  { graphs, singles }: Kinds,
  hasSingleWriters: boolean,
): (crowd: Crowd) => boolean {
  const mayHold = graphs.map(({ states }) => states.some(({ holdsLock }) => holdsLock));
  // Each template has several copies, so no cell written by a template has a single writer.
  const copies = graphs.slice(singles);
  const isImpossible: IsImpossible = hasSingleWriters
    ? impossibleMinors([...graphs.slice(0, singles), ...copies, ...copies])
    : () => false;
  return ({ minor, kinds }) => {
    const { nodes, words, lock } = minor;
    if (lock !== noHolder && mayHold[at(kinds, lock)] === false) return true;
    const isWrong = nodes.some((node, t) => {
      if (node === any) return false;
      return at(at(graphs, at(kinds, t)).states, node).holdsLock !== (lock === t);
    });
    if (isWrong) return true;
    return isImpossible({
      ...minor,
      nodes: nodes.slice(0, singles),
      words: words.slice(0, singles),
    });
  };
}

/**
 * Computes backward coverability for any number of copies: a crowd gives a lower bound of the
 * threads, and a step may belong to a copy not yet in the crowd. The search terminates, since
 * finite multisets of words and finite memories have a well-quasi-order. The search is exact:
 * additional copies can stay idle ([AABN18] has the idea).
 */
export async function searchCrowdsBackwards(
  kinds: Kinds,
  targets: readonly Crowd[],
  budget: Budget,
  { model = 'TSO', singleWriters = true }: CrowdSearchOptions = {},
): Promise<CrowdResult> {
  const { graphs, singles } = kinds;
  const preImages = new CrowdPreImages(kinds, model);
  const isImpossible = impossibleCrowds(kinds, singleWriters);
  const antichain = new Antichain(singles);
  const queue = new Queue();
  let kept = 0;
  const finish = (result: CrowdResult): CrowdResult => {
    budget.finishSearch(kept, kept * bytesPerCrowd);
    return result;
  };
  const reachable = ({ kinds: own }: Crowd): CrowdResult =>
    finish({
      kind: 'reachable',
      copies: graphs.map((_, kind) => own.filter((one) => one === kind).length),
      kept,
    });
  /**
   * Adds a crowd to the kept ones; returns the crowd if it is new and contains an initial
   * configuration.
   */
  const add = (found: Crowd): Crowd | undefined => {
    const crowd = normalised(found, singles);
    if (isImpossible(crowd)) return undefined;
    const own: Kept = { crowd, isDropped: false };
    if (!antichain.add(own)) return undefined;
    kept++;
    queue.push(own);
    return isInitial(crowd, graphs) ? crowd : undefined;
  };
  for (const target of targets) {
    const first = add(target);
    if (first) return reachable(first);
  }
  let turns = 0;
  for (let next = queue.pop(); next; next = queue.pop()) {
    const reason =
      turns++ % crowdsPerCheckpoint === 0
        ? await budget.checkpoint(kept, kept * bytesPerCrowd)
        : budget.exceededBy(kept, kept * bytesPerCrowd);
    if (reason) return finish({ kind: 'stopped', reason, kept });
    if (next.isDropped) continue;
    for (const before of preImages.before(next.crowd)) {
      const first = add(before);
      if (first) return reachable(first);
    }
  }
  return finish({ kind: 'unreachable', kept });
}
