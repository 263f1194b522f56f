import type { ThreadId, TransitionId } from '../program/ids.js';
import type { Attack } from '../verdict/attack.js';
import type { ClosureSession } from './closure-session.js';
import type { ClosedPairs } from './pair-closure.js';
import { PairPhases } from './pair-phases.js';
import { GaveUp, SecondWriter, type Keeping } from './pair-steps.js';
import type { Refutation, Refuted } from './refuter.js';
import type { Effort } from './thread-closure.js';

/**
 * How an attack was refuted. The closed relations are large and not kept; they can be computed
 * again.
 */
export interface PairClosureProof {
  /** Whether threads keep the cells that they alone read, not only those that they alone write. */
  readonly keepsInboxes: boolean;
}

const writtenByOne: Keeping = { keepers: [], inboxes: new Set() };

/** What `compute` returns; `undefined` if it gave up. */
function orGiveUp<T>(compute: () => T): T | undefined {
  try {
    return compute();
  } catch (error) {
    if (error instanceof GaveUp || error instanceof SecondWriter) return undefined;
    throw error;
  }
}

/** The attacks behind a first phase that are refuted. */
function refuteBehind(
  session: ClosureSession,
  phases: PairPhases,
  whole: ClosedPairs,
  open: readonly Attack[],
): readonly Attack[] {
  const seconds = new Map<TransitionId, ClosedPairs | undefined>();
  return open.filter((attack) => {
    const { store } = attack;
    if (!seconds.has(store))
      seconds.set(
        store,
        orGiveUp(() => phases.second(phases.firstBefore(store, whole), store)),
      );
    const second = seconds.get(store);
    const isRefuted = second && orGiveUp(() => phases.isRefutedBehind(second, attack));
    return isRefuted === true && !session.isInVain;
  });
}

/**
 * Refutes attacks by closed relations between pairs of components, threads and cells, for each of
 * their phases: a step is possible if all that takes part in it is related, and what comes out of it
 * is related to what all of them are related to. docs/adr/0030 says why that is enough. What is
 * left over is tried once more with the cells that one thread alone reads in its local states.
 */
export function refuteByPairClosure(
  session: ClosureSession,
  attacker: ThreadId,
  open: readonly Attack[],
  maxWork: number,
): Refutation<PairClosureProof> {
  const effort: Effort = { left: maxWork };
  const phases = new PairPhases(session, attacker, effort);
  const proofs = new Map<Attack, PairClosureProof>();
  const refute = (keeping: Keeping): ClosedPairs | undefined => {
    const whole = orGiveUp(() => phases.first(keeping));
    if (!whole || session.isInVain) return undefined;
    const left = open.filter((attack) => !proofs.has(attack));
    for (const attack of refuteBehind(session, phases, whole, left))
      proofs.set(attack, { keepsInboxes: keeping.inboxes.size > 0 });
    return whole;
  };
  if (session.isSupported && !session.isInVain) {
    const whole = refute(writtenByOne);
    const inboxes = whole && proofs.size < open.length ? phases.inboxesOf(whole) : undefined;
    if (inboxes) refute(inboxes);
  }
  const refuted = open.flatMap((attack): Refuted<PairClosureProof>[] => {
    const proof = proofs.get(attack);
    return proof ? [{ attack, proof }] : [];
  });
  return { refuted, work: maxWork - Math.max(0, effort.left) };
}
