import { decodeData, encodeData, type EncodedData } from '@fencewright/core';

/** Encodes plain data as text, for sending between threads; queues and caches use the same form. */
export function toWire(data: unknown): string {
  return JSON.stringify(encodeData(data));
}

/** Decodes a text made by `toWire`. */
export function fromWire(text: string): unknown {
  return decodeData(JSON.parse(text) as EncodedData);
}
