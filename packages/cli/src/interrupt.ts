import { exitCodes } from './exit-codes.js';

/** The user's wish to stop, as a signal for the searches. */
export interface Interrupts {
  readonly signal: AbortSignal;
  /** Gives the signals back to Node. */
  readonly release: () => void;
}

/**
 * Ends the process when it has nothing left to do, also where a connection is still being tried to
 * a store that is away. The exit code is known by then; who reads what was said may be slow.
 */
export function leaveSoon(): void {
  const isSaid = (): boolean =>
    [process.stdout, process.stderr].every(({ writableLength }) => writableLength === 0);
  setInterval(() => isSaid() && process.exit(), 1000).unref();
}

const ignore = (): void => undefined;

/** What is said to a terminal that is gone is lost, and no fault. */
export function outliveTerminal(): void {
  process.stderr.off('error', ignore).on('error', ignore);
}

/** What asks a process to stop; the last where its terminal is gone, for what can go on later. */
export const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * The first Ctrl-C asks the searches to stop and report what they know; the second ends the process
 * at once.
 */
export function watchInterrupts(
  onFirst: () => void,
  signals: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM'],
): Interrupts {
  const controller = new AbortController();
  const interrupt = (): void => {
    if (controller.signal.aborted) process.exit(exitCodes.interrupted);
    controller.abort();
    onFirst();
  };
  for (const name of signals) process.on(name, interrupt);
  if (signals.includes('SIGHUP')) outliveTerminal();
  const release = (): void => {
    for (const name of signals) process.off(name, interrupt);
  };
  return { signal: controller.signal, release };
}
