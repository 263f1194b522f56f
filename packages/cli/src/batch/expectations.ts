import { readFileSync } from 'node:fs';
import path from 'node:path';
import { writeFailure } from '../write-failure.js';
import { type ExitCode, exitCodes } from '../exit-codes.js';
import type { BatchResult } from './job-result.js';

/** The verdict that a file should have, where one is known. */
export type Expectations = (file: string) => string | undefined;

/** What is said in `NAME.expected.json`, as far as it answers the verb. */
function verdictIn(text: string, verb: string): string | undefined {
  const said = JSON.parse(text) as { readonly verdict?: string; readonly stateRobust?: boolean };
  if (verb !== 'reach') return said.verdict;
  return said.stateRobust === undefined ? undefined : said.stateRobust ? 'same' : 'different';
}

/** What stands beside the files: `NAME.expected.json`, with a member `verdict`. */
export function expectationsBeside(verb: string): Expectations {
  return (file) => {
    const { dir, name } = path.parse(file);
    try {
      return verdictIn(readFileSync(path.join(dir, `${name}.expected.json`), 'utf8'), verb);
    } catch {
      return undefined;
    }
  };
}

/** A table with a file and its verdict in each line, and a tab between them; or why it is none. */
export function expectationsIn(table: string): Expectations | { readonly failure: string } {
  let text: string;
  try {
    text = readFileSync(table, 'utf8');
  } catch (error) {
    return { failure: `${table} cannot be read: ${writeFailure(error)}` };
  }
  const verdicts = new Map<string, string>();
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [file, verdict, ...more] = line.split('\t').map((part) => part.trim());
    if (file === undefined || !verdict || more.length > 0)
      return { failure: `${table}, line ${i + 1}: write the file, a tab, and its verdict` };
    verdicts.set(path.normalize(file), verdict);
  }
  return (file) => verdicts.get(path.normalize(file));
}

/** How a result stands to what was expected. */
export type Comparison = 'as expected' | 'other' | 'undecided' | 'no expectation';

/** Verdicts of other verbs that say the same. */
const alike: Readonly<Record<string, string>> = { proved: 'robust' };

export function compared(expected: string | undefined, { json }: BatchResult): Comparison {
  const { verdict = 'unknown' } = json;
  if (expected === undefined) return 'no expectation';
  if (verdict === expected || alike[verdict] === expected) return 'as expected';
  return verdict === 'unknown' ? 'undecided' : 'other';
}

/** What a result comes to where verdicts are expected. */
export function exitCodeOf(comparison: Comparison, { exitCode }: BatchResult): ExitCode {
  switch (comparison) {
    case 'as expected':
      return exitCodes.robust;
    case 'other':
      return exitCode === exitCodes.internal || exitCode === exitCodes.input
        ? exitCode
        : exitCodes.notRobust;
    case 'undecided':
      return exitCodes.unknown;
    case 'no expectation':
      return exitCode;
  }
}
