/** Thrown for an error in a proof, found while obligations are derived. */
export class Flaw extends Error {
  override readonly name = 'Flaw';
}
