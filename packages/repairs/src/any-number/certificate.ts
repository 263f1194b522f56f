import { hasGuesses } from '@fencewright/model/analysis/guesses.js';
import type { Budget } from '@fencewright/ground/base/budget.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import { repairedProgram, type RepairChoice } from '../fences/apply-repair.js';
import type { RepairClause } from '../fences/hit-attacks.js';
import type { RepairMode } from '@fencewright/model/program/repair.js';
import type { Templates } from '@fencewright/model/program/templates.js';
import type { HappensBefore } from '@fencewright/model/trace/trace.js';
import type { UnknownReason, Witness } from '@fencewright/model/verdict/verdict.js';
import { attacksOfTemplates, toJobs } from '@fencewright/engines/parameterized/attack-jobs.js';
import { searchAllInstances } from '@fencewright/engines/parameterized/cover-search.js';
import {
  type WrittenElement,
  writeInvariant,
} from '@fencewright/engines/parameterized/describe-state.js';
import type { InstanceComputation } from './parameterized-repair.js';
import { createTemplateAutomata } from '@fencewright/engines/parameterized/template-automata.js';

/** The proof that all instances of a program are robust ([BDM13] Sect. 6). */
interface AllInstancesProof {
  readonly happensBefore: HappensBefore;
  /**
   * An invariant that covers the initial state and all successors of its elements, but no state in
   * which an attack is complete; empty if control flow alone refutes all attacks.
   */
  readonly invariant: readonly WrittenElement[];
}

/**
 * Returns the proof for a program whose instances are all robust; the reason if the search for the
 * proof does not end. The proof covers all attacks that control flow does not refute, and keeps
 * memory out of the threads' registers, so that checkers need to know nothing but the semantics.
 */
export async function proveAllInstances(
  program: Templates,
  happensBefore: HappensBefore,
  budget: Budget,
): Promise<AllInstancesProof | UnknownReason> {
  // Invariants do not contain the values admitted by read abstractions.
  if (happensBefore === 'value' && hasGuesses(program.templates)) return 'unsupported';
  const options = { maskDeadRegisters: true, ownedCells: false, happensBefore };
  const templates = createTemplateAutomata(program, options);
  const { open } = attacksOfTemplates(templates);
  if (open.length === 0) return { happensBefore, invariant: [] };
  const outcome = await searchAllInstances(templates, toJobs(templates, open), budget);
  switch (outcome.kind) {
    case 'infeasible':
      return {
        happensBefore,
        invariant: writeInvariant(outcome.system, outcome.invariant),
      };
    case 'feasible':
      throw new InternalError('some instance of a program that is said to be robust is not');
    case 'unknown':
      return outcome.reason;
  }
}

/**
 * The claim in a certificate that repairs of the templates make all instances robust, without the
 * list of items and the choice.
 */
interface AllInstancesFences extends AllInstancesProof {
  readonly mode: RepairMode;
  /** The clauses, each with a computation of some instance forbidden only by the clause's items. */
  readonly clauses: readonly (InstanceComputation & { readonly items: readonly number[] })[];
}

/**
 * Returns the proof that an answer to a repair problem about templates is optimal; the reason if no
 * proof is found.
 */
export async function proveAllInstancesFences(
  { templates, unbounded }: Templates,
  choice: RepairChoice,
  happensBefore: HappensBefore,
  clauses: readonly RepairClause[],
  instances: ReadonlyMap<Witness, InstanceComputation>,
  budget: Budget,
): Promise<AllInstancesFences | UnknownReason> {
  const repaired = { templates: repairedProgram(templates, choice), unbounded };
  const proof = await proveAllInstances(repaired, happensBefore, budget);
  if (typeof proof === 'string') return proof;
  const written = clauses.map(({ items, witness }) => {
    const found = instances.get(witness);
    if (!found) throw new InternalError('a clause comes from no instance');
    return { items, ...found };
  });
  return { mode: choice.mode, ...proof, clauses: written };
}
