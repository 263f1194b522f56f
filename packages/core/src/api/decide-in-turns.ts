import { whyFaultFree } from '@fencewright/model/analysis/possible-faults.js';
import type { Budget } from '@fencewright/ground/base/budget.js';
import { hasHeavyFences } from '@fencewright/model/program/heavy-fences.js';
import { templatesOf } from '@fencewright/model/program/model.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import type { Program } from '@fencewright/model/program/program.js';
import { usesWideValues } from '@fencewright/model/program/uses-wide-values.js';
import { asInstance, type AsInstance } from '@fencewright/engines/parameterized/as-instance.js';
import type { InstanceOutcome } from '@fencewright/engines/parameterized/decide-as-instance.js';
import type { ParameterizedSteps } from '@fencewright/engines/parameterized/decide-parameterized.js';
import { countVerdicts, type Decision } from '@fencewright/engines/robustness/decision.js';
import {
  type AttackSearchOptions,
  searchAttacks,
} from '@fencewright/engines/search/attack-search.js';
import { decideAttacks } from '@fencewright/engines/search/decide-attacks.js';

/**
 * Returns whether a proof shows, within `timeLeft` ms, that all instances of the templates are
 * robust.
 */
export type TriesProof = (about: Templates, timeLeft: number) => Promise<boolean>;

export interface TurnOptions extends AttackSearchOptions, ParameterizedSteps {
  /**
   * Whether to decide robustness for any number of copies as well, if threads have equal code; on
   * by default.
   */
  readonly anyNumberFirst?: boolean;
  /** The limits of the first turn; tests set smaller limits. */
  readonly firstTurn?: TurnLimits;
  /**
   * Whether to try to prove robustness, for values of any size, if the values of the program may
   * grow without bound; on by default.
   */
  readonly proof?: boolean;
  /** The function that tries to prove robustness; no proof is tried if absent. */
  readonly triesProof?: TriesProof;
}

/**
 * The limits of one turn, in which the search and the decision about all instances run for a while.
 */
export interface TurnLimits {
  /** The maximum number of states that the search stores in one turn. */
  readonly states: number;
  /**
   * The maximum number of elements in the cover of the states of all instances; an element costs
   * more work than a state.
   */
  readonly elements: number;
}

/**
 * The limits of the first turn. Each turn starts the search anew, with larger limits. Most searches
 * end in the first turn. The limits grow so fast that little work is repeated. In the last turn
 * only the search runs, without a limit of the turn.
 */
const usualTurn: TurnLimits = { states: 20_000, elements: 2_000 };
/** The factor by which the limits grow from turn to turn. */
const growth = 4;
/** The number of turns with limits, before the last turn. */
const turns = 2;

/**
 * Decides robustness by a search. While the search has no answer, it takes turns with two methods
 * that do not depend on the number of states: a decision for any number of copies, if threads are
 * copies of each other, and a proof, if numbers may grow without bound. Turns are limited by
 * numbers of states, not by time, so that results are equal on all machines.
 */
export async function decideInTurns(program: Program, options: TurnOptions): Promise<Decision> {
  const { budget, anyNumberFirst: _, proof: __, triesProof, ...rest } = options;
  const { firstTurn = usualTurn } = options;
  const search = { ...rest, budget };
  // Turns are short, and use no further processes.
  const { attackerPool: ___, ...alone } = search;
  const { view, mayProve } = waysBeside(program, options);
  let isOpen = view !== undefined;
  if (!isOpen && !mayProve) return searchAttacks(program, search);
  let states = 0;
  let known: Decision | undefined;
  for (let turn = 0; turn < turns; turn++) {
    const part = budget.part(firstTurn.states * growth ** turn);
    const searched = await searchAttacks(program, { ...alone, budget: part });
    budget.finishPart(part);
    states += searched.states;
    known = moreDecided(known, searched);
    if (!isCutShort(searched, budget)) return { ...withWholeLook(known), states };
    // All attacks are asked for. The program is not robust, so that neither a proof nor a decision
    // for any number of copies can settle the others.
    if (searched.witness) break;
    if (!isOpen || !view) continue;
    const elements = firstTurn.elements * growth ** turn;
    const { outcome, spent } = await askInstances(program, view, alone, elements);
    states += spent;
    if (outcome.kind === 'decided') return { ...outcome.decision, states };
    isOpen = outcome.kind === 'open';
  }
  if (
    !known?.witness &&
    mayProve &&
    (await triesProof!(templatesFor(program, view), budget.timeLeft))
  ) {
    const byProof = { feasible: [], others: undefined, refutedBy: () => 'proof' as const };
    return { attacks: decideAttacks(program, () => byProof), faults: [], states, queries: 0 };
  }
  const last = await searchAttacks(program, search);
  return { ...moreDecided(known, last), states: states + last.states };
}

