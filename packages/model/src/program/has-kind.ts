import type { EventInstruction } from './event-program.js';
import type { Thread } from './program.js';

/** Whether some thread, event or procedure contains an instruction of the kind. */
export function hasKind(
  codes: readonly Pick<Thread<EventInstruction>, 'transitions'>[],
  kind: EventInstruction['kind'],
): boolean {
  return codes.some(({ transitions }) =>
    transitions.some(({ instruction }) => instruction.kind === kind),
  );
}
