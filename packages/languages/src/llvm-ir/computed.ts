import { choiceOfCode, ChoiceNeeded } from './choice-needed.js';
import { Unsupported } from './unsupported.js';

/**
 * The bytes of an integer that was read from a structure; some bytes are uninitialised or not
 * chosen yet.
 */
interface SomeBytes {
  readonly bytes: readonly (number | undefined)[];
}

/**
 * The result of an instruction: a signed number, `undefined` for an undefined value, several
 * results, bytes that can only be stored, or a value that is not chosen yet.
 */
export type Computed = bigint | undefined | readonly Computed[] | SomeBytes | Chosen;

/**
 * An input value of `main` that no instruction has used so far; `chosen` is the number of the
 * choice.
 */
export interface Chosen {
  readonly chosen: number;
}

/**
 * The numbers of the choices of input values on which a value depends, by its bytes or parts as
 * well.
 */
export function choicesIn(value: Computed): readonly number[] {
  if (typeof value !== 'object') return [];
  if ('chosen' in value) return [value.chosen];
  if ('bytes' in value) return value.bytes.flatMap((byte) => choiceOfCode(byte) ?? []);
  return value.flatMap((part) => choicesIn(part));
}

/** The error for the use of a value that is no number. */
export function notKnown(value: Computed): Error {
  const [choice] = choicesIn(value);
  return choice === undefined
    ? new Unsupported('an uninitialised value is used')
    : new ChoiceNeeded(choice);
}
