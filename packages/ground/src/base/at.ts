import { InternalError } from './unreachable.js';

/**
 * Returns the entry of a table at an index that must exist; throws `InternalError` if it does not
 * exist.
 */
export function at<T>(table: readonly T[], index: number): T {
  const entry = table[index];
  if (entry === undefined && !(index in table)) throw missing(index, table);
  return entry as T;
}

/**
 * Returns the value of a map under a key that must exist; throws `InternalError` if it does not
 * exist.
 */
export function valueAt<K, T>(table: ReadonlyMap<K, T>, key: K): T {
  const entry = table.get(key);
  if (entry === undefined && !table.has(key))
    throw new InternalError(`no entry for ${String(key)} in a table of ${table.size}`);
  return entry as T;
}

/**
 * Returns the entry of a table of integers, for frequent accesses; throws `InternalError` if it
 * does not exist.
 */
export function wordAt(words: Int32Array | Uint32Array | Uint8Array, index: number): number {
  const word = words[index];
  if (word === undefined) throw missing(index, words);
  return word;
}

function missing(index: number, { length }: ArrayLike<unknown>): InternalError {
  return new InternalError(`no entry ${index} in a table of ${length}`);
}
