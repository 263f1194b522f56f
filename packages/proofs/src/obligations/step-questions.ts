import { valueAt } from '@fencewright/ground/base/at.js';
import type { Invariant } from '@fencewright/model/program/program.js';
import { assumeInvariants, invariantTerm } from './invariant-terms.js';
import { observers, situationsOf } from './induction.js';
import { ask, questionState, type SolverQuestion } from './obligation.js';
import type { Step } from '../steps/operation.js';
import type { ProofProgram } from '../steps/proof-program.js';
import { roleTitle, type Role } from '../steps/roles.js';
import { basicFacts, initialSymbolicState, type SymbolicState } from '../steps/symbolic-state.js';
import { performEdges } from '../steps/symbolic-step.js';
import {
  and,
  equation,
  integer,
  isSameTerm,
  isTrue,
  not,
  type Term,
  type Variable,
} from '@fencewright/ground/smt/term.js';
import { symbol, type SmtDeclaration } from '../steps/terms.js';

/**
 * A question about several invariants at once. A solver's model tells for each of `targets` whether
 * the invariant stays true, by a constant for each.
 */
export interface JointQuestion {
  readonly question: SolverQuestion;
  /** The invariants possibly made false by the step, by the names of their constants. */
  readonly targets: ReadonlyMap<string, Invariant>;
}

/** Returns the invariants grouped by their bound threads. */
export function byBinders(invariants: readonly Invariant[]): readonly (readonly Invariant[])[] {
  const groups = new Map<string, Invariant[]>();
  for (const invariant of invariants) {
    const key = invariant.binders.map(({ thread }) => thread).join();
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push(invariant);
  }
  return [...groups.values()];
}

/**
 * Returns the question whether invariants with equal binders hold in the initial state; `undefined`
 * if there are no invariants.
 */
export function jointInitialQuestion(
  program: ProofProgram,
  invariants: readonly Invariant[],
): JointQuestion | undefined {
  const [first] = invariants;
  if (!first) return undefined;
  const roles = observers(program, first);
  const state = initialSymbolicState(program, roles);
  return jointQuestion(program, roles, invariants, roles, state, 'hold at the start', [
    basicFacts(program, roles, state),
  ]);
}

/**
 * Returns the questions whether invariants with equal binders are preserved by a step, if `assumed`
 * holds before. There is one question for each way in which the moving thread can be a bound thread
 * or none of them: threads and meaning are as in `stepQuestions`.
 */
export function jointStepQuestions(
  program: ProofProgram,
  assumed: readonly Invariant[],
  invariants: readonly Invariant[],
  step: Step,
): readonly JointQuestion[] {
  const [first] = invariants;
  if (!first) return [];
  return situationsOf(program, assumed, first, step).flatMap(({ looking, mover, roles }) => {
    const state = standing(questionState(program, roles), mover, step);
    const { guard, after, declarations } = performEdges(program, step, mover, state);
    const touched = invariants.filter(
      (invariant) =>
        !isSameTerm(
          invariantTerm(program, invariant, looking, state),
          invariantTerm(program, invariant, looking, after),
        ),
    );
    const what = `stay true when ${roleTitle(program, mover)} goes on from ${step.from}`;
    const assertions = [
      basicFacts(program, roles, state),
      assumeInvariants(program, assumed, roles, state),
      guard,
    ];
    return (
      jointQuestion(program, roles, touched, looking, after, what, assertions, declarations) ?? []
    );
  });
}

/**
 * Returns the state in which the moving thread stands at the source of the step. Many assumptions
 * about its location become true by their form then.
 */
function standing(state: SymbolicState, mover: Role, { from }: Step): SymbolicState {
  const local = valueAt(state.threads, mover.name);
  return {
    ...state,
    threads: new Map([...state.threads, [mover.name, { ...local, place: integer(from) }]]),
  };
}

function jointQuestion(
  program: ProofProgram,
  roles: readonly Role[],
  invariants: readonly Invariant[],
  looking: readonly Role[],
  then: SymbolicState,
  what: string,
  assertions: readonly Term[],
  declarations: readonly SmtDeclaration[] = [],
): JointQuestion | undefined {
  const targets = new Map<string, Invariant>();
  const definitions: Term[] = [];
  const kept: Variable[] = [];
  for (const invariant of invariants) {
    const term = invariantTerm(program, invariant, looking, then);
    if (isTrue(term)) continue;
    const name = symbol(`kept_${targets.size}`);
    targets.set(name.name, invariant);
    kept.push(name);
    definitions.push(equation(name, term));
  }
  if (targets.size === 0) return undefined;
  const broken = not(and(...kept));
  const claim = `${[...targets.values()].map(({ name }) => name).join(', ')} ${what}`;
  const all = [...declarations, ...kept.map((term): SmtDeclaration => ({ term, sort: 'Bool' }))];
  const question = ask(program, roles, claim, [...assertions, ...definitions, broken], all);
  return { question, targets };
}
