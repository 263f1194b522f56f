import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { countOf } from '@fencewright/core';
import { type ExitCode, exitCodes } from './exit-codes.js';
import { includedFiles } from './included-files.js';
import { stopSignals } from './interrupt.js';

/** A run of a verb, ready to start. */
export interface PreparedRun {
  readonly run: () => Promise<ExitCode>;
  /**
   * Returns the files that the run reads, found anew on the disk at each call, without included
   * files of C.
   */
  readonly files: () => Promise<readonly string[]>;
  /** The folders in which the program's headers are searched for. */
  readonly include: readonly string[];
}

/**
 * The number of milliseconds between two checks for changed files. Checking files, unlike
 * notifications of the system, works on all disks.
 */
const pause = 200;

/**
 * Returns a text that changes when the content of a file changes; a missing file also has a text.
 */
function stampOf(file: string): string {
  try {
    const { mtimeMs, ctimeMs, size, ino } = statSync(file);
    return `${mtimeMs} ${ctimeMs} ${size} ${ino}`;
  } catch {
    return 'none';
  }
}

type Snapshot = ReadonlyMap<string, string>;

async function snapshotOf({ files, include }: PreparedRun): Promise<Snapshot> {
  const own = await files();
  const all = [...own, ...own.flatMap((file) => includedFiles(file, include))];
  return new Map(all.map((file) => [file, stampOf(file)]));
}

function sameSnapshot(one: Snapshot, other: Snapshot): boolean {
  return one.size === other.size && [...one].every(([file, stamp]) => other.get(file) === stamp);
}

/**
 * Waits until a file differs from `before`, and then until nothing changes between two checks, as
 * an editor may write in several steps. Returns `false` if `signal` was aborted first.
 */
async function changes(
  prepared: PreparedRun,
  before: Snapshot,
  signal: AbortSignal,
): Promise<boolean> {
  for (let last = before; ;) {
    await sleep(pause, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return false;
    const now = await snapshotOf(prepared);
    if (sameSnapshot(now, last) && !sameSnapshot(now, before)) return true;
    last = now;
  }
}

/**
 * Runs a verb, and again whenever the files that it reads change, until Ctrl-C; returns the exit
 * status of the last run.
 */
export async function runWatching(prepare: () => Promise<PreparedRun>): Promise<ExitCode> {
  const controller = new AbortController();
  const { signal } = controller;
  const stop = (): void => controller.abort();
  for (const name of stopSignals) process.on(name, stop);
  let exitCode: ExitCode = exitCodes.robust;
  try {
    for (;;) {
      const prepared = await prepare();
      const before = await snapshotOf(prepared);
      exitCode = await prepared.run();
      if (signal.aborted) return exitCode;
      process.stderr.write(
        `watching ${countOf(before.size, 'file')}; a changed file is read again; Ctrl-C ends the watch\n`,
      );
      if (!(await changes(prepared, before, signal))) return exitCode;
    }
  } finally {
    for (const name of stopSignals) process.off(name, stop);
  }
}
