import path from 'node:path';
import { sourceOf } from '../batch/batch-rows.js';
import { expectationsBeside, expectationsIn } from '../batch/expectations.js';
import type { Expectations } from '../batch/expected.js';
import { finishBatch, outputsOf, outputsToStdout } from '../batch/finish-batch.js';
import { jobScript } from '../batch/job-script.js';
import { journalHeader } from '../batch/open-journal.js';
import { poolSize } from '../batch/pool-size.js';
import { ResultCache } from '../batch/result-cache.js';
import { type Batch, runBatch } from '../batch/run-batch.js';
import { subjectsOf } from '../batch/subjects.js';
import { type ExitCode, exitCodes } from '../exit-codes.js';
import {
  filesIn,
  leftOutInWords,
  NoFiles,
  type Sought,
  soughtOf,
  type SoughtWishes,
} from '../files-in.js';
import {
  batchOptions,
  type BatchValues,
  outputOptions,
  type OutputValues,
} from '../options/batch.js';
import type { Sealer } from '../batch/seal.js';
import { keyVariable, userSealer, WeakKey } from '../batch/secrets.js';
import { askedReports, ciFormats, ciReportOptions } from '../options/ci-formats.js';
import { costsWithoutFile } from '../options/costs.js';
import { type OptionTable, rare } from '../options/declare.js';
import { leaveSoon } from '../interrupt.js';
import { kindOf } from '../operand-kind.js';
import { defaultMegabytes, mebibyte } from '../options/values.js';
import { settingsOf } from '../settings.js';
import type { FileVerb, Verb } from '../verb.js';

/** The verbs that can be used with `batch`. */
export const batched = ['check', 'fence', 'reach', 'trf', 'prove'] as const;
export type Batched = (typeof batched)[number];

/**
 * The options of verbs that `batch` does not have: they name output files, or concern how work is
 * shown or divided.
 */
const left = new Set([
  ...['json', 'jobs', 'html', 'certificate', 'script', 'output', 'write'],
  ...['handOverAfter', 'watch', ...ciFormats],
]);

/**
 * The options of verbs that the help of `batch` always shows, beside the options of `batch` itself.
 */
const common = new Set(['failOn', 'timeout', 'maxStates']);

/** The options that `batch` has in common with its verbs, and that do not affect results. */
const shown = new Set(['color', 'noColor', 'config']);

const ownNames = new Set(Object.keys({ ...batchOptions, ...outputOptions, ...ciReportOptions }));

function without(values: object, names: ReadonlySet<string>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.has(name)));
}

/**
 * Returns the expected verdicts, or the error in their file; empty if no option asks for a
 * comparison.
 */
export function expectationsOf(
  { expect, expectFrom }: OutputValues,
  verb: string,
): { readonly expectations?: Expectations } | { readonly failure: string } {
  if (expect) return { expectations: expectationsBeside(verb) };
  if (expectFrom === undefined) return {};
  const expectations = expectationsIn(expectFrom, verb);
  return 'failure' in expectations ? expectations : { expectations };
}

/** Returns the error if two outputs go to standard output; otherwise `undefined`. */
export function outputComplaint(values: OutputValues): string | undefined {
  return outputsToStdout(outputsOf(values)).length > 1
    ? 'standard output has room for one report'
    : undefined;
}

type BatchWishes = BatchValues &
  SoughtWishes & { readonly maxMemory?: number; readonly baseline?: string };

/**
 * Returns the values for jobs, with the option that a baseline implies. Jobs do not know the names
 * of their files, so the batch compares the findings at its end.
 */
function withoutBaseline({ baseline, ...values }: BatchWishes): object {
  return baseline === undefined ? values : { ...values, allAttacks: true };
}

/** Returns the batch that options and operands describe. */
function batchFor(
  verb: FileVerb,
  asked: BatchWishes,
  operands: readonly string[],
  sealer: Sealer,
  onPart: (file: string) => void,
): Batch {
  const { witnesses = false, shard, cache, fresh = false, retry = [] } = asked;
  const { audit = 0, maxMemory = defaultMegabytes, queue, queueName, window = 10_000 } = asked;
  const ci = askedReports(asked).length > 0 || asked.baseline !== undefined;
  // The values for the verb: only the verb's own options, and JSON output. `junit` makes the verb
  // collect findings for reports; no file is written.
  const values = {
    ...without(withoutBaseline(asked), ownNames),
    json: true,
    ...(ci && { junit: 'asked for' }),
  };
  const settings = {
    ...without(values, new Set([...shown, 'junit'])),
    ...(ci && { ci }),
    ...(witnesses && { witnesses }),
  };
  const ownValues = values as unknown as Parameters<FileVerb['request']>[0];
  const { given, instances } = settingsOf(ownValues, false);
  const { costsFile } = verb.request(ownValues, ['', '']);
  const part = shard ? `-${shard.index}-of-${shard.count}` : '';
  return {
    subjects: subjectsOf(operands, asked, soughtOf(asked, onPart)),
    common: {
      verb: verb.name,
      settings,
      ...(given.from && { from: given.from }),
      ...(given.formats && { formats: given.formats }),
      ...(given.c && { c: given.c }),
      ...(costsFile !== undefined && { costsFile }),
      ...(instances && { instances }),
    },
    header: journalHeader(verb.name, settings),
    folder: asked.journal ?? path.join('.fencewright', 'batch', verb.name + part),
    fresh,
    sealer,
    settings: { verb: verb.name, values, ci, witnesses },
    script: jobScript,
    processes: poolSize(asked.jobs, maxMemory * mebibyte),
    ...(shard && { shard }),
    ...(cache !== undefined && {
      cache: new ResultCache(cache, sealer, (line) => process.stderr.write(`${line}\n`)),
    }),
    ...(queue !== undefined && { queue: { at: queue, name: queueName, window } }),
    retry,
    audit,
  };
}

