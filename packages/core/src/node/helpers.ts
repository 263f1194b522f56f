import { readdirSync, readFileSync } from 'node:fs';
import { threadId } from 'node:worker_threads';
import { absoluteFolders } from './find-program.js';

/** The variable that tells which thread has started a program. */
const variable = 'FENCEWRIGHT_THREAD';

function markOf(thread: number): string {
  return `${process.pid}.${thread}`;
}

/** The environment of a program that this thread starts; programs are found in absolute folders. */
export function helperEnvironment(): Readonly<Record<string, string | undefined>> {
  const { PATH } = process.env;
  return {
    ...process.env,
    ...(PATH !== undefined && { PATH: absoluteFolders(PATH) }),
    [variable]: markOf(threadId),
  };
}

/**
 * Ends the programs that a thread of this process has left running when it was ended; where there
 * is no /proc, nothing.
 */
export function killHelpersOf(thread: number): void {
  const wanted = `${variable}=${markOf(thread)}`;
  for (const name of numbersIn('/proc')) {
    if (!environmentOf(name).includes(wanted)) continue;
    try {
      process.kill(Number(name), 'SIGKILL');
    } catch {
      // It has ended by itself.
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
