import { createHash } from 'node:crypto';
import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { InternalError } from '@fencewright/core';
import { writeFailure } from '../write-failure.js';
import type { BatchResult } from './job-result.js';
import {
  type JournalHeader,
  type JournalLine,
  type ListedFile,
  readLine,
  type ResultLine,
  type TakenFrom,
  writeLine,
} from './journal-lines.js';
import type { Sealer } from './seal.js';
import { soundResult } from './sound-result.js';

/** The facts about a job that a journal keeps in memory. */
interface JobRecord {
  /** The number of starts of the job for which the journal has no end. */
  open: number;
  /** The reason why the last start of the job has no end, if known. */
  why?: string;
  /** The positions of the lines with the job's results in the journal's file. */
  readonly results: ResultPosition[];
}

interface RecordPosition {
  readonly offset: number;
  readonly length: number;
}

/** The position of a line with a trusted result. */
interface ResultPosition extends RecordPosition {
  readonly origin: ResultOrigin;
  /** The hash of the line, by which the line is known when it is read again. */
  readonly digest: string;
}

/** The source of a result: this run, an earlier run, or elsewhere. */
export type ResultOrigin = 'run' | 'journal' | TakenFrom;

/** The rule by which results in a journal are trusted. */
export type Belief =
  /** Only results with a seal of this user are trusted. */
  | { readonly kind: 'sealed'; readonly sealer: Sealer }
  /** All results in a valid form are trusted, whoever made them. */
  | { readonly kind: 'all' };

/** Thrown if a journal cannot be used; the message is the reason. */
export class JournalError extends Error {}

const digestOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('base64');

const failure = (error: unknown): JournalError =>
  new JournalError(`the journal cannot be written to: ${writeFailure(error)}`);

/** The number of milliseconds after which appended lines are flushed to the disk. */
const syncEvery = 1000;
/** The number of bytes of a journal that are read at a time. */
const chunkBytes = 1024 * 1024;

/**
 * The record of the runs of a batch, with which a later run can continue however an earlier run
 * ended. Only the positions of results are kept in memory.
 */
export class Journal {
  readonly #fd: number;
  readonly #jobs = new Map<string, JobRecord>();
  /** The files of all runs in the journal, by the key of the job. */
  readonly #listed = new Map<string, ListedFile>();
  /**
   * The hash of the list of files of the last run, over the part of the list that has been read or
   * written so far.
   */
  #list = createHash('sha256');
  #size = 0;
  #isChanged = false;
  /** The error in writing the journal after which no more lines can be written. */
  #broken: JournalError | undefined;
  #sync: NodeJS.Timeout | undefined;
  header: JournalHeader | undefined;
  /** The files of the last run in the journal, in order. */
  files: ListedFile[] = [];
  /** Whether the journal has the complete list of files of the last run. */
  isListed = false;
  /** Whether the list of files is trusted to be exactly the list that the last run wrote. */
  isListBelieved = false;
  shard: string | undefined;
  /** The number of results in the journal that are not trusted. */
  refused = 0;

  /**
   * Opens a journal. For writing, the file may be new, and an unfinished last line of a killed run
   * is removed. Throws `JournalError` if the file is damaged elsewhere.
   */
  constructor(
    readonly path: string,
    use: 'read' | 'write',
    readonly belief: Belief,
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
        const place = { offset: this.#size + from, length: end - from };
        this.#take(line, place, rest.subarray(from, end), true);
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

  #take(line: JournalLine, place: RecordPosition, bytes: Buffer, isRead: boolean): void {
    switch (line.kind) {
      case 'journal':
        this.header = line;
        return;
      case 'run':
        this.files = [];
        this.isListed = false;
        this.shard = line.shard;
        this.#list = createHash('sha256');
        return;
      case 'file': {
        const { kind: _, ...listed } = line;
        this.files.push(listed);
        this.#listed.set(line.key, listed);
        this.#list.update(`${JSON.stringify(listed)}\n`);
        return;
      }
      case 'listed':
        this.isListed = true;
        this.isListBelieved = !isRead || this.#isListOurs(line.seal);
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
        // An untrusted result does not make the job suspect either: the job is done again.
        record.open = 0;
        if (!isRead || this.#isBelieved(line)) {
          const origin = line.from ?? (isRead ? 'journal' : 'run');
          record.results.push({ ...place, origin, digest: digestOf(bytes) });
        } else this.refused++;
        return;
      }
      case 'forget':
        this.#jobs.delete(line.key);
    }
  }

