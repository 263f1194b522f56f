import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type BatchResult, isFinal } from './job-result.js';
import { readLine, writeLine } from './journal-lines.js';

/** Results of earlier runs in a folder, a file for each key; runs may share it. */
export class ResultCache {
  constructor(readonly folder: string) {}

  #fileOf(key: string): string {
    return path.join(this.folder, key.slice(0, 2), `${key}.json`);
  }

  /** The result of a job, if it is there and whole. */
  get(key: string): BatchResult | undefined {
    try {
      const line = readLine(readFileSync(this.#fileOf(key), 'utf8').trimEnd());
      return line?.kind === 'end' && line.key === key ? line.result : undefined;
    } catch {
      return undefined;
    }
  }

  /** Keeps a result, if another run cannot come to another one. */
  put(key: string, result: BatchResult): void {
    if (!isFinal(result)) return;
    const file = this.#fileOf(key);
    mkdirSync(path.dirname(file), { recursive: true });
    const fresh = `${file}.${process.pid}`;
    writeFileSync(fresh, writeLine({ kind: 'end', key, result }));
    renameSync(fresh, file);
  }
}
