import { automataToJson, fence, finiteProgram, type Program } from '@fencewright/core';
import { parseNative } from '@fencewright/core/native';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../tools/random-runs.js';
import { certificateDigest } from '../src/canonical-json.js';
import { hangsByDefinition, hasNewVector, randomHangsText } from './by-definition.js';
import type { Report } from '../src/report.js';
import { readExpectation } from '../src/expectation.js';
import type { VerifyOptions } from '../src/check.js';
import { verifyCertificate } from '../src/verify.js';

const parse = (text: string): Program => finiteProgram(parseNative(text).model)!;

/** The members of a certificate of fences for progress that forgeries change. */
interface Draft {
  readonly [member: string]: unknown;
  chosen: number[];
  cost: number;
  items: { cost: number }[];
  clauses: { items: number[]; computation: { kind: string }[] }[];
}

async function certificateOf(program: Program): Promise<Draft> {
  const { certificate } = await fence(program, { rest: ['progress'] });
  if (!certificate) throw new Error('there is no certificate');
  return JSON.parse(JSON.stringify(certificate)) as Draft;
}

function judge(program: Program, draft: Draft, options: VerifyOptions = {}): Promise<Report> {
  const { digest: _, ...body } = draft;
  const certificate = { ...body, digest: certificateDigest(body) };
  return verifyCertificate(certificate, automataToJson(program), options);
}

const wakeUpText = `program P
  var work, asleep, signal
  thread sleeper { local w; asleep = 1; w = work; if (w == 0) while (signal == 0) { } }
  thread waker { local a; work = 1; a = asleep; if (a == 1) signal = 1; }`;
const wakeUp = parse(wakeUpText);
const deaf = parse(`program P
  var x, y
  thread a { local r; x = 1; r = y; assume (r == 1); }
  thread b { local r; y = 1; r = x; assume (r == 1); }`);

describe('a certificate of the fewest fences for progress', () => {
  test.each([
    ['a lost wake-up', wakeUp],
    ['threads that wait together under TSO only', deaf],
  ])('is accepted: %s', async (_, program) => {
    const draft = await certificateOf(program);
    expect(draft).toMatchObject({ kind: 'property-fences', cost: 2 });
    expect(await judge(program, draft)).toMatchObject({
      kind: 'accepted',
      claim: { says: 'properties', properties: [], assertions: false, progress: true },
      proves: [
        expect.stringContaining('threads wait for ever only as they do under SC'),
        expect.stringContaining('no cheaper choice'),
        expect.stringContaining('repairs are fences'),
      ],
    });
  });

  test('meets the expectation that threads make progress, and no other does', async () => {
    const expected = [readExpectation('progress=holds')!];
    expect(await judge(wakeUp, await certificateOf(wakeUp), { expect: expected })).toMatchObject({
      kind: 'accepted',
    });
    const { certificate } = await fence(wakeUp, {});
    const other = JSON.parse(JSON.stringify(certificate)) as Draft;
    expect(await judge(wakeUp, other, { expect: expected })).toMatchObject({ kind: 'unexpected' });
  });

  test('takes no failing condition of a choice for a wait', async () => {
    const program = parse(
      wakeUpText.replace(
        'local w;',
        'local w, s; choose { s = signal; @choice assume (s == 7); } or { skip; }',
      ),
    );
    const draft = await certificateOf(program);
    expect(draft).toMatchObject({ cost: 2 });
    expect(await judge(program, draft)).toMatchObject({ kind: 'accepted' });
  });

  test('is refused with too few fences', async () => {
    const draft = await certificateOf(wakeUp);
    for (const left of draft.chosen) {
      const chosen = draft.chosen.filter((one) => one !== left);
      const clauses = draft.clauses.filter(({ items }) => items.some((i) => chosen.includes(i)));
      expect(await judge(wakeUp, { ...draft, chosen, cost: 1, clauses })).toMatchObject({
        kind: 'rejected',
        findings: ['with the chosen repairs, threads wait for ever as they do not under SC'],
      });
    }
  });

  test('is refused where a clause ends before the wait, or leaves out a fence', async () => {
    const draft = await certificateOf(wakeUp);
    const [first, ...rest] = draft.clauses;
    const shorter = { ...first!, computation: first!.computation.slice(0, 2) };
    expect(await judge(wakeUp, { ...draft, clauses: [shorter, ...rest] })).toMatchObject({
      kind: 'rejected',
      findings: [expect.stringContaining('clause 1: the computation violates no property')],
    });
    const fewer = { ...first!, items: [] };
    expect(await judge(wakeUp, { ...draft, clauses: [fewer, ...rest] })).toMatchObject({
      kind: 'rejected',
    });
  });

  test('is checked in part where states are too many', async () => {
    const draft = await certificateOf(wakeUp);
    expect(await judge(wakeUp, draft, { maxStates: 20 })).toMatchObject({ kind: 'partly' });
  });

  test('is not about threads that go on at other places than under SC', async () => {
    const thread = (name: string, own: string, other: string): string =>
      `thread ${name} { local r; ${own} = 1; r = ${other};
        if (r == 0) loop { xchg(${own}, 2); xchg(${own}, 1); }
        loop { xchg(${own}, 3); xchg(${own}, 1); } }`;
    const program = parse(
      `program P\nvar x, y\n${thread('a', 'x', 'y')}\n${thread('b', 'y', 'x')}`,
    );
    const draft = await certificateOf(program);
    expect(draft).toMatchObject({ chosen: [], clauses: [] });
    expect(await judge(program, draft)).toMatchObject({ kind: 'accepted' });
  });

  test('is not about threads that wait under SC as well', async () => {
    const program = parse(`program P
      var x
      thread a { local r; r = x; assume (r == 2); }
      thread b { x = 1; }`);
    const draft = await certificateOf(program);
    expect(draft).toMatchObject({ chosen: [], clauses: [] });
    expect(await judge(program, draft)).toMatchObject({ kind: 'accepted' });
  });
});

