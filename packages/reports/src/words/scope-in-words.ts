import type { Scope } from '@fencewright/model/verdict/verdict.js';
import { countOf, enumerate } from '@fencewright/ground/base/number-words.js';

/** Returns the words for any number of copies: `any number of copies of left and right`. */
export function anyNumberInWords(templates: readonly string[]): string {
  return `any number of copies of ${enumerate(templates)}`;
}

/**
 * Returns the numbers of copies in words: `for any number of copies of thief`; for one instance,
 * `with 2 copies of thief`.
 */
export function scopeInWords(scope: Scope): string {
  if (scope.kind === 'all') return `for ${anyNumberInWords(scope.templates)}`;
  return `with ${enumerate(scope.copies.map(({ template, count }) => `${countOf(count, 'copy', 'copies')} of ${template}`))}`;
}
