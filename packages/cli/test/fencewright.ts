import { spawn } from 'node:child_process';
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

/** Runs the bundled command line in an environment without settings for colours. */
export function fencewright(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  const { PATH = '', TMPDIR } = process.env;
  const child = spawn(process.execPath, [binary, ...args], {
    ...(options.cwd !== undefined && { cwd: options.cwd }),
    env: { PATH, TMPDIR, ...options.env },
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
