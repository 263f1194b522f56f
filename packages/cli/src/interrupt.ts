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

/** What asks a process to stop; the last where its terminal is gone. */
export const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * The first Ctrl-C, or what else asks to stop, has the searches report what they know; the second
 * ends the process at once.
 */
export function watchInterrupts(onFirst: () => void): Interrupts {
  const controller = new AbortController();
  const interrupt = (): void => {
    if (controller.signal.aborted) process.exit(exitCodes.interrupted);
    controller.abort();
    onFirst();
  };
  for (const name of stopSignals) process.on(name, interrupt);
  process.on('SIGHUP', outliveTerminal);
  const release = (): void => {
    for (const name of stopSignals) process.off(name, interrupt);
    process.off('SIGHUP', outliveTerminal);
  };
  return { signal: controller.signal, release };
}
