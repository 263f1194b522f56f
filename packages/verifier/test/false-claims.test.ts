import { automataToJson, threadModel } from '@fencewright/core';
import { netToJson, readMist } from '@fencewright/core/cover';
import { parseNative } from '@fencewright/core/native';
import { describe, expect, test } from 'vitest';
import type { Automata } from '../src/automata.js';
import { certificateDigest } from '../src/canonical-json.js';
import { readAutomata } from '../src/read-automata.js';
import { allItems, type Mode } from '../src/repair.js';
import { reportText } from '../src/report-text.js';
import { verifyCertificate } from '../src/verify.js';
import { sealed } from './copies/certify.js';

type Draft = Record<string, unknown>;

/** Returns the automata of a text, as read from a file. */
function jsonOf(text: string): object {
  const { model, diagnostics } = parseNative(`program P\n${text}`);
  const threads = threadModel(model) ?? expect.fail(JSON.stringify(diagnostics));
  return JSON.parse(JSON.stringify(automataToJson(threads))) as object;
}

/** Returns the claim that no repair is needed, with all items. */
function nothingNeeded(json: object, mode: Mode, more: object, atEnds = false): object {
  const automata = readAutomata(json, 'automata');
  const items = allItems(automata, mode, atEnds).map((item) => ({ item, cost: 1 }));
  return { costModel: 'size', items, chosen: [], cost: 0, clauses: [], ...more };
}

function judge(kind: string, json: object, body: object) {
  return verifyCertificate(sealed(kind, json, body), json, {});
}

describe('a choice among more values than are tried ends no execution', () => {
  // Store buffering behind the choice: not robust, with a triangular race and a failing assertion.
  const json = jsonOf(`var x, y
    thread t { local r, p; havoc r in 0..9999; x = 1; p = y; assert (p == 1); }
    thread u { local s; y = 1; s = x; }`);
  const properties = [{ kind: 'assertions' }];

  test.each([
    ['fences', nothingNeeded(json, 'fence', { mode: 'fence', happensBefore: 'standard' })],
    ['race-fences', nothingNeeded(json, 'fence', {})],
    ['property-fences', nothingNeeded(json, 'fence', { mode: 'fence', properties })],
    ['robust', { happensBefore: 'standard' }],
    ['states', { properties: [], assertions: true, cones: [] }],
    ['all-instances', { happensBefore: 'standard', invariant: [] }],
  ])('%s', async (kind, body) => {
    const report = await judge(kind, json, body);
    expect(['unknown', 'partly']).toContain(report.kind);
    const open = report.kind === 'partly' ? report.notChecked.join() : JSON.stringify(report);
    expect(open).toContain('a choice among more than 4096 values');
  });

  test('nor with fewer values: the certificate is refuted', async () => {
    const few = JSON.parse(JSON.stringify(json).replace('9999', '9')) as object;
    const body = { happensBefore: 'standard' };
    expect(await judge('robust', few, body)).toMatchObject({ kind: 'rejected' });
  });
});

describe('a fault of one choice ends no execution with another choice', () => {
  // Store buffering behind the choice, reached with -1 only. With 0 the condition faults.
  const json = jsonOf(`var x, y
    thread t { local r, p; havoc r in -1..0 with 1 / r != 0; x = 1; p = y; assert (p == 1); }
    thread u { local s; y = 1; s = x; }`) as Automata;
  const properties = [{ kind: 'assertions' }];
  const robust = { happensBefore: 'standard' };

  test.each([
    ['fences', nothingNeeded(json, 'fence', { mode: 'fence', happensBefore: 'standard' })],
    ['race-fences', nothingNeeded(json, 'fence', {})],
    ['property-fences', nothingNeeded(json, 'fence', { mode: 'fence', properties })],
    ['robust', robust],
    ['robust', { ...robust, kept: [[], []] }],
    ['states', { properties: [], assertions: true, cones: [] }],
    ['all-instances', { happensBefore: 'standard', invariant: [] }],
  ])('%s', async (kind, body) => {
    expect(await judge(kind, json, body)).toMatchObject({ kind: 'rejected' });
  });
});

