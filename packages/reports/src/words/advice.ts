import type { C11Model } from '@fencewright/model/c11/execution-graph.js';
import type { HappensBefore } from '@fencewright/model/trace/trace.js';
import type { Scope, UnknownReason } from '@fencewright/model/verdict/verdict.js';

/**
 * A next action that a report suggests to the user, by meaning; the program that displays the
 * report knows the options, menus or buttons, and supplies the words.
 */
export type Advice =
  /** Advice on how to get an answer after the answer `unknown`. */
  | { readonly kind: 'go-on'; readonly reason: UnknownReason }
  | { readonly kind: 'try-proof' }
  /** Advice to allow fewer stores in a buffer, if only TSO exceeds states, memory or time. */
  | { readonly kind: 'bound-buffers' }
  /** Advice to show the execution of an attack. */
  | { readonly kind: 'show-attack'; readonly file: string; readonly name: string }
  /** Advice to list everything that a report leaves out. */
  | { readonly kind: 'list-all' }
  /** Advice to look for invariants and abstractions. */
  | { readonly kind: 'infer'; readonly file: string }
  /** Advice to prove properties as well, after the program itself was proved. */
  | { readonly kind: 'prove-properties'; readonly file: string; readonly names: readonly string[] }
  | { readonly kind: 'find-fences'; readonly file: string; readonly happensBefore: HappensBefore }
  /** Advice to find fences that keep threads from waiting for ever under TSO only. */
  | { readonly kind: 'find-progress'; readonly file: string }
  | { readonly kind: 'insert-fences'; readonly file: string; readonly happensBefore: HappensBefore }
  /**
   * Advice to ask what fails, hangs or differs without the fences (`ask-for-need`), or whether the
   * claims of a robust program hold (`ask-for-claims`).
   */
  | {
      readonly kind: 'ask-for-need' | 'ask-for-claims';
      readonly file: string;
      /** Whether the file now has the fences. */
      readonly isWritten?: boolean;
    }
  /** Advice to make the run fail on a finding: the exit code tells robustness only. */
  | { readonly kind: 'fail-on-claims'; readonly what: 'violated' | 'deadlocks' }
  /**
   * Advice to show the execution in which a claim fails or a thread waits for ever.
   * `claimsNothing`: the program has no claims, so that only a question about all answers finds
   * the wait.
   */
  | { readonly kind: 'show-failure'; readonly file: string; readonly claimsNothing?: true }
  /** Advice to show the execution of C11 that SC does not have. */
  | { readonly kind: 'show-c11'; readonly file: string; readonly model: C11Model }
  /** Advice to check the program against the memory model of x86. */
  | { readonly kind: 'check-x86'; readonly file: string }
  /**
   * Advice to find the cheapest stronger orders and fences for C11, for robustness, or for the
   * assertions alone.
   */
  | {
      readonly kind: 'find-orders';
      readonly file: string;
      readonly model: C11Model;
      readonly forAssertions?: true;
    }
  /** Advice to compare final states and properties; `scope` has the numbers of copies. */
  | { readonly kind: 'compare-states'; readonly file: string; readonly scope?: Scope }
  /** General advice for any program that is not robust. */
  | { readonly kind: 'any-violation' }
  | { readonly kind: 'any-limit' };

/** A function that puts advice into words; `undefined` if no words fit. */
export type AdviceInWords = (advice: Advice) => string | undefined;
