import type { Assumption } from '@fencewright/model/program/assumption.js';
import { hasHeavyFences } from '@fencewright/model/program/heavy-fences.js';
import type { Program } from '@fencewright/model/program/program.js';

const claim: Assumption = {
  name: 'heavy_fence',
  text: 'every violation shows with one window of delayed stores in each thread (docs/asymmetric.md)',
};

/** Returns the program with the claim on which verdicts about heavy fences rest. */
export function withClaim(program: Program): Program {
  return { ...program, assumptions: [...(program.assumptions ?? []), claim] };
}

/**
 * Returns a program that was found robust. With heavy fences, the program gets the claim on which
 * such verdicts rest; the claim is tested against enumerations and not proved.
 */
export function withHeavyFenceClaim(program: Program): Program {
  return hasHeavyFences(program) ? withClaim(program) : program;
}
