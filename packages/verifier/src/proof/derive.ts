import type { Automata } from '../automata.js';
import { soundness } from './abstraction-soundness.js';
import { type Arc, arcsOf } from './acts.js';
import { bufferFree } from './buffer-free.js';
import type { Claims, Conclusion, StoreClaim } from './claims.js';
import { codeCondition } from './code-terms.js';
import { Flaw } from '../report.js';
import { excludes, possibleArcs, stepsOf } from './excluded-steps.js';
import { consistency, induction } from './induction.js';
import { Premises } from './invariants.js';
import { memoryOf } from './memory.js';
import { moves, type Order } from './movers.js';
import { follows, type PropertyCheck } from './properties.js';
import { type Obligation, Question } from './question.js';
import { cut, nameOf } from './steps.js';
import { anyState, type Model } from './symbolic-state.js';
import { not, or } from './terms.js';

/** All questions to solvers (obligations) needed for a proof, with the proof's claims. */
export interface Derived {
  readonly obligations: readonly Obligation[];
  readonly properties: readonly PropertyCheck[];
}

/**
 * Returns the obligations of a proof, from automata and claims alone ([BEMT18] Def. 1, Theorem 1,
 * Lemma 2; `docs/reduction.md`). Throws `Flaw` if the claims are insufficient for a reason that
 * needs no solver.
 */
export function derive(automata: Automata, claims: Claims): Derived {
  const model = modelOf(automata, claims);
  checkPlaces(model, claims);
  const premises = new Premises(model, claims.invariants);
  const order = orderFor(claims);
  const properties = claims.properties.map((name) => follows(model, premises, name));
  return {
    obligations: unique([
      consistency(model, premises),
      ...goingOn(model),
      ...soundness(model, claims.abstractions),
      ...induction(model, premises),
      ...atomicity(model, premises, claims.stores, order),
      ...properties.flatMap((check) => ('obligations' in check ? check.obligations : [])),
    ]),
    properties,
  };
}

function unique(obligations: readonly Obligation[]): readonly Obligation[] {
  return [...new Map(obligations.map((each) => [`${each.wanted} ${each.script}`, each])).values()];
}

/** Returns the program to be proved: the automata with the abstractions. */
function modelOf(automata: Automata, { abstractions, places }: Claims): Model {
  const arcs = automata.threads.map((thread, id) =>
    arcsOf(
      automata,
      thread,
      abstractions.filter((each) => each.thread === id),
    ),
  );
  return {
    automata,
    memory: memoryOf(automata, arcs.flat()),
    threads: automata.threads.map((thread, id) => cut(thread, arcs[id]!, places[id]!)),
  };
}

/** Throws `Flaw` if an invariant names a location outside of lock blocks that is no place. */
function checkPlaces({ threads }: Model, { invariants }: Claims): void {
  for (const { name, binders, condition } of invariants) {
    const visit = (each: object): void => {
      if ('kind' in each && each.kind === 'at') {
        const { binder, location } = each as unknown as { binder: number; location: number };
        const { thread, places, isLocked } = threads[binders[binder]!.thread]!;
        if (isLocked.get(location) === false && !places.has(location))
          throw new Flaw(`${name} names ${nameOf(thread, location)}, which is not a place`);
      }
      for (const member of Object.values(each) as unknown[])
        if (typeof member === 'object' && member !== null) visit(member);
    };
    visit(condition);
  }
}

/**
 * Returns the relation (`Order`) between neighbouring accesses that the conclusion is about: stores
 * and loads have to commute with the steps that are not ordered with them. Throws `Flaw` if the
 * abstractions do not allow the conclusion.
 */
function orderFor({ conclusion, abstractions }: Claims): Order {
  if (abstractions.length > 0 && conclusion.kind !== 'abstraction')
    throw new Flaw('a proof with abstractions shows only what the abstraction reaches');
  return orders(conclusion);
}

function orders(conclusion: Conclusion): Order {
  return conclusion.kind === 'robust' ? conclusion.happensBefore : 'outcome';
}

/**
 * Returns the obligations that no thread can wait between two places (locations at which invariants
 * hold).
 */
function goingOn(model: Model): readonly Obligation[] {
  return model.threads.flatMap(({ thread, alternatives }, id) =>
    alternatives.map((conditions) => {
      const question = new Question();
      const role = { thread: id };
      const { self, registers } = anyState(model, [role], question).locals.get(role)!;
      const view = { symbols: model.automata.symbols, self, registers };
      question.assert(not(or(conditions.map((each) => codeCondition(each, view)))));
      const claim = `${thread.name} can always go on to a place`;
      return { claim, script: question.script, wanted: 'unsat' as const };
    }),
  );
}

/**
 * Returns the obligations for the stores outside of lock blocks: that the store commutes with the
 * step of another thread directly before it (is a left mover), or that the later loads commute with
 * the step of another thread directly after them (are right movers).
 */
function atomicity(
  model: Model,
  premises: Premises,
  claims: readonly StoreClaim[],
  order: Order,
): readonly Obligation[] {
  return model.threads.flatMap((stepper, thread) => {
    const { arcs, isLocked } = stepper;
    const stores = arcs.filter(({ act, from }) => act.kind === 'store' && !isLocked.get(from));
    return stores.flatMap((store) => {
      const claim = claims.find((each) => each.thread === thread && each.store === store.id);
      const where = `the store of ${stepper.thread.name} at ${nameOf(stepper.thread, store.from)}`;
      if (!claim) throw new Flaw(`${where} has no argument`);
      const excluded = stepsOf(stepper, where, claim);
      const arcsLeft = possibleArcs(stepper, excluded);
      const loads = bufferFree(model, { ...stepper, arcs: arcsLeft }, store);
      const never = excluded.map((step) => excludes(model, premises, thread, step));
      switch (claim.argument.kind) {
        case 'left-mover':
          return moves(model, premises, thread, store, order);
        case 'no-loads':
          checkCovered(where, loads, []);
          return never;
        case 'right-movers':
          checkCovered(where, loads, claim.argument.loads);
          return [
            ...never,
            ...loads.flatMap((load) => moves(model, premises, thread, load, order)),
          ];
      }
    });
  });
}

function checkCovered(where: string, loads: readonly Arc[], claimed: readonly number[]): void {
  for (const { id } of loads)
    if (!claimed.includes(id))
      throw new Flaw(`${where} may wait while transition ${id} loads, which no argument mentions`);
}
