import { decodeData, encodeData, type EncodedData } from '@fencewright/core';

/** Plain data as the text that threads send: the same that a queue or a cache would hold. */
export function toWire(data: unknown): string {
  return JSON.stringify(encodeData(data));
}

/** What was sent. */
export function fromWire(text: string): unknown {
  return decodeData(JSON.parse(text) as EncodedData);
}
