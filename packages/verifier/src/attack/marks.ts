import type { ValueAccess } from '../code.js';
import type { HappensBefore } from '../happens-before.js';

/**
 * The effect on a cell of the accesses that happen after the attack's last load: the values read
 * from and written to the cell, and whether the cell's current value was stored by one of those
 * accesses. For `standard` happens-before, any two accesses have different values.
 */
export interface Mark {
  readonly seen: number | 'many';
  readonly stored: boolean;
}

/** Marks by address; cells that no access after the last load has touched are absent. */
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
 * Whether happens-before leads from an access with these marks to the given access: by src to a
 * load, by st or cf to a store ([BDM13] Sect. 5.2, Eqs. (8), (9)). With `value` happens-before, the
 * store must write a value different from one that an earlier access read or wrote. `overwritten`:
 * the cell holds a store of the reader's own lock block.
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
 * Returns the marks after an access that happens after the attack's last load ([BDM13] Eqs. (11),
 * (12)), or after the load itself.
 */
export function marksAfter(
  marks: Marks,
  { address, read, written }: ValueAccess,
  happensBefore: HappensBefore,
): Marks {
  const before = marks.get(address);
  const values = new Set<number | 'many'>([read, written].filter((value) => value !== undefined));
  if (before) values.add(before.seen);
  const [first] = values;
  const seen =
    happensBefore === 'standard' || values.size !== 1 || first === undefined ? 'many' : first;
  const stored = (before?.stored ?? false) || written !== undefined;
  return new Map(marks).set(address, { seen, stored });
}

/**
 * Whether an access happens before the attack's first delayed store, by st or cf ([BDM13] Eq.
 * (13)).
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
