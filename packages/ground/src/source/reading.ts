import { numberTooLarge, syntaxError } from './diagnostic.js';
import type { ErrorList } from './error-list.js';
import type { LineIndex } from './line-index.js';
import { ReadingFailure, type Token } from './tokens.js';

/** The state that all parts of a front end share while reading one file. */
export interface Reading {
  readonly errors: ErrorList;
  readonly index: LineIndex;
}

/**
 * Returns the result of `read`; if `read` throws a `ReadingFailure`, adds an error to the file's
 * errors and returns `undefined`.
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

/**
 * Converts a number token to its value, negated if `isNegative`; reports an error and returns 0 if
 * the value is not allowed.
 */
export function numberOf({ errors }: Reading, { text, span }: Token, isNegative = false): number {
  const value = Number(text.replace(/[uUlL]+$/, '')) * (isNegative ? -1 : 1) + 0;
  if ((value | 0) === value) return value;
  errors.error(() => numberTooLarge(span, isNegative ? `-${text}` : text));
  return 0;
}
