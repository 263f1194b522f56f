import { mayMeetLimit } from '../analysis/model-limits.js';
import { whyFaultFree } from '../analysis/possible-faults.js';
import type { Budget, Exhaustion } from '../base/budget.js';
import type { Program } from '../program/program.js';
import type { Decision, SequentialLook } from '../robustness/decision.js';
import type { Attack, AttackVerdict } from '../verdict/attack.js';
import { AttackRound } from './attack-round.js';
import { attackerJobs, type AttackerPart, type AttackerPool } from './attacker-part.js';
import { decideAttacks } from './decide-attacks.js';
import { runDivided } from './divided-search.js';
import { mergeOutcomes } from './merge-outcomes.js';
import { lookAtSequential } from './sequential-look.js';
import type { Turn } from './round-outcome.js';
import { SearchSession, type SearchOptions } from './search-session.js';
import type { RefutedAttack } from './settled-attacks.js';

export interface AttackSearchOptions extends SearchOptions {
  readonly budget: Budget;
  /** Decide every attack, instead of stopping at the first feasible one. */
  readonly allAttacks: boolean;
  /**
   * Build and replay a witness for every feasible attack, not only where it can be the shortest;
   * off by default.
   */
  readonly replayAll?: boolean;
  /**
   * Where no attack is found: explore SC to its end, in search of faults and of what runs. Off by
   * default.
   */
  readonly looksAround?: boolean;
  /**
   * Takes over attackers of long searches; changes nothing but the time, unless that or memory runs
   * out.
   */
  readonly attackerPool?: AttackerPool;
}

/**
 * Who may take over attackers. Where threads are kept sorted, the order of states depends on what
 * other attackers have met; and where a limit on states ends a search, on their order.
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
 * Searches for a while, has the stages settle what they can of the attacks that are left, and so
 * on, turn by turn. What they refuted, and from which turn of the round on; or why the search has
 * to end.
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
 * Whether a closure shows that no execution faults, where a look at executions has not come to an
 * end and values do not show it.
 */
async function isShownFaultFree(session: SearchSession, look: SequentialLook): Promise<boolean> {
  const isOpen = !look.isComplete && look.faults.length === 0 && !whyFaultFree(session.program);
  if (!isOpen || !session.stages.localClosure) return false;
  return (await import('./settle-attacks.js')).isFaultFree(session);
}

/**
 * Decides robustness by searching for attacks in three phases over tabulated thread automata: plain
 * SC; the attacker delays its stores; helpers build the happens-before path. The first phase is
 * shared by all attacks, the second by all attacks with the same store, and states of the third
 * that cannot reach the goal by all attacks of a thread.
 */
export async function searchAttacks(
  program: Program,
  options: AttackSearchOptions,
): Promise<Decision> {
  const { budget, allAttacks, replayAll = false } = options;
  const session = new SearchSession(program, options);
  const jobs = attackerJobs(program, session);
  const stopAtFirst = !allAttacks;
  const round = new AttackRound(session, jobs, { stopAtFirst, replayAll });
  const begun = await runStages(session, round, budget);
  const pool = typeof begun === 'string' ? undefined : poolFor(session, options);
  const searched =
    pool && typeof begun !== 'string'
      ? await runDivided(round, pool, budget, {
          program,
          options: {
            ...session.reductions,
            ...session.stages,
            happensBefore: session.happensBefore,
          },
          stopAtFirst,
          replayAll,
          settled: begun,
        })
      : {
          own: round.outcome(typeof begun === 'string' ? begun : await round.run(budget)),
          others: [],
          bytes: round.bytes,
        };
  if (!searched) {
    const { attackerPool: _, ...alone } = options;
    return searchAttacks(program, alone);
  }
  const { found, witness, exhausted, faults, states } = mergeOutcomes(
    searched.own,
    searched.others,
    program.threads.length,
    stopAtFirst,
  );
  budget.finishSearch(states, searched.bytes);
  const isOver = witness !== undefined || exhausted !== undefined || faults.length > 0;
  const short =
    options.looksAround && !isOver ? await lookAtSequential(session, budget) : undefined;
  const isFaultFree = short && (await isShownFaultFree(session, short));
  const needsEnd = short && !isFaultFree && !short.isComplete && mayMeetLimit(program);
  const look = needsEnd ? await lookAtSequential(session, budget, true) : short;
  const others: AttackVerdict | undefined =
    witness && !allAttacks ? undefined : exhausted || faults.length > 0 ? 'unknown' : 'infeasible';
  // Threads with the same code have the same feasible attacks.
  const all = decideAttacks(program, (thread) => {
    const own = session.representative(thread);
    return {
      feasible: found.filter(({ attack }) => attack.thread === own),
      others,
      refutedBy: (attack) => session.settled.stageOf({ ...attack, thread: own }),
    };
  });
  return {
    attacks: all.filter(({ attack }) => session.isWanted(attack)),
    ...(witness && { witness }),
    ...(exhausted && { incomplete: exhausted }),
    faults: look?.faults ?? faults,
    ...(look && { look }),
    ...(isFaultFree && { isFaultFree }),
    states,
    queries: jobs.length,
  };
}
