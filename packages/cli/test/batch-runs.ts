import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { BatchResult } from '../src/batch/job-result.js';
import { type JournalLine, readLine } from '../src/batch/journal-lines.js';
import { journalHeader } from '../src/batch/open-journal.js';
import { type Batch, type BatchEnd, runBatch } from '../src/batch/run-batch.js';
import { Sealer } from '../src/batch/seal.js';
import { filesIn } from '../src/files-in.js';

const poisoned = new URL('threads/poisoned-jobs.cjs', import.meta.url);
const values = { json: true, maxStates: 10_000, maxMemory: 256 };

/** The secret with which tests seal results. */
const secret = 'a secret of the tests';
export const testSealer = new Sealer([secret]);
/** The environment of a command that has the secret. */
export const testKey = { FENCEWRIGHT_KEY: secret };

type Ended = Exclude<BatchEnd, { readonly kind: 'failure' }>;

/**
 * Runs a batch of checks with fake processes, which do what the texts of the programs say. Rejects
 * if the batch cannot begin. `look` receives the journal and the results when the batch has ended.
 */
export async function runBatchOn<T>(
  files: readonly string[],
  folder: string,
  more: Partial<Batch>,
  look: (end: Ended) => T | Promise<T>,
): Promise<T> {
  const end = await runBatch({
    subjects: filesIn(files),
    common: { verb: 'check', settings: values },
    header: journalHeader('check', values),
    folder,
    fresh: false,
    sealer: testSealer,
    settings: { verb: 'check', values: { ...values, color: 'auto' }, ci: false, witnesses: false },
    script: poisoned,
    processes: 2,
    retry: [],
    audit: 0,
    ...more,
  });
  if (end.kind === 'failure') throw new Error(end.message);
  try {
    return await look(end);
  } finally {
    end.close();
  }
}

/** Returns the result of each file at the end of a batch, without times. */
export function resultsAt({ journal }: Ended): readonly [string, BatchResult | undefined][] {
  return journal.files.map(({ file, key }) => {
    const text = JSON.stringify(journal.resultOf(key) ?? null);
    const result = JSON.parse(text, withoutTime) as BatchResult | null;
    return [path.basename(file), result ?? undefined];
  });
}

/**
 * A reviver for `JSON.parse` that leaves out times, sizes and origins, which differ between runs.
 */
export function withoutTime(name: string, value: unknown): unknown {
  const isOrigin = name === 'from' && typeof value === 'string';
  return name === 'milliseconds' || name === 'bytes' || isOrigin ? undefined : value;
}

export const journalIn = (folder: string): string => path.join(folder, 'journal.jsonl');

/** Returns the complete lines of the journal in the folder; a last line without end is left out. */
export async function linesOf(folder: string): Promise<readonly JournalLine[]> {
  const lines = (await readFile(journalIn(folder), 'utf8')).split('\n').slice(0, -1);
  return lines.map((line) => readLine(line)!);
}

/** Returns the number of journal lines of a kind; 0 if the folder has no journal yet. */
export function countIn(folder: string, what: JournalLine['kind']): number {
  try {
    return readFileSync(journalIn(folder), 'utf8').split(`"kind":"${what}"`).length - 1;
  } catch {
    return 0;
  }
}

/** Resolves when `holds()` is true or the process has ended. */
export function until(holds: () => boolean, child?: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    const look = setInterval(() => {
      if (!holds() && (child?.exitCode ?? null) === null) return;
      clearInterval(look);
      resolve();
    }, 2);
  });
}
