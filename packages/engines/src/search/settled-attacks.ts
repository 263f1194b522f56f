import type { Exhaustion } from '@fencewright/ground/base/budget.js';
import type { DirectedWitness } from '../directed/directed-finder.js';
import { StaticPaths } from '../closures/static-path.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { Attack, AttackStage } from '@fencewright/model/verdict/attack.js';

/**
 * An infeasible attack, and the stage (the method without a full search) that refuted it. Plain
 * data.
 */
export interface RefutedAttack {
  readonly attack: Attack;
  readonly stage: AttackStage;
}

/**
 * The attacks that one turn of the refuting stages has settled, and the limit that ended the turn
 * early, if any.
 */
export interface TurnFindings {
  readonly refuted: readonly RefutedAttack[];
  readonly found: readonly DirectedWitness[];
  readonly exhausted?: Exhaustion;
}

/**
 * The attacks of a program refuted without a search, each given for the first of the threads with
 * equal code.
 */
export class SettledAttacks {
  readonly #program: Program;
  readonly #looksAtPaths: boolean;
  #paths: StaticPaths | undefined;
  /**
   * By number of an attack, the stage that refuted the attack, or `none`; attacks that nobody asked
   * for are absent.
   */
  readonly #stages = new Map<number, AttackStage | 'none'>();
  readonly #most: number;

  constructor(program: Program, looksAtPaths: boolean) {
    this.#program = program;
    this.#looksAtPaths = looksAtPaths;
    this.#most = Math.max(0, ...program.threads.map(({ transitions }) => transitions.length));
  }

  #numberOf({ thread, store, load }: Attack): number {
    return (thread * this.#most + store) * this.#most + load;
  }

  /**
   * Returns the stage that refuted an attack allowed by control flow; `undefined` if no stage did.
   */
  stageOf(attack: Attack): AttackStage | undefined {
    const number = this.#numberOf(attack);
    let stage = this.#stages.get(number);
    if (!stage) {
      stage = this.#hasNoPath(attack) ? 'static-path' : 'none';
      this.#stages.set(number, stage);
    }
    return stage === 'none' ? undefined : stage;
  }

  add({ attack, stage }: RefutedAttack): void {
    this.#stages.set(this.#numberOf(attack), stage);
  }

  #hasNoPath(attack: Attack): boolean {
    if (!this.#looksAtPaths) return false;
    this.#paths ??= new StaticPaths(this.#program);
    return this.#paths.refutes(attack);
  }
}
