import { at, valueAt } from '@fencewright/ground/base/at.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import type { Invariant } from '@fencewright/model/program/program.js';
import { assumeInvariants } from './invariant-terms.js';
import { ask, questionState, type ObligationAnswer, type Prover } from './obligation.js';
import type { ProofProgram } from '../steps/proof-program.js';
import { roleOf, type Role } from '../steps/roles.js';
import { basicFacts, initialSymbolicState } from '../steps/symbolic-state.js';
import { equation } from '@fencewright/ground/smt/term.js';

/**
 * The minimum number of copies, besides the moving copy, of a thread with copies when premises are
 * checked.
 */
const fewestCopies = 2;

/**
 * Checks that the premises of a proof are satisfiable: all assumptions of its questions about
 * states and steps, for all threads in questions, hold at the start. Contradictory premises imply
 * everything; since invariants hold at the start, contradictory premises would be a fault of ours
 * or of the solver, and throw `InternalError`. `unknown` if the solver does not say.
 */
export async function checkPremises(
  program: ProofProgram,
  invariants: readonly Invariant[],
  prover: Prover,
): Promise<Exclude<ObligationAnswer, { kind: 'holds' }>> {
  const roles = program.threads.flatMap(({ thread }) => rolesOf(program, invariants, thread));
  const state = questionState(program, roles);
  const start = initialSymbolicState(program, roles);
  const begins = roles.flatMap(({ name }) => {
    const [own, first] = [valueAt(state.threads, name), valueAt(start.threads, name)];
    const registers = own.registers.map((term, id) => equation(term, at(first.registers, id)));
    return [equation(own.place, first.place), ...registers];
  });
  const question = ask(program, roles, 'the premises of the proof cannot be satisfied', [
    ...state.memory.map((term, id) => equation(term, at(start.memory, id))),
    ...begins,
    basicFacts(program, roles, state),
    assumeInvariants(program, invariants, roles, state),
  ]);
  const finding = await prover.find(question);
  if (finding.kind !== 'holds') return finding;
  const names = invariants.map(({ name }) => name).join(', ');
  throw new InternalError(
    `the premises of a proof contradict each other at the start (invariants: ${names || 'none'})`,
    question.script,
  );
}

/**
 * Returns the roles of a thread in the questions of the proof: for a thread with copies, enough
 * copies for the invariants' binders, and a moving copy.
 */
function rolesOf(
  program: ProofProgram,
  invariants: readonly Invariant[],
  thread: number,
): readonly Role[] {
  if (!program.unbounded.includes(thread)) return [roleOf(program, thread, 0)];
  const bound = invariants.map(
    ({ binders }) => binders.filter((binder) => binder.thread === thread).length,
  );
  const copies = Math.max(fewestCopies, ...bound);
  return Array.from({ length: copies + 1 }, (_, copy) => roleOf(program, thread, copy));
}
