import { at } from '@fencewright/ground/base/at.js';
import type { Budget, Exhaustion } from '@fencewright/ground/base/budget.js';
import { lettersOf, searchCoverability } from './coverability.js';
import { any, covers, noHolder, type Minor } from './minor.js';
import { indexSteps, PreImages, type BufferStep } from './pre-images.js';
import type { ThreadGraph } from './thread-graph.js';

/** The answer whether target configurations can be reached from the start of a program. */
type BackwardResult =
  /**
   * A target can be reached: the steps lead from the start to the target, if the letters of load
   * buffers that no load reads are deleted in between.
   */
  | { readonly kind: 'reachable'; readonly steps: readonly BufferStep[] }
  /**
   * No target can be reached: the minors contain all targets, no step leads into the set of
   * configurations above the minors from outside, and no initial configuration is in this set.
   */
  | { readonly kind: 'unreachable'; readonly minors: readonly Minor[] }
  | { readonly kind: 'stopped'; readonly reason: Exhaustion };

/**
 * Returns whether no configuration that the minor describes can be reached; called before a search
 * stores the minor.
 */
export type IsImpossible = (minor: Minor) => boolean;

/** Whether the minor describes an initial configuration; `graphs` are the graphs of its threads. */
export function isInitial(
  { nodes, memory, words, lock, isFrozen }: Minor,
  graphs: readonly ThreadGraph[],
) {
  return (
    lock === noHolder &&
    !isFrozen &&
    words.every((word) => word.length === 0) &&
    memory.every((value) => value === any || value === 0) &&
    nodes.every((node, t) => node === any || node === at(graphs, t).initial)
  );
}

/**
 * Computes the least configurations from which the targets can be reached, for the machine with
 * load buffers: backward coverability ([AABN18]; the order of configurations is coarser here). The
 * search is exact, and ends because the order is a well-quasi-order and graphs are finite.
 * `isImpossible` may leave out minors with no reachable configuration above them.
 */
export async function searchBackwards(
  graphs: readonly ThreadGraph[],
  targets: readonly Minor[],
  isImpossible: IsImpossible,
  budget: Budget,
): Promise<BackwardResult> {
  const preImages = new PreImages(indexSteps(graphs));
  const found = await searchCoverability<Minor, BufferStep>(
    {
      nodes: ({ nodes }) => nodes,
      listName: ({ lock, isFrozen, pending }) => `${lock};${isFrozen};${pending?.join() ?? ''}`,
      covers,
      size: lettersOf,
      isInitial: (minor) => isInitial(minor, graphs),
      isImpossible,
      before: (minor) => preImages.of(minor),
      bytes: 600,
      elementsPerCheckpoint: 256,
    },
    targets,
    budget,
  );
  if (found.kind !== 'unreachable') return found;
  const { elements, ...rest } = found;
  return { ...rest, minors: elements };
}
