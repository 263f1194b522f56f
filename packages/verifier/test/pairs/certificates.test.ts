import {
  attacksByDefinition,
  FeatureCount,
  randomAutomata,
  randomMailboxes,
  randomProgram,
} from '@fencewright/core/testing';
import { automataToJson, decide, finiteProgram, type Program } from '@fencewright/core';
import { parseNative } from '@fencewright/core/native';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isCampaign, randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { mcs } from '../../../../bench/generators/locks.js';
import { messagePassing } from '../../../../bench/generators/message-passing.js';
import { openAttacks } from '../../src/control-flow.js';
import { readAutomata } from '../../src/read-automata.js';
import type { Report } from '../../src/report.js';
import { StaticPaths } from '../../src/static-path.js';
import { verifyCertificate } from '../../src/verify.js';
import { sealed } from '../copies/certify.js';
import { type Kept, layout } from './refute-all.js';

const runs = randomRuns(100, 20_000, 50);
const seed = randomSeed(20261127);

interface Body {
  readonly happensBefore: 'standard' | 'value';
  readonly kept?: Kept;
}

/** Returns the certificate written by `check` for a robust program; otherwise the verdict. */
async function proofOf(
  program: Program,
  happensBefore: 'standard' | 'value' = 'standard',
): Promise<Body | string> {
  const question = { kind: 'check', certify: true, happensBefore } as const;
  const answer = await decide({ kind: 'finite', program }, question, { maxStates: 100_000 });
  if (answer.kind !== 'check') return answer.kind;
  if (!answer.certificate) return answer.result?.verdict.kind ?? 'none';
  const { kept } = JSON.parse(JSON.stringify(answer.certificate)) as Body;
  return { happensBefore, ...(kept && { kept }) };
}

function verify(program: Program, body: object, maxStates: number): Promise<Report> {
  const automata = JSON.parse(JSON.stringify(automataToJson(program))) as unknown;
  return verifyCertificate(sealed('robust', automata, body), automata, { maxStates });
}

describe('the certificate of a queue lock', () => {
  const program = finiteProgram(parseNative(mcs(4, { loop: true })).model)!;
  /** A limit on the number of states, far fewer than a search of all states needs. */
  const few = 5_000;

  test('says which cells threads keep, and holds because of that', async () => {
    const body = (await proofOf(program)) as Body;
    const symbols = new Map(program.symbols.map(({ name, base }) => [name, base]));
    // Each thread spins on cells that nobody else reads.
    const own = (t: number) => ['next', 'waiting'].map((name) => symbols.get(name)! + t + 1);
    expect(body.kept).toEqual(program.threads.map((_, t) => own(t)));
    expect(await verify(program, body, few)).toMatchObject({ kind: 'accepted' });
    const { kept: _, ...older } = body;
    expect(await verify(program, older, few)).toMatchObject({ kind: 'partly' });
    const without = { ...body, kept: body.kept!.map(() => []) };
    expect(await verify(program, without, few)).toMatchObject({ kind: 'partly' });
  });

  test('shows nothing of one that does not hand over in turn', async () => {
    // The thread to which the lock is handed over does not wait for the lock.
    const text = mcs(3).replace('while (waiting[2] != 0) { }', 'seen = waiting[2];');
    expect(text).not.toBe(mcs(3));
    const broken = finiteProgram(parseNative(text).model)!;
    expect(await proofOf(broken)).toBe('not-robust');
    const whole = finiteProgram(parseNative(mcs(3)).model)!;
    const { kept } = (await proofOf(whole)) as Body;
    expect(kept).toBeDefined();
    const body = { happensBefore: 'standard', kept };
    expect(await verify(whole, body, few)).toMatchObject({ kind: 'accepted' });
    expect(['partly', 'rejected']).toContain((await verify(broken, body, few)).kind);
  });
});

test('a relation knows lock blocks as single steps', async () => {
  const section = (stored: string, loaded: string) =>
    `local l, r; take assume (l == 0); ${stored} = 1; r = ${loaded}; lock = 0;`;
  const text = `program P\nvar lock, x, y
    thread a { ${section('x', 'y')} }
    thread b { ${section('y', 'x')} }`;
  const body = { happensBefore: 'standard', kept: [[], []] };
  const taking = (take: string): Program =>
    finiteProgram(parseNative(text.replaceAll('take', take)).model)!;
  for (const take of ['l = xchg(lock, 1);', 'atomic { l = lock; lock = 1; }']) {
    const program = taking(take);
    expect(await verify(program, body, 40)).toMatchObject({ kind: 'accepted' });
    expect(await proofOf(program)).toHaveProperty('kept');
  }
  // Without the bus lock both threads may take the lock.
  const report = await verify(taking('l = lock; lock = 1;'), body, 10_000);
  expect(report).toMatchObject({ kind: 'rejected' });
});

test('what a relation refutes of one thread is open for another', async () => {
  // The stores and loads of threads a and b are transitions with the same numbers.
  const section = 'local l, r; l = xchg(lock, 1); assume (l == 0);';
  const { model } = parseNative(`program P
    var lock, x, y, v, w
    thread a { ${section} x = 1; r = y; lock = 0; }
    thread b { local l, r; skip; skip; v = 1; r = w; skip; }
    thread c { ${section} y = 1; r = x; lock = 0; }
    thread d { local l, r; w = 1; fence; r = v; }`);
  const program = finiteProgram(model)!;
  const [a, b] = program.threads.map(({ transitions }) =>
    transitions.flatMap(({ instruction: { kind } }, i) =>
      kind === 'store' || kind === 'load' ? [`${kind} ${i}`] : [],
    ),
  );
  expect(a).toEqual(expect.arrayContaining(b!));
  const kept = program.threads.map(() => []);
  const body = { happensBefore: 'standard', kept };
  expect(await verify(program, body, 20_000)).toMatchObject({
    kind: 'rejected',
    findings: ['the program is not robust'],
  });
});

