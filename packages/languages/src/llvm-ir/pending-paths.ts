import type { Origin } from '@fencewright/model/program/program.js';
import type { LoweringState } from './lowering-state.js';
import type { StepNode } from './step.js';

/** A symbolic path through a thread's code, which is lowered up to a node of the graph. */
interface Path {
  readonly state: LoweringState;
  readonly node: StepNode;
}

/** A path arrived at a point where paths through a thread's code meet. */
export interface Arrival extends Path {
  readonly origin: Origin;
  /** Called when the arrived paths have been joined. */
  readonly met?: (() => void) | undefined;
}

/** The paths arrived so far at one point where paths through a thread's code meet. */
export interface PathMeeting {
  readonly key: string;
  readonly isBlockStart: boolean;
  readonly arrivals: Arrival[];
}

/** The next work on a thread's code: a path to follow, or paths that meet and are to be joined. */
export type Pending =
  (Path & { readonly kind: 'path' }) | (PathMeeting & { readonly kind: 'meeting' });

/**
 * An entry of the heap: its position in the thread's code, and the number of entries added before.
 */
interface HeapEntry {
  readonly position: readonly number[];
  readonly count: number;
  readonly pending: Pending;
}

/**
 * The paths of a thread's code that are not lowered to their ends, in the order of the code. At a
 * point where paths meet, the arrived paths wait for all paths that are still before the point.
 */
export class PendingPaths {
  #heap: HeapEntry[] = [];
  readonly #meetings = new Map<string, PathMeeting>();
  #count = 0;

  addPath(path: Path): void {
    this.#add(path.state, { kind: 'path', ...path });
  }

  /** Adds a path that has arrived at the point with the given key, where paths meet. */
  addArrival({ key, isBlockStart }: Omit<PathMeeting, 'arrivals'>, arrival: Arrival): void {
    const known = this.#meetings.get(key);
    if (known) {
      known.arrivals.push(arrival);
      return;
    }
    const meeting: PathMeeting = { key, isBlockStart, arrivals: [arrival] };
    this.#meetings.set(key, meeting);
    this.#add(arrival.state, { kind: 'meeting', ...meeting });
  }

  /**
   * Removes and returns the first path, or the first paths to be joined, in the order of the code;
   * of several at the same position, the one added last; `undefined` if nothing is left.
   */
  next(): Pending | undefined {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (!first || !last) return undefined;
    if (first !== last) this.#sink(last);
    const { pending } = first;
    if (pending.kind === 'meeting') this.#meetings.delete(pending.key);
    return pending;
  }

  /** The position in the code of the path or join that `next` returns. */
  get position(): readonly number[] | undefined {
    return this.#heap[0]?.position;
  }

  mark(): () => void {
    const [heap, count] = [this.#heap.map(withArrivalsApart), this.#count];
    return () => {
      this.#heap = heap.map(withArrivalsApart);
      this.#count = count;
      this.#meetings.clear();
      for (const { pending } of this.#heap)
        if (pending.kind === 'meeting') this.#meetings.set(pending.key, pending);
    };
  }

  clear(): void {
    this.#heap.length = 0;
    this.#meetings.clear();
  }

  #add({ frames }: LoweringState, pending: Pending): void {
    const position = positionOf(frames);
    const heap = this.#heap;
    const entry: HeapEntry = { position, count: this.#count++, pending };
    let hole = heap.length;
    while (hole > 0) {
      const parent = (hole - 1) >> 1;
      if (!isBefore(entry, heap[parent]!)) break;
      heap[hole] = heap[parent]!;
      hole = parent;
    }
    heap[hole] = entry;
  }

  /** Replaces the first entry by another entry. */
  #sink(entry: HeapEntry): void {
    const heap = this.#heap;
    let hole = 0;
    for (;;) {
      let child = 2 * hole + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1;
      if (!isBefore(heap[child]!, entry)) break;
      heap[hole] = heap[child]!;
      hole = child;
    }
    heap[hole] = entry;
  }
}

/** The position of a path in the code, to compare number by number. */
export function positionOf(frames: LoweringState['frames']): readonly number[] {
  return frames.flatMap(({ flow, block, next }) => [flow.order[block] ?? 0, next]);
}

/** The entry, with a list of its own for the paths that arrive at a join. */
function withArrivalsApart(entry: HeapEntry): HeapEntry {
  const { pending } = entry;
  if (pending.kind === 'path') return entry;
  return { ...entry, pending: { ...pending, arrivals: [...pending.arrivals] } };
}

function isBefore(one: HeapEntry, other: HeapEntry): boolean {
  const shared = Math.min(one.position.length, other.position.length);
  for (let i = 0; i < shared; i++) {
    const difference = one.position[i]! - other.position[i]!;
    if (difference !== 0) return difference < 0;
  }
  const deeper = one.position.length - other.position.length;
  return deeper === 0 ? one.count > other.count : deeper < 0;
}
