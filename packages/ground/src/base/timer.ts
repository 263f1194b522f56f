/** Milliseconds that a timer of the system can count; a longer one would be over at once. */
const longest = 2 ** 31 - 1;

/** What Node.js has besides: a timer that no process stays alive for. */
interface SystemTimer {
  readonly unref?: () => void;
}

/**
 * Does something after so many milliseconds, of which there may be any number; gives what calls
 * that off. `isIdle`: the process need not stay alive for it.
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

/** A signal that comes after so many milliseconds; no process stays alive for it. */
export function timeSignal(milliseconds: number): AbortSignal {
  const controller = new AbortController();
  startTimer(() => controller.abort(), milliseconds, true);
  return controller.signal;
}
