import { Budget, type Limits } from '@fencewright/ground/base/budget.js';
import type { LoadBufferAnswer } from '@fencewright/engines/load-buffers/load-buffer-search.js';
import type { Program } from '@fencewright/model/program/program.js';
import { memoryModels, type RelaxedModel } from '@fencewright/model/trace/memory-model.js';
import { searchAttacks } from '@fencewright/engines/search/attack-search.js';
import {
  isSettled,
  knowsEnds,
  type ModelReach,
  type PropertyVerdict,
  type ReachResult,
} from '@fencewright/model/verdict/reach-result.js';
import {
  type AnswerParts,
  type DrainedComparison,
  stateAnswer,
} from '@fencewright/model/verdict/answer-of-reach.js';
import type { OpenReason } from '@fencewright/model/verdict/open-reason.js';
import { toVerdict } from './decision-result.js';
import { faultDiagnostics } from './fault-diagnostics.js';
import { failuresIn, lookAtDrained, withProgress } from './look-at-drained.js';
import { finalStateKey, reachUnder, type ReachUnder, visibleState } from './reach-under.js';
import { addFoundUnderSc, completeByRobustness } from './settle-under-tso.js';

export interface ReachOptions {
  /**
   * The limits of all explorations together. SC is explored first, with at most three quarters of
   * the states and the time; then the other model. A part is left for the question whether the
   * program is robust.
   */
  readonly limits?: Limits;
  /** The memory model to compare with SC; TSO if absent. */
  readonly model?: RelaxedModel;
  /**
   * The maximum number of stores in a store buffer, at least 1; unbounded if absent. If executions
   * need more, the result is marked as incomplete.
   */
  readonly buffer?: number;
  /** Whether the program is robust against TSO, if already known. */
  readonly robustness?: 'robust' | 'not-robust';
}

function compareFinalStates(sc: ModelReach, tso: ModelReach): ReachResult['sameFinalStates'] {
  const keys = (reach: ModelReach) => new Set(reach.finalStates.map(finalStateKey));
  const sequential = keys(sc);
  if (!sc.incomplete && [...keys(tso)].some((key) => !sequential.has(key))) return 'no';
  return sc.incomplete || !knowsEnds(tso) ? 'unknown' : 'yes';
}

/** Explores with the share `share` (0 to 1) of the remaining states and time. */
async function exploreWith(
  share: number,
  budget: Budget,
  explore: (part: Budget) => Promise<ReachUnder>,
): Promise<ReachUnder> {
  const part = budget.slice(share);
  const explored = await explore(part);
  budget.finishPart(part);
  return explored;
}

/** Decides robustness within the remaining budget. */
export async function askRobustness(
  program: Program,
  budget: Budget,
): Promise<NonNullable<ReachResult['robustness']>> {
  const { kind } = toVerdict(await searchAttacks(program, { budget, allAttacks: false }));
  return kind === 'error' ? 'unknown' : kind;
}

/**
 * The maximum numbers of states of successive explorations under TSO. Between two explorations,
 * other methods are tried, since buffers may grow for ever.
 */
const turns = [2_000, 20_000, 200_000] as const;

/** The results for a program under a model with buffers, and the robustness if decided. */
interface UnderTso {
  readonly model: RelaxedModel;
  readonly explored: ReachUnder;
  readonly tso: ModelReach;
  readonly robustness?: NonNullable<ReachResult['robustness']>;
}

/** The results for a program under SC. */
type UnderSc = Pick<ReachUnder, 'reach' | 'faults'>;

/** The facts known about a program before an exploration under a model with buffers. */
type Known = Pick<UnderTso, 'model' | 'robustness'>;

/**
 * Decides the questions that an exploration under a model with buffers left open, by other methods,
 * within the remaining budget.
 */
async function settle(
  program: Program,
  sc: UnderSc,
  { model, explored, robustness: known }: Omit<UnderTso, 'tso'>,
  budget: Budget,
): Promise<UnderTso> {
  let { reach: tso } = explored;
  let robustness = known;
  if (tso.incomplete) tso = addFoundUnderSc(program, model, sc.reach, tso, finalStateKey);
  const isFaulty = sc.faults.length + explored.faults.length > 0;
  const asks = !isFaulty && !sc.reach.incomplete && compareFinalStates(sc.reach, tso) !== 'no';
  if (asks && memoryModels[model].isFifo && (robustness === undefined || robustness === 'unknown'))
    robustness = await askRobustness(program, budget);
  if (tso.incomplete && robustness === 'robust') tso = completeByRobustness(program, sc.reach, tso);
  return { model, explored, tso, ...(robustness && { robustness }) };
}

