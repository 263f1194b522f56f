import { crc32 } from 'node:zlib';
import type { CopyNumbers } from '../run-settings.js';
import type { RandomPrograms } from '@fencewright/core';
import type { BatchResult } from './job-result.js';

/** The question of a journal: a later run must ask the same question. */
export interface JournalHeader {
  readonly kind: 'journal';
  readonly version: 1;
  readonly tool: string;
  readonly verb: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** A file of a run, with the key of its job. */
export interface ListedFile {
  readonly key: string;
  readonly file: string;
  readonly copies?: CopyNumbers;
  /** The random programs, for a job about random programs, named by `file`. */
  readonly random?: RandomPrograms;
}

/** A line with the result of a job, sealed by the machine that did the job. */
export interface ResultLine {
  readonly kind: 'end';
  readonly key: string;
  readonly result: BatchResult;
  readonly seal: string;
  /** The source of the result, if not this machine: a cache, or a worker without a seal. */
  readonly from?: TakenFrom;
}

export type TakenFrom = 'cache' | 'worker';

export type JournalLine =
  | JournalHeader
  /**
   * The start of a run, or its continuation; the files of the run follow and replace the files of
   * earlier runs.
   */
  | { readonly kind: 'run'; readonly shard?: string }
  | ({ readonly kind: 'file' } & ListedFile)
  /** The end of the list of files, with a seal. */
  | { readonly kind: 'listed'; readonly seal: string }
  /** The start of a job; written before the job begins. */
  | { readonly kind: 'start'; readonly key: string }
  /** The process died during the job, for the given reason. */
  | { readonly kind: 'died'; readonly key: string; readonly why: string }
  /** The job was stopped on request; the start of the job does not count. */
  | { readonly kind: 'stopped'; readonly key: string }
  /** The result of a job. The first result counts; later results must be equal. */
  | ResultLine
  /** All earlier results of the job no longer count. */
  | { readonly kind: 'forget'; readonly key: string };

const sumOf = (text: string): string => crc32(text).toString(16).padStart(8, '0');

/** Encodes a line of a journal, with the line end: JSON with a checksum as the last member. */
export function writeLine(line: JournalLine): string {
  const body = JSON.stringify(line).slice(0, -1);
  return `${body},"sum":"${sumOf(body)}"}\n`;
}

const isKey = (value: unknown): boolean => typeof value === 'string';
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isListedFile({
  key,
  file,
  copies = {},
  random,
}: Readonly<Record<string, unknown>>): boolean {
  const isRandom =
    random === undefined ||
    (isRecord(random) &&
      typeof random.generator === 'string' &&
      isCount(random.first) &&
      isCount(random.count));
  return (
    isKey(key) &&
    typeof file === 'string' &&
    isRecord(copies) &&
    Object.values(copies).every(isCount) &&
    isRandom
  );
}

/** Whether data has the form of a journal's line; anybody may have written the data. */
function isLine(line: unknown): line is JournalLine {
  if (!isRecord(line)) return false;
  switch (line.kind) {
    case 'journal':
      return (
        typeof line.tool === 'string' && typeof line.verb === 'string' && isRecord(line.settings)
      );
    case 'run':
      return line.shard === undefined || typeof line.shard === 'string';
    case 'file':
      return isListedFile(line);
    case 'listed':
      return true;
    case 'died':
      return isKey(line.key) && typeof line.why === 'string';
    default:
      return (
        ['start', 'stopped', 'end', 'forget'].some((kind) => kind === line.kind) && isKey(line.key)
      );
  }
}

/**
 * Decodes a line of a journal, without the line end; returns `undefined` if the line is damaged.
 */
export function readLine(text: string): JournalLine | undefined {
  const match = /,"sum":"([0-9a-f]{8})"\}$/.exec(text);
  if (!match) return undefined;
  const body = text.slice(0, match.index);
  if (sumOf(body) !== match[1]) return undefined;
  try {
    const line = JSON.parse(`${body}}`) as unknown;
    return isLine(line) ? line : undefined;
  } catch {
    return undefined;
  }
}
