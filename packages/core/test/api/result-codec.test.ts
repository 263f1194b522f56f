import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { decide } from '../../src/api/decide.js';
import { parseText } from '@fencewright/languages/read/parse-text.js';
import type { ProgramText, Question } from '../../src/api/question.js';
import type { Result } from '../../src/api/result.js';
import { decodeResult, encodeResult } from '../../src/api/result-codec.js';
import { decodeData, encodeData } from '@fencewright/ground/base/data-codec.js';
import { printNative } from '@fencewright/languages/native/print-native.js';
import { coverText } from '@fencewright/nets/nets/cover-text.js';
import type { Model } from '@fencewright/model/program/model.js';
import { randomProgram } from '@fencewright/reference/testing/random-program.js';

const examples = fileURLToPath(new URL('../../../../examples', import.meta.url));
const limits = { maxStates: 3_000 };

/** Returns the value after conversion to JSON text and back. */
const throughJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;

function questionsOf(text: ProgramText): readonly Question[] {
  return [
    { kind: 'check', allAttacks: true, listsAttacks: true },
    { kind: 'check', engine: 'instrument' },
    { kind: 'check', certify: true },
    { kind: 'explain', listsFences: true, text },
    { kind: 'bench', countsFences: true },
    { kind: 'reach' },
    { kind: 'reach', buffer: 1 },
    { kind: 'trf', repair: true },
    { kind: 'fence', text, certify: true },
    { kind: 'fence', text, mode: 'any', costs: { kind: 'profile', seed: 1, runs: 3 } },
    { kind: 'fence', text, properties: ['assertions'] },
    { kind: 'fence', text, properties: ['nowhere'] },
    { kind: 'fence', text, costs: { kind: 'text', text: '{"default": "x"}' } },
    { kind: 'convert', to: 'automata' },
    { kind: 'convert', to: 'mist' },
    { kind: 'convert', to: 'promela', attack: 'any' },
  ];
}

/** Returns the names of the kinds of a result, its verdict, and its refusal. */
function kindsIn(result: Result): readonly string[] {
  if (result.kind === 'refused') return [`refused ${result.refusal.kind}`];
  const parts = result as { readonly result?: { readonly verdict?: { readonly kind: string } } };
  return [result.kind, `${result.kind} ${parts.result?.verdict?.kind ?? ''}`];
}

async function survives(model: Model, question: Question): Promise<Result> {
  const result = await decide(model, question, limits);
  expect(decodeResult(throughJson(encodeResult(result)))).toStrictEqual(result);
  return result;
}

