import type { FreedUse, RaceFindings } from '@fencewright/model/verdict/data-race.js';
import type { StateAnswer } from '@fencewright/model/verdict/state-answer.js';
import { describe, expect, test } from 'vitest';
import { explainHtml } from '../src/html/explain-html.js';
import { reachHtml } from '../src/html/reach-html.js';
import { checkToJson } from '../src/json/json.js';
import { checkToJunit } from '../src/sarif/junit.js';
import { markdownSummary } from '../src/sarif/markdown-summary.js';
import { checkToSarif } from '../src/sarif/sarif-results.js';
import { checkReport } from '../src/text/check.js';
import { plainPalette } from '../src/text/palette.js';
import {
  checkResult,
  program,
  reachResult,
  replayed,
  subject,
  witness,
} from './store-buffering.js';

const computation = witness.computation;
const final = { ...replayed.at(-1)!, locations: [2, 2] };

/**
 * Answers about store buffering with the expected sentence; some answers do not fit the program.
 */
const sentences: readonly (readonly [string, StateAnswer])[] = [
  [
    'breaks on x86: oneSeesTheOther can fail, and cannot without store buffers',
    { kind: 'breaks', claims: [{ kind: 'property', property: 0 }], computation },
  ],
  [
    'is wrong even without store buffers: oneSeesTheOther can fail, and no fence helps',
    { kind: 'wrong-under-sc', claims: [{ kind: 'property', property: 0 }] },
  ],
  [
    'ends on x86 as it never does without store buffers: nothing that it claims can fail',
    {
      ...{ kind: 'differs', state: final, computation },
      varying: {
        cells: [],
        registers: [
          [0, 0],
          [1, 0],
        ],
      },
    },
  ],
  ['holds on x86 as it stands: nothing that it claims can fail', { kind: 'stricter' }],
];

const plain = { diagnostics: [], version: '1' };

/** Returns the visible words of a page without spaces, as spaces also separate words from marks. */
const wordsOf = (page: string): string =>
  page
    .replace(/<(style|script|title)[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');

/** A use of freed memory by the second thread after the first has freed the block. */
const freedUse: FreedUse = {
  address: 0,
  cell: 'x',
  use: { thread: 1, transition: 1 },
  free: { thread: 0, transition: 0 },
  model: 'SC',
};

describe('a robust program that is wrong in C is not called robust first', () => {
  const robust = checkResult({ kind: 'robust' });
  const race = { address: 0, accesses: [freedUse.free, freedUse.use] } as const;
  const cases: readonly (readonly [string, RaceFindings])[] = [
    ['uses freed memory even without store buffers', { races: [], freedUses: [freedUse] }],
    ['has 1 data race, which C leaves undefined', { races: [race], freedUses: [] }],
  ];

  test.each(cases)('%s', (words, races) => {
    const result = { ...robust, races };
    const [first, ...lines] = checkReport(subject, result, { palette: plainPalette }).split('\n');
    expect(first?.startsWith(`sb.fw: SB ${words}`), first).toBe(true);
    // The verdict is still told: in the same sentence, or below.
    expect([first, ...lines.slice(0, 1)].join(' ')).toContain('it is robust: TSO adds nothing');
    const summary = markdownSummary([checkToJunit(subject, result)]);
    expect(summary).toContain(`| robust | ${words}`);
  });

  test('a use of freed memory comes before what is open about claims and verdict', () => {
    const open = { kind: 'unknown', reason: 'states' } as const;
    const answer: StateAnswer = {
      kind: 'unknown',
      open: 'states',
      claims: [],
      why: { kind: 'limit', reason: 'states' },
    };
    const result = {
      ...checkResult(open),
      ...{ answer, races: { races: [], freedUses: [freedUse] } },
    };
    const lines = checkReport(subject, result, { palette: plainPalette }).split('\n');
    expect(lines[0]).toContain('uses freed memory even without store buffers');
    expect(lines[1]).toMatch(/^ {2}it is undecided: /);
    expect(lines[2]).toContain('whether TSO reaches more with empty buffers is open');
  });

  test('what is right has no remark in the summary', () => {
    expect(markdownSummary([checkToJunit(subject, robust)])).toContain('| robust |  |');
  });
});

describe('every format begins with the same sentence', () => {
  test.each(sentences)('%s', (sentence, answer) => {
    const result = { ...checkResult({ kind: 'not-robust', witness }), answer };
    const text = checkReport(subject, result, { palette: plainPalette });
    expect(text.split('\n')[0]).toBe(`sb.fw: SB ${sentence}`);
    const [words, lead] = sentence.split(': ') as [string, string];
    const heading = `SB ${words} sb.fw ${lead}.`;
    const page = wordsOf(explainHtml(subject, result, { ...plain, replay: { states: replayed } }));
    expect(page.trimStart().startsWith(heading), page.slice(0, 300)).toBe(true);
    const reached = { ...reachResult, answer };
    const replay = () => ({ states: replayed });
    const states = wordsOf(reachHtml(subject, reached, { ...plain, replay }));
    expect(states.trimStart().startsWith(heading), states.slice(0, 300)).toBe(true);
    expect(checkToJson('sb.fw', program, result).answer?.headline).toBe(sentence);
    const { outcome } = checkToJunit(subject, result);
    expect('message' in outcome && outcome.message).toMatch(RegExp(`^${sentence}; not robust: `));
    const found = checkToSarif({ uri: 'sb.fw', source: subject.source }, program, result);
    const messages = found.map(({ message }) => message.text?.toLowerCase());
    if (answer.kind !== 'stricter')
      expect(messages.some((one) => one?.startsWith(sentence.toLowerCase()))).toBe(true);
  });

  test('the page goes on with what differs, evidence, and advice, in this order', () => {
    const [, , [, differs]] = sentences as [unknown, unknown, (typeof sentences)[number]];
    const result = { ...checkResult({ kind: 'not-robust', witness }), answer: differs };
    const page = explainHtml(subject, result, { ...plain, replay: { states: replayed } });
    expect(page).toMatch(/<li>t1\.r1 = 0<\/li>\s*<li>t2\.r2 = 0<\/li>/);
    const words = wordsOf(page);
    const places = ['t1.r1 = 0', 'It is not robust', 'The attack:', 'What to do next'].map((one) =>
      words.indexOf(one),
    );
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });
});
