import { at, valueAt } from '@fencewright/ground/base/at.js';
import { InternalError } from '@fencewright/ground/base/unreachable.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import { isLoad, type LoadEdge } from '../steps/buffer-free-loads.js';
import {
  ask,
  questionState,
  type ObligationAnswer,
  type Prover,
} from '../obligations/obligation.js';
import type { ProofProgram } from '../steps/proof-program.js';
import { roleOf, roleTitle } from '../steps/roles.js';
import { performEdges } from '../steps/symbolic-step.js';
import { equation, not } from '@fencewright/ground/smt/term.js';

/**
 * A guess (a load that may return any value its condition allows), and whether the condition allows
 * the actual value of the cell.
 */
export interface GuessSoundness {
  readonly thread: ThreadId;
  readonly guess: LoadEdge;
  readonly finding: ObligationAnswer;
}

/**
 * Checks that a guess always allows the cell's actual value ([BEMT18] Lemma 2). No invariant may be
 * used: under TSO, before any proof, no invariant is known to hold.
 */
export async function checkGuesses(
  program: ProofProgram,
  prover: Prover,
): Promise<readonly GuessSoundness[]> {
  const checked: GuessSoundness[] = [];
  for (const { thread, edges } of program.threads)
    for (const guess of edges) {
      if (!isLoad(guess) || guess.operation.kind !== 'guess') continue;
      const role = roleOf(program, thread, 1);
      const state = questionState(program, [role]);
      const single = { edges: [guess], from: guess.from, to: guess.to };
      const guessed = performEdges(program, single, role, state);
      const { read, allows } = at(guessed.accesses, 0);
      if (!read || !allows) throw new InternalError('a guess reads');
      const chosen = at(valueAt(guessed.after.threads, role.name).registers, guess.operation.into);
      const { name } = at(at(program.templates.threads, thread).locations, guess.from);
      const question = ask(
        program,
        [role],
        `the guess of ${roleTitle(program, role)} at ${name} allows what a load would read`,
        [equation(chosen, read), not(allows(read))],
        guessed.declarations,
      );
      checked.push({ thread, guess, finding: await prover.prove(question) });
    }
  return checked;
}
