import { readdirSync, readFileSync } from 'node:fs';
import { threadId } from 'node:worker_threads';
import { absoluteFolders } from './find-program.js';

/** The environment variable that names the thread that started a process. */
const variable = 'FENCEWRIGHT_THREAD';

function markOf(thread: number): string {
  return `${process.pid}.${thread}`;
}

/**
 * Returns the environment for a program started by this thread; the program's search path has
 * absolute folders only.
 */
export function helperEnvironment(): Readonly<Record<string, string | undefined>> {
  const { PATH } = process.env;
  return {
    ...process.env,
    ...(PATH !== undefined && { PATH: absoluteFolders(PATH) }),
    [variable]: markOf(threadId),
  };
}

/**
 * Kills the programs that an ended thread of this process has left running; does nothing without
 * /proc.
 */
export function killHelpersOf(thread: number): void {
  const wanted = `${variable}=${markOf(thread)}`;
  for (const name of numbersIn('/proc')) {
    if (!environmentOf(name).includes(wanted)) continue;
    try {
      process.kill(Number(name), 'SIGKILL');
    } catch {
      // The process has already ended.
    }
  }
}

function numbersIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

function environmentOf(id: string): readonly string[] {
  try {
    return readFileSync(`/proc/${id}/environ`, 'utf8').split('\0');
  } catch {
    return [];
  }
}
