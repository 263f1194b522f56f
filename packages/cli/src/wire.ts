import { deserialize, serialize } from 'node:v8';

/**
 * Plain data as bytes, for sending between threads of one process; shared parts are sent once.
 * Queues and caches, which other versions read, have a form in JSON.
 */
export type Wire = Uint8Array;

/** Encodes plain data; throws for functions. */
export function toWire(data: unknown): Wire {
  return serialize(data);
}

/** Decodes bytes made by `toWire`. */
export function fromWire(bytes: Wire): unknown {
  return deserialize(bytes);
}
