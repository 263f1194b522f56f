import { isModelLimit } from '../program/model-limit.js';
import type { Program } from '../program/program.js';
import { computeValueClosure } from './address-sets.js';

/** Whether the model ends somewhere, be it where no execution comes. */
function hasModelLimit({ threads }: Program): boolean {
  return threads.some(({ transitions }) =>
    transitions.some(({ instruction }) => isModelLimit(instruction)),
  );
}

/**
 * Whether some execution may come to where the model ends; `false` is certain. Unlike other faults,
 * those have to be ruled out before a program is called robust: what it stands for has executions
 * that the model does not have.
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
