import { quoteName } from '@fencewright/core/words';
/** Whether the user asked, by an environment variable, for the details of internal errors. */
function isDebugging(): boolean {
  return Boolean(process.env.FENCEWRIGHT_DEBUG);
}

/**
 * An internal error as plain data. An `Error` sent between threads would lose all its fields but
 * the message.
 */
export interface ErrorData {
  readonly message: string;
  readonly details?: string;
  readonly stack?: string;
}

/** Converts a thrown value, or an `ErrorData` sent by a thread, to an `ErrorData`. */
export function toFailure(error: unknown): ErrorData {
  if (typeof error !== 'object' || error === null || !('message' in error))
    return { message: String(error) };
  const { message, details, stack } = error as Record<keyof ErrorData, unknown>;
  return {
    message: String(message),
    ...(typeof details === 'string' && { details }),
    ...(typeof stack === 'string' && { stack }),
  };
}

/**
 * Returns the message for an internal error: one line, the request to report the error, and the
 * details, if any. The stack is included only if the user asked for details.
 */
export function internalErrorText(error: unknown, about?: string): string {
  const { message, details, stack = '' } = toFailure(error);
  const where = about === undefined ? '' : ` on ${quoteName(about)}`;
  const lines = [
    `fencewright: internal error${where}: ${message.split('\n')[0] ?? ''}`,
    '  This is a fault of fencewright, not of your program: please report it, with the input.',
  ];
  if (details !== undefined) lines.push('', details.trimEnd(), '');
  if (isDebugging()) lines.push(stack);
  else lines.push('  FENCEWRIGHT_DEBUG=1 shows where it happened.');
  return `${lines.join('\n')}\n`;
}
