import {
  anyNumberRefused,
  type Diagnostic,
  type EditRefusal,
  failureDiagnostic,
  notSupported,
  onlyProofs,
  type PropertyProblem,
  type Refusal,
  unknownName,
  wrongOperand,
} from '@fencewright/core';
import type { Settings } from './settings.js';
import type { FileVerb } from './file-verb.js';

/** Why there is no answer, with the options that the user gave or can give. */
export function refusalInWords(
  refusal: Refusal,
  verb: FileVerb,
  settings: Settings,
): readonly Diagnostic[] {
  switch (refusal.kind) {
    case 'any-number':
      return [anyNumberRefused(refusal.part === 'properties' ? 'fence --for' : `'${verb}'`)];
    case 'only-proofs':
      return [onlyProofs(`'${verb}'`, refusal.parts)];
    case 'no-choice': {
      const hint = 'leave it out, or give numbers of copies: --threads t=2';
      return refusal.wishes.map((wish) => {
        const option = optionOf(wish, settings);
        const message = `${option} does not apply to any number of copies: [*]`;
        return notSupported(undefined, message, hint);
      });
    }
    case 'no-certificate': {
      const hint = 'without --certificate it is decided all the same';
      const message = 'certificates are for threads in any number of copies: [*]';
      return [notSupported(undefined, message, hint)];
    }
    case 'missing':
      return [failureDiagnostic({ kind: 'missing', program: refusal.program })];
    case 'properties':
      return refusal.problems.map(problemInWords);
    case 'costs':
      return refusal.diagnostics;
  }
}

/** A wish as it was written. */
function optionOf(
  wish: Extract<Refusal, { kind: 'no-choice' }>['wishes'][number],
  { engine, solver, byOldSwitch }: Settings,
): string {
  switch (wish) {
    case 'engine':
      return `--engine ${engine}`;
    case 'solver':
      return `--solver ${solver ?? ''}`;
    default:
      return byOldSwitch.includes(wish) ? `--no-${wish}` : `--without ${wish}`;
  }
}

// The names come from the command line: there is no place in the file to point at.
const nowhere = { start: { line: 0, column: 0 }, end: { line: 0, column: 0 } };
const withoutPlace = ({ span: _, ...diagnostic }: Diagnostic): Diagnostic => diagnostic;

/** What is wrong with a name that `--for` gives. */
function problemInWords(problem: PropertyProblem): Diagnostic {
  switch (problem.kind) {
    case 'ambiguous': {
      const { name, span = nowhere } = problem.property;
      const message = `with --for '${name}' is both this property and all assertions`;
      return wrongOperand(span, message, 'give the property another name');
    }
    case 'no-assertions':
      return withoutPlace(
        wrongOperand(nowhere, 'the program has no assertions', 'write assert(e); in a thread'),
      );
    case 'unknown':
      return withoutPlace(unknownName(nowhere, 'property', problem.name, problem.known));
    case 'existence': {
      const { kind, span = nowhere } = problem.property;
      const message = `no fence can enforce ${kind === 'stuck' ? 'a' : 'an'} '${kind}' property`;
      return wrongOperand(span, message, 'give --for a property that says never or finally');
    }
  }
}

/** Why the text of a program cannot be changed as it should. */
export function editRefusalInWords(refusal: EditRefusal): readonly Diagnostic[] {
  if (refusal.kind === 'text') return refusal.diagnostics;
  const failing = refusal.properties.join(', ');
  return [
    notSupported(
      undefined,
      `with the fences in the text, labels stand elsewhere, and ${failing} fails`,
      'label the statement inside of the loop, or ask for exchanges: --repair xchg',
    ),
  ];
}
