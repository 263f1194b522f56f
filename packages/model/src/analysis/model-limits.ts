import { isModelLimit } from '../program/model-limit.js';
import type { Program } from '../program/program.js';
import { computeValueClosure } from './address-sets.js';

/** Whether the program has a model limit, reachable or not. */
function hasModelLimit({ threads }: Program): boolean {
  return threads.some(({ transitions }) =>
    transitions.some(({ instruction }) => isModelLimit(instruction)),
  );
}

/**
 * Whether some execution may reach a model limit; `false` is certain. Unlike faults, limits must be
 * ruled out before a program is called robust: beyond a limit, the code behind the model has
 * executions that the model lacks.
 */
export function mayMeetLimit(program: Program): boolean {
  if (!hasModelLimit(program)) return false;
  const { registers } = computeValueClosure(program);
  return program.threads.some(({ transitions }, t) =>
    transitions.some(
      ({ from, instruction }) => isModelLimit(instruction) && registers[t]?.[from] !== undefined,
    ),
  );
}
