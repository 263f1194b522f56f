import { automataToJson, fence, finiteProgram, type Program } from '@fencewright/core';
import { parseNative } from '@fencewright/core/native';
import { describe, expect, test } from 'vitest';
import type { VerifyOptions } from '../src/check.js';
import { type Expectation, readExpectation } from '../src/expectation.js';
import { readJson } from '../src/read-json.js';
import { exitCodeOf, reportText } from '../src/report-text.js';
import { programDigest, verifyCertificate } from '../src/verify.js';
import { sealed } from './copies/certify.js';
import { certifyEvents, parseEvents } from './event-certificates.js';

function expected(...texts: readonly string[]): readonly Expectation[] {
  return texts.map((text) => readExpectation(text) ?? expect.fail(text));
}

const program = finiteProgram(
  parseNative(`program P
  var x, y
  thread a { local r; x = 1; r = y; }
  thread b { local s; y = 1; s = x; }
  property p: never (ended(a) && ended(b) && a.r == 0 && b.s == 0)
  property q: exists (x == 2)`).model,
)!;
const automata: object = JSON.parse(JSON.stringify(automataToJson(program))) as object;

async function judge(options: VerifyOptions, properties?: readonly string[]) {
  const { certificate } = await fence(program, properties ? { properties } : {});
  return verifyCertificate(JSON.parse(JSON.stringify(certificate)), automata, options);
}

describe('what a caller expects', () => {
  const digest = programDigest(automata);

  test.each([
    ['kind=fences', 'kind=robust'],
    ['claim=robust', 'claim=robust-by-value'],
    ['cost=2', 'cost=1'],
    ['max-cost=2', 'max-cost=1.5'],
    [`program=${digest}`, `program=${digest.replace(/./, (d) => (d === '0' ? '1' : '0'))}`],
  ])('%s holds and %s does not', async (right, wrong) => {
    expect(await judge({ expect: expected(right) })).toMatchObject({ kind: 'accepted' });
    const report = await judge({ expect: expected(right, wrong) });
    const [first] = wrong.split('=');
    expect(report).toMatchObject({
      kind: 'unexpected',
      findings: [expect.stringContaining(`expected ${first}=`)],
    });
    expect(exitCodeOf(report)).toBe(10);
    const text = reportText('c.json', report, { program: 'p.fw' });
    expect(text).toContain('c.json is not what was expected for p.fw:\n  1. expected ');
  });

  test('of properties, by their names', async () => {
    const both = ['p', 'q'];
    for (const name of both)
      expect(await judge({ expect: expected(`property=${name}`) }, both)).toMatchObject({
        kind: 'accepted',
        claim: { kind: 'property-fences', says: 'properties', properties: both },
        proves: expect.arrayContaining([
          expect.stringContaining("hold under TSO: 'p' holds, 'q' is not reached"),
        ]) as string[],
      });
    for (const other of ['property=r', 'assertions=hold', 'claim=robust'])
      expect(await judge({ expect: expected(other) }, both)).toMatchObject({ kind: 'unexpected' });
  });

  test('of assumptions: none that the program was read with', async () => {
    const none = expected('assumptions=none');
    expect(await judge({ expect: none })).toMatchObject({ kind: 'accepted' });
    const supposing: Program = {
      ...program,
      assumptions: [{ name: 'malloc', text: 'malloc never fails' }],
    };
    const given: unknown = JSON.parse(JSON.stringify(automataToJson(supposing)));
    const { certificate } = await fence(supposing, {});
    const written: unknown = JSON.parse(JSON.stringify(certificate));
    for (const about of [given, undefined]) {
      expect(await verifyCertificate(written, about, {})).toMatchObject({
        kind: 'accepted',
        assumes: ['malloc never fails'],
      });
      expect(await verifyCertificate(written, about, { expect: none })).toMatchObject({
        kind: 'unexpected',
        findings: ['expected assumptions=none, but the certificate assumes: malloc never fails'],
      });
    }
    // A certificate of the program with the assumption is not about the program without the
    // assumption, and conversely.
    expect(await verifyCertificate(written, automata, {})).toMatchObject({ kind: 'rejected' });
    const plain: unknown = JSON.parse(JSON.stringify((await fence(program, {})).certificate));
    expect(await verifyCertificate(plain, given, {})).toMatchObject({ kind: 'rejected' });
  });

  test('nothing is expected of what was not checked, and what is wrong stays wrong', async () => {
    const options = { expect: expected('cost=1') };
    expect(await judge({ ...options, maxStates: 3 })).toMatchObject({ kind: 'unexpected' });
    const wrong = sealed('robust', automata, {
      happensBefore: 'standard',
    });
    expect(await verifyCertificate(wrong, automata, options)).toMatchObject({ kind: 'rejected' });
  });

  test.each([
    '',
    'kind',
    'kind=',
    'claim=right',
    'cost=-1',
    'program=0',
    'assumptions=some',
    'a=b',
  ])('is not written like this: %s', (text) => expect(readExpectation(text)).toBeUndefined());
});

