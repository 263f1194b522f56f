import type { Automata } from './automata.js';
import { blocksOf } from './control-flow.js';

/** Returns a message about an array without bounds; `undefined` if all arrays have bounds. */
export function boundlessArray({ symbols }: Pick<Automata, 'symbols'>): string | undefined {
  const boundless = symbols.find((symbol) => symbol.boundless);
  return boundless && `the array '${boundless.name}' has no bounds`;
}

/**
 * Returns the reason why searches of all states do not apply to a program: threads in any number of
 * copies, an array without bounds, or a heavy fence in a lock block. `undefined` if there is no
 * such reason.
 */
export function outOfScope(automata: Automata): string | undefined {
  return automata.threads.some(({ unbounded }) => unbounded)
    ? 'the certificate is about a fixed number of threads, and the program has any number'
    : (boundlessArray(automata) ?? heavyFenceInBlock(automata));
}

/**
 * Returns a message about a heavy fence that a thread may reach while holding the bus lock;
 * `undefined` if there is none.
 */
function heavyFenceInBlock({ threads }: Automata): string | undefined {
  const found = threads.find((thread) => {
    const blocks = blocksOf(thread);
    return thread.transitions.some(
      ({ from, instruction }) => instruction.kind === 'heavy-fence' && blocks.has(from),
    );
  });
  return found && `thread '${found.name}' has a heavy fence in a lock block`;
}
