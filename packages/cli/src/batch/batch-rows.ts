import type { JsonCheckResult } from '@fencewright/core';
import { type BatchResult, contradictionIn, forFile, wordFor } from './job-result.js';
import type { ListedFile } from './journal-lines.js';
import type { Journal, ResultOrigin } from './journal.js';
import { nameInJob, namesOfFile, type Naming } from './plan-job.js';

/** A file of a batch with its results, as a row of the output. */
export interface BatchRow {
  readonly listed: ListedFile;
  readonly result: BatchResult;
  /** The source of the result, such as a cache; absent if this run found the result. */
  readonly from?: string;
  /** Two different results of the same job, if the job was done more than once. */
  readonly contradiction?: readonly [BatchResult, BatchResult];
}

/** The files of a batch, with functions that read their results. */
export interface RowSource {
  readonly files: readonly ListedFile[];
  readonly naming: Naming;
  /** Returns all results of the job with the given key; the first result is the one that counts. */
  readonly resultsOf: (key: string) => readonly BatchResult[];
  /**
   * Returns the source of the first result of a job, such as a cache; `undefined` if this run has
   * found the result.
   */
  readonly fromOf?: (key: string) => string | undefined;
}

/** Returns the options that determine the formats of files in a batch, from the journal. */
export function namingOf({ header }: Pick<Journal, 'header'>): Naming {
  return header?.settings ?? {};
}

/** Returns the word for the source of a result; `undefined` for this run. */
function wordOf(origin: ResultOrigin | undefined): string | undefined {
  return origin === 'run' ? undefined : origin;
}

/** Returns the files of the last run, with the results in the journal. */
export function sourceOf(journal: Journal): RowSource {
  return {
    files: journal.files,
    naming: namingOf(journal),
    resultsOf: (key) => journal.resultsOf(key),
    fromOf: (key) => wordOf(journal.originOf(key)),
  };
}

/**
 * Yields the rows of all files with a result, in the order of the files; results are read lazily.
 */
export function* rowsOf({ files, naming, resultsOf, fromOf }: RowSource): Generator<BatchRow> {
  for (const listed of files) {
    const results = resultsOf(listed.key);
    const [result] = results;
    if (!result) continue;
    const { key, file, random } = listed;
    const named = random
      ? result
      : forFile(result, nameInJob(key, file, naming), namesOfFile(file));
    const contradiction = contradictionIn(results);
    const from = fromOf?.(key);
    yield {
      ...{ listed, result: named },
      ...(from !== undefined && { from }),
      ...(contradiction && { contradiction }),
    };
  }
}

/** Returns a row of the output as a line of JSON. */
export function jsonLine({ listed: { key }, result, from }: BatchRow): string {
  return `${JSON.stringify({ ...result.json, exitCode: result.exitCode, key, from })}\n`;
}

/** Returns numbers of copies as text: `t=2 u=3`. */
export function copiesText({ copies = {} }: ListedFile): string {
  return Object.entries(copies)
    .map(([name, count]) => `${name}=${count}`)
    .join(' ');
}

const columns = ['file', 'program', 'copies', 'verdict', 'reason', 'exit', 'states', 'ms', 'key'];

/** Returns a field of a CSV table, quoted if needed (RFC 4180). */
function field(value: string | number = ''): string {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const csvText = (fields: readonly (string | number | undefined)[]): string =>
  `${fields.map(field).join(',')}\r\n`;

/** The first line of the CSV table, with the names of the columns. */
export const csvHead = csvText(columns);

/** Returns a row of the output as a line of the CSV table. */
export function csvLine({ listed, result }: BatchRow): string {
  const { exitCode, json } = result;
  const { states, milliseconds } = json.stats ?? {};
  const head = [json.file, json.program, copiesText(listed), wordFor(result), json.reason];
  return csvText([...head, exitCode, states, milliseconds, listed.key]);
}

/**
 * The words for outcomes that a summary lists first, in this order; all other words come after
 * these.
 */
const order = ['robust', 'found', 'same', 'free', 'proved', 'serialisable'];

/**
 * Negative outcomes, with their positive counterparts: beside a counterpart, a summary says "not",
 * as in "16 robust, 9 not".
 */
const negated = new Map([
  ['not-robust', 'robust'],
  ['different', 'same'],
]);

type Count = readonly [word: string, count: number];

function byRank([a]: Count, [b]: Count): number {
  const rank = (word: string): number => {
    const at = order.indexOf(word);
    if (at >= 0) return at;
    return negated.has(word) ? order.length : order.length + 1;
  };
  return rank(a) - rank(b) || (a < b ? -1 : 1);
}

/** Returns how many programs a result is about, for each outcome. */
function countsOf(result: BatchResult): readonly Count[] {
  const { seeds } = result.json;
  if (!seeds) return [[wordFor(result), 1]];
  return Object.entries(seeds)
    .map(([word, { length }]): Count => [word, length])
    .sort(byRank);
}

/**
 * Returns the outcome of a result in words; for a result about random programs, each outcome, with
 * the number of programs that have it.
 */
export function wordsFor(result: BatchResult): string {
  const words = countsOf(result).map(([word, count]) =>
    result.json.seeds ? `${count} ${word}` : word,
  );
  return words.join(', ').replaceAll('-', ' ');
}

/** The words for each answer about the assertions of a program under C11. */
const assertionWords: Readonly<Record<string, string>> = {
  hold: 'assertions hold',
  fail: 'an assertion fails',
  unknown: 'assertions undecided',
};

/** By answer about claims and states under x86, the words for a finding beyond the verdict. */
const answerWords: Readonly<Record<string, string>> = {
  breaks: 'breaks on x86',
  'wrong-under-sc': 'wrong even without store buffers',
  hangs: 'can hang on x86',
};

/**
 * Returns remarks beyond the verdict of `check`: the model C11, and answers about claims and
 * assertions. Empty for other verbs.
 */
export function remarksOn({ json }: BatchResult): readonly string[] {
  const { answer, c11, notLookedAt } = json as CheckedParts;
  if (c11) {
    const said = assertionWords[c11.assertions];
    return [
      'against C11',
      ...(c11.races === 'found' ? ['data race'] : []),
      ...(said === undefined ? [] : [said]),
    ];
  }
  const open = (notLookedAt?.assertions ?? 0) + (notLookedAt?.properties.length ?? 0);
  if (!answer) return open > 0 ? ['claims not looked at'] : [];
  const said = answerWords[answer.kind];
  return said === undefined ? [] : [said];
}

/** The parts of a result of `check` that name the subject of the verdict. */
type CheckedParts = Pick<Partial<JsonCheckResult>, 'answer' | 'c11' | 'notLookedAt'>;

/** Counts results by outcome. */
export class Tally {
  readonly #counts = new Map<string, number>();
  #isOfFiles = true;

  add(result: BatchResult): void {
    if (result.json.seeds) this.#isOfFiles = false;
    for (const [word, count] of countsOf(result))
      this.#counts.set(word, (this.#counts.get(word) ?? 0) + count);
  }

  /** Returns the counts in words: `25 files: 16 robust, 9 not`. */
  get summary(): string {
    const all = [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
    const told = [...this.#counts].sort(byRank).map(([word, count]) => {
      const positive = negated.get(word);
      const isOther = positive !== undefined && this.#counts.has(positive);
      return `${count} ${isOther ? 'not' : word.replaceAll('-', ' ')}`;
    });
    const what = this.#isOfFiles ? 'file' : 'program';
    return `${all} ${what}${all === 1 ? '' : 's'}: ${told.join(', ') || 'nothing to do'}`;
  }
}
