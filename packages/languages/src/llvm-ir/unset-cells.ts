import type { AddressSet } from '@fencewright/model/analysis/address-sets.js';
import type { Access } from './step.js';

/**
 * What cells hold that nothing was stored to, and C gives no value: a number that programs do not
 * compute. One that does is told that it reads what has no value, and is never called robust for
 * it.
 */
export const noValue = -1_296_744_149;

/**
 * Whether an access may be to one of the cells; `set` is what its address may be, absent where that
 * is not known yet.
 */
export function mayAccess(
  cells: ReadonlySet<number>,
  { address }: Access,
  set: AddressSet | undefined,
): boolean {
  if (cells.size === 0) return false;
  if (address.kind === 'constant') return cells.has(address.value);
  return set === undefined || set === 'any' || set.some((each) => cells.has(each));
}