/** Whether threads wait for ever under TSO only, by definition; `undefined` if that is unknown. */
function hangs(program: Program): boolean | undefined {
  const judged = hangsByDefinition(program, 4, 10_000);
  if (!judged) return undefined;
  return judged.tso.some((is, t) => is && !judged.sc[t]) || hasNewVector(judged);
}

test('random programs: certificates are accepted, and smaller sets refused', async () => {
  const runs = randomRuns(60, 1000);
  const seed = randomSeed(20261128);
  const counts = { accepted: 0, needed: 0, forged: 0 };
  const biases = ['wake-ups', 'together', 'servers', 'luck', 'blocks', 'conditions', 'general'];
  for (let i = 0; counts.accepted < runs && i < 20 * runs; i++) {
    const bias = biases[i % biases.length] as Parameters<typeof randomHangsText>[1];
    const text = randomHangsText(seed + i, bias);
    const program = parse(text);
    const { verdict, certificate } = await fence(program, {
      rest: ['progress'],
      limits: { maxStates: 5_000 },
    });
    if (verdict.kind !== 'found' || !certificate) continue;
    const draft = JSON.parse(JSON.stringify(certificate)) as Draft;
    const report = await judge(program, draft, { maxStates: 100_000 });
    if (report.kind === 'partly') continue;
    expect(report, text).toMatchObject({ kind: 'accepted' });
    counts.accepted++;
    if (draft.chosen.length === 0) continue;
    counts.needed++;
    const nothing = { ...draft, chosen: [], cost: 0, clauses: [] };
    const forged = await judge(program, nothing, { maxStates: 100_000 });
    if (forged.kind === 'partly' || hangs(program) === undefined) continue;
    expect([forged.kind, hangs(program)], text).toEqual(['rejected', true]);
    counts.forged++;
  }
  expect(counts.accepted).toBe(runs);
  expect(counts.needed).toBeGreaterThanOrEqual(runs / 6);
  expect(counts.forged).toBeGreaterThanOrEqual(runs / 10);
});
