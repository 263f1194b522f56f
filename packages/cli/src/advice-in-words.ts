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
 * Returns the option that names the numbers of copies in an instance, for a program with any number
 * of copies of threads.
 */
function copiesOption(file: string, scope: Scope | undefined): string[] {
  if (scope?.kind !== 'instance') return [];
  const format = formatOf(file);
  const option = format && frontEndOf(format).isCompiled ? '--threads' : '--copies';
  return [
    `${option} ${scope.copies.map(({ template, count }) => `${template}=${count}`).join(',')}`,
  ];
}

function fenceCommand(file: string, happensBefore: HappensBefore): string {
  return `fencewright fence ${happensBefore === 'value' ? '--hb value ' : ''}${quoteArgument(file)}`;
}

/**
 * Returns advice on the next step, in terms of verbs and options of the command line; `undefined`
 * if there is none.
 */
export function adviceInWords(advice: Advice): string | undefined {
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
      return `fencewright explain ${quoteArgument(advice.file)} --attack ${quoteArgument(advice.name)} --report html=attack.html`;
    case 'infer':
      return `fencewright prove --infer ${quoteArgument(advice.file)} looks for the invariants and abstractions that are missing`;
    case 'find-fences':
      return fenceCommand(advice.file, advice.happensBefore);
    case 'find-progress':
      return `fencewright fence --for progress ${quoteArgument(advice.file)}`;
    case 'insert-fences':
      return `${fenceCommand(advice.file, advice.happensBefore)} --write`;
    case 'ask-for-need':
      return `robust may be more than the program needs: fencewright ${quoteArgument(advice.file)} tells what breaks, hangs or differs without the fences`;
    case 'compare-states':
      return [
        'fencewright reach',
        ...copiesOption(advice.file, advice.scope),
        quoteArgument(advice.file),
      ].join(' ');
    case 'any-violation':
      return (
        '`fencewright explain FILE` shows the execution step by step; `fencewright fence FILE` finds the cheapest fences that' +
        ' make it impossible.'
      );
    case 'any-limit':
      return 'Raise --max-states, --effort, --max-memory or --timeout, or make the program smaller.';
  }
}

/** Returns a file and its program in the form that reports expect. */
export function subjectOf(read: ReadFile, program: Program): ReadFile & Subject {
  return { ...read, program, advise: adviceInWords };
}

/** Returns the diagnostics; hints name options of the command line. */
export function inOptions(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.map((diagnostic) =>
    diagnostic.advice === 'name-target'
      ? { ...diagnostic, hint: 'give --target S|L,L, or a line # target S|L,L' }
      : diagnostic,
  );
}