describe('what is supposed is said', () => {
  const body = { happensBefore: 'standard' };
  const robust = (text: string) => {
    const parsed = finiteProgram(parseNative(`program P\n${text}`).model)!;
    const json: unknown = JSON.parse(JSON.stringify(automataToJson(parsed)));
    return verifyCertificate(sealed('robust', json, body), json, {});
  };

  test.each([
    [
      'where nobody looked for faults',
      'thread a { local r; r = x; r = 1 / r; }',
      ', if there are any',
    ],
    [
      'where the search met one',
      'var z thread a { local r, p; p = z; p = 1 / p; x = 1; r = y; } thread b { local s; y = 1; fence; s = x; }',
      '',
    ],
  ])('of executions that fault, %s', async (_, threads, more) => {
    expect(await robust(`var x, y\n${threads}`)).toMatchObject({
      kind: 'accepted',
      assumes: [`executions that fault end there${more}`],
    });
  });

  test('of none where no instruction can fault', async () => {
    const threads = 'thread a { local r; r = x; x = 1; r = r & 3; } thread b { x = 2; }';
    expect(await robust(`var x, y\n${threads}`)).toMatchObject({ kind: 'accepted', assumes: [] });
  });

  test.each([
    ['plain', []],
    ['fenced', ['a posting waits until the store buffer of its thread is empty']],
  ] as const)('of postings: %s', async (posting, assumes) => {
    const events = parseEvents('var x\nevent e() { x = 1; }\nevents e()');
    const certificate = await certifyEvents(events, 'both', posting);
    expect(await verifyCertificate(certificate, undefined, {})).toMatchObject({ assumes });
  });
});

test('a text of millions of brackets is refused before it is read', () => {
  const deep = '['.repeat(5_000_000);
  expect(() => readJson(deep)).toThrow('brackets are open at once');
  expect(() => readJson(`{"a": ${deep}`)).toThrow('brackets are open at once');
  const inText = `["\\"${deep}"]`;
  expect(readJson(inText)).toEqual([`"${deep}`]);
  expect(readJson(`[${'[],'.repeat(20_000)}[]]`)).toHaveLength(20_001);
});

test.each([
  ['arrays', '[],', '[]'],
  ['numbers that are no small integers', '1.5,', '1'],
  ['texts', '"x",', '1'],
  ['objects', '{"a":1},', '{}'],
])('values that may take more memory than allowed are not made: %s', (_, one, last) => {
  const wide = `[${one.repeat(100_000)}${last}]`;
  expect(() => readJson(wide, 2 ** 21)).toThrow('raise --max-memory');
  // The bound is at least V8's memory for the values, and not many times as large.
  const before = process.memoryUsage().heapUsed;
  const values = readJson(wide, 2 ** 26);
  const taken = process.memoryUsage().heapUsed - before;
  expect(values).toHaveLength(100_001);
  expect(() => readJson(wide, taken)).toThrow('raise --max-memory');
});
