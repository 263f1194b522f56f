import type { Templates } from '@fencewright/model/program/templates.js';
import type { Invariant } from '@fencewright/model/program/program.js';
import type { Unprovable } from '@fencewright/model/verdict/prove-result.js';
import { checkGuesses, type GuessSoundness } from '../abstractions/abstraction-soundness.js';
import { ImpossibleSteps } from '../obligations/impossible-steps.js';
import { findBroken, type BrokenInvariant } from '../obligations/induction.js';
import { largestInductive } from '../invariants/houdini.js';
import { MoverChecks } from '../obligations/movers.js';
import type { Prover } from '../obligations/obligation.js';
import { toProofProgram, type ProofProgram } from '../steps/proof-program.js';
import { checkWeakRmws, type WeakRmwSoundness } from '../abstractions/weak-rmw-soundness.js';
import { decideWriteAtomicity, type StoreAtomicity } from '../obligations/write-atomicity.js';

/** The facts that a proof attempt has shown about a program, with the invariants used. */
export interface Attempt {
  readonly open: Templates;
  readonly program: ProofProgram;
  /** The invariants of the attempt that are inductive together. */
  readonly invariants: readonly Invariant[];
  readonly broken: ReadonlyMap<Invariant, BrokenInvariant>;
  readonly guesses: readonly GuessSoundness[];
  readonly weakRmws: readonly WeakRmwSoundness[];
  readonly movers: MoverChecks;
  readonly stores: readonly StoreAtomicity[];
}

/**
 * Attempts a proof: checks abstractions and invariants, drops invariants until the remaining ones
 * are inductive together, and looks for a proof that each store is write-atomic. `helpers`,
 * inferred invariants, may be many: joint questions decide which hold, and the prover does not
 * store these questions.
 */
export async function attemptProof(
  open: Templates,
  given: readonly Invariant[],
  prover: Prover,
  helpers: readonly Invariant[] = [],
): Promise<Attempt | { readonly unsupported: Unprovable }> {
  const program = toProofProgram(open, [...given, ...helpers]);
  if ('unsupported' in program) return program;
  const guesses = await checkGuesses(program, prover);
  const weakRmws = await checkWeakRmws(program, prover);
  const { invariants, broken } =
    helpers.length > 0
      ? await keepTogether(program, [...given, ...helpers], prover)
      : await keepInductive(program, given, prover);
  const movers = new MoverChecks(program, invariants, prover);
  const impossible = new ImpossibleSteps(program, invariants, prover);
  const stores = await decideWriteAtomicity(program, movers, impossible);
  return { open, program, invariants, broken, guesses, weakRmws, movers, stores };
}

/**
 * Returns the invariants that are inductive together, found by joint questions about many
 * invariants.
 */
async function keepTogether(
  program: ProofProgram,
  all: readonly Invariant[],
  prover: Prover,
): Promise<Pick<Attempt, 'invariants' | 'broken'>> {
  const broken = new Map<Invariant, BrokenInvariant>();
  const invariants = await largestInductive(program, [], all, prover, {
    onRemoval: (invariant, removal) => broken.set(invariant, { invariant, ...removal }),
  });
  return { invariants, broken };
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
