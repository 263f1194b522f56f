import { computeAddressSets, type AddressSet } from '@fencewright/model/analysis/address-sets.js';
import type { ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import { computeLockStatus, type LockStatus } from '@fencewright/model/program/lock-status.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { RacingAccess } from '@fencewright/model/verdict/data-race.js';

/** The accesses that may race, judged by their addresses only. */
export interface PossibleRaces {
  /** The pairs of places in the text whose accesses may race, each pair as a string. */
  readonly pairs: ReadonlySet<string>;
  /** Returns whether an access belongs to a pair of accesses that may race. */
  readonly isPart: (thread: ThreadId, transition: TransitionId) => boolean;
  /** Whether some access in a pair may be under the bus lock. */
  readonly isInBlocks: boolean;
}

interface CandidateAccess extends RacingAccess {
  readonly place: string;
  readonly isPlain: boolean;
  readonly stores: boolean;
  readonly status: LockStatus;
  readonly addresses: AddressSet;
}

/**
 * Returns the place of an access in the text: one place for all copies of a thread or of a call.
 */
function placeOf(program: Program, { thread: t, transition }: RacingAccess): string {
  const thread = program.threads[t];
  const { span } = thread?.transitions[transition]?.origin ?? {};
  if (span) return `${span.source?.name ?? ''}:${span.start.line}:${span.start.column}`;
  return `${thread?.copy?.template ?? `#${t}`}.${transition}`;
}

/** Returns a string for the places of two accesses in the text, the same for either order. */
export function pairOf(program: Program, one: RacingAccess, other: RacingAccess): string {
  return [placeOf(program, one), placeOf(program, other)].sort().join(' ');
}

function accessesOf(program: Program): readonly CandidateAccess[] {
  const sets = computeAddressSets(program);
  return program.threads.flatMap((thread, t) => {
    const locks = computeLockStatus(thread);
    return thread.transitions.flatMap(
      ({ from, instruction, origin }, transition): CandidateAccess[] => {
        const { kind } = instruction;
        const addresses = sets[t]?.[transition];
        if (addresses === undefined || addresses.length === 0) return [];
        const status = locks[from] ?? 'free';
        const own = { thread: t, transition };
        const isAtomic = status === 'held' && !origin.isWideLoad;
        const isPlain = origin.access === 'plain' && !isAtomic;
        const place = placeOf(program, own);
        return [{ ...own, place, isPlain, stores: kind !== 'load', status, addresses }];
      },
    );
  });
}

function mayMeet(one: AddressSet, other: AddressSet): boolean {
  if (one === 'any' || other === 'any') return true;
  return one.some((address) => other.includes(address));
}

/**
 * Returns the pairs of possibly racing accesses: a plain access and an access of another thread to
 * the same cell, with at least one store.
 */
export function findPossibleRaces(program: Program): PossibleRaces {
  const accesses = accessesOf(program);
  const pairs = new Set<string>();
  const parts = program.threads.map(() => new Set<TransitionId>());
  let isInBlocks = false;
  for (const plain of accesses) {
    if (!plain.isPlain) continue;
    for (const other of accesses) {
      if (other.thread === plain.thread || !(plain.stores || other.stores)) continue;
      if (!mayMeet(plain.addresses, other.addresses)) continue;
      pairs.add([plain.place, other.place].sort().join(' '));
      parts[plain.thread]?.add(plain.transition);
      parts[other.thread]?.add(other.transition);
      isInBlocks ||= plain.status !== 'free' || other.status !== 'free';
    }
  }
  return {
    pairs,
    isPart: (thread, transition) => parts[thread]?.has(transition) === true,
    isInBlocks,
  };
}
