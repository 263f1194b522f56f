import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../tools/random-runs.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import { refuteCoverCertificate } from '@fencewright/ground/petri/cover-certificate.js';
import { decideCover } from '../src/nets/decide-cover.js';
import { readMist } from '../src/nets/formats/read-mist.js';
import { readTts } from '../src/nets/formats/read-tts.js';
import { writeMist } from '../src/formats/write-mist.js';
import { writeTts } from '../src/formats/write-tts.js';
import { entriesOf, markingOf, omega } from '@fencewright/ground/petri/marking.js';
import { type Net, toSystem } from '@fencewright/ground/petri/net.js';
import { computeInvariants, weigh } from '@fencewright/ground/petri/weights.js';
import { bigNet } from './big-net.js';
import { coverByLargeIntegers, reachesInLargeIntegers } from './cover-by-large-integers.js';

const runs = randomRuns(200, 5000);
const seed = randomSeed(20260102);

const engines = ['both', 'forward', 'backward'] as const;

function largest(net: Net): number {
  const markings = [
    net.initial.marking,
    ...net.targets.map(({ marking }) => marking),
    ...net.rules.flatMap(({ pre, post }) => [pre, post]),
  ];
  const counts = markings.flatMap((marking) => entriesOf(marking).map(([, count]) => count));
  return Math.max(0, ...counts.filter((count) => count !== omega));
}

test(`${runs} random nets with numbers around 2^31, 2^32 and 2^53 agree with a search in large integers`, async () => {
  const seen = {
    coverable: 0,
    'not-coverable': 0,
    open: 0,
    decided: 0,
    refused: 0,
    limit: 0,
    beyond31: 0,
    beyond32: 0,
    beyond52: 0,
    weights: 0,
    runs: 0,
  };
  await fc.assert(
    fc.asyncProperty(bigNet, async (net) => {
      const judgement = coverByLargeIntegers(net, 300);
      seen[judgement] += 1;
      const size = largest(net);
      if (size >= 2 ** 31) seen.beyond31 += 1;
      if (size >= 2 ** 32) seen.beyond32 += 1;
      if (size >= 2 ** 52) seen.beyond52 += 1;
      for (const engine of engines) {
        const { verdict } = await decideCover(net, new Budget({ maxStates: 600 }), engine);
        if (verdict.kind === 'unknown') {
          seen[verdict.reason === 'unsupported' ? 'refused' : 'limit'] += 1;
          continue;
        }
        seen.decided += 1;
        if (judgement !== 'open') expect(verdict.kind, engine).toBe(judgement);
        if (verdict.kind === 'coverable' && verdict.run) {
          const { initial, steps } = verdict.run;
          expect(reachesInLargeIntegers(net, initial.marking, steps)).toBe(true);
          seen.runs += 1;
        }
        if (verdict.kind === 'not-coverable') {
          const { certificate } = verdict;
          expect(refuteCoverCertificate(net, toSystem(net), certificate)).toBeUndefined();
          if (certificate.kind === 'basis' && certificate.weights.length > 0) seen.weights += 1;
        }
      }
      const { net: read } = readMist(writeMist(net));
      if (!read) return;
      const { verdict } = await decideCover(read, new Budget({ maxStates: 600 }));
      if (verdict.kind !== 'unknown' && judgement !== 'open')
        expect(verdict.kind, 'written and read').toBe(judgement);
    }),
    { numRuns: runs, seed },
  );
  console.info(seen);
  expect(seen.coverable).toBeGreaterThan(runs / 5);
  expect(seen['not-coverable']).toBeGreaterThan(runs / 10);
  expect(seen.open).toBeLessThan(runs / 5);
  expect(seen.beyond31).toBeGreaterThan(runs / 3);
  expect(seen.beyond52).toBeGreaterThan(runs / 10);
  expect(seen.weights).toBeGreaterThan(runs / 50);
  expect(seen.refused).toBeLessThan(runs / 5);
});

const read = (rules: string, init: string, target: string, variables = 'a b') =>
  readMist(`vars ${variables}\nrules ${rules}\ninit ${init}\ntarget ${target}`);

async function kinds({ net, diagnostics }: ReturnType<typeof read>) {
  expect(diagnostics).toEqual([]);
  const answers = engines.map((engine) =>
    decideCover(net!, new Budget({ maxStates: 500 }), engine),
  );
  return (await Promise.all(answers)).map(({ verdict }) => verdict.kind);
}

