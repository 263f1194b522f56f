import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { writeFailure } from '../write-failure.js';
import type { BatchResult } from './job-result.js';
import {
  type JournalHeader,
  type JournalLine,
  type ListedFile,
  readLine,
  writeLine,
} from './journal-lines.js';

/** What is known of a job. */
interface JobRecord {
  /** Times that it has begun without an end. */
  open: number;
  /** Why it has no end, as far as that was seen. */
  why?: string;
  /** Where the lines with its results are. */
  readonly results: Place[];
}

interface Place {
  readonly offset: number;
  readonly length: number;
}

/** Why a journal cannot be used. */
export class JournalError extends Error {}

const failure = (error: unknown): JournalError =>
  new JournalError(`the journal cannot be written to: ${writeFailure(error)}`);

/** Milliseconds after which what was written is on the disk. */
const syncEvery = 1000;
/** Bytes that are read at once. */
const chunkBytes = 1024 * 1024;

/**
 * What runs of a batch write down, so that they can go on where one of them ended, however it
 * ended. Of results only their places are kept in memory.
 */
export class Journal {
  readonly #fd: number;
  readonly #jobs = new Map<string, JobRecord>();
  /** Files of all runs, by their jobs. */
  readonly #listed = new Map<string, ListedFile>();
  #size = 0;
  #isChanged = false;
  /** Why nothing more can be written. */
  #broken: JournalError | undefined;
  #sync: NodeJS.Timeout | undefined;
  header: JournalHeader | undefined;
  /** What the last run looks at, in its order. */
  files: ListedFile[] = [];
  /** Whether the last run has listed all. */
  isListed = false;
  shard: string | undefined;

  /**
   * Opens a journal; to write, where it may be a new one and what a run that was killed has left
   * unfinished at its end is taken off. Throws `JournalError` where it is damaged before that.
   */
  constructor(
    readonly path: string,
    use: 'read' | 'write',
  ) {
    this.#fd = openSync(path, use === 'read' ? 'r' : 'a+');
    try {
      this.#readAll();
      if (use === 'write') ftruncateSync(this.#fd, this.#size);
    } catch (error) {
      closeSync(this.#fd);
      throw error;
    }
  }

  #readAll(): void {
    let rest = Buffer.alloc(0);
    let number = 0;
    for (;;) {
      const chunk = Buffer.allocUnsafe(chunkBytes);
      const bytes = readSync(this.#fd, chunk, 0, chunkBytes, this.#size + rest.length);
      if (bytes === 0) return;
      rest = Buffer.concat([rest, chunk.subarray(0, bytes)]);
      let from = 0;
      for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10, from)) {
        number++;
        const line = readLine(rest.toString('utf8', from, end));
        if (!line || (line.kind === 'journal') !== (number === 1))
          throw new JournalError(`line ${number} is damaged`);
        this.#take(line, this.#size + from, end - from);
        from = end + 1;
      }
      this.#size += from;
      rest = rest.subarray(from);
    }
  }

  #recordOf(key: string): JobRecord {
    let record = this.#jobs.get(key);
    if (!record) this.#jobs.set(key, (record = { open: 0, results: [] }));
    return record;
  }

  #take(line: JournalLine, offset: number, length: number): void {
    switch (line.kind) {
      case 'journal':
        this.header = line;
        return;
      case 'run':
        this.files = [];
        this.isListed = false;
        this.shard = line.shard;
        return;
      case 'file': {
        const { kind: _, ...listed } = line;
        this.files.push(listed);
        this.#listed.set(line.key, listed);
        return;
      }
      case 'listed':
        this.isListed = true;
        return;
      case 'start':
        this.#recordOf(line.key).open++;
        return;
      case 'died':
        this.#recordOf(line.key).why = line.why;
        return;
      case 'stopped':
        this.#recordOf(line.key).open--;
        return;
      case 'end': {
        const record = this.#recordOf(line.key);
        record.open = 0;
        record.results.push({ offset, length });
        return;
      }
      case 'forget':
        this.#jobs.delete(line.key);
    }
  }

  #write(bytes: Buffer): void {
    // What follows half a line would be damage in the middle.
    if (this.#broken) throw this.#broken;
    try {
      for (let at = 0; at < bytes.length;) at += writeSync(this.#fd, bytes, at);
    } catch (error) {
      throw (this.#broken = failure(error));
    }
  }

  /**
   * Appends a line, in one write; results are on the disk a second later. Throws `JournalError`
   * where it cannot be written; nothing more can be then.
   */
  append(line: JournalLine): void {
    const bytes = Buffer.from(writeLine(line));
    this.#write(bytes);
    this.#take(line, this.#size, bytes.length - 1);
    this.#size += bytes.length;
    this.#isChanged = true;
    if (line.kind === 'end')
      this.#sync ??= setTimeout(() => {
        this.#sync = undefined;
        fdatasync(this.#fd, (error) => {
          if (error) this.#broken ??= failure(error);
        });
      }, syncEvery).unref();
  }

  /** How often a job has begun without an end, and why, as far as that is known. */
  deathsOf(key: string): { readonly count: number; readonly why?: string } {
    const { open = 0, why } = this.#jobs.get(key) ?? {};
    return { count: open, ...(why !== undefined && { why }) };
  }

  /** How many results of a job there are. */
  countOf(key: string): number {
    return this.#jobs.get(key)?.results.length ?? 0;
  }

  /** The result of a job that counts, read anew each time. */
  resultOf(key: string): BatchResult | undefined {
    return this.resultsOf(key, 1)[0];
  }

  /** The results of a job, at most so many, in the order in which they were recorded. */
  resultsOf(key: string, most = Number.POSITIVE_INFINITY): readonly BatchResult[] {
    const places = this.#jobs.get(key)?.results ?? [];
    return places.slice(0, most).map((place) => this.#readResult(place));
  }

  #readResult(place: Place): BatchResult {
    const bytes = Buffer.allocUnsafe(place.length);
    for (let at = 0; at < place.length;) {
      const got = readSync(this.#fd, bytes, at, place.length - at, place.offset + at);
      if (got === 0) break;
      at += got;
    }
    const line = readLine(bytes.toString('utf8'));
    if (line?.kind !== 'end') throw new JournalError('a result was changed by somebody else');
    return line.result;
  }

  /** The files whose jobs have begun, and have no end. */
  suspects(): readonly ListedFile[] {
    return [...this.#jobs].flatMap(([key, { open }]) =>
      open > 0 ? (this.#listed.get(key) ?? []) : [],
    );
  }

  /** Has all that was appended on the disk; throws `JournalError` where that cannot be. */
  sync(): void {
    try {
      fdatasyncSync(this.#fd);
    } catch (error) {
      throw (this.#broken ??= failure(error));
    }
  }

  close(): void {
    clearTimeout(this.#sync);
    try {
      if (this.#isChanged && !this.#broken) this.sync();
    } finally {
      closeSync(this.#fd);
    }
  }
}
