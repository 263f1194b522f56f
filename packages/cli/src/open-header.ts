import type { Diagnostic } from '@fencewright/core';
import {
  chooseHeaders,
  type ClangOutput,
  type CxxHeader,
  type Header,
  readCxxHeader,
  readHeader,
} from '@fencewright/core/node';
import path from 'node:path';
import { failureOf, refused, toDiagnostics } from './clang-messages.js';
import { openClang } from './open-clang.js';
import type { CReadWishes } from './run-settings.js';

/** The system headers that many headers need and do not include. */
const expected = ['stdbool.h', 'stddef.h', 'stdint.h', 'stdio.h', 'sys/types.h'];

/** Whether a file name is that of a header in C++ only. */
export function isCxxHeader(file: string): boolean {
  return /\.(?:hpp|hh|hxx|h\+\+)$/i.test(file);
}

/** Whether the text of a header has words of C++. */
function looksLikeCxx(text: string): boolean {
  return /^[^\S\n]*(?:template\s*<|namespace\b|class\s|public:|private:|using\s)|\bstd::/m.test(
    text,
  );
}

/**
 * Returns the functions declared by a header in C, and the headers to be included before; or the
 * classes and functions of a header in C++; or the errors in the header.
 */
export async function openHeader(
  file: string,
  source: string,
  wishes: CReadWishes,
): Promise<
  | (Header & { readonly kind: 'c'; readonly before: readonly string[] })
  | (CxxHeader & { readonly kind: 'c++' })
  | { readonly kind: 'unread'; readonly diagnostics: readonly Diagnostic[] }
> {
  const unread = (diagnostics: readonly Diagnostic[]) => ({ kind: 'unread', diagnostics }) as const;
  const opened = await openClang(file, source, wishes, new AbortController().signal);
  if (opened.kind === 'stopped')
    return unread(refused('the search for clang was stopped').diagnostics);
  if (opened.kind === 'read') return unread(opened.diagnostics);
  const { clang, units, where } = opened;
  const { headers } = await chooseHeaders(clang, units, wishes.headers, where);
  const unit = { ...units[0]!, headers };
  const inCxx = async () => {
    const { dir, name } = path.parse(file);
    // The compiler takes the language from the name.
    const named = { ...units[0]!, file: path.join(dir, `${name}.hpp`), text: source };
    const chosen = await chooseHeaders(clang, [named], wishes.headers, where);
    return readCxxHeader(clang, { ...named, headers: chosen.headers }, where);
  };
  if (isCxxHeader(file)) {
    const found = await inCxx();
    return 'classes' in found ? { kind: 'c++', ...found } : unread(whyUnread(found, file, source));
  }
  const read = await readHeader(clang, unit, where);
  if (!('kind' in read)) return { kind: 'c', ...read, before: [] };
  if (read.kind === 'rejected') {
    const ccArgs = [...(unit.ccArgs ?? []), ...expected.map((each) => `-include${each}`)];
    const again = await readHeader(clang, { ...unit, ccArgs }, where);
    if (!('kind' in again)) return { kind: 'c', ...again, before: expected };
    const found = looksLikeCxx(source) ? await inCxx() : read;
    if ('classes' in found) return { kind: 'c++', ...found };
  }
  return unread(whyUnread(read, file, source));
}

/** Returns the errors that kept clang from reading a header. */
function whyUnread(
  read: Exclude<ClangOutput, { kind: 'output' }>,
  file: string,
  source: string,
): readonly Diagnostic[] {
  switch (read.kind) {
    case 'rejected': {
      const errors = read.messages.filter(({ severity }) => severity === 'error');
      return toDiagnostics(errors, file, source);
    }
    case 'stopped':
      return refused(`clang was stopped: ${read.reason}`).diagnostics;
    default:
      return failureOf(read).diagnostics;
  }
}
