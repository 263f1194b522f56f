/** The maximum time of a system timer in milliseconds; a longer timer would fire at once. */
const longest = 2 ** 31 - 1;

/** The extension of Node.js by which a timer does not keep the process alive. */
interface SystemTimer {
  readonly unref?: () => void;
}

/**
 * Runs an action after any number of milliseconds; returns a function that cancels the timer. With
 * `isIdle`, the timer does not keep the process alive.
 */
export function startTimer(action: () => void, milliseconds: number, isIdle = false): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = (left: number): void => {
    const next = (): void => (left > longest ? wait(left - longest) : action());
    timer = setTimeout(next, Math.min(Math.max(0, left), longest));
    if (isIdle) (timer as SystemTimer).unref?.();
  };
  wait(milliseconds);
  return () => clearTimeout(timer);
}

/** A signal that aborts after the given milliseconds; the timer does not keep the process alive. */
export function timeSignal(milliseconds: number): AbortSignal {
  const controller = new AbortController();
  startTimer(() => controller.abort(), milliseconds, true);
  return controller.signal;
}
