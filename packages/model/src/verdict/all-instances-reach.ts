import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import type { ReachResult } from './reach-result.js';
import type { OpenReason } from './open-reason.js';
import type { Claim, Instance, StateAnswer } from './state-answer.js';
import type { TemplateCount } from './verdict.js';

/** The knowledge about a claim under one memory model, over all instances of a program. */
export type OverAll =
  /** The claim fails in no instance; for an `exists`: the state is reached in no instance. */
  | { readonly kind: 'never' }
  /**
   * The claim fails in the instance with these copies, or its state is reached there, as an
   * execution of the instance shows.
   */
  | { readonly kind: 'in'; readonly copies: readonly TemplateCount[] }
  | { readonly kind: 'unknown'; readonly why: OpenReason };

/** A claim of a program with threads in any number of copies. */
export interface ClaimOverAll {
  /** The property or assertion that the verdicts are about; thread ids refer to the templates. */
  readonly claim: Claim;
  readonly sc: OverAll;
  readonly tso: OverAll;
}

/** An instance of the program that shows a finding. */
export interface ShownInstance extends Instance {
  readonly result: ReachResult;
}

/**
 * The verdicts on all claims of a program with any number of copies of some threads, over all its
 * instances. States are compared only for small instances.
 */
export interface AllInstancesReach {
  readonly templates: readonly string[];
  /**
   * The verdicts on the program's properties and then on its assertions, in the order of the
   * program.
   */
  readonly claims: readonly ClaimOverAll[];
  /**
   * The overall answer: the claims in it refer to the templates, its computation and state to the
   * instance in `shown`.
   */
  readonly answer: StateAnswer;
  /** The instance that shows the answer; explored completely. */
  readonly shown?: ShownInstance;
  /**
   * The number of states that all searches stored together. A search over all instances stores
   * minors instead, each of which describes a set of configurations and counts as one.
   */
  readonly states: number;
  readonly milliseconds: number;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The combined result of a claim's verdicts under SC and TSO: fails under neither, under TSO only,
 * under SC, or unknown.
 */
export type StandingOverAll = 'fine' | 'breaks' | 'wrong-under-sc' | 'open';

/**
 * Returns the combined result of the verdicts on a claim. `isQuestion`: the claim is an `exists` or
 * a `stuck`, so reaching its state is not a fault of the program.
 */
export function standingOverAll({ sc, tso }: ClaimOverAll, isQuestion: boolean): StandingOverAll {
  if (sc.kind === 'in') return isQuestion ? 'fine' : 'wrong-under-sc';
  if (sc.kind === 'unknown' || tso.kind === 'unknown') return 'open';
  return tso.kind === 'in' ? 'breaks' : 'fine';
}
