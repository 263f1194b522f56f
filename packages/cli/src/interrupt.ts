import { exitCodes } from './exit-codes.js';

/** The user's wish to stop, as a signal for the searches. */
export interface Interrupts {
  readonly signal: AbortSignal;
  /** Gives the signals back to Node. */
  readonly release: () => void;
}

/**
 * The first Ctrl-C asks the searches to stop and report what they know; the second ends the process
 * at once.
 */
export function watchInterrupts(onFirst: () => void): Interrupts {
  const controller = new AbortController();
  const interrupt = (): void => {
    if (controller.signal.aborted) process.exit(exitCodes.interrupted);
    controller.abort();
    onFirst();
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  const release = (): void => {
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
  };
  return { signal: controller.signal, release };
}
