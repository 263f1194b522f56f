import { crc32 } from 'node:zlib';
import type { Copies } from '../run-settings.js';
import type { RandomPrograms } from '@fencewright/core';
import type { BatchResult } from './job-result.js';

/** What a journal is about: who goes on with it has to ask the same. */
export interface JournalHeader {
  readonly kind: 'journal';
  readonly version: 1;
  readonly tool: string;
  readonly verb: string;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** What a run looks at, and the job that it is. */
export interface ListedFile {
  readonly key: string;
  readonly file: string;
  readonly copies?: Copies;
  /** In place of a file, which then names them. */
  readonly random?: RandomPrograms;
}

/** A result, sealed by who found it out. */
export interface ResultLine {
  readonly kind: 'end';
  readonly key: string;
  readonly result: BatchResult;
  readonly seal: string;
  /** Where it was taken over from: a cache, or a worker whose results bear no seal. */
  readonly from?: TakenFrom;
}

export type TakenFrom = 'cache' | 'worker';

/** What a journal says, line by line. */
export type JournalLine =
  | JournalHeader
  /** A run begins, or goes on; what it looks at follows, whatever runs before it looked at. */
  | { readonly kind: 'run'; readonly shard?: string }
  | ({ readonly kind: 'file' } & ListedFile)
  /** There are no more files. */
  | { readonly kind: 'listed'; readonly seal: string }
  /** Written before a job begins. */
  | { readonly kind: 'start'; readonly key: string }
  /** The process that did it is gone, and why. */
  | { readonly kind: 'died'; readonly key: string; readonly why: string }
  /** It was stopped on request: that it began means nothing. */
  | { readonly kind: 'stopped'; readonly key: string }
  /** What is recorded first counts; what follows is to be the same. */
  | ResultLine
  /** What is known of it does not count any more. */
  | { readonly kind: 'forget'; readonly key: string };

const sumOf = (text: string): string => crc32(text).toString(16).padStart(8, '0');

/** A line of a journal with its line end: JSON whose last member is a sum of what is before it. */
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

/** Whether some data has the shape of a line: anybody may have written it. */
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

/** What a line says, without its line end; `undefined` where it is damaged. */
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