/** Random programs not settled by addresses alone. */
const programs = fc
  .oneof(
    randomMailboxes(3, 2, false),
    randomMailboxes(2, 4, false),
    randomProgram({ many: 'rmws', maxItems: 3 }),
    randomProgram({ maxThreads: 2, fewValues: true }),
    randomAutomata({ maxThreads: 2, maxSpine: 4 }),
    randomAutomata({ faults: true, maxThreads: 2, maxSpine: 4 }),
  )
  .filter((program) => {
    const automata = readAutomata(JSON.parse(JSON.stringify(automataToJson(program))), 'automata');
    const paths = new StaticPaths(automata);
    return automata.threads.some((thread, t) =>
      [...openAttacks(thread)].some(([store, loads]) =>
        [...loads].some((load) => !paths.refutes(t, store, load)),
      ),
    );
  });

const forgeries = [
  'as it is',
  'another layout',
  'a cell is let go',
  'a cell moves',
  'two keep a cell',
  'a cell that is not there',
  'a thread is left out',
] as const;

/** Returns the body after one forgery. */
function forge(
  program: Program,
  body: Body,
  forgery: (typeof forgeries)[number],
  at: number,
): object {
  const kept = (body.kept ?? layout(program, at)).map((own) => [...own]);
  const some = kept.find((own) => own.length > 0);
  const other = kept[at % kept.length]!;
  switch (forgery) {
    case 'as it is':
      break;
    case 'another layout':
      return { ...body, kept: layout(program, at) };
    case 'a cell is let go':
      some?.splice(at % some.length, 1);
      break;
    case 'a cell moves':
      if (some) other.push(...some.splice(at % some.length, 1));
      break;
    case 'two keep a cell':
      if (some) other.push(some[0]!);
      break;
    case 'a cell that is not there':
      other.push(1_000 + at);
      break;
    case 'a thread is left out':
      kept.pop();
      break;
  }
  return { ...body, kept };
}

test.each(['standard', 'value'] as const)(
  `forged certificates of ${runs} random programs, robust or not: what is accepted is robust by definition; happens-before: %s`,
  async (happensBefore) => {
    const count = new FeatureCount();
    await fc.assert(
      fc.asyncProperty(
        programs,
        fc.array(fc.record({ forgery: fc.constantFrom(...forgeries), at: fc.nat() }), {
          minLength: 6,
          maxLength: 6,
        }),
        fc.constantFrom(40, 100, 400),
        fc.boolean(),
        async (program, tries, maxStates, isBare) => {
          const proof = await proofOf(program, happensBefore);
          const honest = typeof proof !== 'string';
          const bare = { happensBefore };
          const body = honest && !isBare ? proof : bare;
          const { feasible, complete } = attacksByDefinition(program, 3_000, happensBefore);
          for (const { forgery, at } of tries) {
            const report = await verify(program, forge(program, body, forgery, at), maxStates);
            const byPairs = JSON.stringify(report).includes('pairs of components');
            count.add([
              `${forgery}: ${report.kind}`,
              ...(feasible.length > 0 ? ['not robust', `not robust: ${report.kind}`] : []),
              ...(byPairs ? [`by pairs: ${report.kind}`] : []),
              ...(complete ? ['complete'] : []),
            ]);
            if (report.kind === 'accepted') expect(feasible).toEqual([]);
            if (report.kind === 'accepted' && !honest) expect(proof).not.toBe('not-robust');
            // The cells that the certificate names in `kept` are only advice to the verifier, so
            // other cells do not make the claim wrong.
            if (honest && forgery === 'another layout') expect(report.kind).not.toBe('rejected');
          }
        },
      ),
      { numRuns: runs, seed },
    );
    if (isCampaign) console.log(count.toString());
    if (runs < 100) return;
    for (const feature of ['another layout: accepted', 'by pairs: accepted', 'not robust'])
      expect(count.get(feature), feature).toBeGreaterThan(runs / 20);
    for (const feature of ['two keep a cell: rejected', 'a thread is left out: rejected'])
      expect(count.get(feature), feature).toBeGreaterThan(runs / 20);
  },
);

// A message passes the chain in one direction only. By the addresses alone, no happens-before path
// leads back. A certificate with invariants would have 3.8 MB.
test('a chain of messages needs no invariant, since addresses refute its attacks', async () => {
  const program = finiteProgram(parseNative(messagePassing(12, 4)).model)!;
  const body = (await proofOf(program)) as Body;
  expect(body).toEqual({ happensBefore: 'standard' });
  const report = await verify(program, body, 1);
  expect(report).toMatchObject({ kind: 'accepted' });
  const { threads } = readAutomata(
    JSON.parse(JSON.stringify(automataToJson(program))) as unknown,
    'automata',
  );
  // Control flow alone leaves attacks of each link open, by the stores of all messages but the last
  // one.
  const links = Array.from({ length: 10 }, () => 2 * 3);
  expect(threads.map((thread) => openAttacks(thread).size)).toEqual([0, ...links, 0]);
});
