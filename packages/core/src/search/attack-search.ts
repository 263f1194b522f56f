import type { Budget } from '../base/budget.js';
import type { Program } from '../program/program.js';
import { enumerateAttacks, isInfeasibleByControlFlow } from '../robustness/attacks.js';
import type { Decision } from '../robustness/decision.js';
import type { Attack, AttackVerdict, DecidedAttack } from '../verdict/attack.js';
import { AttackRound } from './attack-round.js';
import { nothingBlocked } from './attacker-automaton.js';
import { mergeOutcomes } from './merge-outcomes.js';
import { SearchSession, type SearchOptions } from './search-session.js';

export interface AttackSearchOptions extends SearchOptions {
  readonly budget: Budget;
  /** Decide every attack, instead of stopping at the first feasible one. */
  readonly allAttacks: boolean;
  /** Build and replay a witness for every feasible attack, not only where it can be the shortest; off by default. */
  readonly replayAll?: boolean;
}

/**
 * Decides robustness by searching for attacks in three phases over tabulated thread automata: plain SC; the attacker delays its
 * stores; helpers build the happens-before path. The first phase is shared by all attacks, the second by all attacks with the same
 * store, and states of the third that cannot reach the goal by all attacks of a thread.
 */
export async function searchAttacks(
  program: Program,
  options: AttackSearchOptions,
): Promise<Decision> {
  const { budget, allAttacks, replayAll = false } = options;
  const session = new SearchSession(program, options);
  const attacks = enumerateAttacks(program);
  const open = attacks.filter((attack) => !isInfeasibleByControlFlow(program, attack));
  const jobs = session.automata.classes.flatMap(([thread = 0]) => {
    const own = open.filter((attack) => attack.thread === thread);
    return own.length > 0 ? [{ thread, attacks: own, blocked: nothingBlocked }] : [];
  });
  const stopAtFirst = !allAttacks;
  const round = new AttackRound(session, jobs, { stopAtFirst, replayAll });
  const outcome = round.outcome(await round.run(budget));
  const { found, witness, exhausted, faults, states } = mergeOutcomes(
    outcome,
    [],
    program.threads.length,
    stopAtFirst,
  );
  budget.finishSearch(states, round.bytes);
  // Threads with the same code have the same feasible attacks.
  const name = ({ thread, store, load }: Attack): string =>
    `${session.representative(thread)}.${store}.${load}`;
  const feasible = new Set(found.map(name));
  const isOpen = new Set(open.map(name));
  const undecided: AttackVerdict | undefined =
    witness && !allAttacks ? undefined : exhausted || faults.length > 0 ? 'unknown' : 'infeasible';
  const verdictOf = (attack: Attack): AttackVerdict | undefined => {
    if (!isOpen.has(name(attack))) return 'by-cfg';
    return feasible.has(name(attack)) ? 'feasible' : undecided;
  };
  return {
    attacks: attacks.flatMap((attack): DecidedAttack[] => {
      const verdict = verdictOf(attack);
      return verdict ? [{ attack, verdict }] : [];
    }),
    ...(witness && { witness }),
    ...(exhausted && { incomplete: exhausted }),
    faults,
    states,
    queries: jobs.length,
  };
}
