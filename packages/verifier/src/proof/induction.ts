import type { Invariant } from '../automata.js';
import type { Arc } from './acts.js';
import { take } from './execute.js';
import { invariantIn, type Premises } from './invariants.js';
import { type Obligation, Question } from './question.js';
import { nameOf } from './steps.js';
import { anyState, basics, isInitial, type Model, type Role } from './symbolic-state.js';
import { and, not } from './terms.js';

/** Groups invariants by the threads bound in the invariants. */
function groups(invariants: readonly Invariant[]): readonly (readonly Invariant[])[] {
  const found = new Map<string, Invariant[]>();
  for (const invariant of invariants) {
    const key = invariant.binders.map(({ thread }) => thread).join();
    found.set(key, [...(found.get(key) ?? []), invariant]);
  }
  return [...found.values()];
}

function namesOf(invariants: readonly Invariant[]): string {
  return invariants.map(({ name }) => name).join(', ');
}

/**
 * Returns obligations that the invariants hold at the start, and after every step of a thread,
 * whether or not the invariant names that thread.
 */
export function induction(model: Model, premises: Premises): readonly Obligation[] {
  return groups(premises.invariants).flatMap((group) => {
    const looking = group[0]!.binders.map(({ thread }) => premises.role(thread));
    const steps = model.threads.flatMap(({ steps: paths }, thread) =>
      paths.flatMap((path) =>
        movers(premises, looking, thread).flatMap(
          (mover) => survives(model, premises, group, looking, mover, path) ?? [],
        ),
      ),
    );
    return [startsWith(model, group, looking), ...steps];
  });
}

function startsWith(
  model: Model,
  group: readonly Invariant[],
  looking: readonly Role[],
): Obligation {
  const question = new Question();
  const state = anyState(model, looking, question);
  question.assert(basics(model, state));
  question.assert(isInitial(model, state));
  question.assert(not(and(group.map((each) => invariantIn(model, each, looking, state)))));
  const claim = `${namesOf(group)}: true at the start`;
  return { claim, script: question.script, wanted: 'unsat' };
}

/**
 * Returns the threads that may take a step of the code of `thread`: a thread that the invariant
 * names, or another copy.
 */
function movers(premises: Premises, looking: readonly Role[], thread: number): readonly Role[] {
  const bound = looking.filter((role) => role.thread === thread);
  return bound.length > 0 && !premises.isMany(thread) ? bound : [...bound, premises.role(thread)];
}

function survives(
  model: Model,
  premises: Premises,
  group: readonly Invariant[],
  looking: readonly Role[],
  mover: Role,
  path: readonly Arc[],
): Obligation | undefined {
  const question = new Question();
  const before = premises.state([...looking, mover], question);
  const { guard, after } = take(model, path, mover, before, question);
  const touched = group.filter(
    (each) =>
      invariantIn(model, each, looking, before).text !==
      invariantIn(model, each, looking, after).text,
  );
  if (touched.length === 0) return undefined;
  question.assert(guard);
  question.assert(not(and(touched.map((each) => invariantIn(model, each, looking, after)))));
  const { thread } = model.threads[mover.thread]!;
  const who = looking.includes(mover) ? 'a thread that is bound' : 'another thread';
  const claim = `${namesOf(touched)}: still true when ${who}, ${thread.name}, goes on from ${nameOf(thread, path[0]!.from)} to ${nameOf(thread, path.at(-1)!.to)}`;
  return { claim, script: question.script, wanted: 'unsat' };
}

/**
 * Returns the obligation that the premises of all questions are consistent: the premises can hold
 * at the start, with as many copies of each thread as any question may have.
 */
export function consistency(model: Model, premises: Premises): Obligation {
  const roles = model.threads.flatMap((_, thread) => {
    const copies = premises.isMany(thread) ? 2 + mostBound(premises.invariants, thread) : 1;
    return Array.from({ length: copies }, () => premises.role(thread));
  });
  const question = new Question();
  const state = premises.state(roles, question);
  question.assert(isInitial(model, state));
  return { claim: 'the premises can be true at once', script: question.script, wanted: 'sat' };
}

function mostBound(invariants: readonly Invariant[], thread: number): number {
  const counts = invariants.map(({ binders }) => binders.filter((b) => b.thread === thread).length);
  return Math.max(0, ...counts);
}
