import {
  automataToJson,
  fence,
  type Program,
  repairItems,
  type RepairMode,
  type TextRepair,
  finiteProgram,
} from '@fencewright/core';
import { parseNative } from '@fencewright/core/native';
import { describe, expect, test } from 'vitest';
import { certificateDigest } from '../src/canonical-json.js';
import type { VerifyOptions } from '../src/check.js';
import type { Report } from '../src/report.js';
import { verifyCertificate } from '../src/verify.js';

function parse(text: string): Program {
  const { model, diagnostics } = parseNative(`program P\n${text}`);
  const program = finiteProgram(model);
  return program ?? expect.fail(JSON.stringify(diagnostics));
}

const storeBuffering = parse(`var x, y
  thread a { local r; x = 1; r = y; }
  thread b { local s; y = 1; s = x; }`);

const withSpareFence = parse(`var x, y
  thread a { local r; x = 1; fence; fence; r = y; }
  thread b { local s; y = 1; fence; s = x; fence; }`);

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type Certificate = Readonly<Record<string, Json>>;

async function certify(
  program: Program,
  mode: RepairMode = 'fence',
  happensBefore: 'standard' | 'value' = 'standard',
): Promise<Certificate> {
  const { certificate } = await fence(program, { mode, happensBefore });
  return JSON.parse(JSON.stringify(certificate)) as Certificate;
}

function verify(certificate: Json, program: Program, options: VerifyOptions = {}): Promise<Report> {
  return verifyCertificate(certificate, automataToJson(program), options);
}

const accepted = { kind: 'accepted', about: 'the program' };

describe('a certificate by values of a program with a read abstraction', () => {
  const text = (read: string): string => `domain 0..1 var x, y
    thread a { local r; x = 1; ${read} }
    thread b { local s; y = 1; fence; s = x; }`;
  const abstract = parse(text('havoc r with r >= 0 || r == y;'));

  test('is not given, and is refused by name', async () => {
    const { verdict, certificate } = await fence(abstract, { happensBefore: 'value' });
    expect(verdict).toMatchObject({ kind: 'unknown', reason: 'unsupported' });
    expect(certificate).toBeUndefined();
    // For the standard notion a certificate exists, and is valid; for the value notion its claim is
    // unchecked.
    const standard = await certify(abstract);
    expect(await verify(standard, abstract)).toMatchObject(accepted);
    const body = { ...standard, happensBefore: 'value' };
    const forged = { ...body, digest: certificateDigest(body) };
    expect(await verify(forged, abstract)).toMatchObject({
      kind: 'rejected',
      findings: [expect.stringContaining('havoc with a condition over a shared variable')],
    });
  });
});

