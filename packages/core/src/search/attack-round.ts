import type { Budget, Exhaustion } from '../base/budget.js';
import type { ThreadId } from '../program/ids.js';
import type { Attack } from '../verdict/attack.js';
import type { Witness } from '../verdict/verdict.js';
import { AttackerSearch, type Allowance, type AttackerJob } from './attacker-search.js';
import type { SearchSession } from './search-session.js';
import type { WitnessEvidence } from './search-witness.js';
import { ShortestWitness } from './shortest-witness.js';

export interface AttackRoundOptions {
  readonly stopAtFirst: boolean;
  /** Build and replay a witness for every feasible attack, not only where it can be the shortest. */
  readonly replayAll?: boolean;
}

const firstStage = 100;
const statesPerBreath = 4096;
const scansPerBreath = 256;

/**
 * One search for feasible attacks. The three phases advance in stages that double, so that what is found early is found fast, also
 * where there are infinitely many states.
 */
export class AttackRound {
  readonly #session: SearchSession;
  /** By thread. */
  readonly #attackers: ReadonlyMap<ThreadId, AttackerSearch>;
  readonly #stopAtFirst: boolean;
  /** The feasible attacks, of threads that stand for their classes. */
  readonly found: Attack[] = [];
  readonly #shortest: ShortestWitness;
  #scanned = 0;

  constructor(
    session: SearchSession,
    jobs: readonly AttackerJob[],
    { stopAtFirst, replayAll = false }: AttackRoundOptions,
  ) {
    this.#session = session;
    this.#stopAtFirst = stopAtFirst;
    this.#shortest = new ShortestWitness(session.program, session.notion, replayAll);
    const onFeasible = (evidence: WitnessEvidence): void => {
      this.found.push(evidence.attack);
      this.#shortest.offer(evidence);
    };
    this.#attackers = new Map(
      jobs.map((job) => [job.thread, new AttackerSearch(session, job, onFeasible)]),
    );
  }

  /** The shortest witness of the attacks that were found, the first of them among equals. */
  get witness(): Witness | undefined {
    return this.#shortest.witness;
  }

  /** States of all phases; those of the first are the session's. */
  get states(): number {
    let states = this.#session.sequential.table.count;
    for (const attacker of this.#attackers.values()) states += attacker.states;
    return states;
  }

  /** Bytes of all tables. */
  get bytes(): number {
    let bytes = this.#session.bytes;
    for (const attacker of this.#attackers.values()) bytes += attacker.bytes;
    return bytes;
  }

  get #finished(): boolean {
    if (this.found.length > 0 && this.#stopAtFirst) return true;
    for (const { finished } of this.#attackers.values()) if (!finished) return false;
    return true;
  }

  /** Runs until everything is decided or the budget is used up. */
  async run(budget: Budget): Promise<Exhaustion | undefined> {
    const { sequential } = this.#session;
    this.#session.start();
    for (let stage = firstStage; !this.#finished; stage *= 2) {
      const allowance = { budget, stage, usage: this };
      const exhausted =
        (await this.#growFirstPhase(allowance)) ??
        (await this.#scan(allowance)) ??
        (await this.#advance(allowance));
      if (exhausted) return exhausted;
      const complete =
        sequential.cursor >= sequential.table.count &&
        this.#scanned >= sequential.table.count &&
        [...this.#attackers.values()].every(({ idle }) => idle);
      if (complete) return this.#session.automata.isEndless() ? 'states' : undefined;
    }
    return undefined;
  }

  async #growFirstPhase({ stage, budget }: Allowance): Promise<Exhaustion | undefined> {
    const { sequential } = this.#session;
    for (;;) {
      const more = Math.min(statesPerBreath, budget.room(this.states));
      const full = budget.exceededBy(this.states, this.bytes, sequential.table.growthFor(more));
      if (full) return full;
      const result = sequential.run(Math.min(stage, sequential.table.count + more));
      if (result === 'full') return 'memory';
      const exhausted = await budget.breathe(this.states, this.bytes);
      if (exhausted) return exhausted;
      if (result === 'done' || sequential.table.count >= stage) return undefined;
    }
  }

  /** Looks for first delayed stores in the states of the first phase up to the stage. */
  async #scan(allowance: Allowance): Promise<Exhaustion | undefined> {
    const { automata, sequential } = this.#session;
    const { stage, budget } = allowance;
    const end = Math.min(sequential.table.count, stage);
    const scanners = automata.classes.flatMap((members) => {
      const attacker = this.#attackers.get(members[0] ?? 0);
      return attacker ? [{ attacker, members }] : [];
    });
    while (this.#scanned < end && !this.#finished) {
      const state = this.#scanned++;
      // While somebody holds the bus lock no attack begins: it could as well begin after the release.
      if (!this.#session.isLocked(sequential, state))
        for (const { attacker, members } of scanners)
          if (!attacker.finished)
            for (const place of members) attacker.scan(state, place, allowance);
      if (this.#scanned % scansPerBreath !== 0) continue;
      const exhausted = await budget.breathe(this.states, this.bytes);
      if (exhausted) return exhausted;
    }
    return undefined;
  }

  async #advance(allowance: Allowance): Promise<Exhaustion | undefined> {
    for (const attacker of this.#attackers.values()) {
      if (this.#finished) return undefined;
      const exhausted = await attacker.advance(allowance);
      if (exhausted) return exhausted;
    }
    return undefined;
  }
}
