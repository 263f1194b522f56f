import type { ThreadId, TransitionId } from '../program/ids.js';
import type { Invariant } from '../program/program.js';
import { abstractLoad, type InferredAbstraction } from './abstract-load.js';
import { attemptProof, type Attempt } from './attempt.js';
import type { Conflict } from './movers.js';
import type { Prover } from './obligation.js';
import { relaxationsOf } from './relaxations.js';
import type { StoreAtomicity } from './write-atomicity.js';

/** An attempt with the abstractions that it needed. */
export interface InferredProof {
  readonly attempt: Attempt;
  readonly abstractions: readonly InferredAbstraction[];
}

/** The invariants that an attempt may use: those that somebody wrote, and others. */
export interface Premises {
  readonly written: readonly Invariant[];
  readonly helpers: readonly Invariant[];
}

/** Most abstractions for one store. */
const mostAbstractions = 6;

/**
 * Looks for read abstractions with which every store has an argument. For a store without one, its loads that are no right movers are relaxed
 * one by one; if that does not help, the loads of other threads that keep it from being a left mover. A relaxation is taken if the invariants
 * stay inductive and the obligation that failed, against that load, holds. Returns the attempt that it was given, without abstractions, if
 * some store remains.
 */
export async function inferAbstractions(
  start: Attempt,
  given: Premises,
  prover: Prover,
): Promise<InferredProof> {
  let proof: InferredProof = { attempt: start, abstractions: [] };
  for (;;) {
    const bad = proof.attempt.stores.find(({ argument }) => argument.kind === 'none');
    if (!bad) return proof;
    const better =
      (await relaxFor(proof, bad, 'load', given, prover)) ??
      (await relaxFor(proof, bad, 'store', given, prover));
    if (!better) return { attempt: start, abstractions: [] };
    proof = better;
  }
}

/** Relaxes loads until the conflicts of one kind are gone; absent if that fails. */
async function relaxFor(
  start: InferredProof,
  store: StoreAtomicity,
  mover: Conflict['mover'],
  given: Premises,
  prover: Prover,
): Promise<InferredProof | undefined> {
  let proof = start;
  for (let round = 0; round < mostAbstractions; round++) {
    const now = sameStore(proof.attempt, store);
    const conflicts = now?.argument.kind === 'none' ? now.argument.conflicts : [];
    const conflict = conflicts.find((each) => each.mover === mover);
    if (!conflict) return proof;
    const next = await relaxAgainst(proof, store, conflict, given, prover);
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

/** The load that is to be relaxed: the one that does not move, or the one that sees the store. */
function loadOf(conflict: Conflict): { thread: ThreadId; transition: TransitionId } | undefined {
  if (conflict.mover === 'load') return conflict;
  const last = conflict.otherStep.edges.findLast(({ operation }) => 'address' in operation);
  return last?.operation.kind === 'load' || last?.operation.kind === 'guess'
    ? { thread: conflict.otherThread, transition: last.transition }
    : undefined;
}

async function relaxAgainst(
  { attempt, abstractions }: InferredProof,
  store: StoreAtomicity,
  conflict: Conflict,
  given: Premises,
  prover: Prover,
): Promise<InferredProof | undefined> {
  const load = loadOf(conflict);
  const { open } = attempt;
  // Inferred invariants may go, those that somebody wrote may not.
  const kept = attempt.invariants.filter((invariant) => given.written.includes(invariant));
  const thread = load && open.templates.threads[load.thread];
  if (!thread) return undefined;
  for (const relaxation of relaxationsOf(open.templates, thread, load.transition)) {
    const abstraction = { thread: load.thread, transition: load.transition, relaxation };
    const next = await attemptProof(
      abstractLoad(open, abstraction),
      given.written,
      prover,
      given.helpers,
    );
    if ('unsupported' in next) continue;
    if (!kept.every((invariant) => next.invariants.includes(invariant))) continue;
    if (next.guesses.some(({ finding }) => finding.kind !== 'holds')) continue;
    if (isStillThere(next, store, conflict, load)) continue;
    return { attempt: next, abstractions: [...abstractions, abstraction] };
  }
  return undefined;
}

/** Whether the store still has no argument, because of the same load. */
function isStillThere(
  attempt: Attempt,
  store: StoreAtomicity,
  { mover }: Conflict,
  load: { readonly thread: ThreadId; readonly transition: TransitionId },
): boolean {
  const argument = sameStore(attempt, store)?.argument;
  if (argument?.kind !== 'none') return false;
  return argument.conflicts.some((conflict) => {
    const other = loadOf(conflict);
    return (
      conflict.mover === mover &&
      (conflict.mover === 'load'
        ? conflict.thread === load.thread && conflict.transition === load.transition
        : other?.thread === load.thread && other.transition === load.transition)
    );
  });
}
