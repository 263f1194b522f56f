import type { Invariant } from '../program/program.js';
import { modelIntegers } from './describe-model.js';
import { observers, situationsOf } from './induction.js';
import { assumeInvariants, invariantTerm } from './invariant-terms.js';
import { ask, questionState, type Prover, type Question } from './obligation.js';
import type { Step } from './operation.js';
import type { ProofProgram } from './proof-program.js';
import { basicFacts, initialState } from './symbolic-state.js';
import { perform } from './symbolic-step.js';
import { disjunction, equality, negation } from './terms.js';

/** Of which candidates a question asks whether one is false, and how the model names those that are. */
interface Doubt {
  readonly question: Question;
  readonly targets: ReadonlyMap<string, Invariant>;
}

/**
 * The largest set of candidates that is inductive together with `given`: those that a step from a state in which all hold can make false
 * are left out until there is no such step (Houdini: C. Flanagan, K. R. M. Leino, FME 2001). A question is about all candidates that bind the
 * same threads, and its model speaks against several at once; candidates of which the solver cannot tell are left out.
 */
export async function largestInductive(
  program: ProofProgram,
  given: readonly Invariant[],
  candidates: readonly Invariant[],
  prover: Prover,
): Promise<readonly Invariant[]> {
  let kept = candidates;
  /** Leaves out candidates of a shape until no doubt is right; says whether that was any. */
  const resolve = async (shape: Invariant, doubtOf: Doubter): Promise<boolean> => {
    const before = kept.length;
    for (;;) {
      const wrong = await findWrong(alike(kept, shape), doubtOf, prover);
      if (wrong.length === 0) return kept.length < before;
      kept = kept.filter((candidate) => !wrong.includes(candidate));
    }
  };
  for (const shape of shapes(candidates))
    await resolve(shape, (targets) => initialDoubt(program, targets));
  let isChanged = true;
  while (isChanged) {
    isChanged = false;
    for (const { steps } of program.threads)
      for (const step of steps)
        for (const shape of shapes(kept))
          for (const at of situationsOf(program, given, shape, step).keys()) {
            const fell = await resolve(shape, (targets) =>
              stepDoubt(program, [...given, ...kept], targets, step, at),
            );
            isChanged ||= fell;
          }
  }
  return kept;
}

/** The doubt whether all of the targets hold, which bind the same threads; absent if the text shows that they do. */
type Doubter = (targets: readonly Invariant[]) => Doubt | undefined;

/** Some of the targets that are false in a state; empty if there is no such state. */
async function findWrong(
  targets: readonly Invariant[],
  doubtOf: Doubter,
  prover: Prover,
): Promise<readonly Invariant[]> {
  const doubt = doubtOf(targets);
  if (!doubt) return [];
  const finding = await prover.find(doubt.question);
  switch (finding.kind) {
    case 'holds':
      return [];
    case 'fails': {
      const values = modelIntegers(finding.model);
      const named = [...doubt.targets].filter(([name]) => values.get(name) === 0);
      return (named.length > 0 ? named : [...doubt.targets]).map(([, each]) => each);
    }
    case 'unknown': {
      if (targets.length === 1) return targets;
      const wrong: Invariant[] = [];
      for (const target of targets) wrong.push(...(await findWrong([target], doubtOf, prover)));
      return wrong;
    }
  }
}

function keyOf({ binders }: Invariant): string {
  return binders.map(({ thread }) => thread).join();
}

/** One candidate for each way of binding threads. */
function shapes(candidates: readonly Invariant[]): readonly Invariant[] {
  return [...new Map(candidates.map((candidate) => [keyOf(candidate), candidate])).values()];
}

function alike(candidates: readonly Invariant[], shape: Invariant): readonly Invariant[] {
  return candidates.filter((candidate) => keyOf(candidate) === keyOf(shape));
}

function initialDoubt(program: ProofProgram, targets: readonly Invariant[]): Doubt | undefined {
  const [shape] = targets;
  if (!shape) return undefined;
  const roles = observers(program, shape);
  const state = initialState(program, roles);
  const terms = targets.map((target) => invariantTerm(program, target, roles, state));
  const { wrong, watched, named } = watch(targets, terms);
  const facts = basicFacts(program, roles, state);
  const question = ask(program, roles, 'candidates hold at the start', [facts, wrong], [], watched);
  return { question, targets: named };
}

function stepDoubt(
  program: ProofProgram,
  assumed: readonly Invariant[],
  targets: readonly Invariant[],
  step: Step,
  at: number,
): Doubt | undefined {
  const [shape] = targets;
  const situation = shape && situationsOf(program, assumed, shape, step)[at];
  if (!situation) return undefined;
  const { looking, mover, roles } = situation;
  const state = questionState(program, roles);
  const { guard, after, declarations } = perform(program, step, mover, state);
  const changed = targets.flatMap((target) => {
    const then = invariantTerm(program, target, looking, after);
    const same = equality(then, invariantTerm(program, target, looking, state)) === 'true';
    return same ? [] : [{ target, then }];
  });
  if (changed.length === 0) return undefined;
  const { wrong, watched, named } = watch(
    changed.map(({ target }) => target),
    changed.map(({ then }) => then),
  );
  const facts = [
    basicFacts(program, roles, state),
    assumeInvariants(program, assumed, roles, state),
    guard,
    wrong,
  ];
  const question = ask(program, roles, 'candidates stay true', facts, declarations, watched);
  return { question, targets: named };
}

/** That one of the terms is false, and a number for each that is 0 where it is. */
function watch(
  targets: readonly Invariant[],
  terms: readonly string[],
): {
  readonly wrong: string;
  readonly watched: Readonly<Record<string, string>>;
  readonly named: ReadonlyMap<string, Invariant>;
} {
  return {
    wrong: disjunction(terms.map(negation)),
    watched: Object.fromEntries(terms.map((term, i) => [`holds ${i}`, `(ite ${term} 1 0)`])),
    named: new Map(targets.map((target, i) => [`holds ${i}`, target])),
  };
}
