import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** An algorithm: its source, a key of `docs/papers.md`, and its programs, by their paths. */
export interface AtlasRow {
  readonly name: string;
  readonly source: string;
  /**
   * The path of the algorithm's program without fences, as published or with its fences removed;
   * absent if the row has only a program with fences, or only C.
   */
  readonly program?: string;
  /** The path of the algorithm's program with fences; absent if the row has none. */
  readonly fenced?: string;
  readonly c?: string;
  /**
   * The path of the algorithm's program with the memory orders of C11; absent if the row has none.
   */
  readonly c11?: string;
}

export interface AtlasFamily {
  readonly family: string;
  readonly rows: readonly AtlasRow[];
}

/** The answers about one program, as far as they were asked for; `open` after a limit. */
export interface AtlasAnswer {
  readonly verdict?: string;
  readonly answer?: string;
  readonly hangs?: string;
  readonly states?: string;
  /** The lines of the cheapest fences, with the threads; a fence comes before its line. */
  readonly fences?: readonly string[];
  /** Whether the verifier accepts the certificate of the cheapest fences for the program. */
  readonly certified?: boolean;
  /** The lines of the program's fences that are not needed, with the threads. */
  readonly removable?: readonly string[];
  /** The verdict on the program against C11, or the reason why there is none. */
  readonly c11?: string;
  /** The lines of the program whose memory orders can be weaker, all together, with the threads. */
  readonly weaker?: readonly string[];
}

export type AtlasAnswers = Readonly<Record<string, AtlasAnswer>>;

/**
 * The maximum number of states for each question: few enough for a test, and the same on every
 * machine.
 */
export const atlasStates = 20_000;

export const root = fileURLToPath(new URL('../', import.meta.url));

const read = (file: string): unknown =>
  JSON.parse(readFileSync(`${root}docs/atlas/${file}`, 'utf8'));

export const readTable = (): readonly AtlasFamily[] =>
  read('algorithms.json') as readonly AtlasFamily[];

export const readAnswers = (): AtlasAnswers => read('answers.json') as AtlasAnswers;

/** The questions about the programs of the atlas: the column, and the command without files. */
export const atlasQuestions = [
  { column: 'program', command: ['check', '--answers'] },
  { column: 'program', command: ['reach'] },
  { column: 'program', command: ['fence'] },
  { column: 'fenced', command: ['check', '--answers'] },
  { column: 'fenced', command: ['fence', '--minimise'] },
  { column: 'c', command: ['check', '--answers'] },
  { column: 'ordered', command: ['check', '--model', 'c11'] },
  { column: 'ordered', command: ['fence', '--model', 'c11', '--minimise'] },
] as const;

/**
 * Returns the program of a row that stands in a column; `undefined` if there is none. The column
 * `ordered` has the programs with memory orders.
 */
function programIn(
  row: AtlasRow,
  column: (typeof atlasQuestions)[number]['column'],
): string | undefined {
  return column === 'ordered' ? (row.c11 ?? row.c) : row[column];
}

interface Place {
  readonly kind?: string;
  readonly thread?: string;
  readonly line?: number;
  readonly lines?: readonly number[];
}

/** A result in JSON, as far as the atlas reads it. */
interface Result {
  readonly file: string;
  readonly verdict: string;
  readonly outcome?: string;
  readonly answer?: { readonly kind: string };
  readonly hangs?: { readonly verdict: string };
  readonly sameFinalStates?: string;
  readonly fences?: readonly Place[];
  readonly removable?: readonly Place[];
  readonly orders?: { readonly changes?: readonly Place[] };
  readonly c11?: { readonly limit?: string };
}

const placesIn = (places: readonly Place[]): readonly string[] =>
  places.flatMap(({ thread = '', line, lines = [] }) =>
    (line === undefined ? lines : [line]).map((at) => `${thread}:${at}`),
  );

const openWord = (word: string): string => (word === 'unknown' ? 'open' : word);

