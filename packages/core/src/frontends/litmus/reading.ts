import { SharedNames } from '../../program/shared-names.js';
import { numberTooLarge, syntaxError } from '../../source/diagnostic.js';
import { ErrorList } from '../../source/error-list.js';
import { LineIndex } from '../../source/line-index.js';
import { quote } from '../../source/quote.js';
import { ReadingFailure, type Token } from './tokens.js';

/** What all parts of a front end share while they read one file. */
export interface Reading {
  readonly errors: ErrorList;
  readonly index: LineIndex;
  readonly shared: SharedNames;
}

export function startReading(text: string): Reading {
  return { errors: new ErrorList(), index: new LineIndex(text), shared: new SharedNames() };
}

/** What `read` gives; absent after a `ReadingFailure`, which becomes an error of the file. */
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

/** The failure to read on at `token`. */
export function readingFailureOf(token: Token, message: string, hint?: string): ReadingFailure {
  return new ReadingFailure(token.span, `${message}: ${quote(token.text)}`, hint);
}

/** The value of a number token, negated if asked for; 0 after an error. */
export function numberOf({ errors }: Reading, { text, span }: Token, isNegative = false): number {
  const value = Number(text.replace(/[uUlL]+$/, '')) * (isNegative ? -1 : 1) + 0;
  if ((value | 0) === value) return value;
  errors.error(() => numberTooLarge(span, isNegative ? `-${text}` : text));
  return 0;
}
