import type { MoverProof } from '@fencewright/model/verdict/prove-result.js';

/**
 * The type of an access in the theory of reduction: `R` right mover, `L` left mover, `B` both, `N`
 * none; `?` if the solver gave up.
 */
export type MoverType = 'R' | 'L' | 'B' | 'N' | '?';

export function moverType({ moves }: Pick<MoverProof, 'moves'>): MoverType {
  if (!moves) return 'N';
  const { right, left } = moves;
  if (right.kind === 'unknown' || left.kind === 'unknown') return '?';
  if (right.kind === 'moves') return left.kind === 'moves' ? 'B' : 'R';
  return left.kind === 'moves' ? 'L' : 'N';
}
