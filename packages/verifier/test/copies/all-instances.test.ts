import { describe, expect, test } from 'vitest';
import { verifyCertificate } from '../../src/verify.js';
import { automataOf, expectedFiles, parameterizedOf, proofOf, sealed } from './certify.js';

const robust = expectedFiles().filter(({ expected }) => expected.verdict === 'robust');

/** Robust under value happens-before only: `y` is stored with its current value. */
const byValues = `program p
var x, y
thread a[*] { x = 1; y = 1; }
thread b[*] { local r; y = 1; r = x; }`;

/**
 * A robust program with infinitely many states, as the number of tickets grows for ever; no store
 * can be delayed past a load.
 */
const fencedCounter = `program p
var next, x
thread t[*] { local r; r = fetch_add(next, 1); x = r; fence; r = x; }`;

/** Two threads with equal text and hence common places. */
const twice = `program p
var x, y
thread t[2] { local r; lock; x = 1; r = y; unlock; x = 2; }
thread b[*] { local p; y = 1; fence; p = x; x = 3; fence; p = y; }`;

const faulty = `program p
var x, y
thread t[*] { local r; r = 1 / r; x = 1; r = y; }`;

/** Returns the verifier's report on the prover's certificate. */
async function judge(text: string, happensBefore: 'standard' | 'value' = 'standard') {
  const program = parameterizedOf(text);
  const body = await proofOf(program, happensBefore);
  if (typeof body === 'string') throw new Error(body);
  const automata = automataOf(program);
  return verifyCertificate(sealed('all-instances', automata, body), automata, {});
}

