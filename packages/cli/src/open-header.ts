import type { Diagnostic } from '@fencewright/core';
import { chooseHeaders, type Header, readHeader } from '@fencewright/core/node';
import {
  clangFor,
  failureOf,
  noClang,
  refused,
  type RefusedC,
  shipped,
  toDiagnostics,
  unitsOf,
} from './load-c.js';
import type { CReadWishes } from './run-settings.js';

/** Headers that others expect before them. */
const expected = ['stdbool.h', 'stddef.h', 'stdint.h', 'stdio.h', 'sys/types.h'];

/**
 * Returns the functions that a header in C declares, with the headers that have to come before it;
 * or the errors in it.
 */
export async function openHeader(
  file: string,
  source: string,
  wishes: CReadWishes,
): Promise<
  | (Header & { readonly before: readonly string[] })
  | { readonly kind: 'unread'; readonly diagnostics: readonly Diagnostic[] }
> {
  const signal = new AbortController().signal;
  const unread = ({ diagnostics }: RefusedC) => ({ kind: 'unread', diagnostics }) as const;
  const clang = await clangFor(wishes.clang, signal);
  if (!clang || clang.kind === 'missing' || clang.kind === 'unusable')
    return unread(noClang(clang));
  const units = unitsOf(file, source, wishes);
  if ('kind' in units) return unread(units);
  const where = { folder: process.cwd(), shipped, signal };
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
      return { kind: 'unread', diagnostics: toDiagnostics(errors, file, source) };
    }
    case 'stopped':
      return unread(refused(`clang was stopped: ${read.reason}`));
    default: {
      const failure = failureOf(read);
      return { kind: 'unread', diagnostics: failure.kind === 'read' ? failure.diagnostics : [] };
    }
  }
}
