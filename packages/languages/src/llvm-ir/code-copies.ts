import { needsNumbers } from './call-graph.js';
import type { LoweringState } from './lowering-state.js';
import type { ThreadEntry } from './thread-entry.js';
import type { Round } from './world.js';

/**
 * The maximum number of copies of the code at one place, for different known numbers. If code that
 * needs no known numbers gets more copies, it counts as too long.
 */
const mostCopies = 256;

/** A thread during lowering. */
interface CopiedThread {
  readonly round: Round;
  readonly entry: ThreadEntry;
  readonly state: LoweringState;
}

/** The copies of a thread's code: specialised code has one for each combination of numbers. */
export class CodeCopies {
  /** By place where paths meet, the keys of the copies of the code that begins at the place. */
  readonly #keys = new Map<string, Set<string>>();

  constructor(readonly thread: CopiedThread) {}

  /**
   * Whether the code at the thread's position is specialised. If that makes the code too long, only
   * code is specialised that needs known numbers to start or join threads.
   */
  get areMade(): boolean {
    const { isUnrolled } = this.thread.entry;
    return isUnrolled && (!this.#isTooLong || this.#areNeeded);
  }

  get #isTooLong(): boolean {
    const { entry, round } = this.thread;
    return round.world.isTooLong(entry.id);
  }

  get #areNeeded(): boolean {
    const { round, state } = this.thread;
    const { linked } = round.world;
    return needsNumbers(linked, state.frames, (call) => round.world.candidates(call));
  }

  /**
   * Counts a copy of the code from a place on, which `key` tells from other copies. Returns whether
   * the place has too many copies, although its code needs no known numbers.
   */
  areTooMany(place: string, key: string): boolean {
    let keys = this.#keys.get(place);
    if (!keys) this.#keys.set(place, (keys = new Set()));
    keys.add(key);
    return keys.size > mostCopies && !this.#isTooLong && !this.#areNeeded;
  }
}
