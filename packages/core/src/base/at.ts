import { InternalError } from './unreachable.js';

/** The entry of a table under an id or index that it must have: whatever is not there is a fault of ours (`InternalError`). */
export function at<T>(table: readonly T[], index: number): T {
  const entry = table[index];
  if (entry === undefined && !(index in table))
    throw new InternalError(`no entry ${index} in a table of ${table.length}`);
  return entry as T;
}
