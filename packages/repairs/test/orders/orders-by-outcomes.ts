import type { MemoryOrder } from '@fencewright/model/program/memory-order.js';
import type { OrderTarget } from '@fencewright/model/program/order-target.js';
import {
  type AllOutcomes,
  allOutcomes,
  type Outcomes,
} from '../../../engines/test/c11/all-outcomes.js';
import { bufferedOutcomes } from '../../../engines/test/c11/buffered-outcomes.js';
import type { ProgramSketch, Sketch } from '../../../engines/test/c11/sketch.js';

/** The memory orders of a statement; only a `cas` has an order for its failure. */
interface Orders {
  readonly order: MemoryOrder;
  readonly failure?: MemoryOrder;
}

/** A statement with its thread, and the path of indices to the statement. */
interface Site {
  readonly thread: number;
  readonly path: readonly number[];
  readonly one: Ordered;
  readonly choices: readonly Orders[];
}

type Ordered = Exclude<Sketch, { readonly kind: 'if' }>;

type Effect = 'acquire' | 'release' | 'sc';

const effects: Readonly<Record<MemoryOrder, readonly Effect[]>> = {
  relaxed: [],
  acquire: ['acquire'],
  release: ['release'],
  acq_rel: ['acquire', 'release'],
  seq_cst: ['acquire', 'release', 'sc'],
};

const isWithin = (one: MemoryOrder, other: MemoryOrder): boolean =>
  effects[one].every((effect) => effects[other].includes(effect));

/** The table of costs in docs/c11.md for acquire, release, acq_rel and seq_cst. */
const table: Readonly<Record<OrderTarget, Readonly<Record<string, readonly number[]>>>> = {
  armv8: { load: [1, 0, 0, 1], store: [0, 1, 0, 1], rmw: [1, 1, 2, 2], fence: [3, 5, 5, 5] },
  power: { load: [2, 0, 0, 12], store: [0, 5, 0, 10], rmw: [2, 5, 7, 12], fence: [5, 5, 5, 10] },
  riscv: { load: [3, 0, 0, 13], store: [0, 5, 0, 5], rmw: [1, 1, 2, 2], fence: [3, 5, 5, 10] },
  x86: { load: [0, 0, 0, 0], store: [0, 0, 0, 10], rmw: [0, 0, 0, 0], fence: [0, 0, 0, 10] },
};

const columns: readonly MemoryOrder[] = ['acquire', 'release', 'acq_rel', 'seq_cst'];

function rowOf({ kind }: Sketch): string {
  if (kind === 'await') return 'load';
  return kind === 'load' || kind === 'store' || kind === 'fence' ? kind : 'rmw';
}

function costOf(one: Ordered, { order, failure }: Orders, target: OrderTarget): number {
  const all = new Set([...effects[order], ...(failure ? effects[failure] : [])]);
  const joined = (['relaxed', ...columns] as const).find(
    (other) => effects[other].length === all.size && effects[other].every((each) => all.has(each)),
  )!;
  return joined === 'relaxed' ? 0 : table[target][rowOf(one)]![columns.indexOf(joined)]!;
}

function ordersOf({ kind }: Ordered): readonly Orders[] {
  const loads = ['relaxed', 'acquire', 'seq_cst'] as const;
  if (kind === 'load' || kind === 'await') return loads.map((order) => ({ order }));
  if (kind === 'store')
    return (['relaxed', 'release', 'seq_cst'] as const).map((order) => ({ order }));
  const all = ['relaxed', ...columns] as const;
  if (kind !== 'cas') return all.map((order) => ({ order }));
  return all.flatMap((order) => loads.map((failure) => ({ order, failure })));
}

function givenOf(one: Ordered): Orders {
  return one.kind === 'cas' ? { order: one.order, failure: one.failure } : { order: one.order };
}

function choicesOf(one: Ordered, change: 'raise' | 'lower'): readonly Orders[] {
  const given = givenOf(one);
  return ordersOf(one).filter((other) => {
    const [weak, strong] = change === 'raise' ? [given, other] : [other, given];
    return (
      isWithin(weak.order, strong.order) &&
      isWithin(weak.failure ?? 'relaxed', strong.failure ?? 'relaxed')
    );
  });
}

