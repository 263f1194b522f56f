import { helperEnvironment } from './helpers.js';
import { spawn } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { textOf } from './text-of.js';

/** The exit of a command, and the command's output. */
export type GroupEnd =
  | {
      readonly kind: 'exited';
      /** The exit status of the command; `undefined` if a signal ended it. */
      readonly code: number | undefined;
      readonly signal?: NodeJS.Signals;
      readonly stdout: string;
      readonly stderr: string;
    }
  /** The command does not exist. */
  | { readonly kind: 'missing' }
  /** The command was killed because `signal` was aborted. */
  | { readonly kind: 'stopped' }
  /** The command was killed because of too much output or memory. */
  | { readonly kind: 'exceeded'; readonly what: 'output' | 'memory' };

interface GroupOptions {
  /** The working folder of the command. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** The environment variables to set for the command, or to remove. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The text that the command gets on standard input; nothing if absent. */
  readonly input?: string;
  /**
   * If true, no file that names the running process group is written into the working folder. Set
   * for folders that belong to the user.
   */
  readonly leavesNoMark?: true;
  /** The maximum number of characters that the command may write to stdout, and to stderr. */
  readonly maxOutput?: number;
  /** The maximum memory of the command and its children in bytes; not enforced without /proc. */
  readonly maxMemory?: number;
  readonly onOutput?: (text: string) => void;
}

/** The maximum number of characters of output, if the caller sets no limit. */
const longestOutput = 64 * 1024 * 1024;

/** The time in milliseconds between two measurements of a command's memory. */
const memoryInterval = 20;

/**
 * The prefix of the name of a file in the working folder; the rest of the name is the number of the
 * running process group.
 */
const mark = 'group-';

/**
 * Returns the process group named by a file in a folder of `runGroup`; `undefined` for other files.
 */
export function groupOfMark(file: string): number | undefined {
  return file.startsWith(mark) ? Number(file.slice(mark.length)) : undefined;
}

/** Kills a process and all processes started by the process. */
export function killGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // The group has already ended.
  }
}

/** Returns the bytes in memory of a process and its children; 0 if unknown. */
function memoryOf(id: number): number {
  const kibibytes = Number(
    /^VmRSS:\s*(\d+) kB/m.exec(textOf(`/proc/${id}/status`) ?? '')?.[1] ?? 0,
  );
  const children = (textOf(`/proc/${id}/task/${id}/children`) ?? '').split(' ').filter(Boolean);
  return children.reduce((sum, child) => sum + memoryOf(Number(child)), kibibytes * 1024);
}

/** Runs a command in a separate process group; aborting `signal` kills the whole group. */
export function runGroup(
  command: string,
  args: readonly string[],
  {
    folder,
    signal,
    environment,
    input,
    onOutput,
    leavesNoMark,
    maxOutput = longestOutput,
    maxMemory = Infinity,
  }: GroupOptions,
): Promise<GroupEnd> {
  if (signal.aborted) return Promise.resolve({ kind: 'stopped' });
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: folder,
      env: { ...helperEnvironment(), ...environment },
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      detached: true,
    });
    // The command may end before reading the whole input.
    child.stdin?.on('error', () => undefined).end(input);
    const { pid } = child;
    let stdout = '';
    let stderr = '';
    let exceeded: 'output' | 'memory' | undefined;
    const file = pid === undefined || leavesNoMark ? undefined : path.join(folder, `${mark}${pid}`);
    try {
      if (file !== undefined) writeFileSync(file, '');
    } catch (error) {
      // On a full disk, the command would soon fail in a worse way.
      if (pid !== undefined) killGroup(pid);
      stderr = (error as Error).message;
    }
    const stop = (): void => {
      if (pid !== undefined) killGroup(pid);
    };
    const exceed = (what: 'output' | 'memory'): void => {
      exceeded ??= what;
      stop();
    };
    signal.addEventListener('abort', stop);
    // Without a mark, no other process can find and end the group.
    if (leavesNoMark) process.on('exit', stop);
    const watch = setInterval(
      () => {
        if (pid !== undefined && memoryOf(pid) > maxMemory) exceed('memory');
      },
      maxMemory === Infinity ? 2 ** 31 - 1 : memoryInterval,
    );
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      if (stdout.length > maxOutput) exceed('output');
      onOutput?.(text);
    });
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
      if (stderr.length > maxOutput) exceed('output');
    });
    const finish = (end: GroupEnd): void => {
      clearInterval(watch);
      signal.removeEventListener('abort', stop);
      process.off('exit', stop);
      if (file !== undefined) rmSync(file, { force: true });
      if (signal.aborted) resolve({ kind: 'stopped' });
      else resolve(exceeded === undefined ? end : { kind: 'exceeded', what: exceeded });
    };
    child.on('error', (error: NodeJS.ErrnoException) =>
      finish(
        error.code === 'ENOENT'
          ? { kind: 'missing' }
          : { kind: 'exited', code: undefined, stdout, stderr: error.message },
      ),
    );
    child.on('close', (code, by) => {
      const signal = by === null ? {} : { signal: by };
      finish({ kind: 'exited', code: code ?? undefined, ...signal, stdout, stderr });
    });
  });
}
