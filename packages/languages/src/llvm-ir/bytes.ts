/** A range of bytes that is accessed at once. */
export interface Bytes {
  readonly address: number;
  readonly size: number;
}
