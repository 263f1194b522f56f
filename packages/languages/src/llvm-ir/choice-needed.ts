/**
 * A value that the program gets from outside is used before there are threads: `main` has to be a
 * thread from the choice of it on. Thrown where the value is used, caught where `main` is run.
 */
export class ChoiceNeeded extends Error {
  override readonly name = 'ChoiceNeeded';
  /** `choice`: the number of the choice, in the order in which `main` comes to them. */
  constructor(readonly choice: number) {
    super(`choice ${choice} is needed`);
  }
}

/** The largest value that is stored, in bytes. */
const mostBytes = 16;
const firstCode = 256;

/** What stands in memory for the bytes of a value that was not chosen yet: codes beyond bytes. */
export function codesOfChoice(choice: number, size: number): readonly number[] {
  return Array.from({ length: size }, (_, i) => firstCode + mostBytes * choice + i);
}

/** The choice that a byte of memory belongs to; `undefined` for a byte that is known, or unset. */
export function choiceOfCode(byte: number | undefined): number | undefined {
  return byte === undefined || byte < firstCode
    ? undefined
    : Math.floor((byte - firstCode) / mostBytes);
}

/** The choice whose whole value the bytes are, if they are one. */
export function choiceOfCodes(bytes: readonly (number | undefined)[]): number | undefined {
  const choice = choiceOfCode(bytes[0]);
  if (choice === undefined) return undefined;
  const codes = codesOfChoice(choice, bytes.length);
  return codes.every((code, i) => code === bytes[i]) ? choice : undefined;
}
