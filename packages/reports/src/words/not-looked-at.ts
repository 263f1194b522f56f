import type { EventInstruction, EventProgram } from '@fencewright/model/program/event-program.js';
import type { Program } from '@fencewright/model/program/program.js';

/** What a program claims and a check of robustness says nothing about. */
interface NotLookedAt {
  /** The names of its properties. */
  readonly properties: readonly string[];
  /** How many assertions its text has: copies of a thread have the same. */
  readonly assertions: number;
}

/** What `check` leaves to `reach`. */
export function notLookedAt(program: Program | EventProgram): NotLookedAt {
  const code =
    'bodies' in program
      ? program.bodies
      : program.threads.filter(({ copy }) => !copy || copy.index === 0);
  const instructions: readonly EventInstruction[] = code.flatMap(({ transitions }) =>
    transitions.map(({ instruction }) => instruction),
  );
  return {
    properties: program.properties.map(({ name }) => name),
    assertions: instructions.filter(({ kind }) => kind === 'assert').length,
  };
}
