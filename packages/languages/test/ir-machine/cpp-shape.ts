/** A kind of thing that programs in C++ have, and how threads use it; `x`, `y`, `z` are shared. */
export interface CppShape {
  /** Its group, and what it is. */
  readonly kind: string;
  readonly headers?: readonly string[];
  readonly declared?: readonly string[];
  /** What `main` does before it starts threads. */
  readonly starts?: readonly string[];
  /** What the callables of the two threads have: captures of lambdas. */
  readonly captures?: readonly [string, string];
  /** What either thread may do, over its locals `r` and `s`. */
  readonly statements: readonly string[];
  /** What only the first, and only the second may do. */
  readonly of?: readonly [readonly string[], readonly string[]];
  /** What a thread does last. */
  readonly last?: (thread: number) => readonly string[];
  /** What `main` does when both have ended. */
  readonly ends?: readonly string[];
  readonly observed?: readonly string[];
  /** What `main` returns. */
  readonly status?: string;
  /** What functions of the library give in this program. */
  readonly given?: Readonly<Record<string, number>>;
}
