import { mayMeetLimit } from '@fencewright/model/analysis/model-limits.js';
import { whyFaultFree } from '@fencewright/model/analysis/possible-faults.js';
import type { Budget, Exhaustion } from '@fencewright/ground/base/budget.js';
import { hasHeavyFences } from '@fencewright/model/program/heavy-fences.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { Decision, SequentialLook } from '../robustness/decision.js';
import type { Attack, AttackVerdict } from '@fencewright/model/verdict/attack.js';
import { decideByWindows } from '../robustness/decide-by-windows.js';
import { maySeveralDelay } from '../robustness/several-delays.js';
import { AttackRound, type FoundSoFar } from './attack-round.js';
import {
  attackerJobs,
  type AttackerPart,
  type AttackerPool,
  type SettledTurn,
} from './attacker-part.js';
import { nothingBlocked } from '../automata/attacker-automaton.js';
import { DirectedTurns } from './directed-turns.js';
import { decideAttacks } from './decide-attacks.js';
import { runDivided } from './divided-search.js';
import { type MergedOutcome, mergeOutcomes } from './merge-outcomes.js';
import { lookAtSequential } from './sequential-look.js';
import { SearchSession, type SearchOptions } from './search-session.js';

export interface AttackSearchOptions extends SearchOptions {
  readonly budget: Budget;
  /** Whether every attack is decided, instead of stopping at the first feasible one. */
  readonly allAttacks: boolean;
  /**
   * Whether a witness is built and replayed for every feasible attack, not only for attacks whose
   * witness may be the shortest; off by default.
   */
  readonly replayAll?: boolean;
  /**
   * Whether SC is explored further if no attack is found, to find faults and executed instructions.
   * Off by default.
   */
  readonly looksAround?: boolean;
  /**
   * Searches for the attacks of several attackers in parallel, if the search takes long. The pool
   * affects only the running time, unless time or memory runs out.
   */
  readonly attackerPool?: AttackerPool;
  /**
   * Receives decisions that are known while the search goes on: once when the first attacks are
   * found, and once when all attacks are decided but SC executions are still to be explored for
   * faults.
   */
  readonly onDecided?: (decision: Decision) => void;
}

/**
 * Returns the pool to which attackers may be handed over; `undefined` if the result would depend on
 * which attackers are handed over. This is so in two cases. If threads with equal code are kept
 * sorted, the order of states depends on the findings about other attackers. If the number of
 * states is limited, the order of attackers decides which states are searched.
 */
function poolFor(
  { groups }: SearchSession,
  { attackerPool, budget }: AttackSearchOptions,
): AttackerPool | undefined {
  return groups.length === 0 && budget.room(0) === Infinity ? attackerPool : undefined;
}

/**
 * Alternates between the search in `round` and the stages: methods that refute or find attacks
 * without a full search. Each stage has a turn after a certain number of states. Returns the
 * attacks settled by stages, each list with the turn of the round from which the list counts, or
 * the limit that ends the search. With `stopAtFirst`, one attack found is enough.
 */
async function runStages(
  session: SearchSession,
  round: AttackRound,
  directed: DirectedTurns,
  stopAtFirst: boolean,
  budget: Budget,
): Promise<AttackerPart['settled'] | Exhaustion> {
  const { stagesAfter } = session.stages;
  const settled: SettledTurn[] = [];
  const early = await round.run(budget, () => round.states < stagesAfter);
  if (early) return early;
  if (round.nextTurn === Infinity) return settled;
  // Loaded late, because most programs are decided before this point.
  const { AttackSettler } = await import('./settle-attacks.js');
  const settler = new AttackSettler(session);
  const isOpen = (attack: Attack): boolean => round.isOpen(attack);
  const jobs = () =>
    round.openAttackers.map((thread) => ({ thread, blocked: nothingBlocked, isOpen }));
  const turns = [
    ...settler.turnsAfter.map((after, turn) => ({
      after,
      take: () => settler.settle(turn, round.openAttackers, isOpen, budget),
    })),
    ...directed.turns.map(({ after, credit }) => ({
      after,
      take: () => directed.take(credit, jobs(), round, budget, stopAtFirst),
    })),
  ].toSorted((a, b) => a.after - b.after);
  for (const { after, take } of turns) {
    const ended = await round.run(budget, () => round.states < after);
    if (ended) return ended;
    const from = round.nextTurn;
    if (from === Infinity) break;
    const { refuted, found, exhausted } = await take();
    for (const witness of found) round.receive(witness, from);
    if (exhausted) return exhausted;
    settled.push({ from, refuted, found: found.map(({ attack }) => attack) });
    if (refuted.length > 0) round.refresh();
  }
  return settled;
}

/**
 * Whether a closure of the program's steps shows that no execution faults. Asked only if this is
 * still unknown after the exploration of SC executions and the analysis of the program's values.
 */
async function isShownFaultFree(session: SearchSession, look: SequentialLook): Promise<boolean> {
  const isOpen = !look.isComplete && look.faults.length === 0 && !whyFaultFree(session.program);
  if (!isOpen || !session.stages.localClosure) return false;
  return (await import('./settle-attacks.js')).isFaultFree(session);
}

