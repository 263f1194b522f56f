import { Budget, type Exhaustion, type Limits } from '@fencewright/ground/base/budget.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import { AttackRound } from './attack-round.js';
import { nothingBlocked } from '../automata/attacker-automaton.js';
import { isRefutedBy, type AttackerJob } from './searched-attacker.js';
import { hasOpenAttack } from './open-attacks.js';
import type { RoundOutcome, Turn } from './round-outcome.js';
import { SearchSession, type SearchOptions } from './search-session.js';
import type { RefutedAttack } from './settled-attacks.js';

/** Some of the attackers of a program, for a search that begins afresh; plain data. */
export interface AttackerPart {
  readonly program: Program;
  readonly options: SearchOptions;
  readonly attackers: readonly ThreadId[];
  readonly stopAtFirst: boolean;
  readonly replayAll: boolean;
  /** What is refuted without a search, and from which turn on that counts; the earlier first. */
  readonly settled: readonly { readonly from: Turn; readonly refuted: readonly RefutedAttack[] }[];
}

/** What a search of a part comes to, and the bytes of its tables when they were largest. */
export interface PartOutcome {
  readonly outcome: RoundOutcome;
  readonly bytes: number;
}

/** Whoever searches parts at the same time: the threads of a pool, for one. */
export interface AttackerPool {
  /** How many parts, beside that of the search itself. */
  readonly threads: number;
  /**
   * Whether a search that has run for so many milliseconds is to hand attackers over. Asked between
   * turns.
   */
  readonly isDue: (milliseconds: number) => boolean;
  /** Runs `searchPart`. Rejects if it cannot: the attackers are taken back then. */
  readonly search: (part: AttackerPart, limits: Limits) => Promise<PartOutcome>;
}

/**
 * What is to be decided for each attacker of a program, by a search; one for each class of threads
 * with attacks that are not settled without one.
 */
export function attackerJobs(program: Program, session: SearchSession): readonly AttackerJob[] {
  return session.automata.classes.flatMap(([thread = 0]) =>
    hasOpenAttack(program, thread, nothingBlocked, isRefutedBy(session, thread))
      ? [{ thread, blocked: nothingBlocked }]
      : [],
  );
}

/** Searches for the attacks of a part, from the beginning. */
export async function searchPart(
  { program, options, attackers, stopAtFirst, replayAll, settled }: AttackerPart,
  limits: Limits,
): Promise<PartOutcome> {
  const budget = new Budget(limits);
  const session = new SearchSession(program, options);
  const jobs = attackerJobs(program, session).filter(({ thread }) => attackers.includes(thread));
  const round = new AttackRound(session, jobs, { stopAtFirst, replayAll });
  let exhausted: Exhaustion | undefined;
  for (const { from, refuted } of settled) {
    exhausted ??= await round.run(budget, (turn) => turn < from);
    for (const attack of refuted) session.settled.add(attack);
    round.refresh();
  }
  exhausted ??= await round.run(budget);
  const outcome = round.outcome(exhausted);
  budget.finishSearch(0, round.bytes);
  return { outcome, bytes: budget.mostBytes };
}
