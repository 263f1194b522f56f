import { Text } from '@codemirror/state';
import { editsBetween } from '@fencewright/lsp';
import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { TextQuestion, ResultPart } from '../src/messages.js';
import { run } from '../src/run.js';

const root = new URL('../../../', import.meta.url);

/** The folders of the programs in the menu; the literature states their verdicts. */
const folders = ['', 'textbook/', 'any-number/', 'events/'].map((name) => `examples/${name}`);

/** Programs that are not in the menu: they need a proof, or most of a minute. */
const tooLarge = ['examples/textbook/chase-lev.fw', 'examples/textbook/ticket-lock.fw'];

const examples = await Promise.all(
  [...folders, 'corpus/litmus-x86/'].map(async (folder) => {
    const names = await readdir(new URL(folder, root));
    return names.filter((name) => /\.(fw|litmus)$/.test(name)).map((name) => folder + name);
  }),
);

/** The verdicts on an example, from the literature or by an argument. */
interface Expected {
  readonly verdict?: string;
  readonly concurrency?: string;
  readonly tsoSerial?: string;
}

async function partsOf(
  asked: TextQuestion,
  signal = new AbortController().signal,
): Promise<ResultPart[]> {
  const parts: ResultPart[] = [];
  await run(asked, signal, (part) => parts.push(part));
  return parts.filter(({ kind }) => kind !== 'progress');
}

/** The last part of a kind. */
const partOf = <K extends ResultPart['kind']>(parts: readonly ResultPart[], kind: K) =>
  parts.findLast((part): part is Extract<ResultPart, { kind: K }> => part.kind === kind);

const native = (text: string, timeout = 60_000): TextQuestion => ({
  ...{ file: 'a.fw', format: 'native', text, timeout },
});

const storeBuffering = `program SB
var x, y
thread t1 { local r; x = 1; r = y; }
thread t2 { local r; y = 1; r = x; }
`;

/** A program with infinitely many states, even under SC. */
const endless = `program Endless
var x, y
thread t1 { local i, r; while (true) { i = i + 1; x = i; r = y; } }
thread t2 { local i, r; while (true) { i = i + 1; y = i; r = x; } }
`;

