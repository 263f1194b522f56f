/**
 * Thrown if the program uses an input value before threads start: `main` has to be a thread from
 * the choice of that value on. The evaluator of `main` catches the error.
 */
export class ChoiceNeeded extends Error {
  override readonly name = 'ChoiceNeeded';
  /**
   * `choice` is the number of the choice, counted in the order in which `main` makes choices of
   * input values.
   */
  constructor(readonly choice: number) {
    super(`choice ${choice} is needed`);
  }
}

/**
 * Thrown if an exit function is registered while threads run, and the process was lowered without a
 * call of such functions behind `main`.
 */
export class LastsNeeded extends Error {
  override readonly name = 'LastsNeeded';
}

/** The maximum size of a stored value, in bytes. */
const mostBytes = 16;
/**
 * The smallest code that represents a byte of a value that is not chosen yet; greater than all
 * bytes.
 */
const firstCode = 256;

/**
 * The codes that represent, in memory, the bytes of a value not chosen yet. Codes are greater than
 * all bytes.
 */
export function codesOfChoice(choice: number, size: number): readonly number[] {
  return Array.from({ length: size }, (_, i) => firstCode + mostBytes * choice + i);
}

/** The choice that a byte of memory belongs to; `undefined` for a known or uninitialised byte. */
export function choiceOfCode(byte: number | undefined): number | undefined {
  return byte === undefined || byte < firstCode
    ? undefined
    : Math.floor((byte - firstCode) / mostBytes);
}

/**
 * The choice whose complete value is in the bytes; `undefined` if the bytes hold no complete
 * choice.
 */
export function choiceOfCodes(bytes: readonly (number | undefined)[]): number | undefined {
  const choice = choiceOfCode(bytes[0]);
  if (choice === undefined) return undefined;
  const codes = codesOfChoice(choice, bytes.length);
  return codes.every((code, i) => code === bytes[i]) ? choice : undefined;
}
