import { decodeData, encodeData, type EncodedData } from '@fencewright/core';

/** Encodes plain data as a text for sending between threads, in the form for queues and caches. */
export function toWire(data: unknown): string {
  return JSON.stringify(encodeData(data));
}

/** Decodes data sent by `toWire`. */
export function fromWire(text: string): unknown {
  return decodeData(JSON.parse(text) as EncodedData);
}
