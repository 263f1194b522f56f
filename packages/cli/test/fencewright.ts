import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const binary = fileURLToPath(new URL('../bin/fencewright.js', import.meta.url));

/** What a run of the real, bundled command line left behind. */
export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Called once the process has started. */
  readonly during?: (kill: (signal: NodeJS.Signals) => void) => void;
}

/** Runs the command line as a user would, with an environment that says nothing about colours. */
export function fencewright(args: readonly string[], options: RunOptions = {}): Promise<Run> {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [binary, ...args], {
    ...(options.cwd !== undefined && { cwd: options.cwd }),
    env: { PATH, ...options.env },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdin.end(options.input ?? '');
  options.during?.((signal) => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** A folder with these files, gone when the test is over. */
export async function folderWith(
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'fencewright-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files))
    await writeFile(path.join(folder, name), content);
  return folder;
}
