import { at } from '@fencewright/ground/base/at.js';
import type { Budget } from '@fencewright/ground/base/budget.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import type { EventRun } from '@fencewright/model/trace/event-run.js';
import type { Decision } from '../../robustness/decision.js';
import { searchAttacks } from '../../search/attack-search.js';
import { decideAttacks } from '../../search/decide-attacks.js';
import { searchAttack } from '../../search/search-attack.js';
import type { SearchReductions } from '../../search/search-session.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';
import type {
  DecidedEventAttack,
  EventAttack,
} from '@fencewright/model/verdict/event-check-result.js';
import type { RunJudgement } from '@fencewright/model/verdict/event-judgement.js';
import type { FaultFindings, UnknownReason, Witness } from '@fencewright/model/verdict/verdict.js';
import { judgeRun } from '@fencewright/model/events/judge-run.js';
import { replayEventRun } from '@fencewright/model/events/replay-event-run.js';
import { defaultBounds, type BoundHit, type CallTreeBounds } from './bounds.js';
import { eventAttackOf, eventAttacks } from './event-attacks.js';
import { liftThreadRun } from './lift-run.js';
import { type FaultySite, lookForEventFaults } from '@fencewright/model/events/look-for-faults.js';
import { hasNoAttacks } from './no-attacks.js';
import { lowerEvents } from './lower.js';
import { siteOf, type LoweredProgram } from './lowered-program.js';

export interface EventTsoOptions {
  readonly budget: Budget;
  /** The bounds on the call trees; `defaultBounds` by default. */
  readonly bounds?: Partial<CallTreeBounds>;
  /** Whether the program has a fence before every posting; off by default. */
  readonly postingFenced?: boolean;
  readonly reductions?: SearchReductions;
  /**
   * Whether every attack is decided, instead of stopping at the first feasible one; off by default.
   */
  readonly allAttacks?: boolean;
  /**
   * With `allAttacks`, selects attacks that the witness may show: if a selected attack is feasible,
   * the witness carries out a selected one.
   */
  readonly shows?: (attack: EventAttack) => boolean;
}

/**
 * An attack with a run that carries the attack out. The run was replayed and judged: the
 * happens-before of the run has a cycle.
 */
interface EventTsoWitness extends EventAttack {
  readonly run: EventRun;
  readonly judgement: RunJudgement;
}

/**
 * Why a check against TSO has no definite answer; `hit` lists the bounds that cut off behaviour.
 */
export type EventTsoUnknown =
  | { readonly kind: 'search'; readonly reason: UnknownReason }
  /**
   * The search found a run that violates the criterion only if a certain task is the reason why a
   * waiting event began. But several tasks had passed the milestone before, and SC allows the run
   * if another of these tasks is the reason.
   */
  | { readonly kind: 'unconfirmed' }
  | { readonly kind: 'faults'; readonly faults: readonly FaultySite[] }
  | { readonly kind: 'bounds'; readonly hit: readonly BoundHit[] };

/**
 * The verdict on robustness of an event program against TSO; `unknown` if executions are known to
 * fault.
 */
export type EventTsoVerdict =
  | {
      readonly kind: 'robust';
      readonly shownBy: 'one-thread' | 'no-attacks' | 'search';
      /** Whether the check proved that no execution faults, or did not look for faults. */
      readonly faults: Exclude<FaultFindings, { kind: 'found' }>;
    }
  | { readonly kind: 'not-robust'; readonly witness: EventTsoWitness }
  | { readonly kind: 'unknown'; readonly why: EventTsoUnknown };

interface EventTsoResult {
  readonly verdict: EventTsoVerdict;
  readonly states: number;
  /** The verdicts on all attacks; present if the option `allAttacks` is set. */
  readonly attacks?: readonly DecidedEventAttack[];
}

/** Whether a task of the program may run on a thread besides main. */
function hasBackground({ bodies, instances }: EventProgram): boolean {
  const reached = new Set(instances.map(({ event }) => event));
  for (const body of reached)
    for (const { instruction } of at(bodies, body).transitions) {
      if (instruction.kind === 'post' && instruction.to === 'any') return true;
      if (instruction.kind === 'post' || instruction.kind === 'call') reached.add(instruction.body);
    }
  return false;
}

/**
 * Decides whether happens-before of every TSO run is acyclic ([BEMR18] with threads: [BDM13]'s
 * robustness of the main thread and of the tasks with their own threads), by a search for attacks;
 * an attack may end with a posting. A program with one thread has no attack, but is searched for
 * faults all the same.
 */
export async function checkEventTso(
  program: EventProgram,
  options: EventTsoOptions,
): Promise<EventTsoResult> {
  const { budget, bounds, postingFenced = false, reductions = {}, allAttacks = false } = options;
  const lower = (): LoweredProgram =>
    lowerEvents(program, { ...defaultBounds, ...bounds }, postingFenced);
  if (!hasBackground(program)) {
    const result = await robustUnlessFaulty(program, 'one-thread', budget);
    return allAttacks ? { ...result, attacks: attacksOfOneThread(lower()) } : result;
  }
  const lowered = lower();
  const decision = await searchAttacks(lowered.program, {
    ...reductions,
    budget,
    allAttacks,
    looksAround: true,
  });
  const shown = await showing(lowered, decision, options);
  const result = await resultOf(program, lowered, shown, options);
  if (!allAttacks) return result;
  const isPartial = whyOpen(lowered, decision)?.kind === 'bounds' && !hasNoAttacks(program);
  return { ...result, attacks: eventAttacks(lowered, decision.attacks, isPartial) };
}

