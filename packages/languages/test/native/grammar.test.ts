import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import { keywords, signs } from '../../src/native/keywords.js';
import { parseSyntax } from '../../src/native/parse-syntax.js';
import { folders, loadCorpus } from '../../../core/test/corpus/load-corpus.js';
import { allParts, deriveSentence, type Ebnf, readEbnf, Recogniser, splitText } from './ebnf.js';
import { damagedTokens } from './random-damage.js';

const runs = randomRuns(150, 5000);
const seed = randomSeed(20261122);

const page = readFileSync(new URL('../../../../docs/language.md', import.meta.url), 'utf8');
const grammar = readEbnf(/```ebnf\n([^]*?)```/.exec(page)![1]!);
const recogniser = new Recogniser(grammar);

const gaps = [' ', ' ', ' ', '\n', '\r\n', '\r', ' /* c\n * c */ ', '\t// c\n', ' /**/'];

function written(words: readonly string[], random: SeededRandom): string {
  return words.map((word) => word + gaps[random.below(gaps.length)]!).join('');
}

function errorsIn(text: string): readonly string[] {
  return parseSyntax(text).errors.map(({ message }) => message);
}

/** Expects that parser and grammar agree on whether a text is correct; returns whether it is. */
function expectSameVerdict(text: string): boolean {
  const words = splitText(grammar, text);
  const isRight = words !== undefined && recogniser.accepts(words);
  // A label includes the statement after it, which the grammar alone does not state.
  if (isRight && words.some((word, i) => word === ':' && words[i + 1] === 'while')) return true;
  expect(errorsIn(text).length === 0, text).toBe(isRight);
  return isRight;
}

describe('the grammar in the manual', () => {
  it('is complete: every rule that is named is there, and the words are the keywords and signs', () => {
    const parts = allParts(grammar);
    const named = new Set(parts.flatMap((part) => (part.kind === 'rule' ? [part.name] : [])));
    expect([...named].filter((name) => !grammar.has(name))).toEqual([]);
    const [start, ...others] = grammar.keys();
    expect(start).toBe('text');
    expect(others.filter((name) => !named.has(name))).toEqual([]);
    const words = new Set(parts.flatMap((part) => (part.kind === 'word' ? [part.text] : [])));
    expect([...words].sort()).toEqual([...keywords.keys(), ...signs].sort());
    const name = grammar.get('name') as Ebnf & { readonly kind: 'choice' };
    const soft = [...keywords].flatMap(([word, { mayBeName }]) => (mayBeName ? [word] : []));
    const listed = name.parts.flatMap((part) => (part.kind === 'word' ? [part.text] : []));
    expect(listed.sort()).toEqual(soft.sort());
  });

  test.each(folders)('describes the programs of %s', (folder) => {
    for (const { path, text } of loadCorpus(folder))
      if (path.endsWith('.fw')) expect(expectSameVerdict(text), path).toBe(true);
  });

  it('has only sentences that the parser reads, by each of its rules and choices', () => {
    const used = new Map<Ebnf, number>();
    for (let run = 0; run < runs * 8; run++) {
      const random = new SeededRandom(seed + run);
      const text = written(deriveSentence(grammar, random, used), random);
      expect(errorsIn(text), text).toEqual([]);
    }
    const unused = allParts(grammar).filter((part) => !used.has(part));
    expect(unused).toEqual([]);
  });

  it('rejects what the parser rejects, and nothing else', () => {
    const counts = { right: 0, wrong: 0 };
    for (let run = 0; run < runs; run++) {
      const random = new SeededRandom(seed + run);
      const text = written(deriveSentence(grammar, random, new Map()), random);
      for (let change = 0; change < 3; change++)
        counts[expectSameVerdict(damagedTokens(text, random)) ? 'right' : 'wrong'] += 1;
    }
    expect(counts.right).toBeGreaterThan(runs / 10);
    expect(counts.wrong).toBeGreaterThan(runs);
  });
});
