import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  automataToJson,
  decide,
  finiteProgram,
  type Instruction,
  type Program,
} from '@fencewright/core';
import { parseNative } from '@fencewright/core/native';
import { FeatureCount } from '@fencewright/core/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inCampaign, randomRuns, randomSeed } from '../../../tools/random-runs.js';
import type { Automata } from '../src/automata.js';
import { Budget } from '../src/budget.js';
import { explore } from '../src/explore.js';
import { Machine, type State, stateKey } from '../src/machine.js';
import { readAutomata } from '../src/read-automata.js';
import { decideRobustness } from '../src/robustness.js';
import type { Report } from '../src/report.js';
import { whySeveralMayDelay } from '../src/several-delays.js';
import { verifyCertificate } from '../src/verify.js';
import { judgeHeavyFences, ringWithHeavyFences } from './by-definition.js';
import { sealed } from './copies/certify.js';

const maxStates = inCampaign(4_000, 15_000);
const corpus = path.resolve(import.meta.dirname, '../../../corpus/asymmetric');
const seed = randomSeed(20261130);

function programOf(text: string): Program {
  const { model, diagnostics } = parseNative(text);
  return finiteProgram(model) ?? expect.fail(JSON.stringify(diagnostics));
}

function jsonOf(program: Program): object {
  return JSON.parse(JSON.stringify(automataToJson(program))) as object;
}

function automataOf(program: Program): Automata {
  return readAutomata(jsonOf(program), 'automata');
}

/**
 * Returns the registers and memory of all states in which all threads have ended, in the notation
 * of the judge.
 */
function finalStates(automata: Automata): ReadonlySet<string> {
  const machine = new Machine(automata);
  const found = new Set<string>();
  const threads = [...automata.threads.keys()];
  explore(
    [machine.initial],
    stateKey,
    (state): readonly State[] => {
      const { registers, memory, buffers, asked } = state;
      const isOver =
        !asked && threads.every((t) => buffers[t]!.length === 0 && machine.hasEnded(state, t));
      const held = [...memory].sort(([a], [b]) => a - b);
      if (isOver) found.add(`${registers.join(' ')} | ${held.join(' ')}`);
      return threads.flatMap((t) => {
        const flushed = machine.flush(state, t);
        const steps = machine.steps(state, t, false).steps.map((step) => step.state);
        return flushed ? [flushed, ...steps] : steps;
      });
    },
    new Budget({ maxStates: 1_000_000 }),
  );
  return found;
}

const several = 'several delaying threads';
const runs = randomRuns(60, 3000, 30);

test(`${runs} rings with heavy fences: states and robustness by the rules of the machine`, () => {
  const count = new FeatureCount();
  fc.assert(
    fc.property(ringWithHeavyFences(), (program) => {
      const automata = automataOf(program);
      const judged = judgeHeavyFences(program, maxStates);
      if (!judged.isComplete) {
        count.add(['too large']);
        return;
      }
      expect(finalStates(automata)).toEqual(judged.finalStates);
      const { kind } = decideRobustness(automata, 'standard', new Budget({ maxStates: 100_000 }));
      count.add([`${judged.isCyclic ? 'broken' : 'robust'}: ${kind}`]);
      // If no single delaying thread closes a cycle, but several delaying threads may, the answer
      // is unknown.
      if (kind === 'unknown') expect(whySeveralMayDelay(automata, new Budget({}))).toBe(several);
      else expect(kind).toBe(judged.isCyclic ? 'not-robust' : 'robust');
    }),
    { numRuns: runs, seed },
  );
  console.info(count.toString());
  for (const kind of ['broken: not-robust', 'robust: robust', 'broken: unknown'])
    expect(count.get(kind), kind).toBeGreaterThan(runs / 100);
});

