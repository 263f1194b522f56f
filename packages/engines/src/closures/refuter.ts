import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';
import type { ClosureSession } from './closure-session.js';

/** An attack that is infeasible, and the closed sets that show it. */
export interface Refuted<Proof> {
  readonly attack: Attack;
  readonly proof: Proof;
}

/** What a refuter has found out. */
export interface Refutation<Proof> {
  /** In the order in which they were asked for; nothing is said of the others. */
  readonly refuted: readonly Refuted<Proof>[];
  /** Units of work that it took. */
  readonly work: number;
  /** Whether more work might refute more; `false` where that is not known. */
  readonly isCutOff: boolean;
}

/**
 * Refutes attacks without a search, as far as it gets with `maxWork` units of work; the result
 * depends on nothing else, never on a clock. `attacker` is the first thread of its class, `open`
 * are attacks of that thread that control flow allows. Where executions might fault, or threads
 * compute without end, nothing is refuted.
 */
export type Refuter<Proof> = (
  session: ClosureSession,
  attacker: ThreadId,
  open: readonly Attack[],
  maxWork: number,
) => Refutation<Proof>;
