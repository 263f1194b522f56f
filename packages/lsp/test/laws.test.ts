import {
  frontEndOf,
  inspectedProgram,
  sameAutomata,
  sameEventAutomata,
  type Model,
  type Program,
} from '@fencewright/core';
import { allTokensIn, parseSyntax } from '@fencewright/core/text';
import { SeededRandom } from '@fencewright/core/testing';
import { describe, expect, it, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../tools/random-runs.js';
import { actionsFor } from '../src/actions.js';
import { completionsAt } from '../src/completion.js';
import { diagnosticsFor } from '../src/diagnostics.js';
import { type Document, formatOfDocument, openDocument } from '../src/document.js';
import type { Findings } from '../src/findings.js';
import { hoverAt } from '../src/hover.js';
import { hintsFor, lensesFor, semanticTokensOf } from '../src/marks.js';
import { definitionAt, highlightsAt, occurrencesOf, referencesAt } from '../src/names.js';
import { renameAt } from '../src/rename.js';
import { foldsIn, selectionAt, symbolsIn } from '../src/structure.js';
import { elsewhere, type Sample, samplesIn } from './texts.js';

const runs = randomRuns(300, 10_000, 80);
const seed = randomSeed(20261123);

const natives = samplesIn(['corpus', 'examples'], '.fw');
const foreign = [
  ...samplesIn(['corpus/litmus-x86'], '.litmus').slice(0, elsewhere.length > 0 ? undefined : 60),
  ...samplesIn(['tools'], '.trencher'),
  ...samplesIn([], '.txt').filter(({ uri, text }) => formatOfDocument(uri, '', text)),
];

async function open({ uri, text }: Sample, version = 1): Promise<Document> {
  return openDocument(uri, version, formatOfDocument(uri, '', text) ?? 'trencher', text);
}

function applied(
  text: string,
  edits: readonly { readonly range: unknown; readonly newText: string }[],
) {
  const lines = [0];
  for (const { 0: end, index } of text.matchAll(/\r\n|\n|\r/g)) lines.push(index + end.length);
  type Place = { readonly line: number; readonly character: number };
  const offset = ({ line, character }: Place): number => lines[line]! + character;
  const sorted = edits
    .map(({ range, newText }) => {
      const { start, end } = range as { readonly start: Place; readonly end: Place };
      return { start: offset(start), end: offset(end), newText };
    })
    .sort((a, b) => b.start - a.start);
  return sorted.reduce(
    (result, { start, end, newText }) => result.slice(0, start) + newText + result.slice(end),
    text,
  );
}

/** Returns the program with unnamed shared variables. */
function nameless(model: Exclude<Model, { readonly kind: 'events' }>): Program {
  const program = inspectedProgram(model);
  return { ...program, symbols: program.symbols.map((symbol) => ({ ...symbol, name: '' })) };
}

function areSame(one: Model | undefined, two: Model | undefined): boolean {
  if (!one || one.kind !== two?.kind) return false;
  if (one.kind === 'events')
    return two.kind === 'events' && sameEventAutomata(one.program, two.program);
  return two.kind !== 'events' && sameAutomata(nameless(one), nameless(two));
}

/** Expects that renaming a symbol to a fresh name and back gives the original text. */
async function expectRoundTrip(sample: Sample, random: SeededRandom): Promise<boolean> {
  const document = await open(sample);
  const { symbols } = document.names;
  const own = symbols.flatMap(({ kind }, id) => (kind === 'builtin' ? [] : [id]));
  if (own.length === 0 || !document.model) return false;
  const symbol = own[random.below(own.length)]!;
  const place = occurrencesOf(document.names, symbol)[0]!.span.start;
  const at = { line: place.line, character: place.column };
  const there = await renameAt(document, at, 'freshlyNamed');
  // Outside of the native language words may be more than names.
  if (there.kind === 'refused' && document.format !== 'native') return false;
  expect(there, sample.file).toMatchObject({ kind: 'edits' });
  if (there.kind !== 'edits') return false;
  const text = applied(sample.text, there.edits);
  expect(text).not.toBe(sample.text);
  const renamed = await open({ ...sample, text }, 2);
  expect(areSame(document.model, renamed.model), sample.file).toBe(true);
  const back = await renameAt(renamed, at, symbols[symbol]!.name);
  expect(back, sample.file).toMatchObject({ kind: 'edits' });
  if (back.kind !== 'edits') return false;
  expect(applied(text, back.edits).replaceAll('′', "'"), sample.file).toBe(
    sample.text.replaceAll('′', "'"),
  );
  return true;
}

describe('renaming there and back is the identity, and the program stays the same', () => {
  test.each([
    ['native', natives, 0.95],
    ['foreign', foreign, 0.5],
  ] as const)('%s', async (_, samples, share) => {
    let renamed = 0;
    for (const [i, sample] of samples.entries())
      if (await expectRoundTrip(sample, new SeededRandom(seed + i))) renamed += 1;
    expect(samples.length).toBeGreaterThan(10);
    expect(renamed).toBeGreaterThan(samples.length * share);
  });

  it('changes the label that an event waits for', async () => {
    const file = 'examples/events/detail-after.fw';
    const sample = natives.find((one) => one.file === file)!;
    const document = await open(sample);
    const line = sample.text.split('\n').findIndex((one) => one.includes('shown: ;'));
    const there = await renameAt(document, { line, character: 3 }, 'visible');
    if (there.kind !== 'edits') throw new Error(there.why);
    expect(applied(sample.text, there.edits)).toContain('detail() after show.visible');
  });

  it('is refused where the name is taken, or a word of the language', async () => {
    const text = 'program P\nvar x, y\nthread t { local r; r = x; y = r; }\n';
    const document = await open({ file: 'p.fw', uri: 'file:///p.fw', text });
    const at = { line: 1, character: 4 };
    for (const name of ['y', 'while', '1a', 'r', 'self'])
      expect(await renameAt(document, at, name), name).toMatchObject({ kind: 'refused' });
    expect(await renameAt(document, { line: 2, character: 0 }, 'q')).toMatchObject({
      kind: 'refused',
    });
  });
});

test('every identifier of every program is an occurrence of exactly one symbol', async () => {
  expect(natives.length).toBeGreaterThan(200);
  for (const sample of natives) {
    const { names } = await open(sample);
    const places = names.occurrences.map(({ start }) => start);
    expect(new Set(places).size, sample.file).toBe(places.length);
    const known = new Set(
      names.occurrences.flatMap(({ start, symbol }) => (symbol === undefined ? [] : [start])),
    );
    for (const { kind, offset, text } of allTokensIn(parseSyntax(sample.text).model))
      if (kind === 'NAME') expect(known.has(offset), `${text} in ${sample.file}`).toBe(true);
  }
});

test('words of Memorax name nothing, and a register is not the cell of that name', async () => {
  const text = `forbidden end end
data x = 0 : [0:3]
process
registers $x = 0 : [0:3]
text
  start: syncwr: x := 1; while not $x = 1 do read: $x := x; ssfence; goto end;
  end: nop /* x */
process data y = 0 : [0:1] text end: nop
`;
  const document = await open({ file: 'p.rmm', uri: 'file:///p.rmm', text });
  expect(document.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  const { symbols, occurrences } = document.names;
  expect(symbols.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
    'shared variable x',
    'register x',
    'register start',
    'register end',
    'shared variable y',
    'register end',
  ]);
  const placesOf = (symbol: number): string[] =>
    occurrences
      .filter((one) => one.symbol === symbol)
      .map(({ start, end }) => text.slice(start - 1, end).trim());
  expect(placesOf(0)).toEqual(['x', 'x', 'x']);
  expect(placesOf(1)).toEqual(['$x', '$x', '$x']);
});

const strays =
  '; { } ( ) [ ] = == <- x 5 : @ . , & /* // goto thread end if lock event " \0 \ud83d'.split(' ');

/** Returns the text with some pieces removed, doubled or inserted at random. */
function damaged(text: string, random: SeededRandom): string {
  const pieces = text.match(/\s+|\w+|[^]/gu) ?? [];
  for (let times = 1 + random.below(4); times > 0 && pieces.length > 0; times--) {
    const at = random.below(pieces.length);
    const kind = random.below(4);
    if (kind === 0) pieces.splice(at, 1 + random.below(5));
    else if (kind === 1) pieces.splice(at, 0, pieces[random.below(pieces.length)]!);
    else if (kind === 2) pieces.splice(at, 0, strays[random.below(strays.length)]!);
    else pieces.length = at;
  }
  return pieces.join('');
}

/** Asks the server every kind of question about some places of a text. */
async function askEverything(document: Document, random: SeededRandom): Promise<void> {
  const lines = document.text.split(/\r\n|\n|\r/);
  const findings: Findings = {
    state: 'not-robust',
    ...{ detail: '', states: 1, milliseconds: 1 },
    attacks: [{ thread: 0, store: 0, load: random.below(9) }],
  };
  for (let i = 0; i < 3; i++) {
    const line = random.below(lines.length + 1);
    const place = { line, character: random.below((lines[line]?.length ?? 0) + 2) };
    hoverAt(document, findings, place);
    definitionAt(document, place);
    referencesAt(document, place, true);
    highlightsAt(document, place);
    selectionAt(document, place);
    completionsAt(document, random.below(document.text.length + 1));
    await renameAt(document, place, 'fresh');
    const about = diagnosticsFor(document, findings);
    actionsFor(document, findings, { start: place, end: place }, about);
  }
  symbolsIn(document);
  foldsIn(document);
  semanticTokensOf(document, findings);
  hintsFor(document, findings);
  lensesFor(document, findings);
}

test('damaged texts are answered for, in all formats', async () => {
  const counts = { errors: 0, sound: 0, foreign: 0 };
  for (let run = 0; run < runs; run++) {
    const random = new SeededRandom(seed + run);
    const samples = run % 3 === 0 ? foreign : natives;
    const sample = samples[random.below(samples.length)]!;
    const document = await open({ ...sample, text: damaged(sample.text, random) });
    if (document.diagnostics.some(({ severity }) => severity === 'error')) counts.errors += 1;
    else counts.sound += 1;
    if (document.format !== 'native') counts.foreign += 1;
    await askEverything(document, random);
  }
  expect(counts.errors).toBeGreaterThan(runs / 3);
  expect(counts.sound).toBeGreaterThan(runs / 50);
  expect(counts.foreign).toBeGreaterThan(runs / 4);
});

test('every format of programs has a name for editors', () => {
  for (const [uri, format] of [
    ['file:///a.fw', 'native'],
    ['file:///a.litmus', 'litmus'],
    ['file:///a.rmm', 'memorax'],
    ['file:///a.trencher', 'trencher'],
    ['file:///a.c', 'c'],
    ['untitled:a', 'native'],
  ] as const) {
    expect(formatOfDocument(uri, 'fencewright', '')).toBe(format);
    expect(frontEndOf(format)).toBeDefined();
  }
  expect(formatOfDocument('file:///notes.txt', 'plaintext', 'to do')).toBeUndefined();
  expect(formatOfDocument('file:///a.txt', 'plaintext', '# x\nthread t0\n')).toBe('trencher');
});
