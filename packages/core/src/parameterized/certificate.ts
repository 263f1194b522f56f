import type { Budget } from '../base/budget.js';
import { InternalError } from '../base/unreachable.js';
import type { ParameterizedProgram } from '../program/parameterized-program.js';
import type { HappensBefore } from '../trace/trace.js';
import type { UnknownReason } from '../verdict/verdict.js';
import { attacksOfTemplates, toJobs } from './attack-jobs.js';
import { searchAllInstances } from './cover-search.js';
import { type WrittenElement, writeInvariant } from './describe-state.js';
import { createTemplateAutomata } from './template-automata.js';

/** The proof that all instances of a program are robust ([BDM13] Sect. 6). */
export interface AllInstancesProof {
  readonly happensBefore: HappensBefore;
  /** Covers the start and whatever follows from its elements, and no end of an attack; empty if control flow alone refutes all attacks. */
  readonly invariant: readonly WrittenElement[];
}

/**
 * The proof for a program all of whose instances are robust; a reason where the search for it does not end. It is about all attacks that control
 * flow leaves open, and memory is in no thread's registers, so that who checks it needs to know nothing but the semantics.
 */
export async function proveAllInstances(
  program: ParameterizedProgram,
  notion: HappensBefore,
  budget: Budget,
): Promise<AllInstancesProof | UnknownReason> {
  const options = { maskDeadRegisters: true, ownedCells: false, notion };
  const templates = createTemplateAutomata(program, options);
  const { open } = attacksOfTemplates(templates);
  if (open.length === 0) return { happensBefore: notion, invariant: [] };
  const outcome = await searchAllInstances(templates, toJobs(templates, open), budget);
  switch (outcome.kind) {
    case 'infeasible':
      return {
        happensBefore: notion,
        invariant: writeInvariant(outcome.system, outcome.invariant),
      };
    case 'feasible':
      throw new InternalError('some instance of a program that is said to be robust is not');
    case 'unknown':
      return outcome.reason;
  }
}