/** The decision as known when attacks are found, while the search for further attacks goes on. */
function decidedSoFar({ found, witness }: FoundSoFar, states: number, queries: number): Decision {
  return {
    attacks: found.map(({ attack, settledBy }) => ({ attack, verdict: 'feasible', settledBy })),
    ...(witness && { witness: witness.witness }),
    ...{ faults: [], states, queries },
  };
}

/**
 * Decides robustness by a search for attacks in three phases over tabulated thread automata: plain
 * SC; the attacker delays its stores; the other threads build the happens-before path. All attacks
 * share the first phase, and all attacks with one store share the second. In the third phase, all
 * attacks of a thread share the knowledge of the states from which no path can be completed.
 */
export async function searchAttacks(
  program: Program,
  options: AttackSearchOptions,
): Promise<Decision> {
  const { budget, allAttacks, replayAll = false, onDecided } = options;
  const session = new SearchSession(program, options);
  const jobs = attackerJobs(program, session);
  const stopAtFirst = !allAttacks;
  const onFound = (so: FoundSoFar): void =>
    onDecided?.(decidedSoFar(so, round.states, jobs.length));
  const directed = new DirectedTurns(session);
  const statesOfOthers = (): number => directed.states;
  const ofRound = { stopAtFirst, replayAll, statesOfOthers, onFound };
  const round = new AttackRound(session, jobs, ofRound);
  const begun = await runStages(session, round, directed, stopAtFirst, budget);
  const pool = typeof begun === 'string' ? undefined : poolFor(session, options);
  const { reductions, stages, happensBefore } = session;
  const searched =
    pool && typeof begun !== 'string'
      ? await runDivided(
          round,
          pool,
          budget,
          {
            program,
            options: { ...reductions, ...stages, happensBefore },
            ...{ stopAtFirst, replayAll, settled: begun },
          },
          onFound,
        )
      : {
          own: round.outcome(typeof begun === 'string' ? begun : await round.run(budget)),
          others: [],
          bytes: round.bytes,
        };
  if (!searched) {
    const { attackerPool: _, ...alone } = options;
    return searchAttacks(program, alone);
  }
  const { threads } = program;
  const merged = mergeOutcomes(searched.own, searched.others, threads.length, stopAtFirst);
  const { exhausted, faults } = merged;
  const { sequential, delaying, path, fewThreads } = merged.states;
  const searchedStates = sequential + delaying + path + fewThreads + directed.states;
  budget.finishSearch(searchedStates, searched.bytes);
  const isOpen = !merged.witness && !exhausted && faults.length === 0 && !options.only;
  const several =
    isOpen && hasHeavyFences(program) && maySeveralDelay(program)
      ? await decideByWindows(program, happensBefore, budget)
      : undefined;
  const witness = merged.witness ?? several?.witness;
  const incomplete = exhausted ?? several?.incomplete;
  const states = searchedStates + (several?.states ?? 0);
  const decision: Decision = {
    attacks: attacksOf(session, merged, allAttacks),
    ...(witness && { witness }),
    ...(incomplete && { incomplete }),
    ...{ faults, states, queries: jobs.length },
    phaseStates: { sequential, delaying, path },
  };
  const isOver = witness !== undefined || incomplete !== undefined || faults.length > 0;
  if (!options.looksAround || isOver) return decision;
  onDecided?.(decision);
  return withLook(session, decision, budget);
}

/**
 * Returns the attacks that are to be decided, with the verdict on each; unless `allAttacks`,
 * attacks beside a feasible one may be left out.
 */
function attacksOf(
  session: SearchSession,
  { found, witness, exhausted, faults }: MergedOutcome,
  allAttacks: boolean,
): Decision['attacks'] {
  const others: AttackVerdict | undefined =
    witness && !allAttacks ? undefined : exhausted || faults.length > 0 ? 'unknown' : 'infeasible';
  // Threads with the same code have the same feasible attacks.
  const all = decideAttacks(session.program, (thread) => {
    const own = session.representative(thread);
    return {
      feasible: found.filter(({ attack }) => attack.thread === own),
      others,
      refutedBy: (attack) => session.settled.stageOf({ ...attack, thread: own }),
    };
  });
  return all.filter(({ attack }) => session.isWanted(attack));
}

/**
 * Returns the decision that no attack is feasible, with the findings of an exploration about
 * executions under SC.
 */
async function withLook(
  session: SearchSession,
  decision: Decision,
  budget: Budget,
): Promise<Decision> {
  const short = await lookAtSequential(session, budget);
  const isFaultFree = await isShownFaultFree(session, short);
  const needsEnd = !isFaultFree && !short.isComplete && mayMeetLimit(session.program);
  const look = needsEnd ? await lookAtSequential(session, budget, true) : short;
  return { ...decision, faults: look.faults, look, ...(isFaultFree && { isFaultFree }) };
}
