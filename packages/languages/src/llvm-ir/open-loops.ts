import { innermost } from './lowering-state.js';
import { type PathMeeting, type Pending, type PendingPaths, positionOf } from './pending-paths.js';
import type { StepNode } from './step.js';

/** Data that grow while a thread is lowered, and can be reset to an earlier state. */
export interface Growing {
  /**
   * Returns a function that resets the data to the state at this call. The function may be called
   * several times.
   */
  readonly mark: () => () => void;
}

/** A loop of the thread's code that is being lowered. */
interface OpenLoop {
  /** The paths that reach the head of the loop from outside. */
  readonly meeting: PathMeeting;
  /** The node of the graph for the head of the loop. */
  readonly head: StepNode;
  /** The position in the code directly after the positions of the loop. */
  readonly end: readonly number[];
  /** Removes everything that was lowered since the paths to the head of the loop met. */
  readonly goBack: () => void;
  /**
   * Whether the shape of a variable has changed at the head of the loop, or at another point of the
   * loop.
   */
  hasChanged: boolean;
}

/**
 * The loops around the current point of the path. The shapes of variables at the head of a loop may
 * turn out to be too special when control comes back to the head. The loop is then lowered again
 * from its head; the code before the loop stays.
 */
export class OpenLoops {
  /** The loops that contain the current point of the path, the outermost loop first. */
  readonly #loops: OpenLoop[] = [];

  /** The data that grow while a loop is lowered, apart from the waiting paths. */
  readonly growing: Growing[] = [];

  constructor(readonly pending: PendingPaths) {}

  get areAny(): boolean {
    return this.#loops.length > 0;
  }

  /**
   * Opens the loop that begins at a meeting of paths, if any; returns the node from which the
   * joined paths continue.
   */
  open(meeting: PathMeeting, newNode: () => StepNode): StepNode {
    const end = endOfLoop(meeting);
    if (!end) return newNode();
    const backs = [this.pending, ...this.growing].map((each) => each.mark());
    const goBack = (): void => {
      for (const back of backs) back();
    };
    const head = newNode();
    this.#loops.push({ meeting, head, end, goBack, hasChanged: false });
    return head;
  }

  /** Ends the lowering: follows no further path, and lowers no loop again. */
  clear(): void {
    this.pending.clear();
    this.#loops.length = 0;
  }

  /**
   * The next path or join; `undefined` if nothing is left. If shapes have changed in a loop that
   * control leaves, everything lowered since the loop's beginning is removed, and the loop is
   * lowered again from the paths that have met at its head.
   */
  next(): Pending | undefined {
    for (;;) {
      const loop = this.#loops.at(-1);
      if (!loop || isInside(loop, this.pending.position)) return this.pending.next();
      this.#loops.pop();
      if (!loop.hasChanged) continue;
      loop.goBack();
      return { kind: 'meeting', ...loop.meeting };
    }
  }

  /**
   * Notes that shapes have changed at a node re-entered by control. Returns false for a node
   * outside of open loops: the code of such a node stays wrong.
   */
  noteChange(node: StepNode): boolean {
    const loop = this.#loops.findLast(({ head }) => node >= head);
    if (loop) loop.hasChanged = true;
    return loop !== undefined;
  }
}

/** The end of the loop that begins at a meeting of paths; `undefined` if no loop begins. */
function endOfLoop({ isBlockStart, arrivals }: PathMeeting): readonly number[] | undefined {
  const { state } = arrivals[0]!;
  const { flow, block } = innermost(state);
  const last = isBlockStart ? flow.loopEnds[block] : undefined;
  return last === undefined
    ? undefined
    : [...positionOf(state.frames.slice(0, -1)), last, Infinity];
}

/** Whether a position in the code lies in the loop, or before it. */
function isInside({ end }: OpenLoop, position: readonly number[] | undefined): boolean {
  if (!position) return false;
  for (const [i, last] of end.entries()) {
    const here = position[i];
    if (here !== last) return here !== undefined && here < last;
  }
  return true;
}

/** Removes all entries of a map except the first ones, in the order of insertion. */
export function keepFirst(map: Map<unknown, unknown>, count: number): void {
  if (map.size === count) return;
  for (const key of [...map.keys()].slice(count)) map.delete(key);
}