describe('the count of delays', () => {
  const reason = (text: string, budget = new Budget({})): string | undefined =>
    whySeveralMayDelay(automataOf(programOf(text)), budget);

  /**
   * Returns a program of threads with many interleavings on shared cells; `light` threads have no
   * fence.
   */
  const wide = (threads: number, light: number): string => {
    const cells = 10;
    const thread = (t: number): string => {
      const between = t === 0 ? 'heavy_fence; ' : t <= light ? '' : 'fence; ';
      const pair = (i: number): string =>
        `v${(t + i) % cells} = 1; ${between}r = v${(3 * t + 1 + 7 * i) % cells};`;
      return `thread t${t} { local r; ${Array.from({ length: cells }, (_, i) => pair(i)).join(' ')} }`;
    };
    const names = Array.from({ length: cells }, (_, i) => `v${i}`).join(', ');
    const all = Array.from({ length: threads }, (_, t) => thread(t)).join('\n');
    return `program P\nvar ${names}\n${all}`;
  };

  test('ends at limits, and says at which', () => {
    expect(reason(wide(12, 2))).toBe(several);
    expect(reason(wide(12, 1))).toBeUndefined();
    expect(reason(wide(12, 1), new Budget({ effort: 100 }))).toBe(
      'the limit on work was reached: raise --effort',
    );
    // Each thread has 20 accesses. The limit allows the work for pairs of accesses, but not the
    // work for cycles.
    expect(reason(wide(12, 2), new Budget({ effort: 12 * 20 ** 2 + 1 }))).toBe(
      'the limit on work was reached: raise --effort',
    );
    expect(reason(wide(21, 1))).toBe('delays are counted for at most 20 threads');
  });

  /**
   * Returns a ring of threads with heavy fences in the last thread: each other thread may delay its
   * store.
   */
  const ring = (threads: number, heavyFences: number): string => {
    const fences = 'heavy_fence; '.repeat(heavyFences);
    const thread = (t: number): string =>
      `thread t${t} { local r; x${t} = 1; ${t === threads - 1 ? fences : ''}r = x${(t + 1) % threads}; }`;
    const all = Array.from({ length: threads }, (_, t) => t);
    return `program P\nvar ${all.map((t) => `x${t}`).join(', ')}\n${all.map(thread).join('\n')}`;
  };

  // In a cycle of happens-before the delays outnumber the heavy fences: docs/asymmetric.md.
  test.each([
    [3, 1, several],
    [3, 2, undefined],
    [4, 2, several],
    [4, 3, undefined],
  ])('in a ring of %i threads with %i heavy fences is exact', (threads, fences, expected) => {
    expect(reason(ring(threads, fences))).toBe(expected);
  });
});

async function certify(program: Program): Promise<Record<string, unknown> | undefined> {
  const model = { kind: 'finite', program } as const;
  const answer = await decide(model, { kind: 'check', certify: true }, { maxStates: 50_000 });
  if (answer.kind !== 'check') return undefined;
  const { certificate } = answer;
  return certificate && (JSON.parse(JSON.stringify(certificate)) as Record<string, unknown>);
}

const claim = 'cycles without heavy fences need one delaying thread only (docs/asymmetric.md)';

