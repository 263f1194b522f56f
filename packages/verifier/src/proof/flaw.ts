/** What is wrong with a proof, found while its obligations are derived. */
export class Flaw extends Error {
  override readonly name = 'Flaw';
}
