import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';
import type { ClosureSession } from './closure-session.js';

/** An attack shown to be infeasible, and the proof of a refuter. */
export interface Refuted<Proof> {
  readonly attack: Attack;
  readonly proof: Proof;
}

/** The results of a refuter. */
export interface Refutation<Proof> {
  /** The refuted attacks, in the order of the request; the other attacks are undecided. */
  readonly refuted: readonly Refuted<Proof>[];
  /** The work done by the refuter, in units specific to the refuter. */
  readonly work: number;
  /** Whether more work might refute more attacks; `false` if unknown. */
  readonly isCutOff: boolean;
}

/**
 * Tries to refute attacks without a search, with at most `maxWork` units of work. The result
 * depends on the arguments only, never on a clock. `attacker` represents all threads with its code,
 * and is the first of them; `open` are attacks of the attacker that control flow allows. Refutes
 * nothing if executions might fault or threads compute without end.
 */
export type Refuter<Proof> = (
  session: ClosureSession,
  attacker: ThreadId,
  open: readonly Attack[],
  maxWork: number,
) => Refutation<Proof>;
