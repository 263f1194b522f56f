import type { Invariant } from '@fencewright/model/program/program.js';
import { modelIntegers } from './describe-model.js';
import { observers, situationsOf } from './induction.js';
import { assumeInvariants, invariantTerm, singleRoles } from './invariant-terms.js';
import { ask, questionState, type ObligationAnswer, type Prover } from './obligation.js';
import type { ProofProgram } from '../steps/proof-program.js';
import type { Role } from '../steps/roles.js';
import { basicFacts, type SymbolicState } from '../steps/symbolic-state.js';
import { performEdges } from '../steps/symbolic-step.js';
import { and, isSameTerm, not, zeroOrOne, type Term } from '@fencewright/ground/smt/term.js';
import type { SmtDeclaration } from '../steps/terms.js';

/**
 * A situation that has to be shown impossible: roles of threads, and the condition that must not
 * hold.
 */
export interface Impossibility {
  readonly roles: readonly Role[];
  readonly happens: (
    state: SymbolicState,
  ) => { readonly condition: Term; readonly declarations: readonly SmtDeclaration[] } | undefined;
}

/**
 * Moves invariants from `pool` to `chosen` until these and `given` make the situation impossible:
 * the first invariant that a counterexample violates is moved, until no counterexample is left.
 * Returns the solver's last answer: `holds` if the chosen invariants suffice.
 */
export async function excludeSituation(
  program: ProofProgram,
  given: readonly Invariant[],
  pool: readonly Invariant[],
  chosen: Invariant[],
  { roles: own, happens }: Impossibility,
  prover: Prover,
): Promise<ObligationAnswer> {
  const names = new Set(own.map(({ name }) => name));
  const singles = singleRoles(program, [...given, ...pool]);
  const roles = [...own, ...singles.filter(({ name }) => !names.has(name))];
  const state = questionState(program, roles);
  const found = happens(state);
  if (!found) return { kind: 'holds' };
  for (;;) {
    const assertions = [
      basicFacts(program, roles, state),
      assumeInvariants(program, [...given, ...chosen], roles, state),
      found.condition,
    ];
    const claim = 'nothing more is needed';
    // Mostly the claim holds already, and then the terms of the remaining pool are not needed.
    const plain = ask(program, roles, claim, assertions, found.declarations);
    const first = await prover.find(plain);
    if (first.kind === 'holds') return first;
    const left = pool.filter((invariant) => !chosen.includes(invariant));
    const holds = left.map((invariant, i): readonly [string, Term] => [
      `holds_${i}`,
      zeroOrOne(assumeInvariants(program, [invariant], roles, state)),
    ]);
    const question = ask(
      program,
      roles,
      claim,
      assertions,
      found.declarations,
      Object.fromEntries(holds),
    );
    const finding = await prover.find(question);
    if (finding.kind !== 'fails') return finding;
    const values = modelIntegers(finding.model);
    const violated = left.find((_, i) => values.get(`holds_${i}`) === 0);
    if (!violated) return finding;
    chosen.push(violated);
  }
}

/**
 * Returns a subset of `pool` that is inductive with `given` and makes the goals impossible;
 * `undefined` if the whole pool, which has to be inductive with `given`, does not suffice.
 */
export async function selectNeeded(
  program: ProofProgram,
  given: readonly Invariant[],
  pool: readonly Invariant[],
  goals: readonly Impossibility[],
  prover: Prover,
): Promise<readonly Invariant[] | undefined> {
  const chosen: Invariant[] = [];
  const isExcluded = async (goal: Impossibility): Promise<boolean> =>
    (await excludeSituation(program, given, pool, chosen, goal, prover)).kind === 'holds';
  for (const goal of goals) if (!(await isExcluded(goal))) return undefined;
  // Invariants chosen during the loop are visited, too.
  for (const invariant of chosen)
    for (const goal of stepGoals(program, [...given, ...pool], invariant))
      if (!(await isExcluded(goal))) return undefined;
  return chosen;
}

/**
 * Returns, for each step of a thread, the situation that the step makes the invariant false. If all
 * these situations are impossible, every step preserves the invariant.
 */
function stepGoals(
  program: ProofProgram,
  assumed: readonly Invariant[],
  target: Invariant,
): readonly Impossibility[] {
  return program.threads.flatMap(({ steps }) =>
    steps.flatMap((step) =>
      situationsOf(program, assumed, target, step).map(({ mover, roles }): Impossibility => ({
        roles,
        happens(state) {
          const { guard, after, declarations } = performEdges(program, step, mover, state);
          const looking = observers(program, target);
          const then = invariantTerm(program, target, looking, after);
          if (isSameTerm(then, invariantTerm(program, target, looking, state))) return undefined;
          return { condition: and(guard, not(then)), declarations };
        },
      })),
    ),
  );
}
