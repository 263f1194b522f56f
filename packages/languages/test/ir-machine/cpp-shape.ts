/**
 * A random part of a C++ program and the statements of threads that use it; `x`, `y`, `z` are
 * shared variables.
 */
export interface CppShape {
  /** The letter of the shape's group, and the shape's name. */
  readonly kind: string;
  readonly headers?: readonly string[];
  readonly declared?: readonly string[];
  /** Statements of `main` before the start of threads. */
  readonly starts?: readonly string[];
  /** The lambda captures with which the two threads are started. */
  readonly captures?: readonly [string, string];
  /** Statements that either thread may execute, over its locals `r` and `s`. */
  readonly statements: readonly string[];
  /** Statements for the first thread only, and for the second only. */
  readonly of?: readonly [readonly string[], readonly string[]];
  /** Returns the statements to put at the end of a thread. */
  readonly last?: (thread: number) => readonly string[];
  /** Statements of `main` after the end of both threads. */
  readonly ends?: readonly string[];
  readonly observed?: readonly string[];
  /** The expression that `main` returns. */
  readonly status?: string;
  /** By name of a library function, its known result in this program. */
  readonly given?: Readonly<Record<string, number>>;
}
