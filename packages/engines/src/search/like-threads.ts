import { ClosureSession } from '../closures/closure-session.js';
import { symmetricThreads } from '../closures/thread-symmetry.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';
import type { SearchSession } from './search-session.js';
import type { RefutedAttack } from './settled-attacks.js';

/**
 * An attempt of a refuting stage, in one of its turns: the attacks of one thread that the stage
 * tried to refute, and the attacks that it refuted.
 */
interface Attempt {
  readonly attacker: ThreadId;
  /** A string that names the turn and the stage. */
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
 * Records which attacks refuting stages have tried to refute, so that the stages try an attack for
 * only one of several symmetric threads (`symmetricThreads`). Threads are compared when the attacks
 * of a second thread are to be refuted, not before.
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

  /** Returns the attacks among `open` that were not tried in this turn for a symmetric thread. */
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

  /** Returns the attempts that were made for threads symmetric to the thread of these attacks. */
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
