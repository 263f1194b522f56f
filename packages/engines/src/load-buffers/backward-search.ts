import { at } from '@fencewright/ground/base/at.js';
import type { Budget, Exhaustion } from '@fencewright/ground/base/budget.js';
import { any, covers, noHolder, type Minor } from './minor.js';
import { indexSteps, PreImages, type BufferStep } from './pre-images.js';
import type { ThreadGraph } from './thread-graph.js';

/** Whether target configurations can be reached from the start of a program. */
type BackwardResult =
  /** The steps lead from the start to a target; superfluous letters of load buffers are deleted. */
  | { readonly kind: 'reachable'; readonly steps: readonly BufferStep[]; readonly kept: number }
  /**
   * No target can be reached: the minors contain all targets, no step leads into the set of
   * configurations above the minors from outside, and no initial configuration is in this set.
   */
  | { readonly kind: 'unreachable'; readonly minors: readonly Minor[]; readonly kept: number }
  | { readonly kind: 'stopped'; readonly reason: Exhaustion; readonly kept: number };

interface Kept {
  readonly minor: Minor;
  /**
   * The minor from which this minor was found by a step backwards, and the step; absent for
   * targets.
   */
  readonly next?: { readonly kept: Kept; readonly step: BufferStep };
  isDropped: boolean;
}

/**
 * Returns whether no reachable configuration can be above a minor; called before a search keeps the
 * minor.
 */
export type IsImpossible = (minor: Minor) => boolean;

const minorsPerCheckpoint = 256;
const bytesPerMinor = 600;

function nameOf(nodes: readonly number[], { lock, isFrozen, pending }: Minor): string {
  return `${nodes.join()};${lock};${isFrozen ? 1 : 0}${pending ? `;${pending.join()}` : ''}`;
}

/** Kept minors, none of which is covered by another; indexed by the nodes of threads. */
class Antichain {
  readonly #byNodes = new Map<string, Kept[]>();
  /** The sets of threads with node `any` in some kept minor, as bits. */
  readonly #patterns = new Set<number>();
  size = 0;

  /**
   * Adds a minor unless it is covered, and drops minors that it covers; returns whether the minor
   * was added.
   */
  add(kept: Kept): boolean {
    const { minor } = kept;
    const { nodes } = minor;
    for (const pattern of this.#patterns) {
      const general = nodes.map((node, t) => ((pattern >>> t) & 1 ? any : node));
      const isFitting = nodes.every((node, t) => node !== any || (pattern >>> t) & 1);
      if (!isFitting) continue;
      for (const other of this.#byNodes.get(nameOf(general, minor)) ?? [])
        if (covers(other.minor, minor)) return false;
    }
    const name = nameOf(nodes, minor);
    const others = this.#byNodes.get(name) ?? [];
    const left = others.filter((other) => {
      if (!covers(minor, other.minor)) return true;
      other.isDropped = true;
      return false;
    });
    this.size += left.length + 1 - others.length;
    left.push(kept);
    this.#byNodes.set(name, left);
    this.#patterns.add(nodes.reduce((bits, node, t) => (node === any ? bits | (1 << t) : bits), 0));
    return true;
  }

  minors(): readonly Minor[] {
    return [...this.#byNodes.values()].flat().map(({ minor }) => minor);
  }
}

/** A queue that returns minors with the fewest letters first. */
class Queue {
  readonly #byLength: Kept[][] = [];

  push(kept: Kept): void {
    const length = kept.minor.words.reduce((sum, word) => sum + word.length, 0);
    (this.#byLength[length] ??= []).push(kept);
  }

  pop(): Kept | undefined {
    for (const waiting of this.#byLength) {
      const kept = waiting?.pop();
      if (kept) return kept;
    }
    return undefined;
  }
}

function isInitial(
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

function stepsFrom(kept: Kept): readonly BufferStep[] {
  const steps: BufferStep[] = [];
  for (let here = kept; here.next; here = here.next.kept) steps.push(here.next.step);
  return steps;
}

/**
 * Computes the least configurations from which the targets can be reached, for the machine with
 * load buffers: backward coverability ([AABN18]; the order is coarser). The search is exact, and
 * ends because the order is a well-quasi-order and graphs are finite. `isImpossible` may leave out
 * minors with no reachable configuration above them.
 */
export async function searchBackwards(
  graphs: readonly ThreadGraph[],
  targets: readonly Minor[],
  isImpossible: IsImpossible,
  budget: Budget,
): Promise<BackwardResult> {
  const preImages = new PreImages(indexSteps(graphs));
  const antichain = new Antichain();
  const queue = new Queue();
  let kept = 0;
  const add = (minor: Minor, next?: Kept['next']): Kept | undefined => {
    if (isImpossible(minor)) return undefined;
    const own: Kept = { minor, ...(next && { next }), isDropped: false };
    if (!antichain.add(own)) return undefined;
    kept++;
    queue.push(own);
    return isInitial(minor, graphs) ? own : undefined;
  };
  const finish = <R extends BackwardResult>(result: R): R => {
    budget.finishSearch(kept, kept * bytesPerMinor);
    return result;
  };
  for (const target of targets) {
    const first = add(target);
    if (first) return finish({ kind: 'reachable', steps: stepsFrom(first), kept });
  }
  let turns = 0;
  for (let next = queue.pop(); next; next = queue.pop()) {
    if (turns++ % minorsPerCheckpoint === 0) {
      const reason = await budget.checkpoint(kept, kept * bytesPerMinor);
      if (reason) return finish({ kind: 'stopped', reason, kept });
    } else if (budget.exceededBy(kept, kept * bytesPerMinor)) {
      const reason = budget.exceededBy(kept, kept * bytesPerMinor)!;
      return finish({ kind: 'stopped', reason, kept });
    }
    if (next.isDropped) continue;
    for (const { minor, step } of preImages.of(next.minor)) {
      const first = add(minor, { kept: next, step });
      if (first) return finish({ kind: 'reachable', steps: stepsFrom(first), kept });
    }
  }
  return finish({ kind: 'unreachable', minors: antichain.minors(), kept });
}
