import type { Arc } from './acts.js';
import { drains } from './acts.js';
import type { StoreClaim } from './claims.js';
import { take } from './execute.js';
import { Flaw } from '../report.js';
import type { Premises } from './invariants.js';
import { type Obligation, Question } from './question.js';
import { nameOf, type Stepper } from './steps.js';
import type { Model } from './symbolic-state.js';

type Path = readonly Arc[];

/**
 * Returns the steps that a claim names as impossible. A list of transitions names every step with
 * these transitions in this order. Throws `Flaw` if no step has these transitions, or if the step
 * drains the store buffer: no store waits in the buffer during such a step.
 */
export function stepsOf(
  { steps }: Stepper,
  where: string,
  { impossible = [] }: StoreClaim,
): readonly Path[] {
  return impossible.flatMap((transitions) => {
    const named = steps.filter(
      (step) =>
        step.length === transitions.length && step.every(({ id }, i) => id === transitions[i]),
    );
    if (named.length === 0 || named.some((step) => step.some(({ act }) => drains(act))))
      throw new Flaw(`${where}: ${transitions.join(', ')} is no step without a fence`);
    return named;
  });
}

/**
 * Returns the arcs (acts with their locations) of a thread except arcs that lie on excluded steps
 * only.
 */
export function possibleArcs({ arcs, steps }: Stepper, excluded: readonly Path[]): readonly Arc[] {
  const kept = new Set(steps.filter((step) => !excluded.includes(step)).flat());
  const dropped = new Set(excluded.flat().filter((arc) => !kept.has(arc)));
  return arcs.filter((arc) => !dropped.has(arc));
}

/**
 * Returns the obligation that no thread can take the step from a state that the invariants allow.
 */
export function excludes(model: Model, premises: Premises, thread: number, step: Path): Obligation {
  const question = new Question();
  const role = premises.role(thread);
  const state = premises.state([role], question);
  question.assert(take(model, step, role, state, question).guard);
  const { thread: owner } = model.threads[thread]!;
  const [from, to] = [nameOf(owner, step[0]!.from), nameOf(owner, step.at(-1)!.to)];
  const claim = `${owner.name} cannot go on from ${from} to ${to}`;
  return { claim, script: question.script, wanted: 'unsat' };
}
