import type { Program } from '../program/program.js';
import type { Claim } from './state-answer.js';

/** Returns the claims of a program: the properties, then the assertions, in the program's order. */
export function claimsOf({ properties, threads }: Program): readonly Claim[] {
  return [
    ...properties.map((_, property): Claim => ({ kind: 'property', property })),
    ...threads.flatMap(({ transitions }, thread) =>
      transitions.flatMap(({ instruction }, transition): Claim[] =>
        instruction.kind === 'assert' ? [{ kind: 'assertion', thread, transition }] : [],
      ),
    ),
  ];
}
