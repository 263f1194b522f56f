import type { Assumption } from '@fencewright/model/program/assumption.js';

/** The assumptions of an answer about the program, one line each. */
export function assumptionLines({
  assumptions = [],
}: {
  readonly assumptions?: readonly Assumption[];
}): string[] {
  return assumptions.map(({ text }) => `assumes: ${text}`);
}
