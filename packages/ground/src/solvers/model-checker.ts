/** Why a model checker gave no result. */
export type ModelCheckerFailure =
  /** A required program is not installed. */
  | { readonly kind: 'missing'; readonly program: string }
  /** A required program failed. */
  | { readonly kind: 'failed'; readonly program: string; readonly output: string };

/**
 * The result of `Verifier.run`: whether an assertion of the model can fail, and the cost of the
 * search.
 */
export interface Verification {
  readonly kind: 'verification';
  /**
   * The lines printed by the model on the path to a violated assertion; absent if no violation was
   * found.
   */
  readonly trail?: readonly string[];
  /** The lines printed by C code in the model during the search. */
  readonly notes: readonly string[];
  /** The number of states that the verifier stored. */
  readonly states: number;
  /** Present if the search of the verifier is incomplete, for lack of memory. */
  readonly incomplete?: 'memory';
}

export interface VerifierOptions {
  /**
   * The environment variables of the verifier's process; C code embedded in the model reads them.
   */
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Called now and then with the number of stored states. */
  readonly onProgress?: (states: number) => void;
}

/** A model compiled to a program that searches its states; may run several times concurrently. */
export interface Verifier {
  readonly kind: 'verifier';
  run(options: VerifierOptions): Promise<Verification | ModelCheckerFailure | 'stopped'>;
}

export interface ModelCheckerOptions {
  /** An upper bound on the size of a stored state in bytes. */
  readonly stateBytes: number;
  readonly signal: AbortSignal;
}

/** A program that decides whether an assertion of a model can fail: SPIN, as engines use it. */
export interface ModelChecker {
  readonly name: string;
  /** Calls `use` with a verifier for the model, and cleans up afterwards. */
  withVerifier<T>(
    model: string,
    options: ModelCheckerOptions,
    use: (verifier: Verifier | ModelCheckerFailure | 'stopped') => Promise<T>,
  ): Promise<T>;
}