describe('large numbers', () => {
  it('do not wrap where two of them are added', async () => {
    const rules = "a >= 1 -> a' = a + 1000000000;\na >= 1200000001 -> b' = b + 1;";
    const all = await kinds(read(rules, 'a = 1200000000, b = 0', 'b >= 1'));
    expect(new Set(all)).toEqual(new Set(['coverable']));
  });

  it('are told apart to the last unit below 2^53', async () => {
    const most = 2 ** 53 - 1;
    const [enough, lacking] = [most, most - 1].map((start) =>
      read(`a >= ${most} -> a' = a - ${most}, b' = b + 1;`, `a = ${start}, b = 0`, 'b >= 1'),
    );
    expect(new Set(await kinds(enough!))).toEqual(new Set(['coverable']));
    expect(new Set(await kinds(lacking!))).toEqual(new Set(['not-coverable']));
  });

  it('beyond 2^53 are refused where they are written, and where a rule would add up to them', () => {
    const complaints = [
      read("true -> a' = a + 9007199254740992;", 'a = 0, b = 0', 'b >= 1'),
      read("a >= 9007199254740991 -> a' = a + 1;", 'a = 0, b = 0', 'b >= 1'),
      read('true -> ;', 'a = 99999999999999999999, b = 0', 'b >= 1'),
      read('true -> ;', 'a = 1, b = 0', 'b >= 9007199254740993'),
    ];
    for (const { net, diagnostics } of complaints) {
      expect(net).toBeUndefined();
      expect(diagnostics[0]).toMatchObject({ code: 'FW1012' });
      expect(diagnostics[0]!.span).toBeDefined();
    }
  });

  it('beyond 2^53 that only an execution comes to end that search: the answer is unknown, or the other one gives it', async () => {
    const { net } = read(
      "a >= 1 -> a' = a - 1, b' = b + 4503599627370496;",
      'a = 3, b = 0, c = 0',
      'c >= 1',
      'a b c',
    );
    const { verdict } = await decideCover(net!, new Budget(), 'forward');
    expect(verdict).toEqual({ kind: 'unknown', reason: 'unsupported' });
    const both = await decideCover(net!, new Budget());
    expect(both.verdict.kind).toBe('not-coverable');
  });

  it('in weights are multiplied exactly', () => {
    const place = (count: number) => markingOf([[0, count]]);
    expect(weigh(place(3), place(5))).toBe(15);
    expect(weigh(place(2 ** 32 + 1), place(2 ** 32 + 1))).toBe((2n ** 32n + 1n) ** 2n);
    expect(weigh(place(2 ** 52), place(omega))).toBe(omega);
    expect(weigh(place(2 ** 53 - 1), place(1))).toBe(2 ** 53 - 1);
  });

  it('give invariants that hold, or none', () => {
    const [p, q, r] = [2 ** 29 + 1, 2 ** 29 + 3, 2 ** 29 + 7];
    const { net } = read(
      `a >= ${p} -> a' = a - ${p}, b' = b + ${q};\nb >= ${q} -> b' = b - ${q}, c' = c + ${r};\nc >= ${p}, b >= ${r} -> c' = c - ${p}, b' = b - ${r}, a' = a + ${q};`,
      'a = 1, b = 0, c = 0',
      'c >= 1',
      'a b c',
    );
    for (const weights of computeInvariants(net!))
      for (const { pre, post } of net!.rules)
        expect(weigh(weights, post)).toEqual(weigh(weights, pre));
  });

  it('of states in the header of a thread-transition system are refused at once', () => {
    for (const header of ['2147483648 2', '2 2147483648', '99999999999999999999 1']) {
      const { net, diagnostics } = readTts(`${header}\n0 0 -> 0 1\n`, { target: '0|1' });
      expect(net).toBeUndefined();
      expect(diagnostics[0]).toMatchObject({ code: 'FW1012' });
    }
  });

  it('of threads are not listed one by one', () => {
    const net: Net = {
      name: 'net',
      places: ['a'],
      controls: ['c'],
      rules: [],
      initial: { control: 0, marking: markingOf([[0, 2 ** 40]]) },
      targets: [{ control: 0, marking: markingOf([[0, 1]]) }],
      claims: [],
    };
    expect(writeTts(net)).toBeUndefined();
    expect(writeMist(net)).toContain('a = 1099511627776');
  });

  it('of variables that are named twice count once: the larger need, and no second change', async () => {
    expect(new Set(await kinds(read('true -> ;', 'a = 2, b = 0', 'a >= 1, a >= 2')))).toEqual(
      new Set(['coverable']),
    );
    // Three tokens are needed at once: the rule requires the larger of both numbers.
    for (const needs of ['a >= 1, a >= 3', 'a >= 3, a >= 1'])
      expect(
        new Set(await kinds(read(`${needs} -> b' = b + 1;`, 'a = 2, b = 0', 'b >= 1'))),
      ).toEqual(new Set(['not-coverable']));
    const twice = read("a >= 1 -> a' = a - 1, a' = a - 1;", 'a = 1, b = 0', 'b >= 1');
    expect(twice.diagnostics[0]).toMatchObject({ code: 'FW1001' });
  });

  it('of a start that is bounded twice meet both bounds, in whatever order', async () => {
    for (const start of [
      'a = 0, a >= 0',
      'a >= 0, a = 0',
      'a in [0, 5], a = 0',
      'a = 0, a in [0, 5]',
    ])
      expect(
        new Set(await kinds(read("a >= 1 -> b' = b + 1;", `${start}, b = 0`, 'b >= 1'))),
      ).toEqual(new Set(['not-coverable']));
    expect(read('true -> ;', 'a >= 2, a >= 1, b = 0', 'b >= 1').net?.least).toEqual(
      markingOf([[0, 2]]),
    );
    for (const start of ['a = 1, a = 2', 'a in [4, 1]', 'a >= 3, a = 2', 'a = 2, a >= 3']) {
      const { net, diagnostics } = read('true -> ;', `${start}, b = 0`, 'b >= 1');
      expect(net).toBeUndefined();
      expect(diagnostics[0]).toMatchObject({ code: 'FW1001' });
    }
  });
});