/**
 * Returns the decision of an earlier turn, ended by the limit of the later one, if the later turn
 * was cut short before it knew as much: each turn starts anew, and the budget may end a later turn
 * first. Otherwise returns the later decision.
 */
function moreDecided(known: Decision | undefined, later: Decision): Decision {
  const { incomplete, witness, faults } = later;
  if (!known || !incomplete || faults.length > known.faults.length) return later;
  if (witness && !known.witness) return later;
  return openAttacks(known) < openAttacks(later) ? { ...known, incomplete } : later;
}

/** The methods that do not depend on the number of states, for one program. */
interface WaysBeside {
  /** The program as an instance, if all instances can be asked for. */
  readonly view?: AsInstance;
  /** Whether a proof can be tried. */
  readonly mayProve: boolean;
}

type WayOptions = Pick<TurnOptions, 'anyNumberFirst' | 'proof' | 'triesProof'>;

function waysBeside(
  program: Program,
  { anyNumberFirst = true, proof = true, triesProof }: WayOptions,
): WaysBeside {
  if (hasHeavyFences(program)) return { mayProve: false };
  const view = anyNumberFirst ? asInstance(program) : undefined;
  const mayProve =
    proof &&
    triesProof !== undefined &&
    !usesWideValues(program) &&
    whyFaultFree(program) === undefined;
  return { ...(view && { view }), mayProve };
}

function templatesFor(program: Program, view: AsInstance | undefined): Templates {
  return view?.model ?? templatesOf(program);
}

/**
 * Whether a decision about all instances, or a proof, shows robustness, within the limits of the
 * last turn of `decideInTurns` that has limits.
 */
export async function isRobustBeside(program: Program, options: TurnOptions): Promise<boolean> {
  const { budget, anyNumberFirst: _, proof: __, triesProof, attackerPool: ___, ...rest } = options;
  const { view, mayProve } = waysBeside(program, options);
  if (view) {
    const elements = usualTurn.elements * growth ** (turns - 1);
    const { outcome } = await askInstances(program, view, { ...rest, budget }, elements);
    if (outcome.kind === 'decided') {
      const { witness, incomplete, faults } = outcome.decision;
      return !witness && incomplete === undefined && faults.length === 0;
    }
  }
  return mayProve && triesProof!(templatesFor(program, view), budget.timeLeft);
}

/** Returns the number of attacks that a decision leaves open. */
function openAttacks({ attacks }: Decision): number {
  return countVerdicts(attacks).unknown;
}

/**
 * Returns the decision without its facts about executions (faults, dead code) if the search has not
 * seen all executions. A caller that needs these facts searches again without the limits of a turn.
 */
function withWholeLook({ look, ...decision }: Decision): Decision {
  return look?.isComplete ? { ...decision, look } : decision;
}

/**
 * Whether the search ended only because of the limit of the turn, and not because of the limits of
 * the whole decision.
 */
function isCutShort({ incomplete }: Decision, budget: Budget): boolean {
  return incomplete === 'states' && budget.room(0) > 0;
}

async function askInstances(
  program: Program,
  view: AsInstance,
  options: AttackSearchOptions & ParameterizedSteps,
  elements: number,
): Promise<{ readonly outcome: InstanceOutcome; readonly spent: number }> {
  // Loaded on demand: few programs need this decision.
  const { decideAsInstance } =
    await import('@fencewright/engines/parameterized/decide-as-instance.js');
  const { budget, replayAll: _, looksAround: __, ...others } = options;
  // `decideAsInstance` also searches other programs, for which `onDecided` must not be called.
  const { onDecided: ___, ...search } = others;
  const part = budget.part(elements);
  const outcome = await decideAsInstance(program, view, { ...search, budget: part });
  budget.finishPart(part);
  return { outcome, spent: part.finishedStates };
}