/**
 * Decides open questions by a backward search over load buffers. A question still open needs more
 * time, or cannot be decided backwards.
 */
async function settleBackwards(
  program: Program,
  found: UnderTso,
  budget: Budget,
): Promise<UnderTso> {
  const { model, explored, tso } = found;
  if (isSettled(tso) || explored.faults.length > 0 || !memoryModels[model].isFifo) return found;
  const { settleByLoadBuffers } = await import('./settle-by-load-buffers.js');
  return { ...found, tso: await settleByLoadBuffers(program, tso, budget) };
}

/**
 * Explores under TSO, with buffers of any length, for limited numbers of states; after each turn
 * tries other methods for open questions, until no question is open or the budget is used up.
 */
async function settleInTurns(
  program: Program,
  sc: UnderSc,
  budget: Budget,
  before: Known,
): Promise<UnderTso> {
  let known = before;
  for (const states of turns) {
    // A small rest of the budget is left to the last turn.
    if (budget.room(0) < 3 * states) break;
    const part = budget.part(states);
    const explored = await reachUnder(known.model, program, part);
    budget.finishPart(part);
    if (explored.reach.incomplete !== 'states')
      return settle(program, sc, { explored, ...known }, budget);
    const own = budget.part(states);
    const found = await settle(program, sc, { explored, ...known }, own);
    const settled = await settleBackwards(program, found, own);
    budget.finishPart(own);
    if (isSettled(settled.tso) || budget.isOver) return settled;
    known = { ...known, ...(found.robustness && { robustness: found.robustness }) };
  }
  return settleAtOnce(program, sc, budget, {}, known);
}

/** Explores once, and decides the remaining questions by other methods. */
async function settleAtOnce(
  program: Program,
  sc: UnderSc,
  budget: Budget,
  bounds: { readonly buffer?: number },
  known: Known,
): Promise<UnderTso> {
  const share = sc.reach.incomplete ? 1 : 3 / 4;
  const explored = await exploreWith(share, budget, (part) =>
    reachUnder(known.model, program, part, bounds),
  );
  const found = await settle(program, sc, { explored, ...known }, budget);
  return bounds.buffer === undefined ? settleBackwards(program, found, budget) : found;
}

/**
 * Compares the states with empty buffers under SC and under TSO by a backward search, within the
 * remaining budget. The search leaves out states in which the bus lock is held. Where the ending
 * thread of a process holds the lock, the same thread has come there alone from a state without the
 * lock, so both models reach the same of these states if they reach the same others.
 */
async function compareBackwards(program: Program, budget: Budget): Promise<DrainedComparison> {
  const { LoadBufferSearch } =
    await import('@fencewright/engines/load-buffers/load-buffer-search.js');
  const answer = await new LoadBufferSearch(program).findDrainedState(budget);
  switch (answer.kind) {
    case 'unreachable':
      return { kind: 'same' };
    case 'reachable': {
      const { computation } = answer;
      return { kind: 'differs', state: visibleState(program, answer.state), computation };
    }
    case 'unknown':
      return { kind: 'unknown', why: whyOpen(answer.reason) };
  }
}

/** Returns the reason why a load-buffer search had no answer, as results state it. */
export function whyOpen(
  reason: Extract<LoadBufferAnswer, { kind: 'unknown' }>['reason'],
): OpenReason {
  if (typeof reason === 'string') return { kind: 'limit', reason };
  switch (reason.kind) {
    case 'values':
      return reason;
    case 'states':
      return { kind: 'thread-states', thread: reason.thread };
    case 'faults':
      return { kind: 'faults' };
    case 'unsupported':
      return { kind: 'limit', reason: 'unsupported' };
    case 'question':
      return { kind: 'limit', reason: 'states' };
  }
}

