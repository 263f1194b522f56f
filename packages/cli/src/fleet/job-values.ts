import { canonicalJson } from '@fencewright/core';
import { InvalidArgumentError, type Option } from 'commander';
import { inputFormats } from '../formats.js';
import { batchOptions, outputOptions } from '../options/batch.js';
import { ciReportOptions } from '../options/ci-formats.js';
import { cOptions } from '../options/c-files.js';
import type { OptionTable } from '../options/declare.js';
import type { CopyRange } from '../options/instances.js';

/**
 * Returns the options that a job from a queue may set: the options of its verb in `batch`, without
 * options about batches and options for C that depend on the machine.
 */
function optionsOfJobs(options: OptionTable): OptionTable {
  const { pool: _, args: __, assume: ___, ...ofMachine } = cOptions;
  const others = { ...batchOptions, ...outputOptions, ...ciReportOptions, ...ofMachine };
  return Object.fromEntries(Object.entries(options).filter(([name]) => !(name in others)));
}

/**
 * Returns an argument on the command line by which an option has the value; `undefined` if there is
 * none.
 */
function argumentOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null) return undefined;
  const { thread, low, high, isAny } = value as Partial<CopyRange>;
  return thread === undefined ? undefined : `${thread}=${isAny ? '*' : `${low}..${high}`}`;
}

/**
 * Returns the value that an option has after reading arguments; `undefined` if the option refuses
 * an argument.
 */
function readBy({ parseArg, argChoices }: Option, given: readonly string[]): unknown {
  if (argChoices) return argChoices.find((choice) => choice === given[0]);
  if (!parseArg) return given[0];
  try {
    return given.reduce<unknown>((before, one) => parseArg(one, before), undefined);
  } catch (error) {
    if (error instanceof InvalidArgumentError) return undefined;
    throw error;
  }
}

/** Whether an option can have the value after reading some arguments on the command line. */
function isValueOf(option: Option, value: unknown): boolean {
  if (option.isBoolean() || option.negate) return typeof value === 'boolean';
  const given = (Array.isArray(value) ? value : [value]).map(argumentOf);
  if (!given.every((one) => one !== undefined)) return false;
  // A list may come from several arguments, or from one argument with commas.
  return [given, [given.join(',')]].some(
    (all) => canonicalJson(readBy(option, all)) === canonicalJson(value),
  );
}

/** Whether a value has the form of the setting that maps file extensions to formats. */
function isFormats(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).every((format) => inputFormats.some((known) => known === format));
}

/**
 * Whether a value has the form of a `ConfiguredBy` without `options`: the name of a configuration
 * file, and the settings used from the file. The texts must have no control characters.
 */
function isConfiguredBy(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { file, settings, ...rest } = value as Readonly<Record<string, unknown>>;
  const isPlain = (text: unknown): boolean => typeof text === 'string' && !/\p{Cc}/u.test(text);
  return (
    isPlain(file) &&
    Array.isArray(settings) &&
    settings.every(isPlain) &&
    Object.keys(rest).length === 0
  );
}

/**
 * Functions that check values of a job without an option, or in a form different from the option's;
 * by name of the value.
 */
const validators: Readonly<Record<string, (value: unknown) => boolean>> = {
  // A document is the result.
  json: (value) => value === true,
  // Requests findings for reports; the value names no file.
  junit: (value) => value === 'asked for',
  color: (value) => [false, 'auto', 'always', 'never'].some((known) => known === value),
  formats: isFormats,
  configured: isConfiguredBy,
};

/**
 * Returns the name of a value in a job that the verb's options do not allow; `undefined` if there
 * is none.
 */
export function strangeValue(
  values: Readonly<Record<string, unknown>>,
  options: OptionTable,
): string | undefined {
  const known = optionsOfJobs(options);
  return Object.entries(values).find(([name, value]) => {
    if (Object.hasOwn(validators, name)) return !validators[name]!(value);
    const declared = Object.hasOwn(known, name) ? known[name] : undefined;
    return !declared || !isValueOf(declared.make(), value);
  })?.[0];
}
