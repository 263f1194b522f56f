import { at } from '@fencewright/ground/base/at.js';
import type { Budget } from '@fencewright/ground/base/budget.js';
import { ClosureSession } from '../closures/closure-session.js';
import { refuteByLocalClosure } from '../closures/local-closure.js';
import { createPairRefuter } from '../closures/pair-refuter.js';
import type { Refuter } from '../closures/refuter.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Attack, AttackStage } from '@fencewright/model/verdict/attack.js';
import { nothingBlocked } from '../automata/attacker-automaton.js';
import { LikeThreads } from './like-threads.js';
import { openAttacks } from './open-attacks.js';
import type { SearchSession, SearchStages } from './search-session.js';
import type { RefutedAttack, TurnFindings } from './settled-attacks.js';

/** A stage of the check: a method that refutes attacks without a search. */
interface RefutingStage {
  readonly stage: AttackStage;
  readonly option: keyof SearchStages;
  /**
   * Creates the refuter of the stage. A refuter that may work for long asks `isOver` whether the
   * time limit is reached.
   */
  readonly createRefuter: (isOver: () => boolean) => Refuter<unknown>;
  /** The maximum work of the stage for the attacks of one thread, in the units of the refuter. */
  readonly maxWork: number;
  /**
   * The maximum work of the stage for each closure of the steps under SC, in units of the refuter.
   */
  readonly workPerFirstPhase: number;
  /**
   * Whether the stage repeats an earlier stage with more work. It is used only for threads on which
   * the earlier stage needed more work than allowed.
   */
  readonly isRetry?: true;
}

const localClosure: RefutingStage = {
  stage: 'local-closure',
  option: 'localClosure',
  createRefuter: () => refuteByLocalClosure,
  maxWork: 100_000,
  workPerFirstPhase: 30_000,
};

const thoroughLocalClosure: RefutingStage = {
  ...localClosure,
  maxWork: 10 * localClosure.maxWork,
  workPerFirstPhase: 10 * localClosure.workPerFirstPhase,
  isRetry: true,
};

const pairClosure: RefutingStage = {
  stage: 'pair-closure',
  option: 'pairClosure',
  createRefuter: createPairRefuter,
  maxWork: 4_000_000,
  workPerFirstPhase: localClosure.workPerFirstPhase,
};

/**
 * A turn of the refuting stages: at a certain number of stored states, its stages try to refute the
 * undecided attacks, in order.
 */
interface SettlingTurn {
  /**
   * The number of stored states at which the turn comes, as a multiple of the number at the first
   * turn.
   */
  readonly times: number;
  readonly stages: readonly RefutingStage[];
  /**
   * The units of work, for all threads together, that each stage of the turn may do before it
   * refutes an attack.
   */
  readonly credit: number;
  /** The maximum number of undecided attacks of a thread. The turn leaves out threads with more. */
  readonly maxOpen: number;
}

/**
 * The units of work that the stage may do in addition for each attack that it refutes, so that a
 * stage goes on as long as it refutes attacks.
 */
const creditPerAttack = 500_000;

/**
 * The turns of the refuting stages. Stages that take long have late turns: the search meanwhile
 * finds attacks to be feasible, on which refuters would only waste work. If few attacks of a thread
 * are left undecided, these are likely to be infeasible.
 */
const settlingTurns: readonly SettlingTurn[] = [
  { times: 1, stages: [localClosure], credit: Infinity, maxOpen: Infinity },
  { times: 2, stages: [thoroughLocalClosure], credit: Infinity, maxOpen: Infinity },
  { times: 2, stages: [pairClosure], credit: 200_000, maxOpen: 3 },
  { times: 10, stages: [pairClosure], credit: 200_000, maxOpen: Infinity },
  { times: 80, stages: [pairClosure], credit: 4_000_000, maxOpen: Infinity },
];

/**
 * The maximum number of attacks of one thread that the stages try to refute; a thread may have
 * millions.
 */
const maxAttacks = 10_000;

/** Whether a closure of the program's steps under SC shows that no execution ends in a fault. */
export function isFaultFree({ program, automataOptions }: SearchSession): boolean {
  const { workPerFirstPhase } = localClosure;
  return new ClosureSession(program, automataOptions, workPerFirstPhase).isFaultFree();
}

/** The closures and the refuter of one stage. The refutations for all attackers share them. */
interface SharedClosures {
  readonly closures: ClosureSession;
  readonly refute: Refuter<unknown>;
}

/**
 * Refutes attacks of one session without a search, and records the refutations in the session. The
 * result depends only on the program, the undecided attacks and earlier turns. Repairs make no
 * difference, since they only forbid steps.
 */
