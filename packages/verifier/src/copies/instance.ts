import type { Automata, Thread } from '../automata.js';

/** An instance of parameterised automata: a program with fixed numbers of copies. */
export interface Instance {
  readonly automata: Automata;
  /**
   * For each thread of the instance, the thread of the automata of which it is a copy; indexed by
   * thread of the instance.
   */
  readonly threadOf: readonly number[];
}

/**
 * Returns the instance with `copies[t]` copies of each unbounded thread `t`; entries of `copies`
 * for other threads are ignored. The copies replace their template. Properties and invariants of
 * the program are left out.
 */
export function instanceOf(automata: Automata, copies: readonly number[]): Instance {
  const threads: Thread[] = [];
  const threadOf: number[] = [];
  automata.threads.forEach(({ unbounded, ...thread }, t) => {
    const count = unbounded ? (copies[t] ?? 0) : 1;
    for (let index = 0; index < count; index++) {
      threads.push(unbounded ? { ...thread, copy: { template: thread.name, index } } : thread);
      threadOf.push(t);
    }
  });
  return { automata: { ...automata, threads, properties: [], invariants: [] }, threadOf };
}