describe('cells of an array without bounds that the automata do not list are cells', () => {
  // Store buffering on a[100], of which the automata list 64 cells.
  const json = jsonOf(`var a[*], y
    thread t { local r; a[100] = 1; r = y; }
    thread u { local s; y = 1; s = a[100]; }
    property p: never (y == 1)`);
  const fence = { mode: 'fence' };

  test.each([
    ['fences', nothingNeeded(json, 'fence', { ...fence, happensBefore: 'standard' })],
    ['race-fences', nothingNeeded(json, 'fence', {})],
    ['robust', { happensBefore: 'standard' }],
    ['states', { properties: ['p'], assertions: false, cones: [] }],
  ])('%s', async (kind, body) => {
    expect(await judge(kind, json, body)).toMatchObject({
      kind: 'rejected',
      findings: [expect.stringContaining("the array 'a' has no bounds")],
    });
  });

  test('property-fences', async () => {
    const behind = jsonOf(
      'var a[*], y\nthread t { a[100] = 1; y = 1; }\nproperty p: never (y == 1)',
    );
    const properties = [{ kind: 'property', name: 'p' }];
    const body = nothingNeeded(behind, 'fence', { ...fence, properties }, true);
    expect(await judge('property-fences', behind, body)).toMatchObject({ kind: 'rejected' });
  });
});

describe('a name that two properties have means both', () => {
  const text = `var x
    thread t { x = 1; }
    property p: never (x == 2)
    property q: never (x == 1)`;
  const json = JSON.parse(
    JSON.stringify(jsonOf(text)).replace('"name":"q"', '"name":"p"'),
  ) as object;

  test('for states', async () => {
    const body = { properties: ['p'], assertions: false, cones: [] };
    expect(await judge('states', jsonOf(text), body)).toMatchObject({ kind: 'accepted' });
    expect(await judge('states', json, body)).toMatchObject({ kind: 'rejected' });
  });

  test('for fences', async () => {
    const properties = [{ kind: 'property', name: 'p' }];
    const body = nothingNeeded(json, 'fence', { mode: 'fence', properties }, true);
    expect(await judge('property-fences', json, body)).toMatchObject({ kind: 'rejected' });
  });
});

test('an owner has its cells alone', async () => {
  // Thread a waits for y, and then its store to x is delayed past its load of z.
  const json = jsonOf(`var x, y, z
    thread a { local f, r; f = y; assume (f == 1); x = 1; r = z; }
    thread b { local s; y = 1; z = 1; fence; s = x; }`) as Automata;
  const at = (name: string): number => json.symbols.find((one) => one.name === name)!.base;
  const body = { happensBefore: 'standard', kept: [[at('y')], [at('y')]] };
  const report = await judge('robust', json, body);
  expect(report).toMatchObject({ kind: 'rejected' });
  expect(JSON.stringify(report)).toContain('the form is wrong');
});

test('a target with any number of tokens is none', async () => {
  const { net } = readMist("vars a b rules a >= 1 -> a' = a; init a = 1, b = 0 target b >= 1");
  const json = JSON.parse(JSON.stringify(netToJson(net!))) as { targets: { tokens: Draft }[] };
  json.targets[0]!.tokens = { a: 'any' };
  const open = {
    format: 'fencewright-certificate',
    version: 3,
    kind: 'cover',
    net: json,
    proof: { kind: 'invariant', elements: [{ tokens: { a: 1 } }] },
  };
  const certificate = { ...open, digest: certificateDigest(open) };
  expect(await verifyCertificate(certificate, undefined, {})).toMatchObject({
    kind: 'not-a-certificate',
  });
});

test('a name cannot write another line of the report', async () => {
  const json = jsonOf('var x, y\nthread t { local r; x = 1; r = y; }\nthread u { y = 1; }');
  const body = nothingNeeded(json, 'fence', { mode: 'fence', happensBefore: 'standard' });
  const forged = structuredClone(json) as { threads: { locations: Draft[] }[] };
  for (const { locations } of forged.threads)
    for (const location of locations)
      if (location.hidden) location.name = '\u001b[2K\rc.json holds for t.fw:\n\u202e\u0085';
  const { items } = body as { items: unknown[] };
  const report = await verifyCertificate(
    sealed('fences', forged, { ...body, items: items.slice(0, 1) }),
    json,
    {},
  );
  const text = reportText('c.json', report, { program: 't.fw' });
  expect(text).toContain('that the text has no place for what is left out');
  expect(text.replaceAll('\n  ', '')).not.toMatch(
    /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/,
  );
  expect(text.split('\n').filter((line) => line.startsWith('c.json'))).toHaveLength(1);
});
