import { exitCodes } from './exit-codes.js';

/** The user's wish to stop, as a signal for the searches. */
export interface Interrupts {
  readonly signal: AbortSignal;
  /** Restores the default handling of signals. */
  readonly release: () => void;
}

/**
 * Ends the process once all output is written, even if a connection to an unreachable store is
 * still being tried. The exit status is set by then; the reader of the output may be slow.
 */
export function leaveSoon(): void {
  const isSaid = (): boolean =>
    [process.stdout, process.stderr].every(({ writableLength }) => writableLength === 0);
  setInterval(() => isSaid() && process.exit(), 1000).unref();
}

const ignore = (): void => undefined;

/** Ignores write errors on a closed terminal: lost output is no error. */
export function outliveTerminal(): void {
  process.stderr.off('error', ignore).on('error', ignore);
}

/** The signals that ask a process to stop; SIGHUP means that the terminal is closed. */
export const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Watches signals. The first Ctrl-C, or another stop signal, makes the searches report partial
 * results; the second ends the process at once.
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
