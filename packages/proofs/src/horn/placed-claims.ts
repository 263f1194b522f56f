import { at } from '@fencewright/ground/base/at.js';
import { keyOf } from '@fencewright/model/program/expression.js';
import type { LocationId, ThreadId } from '@fencewright/model/program/ids.js';
import { bindThreads } from '@fencewright/model/program/invariant-binders.js';
import type { Invariant, InvariantExpression } from '@fencewright/model/program/program.js';
import type { ProofProgram } from '../steps/proof-program.js';
import type { PairLemma } from './read-solution.js';

/** A claim about threads that are at certain locations. */
export interface PlacedClaim {
  /** The threads bound by `claim`, in the order of the binders: none, one or two. */
  readonly threads: readonly ThreadId[];
  /** The location of each of `threads`, in the same order. */
  readonly places: readonly LocationId[];
  readonly claim: InvariantExpression;
}

/**
 * Returns candidate claims for the lemmas, the most general first and each once: the lemma without
 * places, the lemma for one thread at its place whatever the second thread does, and the lemma for
 * the pair.
 */
export function generalize(lemmas: readonly PairLemma[]): readonly PlacedClaim[] {
  const everywhere: PlacedClaim[] = [];
  const alone: PlacedClaim[] = [];
  const pairs: PlacedClaim[] = [];
  for (const { ends, claim } of lemmas) {
    const [a, b] = ends;
    const about = bindersOf(claim);
    const one = (end: 0 | 1): PlacedClaim => ({
      threads: [ends[end].thread],
      places: [ends[end].place],
      claim: rebind(claim, () => 0),
    });
    if (about.size === 0 && claim.kind !== 'constant')
      everywhere.push({ threads: [], places: [], claim });
    if (!about.has(1)) alone.push(one(0));
    if (!about.has(0)) alone.push(one(1));
    pairs.push({ threads: [a.thread, b.thread], places: [a.place, b.place], claim });
  }
  const all = [...everywhere, ...alone, ...pairs];
  return [...new Map(all.map((each) => [keyOf(each), each])).values()];
}

function bindersOf(claim: InvariantExpression): ReadonlySet<number> {
  const found = new Set<number>();
  rebind(claim, (binder) => {
    found.add(binder);
    return binder;
  });
  return found;
}

/** Returns the claim with the binders numbered anew. */
function rebind(
  claim: InvariantExpression,
  change: (binder: number) => number,
): InvariantExpression {
  switch (claim.kind) {
    case 'constant':
    case 'every-index':
      return claim;
    case 'at':
    case 'ended':
    case 'register':
      return { ...claim, binder: change(claim.binder) };
    case 'cell':
      return claim.index ? { ...claim, index: rebind(claim.index, change) } : claim;
    case 'unary':
      return { ...claim, operand: rebind(claim.operand, change) };
    case 'binary':
      return { ...claim, left: rebind(claim.left, change), right: rebind(claim.right, change) };
  }
}

/** Returns the claim as an invariant, with one place for each thread of the claim. */
export function toInvariant(program: ProofProgram, claim: PlacedClaim): Invariant {
  const sets = claim.places.map((place) => [place]);
  return invariantOver(program, claim, sets, 'candidate');
}

/**
 * Returns the claims as few invariants: claims with equal threads and conditions, but different
 * places, become one invariant. `nextName` names the invariants.
 */
export function summarize(
  program: ProofProgram,
  claims: readonly PlacedClaim[],
  nextName: () => string,
): readonly Invariant[] {
  const groups = new Map<string, PlacedClaim[]>();
  for (const each of claims) {
    const key = keyOf([each.threads, each.claim]);
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  const invariants: Invariant[] = [];
  for (const group of groups.values()) {
    const [first] = group;
    if (!first) continue;
    for (const sets of placeSets(group))
      invariants.push(invariantOver(program, first, sets, nextName()));
  }
  return invariants;
}

/**
 * Returns the locations of claims that differ only in their locations, as few products of sets of
 * locations.
 */
function placeSets(group: readonly PlacedClaim[]): readonly (readonly (readonly LocationId[])[])[] {
  const [first] = group;
  if (!first || first.threads.length === 0) return [[]];
  if (first.threads.length === 1) return [[ascending(group.map(({ places }) => at(places, 0)))]];
  const partners = new Map<LocationId, Set<LocationId>>();
  const add = (a: LocationId, b: LocationId): void => {
    partners.set(a, (partners.get(a) ?? new Set()).add(b));
  };
  // A claim about two copies of one thread that names none of their registers also holds with the
  // copies exchanged.
  const isSymmetric = first.threads[0] === first.threads[1] && bindersOf(first.claim).size === 0;
  for (const { places } of group) {
    const [a, b] = [at(places, 0), at(places, 1)];
    add(a, b);
    if (isSymmetric) add(b, a);
  }
  const products = new Map<string, [LocationId[], readonly LocationId[]]>();
  for (const [place, others] of partners) {
    const sorted = ascending([...others]);
    const product = products.get(sorted.join()) ?? [[], sorted];
    product[0].push(place);
    products.set(sorted.join(), product);
  }
  const said = new Set<string>();
  return [...products.values()].flatMap(([left, right]) => {
    const pairs = left.flatMap((a) => right.map((b) => [a, b] as const));
    if (isSymmetric && pairs.every(([a, b]) => said.has(`${b},${a}`) || said.has(`${a},${b}`)))
      return [];
    for (const pair of pairs) said.add(pair.join());
    return [[ascending(left), right]];
  });
}

function ascending(places: readonly LocationId[]): readonly LocationId[] {
  return [...new Set(places)].sort((a, b) => a - b);
}

function invariantOver(
  program: ProofProgram,
  { threads, claim }: PlacedClaim,
  sets: readonly (readonly LocationId[])[],
  name: string,
): Invariant {
  const binders = bindThreads(program, threads);
  const isEverywhere = (binder: number): boolean =>
    bindersOf(claim).has(binder) &&
    at(sets, binder).length === at(program.threads, at(threads, binder)).places.length;
  const guards = sets.flatMap((places, binder) =>
    isEverywhere(binder)
      ? []
      : [
          places
            .map((location): InvariantExpression => ({ kind: 'at', binder, location }))
            .reduce(or),
        ],
  );
  return { name, binders, condition: [...guards].reverse().reduce(impliedBy, claim) };
}

function or(left: InvariantExpression, right: InvariantExpression): InvariantExpression {
  return { kind: 'binary', operator: '||', left, right };
}

/** Returns `guard ==> claim`; for the claim 0, the negation of the guard. */
function impliedBy(claim: InvariantExpression, guard: InvariantExpression): InvariantExpression {
  const not: InvariantExpression = { kind: 'unary', operator: '!', operand: guard };
  return claim.kind === 'constant' && claim.value === 0 ? not : or(not, claim);
}
