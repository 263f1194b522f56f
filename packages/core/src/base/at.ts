import { InternalError } from './unreachable.js';

/** What stands at a place of a list, or under a key, where something has to be; throws `InternalError` where nothing is. */
export function at<T>(items: readonly T[], place: number): T;
export function at<K, T>(items: ReadonlyMap<K, T>, key: K): T;
export function at<T>(items: readonly T[] | ReadonlyMap<unknown, T>, place: unknown): T {
  const found = isMap(items) ? items.get(place) : items[Number(place)];
  if (found === undefined) throw new InternalError(`there is nothing at ${String(place)}`);
  return found;
}

function isMap<T>(items: readonly T[] | ReadonlyMap<unknown, T>): items is ReadonlyMap<unknown, T> {
  return items instanceof Map;
}
