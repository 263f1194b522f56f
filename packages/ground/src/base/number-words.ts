/** Formats a number with separators: `1234567` as `1,234,567`. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/**
 * Formats a count with its noun: `1 state`, `2 states`; `plural` is for words with irregular
 * plural.
 */
export function countOf(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatCount(count)} ${count === 1 ? noun : plural}`;
}

/** Formats a duration for users: `0.4 ms`, `12 ms`, `3.46 s`, `2 min 5 s`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 10) return `${milliseconds.toFixed(1)} ms`;
  if (milliseconds < 999.5) return `${milliseconds.toFixed(0)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 99.95) return `${seconds.toFixed(seconds < 9.995 ? 2 : 1)} s`;
  const whole = Math.round(seconds);
  return `${formatCount(Math.floor(whole / 60))} min ${whole % 60} s`;
}

/** Formats a size given in bytes: `640 KiB` or `34.5 MiB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(0)} KiB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

/** Joins items to a list in words: `a`, `a and b`, `a, b and c`. */
export function enumerate(items: readonly string[]): string {
  const last = items.at(-1);
  if (last === undefined) return '';
  return items.length === 1 ? last : `${items.slice(0, -1).join(', ')} and ${last}`;
}
