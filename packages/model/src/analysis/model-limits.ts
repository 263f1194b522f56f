import { fact } from '@fencewright/ground/base/fact.js';
import { isModelLimit } from '../program/model-limit.js';
import type { Program } from '../program/program.js';
import { computeValueClosure } from './address-sets.js';

/**
 * Whether the program has an instruction, reachable or not, at which a front end's model of the
 * original code ends.
 */
function hasModelLimit({ threads }: Program): boolean {
  return threads.some(({ transitions }) =>
    transitions.some(({ instruction }) => isModelLimit(instruction)),
  );
}

/**
 * Whether some execution may reach a model limit, an instruction at which a front end's model of
 * the original code ends; `false` is certain. Unlike faults, model limits must be ruled out before
 * a program is called robust: beyond the limit, the original code has executions that the program
 * lacks.
 */
export const mayMeetLimit = fact((program: Program): boolean => {
  if (!hasModelLimit(program)) return false;
  const { registers } = computeValueClosure(program);
  return program.threads.some(({ transitions }, t) =>
    transitions.some(
      ({ from, instruction }) => isModelLimit(instruction) && registers[t]?.[from] !== undefined,
    ),
  );
});
