import path from 'node:path';
import {
  type Diagnostic,
  type Model,
  quoteArgument,
  quoteName,
  saidByClang,
  spanAt,
  unusableClang,
} from '@fencewright/core';
import {
  type ClangMessage,
  type Compiled,
  missingClangWords,
  type NoClang,
  textOf,
} from '@fencewright/core/node';
import { folderOfHeader } from './near-files.js';

/** The result of reading a program in C, or the reason why there is none. */
export type LoadedC =
  | { readonly kind: 'read'; readonly model?: Model; readonly diagnostics: readonly Diagnostic[] }
  | { readonly kind: 'stopped'; readonly reason: 'time' | 'memory' | 'cancelled' };

/** A refusal before clang has run, or because clang cannot run. */
export type RefusedC = Extract<LoadedC, { kind: 'read' }>;

/** Returns the refusal for a search that found no compiler. */
export function noClang(clang: Exclude<NoClang, { kind: 'stopped' }>): RefusedC {
  return clang.kind === 'missing'
    ? refused(missingClangWords(clang))
    : refused(`${quoteName(clang.command)}: ${clang.why}`);
}

export function refused(message: string, hint?: string): RefusedC {
  return { kind: 'read', diagnostics: [unusableClang(message, hint)] };
}

/** Returns the name of a file as clang prints it in messages. */
export function asOperand(file: string): string {
  return /^[-@]/.test(file) ? `.${path.sep}${file}` : file;
}

/** Returns the number of UTF-16 units that the first `bytes` bytes of a line encode. */
function unitsBefore(text: string | undefined, line: number, bytes: number): number {
  const content = text?.split(/\r\n|\n|\r/, line + 1)[line];
  return content === undefined ? bytes : Buffer.from(content).subarray(0, bytes).toString().length;
}

/**
 * Returns advice on a message of clang; `undefined` if there is none. `program` is the file that
 * clang compiled.
 */
function hintOn(message: string, program: string): string | undefined {
  const header = /^'(.+)' file not found$/.exec(message)?.[1];
  if (header !== undefined) {
    const folder = folderOfHeader(program, header);
    return folder === undefined
      ? 'name the folder of the file: -- -IFOLDER at the end, --compile-commands FILE, or include in fencewright.json'
      : `${quoteName(path.join(folder, header))} is there: -- -I${quoteArgument(folder)} at the end`;
  }
  return /^(?:use of undeclared identifier|unknown type name) '/.test(message)
    ? 'if the build defines it: -- -DNAME=VALUE at the end, or --compile-commands FILE'
    : undefined;
}

/** Returns clang's messages about a file, with their places. */
export function toDiagnostics(
  messages: readonly ClangMessage[],
  file: string,
  source: string,
): readonly Diagnostic[] {
  return messages.flatMap(({ severity, place, message }) => {
    // Notes add details to the previous message, which suffices alone.
    if (severity === 'note') return [];
    if (!place) return [saidByClang(severity, undefined, message, hintOn(message, file))];
    const isMain = place.file === asOperand(file);
    const text = isMain ? source : textOf(place.file);
    const column = unitsBefore(text, place.line, place.column);
    const elsewhere = isMain ? undefined : { name: place.file, text: text ?? '' };
    const span = spanAt(place.line, column, 1, elsewhere);
    return [saidByClang(severity, span, message, hintOn(message, file))];
  });
}

/** Returns the errors to report if clang compiled nothing. */
export function failureOf(
  compiled: Exclude<Compiled, { kind: 'compiled' | 'rejected' | 'stopped' }>,
): RefusedC {
  return compiled.kind === 'forbidden'
    ? refused(
        `the argument ${quoteName(compiled.argument)} for clang is refused: ${compiled.why}`,
        'docs/c.md lists the allowed arguments',
      )
    : refused(`${quoteName(compiled.file)} cannot be compiled: ${compiled.why}`);
}
