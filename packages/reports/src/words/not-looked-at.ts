import type { EventInstruction, EventProgram } from '@fencewright/model/program/event-program.js';
import type { Program } from '@fencewright/model/program/program.js';

/** The claims of a program that a check of robustness does not examine. */
interface NotLookedAt {
  /** The names of the properties that the check does not examine. */
  readonly properties: readonly string[];
  /** The number of assertions in the text that are not examined; copies of a thread count once. */
  readonly assertions: number;
}

/**
 * Returns the properties and assertions of a program: `check` does not examine them, but `reach`
 * does.
 */
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