function answerIn(verb: string, isC11: boolean, result: Result): AtlasAnswer {
  const { verdict, outcome, answer, hangs, sameFinalStates, fences = [], removable = [] } = result;
  if (isC11 && verb === 'fence')
    return outcome === 'found' ? { weaker: placesIn(result.orders?.changes ?? []) } : {};
  // In C11, the only error of programs with answers about TSO is a heavy fence.
  if (isC11)
    return { c11: verdict === 'error' ? 'heavy-fences' : (result.c11?.limit ?? openWord(verdict)) };
  if (verb === 'check')
    return { verdict: openWord(verdict), ...(answer && { answer: openWord(answer.kind) }) };
  if (verb === 'fence')
    return outcome === undefined
      ? {}
      : {
          fences: placesIn(fences),
          ...(outcome === 'found' && { removable: placesIn(removable) }),
        };
  // `reach` compares states only for given numbers of copies.
  if (!hangs || sameFinalStates === undefined) return {};
  return {
    ...(answer && { answer: openWord(answer.kind) }),
    ...{ hangs: openWord(hangs.verdict), states: openWord(sameFinalStates) },
  };
}

/** Runs the command line from the root, and returns its standard output and its exit code. */
export type Ask = (
  args: readonly string[],
) => Promise<{ readonly stdout: string; readonly code: number | null }>;

/** Asks for the cheapest fences with a certificate, and the verifier about this certificate. */
async function isCertified(file: string, ask: Ask): Promise<boolean> {
  const folder = await mkdtemp(path.join(tmpdir(), 'fencewright-atlas-'));
  try {
    const certificate = path.join(folder, 'certificate.json');
    const limit = ['--max-states', String(atlasStates)];
    await ask(['fence', '--quiet', '--certificate', certificate, ...limit, file]);
    return (await ask(['verify-certificate', certificate, file])).code === 0;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Asks all questions about the programs of rows. */
export async function askAtlas(rows: readonly AtlasRow[], ask: Ask): Promise<AtlasAnswers> {
  const found: Record<string, AtlasAnswer> = {};
  for (const { column, command } of atlasQuestions) {
    const files = [...new Set(rows.flatMap((row) => programIn(row, column) ?? []))];
    if (files.length === 0) continue;
    const limit = ['--max-states', String(atlasStates)];
    const { stdout } = await ask([...command, '--json', ...limit, ...files]);
    const { results } = JSON.parse(stdout) as { readonly results: readonly Result[] };
    const isC11 = column === 'ordered';
    for (const result of results)
      found[result.file] = { ...found[result.file], ...answerIn(command[0], isC11, result) };
  }
  const repaired = new Set(
    rows.flatMap(({ program = '' }) => (found[program]?.fences ? program : [])),
  );
  for (const file of repaired)
    found[file] = { ...found[file], certified: await isCertified(file, ask) };
  return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)));
}

const verdictWords: Readonly<Record<string, string>> = {
  robust: 'yes',
  'not-robust': 'no',
  open: 'open',
  // Reasons why a program has no meaning in C11, or no answer about C11.
  'lock-blocks': 'undecided: sleeps in the kernel',
  'wide-values': 'undecided: 64 bits',
  volatile: 'undecided: `volatile`',
  'heavy-fences': 'undecided: heavy fences',
};

const answerWords: Readonly<Record<string, string>> = {
  ...{ breaks: '**breaks**', 'wrong-under-sc': 'wrong under SC', hangs: '**hangs**' },
  ...{ differs: 'differs', stricter: 'harmless', robust: 'nothing new', open: 'open' },
};

const hangWords: Readonly<Record<string, string>> = { none: 'no', hangs: '**yes**', open: 'open' };
const stateWords: Readonly<Record<string, string>> = { yes: 'no', no: 'yes', open: 'open' };

/** Returns places in words: `t0 at 15, t1 at 26`. */
function placesInWords(places: readonly string[]): string {
  const lines = new Map<string, string[]>();
  for (const place of places) {
    const [thread = '', line = ''] = place.split(':');
    lines.set(thread, [...(lines.get(thread) ?? []), line]);
  }
  return [...lines].map(([thread, at]) => `${thread} at ${at.join(', ')}`).join('; ');
}