/**
 * If the caller selects attacks to be shown, returns the decision with a witness of a selected
 * attack, provided that a search within the limits finds one; otherwise returns the decision as it
 * is.
 */
async function showing(
  lowered: LoweredProgram,
  decision: Decision,
  { shows, budget, reductions = {} }: EventTsoOptions,
): Promise<Decision> {
  if (!shows || !decision.witness) return decision;
  const isMeant = (attack: Attack): boolean => {
    const own = eventAttackOf(lowered, attack);
    return own !== undefined && shows(own);
  };
  if (isMeant(decision.witness.attack)) return decision;
  const meant = decision.attacks.find(
    ({ attack, verdict }) => verdict === 'feasible' && isMeant(attack),
  );
  if (!meant) return decision;
  const { witness } = await searchAttack(lowered.program, meant.attack, budget, reductions);
  return witness ? { ...decision, witness } : decision;
}

/**
 * Returns the attacks of a program with one thread, all infeasible: no second thread can notice a
 * late store.
 */
function attacksOfOneThread(lowered: LoweredProgram): readonly DecidedEventAttack[] {
  const attacks = decideAttacks(lowered.program, () => ({ feasible: [], others: 'infeasible' }));
  return eventAttacks(lowered, attacks, false);
}

/** Converts the decision of a search for attacks into a result about the event program. */
async function resultOf(
  program: EventProgram,
  lowered: LoweredProgram,
  decision: Decision,
  { budget, postingFenced = false }: EventTsoOptions,
): Promise<EventTsoResult> {
  const { witness, look, states } = decision;
  if (witness) {
    const lifted = liftWitness(program, lowered, witness, postingFenced);
    if (!lifted) return { verdict: { kind: 'unknown', why: { kind: 'unconfirmed' } }, states };
    return { verdict: { kind: 'not-robust', witness: lifted }, states };
  }
  const why = whyOpen(lowered, decision);
  // Behaviour beyond the bounds does not matter if no store can be overtaken.
  if (why?.kind === 'bounds' && hasNoAttacks(program))
    return robustUnlessFaulty(program, 'no-attacks', budget, states);
  if (why) return { verdict: { kind: 'unknown', why }, states };
  if (!look?.isComplete) return robustUnlessFaulty(program, 'search', budget, states);
  const faults = { kind: 'none', shownBy: 'search' } as const;
  return { verdict: { kind: 'robust', shownBy: 'search', faults }, states };
}

/**
 * Returns the result for a program without attacks, which is robust unless some run faults;
 * `states` is the number of states of earlier searches.
 */
async function robustUnlessFaulty(
  program: EventProgram,
  shownBy: Extract<EventTsoVerdict, { kind: 'robust' }>['shownBy'],
  budget: Budget,
  states = 0,
): Promise<EventTsoResult> {
  const look = await lookForEventFaults(program, budget);
  const { findings, faults } = look;
  const verdict: EventTsoVerdict =
    findings.kind === 'found'
      ? { kind: 'unknown', why: { kind: 'faults', faults } }
      : { kind: 'robust', shownBy, faults: findings };
  return { verdict, states: states + look.states };
}

/**
 * Returns why a search that found no attack is no proof of robustness; `undefined` if the search is
 * a proof.
 */
function whyOpen(lowered: LoweredProgram, decision: Decision): EventTsoUnknown | undefined {
  const { incomplete, look } = decision;
  if (incomplete) return { kind: 'search', reason: incomplete };
  if (decision.faults.length > 0)
    return {
      kind: 'faults',
      faults: decision.faults.flatMap(({ thread, transition, fault }) => {
        const site = siteOf(lowered, thread, transition);
        return site ? [{ site, fault }] : [];
      }),
    };
  // The searched part is robust: every transition run under TSO runs under SC.
  const cuts = lowered.cuts.filter(
    ({ thread, transition }) => !look?.isComplete || look.runs(thread, transition),
  );
  const hit = [...lowered.leftOut, ...cuts.map(({ bound }) => bound)];
  return hit.length === 0 ? undefined : { kind: 'bounds', hit: distinct(hit) };
}

function distinct(hit: readonly BoundHit[]): readonly BoundHit[] {
  return [...new Map(hit.map((bound) => [`${bound.kind}.${bound.body}`, bound])).values()];
}

/**
 * Converts a witness about the threads into a witness about the event program. `undefined` if SC
 * allows the run of the event program because another task had passed a milestone as well. Throws
 * `InternalError` if the event program has no such run, or SC allows the run for another reason.
 */
function liftWitness(
  program: EventProgram,
  lowered: LoweredProgram,
  { attack, computation }: Witness,
  postingFenced: boolean,
): EventTsoWitness | undefined {
  const own = eventAttackOf(lowered, attack);
  if (!own) throw new InternalError('an attack outside of the event program');
  const run = liftThreadRun(lowered, computation);
  if (replayEventRun(program, run, 'multi-tso', { postingFenced }).kind !== 'possible')
    throw new InternalError('the replay of a run of the event program failed');
  const judgement = judgeRun(program, run);
  if (!judgement.happensBeforeCycle && program.milestones) return undefined;
  if (!judgement.happensBeforeCycle)
    throw new InternalError('a run without a happens-before cycle');
  return { run, judgement, ...own };
}
