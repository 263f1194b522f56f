import { hasKind } from './has-kind.js';
import { fact } from '@fencewright/ground/base/fact.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import type { EventProgram } from './event-program.js';
import type { Program } from './program.js';

/** Whether some thread of the program has a heavy fence. */
export const hasHeavyFences = fact((program: Program | EventProgram): boolean => {
  return hasKind('threads' in program ? program.threads : program.bodies, 'heavy-fence');
});

/** Throws `InternalError`. Called by code that does not support heavy fences. */
export function refuseHeavyFence(): never {
  throw new InternalError('this engine does not know heavy fences');
}
