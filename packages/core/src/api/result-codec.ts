import { decodeData, encodeData, type EncodedData } from '@fencewright/ground/base/data-codec.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import type { Result } from './result.js';

const format = 'fencewright-result';
const version = 1;

/** A result as JSON holds it; nothing is lost. */
export interface EncodedResult {
  readonly format: typeof format;
  readonly version: typeof version;
  readonly data: EncodedData;
}

/**
 * The result as what `JSON.stringify` writes and `JSON.parse` reads without loss, for queues and
 * caches.
 */
export function encodeResult(result: Result): EncodedResult {
  return { format, version, data: encodeData(result) };
}

/**
 * The result that was encoded. Throws where the format or the version is another one, or the table
 * is damaged; the members of a result are not looked at one by one: who keeps results where others
 * write has to know that they are its own.
 */
export function decodeResult(encoded: unknown): Result {
  const said = Object(encoded) as Partial<EncodedResult>;
  if (said.format !== format || said.version !== version || !Array.isArray(said.data))
    throw new InternalError(`this is no ${format} of version ${version}`);
  return decodeData(said.data) as Result;
}
