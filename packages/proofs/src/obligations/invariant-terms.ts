import { at, valueAt } from '@fencewright/ground/base/at.js';
import { hasPart } from '@fencewright/model/program/expression.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Invariant, InvariantExpression } from '@fencewright/model/program/program.js';
import type { ProofProgram } from '../steps/proof-program.js';
import { roleOf, type Role } from '../steps/roles.js';
import { readRegister, standsAt, type SymbolicState } from '../steps/symbolic-state.js';
import {
  and,
  apply,
  forAll,
  integer,
  or,
  variable,
  type Term,
} from '@fencewright/ground/smt/term.js';
import { conditionTerm, integerTerm, type OperatorNode } from '../steps/terms.js';

/** Returns the term for the invariant in a symbolic state, with `roles` as its binders. */
export function invariantTerm(
  program: ProofProgram,
  { condition }: Invariant,
  roles: readonly Role[],
  state: SymbolicState,
): Term {
  const localOf = (binder: number) => valueAt(state.threads, at(roles, binder).name);
  const open = (expression: InvariantExpression): OperatorNode<InvariantExpression> => {
    switch (expression.kind) {
      case 'constant':
        return { kind: 'value', term: integer(expression.value) };
      case 'at':
        return { kind: 'truth', term: standsAt(localOf(expression.binder), expression.location) };
      case 'ended': {
        const local = localOf(expression.binder);
        const { thread } = at(roles, expression.binder);
        const { transitions } = at(program.templates.threads, thread);
        const { places } = at(program.threads, thread);
        // A thread that waits for ever has not ended.
        const ends = places.filter((place) => !transitions.some(({ from }) => from === place));
        return { kind: 'truth', term: or(...ends.map((place) => standsAt(local, place))) };
      }
      case 'register':
        return {
          kind: 'value',
          term: readRegister(localOf(expression.binder), expression.register),
        };
      case 'cell': {
        const where = expression.index && integerTerm(expression.index, open);
        const { variable, index } = program.memory.cellOf(expression.symbol, where);
        const held = at(state.memory, variable);
        return { kind: 'value', term: index === undefined ? held : apply('select', held, index) };
      }
      case 'every-index':
        return { kind: 'value', term: everyIndex };
      case 'unary':
      case 'binary':
        return expression;
    }
  };
  const term = conditionTerm(condition, open);
  return isAboutCells(condition) ? forAll(everyIndex, term) : term;
}

/**
 * The solver's variable for an index that represents all indices; no further variable has a blank
 * in its name.
 */
const everyIndex = variable('every index');

/** Whether the condition is about every cell of an array. */
export function isAboutCells(condition: InvariantExpression): boolean {
  return hasPart(condition, (part) => {
    if (part.kind === 'every-index') return true;
    return part.kind === 'cell' && part.index !== undefined && isAboutCells(part.index);
  });
}

/**
 * Returns all assignments of distinct roles, or of distinct threads of a state, to the binders of
 * an invariant.
 */
export function bindings<T extends { readonly thread: ThreadId }>(
  { binders }: Invariant,
  roles: readonly T[],
): readonly (readonly T[])[] {
  return binders.reduce<readonly (readonly T[])[]>(
    (chosen, { thread }) =>
      chosen.flatMap((before) =>
        roles
          .filter((role) => role.thread === thread && !before.includes(role))
          .map((role) => [...before, role]),
      ),
    [[]],
  );
}

/**
 * Returns the term that claims that the invariants hold in a state, for all bindings to distinct
 * roles.
 */
export function assumeInvariants(
  program: ProofProgram,
  invariants: readonly Invariant[],
  roles: readonly Role[],
  state: SymbolicState,
): Term {
  return and(
    ...invariants.flatMap((invariant) =>
      bindings(invariant, roles).map((chosen) => invariantTerm(program, invariant, chosen, state)),
    ),
  );
}

/**
 * Returns the roles of the single threads (threads without copies) bound by the invariants: single
 * threads are part of every question.
 */
export function singleRoles(
  program: ProofProgram,
  invariants: readonly Invariant[],
): readonly Role[] {
  const threads = new Set(invariants.flatMap(({ binders }) => binders.map(({ thread }) => thread)));
  return [...threads]
    .filter((thread) => !program.unbounded.includes(thread))
    .map((thread) => roleOf(program, thread, 0));
}
