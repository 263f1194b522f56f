import type { WrittenInvariant } from '../../src/modular/invariant.js';

type Mutable<T> = T extends object ? { -readonly [K in keyof T]: Mutable<T[K]> } : T;

/** Ways to forge a list of invariants. */
export const changes = [
  'a place is left out',
  'a value is left out',
  'a cell is left out',
  'a register is changed',
  'an own value is changed',
  'a cell is said to be own',
  'a place is said to be away',
  'a place away is left out',
  'it is towards a store',
  'another store is meant',
] as const;
export type Change = (typeof changes)[number];

function pick<T>(all: readonly T[], at: number): T | undefined {
  return all.length === 0 ? undefined : all[at % all.length];
}

/**
 * Returns the list with one change in the last invariant; `undefined` if nothing can be changed.
 */
export function changed(
  honest: readonly WrittenInvariant[],
  change: Change,
  at: number,
  by: number,
): readonly WrittenInvariant[] | undefined {
  const all = structuredClone(honest) as unknown as Mutable<WrittenInvariant>[];
  const last = all.at(-1)!;
  const threads = last.threads.filter((places) => places.length > 0);
  const places = pick(threads, by);
  switch (change) {
    case 'a place is left out':
      if (!places) return undefined;
      places.splice(at % places.length, 1);
      return all;
    case 'a value is left out': {
      const cell = pick(last.cells, by);
      if (!cell || cell[1].length === 0) return undefined;
      cell[1].splice(at % cell[1].length, 1);
      return all;
    }
    case 'a cell is left out':
      if (last.cells.length === 0) return undefined;
      last.cells.splice(at % last.cells.length, 1);
      return all;
    case 'a register is changed': {
      const place = places && pick(places, at);
      if (!place || place[1].length === 0) return undefined;
      place[1][by % place[1].length]! += 1;
      return all;
    }
    case 'an own value is changed': {
      const place = places && pick(places, at);
      if (!place || place[2].length === 0) return undefined;
      place[2][by % place[2].length]! += 1;
      return all;
    }
    case 'a cell is said to be own': {
      const cell = pick(last.cells, at);
      if (!cell) return undefined;
      const t = by % last.owned.length;
      for (const one of all) {
        one.owned[t]!.push(cell[0]);
        for (const place of one.threads[t]!) place[2].push(cell[1][0] ?? 0);
        if (one.towards?.thread === t)
          for (const place of one.towards.away) place[2].push(cell[1][0] ?? 0);
      }
      return all;
    }
    case 'a place is said to be away': {
      if (!last.towards) return undefined;
      const own = last.threads[last.towards.thread]!;
      if (own.length === 0) return undefined;
      last.towards.away.push(...own.splice(at % own.length, 1));
      return all;
    }
    case 'a place away is left out': {
      const { towards } = last;
      if (!towards || towards.away.length === 0) return undefined;
      towards.away.splice(at % towards.away.length, 1);
      return all;
    }
    case 'it is towards a store': {
      const t = by % last.threads.length;
      const own = last.threads[t]!;
      if (last.towards || own.length === 0) return undefined;
      const away = own.splice(at % own.length, 1);
      all.push({
        ...structuredClone(last),
        towards: { thread: t, stores: [at % 12], within: 0, away },
      });
      all[0] = structuredClone(honest[0]) as unknown as Mutable<WrittenInvariant>;
      return all;
    }
    case 'another store is meant':
      if (!last.towards) return undefined;
      last.towards.stores = [at % 12];
      return all;
  }
}
