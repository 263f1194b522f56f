import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../tools/random-runs.js';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import { formatInvariant } from '@fencewright/model/program/format-invariant.js';
import type { ProveResult } from '@fencewright/model/verdict/prove-result.js';
import { inferPossession } from '../src/invariants/infer-invariants.js';
import { Prover } from '../src/obligations/obligation.js';
import { toProofProgram } from '../src/steps/proof-program.js';
import { openProgram, useSolver } from './proving.js';
import { refuteByDefinition } from './refute-by-definition.js';

const runs = randomRuns(12, 300, 2);
const seed = randomSeed(20261129);
const solver = useSolver();

/** Returns the inferred invariants with their program. */
async function found(text: string, speaksOfAllCells: boolean) {
  const open = openProgram(text);
  const program = toProofProgram(open, []);
  if ('unsupported' in program) throw new Error(program.unsupported.kind);
  const invariants = await inferPossession(program, [], new Prover(solver), speaksOfAllCells);
  const lines = invariants.map((invariant) => formatInvariant(open, invariant));
  return { open, invariants, lines };
}

const ticket = (release: string) => `program P
  var next, serving, x
  thread t[*] { local m, s, v; loop {
    m = fetch_add(next, 1);
    do { s = serving; } while (s != m);
    cs: v = x; x = v + 1;
    out: ${release}
  } }`;

describe('who holds which name', () => {
  test('tickets differ, and the ticket served is that of the thread inside', async () => {
    const { lines } = await found(ticket('serving = m + 1;'), false);
    expect(lines.some((line) => line.endsWith('==> a.m != b.m'))).toBe(true);
    expect(lines.some((line) => line.endsWith('a @ cs ==> serving == a.m'))).toBe(true);
  });

  test('a ticket is held to the end, though nobody reads it again', async () => {
    const { lines } = await found(ticket('s = serving; serving = s + 1;'), false);
    expect(lines.some((line) => line.endsWith('a @ cs ==> serving == a.m'))).toBe(true);
  });

  test('a lock that lets two in has no such ticket', async () => {
    const { lines } = await found(ticket('serving = m + 2;'), false);
    expect(lines.some((line) => line.endsWith('a @ cs ==> serving == a.m'))).toBe(true);
    const early = await found(ticket('skip;').replace('cs:', 'serving = m + 1; cs:'), false);
    expect(early.lines.some((line) => line.includes('a @ cs ==> serving == a.m'))).toBe(false);
  });

  test('slots beyond that of a waiting thread are empty', async () => {
    const slots = (release: string) => `program P
      var tail, flag[*] = {1}
      thread t[*] { local n, r; loop {
        n = fetch_add(tail, 1);
        do { r = flag[n]; } while (r == 0);
        out: ${release}
      } }`;
    const { lines } = await found(slots('flag[n + 1] = 1;'), true);
    expect(lines.some((line) => line.includes('* <= a.n || flag[*] == 0'))).toBe(true);
    const wrong = await found(slots('flag[n + 2] = 1; flag[n + 1] = 1;'), true);
    expect(wrong.lines.some((line) => line.includes('* <= a.n'))).toBe(false);
  });

  test('of the nodes that threads watch at most one is free', async () => {
    const list = (release: string) => `program P
      var tail, fresh = 1, locked[*]
      thread t[*] { local n, p, r; loop {
        n = fetch_add(fresh, 1);
        locked[n] = 1;
        p = xchg(tail, n);
        do { r = locked[p]; } while (r == 1);
        out: ${release}
      } }`;
    const claim = /locked\[a\.p\] [!=]= 1 (\|\||==>) locked\[b\.p\] == 1$/;
    const { lines } = await found(list('locked[n] = 0;'), false);
    expect(
      lines.some((line) => claim.test(line)),
      lines.join('\n'),
    ).toBe(true);
    const wrong = await found(list('locked[n] = 0; locked[p + 1] = 0;'), false);
    expect(wrong.lines.some((line) => claim.test(line))).toBe(false);
  });
});

const statements = [
  ...['n = fetch_add(next, 1);', 's = serving; assume(s == n);', 'serving = n + 1;'],
  ...['flag[n] = 1;', 'flag[n + 1] = 1;', 's = flag[n]; assume(s == 1);', 'flag[n] = 0;'],
  ...['p = xchg(last, n);', 's = flag[p]; assume(s != 1);', 'n = last;', 'n = p;'],
  ...['n = next; ok = cas(next, n, n + 1); assume(ok);', 'serving = s + 1;', 'last = n;'],
];

/**
 * Returns a random program whose threads take a number, and mostly use the number as a lock does.
 */
function randomText(random: SeededRandom): string {
  const pick = () => statements[random.below(random.below(3) > 0 ? 10 : statements.length)]!;
  const body = Array.from({ length: 3 + random.below(3) }, pick).join(' ');
  const first = random.below(4) > 0 ? 'n = fetch_add(next, 1);' : pick();
  return `program P var next = ${random.below(2)}, serving, last, flag[8] = {${random.below(2)}}
    thread some[*] { local n, p, s, ok; ${first} ${body} }`;
}

test(`what is said of names is true, in ${runs} random programs`, async () => {
  const counts = { pairs: 0, order: 0, cells: 0, two: 0, all: 0, none: 0, instances: 0 };
  for (let round = 0; round < runs; round++) {
    const text = randomText(new SeededRandom(seed + round));
    const { open, invariants, lines } = await found(text, round % 2 === 0);
    const claimed = { ...open, templates: { ...open.templates, invariants } };
    const result = {
      verdict: { kind: 'unknown' },
      invariants: invariants.map(() => ({ verdict: 'inductive' })),
    } as unknown as ProveResult;
    const { because, instances } = await refuteByDefinition(claimed, result);
    expect(because, text).toBeUndefined();
    counts.instances += instances;
    if (lines.some((line) => /a\.\w != b\.\w$/.test(line))) counts.pairs++;
    if (lines.some((line) => /a\.\w <=? (b\.\w|next|serving)$/.test(line))) counts.order++;
    if (lines.some((line) => /flag\[a\.\w\] [!=]= \d$/.test(line))) counts.cells++;
    if (lines.some((line) => /\|\| flag\[b\.\w\] [!=]= \d$/.test(line))) counts.two++;
    if (lines.some((line) => line.includes('* <='))) counts.all++;
    if (lines.length === 0) counts.none++;
  }
  console.info(JSON.stringify(counts));
  for (const count of [counts.pairs, counts.order, counts.cells])
    expect(count).toBeGreaterThan(runs / 4);
  if (runs >= 12) for (const count of [counts.two, counts.all]) expect(count).toBeGreaterThan(0);
});
