import { expect, test } from 'vitest';
import { check } from '../../src/api/check.js';
import { decide } from '../../src/api/decide.js';
import { prove } from '../../src/api/prove.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import type { Model } from '@fencewright/model/program/model.js';
import { openProgram, useSolver } from '../../../proofs/test/proving.js';
import { programOf } from '../../../engines/test/robustness/native-program.js';

/**
 * A robust program, as each thread accesses one cell only; the assertion fails and the property
 * holds.
 */
const program = programOf(`var x, y
  thread t { x = 5000000000L; }
  thread u { local r; y = 1; r = y; assert(r == 1); }
  property p: never (x == 4)`);

// docs/language.md: engines but `search`, and certificates, have numbers of 32 bits only.
test.each(['instrument', 'single-query'] as const)(
  'the engine %s has no 64 bits',
  async (engine) => {
    const { verdict, diagnostics } = await check(program, { engine });
    expect(verdict).toMatchObject({ kind: 'unknown', reason: 'unsupported' });
    expect(diagnostics.map(({ message }) => message).join()).toContain('64 bits');
    expect((await check(program)).verdict.kind).toBe('robust');
  },
);

test('no certificate is about 64 bits', async () => {
  const model = { kind: 'finite', program } as const;
  const checked = await decide(model, { kind: 'check', certify: true });
  expect(checked).toMatchObject({ result: { verdict: { kind: 'robust' } } });
  expect(checked).toMatchObject({ uncertified: 'unsupported' });
  expect(checked).not.toHaveProperty('certificate');
  const reached = await decide(model, { kind: 'reach', certify: true });
  expect(reached).toMatchObject({ result: { tso: { properties: [{ verdict: 'holds' }] } } });
  expect(reached).toMatchObject({ uncertified: 'unsupported' });
  expect(reached).not.toHaveProperty('certificate');
});

/** Returns store buffering with 64-bit numbers, which needs two fences. */
const buffering = (copies: string, fence = ''): Model =>
  parseNative(`program P
    var x, y
    thread t${copies} { local r; x = 5000000000L; ${fence} r = y; }
    thread u${copies} { local r; y = 5000000000L; ${fence} r = x; }`).model!;

test.each([
  ['robustness of all instances', buffering('[*]', 'fence;'), { kind: 'check', certify: true }],
  ['fences', buffering(''), { kind: 'fence', certify: true }],
  ['fences of all instances', buffering('[*]'), { kind: 'fence', certify: true }],
  ['fences against triangular races', buffering(''), { kind: 'trf', repair: true }],
] as const)(
  'no certificate is about %s of 64 bits, and that is said',
  async (_, model, question) => {
    const found = await decide(model, question);
    expect(found).toMatchObject({ uncertified: 'unsupported' });
    expect(found).not.toHaveProperty('certificate');
    if (found.kind === 'fence') expect(found.fences.result.verdict).toMatchObject({ cost: 2 });
    if (found.kind === 'trf') expect(found.result.repair).toMatchObject({ cost: 2 });
  },
);

/** Returns two threads that count for ever, each in its own cell, from `first`. */
const counting = (first: string, plus = '+'): string => `program Counting
  var x = ${first}, y = ${first}
  thread t { local r; loop { r = x; x = r ${plus} 1; } }
  thread u { local r; loop { r = y; y = r ${plus} 1; } }`;

const solver = useSolver();

test('no proof is about 64 bits', async () => {
  const { result } = await prove(openProgram(counting('5000000000L', '+:')), { solver });
  expect(result.verdict).toMatchObject({ kind: 'unknown', why: { kind: 'wide-values' } });
  const small = await prove(openProgram(counting('5')), { solver });
  expect(small.result.verdict.kind).toBe('proved');
});

test('nobody is asked for a proof about 64 bits', async () => {
  let asked = 0;
  const ask = async (text: string) => {
    const without = ['static-path', 'local-closure'] as const;
    const limits = { maxStates: 200 };
    const forTests = { firstTurn: { states: 20, elements: 10 } };
    const engine = {
      name: 'search',
      triesProof: () => Promise.resolve(++asked > 0),
    } as const;
    const program = programOf(text.replace('program Counting', ''));
    return (await check(program, { engine, limits, without, forTests })).verdict.kind;
  };
  expect(await ask(counting('5000000000L', '+:'))).toBe('unknown');
  expect(asked).toBe(0);
  expect(await ask(counting('5'))).toBe('robust');
  expect(asked).toBe(1);
});
