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
 * Adds, to the program `about`, the assumption on which the robustness of the program `robust`
 * rests; returns `about` unchanged if `robust` has no heavy fences. The assumption is tested
 * against enumerations and not proved. The assumption is `oneWindow` if several threads may have to
 * delay stores. Otherwise, and for any number of copies, the assumption is `oneThread`.
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
