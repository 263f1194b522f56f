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
 * Returns a random program of two threads. The first loads `x` relaxed, makes up to three accesses,
 * and stores to `y`; the second answers by a store to `x`. The accesses between may or may not keep
 * the store to `y` after the load of `x`: stores that depend on the load; loads and
 * read-modify-writes of the stored cell; `cas` that fail, wait, or store the loaded value;
 * conditions, addresses and fences. Most of them access one cell.
 */
export function lateLoadSketch(seed: number): ArmSketch {
  const random = new SeededRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[random.below(list.length)]!;
  const chance = (percent: number): boolean => random.below(100) < percent;
  const hasArray = chance(12);
  const target = (cell: string, register: string): Address =>
    hasArray && cell === 'z' && chance(60) ? { cell: 'a', index: register } : { cell };
  const value = (by: string): ArmValue =>
    chance(35) ? by : chance(8) ? { of: by, plus: 1 } : chance(75) ? 1 : 2;
  const load = (to: string, cell: string, order: MemoryOrder = pick(loadOrders)): ArmStatement => {
    return { kind: 'load', to, at: target(cell, 'r'), order };
  };
  const store = (
    cell: string,
    by: string,
    order: MemoryOrder = pick(storeOrders),
  ): ArmStatement => {
    return { kind: 'store', at: target(cell, by), value: value(by), order };
  };
  const rmw = (to: string, cell: string, by: string, order = pick(rmwOrders)): ArmStatement => {
    const at = target(cell, by);
    if (chance(45)) return { kind: pick(['xchg', 'fetch_add']), to, at, value: value(by), order };
    const failure = pick(['relaxed', 'relaxed', 'acquire', 'seq_cst'] as const);
    const expected = chance(20) ? by : pick([0, 0, 1, 1, 2]);
    const waits = chance(12);
    return { kind: 'cas', to, at, expected, value: value(by), order, failure, waits };
  };
  const access = (to: string, cell: string, by: string): ArmStatement => {
    const share = random.below(100);
    if (share < 40) return store(cell, by);
    if (share < 60) return load(to, cell);
    if (share < 64) return { kind: 'await', at: { cell }, value: 1, order: pick(loadOrders) };
    return share < 96 ? rmw(to, cell, by) : { kind: 'fence', order: pick(fenceOrders) };
  };
  const guarded = (one: ArmStatement, register: string, percent: number): ArmStatement =>
    chance(percent) ? { kind: 'if', register, equals: random.below(2), then: [one] } : one;
  /** Returns accesses of mostly one cell, and the registers that later statements use. */
  const between = (most: number): { code: readonly ArmStatement[]; loaded: readonly string[] } => {
    const cell = pick(['z', 'z', 'z', 'z', 'x', 'x', 'y']);
    const loaded = ['r'];
    const code = Array.from({ length: 1 + random.below(most) }, (_, i) => {
      const [to, by] = [i === 0 ? 's' : 'q', pick(loaded)];
      const one = access(to, chance(85) ? cell : pick(['x', 'y', 'z']), by);
      if ('to' in one) loaded.push(to);
      return guarded(one, by, 6);
    });
    return { code, loaded };
  };
  const { code, loaded } = between(3);
  const by = pick([...loaded, loaded.at(-1)!]);
  const last: ArmStatement = chance(90)
    ? { kind: 'store', at: { cell: 'y' }, value: chance(50) ? 1 : by, order: 'relaxed' }
    : access('v', 'y', by);
  const first: readonly ArmStatement[] = [
    ...(chance(10) ? [load('q', pick(['y', 'z']))] : []),
    chance(85) ? load('r', 'x', 'relaxed') : rmw('r', 'x', 'q', pick(['relaxed', 'release'])),
    ...code,
    guarded(last, by, 8),
  ];
  const seen = chance(88) ? 'y' : 'z';
  const answer: readonly ArmStatement[] = [
    chance(92) ? load('r', seen) : rmw('r', seen, 'q'),
    ...(chance(15) ? between(1).code : []),
    chance(90) ? store('x', 'r') : rmw('q', 'x', 'r'),
  ];
  const third = pick<() => readonly ArmStatement[]>([
    () => [store('z', 'r'), ...(chance(40) ? [store(pick(['x', 'y']), 'r')] : [])],
    () => [load('r', 'z'), chance(50) ? store(pick(['x', 'y']), 'r') : load('s', 'x')],
    () => [rmw('r', 'z', 'q'), load('s', pick(['x', 'y']))],
  ]);
  const publishes = chance(8) ? [store('z', 'v')] : [];
  return {
    cells: ['x', 'y', 'z'],
    arrays: hasArray ? ['a'] : [],
    threads: [first, [...publishes, ...answer], ...(chance(25) ? [third()] : [])],
  };
}
