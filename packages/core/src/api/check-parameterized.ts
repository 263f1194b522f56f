import { Budget } from '../base/budget.js';
import type {
  ParameterizedDecision,
  ParameterizedSteps,
} from '../parameterized/decide-parameterized.js';
import type { ParameterizedCertificate } from '../parameterized/certificate.js';
import type { ParameterizedProgram } from '../program/parameterized-program.js';
import type { Program } from '../program/program.js';
import type { CheckResult, Scope } from '../verdict/verdict.js';
import type { CheckOptions } from './check.js';
import { statisticsOf, toVerdict } from './decision-result.js';
import { faultDiagnostics } from './fault-diagnostics.js';
import { faultFindings } from './look-around.js';

export interface ParameterizedCheckOptions extends CheckOptions, ParameterizedSteps {
  /** Give the proof of a verdict `robust`. */
  readonly certify?: boolean;
}

/** What a check of all instances comes to. */
export interface ParameterizedCheck {
  /** What `result` is about: the instance that is not robust, otherwise one thread for each template. */
  readonly program: Program;
  readonly result: CheckResult;
  /** Present where it was asked for and all instances are robust. */
  readonly certificate?: ParameterizedCertificate;
}

function scopeOf(
  { templates, unbounded }: ParameterizedProgram,
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

/** Whether all instances of the program are robust against TSO, with the evidence ([BDM13] Sect. 6). */
export async function checkParameterized(
  program: ParameterizedProgram,
  options: ParameterizedCheckOptions = {},
): Promise<ParameterizedCheck> {
  const budget = new Budget(options.limits);
  const { allAttacks = false, notion = 'standard' } = options;
  // Programs with any number of threads are few, and what decides them is large.
  const { decideParameterized } = await import('../parameterized/decide-parameterized.js');
  const decision = await decideParameterized(program, { ...options, budget, allAttacks });
  const { broken } = decision;
  const about = broken?.instance.program ?? program.templates;
  const found = broken?.decision ?? decision;
  const verdict = toVerdict(found);
  const result: CheckResult = {
    verdict,
    notion,
    scope: scopeOf(program, decision),
    ...(decision.proof && { invariant: decision.proof.invariant.length }),
    attacks: found.attacks,
    statistics: statisticsOf(
      about,
      { attacks: found.attacks, states: decision.states, queries: decision.queries },
      'cover',
      budget,
    ),
    faults: faultFindings(about, found),
    vacuity: { kind: 'not-looked-for' },
    diagnostics: faultDiagnostics(about, found.faults),
  };
  if (!options.certify || verdict.kind !== 'robust') return { program: about, result };
  const { maskDeadRegisters = true, ownedCells = true } = options;
  const { createParameterizedCertificate } = await import('../parameterized/certificate.js');
  const states = { maskDeadRegisters, ownedCells };
  const certificate = await createParameterizedCertificate(program, decision, states, notion);
  return { program: about, result, certificate };
}

/** What is wrong with a certificate that all instances are robust, in words; empty if it holds. */
export async function verifyAllInstances(
  certificate: unknown,
  program: ParameterizedProgram,
): Promise<readonly string[]> {
  const { isParameterizedCertificate } = await import('../parameterized/certificate-shape.js');
  if (!isParameterizedCertificate(certificate))
    return ['this is no certificate for any number of threads in a form that is known here'];
  const { verifyParameterizedCertificate } =
    await import('../parameterized/verify-parameterized-certificate.js');
  return verifyParameterizedCertificate(certificate, program);
}