  /** Returns the data that the seal of the list covers: the hash of the files, and the question. */
  #listNow(): unknown {
    return [this.header, this.shard ?? '', this.#list.copy().digest('hex')];
  }

  #isListOurs(seal: unknown): boolean {
    const { belief } = this;
    return belief.kind === 'all' || belief.sealer.knows('journal', 'listed', this.#listNow(), seal);
  }

  /** Writes the line that ends the list of files. */
  endList(): void {
    const seal = this.#sealer.seal('journal', 'listed', this.#listNow());
    this.append({ kind: 'listed', seal });
  }

  get #sealer(): Sealer {
    if (this.belief.kind === 'sealed') return this.belief.sealer;
    throw new InternalError('nobody seals this journal');
  }

  #isBelieved({ key, result, seal }: ResultLine): boolean {
    if (!soundResult(result)) return false;
    const { belief } = this;
    return belief.kind === 'all' || belief.sealer.knows('journal', key, result, seal);
  }

  #write(bytes: Buffer): void {
    // A line after half a line would be damage in the middle.
    if (this.#broken) throw this.#broken;
    try {
      for (let at = 0; at < bytes.length;) at += writeSync(this.#fd, bytes, at);
    } catch (error) {
      throw (this.#broken = failure(error));
    }
  }

  /**
   * Appends a line, in one write; within a second the line is on the disk. Throws `JournalError` if
   * writing fails; further writes then fail as well.
   */
  append(line: JournalLine): void {
    const bytes = Buffer.from(writeLine(line));
    this.#write(bytes);
    const place = { offset: this.#size, length: bytes.length - 1 };
    this.#take(line, place, bytes.subarray(0, -1), false);
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

  /** Returns how often a job was started without an end, and the reason, if known. */
  deathsOf(key: string): { readonly count: number; readonly why?: string } {
    const { open = 0, why } = this.#jobs.get(key) ?? {};
    return { count: open, ...(why !== undefined && { why }) };
  }

  /** Returns the number of results that the journal has for a job. */
  countOf(key: string): number {
    return this.#jobs.get(key)?.results.length ?? 0;
  }

  /** Records a result of a job in the journal, with the seal of this user. */
  record(key: string, result: BatchResult, from?: TakenFrom): void {
    const seal = this.#sealer.seal('journal', key, result);
    this.append({ kind: 'end', key, result, seal, ...(from && { from }) });
  }

  /** Returns the source of the result of a job that counts; `undefined` without a result. */
  originOf(key: string): ResultOrigin | undefined {
    return this.#jobs.get(key)?.results[0]?.origin;
  }

  /**
   * Returns the valid result of a job, read from the file each time; `undefined` if there is none.
   */
  resultOf(key: string): BatchResult | undefined {
    return this.resultsOf(key, 1)[0];
  }

  /** Returns at most `most` results of a job, in the order of recording. */
  resultsOf(key: string, most = Number.POSITIVE_INFINITY): readonly BatchResult[] {
    const places = this.#jobs.get(key)?.results ?? [];
    return places.slice(0, most).map((place) => this.#readResult(place));
  }

  #readResult(place: ResultPosition): BatchResult {
    const bytes = Buffer.allocUnsafe(place.length);
    for (let at = 0; at < place.length;) {
      const got = readSync(this.#fd, bytes, at, place.length - at, place.offset + at);
      if (got === 0) break;
      at += got;
    }
    const line = readLine(bytes.toString('utf8'));
    const isOurs =
      line?.kind === 'end' && (digestOf(bytes) === place.digest || this.#isBelieved(line));
    const result = isOurs ? soundResult(line.result) : undefined;
    if (!result) throw new JournalError('another process has changed a result');
    return result;
  }

  /** Returns the files whose jobs were begun and did not end. */
  suspects(): readonly ListedFile[] {
    return [...this.#jobs].flatMap(([key, { open }]) =>
      open > 0 ? (this.#listed.get(key) ?? []) : [],
    );
  }

  /** Flushes all appended lines to the disk; throws `JournalError` on failure. */
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
