import { maySeveralDelay } from '@fencewright/engines/robustness/several-delays.js';
import type { Assumption } from '@fencewright/model/program/assumption.js';
import { hasHeavyFences } from '@fencewright/model/program/heavy-fences.js';
import type { Program } from '@fencewright/model/program/program.js';

function claim(text: string): Assumption {
  return { name: 'heavy_fence', text: `${text} (docs/asymmetric.md)` };
}

const oneThread = claim('cycles without heavy fences need one delaying thread only');
const oneWindow = claim('every violation shows with one window of delayed stores in each thread');

/**
 * Returns a program with the claim on which the robustness of `robust` rests; with no claim if that
 * program has no heavy fences. The claims are tested against enumerations and not proved. For any
 * number of copies, as for a count that leaves no room, one delaying thread decides.
 */
export function withHeavyFenceClaim(
  about: Program,
  {
    robust = about,
    isForAll = false,
  }: { readonly robust?: Program; readonly isForAll?: boolean } = {},
): Program {
  if (!hasHeavyFences(robust)) return about;
  const used = !isForAll && maySeveralDelay(robust) ? oneWindow : oneThread;
  return { ...about, assumptions: [...(about.assumptions ?? []), used] };
}
