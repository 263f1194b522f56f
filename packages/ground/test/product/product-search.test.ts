import { describe, expect, test } from 'vitest';
import { ProductSearch, type KernelChoice } from '../../src/product/product-search.js';
import { LinearStorage } from '../../src/product/state-storage.js';
import { goalNode, ProductTables, type AutomatonSource } from '../../src/product/tables.js';
import { explored, exploreByHand } from './explore-by-hand.js';

function automaton(parts: Partial<AutomatonSource>): AutomatonSource {
  return {
    actionCells: () => [],
    isExclusive: () => false,
    outcomes: () => [],
    ...parts,
  };
}

interface Setting {
  readonly kernel: KernelChoice;
  readonly tightLayout?: boolean;
}

function searchFor(
  sources: readonly AutomatonSource[],
  setting: Setting,
  groups: readonly (readonly number[])[] = [],
): { tables: ProductTables; search: ProductSearch } {
  const tables = new ProductTables();
  const numbers = new Map<AutomatonSource, number>();
  for (const source of sources) if (!numbers.has(source)) numbers.set(source, tables.add(source));
  const automata = sources.map((source) => numbers.get(source)!);
  const search = new ProductSearch(tables, { automata, groups, ...setting });
  search.add({ nodes: sources.map(() => 0), values: [] }, -1);
  return { tables, search };
}

/** Returns an automaton that goes through `size` nodes in a circle. */
function ring(size: number): AutomatonSource {
  return automaton({
    actionCells: () => [-1],
    outcomes: (node) => [{ value: 0, node: (node + 1) % size, transient: false }],
  });
}

/** Returns an automaton that increments a cell up to `max`. */
function counter(cell: number, max: number): AutomatonSource {
  return automaton({
    actionCells: () => [cell],
    outcomes: (_node, _action, value) =>
      value < max ? [{ value: value + 1, node: 0, transient: false }] : [],
  });
}

const settings: readonly Setting[] = [
  { kernel: 'auto' },
  { kernel: 'typescript' },
  { kernel: 'wasm' },
  { kernel: 'typescript', tightLayout: true },
  { kernel: 'wasm', tightLayout: true },
];