describe('certificates that all instances are robust', () => {
  test.each(robust)('$path: accepted, by either notion', async ({ text }) => {
    const said = 'every instance is robust against TSO';
    const standard = await judge(text);
    expect(standard).toMatchObject({ kind: 'accepted', about: 'the program' });
    expect(standard).toHaveProperty('proves.0', expect.stringContaining(said));
    const value = await judge(text, 'value');
    expect(value).toHaveProperty('proves.0', expect.stringContaining('value happens-before'));
  });

  test('one thread at a place is fewer than two', async () => {
    const program = parameterizedOf(twice);
    const automata = automataOf(program);
    const body = await proofOf(program, 'standard');
    const honest = sealed('all-instances', automata, body as object);
    expect(await verifyCertificate(honest, automata, {})).toMatchObject({ kind: 'accepted' });
    const text = JSON.stringify(body);
    expect(text).toContain('"count":2');
    const fewer = JSON.parse(text.replaceAll('"count":2', '"count":1')) as object;
    const forged = sealed('all-instances', automata, fewer);
    expect(await verifyCertificate(forged, automata, {})).toMatchObject({ kind: 'rejected' });
  });

  test('one about values is none about the standard notion', async () => {
    expect(await judge(byValues, 'value')).toMatchObject({ kind: 'accepted' });
    const program = parameterizedOf(byValues);
    const automata = automataOf(program);
    const body = await proofOf(program, 'value');
    const lie = sealed('all-instances', automata, {
      ...(body as object),
      happensBefore: 'standard',
    });
    expect(await verifyCertificate(lie, automata, {})).toMatchObject({ kind: 'rejected' });
  });

  test('control flow alone is enough, also where there are infinitely many states', async () => {
    expect(await judge(fencedCounter)).toMatchObject({
      kind: 'accepted',
      proves: ['every instance is robust against TSO: no thread can delay a store past a load'],
    });
  });

  test('the same without the program is about the automata that it carries', async () => {
    const program = parameterizedOf(byValues);
    const body = await proofOf(program, 'value');
    const certificate = sealed('all-instances', automataOf(program), body as object);
    expect(await verifyCertificate(certificate, undefined, {})).toMatchObject({
      kind: 'accepted',
      about: 'these automata',
    });
  });

  test.each([
    ['another program', { about: fencedCounter }, 'about another program'],
    ['no start', { invariant: [] }, 'does not cover the initial states'],
    ['no notion', { happensBefore: 'none' }, 'happensBefore'],
    [
      'a phase that there is not',
      { invariant: [{ phase: 'after', memory: [], threads: [] }] },
      'phase',
    ],
    [
      'a thread that there is not',
      {
        invariant: [
          {
            phase: 'before',
            memory: [],
            threads: [{ thread: 9, location: 0, registers: [], count: 1 }],
          },
        ],
      },
      'thread',
    ],
    [
      'no thread at a place',
      {
        invariant: [
          {
            phase: 'before',
            memory: [],
            threads: [{ thread: 0, location: 0, registers: [], count: 0 }],
          },
        ],
      },
      'count',
    ],
    [
      'a last phase without its target',
      { invariant: [{ phase: 'path', memory: [], threads: [] }] },
      'delayed',
    ],
  ])('rejected: %s', async (_, { about, ...changed }: Record<string, unknown>, finding) => {
    const automata = automataOf(parameterizedOf(byValues));
    const body = { happensBefore: 'value', invariant: [], ...changed };
    const given = typeof about === 'string' ? automataOf(parameterizedOf(about)) : automata;
    const report = await verifyCertificate(sealed('all-instances', automata, body), given, {});
    expect(report).toMatchObject({
      kind: 'rejected',
      findings: [expect.stringContaining(finding)],
    });
  });

  // The certificate lists no state, so only control flow could refute the attacks. Control flow
  // does not refute the attacks of these programs.
  test.each([
    ['a test between store and load', 'local r; x = 1; assume(r == 0); r = y;'],
    ['a step between store and load', 'local r; x = 1; skip; r = y;'],
  ])('rejected without states: %s', async (_, code) => {
    const automata = automataOf(parameterizedOf(`program p\nvar x, y\nthread t[*] { ${code} }`));
    const body = { happensBefore: 'standard', invariant: [] };
    const report = await verifyCertificate(sealed('all-instances', automata, body), automata, {});
    expect(report).toMatchObject({ kind: 'rejected' });
  });

  test('of copies that self tells apart, and of memory without bounds, nothing is said', async () => {
    const text = 'program p\nvar x, y\nthread t[*] { local r; x = 7; r = y; }';
    const plain = JSON.stringify(automataOf(parameterizedOf(text)));
    const boundless = JSON.parse(plain) as { symbols: { boundless?: boolean }[] };
    boundless.symbols[0]!.boundless = true;
    const own = plain.replace('{"kind":"constant","value":7}', '{"kind":"self"}');
    expect(own).not.toBe(plain);
    for (const automata of [JSON.parse(own) as unknown, boundless]) {
      const body = { happensBefore: 'standard', invariant: [] };
      const report = await verifyCertificate(sealed('all-instances', automata, body), automata, {});
      expect(report).toMatchObject({
        kind: 'rejected',
        findings: [expect.stringContaining('the certificate does not apply to this program')],
      });
    }
  });

  test('executions that fault are not passed over', async () => {
    const automata = automataOf(parameterizedOf(faulty));
    const start = {
      phase: 'before',
      memory: [],
      threads: [{ thread: 0, location: 0, registers: [0], count: 'any' }],
    };
    const body = { happensBefore: 'standard', invariant: [start] };
    expect(await verifyCertificate(sealed('all-instances', automata, body), automata, {})).toEqual({
      kind: 'rejected',
      findings: [expect.stringContaining("thread 't' may fault (division by zero): the invariant")],
    });
  });

  test('over the limit on states nothing is said', async () => {
    const { text } = robust.find(({ path }) => path.includes('ticket-sat'))!;
    const program = parameterizedOf(text);
    const automata = automataOf(program);
    const certificate = sealed('all-instances', automata, (await proofOf(program)) as object);
    expect(await verifyCertificate(certificate, automata, { maxStates: 20 })).toEqual({
      kind: 'unknown',
      reason: expect.stringContaining('20 states') as string,
    });
  });
});
