import type { Assumption } from '@fencewright/model/program/assumption.js';

/** Returns the assumptions about the program made by an answer, one line each. */
export function assumptionLines({
  assumptions = [],
}: {
  readonly assumptions?: readonly Assumption[];
}): string[] {
  return assumptions.map(({ text }) => `assumes: ${text}`);
}