/** Returns the statements with memory orders; a relaxed fence counts as no fence. */
function sitesIn(
  thread: number,
  statements: readonly Sketch[],
  change: 'raise' | 'lower',
  before: readonly number[] = [],
): readonly Site[] {
  return statements.flatMap((one, place): readonly Site[] => {
    const path = [...before, place];
    if (one.kind === 'if') return sitesIn(thread, one.then, change, path);
    return [{ thread, path, one, choices: choicesOf(one, change) }];
  });
}

/** Returns the statements with the memory orders of one statement replaced. */
function withOrders(
  statements: readonly Sketch[],
  [place, ...inner]: readonly number[],
  orders: Orders,
): readonly Sketch[] {
  const one = statements[place!]!;
  if (one.kind !== 'if') return statements.with(place!, { ...one, ...orders });
  return statements.with(place!, { ...one, then: withOrders(one.then, inner, orders) });
}

function withoutNone(statements: readonly Sketch[]): readonly Sketch[] {
  return statements.flatMap((one): readonly Sketch[] => {
    if (one.kind === 'if') return [{ ...one, then: withoutNone(one.then) }];
    return one.kind === 'fence' && one.order === 'relaxed' ? [] : [one];
  });
}

/** Whether a thread ends with the forbidden value of its register in some outcome. */
function fails(outcomes: Outcomes, forbidden: readonly (number | undefined)[]): boolean {
  return forbidden.some((value, thread) => outcomes.registers.has(`${thread} ${value}`));
}

/**
 * Returns all outcomes of a program under C11 and under SC; `undefined` if there are too many
 * graphs.
 */
export function outcomesOf({ threads, cells }: ProgramSketch): AllOutcomes | undefined {
  const sketch = { cells, threads: threads.map(withoutNone) };
  const buffered = bufferedOutcomes(sketch, 3000);
  // A graph that lacks an earlier access of a thread is no graph of SC.
  const ordered = allOutcomes(sketch, 3000);
  return buffered && ordered && { c11: buffered.c11, sc: ordered.sc };
}

export interface CheapestByOutcomes {
  /** The least cost of memory orders with which no assertion fails; infinite if there are none. */
  readonly least: number;
  readonly failsUnderSC: boolean;
  /** Whether the assertions hold with the memory orders that the program has. */
  readonly holds: boolean;
}

/**
 * Returns the least cost of memory orders with which no thread ends with its forbidden value. Tries
 * all choices of orders, and for each choice all execution graphs, with loads executed after later
 * stores. `undefined` if there are too many choices or graphs.
 */
export function cheapestByOutcomes(
  sketch: ProgramSketch,
  forbidden: readonly (number | undefined)[],
  { change, target }: { readonly change: 'raise' | 'lower'; readonly target: OrderTarget },
  most: number,
): CheapestByOutcomes | undefined {
  const sites = sketch.threads.flatMap((own, thread) => sitesIn(thread, own, change));
  if (sites.length > 6) return undefined;
  if (sites.reduce((product, { choices }) => product * choices.length, 1) > most) return undefined;
  let all: { readonly threads: ProgramSketch['threads']; readonly cost: number }[] = [
    { threads: sketch.threads, cost: 0 },
  ];
  for (const site of sites)
    all = all.flatMap(({ threads, cost }) =>
      site.choices.map((orders) => ({
        threads: threads.with(site.thread, withOrders(threads[site.thread]!, site.path, orders)),
        cost: cost + costOf(site.one, orders, target) - costOf(site.one, givenOf(site.one), target),
      })),
    );
  const given = outcomesOf(sketch);
  if (!given) return undefined;
  const none = {
    least: Number.POSITIVE_INFINITY,
    failsUnderSC: fails(given.sc, forbidden),
    holds: !fails(given.c11, forbidden),
  };
  if (none.failsUnderSC) return none;
  for (const { threads, cost } of all.toSorted((a, b) => a.cost - b.cost)) {
    const outcomes = outcomesOf({ ...sketch, threads });
    if (!outcomes) return undefined;
    if (!fails(outcomes.c11, forbidden)) return { ...none, least: cost };
  }
  return none;
}
