/**
 * What cannot be done with a program: thrown where it is found, caught where its place is known.
 */
export class Unsupported extends Error {
  override readonly name = 'Unsupported';
  constructor(
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}
