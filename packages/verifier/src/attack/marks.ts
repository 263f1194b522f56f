import type { ValueAccess } from '../code.js';
import type { HappensBefore } from '../happens-before.js';

/**
 * The effect on a cell of the accesses that happen after the attack's last load: the values that
 * they read from and wrote to the cell, and whether one of them stored the cell's current value.
 * For `standard` happens-before, any two accesses have different values.
 */
export interface Mark {
  readonly seen: number | 'many';
  readonly stored: boolean;
}

/**
 * By address of a cell, its mark: facts about the accesses that happen after the attack's last
 * load. Cells without such an access have no entry.
 */
export type Marks = ReadonlyMap<number, Mark>;

/**
 * The first store that the attacker delays. The value is 0 for `standard` happens-before, which
 * ignores values.
 */
export interface Delayed {
  readonly address: number;
  readonly value: number;
}

/**
 * Whether an access happens after the accesses that left the cell's mark. A load happens after a
 * store (relation src of [BDM13]), a store after any access (relations st and cf; [BDM13] Sect.
 * 5.2, Eqs. (8), (9)). With `value` happens-before, the store must write a value different from one
 * that an earlier access read or wrote. `overwritten`: the cell holds a store of the reader's own
 * lock block.
 */
export function isBehind(
  mark: Mark | undefined,
  access: ValueAccess,
  overwritten: boolean,
): boolean {
  if (!mark) return false;
  if (access.read !== undefined && mark.stored && !overwritten) return true;
  return access.written !== undefined && mark.seen !== access.written;
}

/**
 * Returns the mark of a cell after an access that is the attack's last load, or happens after the
 * last load ([BDM13] Eqs. (11), (12)). `before` is the mark of the cell before the access.
 */
export function markAfter(
  before: Mark | undefined,
  { read, written }: ValueAccess,
  happensBefore: HappensBefore,
): Mark {
  const [first, ...more] = [before?.seen, read, written].filter((value) => value !== undefined);
  const isOne = happensBefore === 'value' && more.every((value) => value === first);
  const stored = before?.stored === true || written !== undefined;
  return { seen: isOne && first !== undefined ? first : 'many', stored };
}

/**
 * Whether an access happens before the attack's first delayed store, by the relations st or cf of
 * [BDM13] (Eq. (13)).
 */
export function meets(
  delayed: Delayed,
  { address, read, written }: ValueAccess,
  happensBefore: HappensBefore,
) {
  if (address !== delayed.address) return false;
  if (happensBefore === 'standard') return true;
  return [read, written].some((value) => value !== undefined && value !== delayed.value);
}
