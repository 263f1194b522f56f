import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  automataToJson,
  fence,
  finiteProgram,
  type Program,
  type Repair,
  repairItems,
  type RepairMode,
} from '@fencewright/core';
import { parseNative } from '@fencewright/core/native';
import { FeatureCount } from '@fencewright/core/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../tools/random-runs.js';
import type { Automata } from '../src/automata.js';
import { certificateDigest } from '../src/canonical-json.js';
import { type Action, Machine, replay } from '../src/machine.js';
import { itemsByThread, readItem } from '../src/repair.js';
import { readAutomata } from '../src/read-automata.js';
import type { Report } from '../src/report.js';
import { survives } from '../src/survives.js';
import { verifyCertificate } from '../src/verify.js';
import { judgeHeavyFences, ringWithHeavyFences } from './by-definition.js';
import { sealed } from './copies/certify.js';
import { repairedBy } from './repaired-by.js';

const runs = randomRuns(60, 3000, 25);
const seed = randomSeed(20261130);

interface Clause {
  readonly items: readonly number[];
  readonly computation: never;
}

interface Certificate {
  readonly items: readonly { readonly item: Repair; readonly cost: number }[];
  readonly chosen: readonly number[];
  readonly cost: number;
  readonly clauses: readonly Clause[];
}

function automataOf(program: Program): Automata {
  return readAutomata(JSON.parse(JSON.stringify(automataToJson(program))), 'p');
}

function programOf(text: string): Program {
  const { model, diagnostics } = parseNative(text);
  return finiteProgram(model) ?? expect.fail(JSON.stringify(diagnostics));
}

/**
 * A cost model in which heavy fences are so cheap that some cheapest repairs contain heavy fences.
 */
const costs = { name: 'test', fence: () => 100, xchg: () => 150, heavy: () => 40 };

async function certify(
  program: Program,
  mode: RepairMode,
  by: { readonly costs?: typeof costs } = {},
): Promise<Certificate | undefined> {
  const { certificate } = await fence(program, { mode, ...by, limits: { maxStates: 20_000 } });
  return certificate && (JSON.parse(JSON.stringify(certificate)) as Certificate);
}

function verify(
  certificate: Certificate,
  program: Program,
  change: Partial<Certificate> = {},
  options: Parameters<typeof verifyCertificate>[2] = {},
): Promise<Report> {
  const body = { ...certificate, ...change };
  const sealed = { ...body, digest: certificateDigest(body) };
  return verifyCertificate(sealed, automataToJson(program), options);
}

const withPrices = (program: Program, mode: RepairMode) => ({
  repairs: { items: repairItems(program, { mode, costs }, [], true), costModel: 'test' },
});

/**
 * Checks a certificate with heavy fences, and each of its clauses: every item of a clause stops the
 * computation of the clause if all items outside the clause are applied, too; and a program with
 * random items that the computation survives is not robust, by the rules of the machine.
 */
