import type { Budget, Exhaustion } from '../base/budget.js';
import { ClosureSession } from '../closures/closure-session.js';
import { refuteByLocalClosure } from '../closures/local-closure.js';
import { createPairRefuter } from '../closures/pair-refuter.js';
import type { Refuter } from '../closures/refuter.js';
import type { ThreadId } from '../program/ids.js';
import type { Attack, AttackStage } from '../verdict/attack.js';
import { nothingBlocked } from '../automata/attacker-automaton.js';
import { openAttacks } from './open-attacks.js';
import type { SearchSession, SearchStages } from './search-session.js';
import type { RefutedAttack } from './settled-attacks.js';

/** A stage that refutes attacks before they are searched for. */
interface RefutingStage {
  readonly stage: AttackStage;
  readonly option: keyof SearchStages;
  /** Where one call may take long, it asks whether time is over. */
  readonly createRefuter: (isOver: () => boolean) => Refuter<unknown>;
  /** Units of work for the attacks of one thread. */
  readonly maxWork: number;
}

/** In the order in which they are tried. */
const refutingStages: readonly RefutingStage[] = [
  {
    stage: 'local-closure',
    option: 'localClosure',
    createRefuter: () => refuteByLocalClosure,
    maxWork: 100_000,
  },
  {
    stage: 'pair-closure',
    option: 'pairClosure',
    createRefuter: createPairRefuter,
    maxWork: 4_000_000,
  },
];

/** Work that a closure of what runs under SC may take. */
const workPerFirstPhase = 30_000;
/** Attacks of one thread that are tried; there may be millions. */
const maxAttacks = 10_000;

/** Whether a closure shows that no execution ends in a fault. */
export function isFaultFree({ program, automataOptions }: SearchSession): boolean {
  return new ClosureSession(program, automataOptions, workPerFirstPhase).isFaultFree();
}

/** What was refuted without a search, and why that was not done to its end. */
export interface Settling {
  readonly refuted: readonly RefutedAttack[];
  readonly exhausted?: Exhaustion;
}

function toRefute(
  { program, settled }: SearchSession,
  attacker: ThreadId,
  isOpen: (attack: Attack) => boolean,
): Attack[] {
  const open: Attack[] = [];
  for (const attack of openAttacks(program, attacker, nothingBlocked)) {
    if (open.length === maxAttacks) break;
    if (!settled.stageOf(attack) && isOpen(attack)) open.push(attack);
  }
  return open;
}

/**
 * Refutes attacks of the attackers, which stand for their classes, without a search, and notes them
 * in the session. What is refuted depends on the program only, and on what is open. Whether steps
 * are blocked makes no difference: that only forbids.
 */
export async function settleAttacks(
  session: SearchSession,
  attackers: readonly ThreadId[],
  isOpen: (attack: Attack) => boolean,
  budget: Budget,
): Promise<Settling> {
  const { program, stages, settled, automataOptions } = session;
  const refuted: RefutedAttack[] = [];
  for (const { stage, option, createRefuter, maxWork } of refutingStages) {
    if (stages[option] === false) continue;
    // Each has its own: a fault that one meets is none that the next, which is more exact, does.
    const closures = new ClosureSession(program, automataOptions, workPerFirstPhase);
    const refute = createRefuter(() => budget.timeLeft === 0);
    for (const attacker of attackers) {
      const exhausted = await budget.checkpoint(0, session.bytes + closures.bytes);
      if (exhausted) return { refuted, exhausted };
      const open = toRefute(session, attacker, isOpen);
      if (open.length === 0) continue;
      for (const { attack } of refute(closures, attacker, open, maxWork).refuted) {
        settled.add({ attack, stage });
        refuted.push({ attack, stage });
      }
    }
  }
  return { refuted };
}