describe('a run', () => {
  test('shows the way to a state of TSO alone first, in page and text', async () => {
    const shown = partOf(await partsOf(native(storeBuffering)), 'execution')!;
    for (const text of [shown.page ?? '', shown.text ?? '']) {
      const state = text.indexOf('How TSO gets to another state');
      expect(state).toBeGreaterThan(0);
      expect(text.indexOf('The attack: t1 delays its store of x')).toBeGreaterThan(state);
    }
  });

  test.each(examples.flat().filter((file) => !tooLarge.includes(file)))(
    'gives %s its verdict',
    async (file) => {
      const text = await readFile(new URL(file, root), 'utf8');
      const told = file.replace(/\.[a-z]+$/, '.expected.json');
      const expected = JSON.parse(await readFile(new URL(told, root), 'utf8')) as Expected;
      const { concurrency, tsoSerial } = expected;
      // A program of events is to be robust against concurrency first.
      const verdict = expected.verdict ?? (concurrency === 'robust' ? tsoSerial : concurrency);
      expect(verdict).toBeDefined();
      const format = file.endsWith('.fw') ? 'native' : 'litmus';
      const signal = new AbortController();
      const parts: ResultPart[] = [];
      // The run is cancelled at the verdict: other tests cover the later parts.
      await run({ file, format, text, timeout: 120_000 }, signal.signal, (part) => {
        parts.push(part);
        if (part.kind === 'verdict') signal.abort();
      });
      const states = parts.flatMap((part) => (part.kind === 'verdict' ? [part.state] : []));
      expect(new Set(states)).toEqual(new Set([verdict]));
      expect(partOf(parts, 'execution')?.page).toContain('<!doctype html>');
      expect(partOf(parts, 'failed')).toBeUndefined();
    },
  );

  test('tells the parts in order, with marks where stores are overtaken', async () => {
    const parts = await partsOf(native(storeBuffering));
    expect(parts.map(({ kind }) => kind)).toEqual([
      ...['read', 'verdict', 'verdict', 'execution'],
      // The answer does not wait for pages.
      ...['answer', 'execution', 'states', 'fences', 'ended'],
    ]);
    const marks = partOf(parts, 'verdict')?.marks ?? [];
    expect(marks.map(({ from, to }) => [from.line, from.column, to.column])).toEqual([
      [2, 21, 26],
      [3, 21, 26],
    ]);
  });

  test.each([
    // Store buffering: both loads may return 0 under TSO alone ([BDM13] Sect. 1).
    ['breaks', 'property one: finally (t1.r == 1 || t2.r == 1)\n', 'one'],
    ['is wrong even without', 'property two: never (x == 1)\n', 'two'],
    ['ends on x86 as it never', '', undefined],
  ])('has one headline in all views: %s', async (words, property, name) => {
    const parts = await partsOf(native(storeBuffering + property));
    const headline = partOf(parts, 'answer')?.headline;
    expect(headline?.words.startsWith(words)).toBe(true);
    const shown = partOf(parts, 'execution');
    const heading = /<h1>[^]*?<\/h1>/.exec(shown?.page ?? '')?.[0] ?? '';
    expect(heading).toContain(headline!.words);
    expect(heading).not.toContain('not robust');
    expect(shown?.text?.split('\n')[0]).toContain(headline!.words);
    if (name !== undefined) expect(shown?.page).toContain(`How ${name} fails`);
  });

  test('gives fences that make the program robust, as edits of the text', async () => {
    const fences = partOf(await partsOf(native(storeBuffering)), 'fences');
    expect(fences?.words).toContain('2 fences');
    const after = fences?.after ?? '';
    const document = Text.of(storeBuffering.split('\n'));
    const offset = ({ line, character }: { line: number; character: number }): number =>
      document.line(line + 1).from + character;
    const edited = editsBetween(storeBuffering, after)
      .toReversed()
      .reduce(
        (text, { range, newText }) =>
          text.slice(0, offset(range.start)) + newText + text.slice(offset(range.end)),
        storeBuffering,
      );
    expect(edited).toBe(after);
    expect(partOf(await partsOf(native(after)), 'verdict')?.state).toBe('robust');
  });

  test('says what is wrong with a text, and nothing else', async () => {
    const parts = await partsOf(native('program P\nvar x\nthread t { y = 1; }\n'));
    expect(parts.map(({ kind }) => kind)).toEqual(['read', 'ended']);
    const read = partOf(parts, 'read');
    expect(read?.isProgram).toBe(false);
    expect(read?.marks[0]).toMatchObject({ severity: 'error', from: { line: 2, column: 11 } });
  });

  test('never calls robust what the time was too short for', async () => {
    const text = endless.replace(
      'x = i; r = y;',
      'x = 1; fence; r = y; if (i > 9 && y > i) { x = 2; r = y; }',
    );
    const parts = await partsOf(native(text, 1));
    expect(partOf(parts, 'verdict')?.state).toBe('unknown');
  });

  test('tells a verdict before what follows it has ended', async () => {
    const stop = new AbortController();
    const parts: ResultPart[] = [];
    // One attack is feasible; whether the others are takes a search without end.
    const text = storeBuffering.replace('r = x; }', 'r = x; while (true) { y = y + 1; r = x; } }');
    await run(native(text), stop.signal, (part) => {
      parts.push(part);
      if (part.kind === 'verdict') stop.abort();
    });
    const states = parts.flatMap((part) => (part.kind === 'verdict' ? [part.state] : []));
    expect(states.length).toBeGreaterThan(1);
    expect(new Set(states)).toEqual(new Set(['not-robust']));
    expect(parts.at(-1)).toEqual({ kind: 'ended', by: 'stopped' });
  });

  test('ends soon after it is told to', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 300);
    const parts = await partsOf(native(endless), stop.signal);
    expect(parts.at(-1)).toEqual({ kind: 'ended', by: 'stopped' });
  });

  test('says which thread waits for ever, where, and for what', async () => {
    // Under SC the thread that looks last sees the other's store.
    const parts = await partsOf(
      native(`program Lost
var asleep, work, kick
thread sleeper { asleep = 1; if (work == 0) { await (kick == 1); } }
thread waker { work = 1; if (asleep == 1) { kick = 1; } }
`),
    );
    const sentence =
      'sleeper waits for ever at line 3, where kick = 0: TSO lets it, no execution without store buffers does';
    const states = partOf(parts, 'states');
    expect(partOf(parts, 'answer')?.words).toBe(`Hangs: ${sentence}.`);
    expect(states?.text).toContain(sentence);
    expect(states?.text).toContain('the store of sleeper to asleep, line 3, is late');
    expect(states?.page).toContain('sleeper waits for ever at line 3, where kick = 0');
  });

  test.each([
    [
      'shutdown',
      'Breaks: the assertion of worker at line 14 holds under SC and not under TSO, as',
      true,
    ],
    [
      'shutdown-fenced',
      'Robust: TSO adds nothing, and nothing that it claims fails, for any',
      false,
    ],
  ])('says of any number of copies what TSO makes of claims: %s', async (name, words, isShown) => {
    const text = await readFile(new URL(`examples/any-number/${name}.fw`, root), 'utf8');
    const parts = await partsOf(native(text));
    expect(parts.at(-1)).toEqual({ kind: 'ended', by: 'itself' });
    const states = partOf(parts, 'states');
    expect(states?.words.startsWith(words), states?.words).toBe(true);
    // The page shows the instance in which a claim fails; if no claim fails, there is no page.
    expect(states?.page !== undefined).toBe(isShown);
    expect(states?.text).toMatch(/the assertion of worker at line 14 +assert +holds/);
    expect(states?.isCut).toBe(false);
  });

  test('reads the formats', async () => {
    const texts = {
      trencher: await readFile(new URL('tools/peterson.trencher', root), 'utf8'),
      memorax: `forbidden CS CS
data x = 0 : [0:1]
     y = 0 : [0:1]
process
text
  L0: write: x := 1; read: y = 0; CS: write: x := 0; goto L0
process
text
  L0: write: y := 1; read: x = 0; CS: write: y := 0; goto L0
`,
    } as const;
    for (const format of ['trencher', 'memorax'] as const) {
      const parts = await partsOf({ file: 'a', format, text: texts[format], timeout: 60_000 });
      expect(partOf(parts, 'verdict')?.state, format).toBe('not-robust');
    }
  });
});
