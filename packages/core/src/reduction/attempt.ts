import type { OpenProgram } from '../program/open-program.js';
import type { Invariant } from '../program/program.js';
import { checkGuesses, type GuessSoundness } from './abstraction-soundness.js';
import { findBroken, type BrokenInvariant } from './induction.js';
import { MoverChecks } from './movers.js';
import type { Prover } from './obligation.js';
import { toProofProgram, type ProofProgram } from './proof-program.js';
import { decideWriteAtomicity, type StoreAtomicity } from './write-atomicity.js';

/** What can be shown of a program with its invariants. */
export interface Attempt {
  readonly open: OpenProgram;
  readonly program: ProofProgram;
  /** Those of the invariants that are inductive together. */
  readonly invariants: readonly Invariant[];
  readonly broken: ReadonlyMap<Invariant, BrokenInvariant>;
  readonly guesses: readonly GuessSoundness[];
  readonly movers: MoverChecks;
  readonly stores: readonly StoreAtomicity[];
}

/** Checks guesses and invariants, leaves out invariants until the others are inductive together, and looks for an argument for each store. */
export async function attemptProof(
  open: OpenProgram,
  given: readonly Invariant[],
  prover: Prover,
): Promise<Attempt | { readonly unsupported: string }> {
  const program = toProofProgram(open, given);
  if ('unsupported' in program) return program;
  const guesses = await checkGuesses(program, prover);
  const { invariants, broken } = await keepInductive(program, given, prover);
  const movers = new MoverChecks(program, invariants, prover);
  const stores = await decideWriteAtomicity(program, movers);
  return { open, program, invariants, broken, guesses, movers, stores };
}

async function keepInductive(
  program: ProofProgram,
  given: readonly Invariant[],
  prover: Prover,
): Promise<Pick<Attempt, 'invariants' | 'broken'>> {
  let invariants = given;
  const broken = new Map<Invariant, BrokenInvariant>();
  for (;;) {
    const found = await findBroken(program, invariants, prover);
    if (!found) return { invariants, broken };
    broken.set(found.invariant, found);
    invariants = invariants.filter((invariant) => invariant !== found.invariant);
  }
}