async function checkCertificate(
  certificate: Certificate,
  program: Program,
  mode: RepairMode,
  isTaken: () => boolean,
  count: FeatureCount,
): Promise<void> {
  const { items, chosen, clauses } = certificate;
  const given = withPrices(program, mode);
  const report = await verify(certificate, program, {}, given);
  if (report.kind === 'partly')
    expect(report.notChecked.join()).toContain('several delaying threads');
  else expect(report.kind, JSON.stringify(report)).toBe('accepted');
  const isHeavy = (item: Repair): boolean =>
    item.kind === 'keep'
      ? program.threads[item.thread]!.transitions[item.transition]!.instruction.kind ===
        'heavy-fence'
      : item.kind === 'fence' && item.heavy !== undefined;
  const heavyChosen = chosen.filter((i) => isHeavy(items[i]!.item)).length;
  count.add([report.kind, `chosen heavy ${heavyChosen}`]);
  const whole = automataOf(program);
  const bare = automataOf(isMinimising(mode) ? repairedBy(program, mode, items, []) : program);
  for (const [at, { items: own, computation }] of clauses.entries()) {
    for (const item of own) {
      const less = { items: own.filter((one) => one !== item), computation };
      const forged = await verify(certificate, program, { clauses: clauses.with(at, less) }, given);
      expect(forged.kind).toBe('rejected');
    }
    const some = items.filter(isTaken).map(({ item }) => item);
    const { moments } = replay(new Machine(bare), computation);
    const read = some.map((item) => readItem(item, 'item'));
    const isPossible = survives(moments, itemsByThread(whole, read));
    count.add([isPossible ? 'survives' : 'stopped']);
    if (!isPossible) continue;
    const judged = judgeHeavyFences(repairedBy(program, mode, items, some), 20_000);
    if (!judged.isComplete) continue;
    expect(judged.isCyclic).toBe(true);
    const taken = some.filter(isHeavy);
    const places = taken.flatMap((item) =>
      item.kind === 'fence' ? [`${item.thread}.${item.location}`] : [],
    );
    if (taken.length > 0) count.add(['survives heavy fences']);
    if (new Set(places).size < places.length) count.add(['survives two at one place']);
  }
}

const isMinimising = (mode: RepairMode): boolean => mode.startsWith('minimise');

const chances = fc.infiniteStream(fc.nat(3));

test(`${runs} rings: certificates hold, and a computation that survives items breaks the program with them`, async () => {
  const count = new FeatureCount();
  await fc.assert(
    fc.asyncProperty(
      ringWithHeavyFences(3),
      fc.constantFrom('asymmetric' as const, 'any' as const),
      chances,
      async (program, mode, chance) => {
        const certificate = await certify(program, mode, { costs });
        if (!certificate) return;
        const isTaken = (): boolean => chance.next().value === 0;
        await checkCertificate(certificate, program, mode, isTaken, count);
      },
    ),
    { numRuns: runs, seed },
  );
  console.info(count.toString());
  for (const kind of [
    'accepted',
    'chosen heavy 1',
    'chosen heavy 2',
    'stopped',
    'survives two at one place',
  ])
    expect(count.get(kind), kind).toBeGreaterThan(0);
  expect(count.get('survives heavy fences')).toBeGreaterThan(runs / 20);
});

/** Returns the straight-line program with a heavy fence before each of some transitions. */
function withMoreHeavyFences(program: Program, isMore: () => boolean): Program {
  return {
    ...program,
    threads: program.threads.map((thread) => {
      const locations = [...thread.locations];
      const transitions = thread.transitions.flatMap((step) => {
        if (!isMore()) return [step];
        const between = locations.push({ name: `more${locations.length}`, hidden: false }) - 1;
        return [
          { ...step, to: between, instruction: { kind: 'heavy-fence' as const } },
          { ...step, from: between },
        ];
      });
      return { ...thread, locations, transitions };
    }),
  };
}

test(`${runs} repaired rings: certificates of heavy fences that stay hold, and so do their clauses`, async () => {
  const count = new FeatureCount();
  await fc.assert(
    fc.asyncProperty(
      ringWithHeavyFences(3),
      fc.constantFrom('minimise' as const, 'minimise-locked' as const),
      chances,
      async (ring, mode, chance) => {
        const isTaken = (): boolean => chance.next().value === 0;
        const { verdict } = await fence(ring, {
          mode: 'any',
          costs,
          limits: { maxStates: 20_000 },
        });
        if (verdict.kind !== 'found') return;
        const program = withMoreHeavyFences(verdict.repaired, isTaken);
        const certificate = await certify(program, mode, { costs });
        if (!certificate) return;
        if (certificate.chosen.length < certificate.items.length) count.add(['can go']);
        await checkCertificate(certificate, program, mode, isTaken, count);
      },
    ),
    { numRuns: runs, seed },
  );
  console.info(count.toString());
  for (const kind of ['accepted', 'can go', 'chosen heavy 1', 'chosen heavy 2', 'stopped'])
    expect(count.get(kind), kind).toBeGreaterThan(0);
  expect(count.get('survives heavy fences')).toBeGreaterThan(runs / 20);
});

