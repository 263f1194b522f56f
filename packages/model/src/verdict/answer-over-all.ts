import type { Program } from '../program/program.js';
import { claimsExistence } from '../program/property.js';
import {
  type AllInstancesReach,
  type ClaimOverAll,
  type ShownInstance,
  type StandingOverAll,
  standingOverAll,
} from './all-instances-reach.js';
import { claimVerdicts } from './claim-verdicts.js';
import type { AnsweredInstances, Claim, StateAnswer } from './state-answer.js';

/** An instance in which, under TSO only, threads wait for ever or a state is reached. */
interface DifferingInstance extends ShownInstance {
  readonly differs: Extract<StateAnswer, { kind: 'hangs' | 'differs' }>;
}

/** The findings from which the answer about all instances is derived. */
export interface OverAllParts {
  readonly claims: readonly ClaimOverAll[];
  /**
   * An instance that shows the first claim broken by TSO or, without such a claim, the first
   * failing claim. Absent if no claim fails.
   */
  readonly shown?: ShownInstance & { readonly templateOf: readonly number[] };
  readonly differing?: DifferingInstance;
  /** Whether some execution of an instance ends in a fault. */
  readonly isFaulty: boolean;
  /** Whether all instances are robust; absent if unknown. */
  readonly robustness?: 'robust' | 'not-robust';
}

/** Whether a claim asks for a state, so that reaching the state is not a fault of the program. */
export function asksForState(templates: Program, claim: Claim): boolean {
  const property = claim.kind === 'property' ? templates.properties[claim.property] : undefined;
  return property !== undefined && claimsExistence(property);
}

/** Returns the combined result of the verdicts under SC and TSO on a claim of the templates. */
export function standingIn(templates: Program, one: ClaimOverAll): StandingOverAll {
  return standingOverAll(one, asksForState(templates, one.claim));
}

/**
 * The computation by which the instance decides a claim of the templates under one memory model;
 * `undefined` if the instance does not decide the claim.
 */
function computationOf(
  { program, result, templateOf }: NonNullable<OverAllParts['shown']>,
  claim: Claim,
  model: 'underSc' | 'underTso',
) {
  const own = claimVerdicts(program, result).find((one) =>
    claim.kind === 'property'
      ? one.claim.kind === 'property' && one.claim.property === claim.property
      : one.claim.kind === 'assertion' &&
        templateOf[one.claim.thread] === claim.thread &&
        one.claim.transition === claim.transition &&
        one[model] !== undefined,
  );
  return own?.[model];
}

/**
 * Derives the answer about all instances of a program: its claims refer to the templates, its
 * computation and state to the instance shown. The answer is robust only if all instances are.
 */
export function answerOverAll(templates: Program, parts: OverAllParts): StateAnswer {
  const { claims, shown, differing, isFaulty, robustness } = parts;
  const those = (standing: StandingOverAll): readonly ClaimOverAll[] =>
    claims.filter((one) => standingIn(templates, one) === standing);
  const named = (some: readonly ClaimOverAll[]): readonly Claim[] => some.map(({ claim }) => claim);
  if (isFaulty) return { kind: 'unknown', open: 'claims', claims: [], why: { kind: 'faults' } };
  const [broken, wrong, open] = [those('breaks'), those('wrong-under-sc'), those('open')];
  const run = broken[0] && shown && computationOf(shown, broken[0].claim, 'underTso');
  if (run) return { kind: 'breaks', claims: named(broken), computation: run };
  if (wrong[0]) {
    const computation = shown && computationOf(shown, wrong[0].claim, 'underSc');
    return { kind: 'wrong-under-sc', claims: named(wrong), ...(computation && { computation }) };
  }
  const [first] = open;
  if (first) {
    const side = first.tso.kind === 'unknown' ? first.tso : first.sc;
    const why = side.kind === 'unknown' ? side.why : ({ kind: 'instances' } as const);
    return { kind: 'unknown', open: 'claims', claims: named(open), why };
  }
  if (robustness === 'robust') return { kind: 'robust' };
  if (differing) return differing.differs;
  return { kind: 'unknown', open: 'states', claims: [], why: { kind: 'instances' } };
}

/** The templates and the instance to which a result about all instances refers. */
export function answeredInstances(
  templates: Program,
  { templates: names, shown }: Pick<AllInstancesReach, 'templates' | 'shown'>,
): AnsweredInstances {
  const instance = shown && { copies: shown.copies, program: shown.program };
  return { templates, names, ...(instance && { shown: instance }) };
}
