import { at } from '@fencewright/ground/base/at.js';
import { addressOf } from '@fencewright/model/analysis/address-sets.js';
import type { LocationId, ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import type { CallPlace, Program, Thread } from '@fencewright/model/program/program.js';
import { singleRepairs, type Repair } from '@fencewright/model/program/repair.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';
import { textThread } from './text-thread.js';

/** An attack, with the items able to stop the attack. */
interface StoppedAttack {
  readonly items: readonly number[];
  readonly attack: Attack;
}

/** The inlined calls that contain an instruction, outermost first, each as a key. */
type CallPath = readonly string[];

function pathOf(calls: readonly CallPlace[] = []): CallPath {
  return calls
    .map((call) => JSON.stringify([call.function, call.span?.start, call.span?.source?.name]))
    .toReversed();
}

function isPrefix(path: CallPath, longer: CallPath): boolean {
  return path.every((call, index) => call === longer[index]);
}

function keyOf(path: CallPath): string {
  return path.join();
}

/** The inlined calls that contain the instructions of a thread. */
class CallsOf {
  /**
   * By location, the calls that contain the outgoing instruction; of several instructions, the one
   * inside the most calls counts.
   */
  readonly #at = new Map<LocationId, CallPath>();
  /** By path of calls (`keyOf`), the number of accesses that these calls contain. */
  readonly #accesses = new Map<string, number>();
  readonly #thread: Thread;

  constructor(thread: Thread) {
    this.#thread = thread;
    for (const { from, instruction, origin } of thread.transitions) {
      const path = pathOf(origin.calls);
      if (path.length > this.at(from).length) this.#at.set(from, path);
      if (path.length === 0 || !addressOf(instruction)) continue;
      for (const prefix of prefixesOf(path))
        this.#accesses.set(keyOf(prefix), (this.#accesses.get(keyOf(prefix)) ?? 0) + 1);
    }
  }

  at(location: LocationId): CallPath {
    return this.#at.get(location) ?? [];
  }

  /**
   * Returns the calls that contain an access, outermost first, except the innermost calls without a
   * second access: such calls only wrap the access.
   */
  around(access: TransitionId): CallPath {
    const path = pathOf(at(this.#thread.transitions, access).origin.calls);
    const inner = prefixesOf(path).findIndex(
      (prefix) => (this.#accesses.get(keyOf(prefix)) ?? 0) < 2,
    );
    return inner < 0 ? path : path.slice(0, inner);
  }
}

function prefixesOf(path: CallPath): readonly CallPath[] {
  return path.map((_, index) => path.slice(0, index + 1));
}

/**
 * Returns, for each item that stops one of the attacks, the number of calls around the item. The
 * number is -1 if some of these calls contain neither the delayed store nor the load. Of several
 * attacks and parts of an item, the largest number counts. Items that stop no attack are absent.
 */
export function callNearness(
  program: Program,
  items: readonly Repair[],
  attacks: readonly StoppedAttack[],
): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  const callsOf = new Map<ThreadId, CallsOf>();
  for (const { items: stopping, attack } of attacks) {
    const calls = callsOf.get(attack.thread) ?? new CallsOf(at(program.threads, attack.thread));
    callsOf.set(attack.thread, calls);
    const text = textThread(program, attack.thread);
    const around = [calls.around(attack.store), calls.around(attack.load)];
    for (const index of stopping)
      for (const part of singleRepairs(at(items, index))) {
        if (part.kind !== 'fence' || part.thread !== text) continue;
        const path = calls.at(part.location);
        const depth = around.some((access) => isPrefix(path, access)) ? path.length : -1;
        found.set(index, Math.max(depth, found.get(index) ?? -1));
      }
  }
  return found;
}
