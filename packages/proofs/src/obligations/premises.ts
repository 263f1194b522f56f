import { at, valueAt } from '@fencewright/ground/base/at.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import type { Invariant } from '@fencewright/model/program/program.js';
import { assumeInvariants } from './invariant-terms.js';
import { ask, questionState, type Finding, type Prover } from './obligation.js';
import type { ProofProgram } from '../steps/proof-program.js';
import { roleOf, type Role } from '../steps/roles.js';
import { basicFacts, initialState } from '../steps/symbolic-state.js';
import { equation } from '@fencewright/ground/smt/term.js';

/** Copies that a question without invariants speaks of besides the one that moves. */
const fewestCopies = 2;

/**
 * Whether the premises of a proof can be satisfied: all that its questions assume of states and
 * steps, of all threads that one can speak of, holds at the start. From premises that contradict
 * each other everything follows; as invariants hold at the start, that would be a fault of ours or
 * of the solver, and throws `InternalError`. `unknown` if the solver does not say.
 */
export async function checkPremises(
  program: ProofProgram,
  invariants: readonly Invariant[],
  prover: Prover,
): Promise<Exclude<Finding, { kind: 'holds' }>> {
  const roles = program.threads.flatMap(({ thread }) => rolesOf(program, invariants, thread));
  const state = questionState(program, roles);
  const start = initialState(program, roles);
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

/** The threads that a question can speak of: those that an invariant binds, and one that moves. */
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
