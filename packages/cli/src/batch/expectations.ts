import { readFileSync } from 'node:fs';
import path from 'node:path';
import { quoteName } from '@fencewright/core';
import { writeFailure } from '../write-failure.js';
import { type ExitCode, exitCodes } from '../exit-codes.js';
import type { Expectation, Expectations } from './expected.js';
import { expectationsInHerdLog, isHerdLog } from './herd-log.js';
import type { BatchResult } from './job-result.js';

const foundIn = ({ json: { verdict = 'unknown' } }: BatchResult): string => verdict;

/**
 * Returns the verdict for the verb in a file `NAME.expected.json`; `undefined` if the file has
 * none.
 */
function verdictIn(text: string, verb: string): string | undefined {
  const said = JSON.parse(text) as { readonly verdict?: string; readonly stateRobust?: boolean };
  if (verb !== 'reach') return said.verdict;
  return said.stateRobust === undefined ? undefined : said.stateRobust ? 'same' : 'different';
}

/**
 * Returns a function that reads expectations from files beside the programs: `NAME.expected.json`,
 * with a member `verdict`, or, for `reach`, `stateRobust`.
 */
export function expectationsBeside(verb: string): Expectations {
  return (file, result) => {
    const { dir, name } = path.parse(file);
    const beside = path.join(dir, `${name}.expected.json`);
    const found = foundIn(result);
    try {
      const expected = verdictIn(readFileSync(beside, 'utf8'), verb);
      return expected === undefined ? undefined : { expected, found };
    } catch (error) {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      return isMissing ? undefined : { expected: `readable ${quoteName(beside)}`, found };
    }
  };
}

/**
 * Reads expectations from a file: a file name, a tab and a verdict in each line, or a log of herd.
 * Returns an error if the file has another form.
 */
export function expectationsIn(
  table: string,
  verb: string,
): Expectations | { readonly failure: string } {
  let text: string;
  try {
    text = readFileSync(table, 'utf8');
  } catch (error) {
    return { failure: `${table} cannot be read: ${writeFailure(error)}` };
  }
  if (isHerdLog(text)) {
    const expectations = expectationsInHerdLog(text, verb);
    return 'wrong' in expectations
      ? { failure: `${quoteName(table)}: ${expectations.wrong}` }
      : expectations;
  }
  const verdicts = new Map<string, string>();
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [file, verdict, ...more] = line.split('\t').map((part) => part.trim());
    if (file === undefined || !verdict || more.length > 0)
      return { failure: `${table}, line ${i + 1}: write the file, a tab, and its verdict` };
    verdicts.set(path.normalize(file), verdict);
  }
  return (file, result) => {
    const expected = verdicts.get(path.normalize(file));
    return expected === undefined ? undefined : { expected, found: foundIn(result) };
  };
}

/** The outcome of the comparison of a result with the expectation. */
export type ExpectationOutcome = 'as expected' | 'other' | 'undecided' | 'no expectation';

/** Verdicts that also fulfil the expectation of another verdict. */
const alike: Readonly<Record<string, string>> = { proved: 'robust' };

export function compared(expectation: Expectation | undefined): ExpectationOutcome {
  if (!expectation) return 'no expectation';
  const { expected, found } = expectation;
  if (found === expected || alike[found] === expected) return 'as expected';
  return found === 'unknown' ? 'undecided' : 'other';
}

/**
 * Returns the exit status for a file of a batch with expectations: success if the verdict is as
 * expected.
 */
export function exitCodeOf(comparison: ExpectationOutcome, { exitCode }: BatchResult): ExitCode {
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
