import { SeededRandom } from '@fencewright/ground/base/random.js';
import {
  fenceOrders,
  type MemoryOrder,
  rmwOrders,
} from '@fencewright/model/program/memory-order.js';
import type { Address } from './armv8-judge.js';
import type { ArmSketch, ArmStatement, ArmValue } from './armv8-sketch.js';

const loadOrders = ['relaxed', 'relaxed', 'relaxed', 'acquire', 'seq_cst'] as const;
const storeOrders = ['relaxed', 'relaxed', 'release', 'seq_cst'] as const;

/**
 * Returns a random program in which a thread loads without order, does what may or may not keep a
 * later store behind the load, and stores; another thread answers the store by a store to the
 * load's cell. Between them are stores of all orders, loads of what was stored, read-modify-writes
 * and `cas` that fail or store what was loaded, conditions, addresses, fences.
 */
export function lateLoadSketch(seed: number): ArmSketch {
  const random = new SeededRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[random.below(list.length)]!;
  const chance = (percent: number): boolean => random.below(100) < percent;
  const hasArray = chance(20);
  const target = (cell: string, register: string): Address =>
    hasArray && cell === 'z' && chance(60) ? { cell: 'a', index: register } : { cell };
  const value = (register: string): ArmValue =>
    chance(25) ? register : chance(12) ? { of: register, plus: 1 } : chance(75) ? 1 : 2;
  const load = (to: string, cell: string, order: MemoryOrder = pick(loadOrders)): ArmStatement => {
    return { kind: 'load', to, at: target(cell, 'r'), order };
  };
  const store = (cell: string, by: string, order: MemoryOrder = pick(storeOrders)): ArmStatement => {
    return { kind: 'store', at: target(cell, by), value: value(by), order };
  };
  const rmw = (to: string, cell: string, by: string): ArmStatement => {
    const [at, order] = [target(cell, by), pick(rmwOrders)];
    if (chance(45)) return { kind: pick(['xchg', 'fetch_add']), to, at, value: value(by), order };
    const failure = pick(['relaxed', 'relaxed', 'acquire', 'seq_cst'] as const);
    return { kind: 'cas', to, at, expected: random.below(3), value: value(by), order, failure };
  };
  const fence = (): ArmStatement => ({ kind: 'fence', order: pick(fenceOrders) });
  /** Accesses between a load of `own` to `r` and a store of `next`. */
  const between = (own: string, next: string): readonly ArmStatement[] => {
    const cell = pick(['z', 'z', 'z', own, next]);
    const by = chance(80) ? 'r' : 's';
    const one = (): readonly ArmStatement[] => {
      const share = random.below(100);
      if (share < 22) return [store(cell, by)];
      // The thread reads its own store.
      if (share < 42) return [chance(70) ? store(cell, by) : rmw('s', cell, by), load('s', cell)];
      if (share < 65) return [rmw('s', cell, by)];
      if (share < 78) return [load('s', pick([own, own, cell]))];
      if (share < 84) return [fence()];
      if (share < 92)
        return [
          { kind: 'if', register: by, equals: random.below(2), then: [store(cell, by)] },
        ];
      return [store(cell, by), store(pick(['z', next]), 'r')];
    };
    return chance(35) ? [...one(), ...one()].slice(0, 3) : one();
  };
  const guarded = (one: ArmStatement, register: string): ArmStatement =>
    chance(10) ? { kind: 'if', register, equals: random.below(2), then: [one] } : one;
  const last = (next: string): ArmStatement => {
    const by = pick(['r', 's', 'q']);
    const final: ArmStatement = chance(85)
      ? store(next, by, chance(80) ? 'relaxed' : pick(storeOrders))
      : rmw('v', next, by);
    const plain = final.kind === 'store' && chance(65) ? { ...final, value: 1 } : final;
    return guarded(plain, by);
  };
  const first: readonly ArmStatement[] = [
    ...(chance(12) ? [load('q', pick(['y', 'z']))] : []),
    chance(92) ? load('r', 'x', chance(85) ? 'relaxed' : pick(loadOrders)) : rmw('r', 'x', 'q'),
    ...between('x', 'y'),
    last('y'),
  ];
  // The other thread may look at what was stored in between, or behave in the same way.
  const seen = pick(['y', 'y', 'y', 'y', 'z']);
  const answer: readonly ArmStatement[] = [
    chance(88) ? load('r', seen) : rmw('r', seen, 'q'),
    ...(chance(35) ? between(seen, 'x').slice(0, 2) : chance(20) ? [fence()] : []),
    chance(85) ? store('x', 'r') : rmw('q', 'x', 'r'),
  ];
  const third = pick<() => readonly ArmStatement[]>([
    () => [],
    () => [],
    () => [store('z', 'r'), ...(chance(40) ? [store(pick(['x', 'y']), 'r')] : [])],
    () => [load('r', 'z'), chance(50) ? store(pick(['x', 'y']), 'r') : load('s', 'x')],
    () => [rmw('r', 'z', 'q'), load('s', pick(['x', 'y']))],
  ])();
  const publishes = chance(12) ? [store('z', 'v')] : [];
  return {
    cells: ['x', 'y', 'z'],
    arrays: hasArray ? ['a'] : [],
    threads: [first, [...publishes, ...answer], ...(third.length > 0 ? [third] : [])],
  };
}
