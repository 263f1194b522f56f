import type { Assumption } from '@fencewright/model/program/assumption.js';

/** What an answer about the program takes for granted, each as a line. */
export function assumptionLines({
  assumptions = [],
}: {
  readonly assumptions?: readonly Assumption[];
}): string[] {
  return assumptions.map(({ text }) => `assumes: ${text}`);
}
