import {
  type Advice,
  type Diagnostic,
  type HappensBefore,
  quoteArgument,
  type Program,
  type Scope,
  type Subject,
  type UnknownReason,
} from '@fencewright/core';
import type { ReadFile } from './finding.js';
import { frontEndOf, formatOf } from './formats.js';
import {
  type CValues,
  noArguments,
  type RepeatedArguments,
  repeatedArguments,
} from './repeated-arguments.js';

const waysOn: Readonly<Record<UnknownReason, string | undefined>> = {
  states: 'give it more with --max-states',
  work: 'give it more with --effort',
  memory: 'give it more with --max-memory',
  time: 'give it more with --timeout',
  cancelled: undefined,
  unsupported: 'try another --engine',
  undecided: 'try another --engine',
  'several-delays': undefined,
  effort: 'try another --engine',
};

/**
 * Returns the option that sets the numbers of copies of an instance, for a program whose threads
 * may have any number of copies.
 */
function copiesOption(file: string, scope: Scope | undefined): string[] {
  if (scope?.kind !== 'instance') return [];
  const format = formatOf(file);
  const option = format && frontEndOf(format).isCompiled ? '--threads' : '--copies';
  return [
    `${option} ${scope.copies.map(({ template, count }) => `${template}=${count}`).join(',')}`,
  ];
}

/**
 * Returns a `fencewright` command on a file. After the given words, the command repeats the options
 * and the arguments for clang with which the user ran this command.
 */
function commandOn(
  file: string,
  { options, forClang }: RepeatedArguments,
  ...words: readonly string[]
): string {
  return `${['fencewright', ...words].join(' ')} ${options}${quoteArgument(file)}${forClang}`;
}

/** Returns the option that selects the notion of happens-before; empty for the standard notion. */
function orderOption(happensBefore: HappensBefore): readonly string[] {
  return happensBefore === 'value' ? ['--hb value'] : [];
}

/**
 * Returns advice on the next step, in terms of verbs and options of the command line; `undefined`
 * if there is none. Commands repeat the given arguments.
 */
export function adviceInWords(
  advice: Advice,
  repeated: RepeatedArguments = noArguments,
): string | undefined {
  switch (advice.kind) {
    case 'go-on':
      return waysOn[advice.reason];
    case 'try-proof':
      return 'try --prove';
    case 'bound-buffers':
      return '--buffer N explores the executions with at most N stores in a buffer';
    case 'list-all':
      return '--json lists all';
    case 'show-attack':
      return commandOn(
        advice.file,
        repeated,
        ...['explain', `--attack ${quoteArgument(advice.name)}`, '--report html=attack.html'],
      );
    case 'infer':
      return `${commandOn(advice.file, repeated, 'prove', '--infer')} looks for the invariants and abstractions that are missing`;
    case 'prove-properties': {
      const asked = advice.names.map((name) => `--property ${quoteArgument(name)}`);
      return `${commandOn(advice.file, repeated, 'prove', '--infer', ...asked)} includes ${asked.length === 1 ? 'it' : 'them'}`;
    }
    case 'find-fences':
      return commandOn(advice.file, repeated, 'fence', ...orderOption(advice.happensBefore));
    case 'find-progress':
      return commandOn(advice.file, repeated, 'fence', '--for progress');
    case 'insert-fences':
      return commandOn(
        advice.file,
        repeated,
        ...['fence', '--write', ...orderOption(advice.happensBefore)],
      );
    case 'ask-for-need':
      return `robust may be more than the program needs: ${advice.isWritten ? 'take the change back, and ' : ''}${commandOn(advice.file, repeated)} tells what breaks, hangs or differs without the fences`;
    case 'ask-for-claims':
      return `robust does not mean right: ${commandOn(advice.file, repeated)} tells whether its claims hold`;
    case 'fail-on-claims':
      return undefined;
    case 'show-failure':
      return commandOn(
        advice.file,
        repeated,
        ...['explain', ...(advice.claimsNothing ? ['--answers'] : [])],
      );
    case 'show-c11':
      return commandOn(advice.file, repeated, 'check', `--model ${advice.model}`);
    case 'check-x86':
      return commandOn(advice.file, repeated, 'check', '--model tso');
    case 'find-orders':
      return commandOn(
        advice.file,
        repeated,
        ...['fence', `--model ${advice.model}`],
        ...(advice.forAssertions ? ['--for assertions'] : []),
      );
    case 'compare-states':
      return commandOn(advice.file, repeated, 'reach', ...copiesOption(advice.file, advice.scope));
    case 'any-violation':
      return (
        '`fencewright explain FILE` shows the execution step by step; `fencewright fence FILE` finds the cheapest fences that' +
        ' make it impossible.'
      );
    case 'any-limit':
      return 'Raise --max-states, --effort, --max-memory or --timeout, or make the program smaller.';
  }
}

/**
 * Returns a file and its program in the form that reports expect; `values` are the values of the
 * command's options.
 */
export function subjectOf(
  read: ReadFile,
  program: Program,
  values: CValues = {},
): ReadFile & Subject {
  const isC = frontEndOf(read.format).isCompiled;
  const repeated = isC ? repeatedArguments(values) : noArguments;
  return { ...read, program, advise: (advice) => adviceInWords(advice, repeated) };
}

/** Returns the diagnostics, with hints that name options of the command line. */
export function inOptions(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.map((diagnostic) =>
    diagnostic.advice === 'name-target'
      ? { ...diagnostic, hint: 'give --target S|L,L, or a line # target S|L,L' }
      : diagnostic,
  );
}
