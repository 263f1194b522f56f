import { quoteName } from '@fencewright/core/words';
/** Whether the user asked for the details of a fault of the tool. */
function isDebugging(): boolean {
  return Boolean(process.env.FENCEWRIGHT_DEBUG);
}

/**
 * A fault of ours, as plain data: what an error has besides its message is lost when it is sent.
 */
export interface Failure {
  readonly message: string;
  readonly details?: string;
  readonly stack?: string;
}

/** What is known of something that was thrown, or sent as a failure. */
export function toFailure(error: unknown): Failure {
  if (typeof error !== 'object' || error === null || !('message' in error))
    return { message: String(error) };
  const { message, details, stack } = error as Record<keyof Failure, unknown>;
  return {
    message: String(message),
    ...(typeof details === 'string' && { details }),
    ...(typeof stack === 'string' && { stack }),
  };
}

/**
 * A fault of the tool: one line, the request to report it, and the details if it has some. The
 * stack only for those who ask for it.
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
