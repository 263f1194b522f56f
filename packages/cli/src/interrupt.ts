import { exitCodes } from './exit-codes.js';

/** The user's request to stop, as an abort signal for searches. */
export interface Interrupts {
  readonly signal: AbortSignal;
  /** Restores the default handling of Ctrl-C and other stop signals. */
  readonly release: () => void;
}

/**
 * Ends the process once all output is written, even if a connection to an unreachable store is
 * still being tried. The exit status has to be set before; the reader of the output may be slow.
 */
export function leaveSoon(): void {
  const isSaid = (): boolean =>
    [process.stdout, process.stderr].every(({ writableLength }) => writableLength === 0);
  setInterval(() => isSaid() && process.exit(), 1000).unref();
}

const ignore = (): void => undefined;

/** Makes the process ignore write errors on a closed terminal: lost output is no error. */
export function outliveTerminal(): void {
  process.stderr.off('error', ignore).on('error', ignore);
}

/** The signals for stopping a process; SIGHUP means that the terminal is closed. */
export const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Handles stop signals. The first Ctrl-C, or other stop signal, aborts the searches, which then
 * report partial results; the second ends the process at once.
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
