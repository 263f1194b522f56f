import type { ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import { canFail } from '@fencewright/model/program/rmw.js';
import type { Invariant } from '@fencewright/model/program/program.js';
import {
  applyAbstraction,
  candidatesFor,
  type InferredAbstraction,
  type Relaxation,
} from '../abstractions/abstraction-candidates.js';
import { attemptProof, type Attempt } from './attempt.js';
import type { Conflict } from '../obligations/movers.js';
import type { Prover } from '../obligations/obligation.js';
import type { StoreAtomicity } from '../obligations/write-atomicity.js';

/**
 * An attempt of a proof with the inferred abstractions, and the invariants found while searching
 * for them.
 */
export interface InferredProof {
  readonly attempt: Attempt;
  readonly abstractions: readonly InferredAbstraction[];
  readonly found: readonly Invariant[];
}

/** The invariants that a proof attempt may use: written by the user, and inferred. */
export interface Premises {
  readonly written: readonly Invariant[];
  readonly helpers: readonly Invariant[];
}

/**
 * Tries to prove a store write-atomic with further invariants; returns the new attempt, and the
 * invariants found.
 */
type Strengthening = (
  attempt: Attempt,
  given: Premises,
  store: StoreAtomicity,
) => Promise<{ readonly attempt: Attempt; readonly found: readonly Invariant[] }>;

const nothingFound: Strengthening = (attempt) => Promise.resolve({ attempt, found: [] });

/** The maximum number of abstractions tried for one store. */
const mostAbstractions = 6;

/**
 * Looks for abstractions that give every store an argument, one store without argument after the
 * other. First, if other threads have rmws on the store's cell that can fail, two relaxations of
 * these threads are tried, which only add retries: the rmws may fail at any time, and loads in
 * waiting loops may return a value that keeps the thread waiting. If these do not make the store a
 * left mover, the loads after the store that are not right movers are relaxed one by one. If that
 * fails, all loads and rmws of other threads that keep the store from being a left mover are
 * relaxed. A relaxation is accepted if the invariants stay inductive and the failed obligation,
 * with the relaxed access, holds, if need be with invariants found by `strengthen`. Returns the
 * given attempt, without abstractions, if some store keeps no argument.
 */
export async function inferAbstractions(
  start: Attempt,
  given: Premises,
  prover: Prover,
  strengthen: Strengthening = nothingFound,
): Promise<InferredProof> {
  let proof: InferredProof = { attempt: start, abstractions: [], found: [] };
  for (;;) {
    const bad = proof.attempt.stores.find(({ argument }) => argument.kind === 'none');
    if (!bad) return proof;
    const retries = hasRivals(proof.attempt, bad) ? isRetry : () => false;
    const better =
      (await relaxFor(proof, bad, 'store', { given, prover, strengthen, isAllowed: retries })) ??
      (await relaxFor(proof, bad, 'load', { given, prover, strengthen })) ??
      (await relaxFor(proof, bad, 'store', { given, prover, strengthen }));
    if (!better) return { attempt: start, abstractions: [], found: [] };
    proof = better;
  }
}

/**
 * The means of a search for abstractions: the premises of attempts, the prover, and a function that
 * looks for more invariants.
 */
interface Means {
  readonly given: Premises;
  readonly prover: Prover;
  readonly strengthen: Strengthening;
  readonly isAllowed?: (relaxation: Relaxation) => boolean;
}

function isRetry({ kind }: Relaxation): boolean {
  return kind === 'may-fail' || kind === 'spin';
}

/**
 * Whether another thread has an rmw on the store's variable that may leave the variable unchanged.
 */
function hasRivals({ program }: Attempt, { thread, store }: StoreAtomicity): boolean {
  const { variable } = program.memory.cellAt(store.operation.address);
  return program.threads.some(
    (other) =>
      (other.thread !== thread || program.unbounded.includes(thread)) &&
      other.edges.some(
        ({ operation }) =>
          operation.kind === 'rmw' &&
          canFail(operation.operation.name) &&
          program.memory.cellAt(operation.address).variable === variable,
      ),
  );
}

/** Relaxes accesses until the conflicts of one kind are gone; `undefined` on failure. */
async function relaxFor(
  start: InferredProof,
  store: StoreAtomicity,
  mover: Conflict['mover'],
  means: Means,
): Promise<InferredProof | undefined> {
  let proof = start;
  for (let round = 0; round < mostAbstractions; round++) {
    const now = sameStore(proof.attempt, store);
    const conflicts = now?.argument.kind === 'none' ? now.argument.conflicts : [];
    const conflict = conflicts.find((each) => each.mover === mover);
    if (!conflict) return proof;
    const next = await relaxAgainst(proof, store, conflict, means);
    if (!next) return undefined;
    proof = next;
  }
  return undefined;
}

function sameStore(
  { stores }: Attempt,
  { thread, store }: StoreAtomicity,
): StoreAtomicity | undefined {
  return stores.find(
    (each) => each.thread === thread && each.store.transition === store.transition,
  );
}

/**
 * Returns the access that an abstraction has to replace to remove the conflict: the load that is no
 * right mover, or the load or rmw of another thread that conflicts with the store. `undefined` if
 * the conflict is with a store.
 */
function accessOf(conflict: Conflict): { thread: ThreadId; transition: TransitionId } | undefined {
  if (conflict.mover === 'load') return conflict;
  const last = conflict.otherStep.edges.findLast(({ operation }) => 'address' in operation);
  return last && last.operation.kind !== 'store'
    ? { thread: conflict.otherThread, transition: last.transition }
    : undefined;
}

async function relaxAgainst(
  { attempt, abstractions, found }: InferredProof,
  store: StoreAtomicity,
  conflict: Conflict,
  { given, prover, strengthen, isAllowed = () => true }: Means,
): Promise<InferredProof | undefined> {
  const access = accessOf(conflict);
  const { open } = attempt;
  // The relaxed program may lose inferred invariants, but has to keep the invariants of the text.
  const kept = attempt.invariants.filter((invariant) => given.written.includes(invariant));
  const thread = access && open.templates.threads[access.thread];
  if (!thread) return undefined;
  for (const relaxation of candidatesFor(open, thread, access.transition).filter(isAllowed)) {
    const abstraction = { thread: access.thread, transition: access.transition, relaxation };
    const known = { ...given, helpers: [...given.helpers, ...found] };
    const next = await attemptProof(
      applyAbstraction(open, abstraction),
      known.written,
      prover,
      known.helpers,
    );
    if ('unsupported' in next) continue;
    if (!kept.every((invariant) => next.invariants.includes(invariant))) continue;
    if (next.guesses.some(({ finding }) => finding.kind !== 'holds')) continue;
    if (next.weakRmws.some(({ finding }) => finding.kind !== 'holds')) continue;
    const all = [...abstractions, abstraction];
    if (!isStillThere(next, store, conflict, access))
      return { attempt: next, abstractions: all, found };
    const same = sameStore(next, store);
    const better = same && (await strengthen(next, known, same));
    if (better && !isStillThere(better.attempt, store, conflict, access))
      return { attempt: better.attempt, abstractions: all, found: [...found, ...better.found] };
  }
  return undefined;
}

/**
 * Whether the attempt still has no argument that the store is write-atomic, and still has a
 * conflict of the same kind (`mover`) with this access.
 */
function isStillThere(
  attempt: Attempt,
  store: StoreAtomicity,
  { mover }: Conflict,
  access: { readonly thread: ThreadId; readonly transition: TransitionId },
): boolean {
  const argument = sameStore(attempt, store)?.argument;
  if (argument?.kind !== 'none') return false;
  return argument.conflicts.some((conflict) => {
    const other = accessOf(conflict);
    return (
      conflict.mover === mover &&
      other?.thread === access.thread &&
      other.transition === access.transition
    );
  });
}
