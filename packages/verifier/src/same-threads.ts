import type { Automata, Thread } from './automata.js';
import { canonicalJson } from './canonical-json.js';
import { uses } from './control-flow.js';
import { readsSelf } from './liveness.js';

/** Returns the behaviour of a thread as text, without names. */
function codeText(thread: Thread): string {
  const { copy, registers, locations, initial, transitions } = thread;
  return canonicalJson([
    uses({ threads: [thread] }, readsSelf) ? (copy?.index ?? 0) : undefined,
    registers.length,
    locations.length,
    initial,
    transitions.map(({ from, to, instruction }) => [from, to, instruction]),
  ]);
}

/**
 * Numbers the different codes of threads from 0. Returns the number of each thread's code, and the
 * first thread with each code.
 */
export function threadCodes({ threads }: Automata): {
  readonly codeOf: readonly number[];
  /** By number of a code, the first thread with the code. */
  readonly first: readonly number[];
} {
  const texts = threads.map(codeText);
  const different = [...new Set(texts)];
  return {
    codeOf: texts.map((text) => different.indexOf(text)),
    first: different.map((text) => texts.indexOf(text)),
  };
}

/** Returns for each thread all threads with equal code, itself included, in their order. */
export function threadsAlike(automata: Automata): readonly (readonly number[])[] {
  const { codeOf } = threadCodes(automata);
  return codeOf.map((code) => [...codeOf.keys()].filter((other) => codeOf[other] === code));
}