describe.each(settings)('a search with %o', (setting) => {
  test('independent rings multiply', () => {
    const { search } = searchFor([ring(30), ring(31), ring(32)], setting);
    expect(search.run(Infinity)).toBe('done');
    expect(search.table.count).toBe(30 * 31 * 32);
  });

  test('counters of one cell add up, of two multiply', () => {
    const same = searchFor([counter(0, 300), counter(0, 300)], setting).search;
    expect(same.run(Infinity)).toBe('done');
    expect(same.table.count).toBe(301);
    const own = searchFor([counter(0, 99), counter(1, 99)], setting).search;
    expect(own.run(Infinity)).toBe('done');
    expect(own.table.count).toBe(100 * 100);
  });

  test('states of more than two words', () => {
    const cells = Array.from({ length: 70 }, (_, cell) => cell);
    // Each component sets the next cell once the previous cell is set.
    const chain = automaton({
      actionCells: (node) => (node < 70 ? [cells[node]!] : []),
      outcomes: (node) => [{ value: 1, node: node + 1, transient: false }],
    });
    const { search } = searchFor([chain, chain], setting);
    expect(search.run(Infinity)).toBe('done');
    expect(search.table.count).toBe(71 * 71);
    expect(search.layout.words).toBeGreaterThan(2);
  });

  test('states with many cells, each seen when the one before is set', () => {
    const cells = 150;
    // Sets each cell to the number of its turn, at most 6 values: some need more than two bits.
    const walker = automaton({
      actionCells: (node) => (node < cells ? [node] : []),
      outcomes: (node, _action, value) =>
        value >= node % 6
          ? [{ value, node: node + 1, transient: false }]
          : [{ value: value + 1, node, transient: false }],
    });
    const lookers = [60, 130].map((cell) =>
      automaton({
        actionCells: (node) => (node === 0 ? [cell] : []),
        outcomes: (_node, _action, value) =>
          value === 0 ? [] : [{ value: 7, node: 1, transient: false }],
      }),
    );
    const sources = [walker, ...lookers];
    const { search } = searchFor(sources, setting);
    expect(search.run(Infinity)).toBe('done');
    const initial = { nodes: sources.map(() => 0), values: [] };
    expect(explored(search)).toEqual(exploreByHand(sources, [], initial));
    expect(search.layout.words).toBeGreaterThan(8);
  });

  test('identical components kept sorted', () => {
    const one = ring(20);
    const { search } = searchFor([one, one, one], setting, [[0, 1, 2]]);
    expect(search.run(Infinity)).toBe('done');
    // Multisets of three out of twenty.
    expect(search.table.count).toBe((20 * 21 * 22) / 6);
    for (const state of explored(search).states) {
      const [a = 0, b = 0, c = 0] = state.split('|')[0]!.split(',').map(Number);
      expect(a <= b && b <= c).toBe(true);
    }
  });

  test('a component at an exclusive node moves alone', () => {
    // Node 1 is exclusive: the second ring never moves while the first stands there.
    const first = { ...ring(3), isExclusive: (node: number) => node === 1 };
    const { search } = searchFor([first, ring(5)], setting);
    expect(search.run(Infinity)).toBe('done');
    const moved = explored(search).states.filter((_, state) => {
      const parent = search.table.parent(state);
      return parent >= 0 && search.node(parent, 0) === 1 && search.node(state, 0) !== 2;
    });
    expect(moved).toEqual([]);
    expect(search.table.count).toBe(15);
  });

  test.each([10, 2000])('%i transient nodes in a row are not stored', (length) => {
    const long = automaton({
      actionCells: (node) => (node <= length ? [-1] : []),
      outcomes: (node) => [{ value: 0, node: node + 1, transient: node < length }],
    });
    const { search } = searchFor([long, ring(3)], setting);
    expect(search.run(Infinity)).toBe('done');
    expect(search.table.count).toBe(6);
  });

  test('the goal ends the search, at the state that leads to it', () => {
    const seeker = automaton({
      actionCells: () => [0],
      outcomes: (_node, _action, value) =>
        value === 100 ? [{ value, node: goalNode, transient: false }] : [],
    });
    const { search } = searchFor([counter(0, 300), seeker], setting);
    expect(search.run(Infinity)).toBe('goal');
    expect(search.value(search.goalFrom, 0)).toBe(100);
  });

  test('a limit stops a search that can go on', () => {
    const { search } = searchFor([ring(60), ring(61)], setting);
    let runs = 0;
    while (search.run(search.table.count + 10) === 'limit') runs++;
    expect(runs).toBeGreaterThan(100);
    expect(search.table.count).toBe(60 * 61);
  });

  test('what was taken out can be searched again', () => {
    const { search } = searchFor([ring(90), ring(91)], setting);
    search.run(Infinity);
    const all = explored(search);
    search.table.truncate(5000);
    search.cursor = 0;
    expect(search.run(Infinity)).toBe('done');
    expect(explored(search)).toEqual(all);
  });

  test('two searches share their tables, and one can add states of the other', () => {
    const { tables, search } = searchFor([counter(0, 50), counter(1, 50)], setting);
    search.run(1000);
    const other = new ProductSearch(tables, { automata: [0, 1], groups: [], ...setting });
    expect(other.addMoved(search, 500, { component: 0, to: 0, node: 0 }, -1)).toBe(0);
    expect(other.state(0)).toEqual(search.state(500));
    expect(other.run(Infinity)).toBe('done');
    expect(search.run(Infinity)).toBe('done');
    expect(search.table.count).toBe(51 * 51);
    const [a = 0, b = 0] = search.state(500).values;
    expect(other.table.count).toBe((51 - a) * (51 - b));
  });
});

test('searches go to linear memory from the first state on, when they are large, or never', () => {
  const inLinearMemory = (kernel: KernelChoice, size: number): boolean => {
    const { search } = searchFor([ring(size)], { kernel });
    search.run(Infinity);
    return search.table.storage instanceof LinearStorage;
  };
  expect(inLinearMemory('wasm', 2)).toBe(true);
  expect(inLinearMemory('auto', 2)).toBe(false);
  expect(inLinearMemory('auto', 5000)).toBe(true);
  expect(inLinearMemory('typescript', 5000)).toBe(false);
});

test('without WebAssembly the interpreter does everything', () => {
  const saved = Object.getOwnPropertyDescriptor(globalThis, 'WebAssembly')!;
  Object.defineProperty(globalThis, 'WebAssembly', { value: undefined, configurable: true });
  try {
    for (const kernel of ['auto', 'wasm'] as const) {
      const { search } = searchFor([ring(90), ring(91)], { kernel });
      expect(search.run(Infinity)).toBe('done');
      expect(search.table.count).toBe(90 * 91);
    }
  } finally {
    Object.defineProperty(globalThis, 'WebAssembly', saved);
  }
});
