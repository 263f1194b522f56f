import type { Assumption } from '@fencewright/model/program/assumption.js';

/** Returns the assumptions that an answer makes about the program, one line each. */
export function assumptionLines({
  assumptions = [],
}: {
  readonly assumptions?: readonly Assumption[];
}): string[] {
  return assumptions.map(({ text }) => `assumes: ${text}`);
}
