/** An error in this code, never one in the user's input: the command line exits with status 70. */
export class InternalError extends Error {
  override readonly name = 'InternalError';
  /** Further lines of the message, for debugging. */
  readonly details: string | undefined;

  constructor(message: string, details?: string) {
    super(message);
    this.details = details;
  }
}

/**
 * Ends a `switch` over a tagged union: a missing case does not compile, and `InternalError` is
 * thrown if the call is reached.
 */
export function unreachable(value: never): never {
  throw new InternalError(`unexpected case ${JSON.stringify(value)}`);
}
