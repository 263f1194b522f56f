/** Why a model checker is of no use here. */
export type ModelCheckerFailure =
  /** A program that it needs is not installed. */
  | { readonly kind: 'missing'; readonly program: string }
  /** A program that it needs did not do what it should. */
  | { readonly kind: 'failed'; readonly program: string; readonly output: string };

/** What a verifier has found out. */
export interface Verification {
  readonly kind: 'verification';
  /** What the model printed on the way to a violated assertion; absent if none was found. */
  readonly trail?: readonly string[];
  /** What the model printed from C code during the search, line by line. */
  readonly notes: readonly string[];
  /** Stored states. */
  readonly states: number;
  /** Not everything was searched. */
  readonly incomplete?: 'memory';
}

export interface VerifierOptions {
  /** Environment variables for C code in the model. */
  readonly environment: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Called with the stored states, now and then. */
  readonly onProgress?: (states: number) => void;
}

/** A model, ready to be searched; may run several times at once. */
export interface Verifier {
  readonly kind: 'verifier';
  run(options: VerifierOptions): Promise<Verification | ModelCheckerFailure | 'stopped'>;
}

export interface CompileOptions {
  /** Bytes of a state, an upper bound. */
  readonly stateBytes: number;
  readonly signal: AbortSignal;
}

/** What decides whether an assertion of a model can fail: SPIN, as an engine sees it. */
export interface ModelChecker {
  readonly name: string;
  /** Has `use` work with a verifier for the model, and cleans up behind it. */
  withVerifier<T>(
    model: string,
    options: CompileOptions,
    use: (verifier: Verifier | ModelCheckerFailure | 'stopped') => Promise<T>,
  ): Promise<T>;
}