test('a heavy fence begins when the buffer of its own thread is empty, and not before', () => {
  const automata = automataOf(
    programOf(`program P
      var x, y
      thread fast { local r; x = 1; r = y; }
      thread slow { local r; y = 1; r = x; }`),
  );
  const survivesHeavy = (...steps: readonly (readonly [number, Action['kind'], number])[]) => {
    const computation = steps.map(([thread, kind, transition]) => ({ thread, kind, transition }));
    const { moments } = replay(new Machine(automata), computation);
    const heavy = { kind: 'fence', thread: 1, location: 1, heavy: 1 } as const;
    return survives(moments, itemsByThread(automata, [[heavy]]));
  };
  // The buffer of `fast` is empty while that of `slow` is full, and is full behind that.
  const slowStores = [1, 'store', 0] as const;
  const fastReads = [0, 'load', 1] as const;
  expect(
    survivesHeavy(
      ...([[1, 'issue', 0], [0, 'issue', 0], fastReads, slowStores, [1, 'load', 1]] as const),
      [0, 'store', 0],
    ),
  ).toBe(false);
  // Here it is empty behind that, too.
  expect(
    survivesHeavy(
      ...([[1, 'issue', 0], slowStores, [0, 'issue', 0], fastReads, [1, 'load', 1]] as const),
      [0, 'store', 0],
    ),
  ).toBe(true);
});

