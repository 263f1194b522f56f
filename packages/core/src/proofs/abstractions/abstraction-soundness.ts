import type { ThreadId } from '../../program/ids.js';
import { isLoad, type LoadEdge } from '../steps/buffer-free-loads.js';
import { ask, questionState, type Finding, type Prover } from '../obligations/obligation.js';
import type { ProofProgram } from '../steps/proof-program.js';
import { roleOf, roleTitle } from '../steps/roles.js';
import { perform } from '../steps/symbolic-step.js';
import { equality, negation } from '../steps/terms.js';

/** A guess, with whether it is an abstraction of the load in its place. */
export interface GuessSoundness {
  readonly thread: ThreadId;
  readonly guess: LoadEdge;
  readonly finding: Finding;
}

/**
 * Whether the value that is really in the cell is always among those that may be guessed ([BEMT18] Lemma 2). No invariant may be used: under
 * TSO, before anything is proved, none is known to hold.
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
      const guessed = perform(program, single, role, state);
      const [access] = guessed.accesses;
      const into = guess.operation.into;
      const chosen = guessed.after.threads.get(role.name)?.registers[into] ?? '0';
      const fits = access?.allows?.(access.read ?? '0') ?? 'false';
      const name = program.templates.threads[thread]?.locations[guess.from]?.name ?? '';
      const question = ask(
        program,
        [role],
        `the guess of ${roleTitle(program, role)} at ${name} allows what a load would read`,
        [equality(chosen, access?.read ?? '0'), negation(fits)],
        guessed.declarations,
      );
      checked.push({ thread, guess, finding: await prover.prove(question) });
    }
  return checked;
}
