import type { Program } from '../../program/program.js';

/** What a program claims and a check of robustness says nothing about. */
export interface NotLookedAt {
  /** The names of its properties. */
  readonly properties: readonly string[];
  /** How many assertions its text has: copies of a thread have the same. */
  readonly assertions: number;
}

/** What `check` leaves to `reach`. */
export function notLookedAt({ properties, threads }: Program): NotLookedAt {
  return {
    properties: properties.map(({ name }) => name),
    assertions: threads
      .filter(({ copy }) => !copy || copy.index === 0)
      .flatMap(({ transitions }) => transitions)
      .filter(({ instruction }) => instruction.kind === 'assert').length,
  };
}
