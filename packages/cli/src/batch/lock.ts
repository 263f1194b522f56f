import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { isRunning, textOf } from '@fencewright/core/node';

/** Returns the time at which a process started, in ticks since system start; 0 if unknown. */
function startOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The third field comes first after the program's name, which may contain any characters.
    return Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[19]);
  } catch {
    return 0;
  }
}

const lineOf = (pid: number): string => `${pid} ${startOf(pid)}\n`;

/**
 * Returns the number of the running process that holds a lock file; `undefined` if no running
 * process holds the file.
 */
export function holderOf(file: string): number | undefined {
  const text = textOf(file);
  const pid = Number(text?.split(' ')[0]);
  return text !== undefined && isRunning(pid) && text === lineOf(pid) ? pid : undefined;
}

/**
 * Takes a lock file, also from a dead process. Returns a function that releases the lock; or, if
 * another process holds the lock, the number of that process.
 */
export function takeLock(file: string): (() => void) | number {
  const mine = `${file}.${process.pid}`;
  writeFileSync(mine, lineOf(process.pid));
  try {
    for (;;) {
      try {
        // Unlike a file created and then written, a link has its text at once.
        linkSync(mine, file);
        return () => rmSync(file, { force: true });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      const seen = textOf(file);
      const holder = holderOf(file);
      if (holder !== undefined) return holder;
      const aside = `${mine}.old`;
      try {
        renameSync(file, aside);
      } catch {
        continue;
      }
      // If another process has taken the lock meanwhile, its file is moved back.
      if (textOf(aside) !== seen) renameSync(aside, file);
      rmSync(aside, { force: true });
    }
  } finally {
    rmSync(mine, { force: true });
  }
}