export class AttackSettler {
  readonly #session: SearchSession;
  readonly #shared = new Map<RefutingStage, SharedClosures>();
  /** By stage, the attackers for which the stage needed more work than allowed. */
  readonly #cutOff = new Map<AttackStage, Set<ThreadId>>();

  readonly #turns: readonly SettlingTurn[];
  readonly #like: LikeThreads;

  constructor(session: SearchSession) {
    this.#session = session;
    this.#like = new LikeThreads(session);
    const isOn = ({ option }: RefutingStage): boolean => session.stages[option] !== false;
    this.#turns = settlingTurns
      .map((turn) => ({ ...turn, stages: turn.stages.filter(isOn) }))
      .filter(({ stages }) => stages.length > 0);
  }

  /** The number of stored states at which each turn is taken, indexed by turn. */
  get turnsAfter(): readonly number[] {
    return this.#turns.map(({ times }) => times * this.#session.stages.stagesAfter);
  }

  /**
   * Takes one turn for the given attackers, each the first of the threads with its code. The turns
   * of an attacker have to be taken in order. The work for one attacker counts as work for all
   * symmetric threads in `all`.
   */
  async settle(
    turn: number,
    attackers: readonly ThreadId[],
    isOpen: (attack: Attack) => boolean,
    budget: Budget,
    all = attackers,
  ): Promise<TurnFindings> {
    const refuted: RefutedAttack[] = [];
    const { stages, credit, maxOpen } = at(this.#turns, turn);
    for (const [place, stage] of stages.entries()) {
      let left = credit;
      for (const attacker of attackers) {
        const name = `${turn}.${place}`;
        refuted.push(...this.#settle(this.#like.refuted(this.#toRefute(attacker, isOpen))));
        if (left <= 0) continue;
        if (stage.isRetry && this.#cutOff.get(stage.stage)?.has(attacker) !== true) continue;
        const { bytes } = this.#session;
        const exhausted = await budget.checkpoint(0, bytes + this.#bytes);
        if (exhausted) return { refuted, found: [], exhausted };
        for (let isPaying = true; isPaying && left > 0 && !budget.isOver;) {
          const open = this.#like.untried(name, this.#toRefute(attacker, isOpen));
          if (open.length === 0 || open.length > maxOpen) break;
          const { closures, refute } = this.#sharedOf(stage, () => budget.isOver);
          const stoodFor = left === Infinity ? 1 : this.#like.count(attacker, all);
          const work = Math.min(stage.maxWork, left * stoodFor);
          const answer = refute(closures, attacker, open, work);
          left += creditPerAttack * answer.refuted.length - answer.work / stoodFor;
          budget.spend(answer.work);
          if (answer.isCutOff) this.#noteCutOff(stage, attacker);
          const settled = answer.refuted.map(({ attack }) => ({ attack, stage: stage.stage }));
          this.#like.note(name, open, settled);
          refuted.push(...this.#settle(settled));
          isPaying = stage.isRetry === true && answer.isCutOff && answer.refuted.length > 0;
        }
      }
    }
    return { refuted, found: [] };
  }

  #settle(refuted: readonly RefutedAttack[]): readonly RefutedAttack[] {
    for (const one of refuted) this.#session.settled.add(one);
    return refuted;
  }

  get #bytes(): number {
    let bytes = 0;
    for (const { closures } of this.#shared.values()) bytes += closures.bytes;
    return bytes;
  }

  #noteCutOff({ stage }: RefutingStage, attacker: ThreadId): void {
    const known = this.#cutOff.get(stage) ?? new Set();
    this.#cutOff.set(stage, known.add(attacker));
  }

  #toRefute(attacker: ThreadId, isOpen: (attack: Attack) => boolean): readonly Attack[] {
    const { program, settled } = this.#session;
    const open: Attack[] = [];
    for (const attack of openAttacks(program, attacker, nothingBlocked)) {
      if (open.length === maxAttacks) break;
      if (!this.#session.isWanted(attack)) continue;
      if (!settled.stageOf(attack) && isOpen(attack)) open.push(attack);
    }
    return open;
  }

  /**
   * Returns the closures of a stage. Each stage has its own closures: a fault found by one stage
   * may not exist for the next, more exact stage.
   */
  #sharedOf(stage: RefutingStage, isOver: () => boolean): SharedClosures {
    const known = this.#shared.get(stage);
    if (known) return known;
    const { program, automataOptions } = this.#session;
    const shared = {
      closures: new ClosureSession(program, automataOptions, stage.workPerFirstPhase),
      refute: stage.createRefuter(isOver),
    };
    this.#shared.set(stage, shared);
    return shared;
  }
}
