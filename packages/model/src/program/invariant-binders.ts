import { at } from '@fencewright/ground/base/at.js';
import type { ThreadId } from './ids.js';
import type { Templates } from './templates.js';
import type { InvariantBinder } from './program.js';

/**
 * Returns binders (names in an invariant) for the given threads, in order: single threads are bound
 * under their own name, copies under letters that are not names of threads.
 */
export function bindThreads(
  { templates, unbounded }: Templates,
  threads: readonly ThreadId[],
): readonly InvariantBinder[] {
  const taken = new Set(templates.threads.map(({ name }) => name));
  return threads.map((thread) => {
    if (!unbounded.includes(thread)) return { name: at(templates.threads, thread).name, thread };
    let name = 'a';
    for (let next = 1; taken.has(name); next++)
      name = next < 26 ? String.fromCharCode(97 + next) : `a${next}`;
    taken.add(name);
    return { name, thread };
  });
}
