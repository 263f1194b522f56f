import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { ReachResult } from './reach-result.js';
import type { OpenReason } from './open-reason.js';
import type { Claim, Instance, StateAnswer } from './state-answer.js';
import type { TemplateCount } from './verdict.js';

/** What one memory model says of a claim, over all instances. */
export type OverAll =
  /** In no instance does it fail; of an `exists`: in none is the state reached. */
  | { readonly kind: 'never' }
  /** In this instance it does, and has been run. */
  | { readonly kind: 'in'; readonly copies: readonly TemplateCount[] }
  | { readonly kind: 'unknown'; readonly why: OpenReason };

/** A claim of a program with threads in any number of copies. */
export interface ClaimOverAll {
  /** Its thread is one of the templates. */
  readonly claim: Claim;
  readonly sc: OverAll;
  readonly tso: OverAll;
}

/** An instance that shows something. */
export interface ShownInstance extends Instance {
  readonly result: ReachResult;
}

/**
 * What is claimed by a program with any number of copies of some threads, in all of its instances.
 * States are compared of small ones only.
 */
export interface AllInstancesReach {
  readonly templates: readonly string[];
  /** Properties, then assertions, in the order of the program. */
  readonly claims: readonly ClaimOverAll[];
  /**
   * What follows: claims are those of the templates; the computation and the state are those of the
   * instance in `shown`.
   */
  readonly answer: StateAnswer;
  /** The instance that shows the answer, with all that it reaches. */
  readonly shown?: ShownInstance;
  /** Minors and states that were kept. */
  readonly states: number;
  readonly milliseconds: number;
  readonly diagnostics: readonly Diagnostic[];
}

/** What a claim comes to, as of programs with fixed numbers. */
export type StandingOverAll = 'fine' | 'breaks' | 'wrong-under-sc' | 'open';

/** `isQuestion`: an `exists` or a `stuck`, which is no fault of a program that has it. */
export function standingOverAll({ sc, tso }: ClaimOverAll, isQuestion: boolean): StandingOverAll {
  if (sc.kind === 'in') return isQuestion ? 'fine' : 'wrong-under-sc';
  if (sc.kind === 'unknown' || tso.kind === 'unknown') return 'open';
  return tso.kind === 'in' ? 'breaks' : 'fine';
}