describe('a certificate of fence', () => {
  test.each(['fence', 'xchg', 'any'] as const)('holds with %s', async (mode) => {
    expect(await verify(await certify(storeBuffering, mode), storeBuffering)).toMatchObject(
      accepted,
    );
  });

  test.each(['minimise', 'minimise-locked'] as const)('holds with %s', async (mode) => {
    const program = parse(`var x, y
      thread a { local r; xchg(x, 1); fence; r = y; fence; }
      thread b { local s; y = 1; fence; s = x; }`);
    for (const one of [program, withSpareFence])
      expect(await verify(await certify(one, mode), one)).toMatchObject(accepted);
  });

  test('is about the automata in it where no program is given', async () => {
    const report = await verifyCertificate(await certify(storeBuffering), undefined, {});
    expect(report).toMatchObject({ kind: 'accepted', about: 'these automata' });
  });

  test('holds for a text of another layout, and not for another program', async () => {
    const certificate = await certify(storeBuffering);
    const moved = parse(`\n\nvar x, y
      thread a { local r;
        x = 1; // one
        r = y; }
      thread b { local s; y = 1; s = x; }`);
    expect(await verify(certificate, moved)).toMatchObject(accepted);
    expect(await verify(certificate, withSpareFence)).toEqual({
      kind: 'rejected',
      findings: [
        'the certificate is about another program: the automata differ from the given program',
      ],
    });
  });

  test('speaks of the text that copies of a thread share', async () => {
    const program = parse(`var x[2]\nthread t[2] { local r; x[self] = 1; r = x[1 - self]; }`);
    const certificate = await certify(program);
    expect(certificate.cost).toBe(1);
    expect(await verify(certificate, program)).toMatchObject(accepted);
  });

  test('is about the notion that it names', async () => {
    // Both threads store 1 to y. For happens-before with values, nothing orders the two stores.
    const program = parse(`var x, y, z, w
      thread a { local s; x = 1; y = 1; z = 1; s = w; }
      thread b { local r, q; y = 1; r = x; w = 1; q = z; }`);
    const certificate = await certify(program, 'fence', 'value');
    expect((await certify(program)).cost).toBeGreaterThan(certificate.cost as number);
    expect(await verify(certificate, program)).toMatchObject(accepted);
    const forged = { ...certificate, happensBefore: 'standard' };
    const digest = certificateDigest(forged);
    expect(await verify({ ...forged, digest }, program)).toEqual({
      kind: 'rejected',
      findings: ['the program with the chosen repairs is not robust'],
    });
  });

  test('is checked in part where the limits do not allow more', async () => {
    const certificate = await certify(storeBuffering);
    expect(await verify(certificate, storeBuffering, { maxStates: 3 })).toMatchObject({
      kind: 'partly',
      checked: [
        'no cheaper choice of the 4 allowed repairs will do',
        "repairs are fences; costs are by 'size'",
      ],
      notChecked: [
        'with the 2 chosen repairs of cost 2 it is robust (more than 3 states: raise --max-states)',
      ],
    });
  });

  test('is checked in part where costs come from elsewhere, unless these are given', async () => {
    const costs = { name: 'file', fence: () => 0.1, xchg: () => 0.2 };
    const { certificate } = await fence(storeBuffering, { mode: 'any', costs });
    expect(certificate?.cost).toBe(0.2);
    const json = JSON.parse(JSON.stringify(certificate)) as Json;
    expect(await verify(json, storeBuffering)).toMatchObject({
      kind: 'partly',
      notChecked: ["the costs, which are by 'file'"],
    });
    const items = repairItems(storeBuffering, { mode: 'any', costs }, []);
    const repairs = { items, costModel: costs.name };
    expect(await verify(json, storeBuffering, { repairs })).toMatchObject(accepted);
    const others = { ...repairs, items: items.map((one) => ({ ...one, cost: 1 })) };
    expect(await verify(json, storeBuffering, { repairs: others })).toMatchObject({
      kind: 'rejected',
    });
  });

  test('has to say which places it leaves out', async () => {
    const canFence = (thread: number, location: number): boolean => thread === 1 || location !== 0;
    const { certificate } = await fence(storeBuffering, { canFence });
    const json = JSON.parse(JSON.stringify(certificate)) as Json;
    expect(await verify(json, storeBuffering)).toMatchObject({ kind: 'partly' });
    const repairs = { items: repairItems(storeBuffering, { canFence }, []), costModel: 'size' };
    expect(await verify(json, storeBuffering, { repairs })).toMatchObject(accepted);
    const all = { ...repairs, items: repairItems(storeBuffering, {}, []) };
    expect(await verify(json, storeBuffering, { repairs: all })).toMatchObject({
      kind: 'rejected',
      findings: [expect.stringContaining('is left out, although there is a place for it')],
    });
  });

  test('of version 1 is refused by name', async () => {
    const report = await verify({ ...(await certify(storeBuffering)), version: 1 }, storeBuffering);
    expect(report).toMatchObject({
      kind: 'not-a-certificate',
      reason: expect.stringContaining('version 1') as string,
    });
  });

  // A program that faults has no certificate, so the test changes the certificate of a program
  // without faults.
  test('of a program that faults says so', async () => {
    const text = (divisor: string): string => `var x, y
      thread a { local r; x = 1; r = y; r = 1 / (r + ${divisor}); }
      thread b { local s; y = 1; s = x; }`;
    const sound = parse(text('1'));
    const faulty = parse(text('0'));
    expect((await fence(faulty, {})).certificate).toBeUndefined();
    const certificate = await certify(sound);
    expect(JSON.stringify(await verify(certificate, sound))).not.toContain('fault');
    const changed = { ...certificate, automata: automataToJson(faulty) };
    const forged = { ...changed, digest: certificateDigest(changed) };
    const report = await verify(JSON.parse(JSON.stringify(forged)) as Json, faulty);
    expect(report.kind).toBe('accepted');
    expect(JSON.stringify(report)).toContain('executions that fault end there');
  });
});

function isObject(value: Json): value is Readonly<Record<string, Json>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Yields every value that differs from `value` in one leaf, or by one element of an array. */
function* changes(value: Json, path = ''): Generator<[changed: Json, path: string]> {
  if (Array.isArray(value)) {
    const list = value as readonly Json[];
    for (const [i, part] of list.entries())
      for (const [changed, at] of changes(part, `${path}[]`)) yield [list.with(i, changed), at];
    if (list.length > 0) yield [list.slice(1), path];
  } else if (isObject(value)) {
    for (const [key, part] of Object.entries(value))
      for (const [changed, at] of changes(part, `${path}.${key}`))
        yield [{ ...value, [key]: changed }, at];
  } else if (typeof value === 'number') yield [value + 1, path];
  else if (typeof value === 'string') yield [`${value}x`, path];
  else if (typeof value === 'boolean') yield [!value, path];
}

/**
 * Parts of a certificate that are comments. The replay computes the addresses and values of a
 * computation. Names of automata and names made up by the parser are not compared.
 */
