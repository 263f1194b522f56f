import { helperEnvironment } from './helpers.js';
import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** How a command ended. */
export type GroupEnd =
  | {
      readonly kind: 'exited';
      /** `undefined` after a signal. */
      readonly code: number | undefined;
      readonly stdout: string;
      readonly stderr: string;
    }
  /** There is no such command. */
  | { readonly kind: 'missing' }
  /** It was killed because of `signal`. */
  | { readonly kind: 'stopped' };

export interface GroupOptions {
  /** Where it runs. */
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly environment?: Readonly<Record<string, string>>;
  readonly onOutput?: (text: string) => void;
}

/** No command of ours has as much to say. */
const longestOutput = 64 * 1024 * 1024;

/** The name of the file in its folder by which a running process group is found again. */
const mark = 'group-';

/** The process group that a file in a folder of `runGroup` tells of. */
export function groupOfMark(file: string): number | undefined {
  return file.startsWith(mark) ? Number(file.slice(mark.length)) : undefined;
}

/** Kills a process and all that it has started. */
export function killGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** Runs a command in a process group of its own, all of which is killed when `signal` says so. */
export function runGroup(
  command: string,
  args: readonly string[],
  { folder, signal, environment, onOutput }: GroupOptions,
): Promise<GroupEnd> {
  if (signal.aborted) return Promise.resolve({ kind: 'stopped' });
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: folder,
      env: { ...helperEnvironment(), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const { pid } = child;
    let stdout = '';
    let stderr = '';
    const file = pid === undefined ? undefined : path.join(folder, `${mark}${pid}`);
    try {
      if (file !== undefined) writeFileSync(file, '');
    } catch (error) {
      // On a full disk, it would soon end in a worse way.
      if (pid !== undefined) killGroup(pid);
      stderr = (error as Error).message;
    }
    const stop = (): void => {
      if (pid !== undefined) killGroup(pid);
    };
    signal.addEventListener('abort', stop);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      if (stdout.length > longestOutput) stop();
      onOutput?.(text);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
      if (stderr.length > longestOutput) stop();
    });
    const finish = (end: GroupEnd): void => {
      signal.removeEventListener('abort', stop);
      if (file !== undefined) rmSync(file, { force: true });
      resolve(signal.aborted ? { kind: 'stopped' } : end);
    };
    child.on('error', (error: NodeJS.ErrnoException) =>
      finish(
        error.code === 'ENOENT'
          ? { kind: 'missing' }
          : { kind: 'exited', code: undefined, stdout, stderr: error.message },
      ),
    );
    child.on('close', (code) =>
      finish({ kind: 'exited', code: code ?? undefined, stdout, stderr }),
    );
  });
}
