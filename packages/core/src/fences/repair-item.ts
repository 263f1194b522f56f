import type { LocationId, ThreadId, TransitionId } from '../program/ids.js';

/**
 * Something that can be done to a program to keep a thread from delaying stores.
 *
 * - `fence`: a fence before every instruction that leaves a location ([BDM13] Sect. 7); at an end, before the thread has ended.
 * - `xchg`: a plain store becomes a locked exchange whose result is dropped.
 * - `keep`: a fence or a locked store that the program has stays there (`--minimise`).
 */
export type RepairItem =
  | { readonly kind: 'fence'; readonly thread: ThreadId; readonly location: LocationId }
  | {
      readonly kind: 'xchg' | 'keep';
      readonly thread: ThreadId;
      readonly transition: TransitionId;
    };

/** How the problem was posed: what may be inserted, or what may be removed. */
export type RepairMode = 'fence' | 'xchg' | 'any' | 'minimise' | 'minimise-locked';

/** A repair and what it costs; costs are positive. */
export interface PricedItem {
  readonly item: RepairItem;
  readonly cost: number;
}

/** A name of the item, unique in its program. */
export function itemName(item: RepairItem): string {
  return item.kind === 'fence'
    ? `fence ${item.thread} ${item.location}`
    : `${item.kind} ${item.thread} ${item.transition}`;
}
