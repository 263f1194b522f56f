import type { Diagnostic } from '@fencewright/core';
import { chooseHeaders, type Header, readHeader } from '@fencewright/core/node';
import { failureOf, refused, toDiagnostics } from './clang-messages.js';
import { openClang } from './open-clang.js';
import type { CReadWishes } from './run-settings.js';

/** The system headers that many headers need and do not include. */
const expected = ['stdbool.h', 'stddef.h', 'stdint.h', 'stdio.h', 'sys/types.h'];

/**
 * Returns the functions declared by a header in C, and the headers to be included before; or the
 * errors in the header.
 */
export async function openHeader(
  file: string,
  source: string,
  wishes: CReadWishes,
): Promise<
  | (Header & { readonly before: readonly string[] })
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
  const read = await readHeader(clang, unit, where);
  if (!('kind' in read)) return { ...read, before: [] };
  switch (read.kind) {
    case 'rejected': {
      const ccArgs = [...(unit.ccArgs ?? []), ...expected.map((each) => `-include${each}`)];
      const again = await readHeader(clang, { ...unit, ccArgs }, where);
      if (!('kind' in again)) return { ...again, before: expected };
      const errors = read.messages.filter(({ severity }) => severity === 'error');
      return unread(toDiagnostics(errors, file, source));
    }
    case 'stopped':
      return unread(refused(`clang was stopped: ${read.reason}`).diagnostics);
    default:
      return unread(failureOf(read).diagnostics);
  }
}
