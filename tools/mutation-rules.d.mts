export interface Mutation {
  readonly name: string;
  /** From the root. */
  readonly file: string;
  readonly from?: string;
  readonly to?: string;
  readonly edits?: readonly (readonly [from: string, to: string])[];
  /** Of core; instead of the usual ones. */
  readonly tests?: readonly string[];
  /** How many random cases these make, where their usual number may not notice it. */
  readonly runs?: number;
  /** Why no test notices it. */
  readonly gap?: string;
}

export declare const notApplied: unique symbol;
export declare function mutated(text: string, mutation: Mutation): string | undefined;
export declare function judgeMutation(
  mutation: Pick<Mutation, 'name' | 'gap'>,
  noticedBy: string | undefined | typeof notApplied,
): { readonly fails: boolean; readonly text: string };
