import { SeededRandom } from '@fencewright/ground/base/random.js';
import type { MemoryOrder } from '@fencewright/model/program/memory-order.js';
import type { ArmCondition, ArmSketch, ArmStatement, ArmValue } from './armv8-sketch.js';

/**
 * Returns a random program in which one thread loads `x`, tests registers, and stores to `y`, and
 * another thread answers by a store to `x`. Most tests (conditions, loops, sections under the bus
 * lock, assertions) are independent of the register of the load of `x`: they test other registers,
 * or `&&` and `||` skip this register. Some stored values skip this register as well.
 */
export function otherTestsSketch(seed: number): ArmSketch {
  const random = new SeededRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[random.below(list.length)]!;
  const chance = (percent: number): boolean => random.below(100) < percent;
  const register = (): string => pick(['k', 'k', 'k', 'k', 'r', 'r', 's']);
  const condition = (): ArmCondition => {
    const first = { register: register(), equals: random.below(2) };
    if (chance(45)) return first;
    const more = { register: register(), equals: random.below(2) };
    return { ...first, more: { operator: pick(['&&', '||']), ...more } };
  };
  const value = (): ArmValue => {
    if (chance(30)) return { both: [register(), register()], plus: random.below(2) };
    return chance(25) ? register() : 1;
  };
  const loadOrder = (): MemoryOrder => pick(['relaxed', 'relaxed', 'relaxed', 'acquire']);
  const storeOrder = (): MemoryOrder => pick(['relaxed', 'relaxed', 'relaxed', 'release']);
  const section = (to: string, cell: string): ArmStatement => ({
    ...{ kind: 'section', to, at: { cell }, value: value(), condition: condition() },
    order: pick(['relaxed', 'relaxed', 'release', 'acquire']),
  });
  const loadWhile = (to: string, cell: string): ArmStatement => {
    return { kind: 'load-while', to, at: { cell }, order: loadOrder(), condition: condition() };
  };
  const store = (cell: string): ArmStatement => {
    return { kind: 'store', at: { cell }, value: value(), order: storeOrder() };
  };
  const guarded = (then: ArmStatement, percent: number): ArmStatement => {
    if (!chance(percent)) return then;
    return { kind: 'if', ...condition(), then: [then], ...(chance(20) && { else: [then] }) };
  };
  const late = (): ArmStatement => {
    const share = random.below(100);
    const order = 'relaxed' as const;
    if (share < 50) return { kind: 'load', to: 'r', at: { cell: 'x' }, order };
    if (share < 70) return { ...loadWhile('r', 'x'), order } as ArmStatement;
    if (share < 85) return section('r', 'x');
    return { kind: 'fetch_add', to: 'r', at: { cell: 'x' }, value: 0, order };
  };
  const between = (): ArmStatement => {
    const share = random.below(100);
    if (share < 20) return guarded(store('z'), 100);
    if (share < 40) return loadWhile('s', 'z');
    if (share < 55) return { kind: 'assert', register: register(), not: random.below(3) };
    if (share < 70) return section('s', 'z');
    if (share < 80) return { kind: 'load', to: 's', at: { cell: 'z' }, order: loadOrder() };
    return store('z');
  };
  const mode: ArmStatement = { kind: 'load', to: 'k', at: { cell: 'm' }, order: loadOrder() };
  const first: readonly ArmStatement[] = [
    ...(chance(85) ? [mode] : []),
    late(),
    ...Array.from({ length: random.below(3) }, between),
    guarded(store('y'), 25),
  ];
  const answer: readonly ArmStatement[] = [
    { kind: 'load', to: 'r', at: { cell: chance(90) ? 'y' : 'z' }, order: loadOrder() },
    { kind: 'store', at: { cell: 'x' }, value: chance(50) ? 1 : 'r', order: storeOrder() },
  ];
  const third: readonly ArmStatement[] = [
    { kind: 'store', at: { cell: pick(['m', 'm', 'z']) }, value: 1, order: storeOrder() },
  ];
  return {
    cells: ['x', 'y', 'z', 'm'],
    arrays: [],
    threads: [first, answer, ...(chance(35) ? [third] : [])],
  };
}
