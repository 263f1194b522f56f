import { describe, expect, it, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import { tokensOf } from '../../src/native/lexer.js';
import { parseModel } from '../../src/native/parse-model.js';
import { parseSyntax } from '../../src/native/parse-syntax.js';
import type { NodeBase } from '../../src/native/syntax-node.js';
import { allTokensIn, nodesIn, printSyntax } from '../../src/native/syntax-tree.js';
import { TokenReader, TooDeep } from '../../src/native/token-reader.js';
import { folders, loadCorpus } from '../../../core/test/corpus/load-corpus.js';
import { damagedTokens } from './random-damage.js';
import { randomEventText, randomStructuredText } from './random-structured-text.js';

const runs = randomRuns(400, 10_000, 130);
const seed = randomSeed(20261122);

/** Returns a node with all its descendants. */
function allNodes(node: NodeBase): readonly NodeBase[] {
  return [node, ...nodesIn(node).flatMap(allNodes)];
}

/**
 * Expects of the syntax tree of any text that its printed form is the text and that its nodes have
 * consistent spans.
 */
function expectWhole(text: string): readonly NodeBase[] {
  const { model } = parseSyntax(text);
  expect(printSyntax(model)).toBe(text);
  const tokens = allTokensIn(model);
  expect(tokens.map(({ index }) => index)).toEqual(tokensOf(text).map((_, index) => index));
  const nodes = allNodes(model);
  for (const node of nodes) {
    for (const inner of nodesIn(node)) expect(inner.parent).toBe(node);
    const own = allTokensIn(node);
    const [first, last] = [own[0], own.at(-1)];
    if (!first || !last) continue;
    expect([node.start, node.end]).toEqual([first.offset, last.offset + last.text.length]);
    expect(node.span.start).toEqual(first.start);
  }
  return nodes;
}

describe('the syntax tree holds the whole text', () => {
  test.each(folders)('corpus: %s', (folder) => {
    for (const { path, text } of loadCorpus(folder)) if (path.endsWith('.fw')) expectWhole(text);
  });

  it('of damaged programs, and of anything else', () => {
    const kinds = new Map<string, number>();
    for (let run = 0; run < runs; run++) {
      const random = new SeededRandom(seed + run);
      const good = (run % 3 === 0 ? randomEventText : randomStructuredText)(seed + run);
      const cut = good.slice(random.below(good.length), random.below(good.length) + 40);
      for (const text of [damagedTokens(good, random), damagedTokens(cut, random)])
        for (const { kind } of expectWhole(text)) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
    expect(kinds.get('Skipped') ?? 0).toBeGreaterThan(runs / 2);
    expect(kinds.get('UnreadStatement') ?? 0).toBeGreaterThan(runs / 10);
  });

  it.each([
    ['nothing', ''],
    ['blanks', ' \r\n\t'],
    ['a comment without an end', 'program P /* x'],
    ['a byte order mark', '\ufeffprogram P'],
    ['halves of characters', 'var \ud83d x \udc00 = 1'],
    ['what is nested too deeply', `thread t { ${'if (*) '.repeat(2000)} }`],
    ['nothing but brackets', '('.repeat(3000)],
  ])('%s', (_, text) => {
    expectWhole(text);
  });
});

describe('damages', () => {
  /** The kinds of the innermost damaged nodes. */
  function damagedIn(text: string): readonly string[] {
    return allNodes(parseSyntax(text).model)
      .filter(({ isDamaged, kind }) => isDamaged && /Statement$|Variable$|^Model$/.test(kind))
      .map(({ kind }) => kind);
  }

  it('stay inside of the statement or the declaration in which they are', () => {
    expect(damagedIn('program P var x = , y thread t { if (x == ) { y = 1; } y = 2; }')).toEqual([
      'Variable',
      'IfStatement',
    ]);
    expect(damagedIn('program P thread t { x = 1\n y = 2; }')).toEqual([]);
    expect(damagedIn('program P thread t { foo bar; y = 2; } }')).toEqual([
      'Model',
      'UnreadStatement',
    ]);
  });
});

describe('work', () => {
  it('grows with the length of the text, whatever the errors', () => {
    const pieces = [
      'f(',
      'x = ;',
      'if (',
      'a[',
      '{ ',
      'l: ',
      '@ ',
      'thread t ',
      'x y ',
      '"',
      '(1; ',
    ];
    for (const piece of pieces) {
      const looksAt = (length: number): number => {
        const text = `program P thread t { ${piece.repeat(length / piece.length)}`;
        let looks = 0;
        const tokens = new Proxy(tokensOf(text), {
          get: (target, key, receiver) => {
            looks++;
            return Reflect.get(target, key, receiver) as unknown;
          },
        });
        try {
          parseModel(new TokenReader(tokens));
        } catch (error) {
          expect(error, piece).toBeInstanceOf(TooDeep);
        }
        return looks;
      };
      // Linear is 8 times as many, quadratic 64 times.
      expect(looksAt(32_000), piece).toBeLessThan(10 * looksAt(4000) + 1000);
    }
  });
});
