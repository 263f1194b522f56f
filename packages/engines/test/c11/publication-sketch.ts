import { SeededRandom } from '@fencewright/ground/base/random.js';
import type { MemoryOrder } from '@fencewright/model/program/memory-order.js';
import type { ProgramSketch, Sketch } from './sketch.js';

/**
 * Returns a random program in which threads publish data by a flag. Readers load the flag, or wait
 * for the flag, and then load the data; they try again, use an old value, or drop the value.
 */
export function publicationSketch(seed: number, branches: boolean): ProgramSketch {
  const random = new SeededRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[random.below(list.length)]!;
  const chance = (percent: number): boolean => random.below(100) < percent;
  const cells = ['x', 'y', 'z'];
  const loads: readonly MemoryOrder[] = ['relaxed', 'relaxed', 'acquire', 'seq_cst'];
  const stores: readonly MemoryOrder[] = ['relaxed', 'relaxed', 'release', 'seq_cst'];
  const load = (cell: string): Sketch => ({ kind: 'load', cell, order: pick(loads) });
  const store = (cell: string, value: number | 'r'): Sketch =>
    chance(15)
      ? { kind: 'xchg', cell, value, order: pick(['relaxed', 'release', 'acq_rel'] as const) }
      : { kind: 'store', cell, value, order: pick(stores) };
  const maybeFence = (order: MemoryOrder): readonly Sketch[] =>
    chance(25) ? [{ kind: 'fence', order: chance(30) ? 'seq_cst' : order }] : [];
  const writer = (): readonly Sketch[] => [
    store('x', 1),
    ...(chance(25) ? [store('x', 2)] : []),
    ...maybeFence('release'),
    store('y', 1),
    ...(chance(35) ? [store(pick(['x', 'y']), pick([0, 2]))] : []),
  ];
  const act = (): readonly Sketch[] => {
    const cas = { kind: 'cas', cell: 'z', expected: 0, value: 2, order: 'acq_rel' } as const;
    // This wait may last for ever: only a load of an old value ends the wait, and a thread may load
    // new values each time.
    const wait = { kind: 'await', cell: pick(['x', 'y']), value: pick([0, 1]) } as const;
    return pick<readonly Sketch[]>([
      [],
      branches ? [{ ...wait, order: pick(loads) }] : [],
      [load('x')],
      [store('z', 'r')],
      [store('z', 1)],
      [{ ...cas, failure: pick(loads), waits: false }],
    ]);
  };
  const after = (): readonly Sketch[] =>
    branches && chance(70) ? [{ kind: 'if', equals: random.below(2), then: act() }] : act();
  const reader = (): readonly Sketch[] => {
    const data = [...maybeFence('acquire'), load('x'), ...after()];
    if (!branches) return [load('y'), ...data];
    if (chance(45)) return [{ kind: 'await', cell: 'y', value: 1, order: pick(loads) }, ...data];
    return [load('y'), { kind: 'if', equals: 1, then: data }, ...(chance(30) ? act() : [])];
  };
  const third = pick([
    [],
    [],
    [load('z'), ...(chance(50) ? [load('x')] : [])],
    [store(pick(cells), 3)],
  ] as readonly (readonly Sketch[])[]);
  const threads = [writer(), reader(), ...(third.length > 0 ? [third] : [])];
  return { cells, threads };
}

/** Returns a random program in which threads load a cell that others store to at their ends. */
export function bufferingSketch(seed: number): ProgramSketch {
  const random = new SeededRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[random.below(list.length)]!;
  const load = (cell: string): Sketch => {
    return { kind: 'load', cell, order: pick(['relaxed', 'relaxed', 'relaxed', 'acquire']) };
  };
  const store = (cell: string): Sketch => {
    const order = pick(['relaxed', 'relaxed', 'relaxed', 'release'] as const);
    return { kind: 'store', cell, value: pick([1, 1, 'r'] as const), order };
  };
  const publishes = random.below(2) === 0;
  const threads = publishes
    ? [
        [load('z'), store('x'), store('y')],
        [load('y'), load('x'), store('z')],
      ]
    : [
        [load('x'), store('y')],
        [load('y'), ...(random.below(2) === 0 ? [load('z')] : []), store('x')],
      ];
  return { cells: ['x', 'y', 'z'], threads };
}

/**
 * Returns a random program in which a thread loads a cell, executes one or two further statements
 * that may wait for the load, and stores another cell; and a thread that acquires this store, or a
 * statement in between, and stores the first cell.
 */
