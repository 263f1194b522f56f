import { countOf, enumerate } from '@fencewright/core';
import type { Copies } from './run-settings.js';

/** `3 copies of t and 1 copy of u`. */
export function copiesInWords(copies: Copies): string {
  return enumerate(
    Object.entries(copies).map(
      ([thread, count]) => `${countOf(count, 'copy', 'copies')} of ${thread}`,
    ),
  );
}
