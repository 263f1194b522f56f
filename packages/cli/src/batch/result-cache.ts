import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { quoteName } from '@fencewright/core';
import { writeFailure } from '../write-failure.js';
import { type BatchResult, isFinal } from './job-result.js';
import { readLine, writeLine } from './journal-lines.js';
import type { Sealer } from './seal.js';
import { soundResult } from './sound-result.js';

function rmIfThere(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // Not even the folder exists.
  }
}

/** Results of earlier runs in a folder, a file for each key; runs may share the folder. */
export class ResultCache {
  #isBroken = false;
  /** The number of cached results that are not trusted. */
  refused = 0;

  /** `remark` prints a line for the user. */
  constructor(
    readonly folder: string,
    readonly sealer: Sealer,
    readonly remark: (line: string) => void = () => undefined,
  ) {}

  #fileOf(key: string): string {
    return path.join(this.folder, key.slice(0, 2), `${key}.json`);
  }

  /** Returns the result of a job, if cached, undamaged, and sealed by this user. */
  get(key: string): BatchResult | undefined {
    try {
      const line = readLine(readFileSync(this.#fileOf(key), 'utf8').trimEnd());
      const isFor = line?.kind === 'end' && line.key === key;
      if (isFor && this.sealer.knows('journal', key, line.result, line.seal))
        return soundResult(line.result);
      this.refused++;
      return undefined;
    } catch {
      return undefined;
    }
  }

  /**
   * Keeps a result, if every other run must find an equal result. After a failed write nothing more
   * is kept; the journal has the results.
   */
  put(key: string, result: BatchResult): void {
    if (this.#isBroken || !isFinal(result)) return;
    const file = this.#fileOf(key);
    const fresh = `${file}.${process.pid}`;
    try {
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(
        fresh,
        writeLine({ kind: 'end', key, result, seal: this.sealer.seal('journal', key, result) }),
      );
      renameSync(fresh, file);
    } catch (error) {
      this.#isBroken = true;
      this.remark(
        `fencewright: the cache in ${quoteName(this.folder)} cannot be written, results are not kept there: ${writeFailure(error)}`,
      );
      rmIfThere(fresh);
    }
  }
}
