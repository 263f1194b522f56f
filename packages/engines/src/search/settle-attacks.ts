import { at } from '@fencewright/ground/base/at.js';
import type { Budget } from '@fencewright/ground/base/budget.js';
import { ClosureSession } from '../closures/closure-session.js';
import { refuteByLocalClosure } from '../closures/local-closure.js';
import { createPairRefuter } from '../closures/pair-refuter.js';
import type { Refuter } from '../closures/refuter.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Attack, AttackStage } from '@fencewright/model/verdict/attack.js';
import { nothingBlocked } from '../automata/attacker-automaton.js';
import { openAttacks } from './open-attacks.js';
import type { SearchSession, SearchStages } from './search-session.js';
import type { RefutedAttack, TurnFindings } from './settled-attacks.js';

/** A stage that refutes attacks without a search. */
interface RefutingStage {
  readonly stage: AttackStage;
  readonly option: keyof SearchStages;
  /**
   * Creates the refuter of the stage. A refuter with long calls asks `isOver` whether time is over.
   */
  readonly createRefuter: (isOver: () => boolean) => Refuter<unknown>;
  /** The maximal work for the attacks of one thread, in units. */
  readonly maxWork: number;
  /** The maximal work for each closure of the steps under SC, in units. */
  readonly workPerFirstPhase: number;
  /**
   * Whether the stage repeats an earlier stage with more work, for threads on which the earlier
   * stage was cut off.
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
 * A turn of the refuting stages: the number of states at which the turn is taken, and its stages,
 * in order.
 */
interface SettlingTurn {
  /**
   * The number of states stored before the turn, as a multiple of the number before the first turn.
   */
  readonly times: number;
  readonly stages: readonly RefutingStage[];
  /** The work, in units, that may be done for all threads together before any attack is refuted. */
  readonly credit: number;
  /** The maximal number of undecided attacks that a thread may have to take part in the turn. */
  readonly maxOpen: number;
}

/**
 * The work, in units, that a refuted attack earns for its stage: a stage goes on as long as
 * refutations pay.
 */
const creditPerAttack = 500_000;

/**
 * The turns of the refuting stages. Expensive stages come late in the search: meanwhile, the search
 * finds feasible attacks on which refuters would only waste work. Attacks are more often infeasible
 * if few attacks of a thread are left undecided than if many are.
 */
const settlingTurns: readonly SettlingTurn[] = [
  { times: 1, stages: [localClosure], credit: Infinity, maxOpen: Infinity },
  { times: 2, stages: [thoroughLocalClosure], credit: Infinity, maxOpen: Infinity },
  { times: 2, stages: [pairClosure], credit: 200_000, maxOpen: 3 },
  { times: 10, stages: [pairClosure], credit: 200_000, maxOpen: Infinity },
  { times: 80, stages: [pairClosure], credit: 4_000_000, maxOpen: Infinity },
];

/**
 * The maximal number of attacks of one thread that the stages try to refute; a thread may have
 * millions.
 */
const maxAttacks = 10_000;

/** Whether a closure of the program's steps under SC shows that no execution ends in a fault. */
export function isFaultFree({ program, automataOptions }: SearchSession): boolean {
  const { workPerFirstPhase } = localClosure;
  return new ClosureSession(program, automataOptions, workPerFirstPhase).isFaultFree();
}

/** The closures of one stage, which the refutations of all attackers use. */
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
  /** The attackers for which a stage needed more work than its limit allows, by stage. */
  readonly #cutOff = new Map<AttackStage, Set<ThreadId>>();

  readonly #turns: readonly SettlingTurn[];

  constructor(session: SearchSession) {
    this.#session = session;
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
   * Takes one turn for the given attackers, which stand for all threads with equal code; each
   * attacker must have all turns in order.
   */
  async settle(
    turn: number,
    attackers: readonly ThreadId[],
    isOpen: (attack: Attack) => boolean,
    budget: Budget,
  ): Promise<TurnFindings> {
    const refuted: RefutedAttack[] = [];
    const { stages, credit, maxOpen } = at(this.#turns, turn);
    for (const stage of stages) {
      let left = credit;
      for (const attacker of attackers) {
        if (left <= 0) break;
        if (stage.isRetry && this.#cutOff.get(stage.stage)?.has(attacker) !== true) continue;
        const { bytes } = this.#session;
        const exhausted = await budget.checkpoint(0, bytes + this.#bytes);
        if (exhausted) return { refuted, found: [], exhausted };
        for (let isPaying = true; isPaying && left > 0 && !budget.isOver;) {
          const open = this.#toRefute(attacker, isOpen);
          if (open.length === 0 || open.length > maxOpen) break;
          const { closures, refute } = this.#sharedOf(stage, () => budget.isOver);
          const answer = refute(closures, attacker, open, Math.min(stage.maxWork, left));
          left += creditPerAttack * answer.refuted.length - answer.work;
          budget.spend(answer.work);
          if (answer.isCutOff) this.#noteCutOff(stage, attacker);
          for (const { attack } of answer.refuted) {
            this.#session.settled.add({ attack, stage: stage.stage });
            refuted.push({ attack, stage: stage.stage });
          }
          isPaying = stage.isRetry === true && answer.isCutOff && answer.refuted.length > 0;
        }
      }
    }
    return { refuted, found: [] };
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
   * Returns the closures of a stage. Stages share no closures: a fault found by one stage may be
   * absent in the next, more exact stage.
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
