/** Why a model checker cannot be used. */
export type ModelCheckerFailure =
  /** A required program is not installed. */
  | { readonly kind: 'missing'; readonly program: string }
  /** A required program failed. */
  | { readonly kind: 'failed'; readonly program: string; readonly output: string };

/** The result of a verifier. */
export interface Verification {
  readonly kind: 'verification';
  /**
   * The output of the model on the path to a violated assertion; absent if no violation was found.
   */
  readonly trail?: readonly string[];
  /** The output of C code in the model during the search, line by line. */
  readonly notes: readonly string[];
  /** Stored states. */
  readonly states: number;
  /** The search is incomplete. */
  readonly incomplete?: 'memory';
}

export interface VerifierOptions {
  /** Environment variables for C code in the model. */
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Called with the stored states, now and then. */
  readonly onProgress?: (states: number) => void;
}

/** A compiled model; may run several times concurrently. */
export interface Verifier {
  readonly kind: 'verifier';
  run(options: VerifierOptions): Promise<Verification | ModelCheckerFailure | 'stopped'>;
}

export interface CompileOptions {
  /** Bytes of a state, an upper bound. */
  readonly stateBytes: number;
  readonly signal: AbortSignal;
}

/** Decides whether an assertion of a model can fail: SPIN, as seen by an engine. */
export interface ModelChecker {
  readonly name: string;
  /** Calls `use` with a verifier for the model, and cleans up afterwards. */
  withVerifier<T>(
    model: string,
    options: CompileOptions,
    use: (verifier: Verifier | ModelCheckerFailure | 'stopped') => Promise<T>,
  ): Promise<T>;
}
