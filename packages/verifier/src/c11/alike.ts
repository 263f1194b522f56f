import type { Automata, Thread } from '../automata.js';
import { canonicalJson } from '../canonical-json.js';

/**
 * Returns the code of a thread as text, without names: equal for threads that take the same steps.
 * The text contains the number of the thread's copy only if the code mentions this number.
 */
function codeOf({ copy, initial, registers, locations, transitions }: Thread): string {
  const code = canonicalJson({
    ...{ initial, registers: registers.length, locations: locations.length },
    transitions: transitions.map(({ from, to, instruction }) => ({ from, to, instruction })),
  });
  return code.includes('"kind":"self"') ? `${copy?.index ?? 0} ${code}` : code;
}

/** Returns for each thread all threads with equal code, itself included, in their order. */
export function threadsAlike({ threads }: Automata): readonly (readonly number[])[] {
  const codes = threads.map(codeOf);
  return codes.map((code) => [...codes.keys()].filter((other) => codes[other] === code));
}
