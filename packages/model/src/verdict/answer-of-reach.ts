import type { Program } from '../program/program.js';
import { claimsExistence } from '../program/property.js';
import type { Computation } from '../trace/computation.js';
import type { MachineState } from '../trace/machine-state.js';
import { type ClaimTruth, claimVerdicts } from './claim-verdicts.js';
import type { HangFindings } from './hang.js';
import { knowsEnds, type ModelReach, type ReachResult } from './reach-result.js';
import type { OpenReason } from './open-reason.js';
import type { Claim, SoughtStates, StateAnswer } from './state-answer.js';
import { varyingParts } from './varying-parts.js';

/** Whether TSO reaches a state with empty buffers that SC does not reach, as far as known. */
export type DrainedComparison =
  | { readonly kind: 'same' }
  | { readonly kind: 'differs'; readonly state: MachineState; readonly computation?: Computation }
  | { readonly kind: 'unknown'; readonly why: OpenReason };

type Standing = 'fine' | 'breaks' | 'wrong-under-sc' | 'open';

interface StandingClaim {
  readonly claim: Claim;
  readonly standing: Standing;
  /** For a claim that asks for a state, whether SC reaches the state; absent for other claims. */
  readonly isReached?: boolean;
  readonly computation?: Computation;
}

function standingOf(sc: ClaimTruth, tso: ClaimTruth, isQuestion: boolean): Standing {
  // Reaching the state in question is not a fault of the program; SC not reaching the state is.
  if (isQuestion) {
    if (sc === 'holds') return 'fine';
    if (sc === 'violated' && tso !== 'unknown') return tso === 'holds' ? 'breaks' : 'fine';
    return 'open';
  }
  if (sc === 'violated') return 'wrong-under-sc';
  if (sc === 'holds' && tso !== 'unknown') return tso === 'holds' ? 'fine' : 'breaks';
  return 'open';
}

function standings(program: Program, reached: Pick<ReachResult, 'sc' | 'tso'>): StandingClaim[] {
  return claimVerdicts(program, reached).map(({ claim, sc, tso, underSc, underTso }) => {
    const property = claim.kind === 'property' ? program.properties[claim.property] : undefined;
    const isQuestion = property !== undefined && claimsExistence(property);
    const standing = standingOf(sc, tso, isQuestion);
    const computation = standing === 'breaks' ? underTso : underSc;
    return {
      ...{ claim, standing },
      ...(isQuestion && { isReached: sc === 'holds' }),
      ...(computation && { computation }),
    };
  });
}

/** Returns the claims that ask for a state, none of them open or broken. */
function soughtStates(claims: readonly StandingClaim[]): SoughtStates {
  const those = (isThere: boolean): readonly Claim[] =>
    claims.filter(({ isReached }) => isReached === isThere).map(({ claim }) => claim);
  const [reached, neverReached] = [those(true), those(false)];
  return reached.length + neverReached.length > 0 ? { reached, neverReached } : {};
}

function whyOpen({ sc, tso }: Pick<ReachResult, 'sc' | 'tso'>): OpenReason {
  const reasonOf = ({ incomplete }: ModelReach): OpenReason | undefined =>
    incomplete === undefined
      ? undefined
      : incomplete === 'buffer'
        ? { kind: 'buffer' }
        : { kind: 'limit', reason: incomplete };
  return reasonOf(sc) ?? reasonOf(tso) ?? { kind: 'limit', reason: 'undecided' };
}

/** The findings from which the answer about claims and states is derived. */
export interface AnswerParts extends Pick<
  ReachResult,
  'sc' | 'tso' | 'sameFinalStates' | 'robustness'
> {
  /** Whether some execution of the program ends in a fault. */
  readonly isFaulty: boolean;
  /**
   * The comparison of the states with empty buffers that SC and TSO reach; absent if not computed.
   */
  readonly drained?: DrainedComparison;
  readonly hangs: HangFindings;
}

/**
 * Derives the answer from the findings. Absent findings count as unknown: if the answer is
 * `unknown` because of states, computing `drained` may change the answer.
 */
export function stateAnswer(program: Program, parts: AnswerParts): StateAnswer {
  const { sc, tso, sameFinalStates, robustness, isFaulty, drained, hangs } = parts;
  const all = standings(program, parts);
  const those = (standing: Standing): readonly StandingClaim[] =>
    all.filter((one) => one.standing === standing);
  const claimsOf = (some: readonly StandingClaim[]): readonly Claim[] =>
    some.map(({ claim }) => claim);
  const broken = those('breaks');
  const shown = broken.find(({ computation }) => computation);
  if (shown?.computation) {
    const claims = claimsOf([shown, ...broken.filter((one) => one !== shown)]);
    return { kind: 'breaks', claims, computation: shown.computation };
  }
  const wrong = those('wrong-under-sc');
  const [first] = wrong;
  if (first) {
    const { computation } = first;
    return {
      kind: 'wrong-under-sc',
      claims: claimsOf(wrong),
      ...(computation && { computation }),
    };
  }
  const open = (what: 'claims' | 'states' | 'traces', why: OpenReason): StateAnswer => ({
    kind: 'unknown',
    open: what,
    claims: claimsOf([...broken, ...those('open')]),
    why,
  });
  if (isFaulty) return open('claims', { kind: 'faults' });
  if (broken.length > 0 || those('open').length > 0) return open('claims', whyOpen(parts));
  if (robustness === 'robust') return { kind: 'robust', ...soughtStates(all) };
  if (hangs.kind === 'found') {
    const [first, ...others] = hangs.hangs;
    if (first) return { kind: 'hangs', hangs: [first, ...others], computation: first.computation };
  }
  const openHangs = hangs.kind === 'unknown' && { openHangs: hangs.why };
  if (sameFinalStates === 'no' && knowsEnds(sc)) {
    const known = new Set(sc.finalStates.map(finalStateKey));
    const state = tso.finalStates.find((one) => !known.has(finalStateKey(one)));
    if (state) {
      const varying = varyingParts([state, ...sc.finalStates]);
      return { kind: 'differs', state, varying, ...openHangs };
    }
  }
  if (drained?.kind === 'differs') return { ...drained, ...openHangs };
  if (drained?.kind !== 'same') return open('states', drained?.why ?? whyOpen(parts));
  if (robustness === 'not-robust') return { kind: 'stricter', ...soughtStates(all) };
  return open('traces', whyOpen(parts));
}

/** A string key, equal for two final states iff their registers and memory are equal. */
function finalStateKey({ registers, memory }: MachineState): string {
  const cells = [...memory].filter(([, value]) => value !== 0).sort(([a], [b]) => a - b);
  return JSON.stringify([registers, cells]);
}
