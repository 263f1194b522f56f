import type { ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';
import type { ClosureSession } from './closure-session.js';
import { PairAttackPhases } from './pair-attack-phases.js';
import type { ClosedPairs } from './pair-closure.js';
import { PairFirstPhases } from './pair-first-phase.js';
import { GaveUp, SecondWriter, type PairEffort } from './pair-steps.js';
import type { Refuted, Refuter } from './refuter.js';

/**
 * The proof that an attack is infeasible by closed relations. The relations are large and not kept,
 * but can be computed again.
 */
interface PairClosureProof {
  /**
   * Whether local states include the threads' inboxes (cells that only one thread reads), in
   * addition to own cells.
   */
  readonly keepsInboxes: boolean;
}

/** Returns the result of `compute`; `undefined` if `compute` threw `GaveUp`. */
function orGiveUp<T>(compute: () => T): T | undefined {
  try {
    return compute();
  } catch (error) {
    if (error instanceof GaveUp || error instanceof SecondWriter) return undefined;
    throw error;
  }
}

/**
 * Creates a refuter that computes a closed relation for each phase of an attack; docs/adr/0015 says
 * why this is sound. An attack that is not refuted is tried once more with local states that
 * include the threads' inboxes. The relation of all SC executions is computed once for all
 * attackers of a session. Once `isOver` returns true, nothing more is refuted. Tests pass other
 * `attempts`.
 */
export function createPairRefuter(
  isOver: () => boolean = () => false,
  attempts: readonly PairClosureProof[] = [{ keepsInboxes: false }, { keepsInboxes: true }],
): Refuter<PairClosureProof> {
  const known = new WeakMap<ClosureSession, PairFirstPhases>();
  return (session, attacker, open, maxWork) => {
    const phases = known.get(session) ?? new PairFirstPhases(session, isOver);
    known.set(session, phases);
    const effort: PairEffort = { left: maxWork, isOver };
    const before = phases.work;
    const refuted = refuteByPairs(session, phases, attacker, open, effort, attempts);
    const work = phases.work - before + maxWork - effort.left;
    return { refuted, work, isCutOff: false };
  };
}

function refuteByPairs(
  session: ClosureSession,
  phases: PairFirstPhases,
  attacker: ThreadId,
  open: readonly Attack[],
  effort: PairEffort,
  attempts: readonly PairClosureProof[],
): Refuted<PairClosureProof>[] {
  const proofs = new Map<Attack, PairClosureProof>();
  for (const proof of attempts) {
    const left = open.filter((attack) => !proofs.has(attack));
    if (left.length === 0 || !session.isSupported || session.isInVain) break;
    const all = orGiveUp(() => (proof.keepsInboxes ? phases.withInboxes() : phases.plain()));
    if (!all || session.isInVain) continue;
    for (const attack of refuteBehind(session, phases, attacker, all, left, effort))
      proofs.set(attack, proof);
  }
  return open.flatMap((attack) => {
    const proof = proofs.get(attack);
    return proof ? [{ attack, proof }] : [];
  });
}

/**
 * Returns the attacks that the second and third phases refute, given the closed relation of all SC
 * executions.
 */
function refuteBehind(
  session: ClosureSession,
  phases: PairFirstPhases,
  attacker: ThreadId,
  all: ClosedPairs,
  open: readonly Attack[],
  effort: PairEffort,
): readonly Attack[] {
  const byStore = new Map<TransitionId, PairAttackPhases | undefined>();
  const phasesOf = (store: TransitionId): PairAttackPhases | undefined =>
    orGiveUp(() => {
      const first = phases.before(attacker, store, all, effort);
      return new PairAttackPhases(session, phases, first, attacker, store, effort);
    });
  return open.filter(({ store, load }) => {
    if (!byStore.has(store)) byStore.set(store, phasesOf(store));
    const found = byStore.get(store);
    return found && orGiveUp(() => found.isRefuted(load)) === true && !session.isInVain;
  });
}
