import { whyFaultFree } from '@fencewright/model/analysis/possible-faults.js';
import type { Budget } from '@fencewright/ground/base/budget.js';
import { templatesOf } from '@fencewright/model/program/model.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import type { Program } from '@fencewright/model/program/program.js';
import { usesWideValues } from '@fencewright/model/program/uses-wide-values.js';
import { asInstance, type AsInstance } from '@fencewright/engines/parameterized/as-instance.js';
import type { InstanceOutcome } from '@fencewright/engines/parameterized/decide-as-instance.js';
import type { ParameterizedSteps } from '@fencewright/engines/parameterized/decide-parameterized.js';
import type { Decision } from '@fencewright/engines/robustness/decision.js';
import {
  type AttackSearchOptions,
  searchAttacks,
} from '@fencewright/engines/search/attack-search.js';
import { decideAttacks } from '@fencewright/engines/search/decide-attacks.js';

/** Whether it is proved, in `timeLeft` ms, that all instances of the templates are robust. */
export type TriesProof = (about: Templates, timeLeft: number) => Promise<boolean>;

interface TurnOptions extends AttackSearchOptions, ParameterizedSteps {
  /** Where threads have the same code, ask about any number of copies; on by default. */
  readonly anyNumberFirst?: boolean;
  /** The first turn, in place of the usual one; a smaller one for tests. */
  readonly firstTurn?: Turn;
  /** Try a proof where numbers may grow without end; on by default. */
  readonly proof?: boolean;
  /** What tries it; no proof is tried where absent. */
  readonly triesProof?: TriesProof;
}

/** What a turn may take. */
export interface Turn {
  /** States that the search may store. */
  readonly states: number;
  /** Elements of a cover, which cost more, that all instances may take. */
  readonly elements: number;
}

/**
 * Searches begin anew with each turn; most end in the first, and turns grow so that little is done
 * twice. The search alone has the last one, without a limit of its own.
 */
const usualTurn: Turn = { states: 20_000, elements: 2_000 };
const growth = 4;
const turns = 2;

/**
 * Decides robustness by a search which, as long as it has no answer, takes turns with two questions
 * that do not depend on how many states there are: whether any number of copies is robust, where
 * threads are copies of each other, and whether there is a proof, where numbers may grow without
 * end. Turns are counted in states, so that results are the same on all machines.
 */
export async function decideInTurns(program: Program, options: TurnOptions): Promise<Decision> {
  const { budget, anyNumberFirst = true, proof = true, triesProof, ...rest } = options;
  const { firstTurn = usualTurn } = options;
  const search = { ...rest, budget };
  const view = asInstance(program);
  let isOpen = anyNumberFirst && view !== undefined;
  const mayProve =
    proof &&
    triesProof !== undefined &&
    !usesWideValues(program) &&
    whyFaultFree(program) === undefined;
  if (!isOpen && !mayProve) return searchAttacks(program, search);
  let states = 0;
  for (let turn = 0; turn < turns; turn++) {
    const searched = await searchForAWhile(program, search, firstTurn.states * growth ** turn);
    states += searched.states;
    if (!isCutShort(searched, budget)) return { ...withWholeLook(searched), states };
    if (!isOpen || !view) continue;
    const elements = firstTurn.elements * growth ** turn;
    const { outcome, spent } = await askInstances(program, view, search, elements);
    states += spent;
    if (outcome.kind === 'decided') return { ...outcome.decision, states };
    isOpen = outcome.kind === 'open';
  }
  if (mayProve && (await triesProof(view?.model ?? templatesOf(program), budget.timeLeft)))
    return provedRobust(program, states);
  const last = await searchAttacks(program, search);
  return { ...last, states: states + last.states };
}

/**
 * Without what was seen of executions, if that was not all of them: a turn leaves little room for
 * it, and whoever wants to know looks again.
 */
function withWholeLook({ look, ...decision }: Decision): Decision {
  return look?.isComplete ? { ...decision, look } : decision;
}

/** Whether a turn was all that ended the search. */
function isCutShort({ incomplete }: Decision, budget: Budget): boolean {
  return incomplete === 'states' && budget.room(0) > 0;
}

async function searchForAWhile(
  program: Program,
  { attackerPool: _, ...search }: AttackSearchOptions,
  states: number,
): Promise<Decision> {
  const { budget } = search;
  const part = budget.part(states);
  const decision = await searchAttacks(program, { ...search, budget: part });
  budget.finishSearch(part.finishedStates, part.mostBytes);
  return decision;
}

async function askInstances(
  program: Program,
  view: AsInstance,
  options: AttackSearchOptions & ParameterizedSteps,
  elements: number,
): Promise<{ readonly outcome: InstanceOutcome; readonly spent: number }> {
  // Most programs do without.
  const { decideAsInstance } =
    await import('@fencewright/engines/parameterized/decide-as-instance.js');
  const { budget, attackerPool: _, replayAll: __, looksAround: ___, ...others } = options;
  // It searches other programs, too.
  const { onDecided: ____, ...search } = others;
  const part = budget.part(elements);
  const outcome = await decideAsInstance(program, view, { ...search, budget: part });
  budget.finishSearch(part.finishedStates, part.mostBytes);
  return { outcome, spent: part.finishedStates };
}

function provedRobust(program: Program, states: number): Decision {
  const attacks = decideAttacks(program, () => ({
    feasible: [],
    others: undefined,
    refutedBy: () => 'proof',
  }));
  return { attacks, faults: [], states, queries: 0 };
}
