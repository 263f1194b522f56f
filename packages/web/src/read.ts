import type { Advice, Diagnostic, Model, Refusal } from '@fencewright/core';
import type { TextQuestion } from './messages.js';

/** A text with the results of reading. */
export interface Read extends TextQuestion {
  readonly model: Model;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Returns advice on the next step, in terms of the page; `undefined` if the page has no such step.
 */
export function adviceInTabs({ kind }: Advice): string | undefined {
  switch (kind) {
    case 'find-fences':
      return 'the tab Fences';
    case 'compare-states':
      return 'the tab Final states';
    default:
      return undefined;
  }
}

/** Returns the reason to refuse a question about a program. */
export function refusalMessage(refusal: Refusal): string {
  switch (refusal.kind) {
    case 'condition':
      return refusal.diagnostics
        .map(({ message, span }) => `${span ? `Line ${span.start.line + 1}: ` : ''}${message}.`)
        .join(' ');
    case 'any-number':
      return 'This question needs a number of copies for each thread: write a number instead of [*].';
    case 'only-proofs':
      return 'A search cannot decide this program: only a proof can, by "fencewright prove" on the command line.';
    case 'events':
      return 'This question is about programs of threads, and this program is made of events.';
    default:
      return 'This question does not apply to this kind of program.';
  }
}
