import type { Assumption } from '@fencewright/model/program/assumption.js';

/** The assumption of every proof. */
export const withoutOverflow: Assumption = {
  name: 'numbers',
  text: 'data are integers without bounds, and no sum overflows',
};

/** Returns the assumptions about the program on which an answer rests, one line each. */
export function assumptionLines({
  assumptions = [],
}: {
  readonly assumptions?: readonly Assumption[];
}): string[] {
  return assumptions.map(({ text }) => `assumes: ${text}`);
}
