import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../tools/random-runs.js';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import { formatInvariant } from '@fencewright/model/program/format-invariant.js';
import { inferFreshNames } from '../src/invariants/infer-invariants.js';
import { Prover } from '../src/obligations/obligation.js';
import { toProofProgram } from '../src/steps/proof-program.js';
import type { ProveResult } from '@fencewright/model/verdict/prove-result.js';
import { openProgram, proveText, useSolver } from './proving.js';
import { refuteByDefinition } from './refute-by-definition.js';

const runs = randomRuns(15, 300, 5);
const seed = randomSeed(20261123);
const solver = useSolver();

/** Returns the inferred invariants with their program. */
async function found(text: string) {
  const open = openProgram(text);
  const program = toProofProgram(open, []);
  if ('unsupported' in program) throw new Error(program.unsupported.kind);
  const invariants = await inferFreshNames(program, [], new Prover(solver));
  const lines = invariants.map((invariant) => formatInvariant(open, invariant));
  return { open, invariants, lines };
}

const stack = (push: string) => `program P
  var top, free = 1, next[*], value[*]
  thread pusher[*] { local n, t, ok; loop { ${push} } }
  thread popper[*] { local n, m, v, ok; loop { n = top; m = next[n]; v = value[n]; ok = cas(top, n, m); } }`;

const push = 'n = fetch_add(free, 1); value[n] = 1; t = top; next[n] = t; ok = cas(top, t, n);';

describe('names that are given out by counting', () => {
  test('are smaller than the counter, and held by nobody else till they are published', async () => {
    const { lines } = await found(stack(push));
    expect(lines.some((line) => line.endsWith(': next[*] < free'))).toBe(true);
    expect(lines.filter((line) => line.includes('next[*] != a.n'))).toHaveLength(4);
    expect(lines.filter((line) => line.includes('b.m != a.n')).length).toBeGreaterThanOrEqual(4);
  });

  test('are held by others once they are published', async () => {
    const after = push.replace('value[n] = 1; ', '').replace('n);', 'n); value[n] = 1;');
    const { lines } = await found(stack(after));
    expect(lines.some((line) => line.endsWith(': next[*] < free'))).toBe(true);
    // The claim holds before t = top, next[n] = t and the cas, but not after the cas.
    expect(lines.filter((line) => line.includes('next[*] != a.n'))).toHaveLength(3);
  });

  test('are anybody’s where the counter is set back', async () => {
    const { lines } = await found(stack(`${push} free = 1;`));
    const aboutNames = lines.filter((line) => line.includes('a.n'));
    expect(aboutNames.filter((line) => !line.endsWith('a.n >= 1'))).toEqual([]);
  });

  test('are never the 0 that stands for no node, as a fresh name is at least the first', async () => {
    const cut = ` thread cutter[*] { local k, o; loop { k = xchg(top, 0); o = top; next[o] = 0; } }`;
    const { lines } = await found(stack(push) + cut);
    expect(lines.filter((line) => line.includes('next[*] != a.n'))).toHaveLength(4);
    expect(lines.filter((line) => line.endsWith('top != a.n'))).toHaveLength(4);
    const fromZero = await found(stack(push).replace('free = 1', 'free') + cut);
    expect(fromZero.lines.filter((line) => line.endsWith('top != a.n'))).toEqual([]);
  });

  test('are none without a counter', async () => {
    const { invariants } = await found(stack(push.replace('fetch_add(free, 1)', 'xchg(free, 1)')));
    expect(invariants).toEqual([]);
  });
});

