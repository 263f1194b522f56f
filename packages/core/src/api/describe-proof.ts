import { formatInvariant } from '@fencewright/model/program/format-invariant.js';
import type { Invariant } from '@fencewright/model/program/program.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import {
  describeGuess,
  describeWeakRmw,
} from '@fencewright/proofs/abstractions/describe-abstraction.js';
import { describeConflict } from '@fencewright/proofs/obligations/describe-conflict.js';
import { describeState } from '@fencewright/proofs/obligations/describe-model.js';
import type { StoreAtomicity } from '@fencewright/proofs/obligations/write-atomicity.js';
import type { ProofProgram } from '@fencewright/proofs/steps/proof-program.js';
import type { Attempt } from '@fencewright/proofs/strategy/attempt.js';
import type { Hopeless } from '@fencewright/proofs/strategy/horn-invariants.js';
import type { Inference } from '@fencewright/proofs/strategy/infer-proof.js';
import type {
  InvariantProof,
  ProveResult,
  StoreProof,
} from '@fencewright/model/verdict/prove-result.js';
import { complainAboutGuess } from './unsound-abstractions.js';

/** Returns the results of an attempted proof as plain data. */
export function proofParts(
  open: Templates,
  inferred: Inference,
  given: readonly Invariant[],
  written: readonly Invariant[],
): Pick<ProveResult, 'invariants' | 'abstractions' | 'abstraction' | 'diagnostics' | 'stores'> {
  const { program, invariants, guesses, weakRmws, stores } = inferred.attempt;
  return {
    invariants: [
      ...written.map((invariant) => describeInvariant(inferred.attempt, invariant)),
      ...invariants
        .filter((invariant) => !given.includes(invariant))
        .map((invariant) => describeInferred(open, invariant, inferred.found)),
    ],
    abstractions: [
      ...guesses.map((guess) => describeGuess(program, guess, inferred.abstractions)),
      ...weakRmws.map((weak) => describeWeakRmw(program, weak, inferred.abstractions)),
    ],
    ...shownAbstraction(inferred, given),
    diagnostics: guesses.flatMap((guess) => complainAboutGuess(program, guess) ?? []),
    stores: stores.map((store) => describeStore(program, store, inferred.hopeless)),
  };
}

/**
 * Returns the program with the abstractions and invariants found by inference; an empty object if
 * there are no abstractions.
 */
function shownAbstraction(
  { attempt, abstractions }: Inference,
  given: readonly Invariant[],
): Pick<ProveResult, 'abstraction'> {
  if (abstractions.length === 0) return {};
  const { templates, unbounded } = attempt.open;
  const found = attempt.invariants.filter((invariant) => !given.includes(invariant));
  const invariants = [...(templates.invariants ?? []), ...found];
  return { abstraction: { unbounded, templates: { ...templates, invariants } } };
}

function describeInvariant({ program, broken }: Attempt, invariant: Invariant): InvariantProof {
  const found = broken.get(invariant);
  const common = { name: invariant.name, origin: 'given' as const };
  if (!found) return { ...common, verdict: 'inductive' };
  const { step, finding } = found;
  const transition = step?.edges[0]?.transition;
  return {
    ...common,
    verdict: finding.kind === 'fails' ? 'broken' : 'unknown',
    ...(step && transition !== undefined && { step: { thread: step.thread, transition } }),
    ...(finding.kind === 'fails' && { state: describeState(program, finding) }),
  };
}

function describeInferred(
  open: Templates,
  invariant: Invariant,
  fromHornClauses: readonly Invariant[],
): InvariantProof {
  return {
    name: invariant.name,
    origin: 'inferred',
    verdict: 'inductive',
    text: formatInvariant(open, invariant),
    ...(fromHornClauses.includes(invariant) && { source: 'horn-clauses' }),
  };
}

function describeStore(
  program: ProofProgram,
  { thread, store, loads, argument }: StoreAtomicity,
  hopeless: Hopeless | undefined,
): StoreProof {
  const isHopeless =
    hopeless?.store.thread === thread && hopeless.store.store.transition === store.transition;
  return {
    store: { thread, transition: store.transition },
    loads: loads.map(({ transition }) => transition),
    argument:
      argument.kind === 'none'
        ? {
            kind: 'none',
            ...(isHopeless && {
              noInvariantHelps: hopeless.leavesOutArrays ? 'without-arrays' : 'of-pairs',
            }),
            conflicts: argument.conflicts.map((conflict) => describeConflict(program, conflict)),
          }
        : { kind: argument.kind },
  };
}
