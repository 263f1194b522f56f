import type { Advice, Diagnostic, Model, Refusal } from '@fencewright/core';
import type { Asked } from './messages.js';

/** A text that was read. */
export interface Read extends Asked {
  readonly model: Model;
  readonly diagnostics: readonly Diagnostic[];
}

/** What to do next, in the words of the page. */
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

export const sentence = (words: string): string =>
  `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;

/** Why a question is none about such a program. */
export function refusalInWords({ kind }: Refusal): string {
  switch (kind) {
    case 'any-number':
      return 'This needs to know how many copies there are of each thread: write a number instead of [*].';
    case 'only-proofs':
      return 'This program has more than finitely many states can show: only a proof can answer. Ask "fencewright prove" on the command line.';
    case 'events':
      return 'This question is about programs of threads, and this one is made of events.';
    default:
      return 'This cannot be asked about such a program.';
  }
}