export function skippingSketch(seed: number): ProgramSketch {
  const random = new SeededRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[random.below(list.length)]!;
  const chance = (percent: number): boolean => random.below(100) < percent;
  const rmw = (cell: string, order: MemoryOrder): Sketch =>
    chance(30)
      ? {
          ...{ kind: 'cas', cell, expected: random.below(2), value: 2, order },
          ...{ failure: 'relaxed', waits: false },
        }
      : { kind: pick(['xchg', 'fetch_add'] as const), cell, value: pick([1, 'r'] as const), order };
  const load = (cell: string): Sketch => ({ kind: 'load', cell, order: 'relaxed' });
  const order = (): 'relaxed' | 'release' => pick(['relaxed', 'release'] as const);
  const store = (cell: string): Sketch => {
    return { kind: 'store', cell, value: pick([1, 'r'] as const), order: order() };
  };
  const middle = (): Sketch =>
    pick([
      () => store('z'),
      () => store('z'),
      () => rmw('z', order()),
      () => load(pick(['x', 'z'])),
    ])();
  const first = chance(60) ? load('x') : rmw('x', order());
  const last: Sketch = chance(75)
    ? { kind: 'store', cell: 'y', value: 1, order: 'relaxed' }
    : rmw('y', 'relaxed');
  const skipping = [first, middle(), ...(chance(30) ? [middle()] : []), last];
  const acquiring: Sketch = { kind: 'load', cell: pick(['y', 'y', 'z']), order: 'acquire' };
  const answer: Sketch = { kind: 'store', cell: 'x', value: 1, order: 'relaxed' };
  return {
    cells: ['x', 'y', 'z'],
    threads: [skipping, [acquiring, ...(chance(40) ? [load('z')] : []), answer]],
  };
}

/**
 * Returns a random program with load buffering beside loads of old values: one thread publishes
 * data relaxed; the others load the data unsuccessfully, and load and store cells in a ring.
 */
export function bufferingBesideOldLoads(seed: number): ProgramSketch {
  const random = new SeededRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[random.below(list.length)]!;
  const chance = (percent: number): boolean => random.below(100) < percent;
  const weak = ['relaxed', 'relaxed', 'relaxed', 'acquire'] as const;
  const load = (cell: string): Sketch => ({ kind: 'load', cell, order: pick(weak) });
  const order = (): MemoryOrder =>
    chance(85) ? 'relaxed' : pick(['release', 'seq_cst', 'seq_cst'] as const);
  const store = (cell: string): Sketch => {
    const value = pick([1, 1, 1, 1, 1, 'r', 2] as const);
    return { kind: 'store', cell, value, order: order() };
  };
  // With an old value the cas fails; with a new value it may succeed or fail.
  const cas = (cell: string): Sketch => {
    const [expected, value] = [pick([0, 1, 3, 3, 3, 3, 3]), pick([1, 2, 'r'] as const)];
    const failure = pick(['relaxed', 'relaxed', 'acquire'] as const);
    return { kind: 'cas', cell, expected, value, order: pick(rmwOrders), failure, waits: false };
  };
  const old = (): readonly Sketch[] => [
    ...(chance(60) ? [load('y')] : []),
    pick([load('x'), load('x'), cas('x'), cas('y')]),
  ];
  const update = (cell: string): Sketch => {
    const kind = pick(['xchg', 'fetch_add'] as const);
    return { kind, cell, value: 1, order: pick(rmwOrders) };
  };
  const guarded = (one: Sketch): Sketch =>
    chance(25) ? { kind: 'if', equals: random.below(2), then: [one] } : one;
  const fence: Sketch = { kind: 'fence', order: pick(['acquire', 'acq_rel'] as const) };
  const half = (from: string, to: string, own: string): readonly Sketch[] => [
    ...(own === 'a' || chance(20) ? [load('y'), load('x')] : []),
    chance(85) ? load(from) : pick([cas(from), update(from)]),
    ...(chance(20) ? old() : []),
    ...(chance(8) ? [fence] : []),
    guarded(chance(85) ? store(to) : update(to)),
    ...(chance(60) ? [{ kind: 'store', cell: own, value: 'r', order: 'relaxed' } as const] : []),
  ];
  const publisher: readonly Sketch[] = [
    { kind: 'store', cell: 'x', value: 1, order: 'relaxed' },
    { kind: 'store', cell: 'y', value: 1, order: order() },
    ...(chance(10) ? [load('z'), store('w')] : []),
  ];
  const threads = [publisher, half('z', 'w', 'a'), half('w', 'z', 'b')];
  return { cells: ['x', 'y', 'z', 'w', 'a', 'b'], threads };
}

const rmwOrders: readonly MemoryOrder[] = ['relaxed', 'relaxed', 'release', 'acquire', 'acq_rel'];