/** The answer to the main question, the threads that wait for ever, and all verdicts. */
type MainAnswer = Pick<ReachResult, 'sc' | 'tso' | 'answer' | 'hangs'>;

const none: ReadonlyMap<number, PropertyVerdict> = new Map();

/**
 * Returns the answer that follows from the findings; searches further within the remaining budget.
 */
async function answerFor(
  program: Program,
  found: Omit<AnswerParts, 'hangs' | 'drained'> & Pick<ReachResult, 'model'>,
  budget: Budget,
): Promise<MainAnswer> {
  const looked = await lookAtDrained(program, found, found.isFaulty, budget);
  const { hangs, progress, drained: compared } = looked;
  const known = {
    sc: withProgress(program, found.sc, progress.sc),
    tso: withProgress(program, found.tso, progress.tso ?? new Map(failuresIn(progress.sc ?? none))),
  };
  const parts: AnswerParts = { ...found, ...known, hangs, ...(compared && { drained: compared }) };
  const answer = stateAnswer(program, parts);
  const isBounded = found.tso.incomplete === 'buffer';
  const { isFifo } = memoryModels[found.model];
  if (answer.kind !== 'unknown' || found.isFaulty || isBounded || !isFifo)
    return { ...known, answer, hangs };
  const isProgress = answer.open === 'claims' && progress.sc !== undefined && !progress.tso;
  if ((answer.open === 'states' || isProgress) && !parts.sc.incomplete) {
    const drained = await compareBackwards(program, budget);
    // With the same drained states as SC, no thread waits for ever under TSO only.
    const none = drained.kind === 'same' ? ({ kind: 'found', hangs: [] } as const) : hangs;
    const tso = drained.kind === 'same' ? withProgress(program, found.tso, progress.sc) : known.tso;
    const settled = { ...parts, tso, drained, hangs: none };
    return { sc: known.sc, tso, answer: stateAnswer(program, settled), hangs: none };
  }
  if (answer.why.kind !== 'limit' || answer.why.reason === 'cancelled')
    return { ...known, answer, hangs };
  // If the data are unbounded, the answer gives this reason instead of the limit.
  const { LoadBufferSearch } =
    await import('@fencewright/engines/load-buffers/load-buffer-search.js');
  const { failure } = new LoadBufferSearch(program);
  const isEndless = failure?.kind === 'values' || failure?.kind === 'states';
  const why = isEndless ? whyOpen(failure) : answer.why;
  return { ...known, answer: { ...answer, why }, hangs };
}

/**
 * Finds the reachable and the final states of a program under SC and under another memory model,
 * and decides the properties. Exact if neither side is `incomplete`; answers of an incomplete side
 * other than `unknown` are right as well, see `completeByRobustness` and `settleByLoadBuffers`.
 */
export async function reach(whole: Program, options: ReachOptions = {}): Promise<ReachResult> {
  const budget = new Budget(options.limits);
  // A progress claim depends on future steps, so no single state decides it.
  const properties = whole.properties.filter(({ kind }) => kind !== 'progress');
  const program = properties.length < whole.properties.length ? { ...whole, properties } : whole;
  const sc = await exploreWith(3 / 4, budget, (part) => reachUnder('SC', program, part));
  const { buffer, model = 'TSO', robustness: asked } = options;
  const known = { model, ...(asked !== undefined && { robustness: asked }) };
  const { explored, tso, robustness } =
    buffer === undefined && !sc.reach.incomplete
      ? await settleInTurns(program, sc, budget, known)
      : await settleAtOnce(program, sc, budget, buffer === undefined ? {} : { buffer }, known);
  const faults = new Map(
    [...sc.faults, ...explored.faults].map((fault) => [
      `${fault.thread}.${fault.transition}.${fault.fault}`,
      fault,
    ]),
  );
  const compared = {
    model,
    sc: sc.reach,
    tso,
    sameFinalStates: compareFinalStates(sc.reach, tso),
    ...(robustness && { robustness }),
  };
  const isFaulty = faults.size > 0;
  const answered = await answerFor(whole, { ...compared, isFaulty }, budget);
  return {
    ...compared,
    ...answered,
    milliseconds: budget.milliseconds,
    diagnostics: faultDiagnostics(program, [...faults.values()]),
  };
}
