import { numberTooLarge, syntaxError } from './diagnostic.js';
import type { ErrorList } from './error-list.js';
import type { LineIndex } from './line-index.js';
import { ReadingFailure, type Token } from './tokens.js';

/** Shared by all parts of a front end during the reading of one file. */
export interface Reading {
  readonly errors: ErrorList;
  readonly index: LineIndex;
}

/**
 * The result of `read`; `undefined` after a `ReadingFailure`, which becomes an error of the file.
 */
export function attempt<T>({ errors }: Reading, read: () => T): T | undefined {
  try {
    return read();
  } catch (failure) {
    if (!(failure instanceof ReadingFailure)) throw failure;
    const { span, message, hint } = failure;
    errors.error(() => syntaxError(span, message, hint));
    return undefined;
  }
}

/** The value of a number token, negated if asked for; 0 after an error. */
export function numberOf({ errors }: Reading, { text, span }: Token, isNegative = false): number {
  const value = Number(text.replace(/[uUlL]+$/, '')) * (isNegative ? -1 : 1) + 0;
  if ((value | 0) === value) return value;
  errors.error(() => numberTooLarge(span, isNegative ? `-${text}` : text));
  return 0;
}
