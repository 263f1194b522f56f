import { at, valueAt } from '@fencewright/ground/base/at.js';
import type { Invariant } from '@fencewright/model/program/program.js';
import { assumeInvariants, invariantTerm, singleRoles } from './invariant-terms.js';
import {
  ask,
  questionState,
  type ObligationAnswer,
  type Prover,
  type SolverQuestion,
} from './obligation.js';
import type { Step } from '../steps/operation.js';
import type { ProofProgram } from '../steps/proof-program.js';
import { roleOf, roleTitle, type Role } from '../steps/roles.js';
import { basicFacts, initialSymbolicState } from '../steps/symbolic-state.js';
import { performEdges } from '../steps/symbolic-step.js';
import { and, equation, integer, isSameTerm, not } from '@fencewright/ground/smt/term.js';

/**
 * An invariant that is not inductive together with the remaining ones: `step` makes the invariant
 * false; absent if the invariant is false in the initial state.
 */
export interface BrokenInvariant {
  readonly invariant: Invariant;
  readonly step?: Step;
  readonly finding: Exclude<ObligationAnswer, { kind: 'holds' }>;
}

/**
 * Returns the roles of threads in questions about one invariant: one for each binder, single
 * threads once.
 */
export function observers(program: ProofProgram, { binders }: Invariant): readonly Role[] {
  return binders.map(({ thread }, i) => roleOf(program, thread, i + 1));
}

function merged(...lists: readonly (readonly Role[])[]): readonly Role[] {
  return [...new Map(lists.flat().map((role) => [role.name, role])).values()];
}

/**
 * Returns the question whether the invariant holds in the initial state, for arbitrary numbers of
 * the copies.
 */
function initialQuestion(program: ProofProgram, invariant: Invariant): SolverQuestion {
  const roles = observers(program, invariant);
  const state = initialSymbolicState(program, roles);
  const distinct = basicFacts(program, roles, state);
  const broken = not(invariantTerm(program, invariant, roles, state));
  return ask(program, roles, `${invariant.name} holds at the start`, [distinct, broken]);
}

/**
 * The threads in the question whether a step preserves an invariant. `looking`: the threads that
 * the invariant is about. `mover`: the thread that makes the step, one of `looking` or another
 * thread.
 */
interface Situation {
  readonly looking: readonly Role[];
  readonly mover: Role;
  /** The roles of all threads that a question about the situation contains. */
  readonly roles: readonly Role[];
}

/**
 * Returns the situations for `target`: the moving thread is one of the threads bound by the
 * invariant, or none of them; threads that the invariant is about but that do not move are bound as
 * well ([BEMT18] uses Owicki-Gries; two observers suffice for invariants over two threads).
 * Invariants with equal binders have equal situations.
 */
export function situationsOf(
  program: ProofProgram,
  assumed: readonly Invariant[],
  target: Invariant,
  step: Step,
): readonly Situation[] {
  const looking = observers(program, target);
  const isSingle = !program.unbounded.includes(step.thread);
  const newcomer = roleOf(program, step.thread, 0);
  const movers = looking.filter(({ thread }) => thread === step.thread);
  if (!isSingle || movers.length === 0) movers.push(newcomer);
  return movers.map((mover) => ({
    looking,
    mover,
    roles: merged(looking, [mover], singleRoles(program, assumed)),
  }));
}

/**
 * Returns the questions whether a step of some thread preserves an invariant, if the invariants
 * `assumed` hold before the step: one question for each situation.
 */
export function stepQuestions(
  program: ProofProgram,
  assumed: readonly Invariant[],
  target: Invariant,
  step: Step,
): readonly SolverQuestion[] {
  return situationsOf(program, assumed, target, step).flatMap(({ looking, mover, roles }) => {
    const state = questionState(program, roles);
    const { guard, after, declarations } = performEdges(program, step, mover, state);
    const then = invariantTerm(program, target, looking, after);
    // An invariant untouched by the step stays true.
    if (isSameTerm(then, invariantTerm(program, target, looking, state))) return [];
    const from = at(at(program.templates.threads, step.thread).locations, step.from).name;
    const claim = `${target.name} stays true when ${roleTitle(program, mover)} goes on from ${from}`;
    return ask(
      program,
      roles,
      claim,
      [
        basicFacts(program, roles, state),
        assumeInvariants(program, assumed, roles, state),
        guard,
        not(then),
      ],
      declarations,
    );
  });
}

/**
 * Returns the first reason why some invariant is not inductive; `undefined` if all invariants are
 * inductive together.
 */
export async function findBroken(
  program: ProofProgram,
  invariants: readonly Invariant[],
  prover: Prover,
): Promise<BrokenInvariant | undefined> {
  for (const invariant of invariants) {
    const finding = await prover.prove(initialQuestion(program, invariant));
    if (finding.kind !== 'holds') return { invariant, finding };
  }
  for (const { steps } of program.threads)
    for (const step of steps)
      for (const invariant of invariants)
        for (const question of stepQuestions(program, invariants, invariant, step)) {
          const finding = await prover.prove(question);
          if (finding.kind !== 'holds') return { invariant, step, finding };
        }
  return undefined;
}

/**
 * Returns the locations that no thread can reach according to the invariants: a sign of too strong
 * invariants, or of dead code.
 */
export async function findDeserted(
  program: ProofProgram,
  invariants: readonly Invariant[],
  prover: Prover,
): Promise<readonly { readonly thread: number; readonly location: number }[]> {
  const deserted: { thread: number; location: number }[] = [];
  for (const { thread, places } of program.threads) {
    const { name } = at(program.templates.threads, thread);
    const role = roleOf(program, thread, 1);
    const roles = merged([role], singleRoles(program, invariants));
    const state = questionState(program, roles);
    const assumed = and(
      basicFacts(program, roles, state),
      assumeInvariants(program, invariants, roles, state),
    );
    for (const location of places) {
      if (prover.isStopped) return deserted;
      const place = equation(valueAt(state.threads, role.name).place, integer(location));
      const claim = `a thread can be at location ${location} of ${name}`;
      const finding = await prover.find(ask(program, roles, claim, [assumed, place]));
      if (finding.kind === 'holds') deserted.push({ thread, location });
    }
  }
  return deserted;
}
