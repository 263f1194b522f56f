export interface Mutation {
  readonly name: string;
  /** Path from the root of the repository. */
  readonly file: string;
  readonly from?: string;
  readonly to?: string;
  readonly edits?: readonly (readonly [from: string, to: string])[];
  /** Test files, in place of the usual suites. */
  readonly tests?: readonly string[];
  /** Random cases per test of `tests`, if the usual number may not notice the mutation. */
  readonly runs?: number;
  /** Why no test notices the mutation. */
  readonly gap?: string;
}

export declare const notApplied: unique symbol;
export declare function mutated(text: string, mutation: Mutation): string | undefined;
export declare function judgeMutation(
  mutation: Pick<Mutation, 'name' | 'gap'>,
  noticedBy: string | undefined | typeof notApplied,
): { readonly fails: boolean; readonly text: string };
