import type { AddressSet } from '@fencewright/model/analysis/address-sets.js';
import type { AccessStep } from './step.js';

/**
 * The number that stands for an uninitialised value. Programs do not compute the number by
 * accident. A program that does is reported as reading an uninitialised value, and is therefore
 * never called robust.
 */
export const noValue = -1_296_744_149;

/**
 * Whether an access may hit one of the cells. `set` has the possible values of the address;
 * `undefined` if not known yet.
 */
export function mayAccess(
  cells: ReadonlySet<number>,
  { address }: AccessStep,
  set: AddressSet | undefined,
): boolean {
  if (cells.size === 0) return false;
  if (address.kind === 'constant') return cells.has(address.value);
  return set === undefined || set === 'any' || set.some((each) => cells.has(each));
}
