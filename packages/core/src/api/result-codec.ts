import { decodeData, encodeData, type EncodedData } from '@fencewright/ground/base/data-codec.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import type { Result } from './result.js';

const format = 'fencewright-result';
const version = 1;

/** The result of a question in JSON, without loss. */
export interface EncodedResult {
  readonly format: typeof format;
  readonly version: typeof version;
  readonly data: EncodedData;
}

/**
 * Encodes a result as JSON data, preserved by `JSON.stringify` and `JSON.parse`, for queues and
 * caches.
 */
export function encodeResult(result: Result): EncodedResult {
  return { format, version, data: encodeData(result) };
}

/**
 * Decodes a result. Throws if format or version is wrong, or the table of shared values is damaged.
 * The members of a result are not checked one by one: a caller that reads from a store which others
 * can write to has to verify the origin of results.
 */
export function decodeResult(encoded: unknown): Result {
  const said = Object(encoded) as Partial<EncodedResult>;
  if (said.format !== format || said.version !== version || !Array.isArray(said.data))
    throw new InternalError(`this is no ${format} of version ${version}`);
  return decodeData(said.data) as Result;
}
