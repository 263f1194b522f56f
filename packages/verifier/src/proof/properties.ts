import type {
  Automata,
  Invariant,
  InvariantExpression,
  Property,
  StateExpression,
  Subject,
} from '../automata.js';
import { type Arc, isLocal } from './acts.js';
import { Flaw } from '../report.js';
import { invariantIn, type Premises } from './invariants.js';
import { type Obligation, Question } from './question.js';
import { nameOf } from './steps.js';
import type { Model, Role } from './symbolic-state.js';
import { int, not, or, same } from './terms.js';

/**
 * A property with the obligations that prove it, or the reason why invariants cannot prove the
 * property.
 */
export type PropertyCheck =
  | { readonly name: string; readonly obligations: readonly Obligation[] }
  | { readonly name: string; readonly notChecked: string };

/**
 * Returns the obligations of the properties and invariants with the given name. Throws `Flaw` if
 * none has the name.
 */
export function follows(model: Model, premises: Premises, name: string): PropertyCheck {
  const { properties, invariants } = model.automata;
  const claims = [
    ...properties
      .filter((each) => each.name === name)
      .map((each) => asInvariant(model.automata, each)),
    ...invariants.filter((each) => each.name === name),
  ];
  if (claims.length === 0) throw new Flaw(`the program has no property or invariant '${name}'`);
  const checks = claims.map((claim) => claimFollows(model, premises, claim));
  const problem = checks.find((check) => typeof check === 'string');
  if (problem !== undefined) return { name, notChecked: `'${name}': ${problem}` };
  return { name, obligations: checks.flatMap((check) => (typeof check === 'string' ? [] : check)) };
}

/**
 * Returns one obligation for every subset of the threads that the claim names; or the reason why
 * invariants cannot prove the claim. Threads in the subset are between two places (locations at
 * which invariants hold), with the registers of the second place. All further threads are at
 * places.
 */
function claimFollows(
  model: Model,
  premises: Premises,
  claim: Invariant,
): readonly Obligation[] | string {
  const problem = whyNot(model, claim);
  if (problem !== undefined) return problem;
  const roles = claim.binders.map(({ thread }) => premises.role(thread));
  const isTwice = roles.some((role, i) => roles.indexOf(role) !== i);
  // A single thread is bound twice, so the binders have no instance and the claim holds trivially.
  if (isTwice) return [];
  const mayBeBetween = roles.filter((role) => landings(model, role.thread).length > 0);
  return subsets(mayBeBetween).map((between) => {
    const question = new Question();
    const state = premises.state(roles, question);
    for (const role of between) {
      const { place } = state.locals.get(role)!;
      question.assert(or(landings(model, role.thread).map((each) => same(place, int(each)))));
    }
    question.assert(not(invariantIn(model, claim, roles, state, between)));
    return { claim: `${claim.name} follows`, script: question.script, wanted: 'unsat' };
  });
}

function subsets(roles: readonly Role[]): readonly ReadonlySet<Role>[] {
  let all: readonly (readonly Role[])[] = [[]];
  for (const role of roles) all = all.flatMap((each) => [each, [...each, role]]);
  return all.map((each) => new Set(each));
}

/**
 * Returns the steps of a thread that pass through a location, between two of their instructions, at
 * which the bus lock is free.
 */
function interrupted(model: Model, thread: number): readonly (readonly Arc[])[] {
  const { steps, isLocked } = model.threads[thread]!;
  return steps.filter((step) => step.slice(1).some(({ from }) => !isLocked.get(from)));
}

/** Returns the locations at which the steps that `interrupted` returns end. */
function landings(model: Model, thread: number): readonly number[] {
  return [...new Set(interrupted(model, thread).map((step) => step.at(-1)!.to))];
}

/**
 * Returns the reason why the claim cannot be decided from states in which all threads are at places
 * (locations at which invariants hold); `undefined` if it can.
 */