describe('certificates', () => {
  const expected = JSON.parse(readFileSync(path.join(corpus, 'expected.json'), 'utf8')) as Readonly<
    Record<string, { readonly verdict: string }>
  >;

  test.each(Object.entries(expected).filter(([, { verdict }]) => verdict === 'robust'))(
    'of the robust program %s holds, and names the claim that it rests on',
    async (file) => {
      const program = programOf(readFileSync(path.join(corpus, file), 'utf8'));
      const report = await verifyCertificate(await certify(program), jsonOf(program), {});
      expect(report).toMatchObject({
        kind: 'accepted',
        assumes: expect.arrayContaining([claim]) as unknown,
      });
    },
  );

  const nothing = { happensBefore: 'standard' };
  const verify = (automata: object, kind = 'robust', body: object = nothing): Promise<Report> =>
    verifyCertificate(sealed(kind, automata, body), automata, {});

  test('of the ring that two delaying threads break is not accepted', async () => {
    const text = readFileSync(path.join(corpus, 'ring-three.fw'), 'utf8');
    expect(await verify(jsonOf(programOf(text)))).toMatchObject({
      kind: 'partly',
      notChecked: ['it is robust against TSO (several delaying threads)'],
    });
  });

  test('have relations that go on behind heavy fences', async () => {
    const text = (first: string): string => `program P
      var x, y, z
      thread a { local r; x = 1; r = y; }
      thread b { local p; p = z; ${first}; y = 1; fence; p = x; }`;
    const stuck = await certify(programOf(text('assume (0)')));
    const { happensBefore, kept } = stuck ?? expect.fail('no certificate');
    expect(kept).toBeDefined();
    const passing = jsonOf(programOf(text('heavy_fence')));
    const report = await verify(passing, 'robust', { happensBefore, kept });
    expect(report).toMatchObject({
      kind: 'rejected',
      findings: ['the program is not robust'],
    });
  });

  test('of other kinds refuse heavy fences, and so do lock blocks', async () => {
    const automata = jsonOf(programOf('program P\nvar x\nthread t { heavy_fence; x = 1; }'));
    const kinds = ['proof', 'states', 'property-fences', 'race-fences'];
    for (const kind of [...kinds, 'all-instances', 'all-instances-fences', 'c11-robust'])
      expect(await verify(automata, kind, {}), kind).toEqual({
        kind: 'rejected',
        findings: ['certificates of this kind do not support heavy fences'],
      });
    const locked = programOf('program P\nvar x\nthread t { lock; x = 1; skip; unlock; }');
    const forged = JSON.parse(
      JSON.stringify(automataToJson(locked)).replace('"skip"', '"heavy-fence"'),
    ) as object;
    expect(await verify(forged)).toEqual({
      kind: 'rejected',
      findings: ["thread 't' has a heavy fence in a lock block"],
    });
  });
});

/**
 * Returns the programs that differ from the given program in one heavy fence: it is left out, or is
 * a plain fence, or stands one place later.
 */
function weakened(program: Program): readonly Program[] {
  return program.threads.flatMap(({ transitions }, t) =>
    transitions.flatMap(({ instruction }, id) => {
      if (instruction.kind !== 'heavy-fence') return [];
      const next = transitions[id + 1]?.instruction;
      const replaced = (change: Readonly<Record<number, Instruction>>): Program => ({
        ...program,
        threads: program.threads.with(t, {
          ...program.threads[t]!,
          transitions: transitions.map((one, i) => ({
            ...one,
            instruction: change[i] ?? one.instruction,
          })),
        }),
      });
      return [
        replaced({ [id]: { kind: 'skip' } }),
        replaced({ [id]: { kind: 'fence' } }),
        ...(next ? [replaced({ [id]: next, [id + 1]: instruction })] : []),
      ];
    }),
  );
}

const forgeries = randomRuns(60, 1000, 30);

test(`${forgeries} rings: certificates hold, and are of no use for weaker programs`, async () => {
  const count = new FeatureCount();
  await fc.assert(
    fc.asyncProperty(ringWithHeavyFences(3), async (program) => {
      const certificate = await certify(program);
      if (!certificate) return;
      const automata = jsonOf(program);
      const honest = await verifyCertificate(certificate, automata, {});
      expect(['accepted', 'partly']).toContain(honest.kind);
      count.add([honest.kind]);
      const { happensBefore, kept } = certificate;
      const body = { happensBefore, ...(kept !== undefined && { kept }) };
      for (const changed of weakened(program)) {
        const weaker = jsonOf(changed);
        const forged = sealed('robust', weaker, body);
        if (JSON.stringify(weaker) !== JSON.stringify(automata))
          expect((await verifyCertificate(forged, automata, {})).kind).toBe('rejected');
        const { isCyclic, isComplete } = judgeHeavyFences(changed, maxStates);
        if (!isComplete && !isCyclic) continue;
        const { kind } = await verifyCertificate(forged, weaker, {});
        count.add([`${isCyclic ? 'broken' : 'robust'}: ${kind}`]);
        if (isCyclic) expect(['rejected', 'partly']).toContain(kind);
      }
    }),
    { numRuns: forgeries, seed },
  );
  console.info(count.toString());
  for (const kind of ['accepted', 'broken: rejected', 'robust: accepted'])
    expect(count.get(kind), kind).toBeGreaterThan(forgeries / 100);
});
