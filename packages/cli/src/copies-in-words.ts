import { countOf, enumerate } from '@fencewright/core';
import type { CopyNumbers, Counted } from './run-settings.js';

const words: Readonly<Record<Counted, readonly [one: string, many: string]>> = {
  threads: ['copy', 'copies'],
  instances: ['instance', 'instances'],
};

/** Returns numbers of copies in words: `3 copies of t and 1 copy of u`, `2 instances of e`. */
export function copiesInWords(copies: CopyNumbers, counted: Counted = 'threads'): string {
  const [one, many] = words[counted];
  return enumerate(
    Object.entries(copies).map(([name, count]) => `${countOf(count, one, many)} of ${name}`),
  );
}