function whyNot(model: Model, { binders, condition }: Invariant): string | undefined {
  for (const leaf of leavesOf(condition)) {
    if (leaf.kind !== 'at' && leaf.kind !== 'register') continue;
    const { thread, places, isLocked } = model.threads[binders[leaf.binder]!.thread]!;
    if (leaf.kind === 'at') {
      if (isLocked.get(leaf.location) === false && !places.has(leaf.location))
        return `the claim names ${nameOf(thread, leaf.location)} of ${thread.name}, which is not a place of the proof`;
      continue;
    }
    const changes = interrupted(model, binders[leaf.binder]!.thread).some((step) =>
      step.some(
        ({ from, act }, i) =>
          i > 0 &&
          !isLocked.get(from) &&
          isLocal(act) &&
          'into' in act &&
          act.into === leaf.register,
      ),
    );
    if (changes)
      return `the claim reads register ${thread.registers[leaf.register]?.name ?? ''} of ${thread.name}, which changes between places`;
  }
  return undefined;
}

type ConstantLeaf = Exclude<InvariantExpression, { readonly kind: 'unary' | 'binary' }>;

function leavesOf(expression: InvariantExpression): readonly ConstantLeaf[] {
  switch (expression.kind) {
    case 'unary':
      return leavesOf(expression.operand);
    case 'binary':
      return [...leavesOf(expression.left), ...leavesOf(expression.right)];
    case 'cell':
      return [expression, ...(expression.index ? leavesOf(expression.index) : [])];
    default:
      return [expression];
  }
}

/**
 * Turns a property of all states, or of all final states, into an invariant of the threads named by
 * the property. Copies of an unbounded thread with different numbers become different binders,
 * which stand for any different copies.
 */
function asInvariant(
  { symbols, threads }: Automata,
  { name, kind, condition }: Property,
): Invariant {
  if (kind !== 'never' && kind !== 'finally')
    throw new Flaw(`'${name}' is about some state, and proofs are about all`);
  const every = [...threads.keys()].map((thread): Subject => ({ thread }));
  const bound = kind === 'finally' ? every : subjectsOf(condition);
  if (bound.some(({ thread, copy }) => threads[thread]!.unbounded && copy === undefined))
    throw new Flaw(`'${name}' is about any number of threads at once`);
  const claim = converter(symbols, (subject) => bound.findIndex((each) => isSame(each, subject)));
  const ended = bound.map((_, binder) => negated({ kind: 'ended', binder }));
  return {
    name,
    binders: bound.map(({ thread }) => ({ name: threads[thread]!.name, thread })),
    condition:
      kind === 'never' ? negated(claim(condition)) : ended.reduce(either, claim(condition)),
  };
}

function isSame(one: Subject, other: Subject): boolean {
  return one.thread === other.thread && one.copy === other.copy;
}

/** Returns the threads and copies that a condition names, each once. */
function subjectsOf(expression: StateExpression): readonly Subject[] {
  switch (expression.kind) {
    case 'unary':
      return subjectsOf(expression.operand);
    case 'binary': {
      const left = subjectsOf(expression.left);
      const right = subjectsOf(expression.right);
      return [...left, ...right.filter((each) => !left.some((known) => isSame(known, each)))];
    }
    case 'constant':
    case 'memory':
      return [];
    default:
      return [expression];
  }
}

function negated(operand: InvariantExpression): InvariantExpression {
  return { kind: 'unary', operator: '!', operand };
}

function either(left: InvariantExpression, right: InvariantExpression): InvariantExpression {
  return { kind: 'binary', operator: '||', left, right };
}

function converter(symbols: Automata['symbols'], binderOf: (subject: Subject) => number) {
  const convert = (each: StateExpression): InvariantExpression => {
    switch (each.kind) {
      case 'constant':
        return each;
      // All buffers are empty in the states covered by a proof.
      case 'drained':
        return { kind: 'constant', value: 1 };
      case 'at':
        return { kind: 'at', binder: binderOf(each), location: each.location };
      case 'ended':
        return { kind: 'ended', binder: binderOf(each) };
      case 'register':
        return { kind: 'register', binder: binderOf(each), register: each.register };
      case 'memory': {
        const symbol = symbols.findIndex(
          ({ base, length }) => each.address >= base && each.address < base + length,
        );
        if (symbol < 0) throw new Flaw(`the cell at ${each.address} belongs to no variable`);
        const value = each.address - symbols[symbol]!.base;
        return { kind: 'cell', symbol, index: { kind: 'constant', value } };
      }
      case 'unary':
        return { ...each, operand: convert(each.operand) };
      case 'binary':
        return { ...each, left: convert(each.left), right: convert(each.right) };
    }
  };
  return convert;
}
