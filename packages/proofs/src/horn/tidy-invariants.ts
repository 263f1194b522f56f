import { keyOf } from '@fencewright/model/program/expression.js';
import type { LocationId } from '@fencewright/model/program/ids.js';
import type { Invariant, InvariantExpression } from '@fencewright/model/program/program.js';
import { summarize, type PlacedClaim } from './placed-claims.js';
import type { ProofProgram } from '../steps/proof-program.js';

/**
 * Rewrites invariants from templates into fewer and shorter equivalent invariants: `<=` and `>=`
 * together become `==`, and with `!=` become `<` and `>`; a claim about several places is made
 * once. `nextName` names the results.
 */
export function tidyInvariants(
  program: ProofProgram,
  invariants: readonly Invariant[],
  nextName: () => string,
): readonly Invariant[] {
  const claims = invariants.map(toClaim);
  const placed = combine(claims.filter((claim) => claim.places.length === claim.threads.length));
  // Claims about a thread at all places.
  const general = combine(claims.filter((claim) => claim.places.length < claim.threads.length));
  const binders = new Map(
    invariants.map((each) => [each.binders.map(({ thread }) => thread).join(), each.binders]),
  );
  const first = general.map(({ threads, claim }): Invariant => ({
    name: nextName(),
    binders: binders.get(threads.join()) ?? [],
    condition: claim,
  }));
  return [...first, ...summarize(program, placed, nextName)];
}

/**
 * Splits an invariant `!(thread is at location) || claim` into the locations and the claim. If the
 * invariant has no location for some thread, `places` is empty, and the claim is the whole
 * condition.
 */
function toClaim({ binders, condition }: Invariant): PlacedClaim {
  const threads = binders.map(({ thread }) => thread);
  const places: LocationId[] = [];
  const note = (expression: InvariantExpression): boolean => {
    if (expression.kind !== 'at' || places[expression.binder] !== undefined) return false;
    places[expression.binder] = expression.location;
    return true;
  };
  const never: InvariantExpression = { kind: 'constant', value: 0 };
  let claim = condition;
  if (condition.kind === 'binary' && condition.operator === '||' && isNegation(condition.left)) {
    const guards = conjuncts(condition.left.operand).filter((guard) => !note(guard));
    const { right } = condition;
    const rest = isNegation(right) && note(right.operand) ? never : right;
    claim =
      guards.length === 0 ? rest : { ...condition, left: not(guards.reduce(and)), right: rest };
  } else if (isNegation(condition) && note(condition.operand)) claim = never;
  return threads.every((_, binder) => places[binder] !== undefined)
    ? { threads, places, claim }
    : { threads, places: [], claim: condition };
}

function isNegation(
  expression: InvariantExpression,
): expression is InvariantExpression & { readonly kind: 'unary' } {
  return expression.kind === 'unary' && expression.operator === '!';
}

function not(operand: InvariantExpression): InvariantExpression {
  return { kind: 'unary', operator: '!', operand };
}

function and(left: InvariantExpression, right: InvariantExpression): InvariantExpression {
  return { kind: 'binary', operator: '&&', left, right };
}

function conjuncts(expression: InvariantExpression): readonly InvariantExpression[] {
  return expression.kind === 'binary' && expression.operator === '&&'
    ? [...conjuncts(expression.left), ...conjuncts(expression.right)]
    : [expression];
}

const together: readonly (readonly [string, string, '==' | '<' | '>'])[] = [
  ['<=', '>=', '=='],
  ['<=', '!=', '<'],
  ['>=', '!=', '>'],
];

/**
 * Returns the claims with any two of different relations, but otherwise equal, merged into one if a
 * single relation expresses both.
 */
function combine(claims: readonly PlacedClaim[]): readonly PlacedClaim[] {
  const groups = new Map<string, PlacedClaim[]>();
  for (const each of claims) {
    const [before, relation] = split(each.claim);
    const key = keyOf([
      each.threads,
      each.places,
      before,
      relation && [relation.left, relation.right],
      relation ? '' : each.claim,
    ]);
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return [...groups.values()].flatMap((group) => {
    const operators = group.map(({ claim }) => split(claim)[1]?.operator);
    const [first] = group;
    const joint = together.find(([a, b]) =>
      [a, b].every((each) => operators.includes(each as '<')),
    );
    if (!first || !joint) return group;
    const [before, relation] = split(first.claim);
    if (!relation) return group;
    const [a, b, operator] = joint;
    const both: InvariantExpression = { ...relation, operator };
    const claim = before ? { ...before, right: both } : both;
    const rest = group.filter((_, i) => operators[i] !== a && operators[i] !== b);
    return [{ ...first, claim }, ...rest];
  });
}

type Binary = InvariantExpression & { readonly kind: 'binary' };

/**
 * Returns the two parts of a claim `guard || relation`: `guard || 0`, and the relation. The first
 * part is absent for a claim without a guard. Both parts are absent for a claim of another form.
 */
function split(claim: InvariantExpression): readonly [Binary | undefined, Binary | undefined] {
  if (claim.kind !== 'binary') return [undefined, undefined];
  if (claim.operator !== '||') return [undefined, claim];
  const { right } = claim;
  return right.kind === 'binary'
    ? [{ ...claim, right: { kind: 'constant', value: 0 } }, right]
    : [undefined, undefined];
}
