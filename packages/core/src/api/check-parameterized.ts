import { hasHeavyFences } from '@fencewright/model/program/heavy-fences.js';
import { usesWideValues } from '@fencewright/model/program/uses-wide-values.js';
import { hasGuesses } from '@fencewright/model/analysis/guesses.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import type { ParameterizedDecision } from '@fencewright/engines/parameterized/decide-parameterized.js';
import type { UnboundedModel } from '@fencewright/model/program/model.js';
import type { Program } from '@fencewright/model/program/program.js';
import {
  sealCertificate,
  type SealedCertificate,
} from '@fencewright/model/program/seal-certificate.js';
import type { CheckResult, Scope, UnknownReason } from '@fencewright/model/verdict/verdict.js';
import { type CheckOptions, searchOptionsOf } from './check.js';
import { statisticsOf } from './decision-result.js';
import { faultDiagnostics } from './fault-diagnostics.js';
import { faultFindings, verdictWithin } from './look-around.js';

export interface ParameterizedCheckOptions extends CheckOptions {
  /** Whether the result for a robust program includes a certificate; off by default. */
  readonly certify?: boolean;
}

/** The result of checking all instances of a program with any number of copies of threads. */
export interface ParameterizedCheck {
  /**
   * The program that `result` refers to: the instance that is not robust; otherwise a program with
   * one thread for each template.
   */
  readonly program: Program;
  readonly result: CheckResult;
  /** The certificate of robustness, if the caller asked for one and all instances are robust. */
  readonly certificate?: SealedCertificate;
  /** The reason for a missing certificate, if the caller asked for one. */
  readonly uncertified?: UnknownReason;
}

function scopeOf(
  { templates, unbounded }: UnboundedModel,
  { broken }: ParameterizedDecision,
): Scope {
  const nameOf = (thread: number): string => templates.threads[thread]?.name ?? String(thread);
  return broken
    ? {
        kind: 'instance',
        copies: unbounded.map((thread) => ({
          template: nameOf(thread),
          count: broken.counts[thread] ?? 0,
        })),
      }
    : { kind: 'all', templates: unbounded.map(nameOf) };
}

/**
 * Decides whether all instances of a program are robust against TSO, and returns the evidence
 * ([BDM13] Sect. 6).
 */
export async function checkParameterized(
  program: UnboundedModel,
  options: ParameterizedCheckOptions = {},
): Promise<ParameterizedCheck> {
  const budget = new Budget(options.limits);
  const search = searchOptionsOf(options);
  const { happensBefore } = search;
  // Loaded on demand: the code is large, and few programs have any number of threads.
  const { decideParameterized, undecidedForAll } =
    await import('@fencewright/engines/parameterized/decide-parameterized.js');
  // Only searches with fixed numbers of threads take read abstractions into account.
  const decision =
    happensBefore === 'value' && hasGuesses(program.templates)
      ? undecidedForAll
      : await decideParameterized(program, { ...search, budget });
  const { broken } = decision;
  const about = broken?.instance.program ?? program.templates;
  const found = broken?.decision ?? decision;
  const faults = faultFindings(about, found);
  const verdict = verdictWithin(about, found, faults);
  const result: CheckResult = {
    verdict,
    happensBefore,
    scope: scopeOf(program, decision),
    ...(decision.proof && { invariant: decision.proof.invariant.length }),
    attacks: found.attacks,
    statistics: statisticsOf(
      about,
      { attacks: found.attacks, states: decision.states, queries: decision.queries },
      'cover',
      budget,
    ),
    faults,
    vacuity: { kind: 'not-looked-for' },
    diagnostics: faultDiagnostics(about, found.faults),
  };
  if (!options.certify || verdict.kind !== 'robust') return { program: about, result };
  if (usesWideValues(program.templates) || hasHeavyFences(program.templates))
    return { program: about, result, uncertified: 'unsupported' };
  options.onKnown?.(result);
  const { proveAllInstances } = await import('@fencewright/repairs/any-number/certificate.js');
  const proof = await proveAllInstances(program, happensBefore, budget);
  if (typeof proof === 'string') return { program: about, result, uncertified: proof };
  const certificate = await sealCertificate('all-instances', program, proof);
  return { program: about, result, certificate };
}
