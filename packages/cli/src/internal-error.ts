import { quoteName } from '@fencewright/core/words';
/** Whether the user asked for the details of a fault of the tool. */
function isDebugging(): boolean {
  return Boolean(process.env.FENCEWRIGHT_DEBUG);
}

/** A fault of the tool: one line, the request to report it, and the details if it has some. The stack only for those who ask for it. */
export function internalErrorText(error: unknown, about?: string): string {
  const message = error instanceof Error ? error.message : String(error);
  const where = about === undefined ? '' : ` on ${quoteName(about)}`;
  const lines = [
    `fencewright: internal error${where}: ${message.split('\n')[0] ?? ''}`,
    '  This is a fault of fencewright, not of your program: please report it, with the input.',
  ];
  const details = error instanceof Error && 'details' in error ? error.details : undefined;
  if (typeof details === 'string') lines.push('', details.trimEnd(), '');
  if (isDebugging()) lines.push(error instanceof Error ? (error.stack ?? '') : '');
  else lines.push('  FENCEWRIGHT_DEBUG=1 shows where it happened.');
  return `${lines.join('\n')}\n`;
}
