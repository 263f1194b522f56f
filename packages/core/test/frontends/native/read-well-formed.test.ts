import type { AstNode, CompositeCstNode, CstNode, GrammarAST } from 'langium';
import { describe, expect, it, test } from 'vitest';
import { SeededRandom } from '../../../src/base/random.js';
import type { Model } from '../../../src/frontends/native/generated/ast.js';
import { grammarJson } from '../../../src/frontends/native/generated/grammar-json.js';
import { loadGrammar } from '../../../src/frontends/native/load-grammar.js';
import { parseSyntax } from '../../../src/frontends/native/parse-syntax.js';
import { readWellFormed } from '../../../src/frontends/native/read-well-formed.js';
import { folders, loadCorpus } from '../../corpus/load-corpus.js';
import { randomSentence } from './random-sentence.js';

const runs = Number(process.env.FENCEWRIGHT_READER_RUNS ?? 150);
const seed = Number(process.env.FENCEWRIGHT_SEED ?? 20261121);

/** Where an element stands in the grammar. */
function placeInGrammar(element: AstNode | undefined): string {
  if (!element?.$container) return '';
  const { $container, $containerProperty, $containerIndex } = element;
  return `${placeInGrammar($container)}/${$containerProperty}@${$containerIndex}`;
}

/** All that is known about a part of a text. */
function textParts(text: CstNode): unknown {
  const { offset, end, length, range, hidden, grammarSource, astNode } = text;
  const { content } = text as CompositeCstNode;
  return {
    ...{ offset, end, length, range, hidden },
    source: placeInGrammar(grammarSource),
    node: [astNode.$type, astNode.$cstNode?.offset],
    parts: Array.isArray(content) && Array.from(content, textParts),
  };
}

/** A syntax tree with the parts of the text that its nodes stand for; containers are compared on the way. */
function treeParts(node: AstNode, container?: AstNode): Record<string, unknown> {
  const parts = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(parts)
      : typeof value === 'object' && value
        ? treeParts(value as AstNode, node)
        : value;
  const entries = Object.entries(node).filter(
    ([name]) => name !== '$container' && name !== '$cstNode',
  );
  const { offset, end } = node.$cstNode!;
  const properties = entries.map(([name, value]): [string, unknown] => [name, parts(value)]);
  const isInPlace = node.$container === container && node.$cstNode!.astNode === node;
  return { ...Object.fromEntries(properties), offset, end, isInPlace };
}

function everythingOf(model: Model): unknown {
  return { tree: treeParts(model), text: textParts(model.$cstNode!) };
}

/** Both readings of a text: whether it is read at all is the same, and what is read. */
function expectSameReading(text: string): boolean {
  const read = readWellFormed(text);
  const parsed = parseSyntax(text);
  if (!read) {
    expect(parsed.errors, text).not.toEqual([]);
    return false;
  }
  expect(parsed.errors, text).toEqual([]);
  expect(read.errors).toEqual([]);
  expect(everythingOf(read.model!), text).toEqual(everythingOf(parsed.model!));
  return true;
}

const grammar = loadGrammar(grammarJson);

const gaps = [' ', ' ', ' ', ' ', '\n', '\r\n', '\r', ' /* c\n * c */ ', '\t// c\n', ' /**/'];

/** The tokens with something between them: some signs may go without. */
function written(words: readonly string[], random: SeededRandom): string {
  return words.map((word) => word + gaps[random.below(gaps.length)]!).join('');
}

/** The tokens with one too many, one too few, or another one in the place of one. */
function damaged(words: readonly string[], random: SeededRandom): string[] {
  const place = random.below(words.length + 1);
  const other = words[random.below(words.length)] ?? ';';
  const how = random.below(3);
  return words.toSpliced(place, how === 0 ? 0 : 1, ...(how === 1 ? [] : [other]));
}

describe('texts are read as by the parser', () => {
  test.each(folders)('corpus: %s', (folder) => {
    for (const { path, text } of loadCorpus(folder))
      if (path.endsWith('.fw')) expect(expectSameReading(text), path).toBe(true);
  });

  it('takes random sentences of the grammar, and whatever the parser takes after a change', () => {
    const used = new Map<string, number>();
    let changedAndRead = 0;
    for (let run = 0; run < runs; run++) {
      const random = new SeededRandom(seed + run);
      const words = randomSentence(grammar.rules[0] as GrammarAST.ParserRule, random, used);
      expectSameReading(written(words, random));
      for (let change = 0; change < 2; change++)
        if (expectSameReading(written(damaged(words, random), random))) changedAndRead += 1;
    }
    const unused = grammar.rules
      .filter((rule) => rule.$type === 'ParserRule' && !rule.entry)
      .filter(({ name }) => !used.has(name));
    expect(unused.map(({ name }) => name)).toEqual([]);
    expect(changedAndRead).toBeGreaterThan(runs / 20);
  });

  it.each([
    [
      'keywords that are names',
      'thread t { lock = 1; end: lock; async[1] = 2; async [t] event(1); }',
    ],
    [
      'a label that is called end',
      'thread t init end begin end: skip; goto lock; lock: skip; goto end; end',
    ],
    ['a comma after the last cell', 'var x[2] = { 1, 2, }, y[0] = { }'],
    ['a label in front of a statement, and at the end', 'thread t { a: b: x = 1; c: }'],
    ['an else that belongs to the inner if', 'thread t { if (*) if (x) ; else y = 1; }'],
    ['nothing', ''],
    ['nothing but comments', '// a\r\n/* b\r */'],
  ])('%s', (_, text) => {
    expect(expectSameReading(text)).toBe(true);
  });
});

describe('what is left to the parser', () => {
  it.each([
    ['a character without meaning', 'var x; #'],
    ['a comment without an end', 'var x; /*'],
    ['a missing token', 'thread t { x = ; }'],
    ['a token too many', 'thread t { } }'],
    ['a text that ends too early', 'thread t { x = 1;'],
  ])('%s', (_, text) => {
    expect(expectSameReading(text)).toBe(false);
  });

  it('statements that are nested too deeply for what comes after', () => {
    const nested = (depth: number): string =>
      `var x\nthread t { ${'if (*) '.repeat(depth)} x = 1; }`;
    expect(readWellFormed(nested(200))).toBeDefined();
    expect(readWellFormed(nested(1000))).toBeUndefined();
  });

  it('an error behind many labels, which could each stand alone', () => {
    const labels = Array.from({ length: 60 }, (_, i) => `l${i}: `).join('');
    expect(readWellFormed(`thread t { ${labels} x = ; }`)).toBeUndefined();
  });
});
