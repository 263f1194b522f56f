import { mayMeetLimit } from '@fencewright/model/analysis/model-limits.js';
import { whyFaultFree } from '@fencewright/model/analysis/possible-faults.js';
import type { Budget, Exhaustion } from '@fencewright/ground/base/budget.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { Decision, SequentialLook } from '../robustness/decision.js';
import type { Attack, AttackVerdict } from '@fencewright/model/verdict/attack.js';
import { AttackRound, type FoundSoFar } from './attack-round.js';
import { attackerJobs, type AttackerPart, type AttackerPool } from './attacker-part.js';
import { decideAttacks } from './decide-attacks.js';
import { runDivided } from './divided-search.js';
import { type MergedOutcome, mergeOutcomes } from './merge-outcomes.js';
import { lookAtSequential } from './sequential-look.js';
import type { Turn } from './round-outcome.js';
import { SearchSession, type SearchOptions } from './search-session.js';
import type { RefutedAttack } from './settled-attacks.js';

export interface AttackSearchOptions extends SearchOptions {
  readonly budget: Budget;
  /** Decide every attack, instead of stopping at the first feasible one. */
  readonly allAttacks: boolean;
  /**
   * Build and replay a witness for every feasible attack, not only for attacks whose witness may be
   * the shortest; off by default.
   */
  readonly replayAll?: boolean;
  /**
   * If no attack is found, explore SC to the end, to find faults and executed instructions. Off by
   * default.
   */
  readonly looksAround?: boolean;
  /**
   * Takes over attackers of long searches; affects only the running time, unless time or memory
   * runs out.
   */
  readonly attackerPool?: AttackerPool;
  /**
   * Called with early decisions while the search goes on: with the first attacks found, and with
   * all attacks before executions are explored.
   */
  readonly onDecided?: (decision: Decision) => void;
}

/**
 * Returns the pool that may take over attackers, if the result cannot depend on the division. The
 * order of states depends on the findings of other attackers if threads are kept sorted, and on the
 * order of attackers if a limit on states ends a search.
 */
function poolFor(
  { groups }: SearchSession,
  { attackerPool, budget }: AttackSearchOptions,
): AttackerPool | undefined {
  return groups.length === 0 && budget.room(0) === Infinity ? attackerPool : undefined;
}

function isNotAmong(found: readonly Attack[]): (attack: Attack) => boolean {
  const nameOf = ({ thread, store, load }: Attack): string => `${thread}.${store}.${load}`;
  const names = new Set(found.map(nameOf));
  return (attack) => !names.has(nameOf(attack));
}

/**
 * Alternates between searching and refuting the remaining attacks by stages, turn by turn. Returns
 * the refuted attacks with the turn of the round from which each refutation counts, or the reason
 * why the search has to end.
 */
async function runStages(
  session: SearchSession,
  round: AttackRound,
  budget: Budget,
): Promise<AttackerPart['settled'] | Exhaustion> {
  const { stagesAfter } = session.stages;
  const settled: { from: Turn; refuted: readonly RefutedAttack[] }[] = [];
  const early = await round.run(budget, () => round.states < stagesAfter);
  if (early) return early;
  if (round.nextTurn === Infinity) return settled;
  // Most programs are decided by then, without what is loaded here.
  const { AttackSettler } = await import('./settle-attacks.js');
  const settler = new AttackSettler(session);
  for (const [turn, after] of settler.turnsAfter.entries()) {
    const ended = await round.run(budget, () => round.states < after);
    if (ended) return ended;
    const from = round.nextTurn;
    if (from === Infinity) break;
    const open = round.openAttackers;
    const isOpen = isNotAmong(round.found);
    const { refuted, exhausted } = await settler.settle(turn, open, isOpen, budget);
    if (exhausted) return exhausted;
    settled.push({ from, refuted });
    if (refuted.length > 0) round.refresh();
  }
  return settled;
}

/**
 * Whether a closure shows that no execution faults, if the exploration of executions is incomplete
 * and values do not show the absence of faults.
 */
async function isShownFaultFree(session: SearchSession, look: SequentialLook): Promise<boolean> {
  const isOpen = !look.isComplete && look.faults.length === 0 && !whyFaultFree(session.program);
  if (!isOpen || !session.stages.localClosure) return false;
  return (await import('./settle-attacks.js')).isFaultFree(session);
}

/** The decision known once attacks are found, while the search for others goes on. */
function decidedSoFar({ found, witness }: FoundSoFar, states: number, queries: number): Decision {
  return {
    attacks: found.map(({ attack, settledBy }) => ({ attack, verdict: 'feasible', settledBy })),
    ...(witness && { witness: witness.witness }),
    ...{ faults: [], states, queries },
  };
}

/**
 * Decides robustness by searching for attacks in three phases over tabulated thread automata: plain
 * SC; the attacker delays its stores; helpers build the happens-before path. All attacks share the
 * first phase, all attacks with one store share the second, and all attacks of a thread share the
 * dead states of the third, which cannot reach the goal.
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
  const round = new AttackRound(session, jobs, { stopAtFirst, replayAll, onFound });
  const begun = await runStages(session, round, budget);
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
  const { witness, exhausted, faults, states } = merged;
  budget.finishSearch(states, searched.bytes);
  const decision: Decision = {
    attacks: attacksOf(session, merged, allAttacks),
    ...(witness && { witness }),
    ...(exhausted && { incomplete: exhausted }),
    ...{ faults, states, queries: jobs.length },
  };
  const isOver = witness !== undefined || exhausted !== undefined || faults.length > 0;
  if (!options.looksAround || isOver) return decision;
  onDecided?.(decision);
  return withLook(session, decision, budget);
}

/** Returns the wanted attacks with the verdict on each. */
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

/** Returns the decision that no attack is feasible, with the findings about executions under SC. */
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