/**
 * Returns the error if an operand names no file, otherwise `undefined`; checked before any work is
 * done.
 */
async function operandComplaint(
  operands: readonly string[],
  sought: Sought,
): Promise<string | undefined> {
  try {
    for (const operand of operands) await filesIn([operand], sought).next();
    return undefined;
  } catch (error) {
    if (error instanceof NoFiles) return error.message;
    throw error;
  }
}

function refused(message: string): ExitCode {
  process.stderr.write(message);
  return exitCodes.usage;
}

/** Returns the sealer for the results of a run, or the error in the shared secret. */
function sealingOfRun(): Sealer | string {
  try {
    const { sealer, isLasting } = userSealer();
    if (!isLasting)
      process.stderr.write(
        `fencewright: the key for seals could not be stored: later runs will not trust the results of this run, unless ${keyVariable} is set\n`,
      );
    return sealer;
  } catch (error) {
    if (error instanceof WeakKey) return error.message;
    throw error;
  }
}

async function run(
  verb: FileVerb,
  asked: BatchWishes,
  operands: readonly string[],
): Promise<ExitCode> {
  const wrong = await operandComplaint(
    operands,
    soughtOf(asked, () => undefined),
  );
  if (wrong !== undefined) return refused(`error: ${wrong}\n`);
  const expected = expectationsOf(asked, verb.name);
  if ('failure' in expected) return refused(`error: ${expected.failure}\n`);
  const sealing = sealingOfRun();
  if (typeof sealing === 'string') return refused(`error: ${sealing}\n`);
  const parts: string[] = [];
  const onPart = (file: string): void => void parts.push(file);
  const end = await runBatch(batchFor(verb, asked, operands, sealing, onPart));
  if (end.kind === 'failure') return refused(end.message);
  if (parts.length > 0) process.stderr.write(leftOutInWords(parts));
  try {
    if (end.kind === 'stopped') return exitCodes.unknown;
    const outputs = outputsOf(asked);
    const { quiet = false } = asked;
    return await finishBatch(sourceOf(end.journal), {
      ...{ outputs, quiet, ...expected },
      ...(asked.baseline !== undefined && { baseline: asked.baseline }),
    });
  } finally {
    end.close();
    if (asked.queue !== undefined) leaveSoon();
  }
}

function subjectComplaint(
  { random, fromList }: BatchWishes,
  operands: readonly string[],
): string | undefined {
  if (random) return operands.length > 0 ? '--random takes no files' : undefined;
  if (operands.length === 0 && fromList === undefined)
    return 'name files, folders or patterns, or give --from-list or --random';
  return operands.includes('-')
    ? 'a batch reads files: --from-list - takes their names from standard input'
    : undefined;
}

function queueComplaint({ queue, window, ...rest }: BatchWishes): string | undefined {
  if (queue === undefined) return window === undefined ? undefined : '--window needs --queue';
  return costsWithoutFile.includes((rest as { readonly cost?: unknown }).cost)
    ? undefined
    : 'workers do not have the file of --cost: leave --queue out, or divide the batch with --shard';
}

/**
 * Makes the verb `batch` for a verb that asks about files; `verbNames` are the names of all verbs.
 */
export function batchOf({ ofFiles, options, complaint }: Verb, verbNames: readonly string[]): Verb {
  const verb = ofFiles!;
  const kept: OptionTable = Object.fromEntries(
    Object.entries(options).flatMap(([name, option]) => {
      if (left.has(name)) return [];
      return [[name, common.has(name) ? option : rare(option)]];
    }),
  );
  const ci = verb.name === 'check' ? ciReportOptions : {};
  const behind = (operands: readonly string[]): readonly string[] =>
    operands[0] === verb.name ? operands.slice(1) : operands;
  return {
    name: 'batch',
    behind: [...batched, 'merge', 'status'],
    examples: [
      [`fencewright batch ${verb.name} corpus`, 'asks about every program in a folder'],
      [
        `fencewright batch ${verb.name} --expect --report csv=table.csv corpus`,
        'compares with NAME.expected.json beside the files, and writes a table',
      ],
    ],
    options: { ...kept, ...batchOptions, ...outputOptions, ...ci },
    complaint: (values, operands) => {
      const named = behind(operands);
      const misplaced = operands === named && batched.find((name) => name === named[0]);
      if (misplaced) return `'${misplaced}' has to follow 'batch' directly`;
      const other = operands === named && verbNames.find((name) => name === named[0]);
      if (other && kindOf(other) === 'nothing')
        return `'${other}' is neither a file nor a verb of a batch: the verbs are ${batched.join(', ')}`;
      const asked = values as BatchWishes;
      return (
        subjectComplaint(asked, named) ??
        queueComplaint(asked) ??
        outputComplaint(asked) ??
        // Two empty names make the verb check its options as for several files.
        complaint(without(values, ownNames), ['', ''])
      );
    },
    run: (values, operands) => run(verb, values as BatchWishes, behind(operands)),
  };
}
