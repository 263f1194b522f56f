import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';
import type { ClosureSession } from './closure-session.js';

/** An infeasible attack, and the closed sets as proof. */
export interface Refuted<Proof> {
  readonly attack: Attack;
  readonly proof: Proof;
}

/** The results of a refuter. */
export interface Refutation<Proof> {
  /** In the order of the request; unlisted attacks are undecided. */
  readonly refuted: readonly Refuted<Proof>[];
  /** Units of work used. */
  readonly work: number;
  /** Whether more work might refute more; `false` if unknown. */
  readonly isCutOff: boolean;
}

/**
 * Refutes attacks without a search, using at most `maxWork` units of work. The result depends on
 * the arguments only, never on a clock. `attacker` is the first thread of its class, `open` are
 * attacks of the attacker that control flow allows. Nothing is refuted if executions might fault or
 * threads compute without end.
 */
export type Refuter<Proof> = (
  session: ClosureSession,
  attacker: ThreadId,
  open: readonly Attack[],
  maxWork: number,
) => Refutation<Proof>;
