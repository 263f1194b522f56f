import type { Automata } from './automata.js';
import type { HappensBefore } from './happens-before.js';
import { registersOf } from './liveness.js';

/**
 * Returns the reason why robustness in a notion of happens-before cannot be decided; `undefined` if
 * there is no such reason, as always for `standard`. The reason is a thread with a read
 * abstraction: a load into a hidden register, followed by a `havoc` whose condition reads the
 * register ([BEMT18] Sect. 5). A read abstraction conflicts with fewer stores than a plain load,
 * and the verifier does not know with which stores.
 */
export function readAbstraction(
  { threads }: Automata,
  happensBefore: HappensBefore,
): string | undefined {
  if (happensBefore === 'standard') return undefined;
  const own = threads.find(({ registers, transitions }) =>
    transitions.some(
      ({ to, instruction: load }) =>
        load.kind === 'load' &&
        registers[load.into]?.hidden &&
        transitions.some(
          ({ from, instruction: havoc }) =>
            from === to &&
            havoc.kind === 'havoc' &&
            havoc.where !== undefined &&
            registersOf(havoc.where).includes(load.into),
        ),
    ),
  );
  return (
    own &&
    `'${own.name}' has a havoc with a condition over a shared variable: its value happens-before is not judged here`
  );
}