const comments =
  /\.computation\[\]\.(address|value|early)$|^\.automata\.(name|threads\[\]\.locations\[\]\.name)$/;

describe('a change of one field', () => {
  test('is detected by the digest', async () => {
    const certificate = await certify(storeBuffering);
    let count = 0;
    for (const [changed, at] of changes(certificate)) {
      const { kind } = await verify(changed, storeBuffering);
      expect(['rejected', 'not-a-certificate'], at).toContain(kind);
      count++;
    }
    expect(count).toBeGreaterThan(100);
  });

  test('is detected with the digest made anew, but for comments', async () => {
    const certificate = await certify(storeBuffering);
    for (const [changed, at] of changes(certificate)) {
      if (at === '.digest') continue;
      const digest = certificateDigest(changed as object);
      const { kind } = await verify({ ...(changed as object), digest }, storeBuffering);
      if (comments.test(at)) expect(kind, at).toBe('accepted');
      else expect(kind, at).not.toBe('accepted');
    }
  });
});

describe('a certificate with repairs of several places', () => {
  // The two places are, for example, one place in a function that both threads call.
  const places: readonly TextRepair[] = [
    {
      repair: { kind: 'fence', thread: 0, location: 1, also: [{ thread: 1, location: 1 }] },
      rank: 0,
    },
    { repair: { kind: 'fence', thread: 0, location: 0 }, rank: 0 },
  ];
  const stated = (all: readonly TextRepair[]) => ({
    repairs: {
      items: repairItems(storeBuffering, { mode: 'fence', repairs: all }, []),
      costModel: 'size',
    },
  });

  async function certified(): Promise<Certificate> {
    const { certificate } = await fence(storeBuffering, { repairs: places });
    return JSON.parse(JSON.stringify(certificate)) as Certificate;
  }

  const sealed = (body: Certificate): Certificate => ({ ...body, digest: certificateDigest(body) });

  test('holds with what the text says, and alone leaves open what it does not know', async () => {
    const certificate = await certified();
    expect(certificate).toMatchObject({ cost: 1, chosen: [0] });
    expect(await verify(certificate, storeBuffering, stated(places))).toMatchObject(accepted);
    const open = 'that repairs at several places of the program are one place of its text';
    expect(await verify(certificate, storeBuffering)).toMatchObject({
      kind: 'partly',
      notChecked: expect.arrayContaining([open]) as string[],
    });
  });

  test('is refused where it costs less than the dearest of its places', async () => {
    const priced = parse(`var x, y
      thread a { local r; x = 1; r = y; }
      thread b { local s; y = 1; @cost(3) s = x; }`);
    const { certificate: told } = await fence(priced, { repairs: places.slice(0, 1) });
    const certificate = JSON.parse(JSON.stringify(told)) as Certificate;
    expect(certificate).toMatchObject({ cost: 3, costModel: 'size' });
    expect(await verify(certificate, priced)).toMatchObject({ kind: 'partly' });
    const [first] = certificate.items as readonly { readonly item: Json }[];
    const cheap = sealed({ ...certificate, cost: 1, items: [{ ...first, cost: 1 }] });
    expect(await verify(cheap, priced)).toMatchObject({
      kind: 'rejected',
      findings: [expect.stringMatching(/costs 3, not 1/)],
    });
  });

  test('is refused where the text has these places one by one', async () => {
    const single = places.flatMap(({ repair, rank }): TextRepair[] => {
      const { also: _, ...first } = repair;
      return [{ repair: first, rank }];
    });
    const other: TextRepair = { repair: { kind: 'fence', thread: 1, location: 1 }, rank: 0 };
    const report = await verify(await certified(), storeBuffering, stated([...single, other]));
    expect(report).toMatchObject({
      kind: 'rejected',
      findings: expect.arrayContaining([
        expect.stringContaining('as there is no place for it'),
        expect.stringContaining('is left out, although there is a place for it'),
      ]) as string[],
    });
  });

  test.each([
    ['a part is none of the program', { also: [{ thread: 1, location: 99 }] }, 'allow'],
    ['a part is there twice', { also: [{ thread: 0, location: 1 }] }, 'listed twice'],
    ['a part is that of another item', { also: [{ thread: 0, location: 0 }] }, 'listed twice'],
    ['a part is missing', { also: [] }, ''],
  ])('is refused where %s', async (_, change, why) => {
    const certificate = await certified();
    const [first, ...others] = certificate.items as readonly { readonly item: Certificate }[];
    const forged = sealed({
      ...certificate,
      items: [{ ...first, item: { ...first!.item, ...change } }, ...others] as Json,
    });
    const report = await verify(forged, storeBuffering);
    expect(report).toMatchObject({
      kind: 'rejected',
      findings: [expect.stringContaining(why)],
    });
  });
});
