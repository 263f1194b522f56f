import { describe, expect, test } from 'vitest';
import { decide } from '../../src/api/decide.js';
import { parseText } from '@fencewright/languages/read/parse-text.js';
import type { ProgramText, Question } from '../../src/api/question.js';
import type { Environment } from '../../src/api/environment.js';
import type { Model } from '@fencewright/model/program/model.js';

const storeBuffering = `program SB
var x, y
thread a { local r; x = 1; r = y; }
thread b { local s; y = 1; s = x; }
`;
const anyNumber = storeBuffering.replace('thread a', 'thread a[*]');
const open = storeBuffering.replace('thread a', 'thread a[*]').replace('r = y', 'r = self + y');

const textOf = (source: string): ProgramText => ({ format: 'native', source });

async function modelOf(source: string): Promise<Model> {
  const { model, diagnostics } = await parseText('native', source);
  return model ?? expect.fail(JSON.stringify(diagnostics));
}

const limits = { maxStates: 10_000 };

async function answer(source: string, question: Question, environment: Environment = {}) {
  return decide(await modelOf(source), question, limits, environment);
}

const questions = (text: ProgramText): readonly Question[] => [
  { kind: 'check', allAttacks: true, listsAttacks: true },
  { kind: 'explain', listsFences: true, text },
  { kind: 'bench', countsFences: true },
  { kind: 'reach' },
  { kind: 'trf', repair: true },
  { kind: 'fence', text, certify: true },
];

describe('a decision', () => {
  test.each(questions(textOf(storeBuffering)))(
    'about $kind is plain data, and says what it is about',
    async (question) => {
      const result = await answer(storeBuffering, question);
      expect(result.kind).toBe(question.kind);
      expect(structuredClone(question)).toEqual(question);
      expect(structuredClone(result)).toEqual(result);
      expect(result).toMatchObject({ about: { name: 'SB' } });
    },
  );

  test('lists attacks only where it is asked to', async () => {
    const counted = await answer(storeBuffering, { kind: 'check', allAttacks: true });
    expect(counted).toMatchObject({
      result: { attacks: [], statistics: { attacks: { total: 2, feasible: 2 } } },
    });
    const listed = { kind: 'check', allAttacks: true, listsAttacks: true } as const;
    expect(await answer(storeBuffering, listed)).toHaveProperty('result.attacks.length', 2);
  });

  test('about fences has the text with them, and where they stand', async () => {
    const text = textOf(storeBuffering);
    const result = await answer(storeBuffering, { kind: 'fence', text });
    if (result.kind !== 'fence') expect.fail(result.kind);
    expect(result.fences.text?.match(/fence;/g)).toHaveLength(2);
    expect(result.fences.places.map(({ positions }) => positions.length)).toEqual([1, 1]);
    expect(result.fences.places.map(({ positions }) => positions[0]?.line)).toEqual([2, 3]);
    expect((await answer(result.fences.text ?? '', { kind: 'check' })).kind).toBe('check');
  });
});

describe('a question that is none about a model is refused', () => {
  test.each([
    ['reach', anyNumber, { kind: 'reach' }, { kind: 'any-number' }],
    ['trf', anyNumber, { kind: 'trf' }, { kind: 'any-number' }],
    [
      'fences for the ends of all instances',
      `${anyNumber} property p: finally (x == 1)`,
      {
        kind: 'fence',
        text: textOf(`${anyNumber} property p: finally (x == 1)`),
        properties: ['p'],
      },
      { kind: 'any-number', part: 'properties' },
    ],
    ['check', open, { kind: 'check' }, { kind: 'only-proofs' }],
    [
      'a choice',
      anyNumber,
      { kind: 'check', engine: 'instrument', without: ['freeze', 'cover'], solver: 'wasm' },
      { kind: 'no-choice', wishes: ['engine', 'freeze', 'solver'] },
    ],
    [
      'a property that is not there',
      storeBuffering,
      { kind: 'fence', text: textOf(storeBuffering), properties: ['p', 'assertions'] },
      {
        kind: 'properties',
        problems: [
          {
            kind: 'unknown',
            what: 'property',
            name: 'p',
            known: ['progress', 'states', 'final-states'],
          },
          { kind: 'no-assertions' },
        ],
      },
    ],
    [
      'a proof of what is not there',
      storeBuffering,
      { kind: 'prove', properties: ['p'] },
      {
        kind: 'properties',
        problems: [{ kind: 'unknown', what: 'invariant or property', name: 'p', known: [] }],
      },
    ],
    [
      'costs of labels that there are not',
      storeBuffering,
      { kind: 'fence', text: textOf(storeBuffering), costs: { kind: 'text', text: '{"l": 1}' } },
      { kind: 'costs', diagnostics: [{ code: 'FW1002' }] },
    ],
  ] as [string, string, Question, object][])('%s', async (_, source, question, refusal) => {
    expect(await answer(source, question)).toMatchObject({ kind: 'refused', refusal });
  });

  test('a proof without the solver that was asked for', async () => {
    const missing: Environment = {
      createSmtSolver: () =>
        Promise.resolve({
          name: 'none',
          missing: 'z3',
          solve: () => expect.fail('nobody is there'),
          close: () => Promise.resolve(),
        }),
    };
    const refused = { kind: 'refused', refusal: { kind: 'missing', program: 'z3' } };
    expect(await answer(open, { kind: 'prove', solver: 'native' }, missing)).toEqual(refused);
    expect(await answer(open, { kind: 'check', triesProof: true }, missing)).toEqual(refused);
  });
});
