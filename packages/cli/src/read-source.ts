// The promises of `fs` take longer to load than a program takes to read.
import {
  constants,
  createReadStream,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  type Stats,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { exampleOfManual } from './manual-folder.js';
import { isPattern } from './operand-kind.js';
import {
  type Diagnostic,
  type Limits,
  nearestName,
  notText,
  quoteName,
  startTimer,
  unreadableFile,
} from '@fencewright/core';

/** The text of an input file, or the reason why there is none. */
export type SourceText =
  | {
      readonly kind: 'text';
      readonly text: string;
      /** The byte order mark before the text, if any. */
      readonly byteOrderMark?: string;
    }
  | { readonly kind: 'failure'; readonly diagnostic: Diagnostic };

/**
 * The maximum number of bytes of an input file. Programs are written by people: a larger file is a
 * mistake, and would take minutes to reject.
 */
const largestInput = 32 * 1024 * 1024;

const mark = '\ufeff';
const markBytes = Buffer.from(mark);

function failure(message: string, hint?: string): SourceText {
  return { kind: 'failure', diagnostic: unreadableFile(message, hint) };
}

function namesIn(folder: string): readonly string[] | undefined {
  try {
    return readdirSync(folder);
  } catch {
    return undefined;
  }
}

/** Returns the target of a symbolic link; `undefined` for a path that is no link. */
function targetOfLink(file: string): string | undefined {
  try {
    return readlinkSync(file);
  } catch {
    return undefined;
  }
}

/** The hint about a missing file without a file of a similar name beside it. */
export const checkSpelling = 'check the spelling of the path';

function missingFile(file: string): SourceText {
  if (isPattern(file)) return failure('no file has such a name', 'check the pattern');
  const example = exampleOfManual(file);
  if (example !== undefined)
    return failure('no such file', `the example of the manual is ${quoteName(example)}`);
  const target = targetOfLink(file);
  if (target !== undefined)
    return failure(`a symbolic link to ${quoteName(target)}, where nothing is`, 'mend the link');
  const folder = path.dirname(file);
  const siblings = namesIn(folder);
  if (!siblings) return failure('no such file', `there is no folder ${quoteName(folder)} either`);
  const nearest = nearestName(path.basename(file), siblings);
  return failure(
    'no such file',
    nearest === undefined
      ? checkSpelling
      : `did you mean ${quoteName(path.join(folder, nearest))}?`,
  );
}

/** Returns the error for a folder given where a single file is needed. */
async function folderFailure(folder: string): Promise<SourceText> {
  if (!namesIn(folder)) return failure('the folder cannot be read', 'make it readable');
  const { contentOf } = await import('./files-in.js');
  const content = contentOf(folder);
  if (content === 'parts')
    return failure(
      "this is a folder of parts of programs: none has a 'main'",
      "name one with --link and the file with 'main', or have one made: fencewright init --for HEADER",
    );
  if (content === 'none')
    return failure(
      'this is a folder, and there is no program in it',
      'names of programs end in .fw, .c and the like (`fencewright --help` lists all)',
    );
  return failure(
    'this is a folder, not a file',
    `name one of its files: ${quoteName(`${folder.replace(/\/+$/, '')}/`)}NAME`,
  );
}

function failureOf(error: unknown): SourceText {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'EACCES' || code === 'EPERM')
    return failure('permission denied', 'make the file readable');
  if (code === 'ELOOP')
    return failure('its symbolic links lead round in a circle', 'ls -l shows where they lead');
  return failure(`the file cannot be read (${code ?? String(error)})`);
}

/**
 * Returns the content of a device or a pipe, as a stream. Pipes are opened without waiting, as a
 * thread that waits in vain for a pipe cannot be ended.
 */
async function streamOf(file: string, status: Stats): Promise<AsyncIterable<Uint8Array>> {
  if (!status.isFIFO()) return createReadStream(file);
  const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  const { Socket } = await import('node:net');
  return new Socket({ fd, readable: true, writable: false });
}

async function readBytes(stream: AsyncIterable<Uint8Array>): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > largestInput) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function decode(bytes: Buffer | undefined): SourceText {
  if (!bytes)
    return failure(
      `the input is larger than ${largestInput / 1024 / 1024} MiB`,
      'is the file a program?',
    );
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    const marked = bytes.subarray(0, markBytes.length).equals(markBytes) && { byteOrderMark: mark };
    if (!text.includes('\0')) return { kind: 'text', text, ...marked };
  } catch {
    // Not UTF-8.
  }
  return { kind: 'failure', diagnostic: notText(encodingOf(bytes)) };
}

/** Returns the likely encoding of a text that is not UTF-8; `undefined` if it seems to be none. */
function encodingOf(bytes: Buffer): string | undefined {
  const isEven = bytes.length % 2 === 0;
  const zeros = (at: 0 | 1): number =>
    bytes.filter((byte, index) => byte === 0 && index % 2 === at).length;
  const half = bytes.length / 2;
  if (isEven && (zeros(0) > half / 2 || zeros(1) > half / 2) && zeros(0) * zeros(1) === 0)
    return 'UTF-16';
  // Texts have no control characters beside tabs, line breaks and form feeds.
  const isText = bytes.every((byte) => byte >= 32 || (byte >= 9 && byte <= 13));
  return isText ? 'ISO-8859-1' : undefined;
}

/** Reads the text of standard input; returns the reason if a limit or the user ended reading. */
export async function readStandardInput({
  timeout,
  signal,
}: Pick<Limits, 'timeout' | 'signal'>): Promise<
  SourceText | { readonly kind: 'stopped'; readonly reason: 'time' | 'cancelled' }
> {
  let callOff: (() => void) | undefined;
  let onAbort: () => void = () => undefined;
  const stopped = new Promise<'time' | 'cancelled'>((resolve) => {
    if (timeout !== undefined) callOff = startTimer(() => resolve('time'), timeout);
    signal?.addEventListener('abort', (onAbort = () => resolve('cancelled')));
    if (signal?.aborted) onAbort();
  });
  const first = await Promise.race([readSource('-'), stopped]);
  callOff?.();
  signal?.removeEventListener('abort', onAbort);
  if (typeof first !== 'string') return first;
  // The rest of the input is not needed.
  process.stdin.destroy();
  return { kind: 'stopped', reason: first };
}

/**
 * The content of standard input, kept since it can be read only once but each instance needs it.
 */
let standardInput: Promise<SourceText> | undefined;

/** Reads a file, or standard input for `-`. Never throws: errors are returned as diagnostics. */
export async function readSource(file: string): Promise<SourceText> {
  try {
    if (file === '-') return await (standardInput ??= readBytes(process.stdin).then(decode));
    const status = statSync(file);
    if (status.isDirectory()) return await folderFailure(file);
    if (!status.isFile()) return decode(await readBytes(await streamOf(file, status)));
    return decode(status.size > largestInput ? undefined : readFileSync(file));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    return code === 'ENOENT' || code === 'ENOTDIR' ? missingFile(file) : failureOf(error);
  }
}
