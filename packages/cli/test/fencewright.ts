import { type ChildProcess, fork, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

/** The bundled command line. */
export const binary = fileURLToPath(new URL('../bin/fencewright.js', import.meta.url));

/** The outcome of a run of the bundled command line. */
export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /**
   * Called once the process has started. `untilWorked` waits until the process has used the given
   * milliseconds of CPU time.
   */
  readonly during?: (
    kill: (signal: NodeJS.Signals) => void,
    untilWorked: (milliseconds: number) => Promise<void>,
  ) => void;
}

/** Resolves when a process has used the given milliseconds of CPU time, or has ended. */
async function untilWorked(pid: number, milliseconds: number): Promise<void> {
  for (;;) {
    const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
    if (line === undefined) return;
    // After the program's name in brackets, the 12th and 13th word are the CPU time in ticks of 10
    // ms.
    const words = line.slice(line.lastIndexOf(')') + 2).split(' ');
    if ((Number(words[11]) + Number(words[12])) * 10 >= milliseconds) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Returns the environment of the command line in tests, which has no settings for colours. */
function environmentOf({ env }: RunOptions): Record<string, string> {
  const { PATH = '', TMPDIR } = process.env;
  return { PATH, ...(TMPDIR !== undefined && { TMPDIR }), ...env };
}

/** Runs the bundled command line in a process of its own. */
export function fencewrightAfresh(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  const child = spawn(process.execPath, [binary, ...args], {
    ...(options.cwd !== undefined && { cwd: options.cwd }),
    env: environmentOf(options),
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  // A process that needs no input may end before this write: the error EPIPE says only that.
  child.stdin.on('error', () => undefined).end(options.input ?? '');
  options.during?.(
    (signal) => child.kill(signal),
    (milliseconds) => untilWorked(child.pid!, milliseconds),
  );
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** The process for runs one after the other: its scripts stay loaded. See `warm-process.cjs`. */
let warm: ChildProcess | undefined;

function warmProcess(): ChildProcess {
  if (warm) return warm;
  const child = fork(fileURLToPath(new URL('warm-process.cjs', import.meta.url)), {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child.on('exit', () => {
    if (warm === child) warm = undefined;
  });
  warm = child;
  return child;
}

function runWarm(order: object): Promise<Run> {
  const child = warmProcess();
  child.ref();
  child.channel?.ref();
  return new Promise<Run>((resolve, reject) => {
    const leave = (): void => {
      child.off('message', answer).off('exit', fail);
      child.unref();
      child.channel?.unref();
    };
    const answer = (run: unknown): void => {
      leave();
      resolve(run as Run);
    };
    const fail = (): void => {
      leave();
      reject(new Error('the command line has ended its process: use fencewrightAfresh'));
    };
    child.on('message', answer).on('exit', fail);
    child.send(order);
  });
}

/** The promise of the result of the latest run in the warm process; the next run waits for it. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs the bundled command line: with input, or with work during the run, in a process of its own;
 * else in a process that earlier runs have warmed, since a start takes longer than most runs.
 */
export function fencewright(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  if (options.input !== undefined || options.during || args.includes('-'))
    return fencewrightAfresh(args, options);
  const order = { args, cwd: options.cwd ?? process.cwd(), env: environmentOf(options) };
  const run = last.then(() => runWarm(order));
  last = run.catch(() => undefined);
  return run;
}

/** Returns a folder with these files, removed at the end of the test. */
export async function folderWith(
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'fencewright-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), content);
  }
  return folder;
}