describe('certificates of heavy fences', () => {
  const examples = path.resolve(import.meta.dirname, '../../../examples/asymmetric');
  const names = ['biased-lock', 'dekker', 'hazard-pointer', 'rcu-reader', 'safepoint'];

  test.each(names)('hold for the example %s', async (name) => {
    const program = programOf(readFileSync(path.join(examples, `${name}.fw`), 'utf8'));
    const certificate = (await certify(program, 'asymmetric')) ?? expect.fail('no certificate');
    expect(certificate.cost).toBe(500);
    expect(await verify(certificate, program)).toMatchObject({
      kind: 'accepted',
      assumes: [expect.stringContaining('cycles without heavy fences')],
    });
    // The forgeries: another heavy fence is chosen, none is chosen, or the cost of the chosen one
    // is wrong.
    const [only] = certificate.chosen;
    const elsewhere = certificate.items.findIndex(
      ({ item }, i) => item.kind === 'fence' && item.heavy !== undefined && i !== only,
    );
    const cheaper = certificate.items.map((one, i) => (i === only ? { ...one, cost: 1 } : one));
    for (const forged of [
      { chosen: [elsewhere] },
      { chosen: [], cost: 0 },
      { items: cheaper, cost: 1 },
    ])
      expect((await verify(certificate, program, forged)).kind).toBe('rejected');
  });

  // Two heavy fences stop the violation, and neither of the two stops it alone: docs/asymmetric.md.
  const ring = programOf(`program Ring
    var x, y, z
    thread slow { local r; z = 1; r = x; }
    thread one { local r; @cost(1000000) x = 1; @cost(1000000) r = y; }
    thread two { local r; @cost(1000000) y = 1; @cost(1000000) r = z; }`);

  test('hold for two of them at one place, and not for one', async () => {
    const certificate = (await certify(ring, 'asymmetric')) ?? expect.fail('no certificate');
    const heavy = certificate.chosen.filter((i) => 'heavy' in certificate.items[i]!.item);
    expect(heavy).toHaveLength(2);
    expect(certificate.cost).toBe(1000);
    expect((await verify(certificate, ring)).kind).toBe('accepted');
    const one = { chosen: heavy.slice(1), cost: 500 };
    expect((await verify(certificate, ring, one)).kind).toBe('rejected');
    // If the clauses that do not contain the second heavy fence are left out, one chosen heavy
    // fence is not accepted.
    const clauses = certificate.clauses.filter(({ items }) => items.includes(heavy[1]!));
    expect((await verify(certificate, ring, { ...one, clauses })).kind).not.toBe('accepted');
  });

  test('may leave out heavy fences that are too dear, and no others', async () => {
    const certificate = (await certify(ring, 'asymmetric')) ?? expect.fail('no certificate');
    const last = certificate.items.length - 1;
    expect(certificate.items[last]!.item).toMatchObject({ kind: 'fence', heavy: 2 });
    const cheap = certificate.items.findLastIndex(
      ({ item, cost }, i) => 'heavy' in item && cost === 500 && !certificate.chosen.includes(i),
    );
    const without = (index: number): Partial<Certificate> => {
      const moved = (i: number): number[] => (i === index ? [] : [i > index ? i - 1 : i]);
      return {
        items: certificate.items.toSpliced(index, 1),
        chosen: certificate.chosen.flatMap(moved),
        clauses: certificate.clauses.map(({ items, computation }) => ({
          items: items.flatMap(moved),
          computation,
        })),
      };
    };
    expect((await verify(certificate, ring, without(cheap))).kind).not.toBe('accepted');
    const dear = certificate.items.findIndex(({ item, cost }) => 'heavy' in item && cost > 1000);
    if (dear >= 0) expect((await verify(certificate, ring, without(dear))).kind).toBe('accepted');
  });

  // The light side is frequent, so a heavy fence has to stay at the rare side; further fences of
  // both kinds are in the text.
  const generous = programOf(`program P
    var x, y
    thread fast { local r; x = 1; r = y; heavy_fence; }
    thread slow { local r; y = 1; heavy_fence; heavy_fence; r = x; fence; }`);

  test('hold for a heavy fence that has to stay', async () => {
    const certificate = (await certify(generous, 'minimise')) ?? expect.fail('no certificate');
    const { items, chosen, clauses } = certificate;
    expect(items.map(({ cost }) => cost)).toEqual([500, 500, 500, 1]);
    expect([chosen.length, certificate.cost]).toEqual([1, 500]);
    expect(await verify(certificate, generous)).toMatchObject({
      kind: 'accepted',
      assumes: [expect.stringContaining('cycles without heavy fences')],
    });
    const cheap = items.map((one) => ({ ...one, cost: 1 }));
    for (const forged of [
      // No fence stays, the fence at an end stays, or the other heavy fence of `fast` stays.
      { chosen: [], cost: 0 },
      { chosen: [3], cost: 1 },
      { chosen: [0], cost: 500 },
      // Two stay where one is enough, a heavy fence costs as much as a fence, or there is no clause
      // that shows the cost.
      { chosen: [1, 2], cost: 1000 },
      { items: cheap, cost: 1 },
      { clauses: [] },
      // A clause is said of fewer heavy fences than stop its computation.
      { clauses: clauses.map((one) => ({ ...one, items: chosen })) },
      // The claim says less of the text than the text has.
      { items: items.slice(0, 3) },
    ])
      expect((await verify(certificate, generous, forged)).kind).not.toBe('accepted');
  });

  test('of heavy fences that stay are of no use for another program', async () => {
    const certificate = (await certify(generous, 'minimise')) ?? expect.fail('no certificate');
    const [kept] = certificate.chosen;
    const weaker = programOf(`program P
      var x, y
      thread fast { local r; x = 1; r = y; heavy_fence; }
      thread slow { local r; y = 1; ${kept === 1 ? 'fence; heavy_fence' : 'heavy_fence; fence'}; r = x; fence; }`);
    const { items, clauses } = certificate;
    const automata = JSON.parse(JSON.stringify(automataToJson(weaker))) as object;
    const forged = sealed('fences', automata, {
      ...{ costModel: 'size', mode: 'minimise', happensBefore: 'standard', clauses },
      items: items.map((one, i) => (i === kept ? { ...one, cost: 1 } : one)),
      ...{ chosen: [kept], cost: 1 },
    });
    expect(await verifyCertificate(forged, automata, {})).toMatchObject({
      kind: 'rejected',
      findings: ['the program with the chosen repairs is not robust'],
    });
  });
});
