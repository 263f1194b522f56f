import { describe, expect, it, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import { keywords } from '../../src/native/keywords.js';
import { indexNames } from '../../src/native/name-index.js';
import type { NameIndex, Occurrence } from '../../src/native/name-symbols.js';
import { parseNative } from '../../src/native/parse-native.js';
import { parseSyntax } from '../../src/native/parse-syntax.js';
import { allTokensIn } from '../../src/native/syntax-tree.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { Span } from '@fencewright/ground/source/span.js';
import { folders, loadCorpus } from '../../../core/test/corpus/load-corpus.js';
import { damagedTokens } from './random-damage.js';
import { randomNamedText } from './random-named-text.js';
import { randomEventText, randomStructuredText } from './random-structured-text.js';

const runs = randomRuns(120, 5000, 20);
const seed = randomSeed(20261122);

function indexOf(text: string): NameIndex {
  return indexNames(parseSyntax(text).model);
}

/** Returns the occurrences of names as `name:line:column role of kind`, one-based. */
function listNames(text: string): readonly string[] {
  const { symbols, occurrences } = indexOf(text);
  return occurrences.map(({ name, span, symbol, role }) => {
    const kind = symbol === undefined ? 'nothing' : symbols[symbol]!.kind;
    return `${name}:${span.start.line + 1}:${span.start.column + 1} ${role} of ${kind}`;
  });
}

/** Returns all names of a text; keywords count as names where the index uses them as names. */
function nameTokens(text: string): readonly number[] {
  return allTokensIn(parseSyntax(text).model).flatMap(({ kind, offset }) =>
    kind === 'NAME' ? [offset] : [],
  );
}

const isError = ({ severity }: Diagnostic): boolean => severity === 'error';

function contains(outer: Span | undefined, inner: Span): boolean {
  return (
    outer?.start.line === inner.start.line &&
    outer.start.column <= inner.start.column &&
    (outer.end.line > inner.end.line || outer.end.column >= inner.end.column)
  );
}

/** Returns the unknown name in a message; `undefined` for other messages. */
function unknownIn({ code, message }: Diagnostic): string | undefined {
  return code === 'FW1002' ? /is named '(.*)'$/.exec(message)?.[1] : undefined;
}

/** Expects that every name in a text without errors is exactly one occurrence of a symbol. */
function expectComplete(text: string): void {
  const { symbols, occurrences } = indexOf(text);
  const starts = occurrences.map(({ start }) => start);
  expect(new Set(starts).size, text).toBe(starts.length);
  const known = new Set(starts);
  expect(
    nameTokens(text).filter((offset) => !known.has(offset)),
    text,
  ).toEqual([]);
  for (const { symbol, start, end, name } of occurrences) {
    expect(symbol, `${name} in ${text}`).toBeDefined();
    expect(symbols[symbol!]!.name).toBe(name);
    expect(text.slice(start, end).replaceAll('′', "'")).toBe(name);
  }
}

/**
 * Returns an unused word of the same length, so that no place moves; `undefined` if none is found.
 */
function freshName(text: string, length: number, random: SeededRandom): string | undefined {
  const words = new Set(text.match(/[\w'′]+/g));
  const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_';
  for (let tries = 0; tries < 200; tries++) {
    let word = '';
    while (word.length < length) word += letters[random.below(letters.length)]!;
    const isTaken = words.has(word) || keywords.has(word) || /^[hL]\d/.test(word);
    if (!isTaken && !['self', 'cas', 'xchg'].includes(word)) return word;
  }
  return undefined;
}

function rename(text: string, places: readonly Occurrence[], name: string): string {
  let renamed = text;
  for (const { start, end } of places)
    renamed = renamed.slice(0, start) + name + renamed.slice(end);
  return renamed;
}

/** Returns the program as text without the names that users gave. */
function shapeOf(text: string): string {
  const { diagnostics, ...programs } = parseNative(text);
  expect(diagnostics.filter(isError), text).toEqual([]);
  return JSON.stringify(programs, (key, value: unknown) =>
    key === 'name' || key === 'template' ? undefined : value,
  );
}

/**
 * Expects that renaming all occurrences of a symbol changes only names. If one occurrence is left
 * out, the text must be in error, or be a different program.
 */
function expectRenames(text: string, random: SeededRandom): number {
  const { symbols, occurrences } = indexOf(text);
  const renamable = symbols.flatMap(({ kind }, id) => (kind === 'builtin' ? [] : [id]));
  if (renamable.length === 0) return 0;
  const id = renamable[random.below(renamable.length)]!;
  const places = occurrences.filter(({ symbol }) => symbol === id);
  const length = places[0]!.name.length;
  const fresh = freshName(text, length, random);
  if (fresh === undefined) return 0;
  const renamed = rename(text, places, fresh);
  expect(shapeOf(renamed), `${renamed}\n\nwas\n\n${text}`).toBe(shapeOf(text));
  // All occurrences were renamed: the symbol no longer has the old name.
  const after = indexOf(renamed);
  expect(after.occurrences.map(({ start, symbol, role }) => [start, symbol, role])).toEqual(
    occurrences.map(({ start, symbol, role }) => [start, symbol, role]),
  );
  return places.length;
}

/**
 * Expects that every name that a message calls unknown is an occurrence without a symbol. The
 * converse is expected if the text has no other errors.
 */
function expectSameUnknown(text: string): { readonly unknown: number; readonly both: boolean } {
  const { occurrences } = indexOf(text);
  const unresolved = occurrences.filter(({ symbol }) => symbol === undefined);
  const { diagnostics } = parseNative(text);
  const left = [...unresolved];
  let unknown = 0;
  for (const diagnostic of diagnostics) {
    const name = unknownIn(diagnostic);
    if (name === undefined) continue;
    unknown += 1;
    const at = left.findIndex((one) => one.name === name && contains(diagnostic.span, one.span));
    expect(at, `${diagnostic.message} in\n${text}`).toBeGreaterThanOrEqual(0);
    left.splice(at, 1);
  }
  const both = diagnostics.every((diagnostic) => unknownIn(diagnostic) !== undefined);
  if (both)
    expect(
      left.map(({ name }) => name),
      text,
    ).toEqual([]);
  return { unknown, both };
}

describe('what names stand for', () => {
  it('tells memory, registers, labels and threads apart by their places', () => {
    expect(
      listNames(`program P
const N = 2
var x, a[N] = {N}, p = &a[1]
thread t {
  local r = x;
  l: a[r] = mem[p]; goto l;
  @cost(N) r = cas(x, 0, &a[N]);
}
property q: never (t @ l && t.r == x)`),
    ).toEqual([
      'P:1:9 declaration of program',
      'N:2:7 declaration of constant',
      'x:3:5 declaration of shared variable',
      'a:3:8 declaration of shared variable',
      'N:3:10 use of constant',
      'N:3:16 use of constant',
      'p:3:20 declaration of shared variable',
      'a:3:25 address of shared variable',
      't:4:8 declaration of thread',
      'r:5:9 declaration of register',
      'x:5:13 load of shared variable',
      'l:6:3 declaration of label',
      'a:6:6 store of shared variable',
      'r:6:8 load of register',
      'p:6:17 load of shared variable',
      'l:6:26 jump of label',
      'cost:7:4 use of builtin',
      'N:7:9 use of constant',
      'r:7:12 store of register',
      'cas:7:16 use of builtin',
      'x:7:20 store of shared variable',
      'a:7:27 address of shared variable',
      'N:7:29 use of constant',
      'q:9:10 declaration of property',
      'never:9:13 use of builtin',
      't:9:20 use of thread',
      'l:9:24 use of label',
      't:9:29 use of thread',
      'r:9:31 load of register',
      'x:9:36 load of shared variable',
    ]);
  });

  it('reads the automaton form, where a name alone is an address', () => {
    expect(
      listNames(`program P
var x
thread t regs r init l begin
  l: mem[x] <- &x; goto m;
  m: r <- mem[x]; goto x;
  m: x <- x; goto l;
end
invariant i(a: t): a @ m ==> a.r == x`).slice(2),
    ).toEqual([
      't:3:8 declaration of thread',
      'r:3:15 declaration of register',
      'l:3:22 jump of label',
      'l:4:3 declaration of label',
      'x:4:10 store of shared variable',
      'x:4:17 address of shared variable',
      'm:4:25 jump of label',
      'm:5:3 declaration of label',
      'r:5:6 store of register',
      'x:5:15 load of shared variable',
      'x:5:24 declaration of label',
      'm:6:3 declaration of label',
      'x:6:6 store of shared variable',
      'x:6:11 address of shared variable',
      'l:6:19 jump of label',
      'i:8:11 declaration of invariant',
      'a:8:13 declaration of binder',
      't:8:16 use of thread',
      'a:8:20 use of binder',
      'm:8:24 use of label',
      'a:8:30 use of binder',
      'r:8:32 load of register',
      'x:8:37 load of shared variable',
    ]);
  });

  it('knows what is out of sight', () => {
    expect(
      listNames(`program P
const M = N, N = 1
thread t { local r; goto m; r = q; }
thread u { m: r = M; }`).filter((line) => line.endsWith('nothing')),
    ).toEqual([
      'N:2:11 use of nothing',
      'm:3:26 jump of nothing',
      'q:3:33 load of nothing',
      'r:4:15 store of nothing',
    ]);
  });
});

describe('names in events and procedures', () => {
  it('are those of parameters, of what is run, and of instances', () => {
    expect(
      listNames(`program P
const N = 2
var x
event e(n) { local r = n; call p(x, r); async[main] p(n, N); l: x = r; goto l; }
procedure p(n, m) { x = n; }
events e(N) * N, e(1)`).slice(3),
    ).toEqual([
      'e:4:7 declaration of event',
      'n:4:9 declaration of parameter',
      'r:4:20 declaration of register',
      'n:4:24 load of parameter',
      'p:4:32 use of procedure',
      'x:4:34 load of shared variable',
      'r:4:37 load of register',
      'main:4:47 use of builtin',
      'p:4:53 use of procedure',
      'n:4:55 load of parameter',
      'N:4:58 use of constant',
      'l:4:62 declaration of label',
      'x:4:65 store of shared variable',
      'r:4:69 load of register',
      'l:4:77 jump of label',
      'p:5:11 declaration of procedure',
      'n:5:13 declaration of parameter',
      'm:5:16 declaration of parameter',
      'x:5:21 store of shared variable',
      'n:5:25 load of parameter',
      'e:6:8 use of event',
      'N:6:10 use of constant',
      'N:6:15 use of constant',
      'e:6:18 use of event',
    ]);
  });
});

describe('names and the lowering agree', () => {
  test.each(folders)('corpus: %s', (folder) => {
    const random = new SeededRandom(seed);
    for (const { path, text } of loadCorpus(folder)) {
      if (!path.endsWith('.fw') || parseNative(text).diagnostics.some(isError)) continue;
      expectComplete(text);
      for (let i = 0; i < 3; i++) expectRenames(text, random);
    }
  });

  it('in random programs, in which names meet', () => {
    let good = 0;
    let renamed = 0;
    for (let run = 0; run < runs; run++) {
      const random = new SeededRandom(seed + run);
      const text =
        run % 4 === 0
          ? (run % 8 === 0 ? randomStructuredText : randomEventText)(seed + run)
          : randomNamedText(random, 'good');
      if (parseNative(text).diagnostics.some(isError)) continue;
      good += 1;
      expectComplete(text);
      renamed += expectRenames(text, random);
    }
    expect(good).toBeGreaterThan(runs / 3);
    expect(renamed).toBeGreaterThan(good);
  });

  it('on what is unknown, in random programs and damaged ones', () => {
    const counts = { unknown: 0, both: 0, damaged: 0 };
    for (let run = 0; run < runs; run++) {
      const random = new SeededRandom(seed + 7 * run);
      const text = randomNamedText(random, 'any');
      const { unknown, both } = expectSameUnknown(text);
      counts.unknown += unknown;
      if (both && unknown > 0) counts.both += 1;
      const damaged = damagedTokens(text, random);
      counts.damaged += expectSameUnknown(damaged).unknown;
    }
    expect(counts.unknown).toBeGreaterThan(runs);
    expect(counts.both).toBeGreaterThan(runs / 10);
    expect(counts.damaged).toBeGreaterThan(runs / 10);
  });
});
