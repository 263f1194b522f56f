import { ClosureSession } from '../closures/closure-session.js';
import { symmetricThreads } from '../closures/thread-symmetry.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';
import type { SearchSession } from './search-session.js';
import type { RefutedAttack } from './settled-attacks.js';

/** The attacks of one thread tried by a stage in a turn, and the attacks refuted by the stage. */
interface Attempt {
  readonly attacker: ThreadId;
  /** The name of the turn and stage. */
  readonly turn: string;
  readonly tried: ReadonlySet<string>;
  readonly refuted: ReadonlyMap<string, RefutedAttack>;
}

/** The maximum work for each closure by which threads are compared. */
const workToCompare = 30_000;

function nameOf({ store, load }: Attack): string {
  return `${store}.${load}`;
}

/**
 * Records the attacks that stages tried to refute, so that an attack is tried only for one of
 * several symmetric threads (`symmetricThreads`). Threads are compared only at the turn of a second
 * attacker.
 */
export class LikeThreads {
  readonly #session: SearchSession;
  readonly #attempts: Attempt[] = [];
  #firstLike: ReadonlyMap<ThreadId, ThreadId> | undefined;

  constructor(session: SearchSession) {
    this.#session = session;
  }

  note(turn: string, tried: readonly Attack[], refuted: readonly RefutedAttack[]): void {
    const [first] = tried;
    if (!first || !this.#session.reductions.symmetry) return;
    this.#attempts.push({
      attacker: first.thread,
      turn,
      tried: new Set(tried.map(nameOf)),
      refuted: new Map(refuted.map((one) => [nameOf(one.attack), one])),
    });
  }

  /**
   * Returns the attacks among `open` already refuted for a symmetric thread, as refuted attacks of
   * the thread in `open`.
   */
  refuted(open: readonly Attack[]): readonly RefutedAttack[] {
    const attempts = this.#attemptsLike(open);
    return open.flatMap((attack) => {
      const known = attempts.find(({ refuted }) => refuted.has(nameOf(attack)));
      return known ? [{ attack, stage: known.refuted.get(nameOf(attack))!.stage }] : [];
    });
  }

  /** Returns the attacks among `open` not tried in this turn for a symmetric thread. */
  untried(turn: string, open: readonly Attack[]): readonly Attack[] {
    const attempts = this.#attemptsLike(open).filter((attempt) => attempt.turn === turn);
    return open.filter((attack) => !attempts.some(({ tried }) => tried.has(nameOf(attack))));
  }

  /**
   * Returns the number of threads in `attackers` that are symmetric to `attacker`, itself included.
   */
  count(attacker: ThreadId, attackers: readonly ThreadId[]): number {
    if (attackers.length < 2 || !this.#session.reductions.symmetry) return 1;
    return attackers.filter((other) => other === attacker || this.#areLike(attacker, other)).length;
  }

  /** Returns the attempts for threads symmetric to the thread of the attacks. */
  #attemptsLike([attack]: readonly Attack[]): readonly Attempt[] {
    return this.#attempts.filter(
      ({ attacker }) =>
        attack && attacker !== attack.thread && this.#areLike(attacker, attack.thread),
    );
  }

  #areLike(thread: ThreadId, other: ThreadId): boolean {
    const { program, automataOptions } = this.#session;
    // The comparison has automata of its own, because it meets steps and faults that no execution
    // has.
    this.#firstLike ??= symmetricThreads(
      new ClosureSession(program, automataOptions, workToCompare),
    );
    const first = this.#firstLike.get(thread);
    return first !== undefined && first === this.#firstLike.get(other);
  }
}
