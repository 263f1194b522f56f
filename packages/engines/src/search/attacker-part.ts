import { Budget, type Exhaustion, type Limits } from '@fencewright/ground/base/budget.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import { AttackRound } from './attack-round.js';
import { nothingBlocked } from '../automata/attacker-automaton.js';
import { isRefutedBy, type AttackerJob } from './searched-attacker.js';
import { hasOpenAttack } from './open-attacks.js';
import type { RoundOutcome, Turn } from './round-outcome.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';
import { SearchSession, type SearchOptions } from './search-session.js';
import type { RefutedAttack } from './settled-attacks.js';

/**
 * Attacks that were refuted, or found without a full search, before the turn `from` of a search.
 * From this turn on, the search no longer looks for them.
 */
export interface SettledTurn {
  readonly from: Turn;
  readonly refuted: readonly RefutedAttack[];
  readonly found: readonly Attack[];
}

/** Some attackers of a program, to be searched separately from the beginning; plain data. */
export interface AttackerPart {
  readonly program: Program;
  readonly options: SearchOptions;
  readonly attackers: readonly ThreadId[];
  readonly stopAtFirst: boolean;
  readonly replayAll: boolean;
  /**
   * The attacks that were settled without a full search, with the turns before which they were
   * settled; in ascending order of these turns.
   */
  readonly settled: readonly SettledTurn[];
}

/**
 * The outcome of a separate search for the attacks of some attackers. `bytes` is the peak size of
 * its tables.
 */
export interface PartOutcome {
  readonly outcome: RoundOutcome;
  readonly bytes: number;
}

/** A facility that searches attackers in parallel, for example a pool of worker threads. */
export interface AttackerPool {
  /**
   * The number of groups of attackers that can be searched in parallel, besides the group of the
   * main search.
   */
  readonly threads: number;
  /**
   * Returns whether a search that has run for `milliseconds` should hand over attackers to the
   * pool. Called between turns.
   */
  readonly isDue: (milliseconds: number) => boolean;
  /**
   * Calls `searchPart` in parallel. The promise is rejected on failure: the main search then takes
   * the attackers back.
   */
  readonly search: (part: AttackerPart, limits: Limits) => Promise<PartOutcome>;
}

/**
 * Returns the attackers of a search: one for each class of threads with equal code that has attacks
 * to be searched.
 */
export function attackerJobs(program: Program, session: SearchSession): readonly AttackerJob[] {
  return session.automata.classes.flatMap(([thread = 0]) =>
    hasOpenAttack(program, thread, nothingBlocked, isRefutedBy(session, thread))
      ? [{ thread, blocked: nothingBlocked }]
      : [],
  );
}

/** Searches for the attacks of the given attackers, from the beginning. */
export async function searchPart(
  { program, options, attackers, stopAtFirst, replayAll, settled }: AttackerPart,
  limits: Limits,
): Promise<PartOutcome> {
  const budget = new Budget(limits);
  const session = new SearchSession(program, options);
  const jobs = attackerJobs(program, session).filter(({ thread }) => attackers.includes(thread));
  const round = new AttackRound(session, jobs, { stopAtFirst, replayAll });
  let exhausted: Exhaustion | undefined;
  for (const { from, refuted, found } of settled) {
    exhausted ??= await round.run(budget, (turn) => turn < from);
    for (const attack of refuted) session.settled.add(attack);
    round.close(found);
    round.refresh();
  }
  exhausted ??= await round.run(budget);
  const outcome = round.outcome(exhausted);
  budget.finishSearch(0, round.bytes);
  return { outcome, bytes: budget.mostBytes };
}
