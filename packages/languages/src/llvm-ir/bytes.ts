/** A range of bytes that a single access covers. */
export interface Bytes {
  readonly address: number;
  readonly size: number;
}
