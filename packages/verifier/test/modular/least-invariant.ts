import type { Automata } from '../../src/automata.js';
import type { WrittenInvariant } from '../../src/modular/invariant.js';
import { OwningThread, type Stand, standName } from '../../src/attack/owning-thread.js';
import { attackThreads } from '../../src/attack/thread.js';

const noPath = { onPath: false, delayed: undefined, passesHeavy: true } as const;

type Cells = Map<number, Set<number>>;

function initialValue({ symbols }: Automata, address: number): number {
  const symbol = symbols.find(({ base, length }) => address >= base && address < base + length);
  return symbol?.initial[address - symbol.base] ?? 0;
}

function written({ place, own }: Stand): readonly [number, readonly number[], readonly number[]] {
  return [place!.location, place!.registers, own];
}

/**
 * Returns the moves of a thread from a place. A load reads any value that `cells` has for its
 * address; if `cells` has none, the load reads the one value that `of` returns.
 */
function stepsOf(thread: OwningThread, place: Stand, cells: Cells, of: (a: number) => number) {
  return thread.moves(
    place,
    (address) =>
      [...(cells.get(address) ?? [of(address)])].map((value) => ({ value, mark: undefined })),
    noPath,
  );
}

/**
 * Returns the least invariant in which the values of the cells in `owned` are parts of the places
 * of their owners. `only`: the named thread takes steps only from the named places. `undefined` if
 * some thread writes a cell of another owner, or if there are more than `most` places.
 */
function close(
  automata: Automata,
  threads: readonly OwningThread[],
  most: number,
  only?: { readonly thread: number; readonly names: ReadonlySet<string> },
): { readonly places: readonly ReadonlyMap<string, Stand>[]; readonly cells: Cells } | undefined {
  const of = (address: number): number => initialValue(automata, address);
  const places = threads.map(
    (thread) => new Map(thread.starts().map((place) => [standName(place), place] as const)),
  );
  const cells: Cells = new Map();
  const owner = new Map(
    threads.flatMap(({ owned }, t) => owned.map((address) => [address, t] as const)),
  );
  for (let hasGrown = true; hasGrown;) {
    hasGrown = false;
    for (const [t, thread] of threads.entries())
      for (const [name, place] of places[t]!) {
        if (only?.thread === t && !only.names.has(name)) continue;
        for (const move of stepsOf(thread, place, cells, of)) {
          const next = move.stand.place && standName(move.stand);
          if (only?.thread === t && (next === undefined || !only.names.has(next))) continue;
          for (const [address, { value, isChanged }] of move.cells) {
            if (!isChanged) continue;
            if ((owner.get(address) ?? t) !== t) return undefined;
            const values = cells.get(address) ?? new Set([of(address)]);
            cells.set(address, values);
            if (values.has(value)) continue;
            values.add(value);
            hasGrown = true;
          }
          if (next === undefined || places[t]!.has(next)) continue;
          places[t]!.set(next, move.stand);
          hasGrown = true;
        }
      }
    if (places.reduce((sum, own) => sum + own.size, 0) > most) return undefined;
  }
  return { places, cells };
}

/** Returns the names of the places from which a thread may reach a store. */
function towardsStore(
  automata: Automata,
  thread: OwningThread,
  places: ReadonlyMap<string, Stand>,
  cells: Cells,
  store: number,
): ReadonlySet<string> {
  const of = (address: number): number => initialValue(automata, address);
  const { from } = thread.code.thread.transitions[store]!;
  const found = new Set(
    [...places].flatMap(([name, place]) => (place.place?.location === from ? [name] : [])),
  );
  for (let size = -1; size < found.size;) {
    size = found.size;
    for (const [name, place] of places)
      if (stepsOf(thread, place, cells, of).some(({ stand: next }) => found.has(standName(next))))
        found.add(name);
  }
  return found;
}

function writeDown(
  owned: readonly (readonly number[])[],
  places: readonly ReadonlyMap<string, Stand>[],
  cells: Cells,
): WrittenInvariant {
  return {
    owned,
    threads: places.map((own) => [...own.values()].map(written)),
    cells: [...cells].map(([address, values]) => [address, [...values]] as const),
  };
}

/**
 * Returns the least invariant with the given own cells, followed by least invariants of executions
 * leading to a store of one thread, repeated while the invariants get smaller. Written
 * independently of the prover.
 */
export function leastInvariants(
  automata: Automata,
  owned: readonly (readonly number[])[],
  most: number,
  towards?: { readonly thread: number; readonly store: number },
): readonly WrittenInvariant[] | undefined {
  const threads = attackThreads(automata, 'standard').map(
    (thread, t) =>
      new OwningThread(thread, owned[t]!, (address) => initialValue(automata, address)),
  );
  const first = close(automata, threads, most);
  if (!first) return undefined;
  const all = [writeDown(owned, first.places, first.cells)];
  if (!towards) return all;
  const { thread, store } = towards;
  for (let last = first; ;) {
    const names = towardsStore(automata, threads[thread]!, last.places[thread]!, last.cells, store);
    if (names.size === last.places[thread]!.size) return all;
    const next = close(automata, threads, most, { thread, names });
    if (!next) return undefined;
    const kept = new Map([...next.places[thread]!].filter(([name]) => names.has(name)));
    const away = [...last.places[thread]!].filter(([name]) => !names.has(name));
    all.push({
      ...writeDown(
        owned,
        next.places.map((own, t) => (t === thread ? kept : own)),
        next.cells,
      ),
      towards: {
        thread,
        stores: [store],
        within: all.length - 1,
        away: away.map(([, place]) => written(place)),
      },
    });
    last = { places: next.places.map((own, t) => (t === thread ? kept : own)), cells: next.cells };
    if (all.length > 6) return all;
  }
}
