import { at, valueAt } from '@fencewright/ground/base/at.js';
import type { ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import { findWeakRmws } from '@fencewright/model/program/weak-rmw.js';
import type { OperationEdge } from '../steps/operation.js';
import {
  ask,
  questionState,
  type ObligationAnswer,
  type Prover,
} from '../obligations/obligation.js';
import type { ProofProgram } from '../steps/proof-program.js';
import { roleOf, roleTitle, type Role } from '../steps/roles.js';
import { performEdges, type PerformedStep } from '../steps/symbolic-step.js';
import { and, equation, not, type Term } from '@fencewright/ground/smt/term.js';
import { rmwOperations } from '../steps/thread-edges.js';

/**
 * A weak rmw. Tells whether its behaviours include all behaviours of an ordinary rmw in its place.
 */
export interface WeakRmwSoundness {
  readonly thread: ThreadId;
  readonly transition: TransitionId;
  readonly finding: ObligationAnswer;
}

/**
 * Checks that every step of an ordinary rmw is a step of the weak rmw: from equal states, the part
 * of the rmw that the weak rmw retains, or the failure that the weak rmw adds, leads to equal
 * states. No invariant may be used, for the same reason as in `checkGuesses`.
 */
export async function checkWeakRmws(
  program: ProofProgram,
  prover: Prover,
): Promise<readonly WeakRmwSoundness[]> {
  const checked: WeakRmwSoundness[] = [];
  for (const [thread, { edges }] of program.threads.entries()) {
    const owner = program.templates.threads[thread];
    if (!owner) continue;
    for (const { rmw, fence, result } of findWeakRmws(owner)) {
      const transition = owner.transitions[rmw];
      if (transition?.instruction.kind !== 'rmw') continue;
      const { from, to, instruction } = transition;
      const role = roleOf(program, thread, 1);
      const state = questionState(program, [role]);
      const run = (path: readonly OperationEdge[]): PerformedStep =>
        performEdges(program, { edges: path, from, to }, role, state);
      const failure = edges.filter(
        (edge) => edge.transition === fence || edge.transition === result,
      );
      const kept = edges.filter((edge) => edge.transition === rmw).map((edge) => run([edge]));
      // The location is unreachable.
      if (failure.length === 0) continue;
      const outcomes = [...kept, run(failure)];
      let finding: ObligationAnswer = { kind: 'holds' };
      for (const operation of rmwOperations(instruction)) {
        const ordinary = run([{ from, to, operation, transition: rmw }]);
        const question = ask(
          program,
          [role],
          `the weak rmw of ${roleTitle(program, role)} at ${owner.locations[from]?.name ?? from} (instruction ${rmw}) does what an ordinary one does`,
          [ordinary.guard, ...outcomes.map((outcome) => not(isSame(ordinary, outcome, role)))],
        );
        if (finding.kind === 'holds') finding = await prover.prove(question);
      }
      checked.push({ thread, transition: rmw, finding });
    }
  }
  return checked;
}

/**
 * Returns the condition that the result `outcome` of the weak rmw is possible and leads to the same
 * state as the ordinary rmw.
 */
function isSame(ordinary: PerformedStep, outcome: PerformedStep, { name }: Role): Term {
  const { registers } = valueAt(outcome.after.threads, name);
  const { registers: wanted } = valueAt(ordinary.after.threads, name);
  return and(
    outcome.guard,
    ...ordinary.after.memory.map((cell, id) => equation(cell, at(outcome.after.memory, id))),
    ...wanted.map((value, id) => equation(value, at(registers, id))),
  );
}
