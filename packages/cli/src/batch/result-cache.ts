import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { quoteName } from '@fencewright/core';
import { writeFailure } from '../write-failure.js';
import { type BatchResult, isFinalResult } from './job-result.js';
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

/** A folder with results of earlier runs, a file for each key; several runs may use the folder. */
export class ResultCache {
  #isBroken = false;
  /** The number of results in the cache rejected as untrusted. */
  refused = 0;

  /** Opens a cache in a folder; `remark` prints a line for the user. */
  constructor(
    readonly folder: string,
    readonly sealer: Sealer,
    readonly remark: (line: string) => void = () => undefined,
  ) {}

  #fileOf(key: string): string {
    return path.join(this.folder, key.slice(0, 2), `${key}.json`);
  }

  /**
   * Returns the result of a job, if the cache has it, undamaged, and sealed by this user; otherwise
   * `undefined`.
   */
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
   * Stores a result, if every other run would find the same result. After a failed write, nothing
   * more is stored: the journal has the results anyway.
   */
  put(key: string, result: BatchResult): void {
    if (this.#isBroken || !isFinalResult(result)) return;
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
