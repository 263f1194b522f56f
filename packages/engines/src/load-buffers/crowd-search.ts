import { at } from '@fencewright/ground/base/at.js';
import type { Budget, Exhaustion } from '@fencewright/ground/base/budget.js';
import type { BufferedModel } from '@fencewright/model/trace/memory-model.js';
import { isInitial, type IsImpossible } from './backward-search.js';
import { lettersOf, searchCoverability } from './coverability.js';
import { type Crowd, coversCrowd, normalised } from './crowd.js';
import { any, noHolder, type Minor } from './minor.js';
import { indexSteps, PreImages, type BufferStep } from './pre-images.js';
import { impossibleMinors } from './single-writers.js';
import type { ThreadGraph } from './thread-graph.js';

/**
 * The kinds of threads: each single thread is a kind, and all copies of a template are one kind.
 */
export interface Kinds {
  /** The graphs of all kinds of threads, indexed by kind: single threads, then templates. */
  readonly graphs: readonly ThreadGraph[];
  /** The number of kinds of single threads; these kinds come first. */
  readonly singles: number;
}

/** The answer whether target configurations can be reached in some instance. */
export type CrowdResult =
  /**
   * A target is reached in the instance with these numbers of copies, indexed by kind. The run that
   * was found needs all of these copies.
   */
  | { readonly kind: 'reachable'; readonly copies: readonly number[] }
  /** No instance has a run to a target. */
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'stopped'; readonly reason: Exhaustion };

export interface CrowdSearchOptions {
  readonly model?: BufferedModel;
  /** Whether to leave out states excluded by the writers of cells; on by default. */
  readonly singleWriters?: boolean;
  /** Whether claims under SC are first decided by a forward search; on by default. */
  readonly forward?: boolean;
}

/**
 * Computes, for a crowd, the predecessor crowds by one step: a step of a thread in the crowd, or of
 * a further copy.
 */
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

  #crowd(minor: Minor, kinds: readonly number[]): Crowd {
    return normalised({ minor, kinds }, this.#singles);
  }

  *before({
    minor,
    kinds,
  }: Crowd): Generator<{ readonly element: Crowd; readonly step: BufferStep }> {
    for (const { element, step } of this.#of(kinds).of(minor))
      yield { element: this.#crowd(element, kinds), step };
    const { nodes, words, pending } = minor;
    for (let kind = this.#singles; kind < this.#graphs.length; kind++) {
      const wider = {
        ...minor,
        nodes: [...nodes, any],
        words: [...words, []],
        ...(pending && { pending: [...pending, any] }),
      };
      const more = [...kinds, kind];
      for (const { element, step } of this.#of(more).ofThread(wider, kinds.length))
        yield { element: this.#crowd(element, more), step };
    }
  }
}

/**
 * Returns a predicate on crowds: whether no instance has a configuration that the crowd describes.
 * With `hasSingleWriters`, the predicate also uses the fact that a cell with one writer holds the
 * writer's last store.
 */
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
 * Computes backward coverability for any number of copies: a crowd is a lower bound of the threads,
 * and a step may belong to a copy not yet in the crowd. The search terminates, since finite
 * multisets of words and finite memories have a well-quasi-order. The search is exact: additional
 * copies can stay idle ([AABN18] has the idea).
 */
export async function searchCrowdsBackwards(
  kinds: Kinds,
  targets: readonly Crowd[],
  budget: Budget,
  { model = 'TSO', singleWriters = true }: CrowdSearchOptions = {},
): Promise<CrowdResult> {
  const { graphs, singles } = kinds;
  const preImages = new CrowdPreImages(kinds, model);
  const found = await searchCoverability<Crowd, BufferStep>(
    {
      nodes: ({ minor }) => minor.nodes.slice(0, singles),
      listName: ({ minor: { lock, isFrozen } }) => `${lock === noHolder};${isFrozen}`,
      covers: (one, other) => coversCrowd(one, other, singles),
      size: ({ minor, kinds: own }) => lettersOf(minor) + own.length,
      isInitial: ({ minor, kinds: own }) =>
        isInitial(
          minor,
          own.map((kind) => at(graphs, kind)),
        ),
      isImpossible: impossibleCrowds(kinds, singleWriters),
      before: (crowd) => preImages.before(crowd),
      bytes: 900,
      elementsPerCheckpoint: 64,
    },
    targets.map((target) => normalised(target, singles)),
    budget,
  );
  switch (found.kind) {
    case 'reachable': {
      const { kinds: own } = found.first;
      const copies = graphs.map((_, kind) => own.filter((one) => one === kind).length);
      return { kind: 'reachable', copies };
    }
    case 'unreachable':
    case 'stopped':
      return found;
  }
}
