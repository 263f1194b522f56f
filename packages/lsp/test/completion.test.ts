import { builtins, keywords } from '@fencewright/core/text';
import { SeededRandom } from '@fencewright/core/testing';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../tools/random-runs.js';
import { completionsAt } from '../src/completion.js';
import { openDocument } from '../src/document.js';
import { samplesIn } from './texts.js';

const runs = randomRuns(300, 10_000, 150);
const seed = randomSeed(20261123);

/** Returns the words offered at the cursor, which `|` marks. */
async function offered(withBar: string): Promise<readonly string[]> {
  const offset = withBar.indexOf('|');
  const text = withBar.replace('|', '');
  const document = await openDocument('file:///p.fw', 1, 'native', text);
  return completionsAt(document, offset).map(({ label }) => label);
}

const program = (rest: string): string => `program P\nvar x\n${rest}`;
const inThread = (rest: string): string => program(`thread t {\n  local r;\n  ${rest}\n}\n`);

describe('the first word of a line is one that can start what stands there', () => {
  test.each([
    ['a text', '|', ['program'], ['thread', 'while', 'x', 'cas']],
    ['a declaration', program('|'), ['var', 'thread', 'property'], ['while', 'x', 'program']],
    [
      'a statement',
      inThread('x = 1;\n  |'),
      ['x', 'r', 'while', 'if', 'fence', 'choose'],
      ['thread', 'else', 'or', 'var', 'q', 'never', 'ended', 'in'],
    ],
    ['what follows a branch', inThread('if (x) { r = 1; }\n  |'), ['else', 'while', 'r'], ['or']],
    ['what follows a choice', inThread('choose { r = 1; }\n  |'), ['or'], ['else']],
    ['what follows a body', inThread('do { r = 1; }\n  |'), ['while'], ['else', 'if', 'x']],
    ['an instruction', program('thread t regs r init a\nbegin\n  a: |'), ['fence', 'x'], ['while']],
  ])('%s', async (_, text, can, cannot) => {
    const words = await offered(text);
    expect(words).toEqual(expect.arrayContaining(can));
    expect(words.filter((word) => cannot.includes(word))).toEqual([]);
  });
});

describe('later words, too', () => {
  test.each([
    ['a value', inThread('r = |'), ['x', 'r', 'cas', 'fetch_add', 'self'], ['while', 'never']],
    ['a property', program('property p: |'), ['never', 'stuck'], ['x', 'cas']],
    ['a condition', program('property p: never (|'), ['x', 'ended', 'drained'], ['cas', 'while']],
    ['an annotation', inThread('@|'), ['cost', 'nofence', 'luck', 'timeout'], ['x', 'while']],
  ])('%s', async (_, text, can, cannot) => {
    const words = await offered(text);
    expect(words).toEqual(expect.arrayContaining(can));
    expect(words.filter((word) => cannot.includes(word))).toEqual([]);
  });
});

test('what stands in a program is among what is offered there', async () => {
  const samples = samplesIn(['corpus', 'examples'], '.fw');
  const missing: string[] = [];
  const counts = { keyword: 0, builtin: 0, name: 0, lineStart: 0 };
  for (let run = 0; run < runs; run++) {
    const random = new SeededRandom(seed + run);
    const { text, uri, file } = samples[random.below(samples.length)]!;
    const document = await openDocument(uri, 1, 'native', text);
    const { occurrences, symbols } = document.names;
    const names = new Map(
      occurrences.flatMap(({ start, name, role, symbol }) =>
        role === 'declaration' || symbol === undefined || symbols[symbol]!.kind === 'builtin'
          ? []
          : [[start, name]],
      ),
    );
    const code = text.replaceAll(/\/\/[^\n]*|\/\*[^]*?\*\//g, (comment) =>
      comment.replaceAll(/\w/g, '-'),
    );
    const words = [...code.matchAll(/[A-Za-z_][\w'′]*/g)].filter(
      ({ 0: word, index }) => names.has(index) || keywords.has(word) || builtins.has(word),
    );
    const { 0: word, index } = words[random.below(words.length)]!;
    // Some keywords may also be names.
    if (
      !names.has(index) &&
      occurrences.some(
        ({ start, symbol }) =>
          start === index && symbol !== undefined && symbols[symbol]!.kind !== 'builtin',
      )
    )
      continue;
    const labels = completionsAt(document, index).map(({ label }) => label);
    if (!labels.includes(word)) missing.push(`${word} at ${index} in ${file}`);
    if (names.has(index)) counts.name += 1;
    else if (keywords.has(word)) counts.keyword += 1;
    else counts.builtin += 1;
    if (/(^|\n)[ \t]*$/.test(text.slice(0, index))) counts.lineStart += 1;
  }
  expect(missing).toEqual([]);
  for (const [what, count] of Object.entries(counts))
    expect(count, what).toBeGreaterThan(runs / 60);
});