const named = (words: Readonly<Record<string, string>>, key: string | undefined): string =>
  key === undefined ? '' : (words[key] ?? key);

const link = (words: string, file: string): string => `[${words}](../../${file})`;

/** Returns a list of places, or `none`; nothing if the list is absent. */
const listed = (places: readonly string[] | undefined): string =>
  places === undefined ? '' : places.length === 0 ? 'none' : placesInWords(places);

function rowLine(row: AtlasRow, answers: AtlasAnswers): string {
  const plain = answers[row.program ?? row.c ?? ''] ?? {};
  const fenced = answers[row.fenced ?? ''] ?? {};
  const { fences, certified } = row.program === undefined ? {} : plain;
  const portable = answers[programIn(row, 'ordered') ?? ''] ?? {};
  const count = fences && fences.length > 0 ? `${fences.length}: ` : '';
  const columns = [
    row.name,
    row.source,
    named(verdictWords, plain.verdict),
    named(answerWords, plain.answer),
    named(hangWords, plain.hangs),
    named(stateWords, plain.states),
    `${count}${listed(fences)}`,
    certified === undefined ? '' : certified ? 'yes' : 'no',
    listed(fenced.removable),
    named(verdictWords, portable.c11) || '–',
    listed(portable.weaker) || (portable.c11 === 'robust' ? 'open' : '–'),
    [
      ...(row.program ? [link('plain', row.program)] : []),
      ...(row.fenced ? [link('fenced', row.fenced)] : []),
      ...(row.c ? [link('C', row.c)] : []),
      ...(row.c11 ? [link('C11', row.c11)] : []),
    ].join(', '),
  ];
  return `| ${columns.join(' | ')} |`;
}

/** Returns the page of the atlas. */
export function atlasPage(table: readonly AtlasFamily[], answers: AtlasAnswers): string {
  const count = table.reduce((sum, { rows }) => sum + rows.length, 0);
  const head = [
    '| algorithm | source | robust | answer | hangs | other ends | cheapest fences | certified | fences that can go | robust in C11 | orders that can be weaker | programs |',
    '|---|---|---|---|---|---|---|---|---|---|---|---|',
  ];
  const families = table.flatMap(({ family, rows }) => [
    ...['', `## ${family}`, '', ...head],
    ...rows.map((row) => rowLine(row, answers)),
  ]);
  return `${[intro(count), ...families].join('\n')}\n`;
}

const intro = (count: number): string => `# Atlas

What x86 does to ${count} well-known algorithms. \`npm run atlas\` makes this page from
[algorithms.json](algorithms.json); [answers.json](answers.json) has all answers, by program. A row
is about the linked program: an instance with few threads, unless the row says otherwise.

| column | for the plain program; for C alone where there is no plain one |
|---|---|
| robust | whether TSO, the memory model of x86, adds executions |
| answer | what TSO does to claims and states: _breaks_ a claim, _hangs_, _differs_ in states; _harmless_: only traces differ |
| hangs | whether a thread can wait for ever under TSO only |
| other ends | whether the program can end under TSO as it cannot without store buffers; programs that never end have no other ends |
| cheapest fences | their number, and the lines before which they stand, for robustness |
| certified | whether \`verify-certificate\` accepts the proof that these fences suffice and none are cheaper |
| fences that can go | in the fenced program, and the program stays robust |
| robust in C11 | of the program with memory orders, C11 or else C: whether its orders are enough on every machine |
| orders that can be weaker | of the same program, all together, and it stays robust without data races |

Sources are keys of [papers.md](../papers.md). "open" means that ${atlasStates.toLocaleString('en')} states did not settle
the question; a run without this limit may. An empty cell was not asked: fences and states are
searched for the native language, and states for given numbers of threads only. A dash: no program
of the row has memory orders; or a program that is not robust or undecided, whose orders cannot
be weaker.`;