describe('a result survives JSON', () => {
  const files = ['store-buffering.fw', 'peterson-fenced.fw', 'dekker.fw', 'sleep-wakeup.litmus'];
  const anyNumber = readdirSync(path.join(examples, 'any-number'))
    .filter((name) => name.endsWith('.fw'))
    .slice(0, 2)
    .map((name) => path.join('any-number', name));

  test('of every kind, about examples', async () => {
    const kinds = new Set<string>();
    for (const file of [...files, ...anyNumber]) {
      const source = readFileSync(path.join(examples, file), 'utf8');
      const format = file.endsWith('.litmus') ? 'litmus' : 'native';
      const { model } = await parseText(format, source);
      for (const question of questionsOf({ format, source }))
        for (const kind of kindsIn(await survives(model!, question))) kinds.add(kind);
    }
    const expected: readonly string[] = [
      'check robust',
      'check not-robust',
      'explain',
      'bench',
      'reach',
      'trf',
      'fence',
      'convert',
      'refused any-number',
      'refused no-choice',
      'refused properties',
      'refused costs',
      'refused attack-needed',
    ];
    expect(expected.filter((kind) => !kinds.has(kind))).toEqual([]);
  });

  test('that is a refusal of what only proofs can treat', async () => {
    const source = 'program P\nvar x\nthread a[*] { local r; x = 1; r = self + x; }\n';
    const { model } = await parseText('native', source);
    const refused = await survives(model!, { kind: 'check' });
    expect(refused).toMatchObject({ kind: 'refused', refusal: { kind: 'only-proofs' } });
  });

  test('a proof, and the refusal where its solver is missing', async () => {
    const source = readFileSync(path.join(examples, 'peterson-fenced.fw'), 'utf8');
    const { model } = await parseText('native', source);
    const asked = { kind: 'prove', certify: true, keepsQuestions: true } as const;
    const proved = await survives(model!, asked);
    expect(proved.kind).toBe('prove');
    const missing = { kind: 'refused', refusal: { kind: 'missing', program: 'z3' } } as const;
    expect(decodeResult(throughJson(encodeResult(missing)))).toStrictEqual(missing);
  });

  test('about random programs', async () => {
    const seen = { robust: 0, 'not-robust': 0, others: 0 };
    await fc.assert(
      fc.asyncProperty(randomProgram(), async (program) => {
        const text = { format: 'native', source: printNative(program) } as const;
        const { model } = await parseText(text.format, text.source);
        if (!model) return;
        for (const question of questionsOf(text).slice(0, 10)) {
          const result = await survives(model, question);
          if (result.kind !== 'check') continue;
          const kind = result.result?.verdict.kind ?? 'others';
          seen[kind === 'robust' || kind === 'not-robust' ? kind : 'others'] += 1;
        }
      }),
      { numRuns: randomRuns(20, 400), seed: randomSeed(5) },
    );
    expect(seen.robust).toBeGreaterThan(5);
    expect(seen['not-robust']).toBeGreaterThan(5);
  });

  test.each(['n >= 1', 'n = 1'])('about nets: from %s', async (initial) => {
    const net = `vars n m\nrules n >= 1 -> n' = n - 1, m' = m + 1;\ninit ${initial}, m = 0\ntarget m >= 3`;
    const result = await coverText('mist', net, { certify: true }, limits);
    expect(result.kind).toBe('cover');
    expect(decodeData(throughJson(encodeData(result)) as never)).toStrictEqual(result);
  });
});

describe('the codec of plain data', () => {
  test('keeps what JSON has no words for', () => {
    const data = {
      numbers: [0, -0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e300],
      large: 12345678901234567890n,
      holes: [undefined, null],
      absent: undefined,
      floats: Float64Array.of(1, -0, Number.POSITIVE_INFINITY),
      map: new Map<unknown, unknown>([
        [1, new Set(['a', -0])],
        [{ key: true }, undefined],
      ]),
      ...JSON.parse('{"__proto__": {"o": 1}, "a": [["undefined"], [0]]}'),
    } as unknown;
    expect(decodeData(throughJson(encodeData(data)) as never)).toStrictEqual(data);
  });

  test('keeps what any data hold', () => {
    fc.assert(
      fc.property(
        fc.anything({ withMap: true, withSet: true, withBigInt: true, maxDepth: 4 }),
        (data) => {
          const back = decodeData(throughJson(encodeData(data)) as never);
          expect(structuredClone(back)).toStrictEqual(structuredClone(data));
        },
      ),
      { numRuns: randomRuns(500, 10_000), seed: randomSeed(1) },
    );
  });

  test('keeps what is shared, and any depth', () => {
    const leaf = { kind: 'constant', value: 1 };
    let shared: unknown = leaf;
    for (let i = 0; i < 200; i++) shared = [shared, shared];
    expect(encodeData(shared)).toHaveLength(202);
    const back = decodeData(throughJson(encodeData(shared)) as never) as unknown[];
    expect(back[0]).toBe(back[1]);
    let deep: unknown = leaf;
    for (let i = 0; i < 100_000; i++) deep = { deep };
    let left = decodeData(throughJson(encodeData(deep)) as never) as { deep?: unknown };
    let depth = 0;
    for (; left.deep !== undefined; depth++) left = left.deep as typeof left;
    expect(depth).toBe(100_000);
  });

  test('refuses what is no plain data, and what it has not written', () => {
    expect(() => encodeData({ f: () => 1 })).toThrow('function is no plain data');
    expect(() => encodeData([new Date(0)])).toThrow('Date');
    expect(() => decodeData([[7]])).toThrow('no value 7');
    expect(() => decodeData([['else']])).toThrow('no else');
    for (const other of [undefined, null, {}, { format: 'fencewright-result', version: 2 }])
      expect(() => decodeResult(other)).toThrow('no fencewright-result of version 1');
  });
});