test('“every cell” is written [*], in invariants only', async () => {
  const text = (invariant: string) => `program P
    var top, next[*]
    thread a[*] { next[top] = 1; }
    invariant all: ${invariant}`;
  const verdictOf = async (invariant: string) => {
    const options = { solver, searchInstances: false };
    const { result } = await proveText(text(invariant), options);
    return result.invariants.map(({ verdict }) => verdict);
  };
  expect(await verdictOf('next[*] >= 0')).toEqual(['inductive']);
  expect(await verdictOf('next[*] <= 0')).not.toEqual(['inductive']);
  // All occurrences stand for the same index.
  expect(await verdictOf('next[*] == 0 || next[*] == 1')).toEqual(['inductive']);
  const [line] = openProgram(text('next[*] >= 0')).templates.invariants ?? [];
  expect(formatInvariant(openProgram(text('next[*] >= 0')), line!)).toContain('next[*] >= 0');
});

test('a * in front of a comparison is the index itself', async () => {
  const text = (invariant: string) => `program P
    var next[*]
    thread a[*] { next[2] = 1; }
    invariant all: ${invariant}`;
  const verdictOf = async (invariant: string) => {
    const options = { solver, searchInstances: false };
    return (await proveText(text(invariant), options)).result.invariants[0]?.verdict;
  };
  expect(await verdictOf('* == 2 || next[*] == 0')).toBe('inductive');
  expect(await verdictOf('* < 2 ==> next[*] == 0')).toBe('inductive');
  expect(await verdictOf('* < 3 ==> next[*] == 0')).not.toBe('inductive');
  const open = openProgram(text('* == 2 || next[*] == 0'));
  const [line] = open.templates.invariants ?? [];
  expect(formatInvariant(open, line!)).toContain('* == 2 || next[*] == 0');
});

const statements = [
  ...['n = fetch_add(free, 1);', 'n = fetch_add(free, 1);', 'n = fetch_add(free, 2);'],
  ...['next[n] = t;', 'next[t] = n;', 'top = n;', 'last = n;', 'top = t;', 't = top;'],
  ...['t = next[t];', 't = next[n];', 't = n;', 'n = t;', 'ok = cas(top, t, n);', 'n = last;'],
  ...['t = xchg(top, n);', 't = xchg(last, t);', 'n = fetch_add(free, -1);', 'free = 1;'],
];

/** Returns a random program that hands out fresh numbers, and often misuses them. */
function randomText(random: SeededRandom): string {
  const pick = () => statements[random.below(random.below(4) > 0 ? 15 : statements.length)]!;
  const body = (first: string) =>
    [first, ...Array.from({ length: 2 + random.below(4) }, pick)].join(' ');
  const copies = () => (random.below(2) > 0 ? '[*]' : '');
  return `program P var top, last, free = ${1 + random.below(2)}, next[6]
    thread some${copies()} { local n, t, ok; ${body('n = fetch_add(free, 1);')} }
    thread others${copies()} { local n, t, ok; ${body(pick())} }`;
}

test(`what is said of names is true, in ${runs} random programs`, async () => {
  const counts = { cells: 0, pairs: 0, below: 0, none: 0, instances: 0, complete: 0 };
  for (let round = 0; round < runs; round++) {
    const text = randomText(new SeededRandom(seed + round));
    const { open, invariants, lines } = await found(text);
    const templates = { ...open.templates, invariants };
    const claimed = { ...open, templates };
    const result = {
      verdict: { kind: 'unknown' },
      invariants: invariants.map(() => ({ verdict: 'inductive' })),
    } as unknown as ProveResult;
    const { because, instances, complete } = await refuteByDefinition(claimed, result);
    expect(because, text).toBeUndefined();
    counts.instances += instances;
    counts.complete += complete;
    if (lines.some((line) => line.includes('next[*] != a.n'))) counts.cells++;
    if (lines.some((line) => /b\.\w != a\.n/.test(line))) counts.pairs++;
    if (lines.some((line) => line.includes('< free'))) counts.below++;
    if (lines.length === 0) counts.none++;
  }
  console.info(JSON.stringify(counts));
  for (const count of [counts.cells, counts.pairs, counts.below])
    expect(count).toBeGreaterThan(runs / 10);
});
