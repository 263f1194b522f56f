import { at } from '@fencewright/ground/base/at.js';
import { fact } from '@fencewright/ground/base/fact.js';
import type { LocationId, RegisterId } from '@fencewright/model/program/ids.js';
import type { CodeTransition } from '@fencewright/model/semantics/thread-code.js';

/**
 * A branch on the result of a `cas`. The alternatives only set registers or store, and lead to a
 * common location.
 */
export interface CasChoice {
  /** The common location to which all alternatives lead. */
  readonly join: LocationId;
  /** The registers that some alternative sets. */
  readonly sets: readonly RegisterId[];
  /** Whether some alternative stores to memory. */
  readonly hasStores: boolean;
}

/**
 * A part of an alternative, from the alternative's first location up to another location: the
 * registers that the part sets, and whether the part stores.
 */
type Part = Omit<CasChoice, 'join'>;

/** The transitions of a thread, indexed by source location. */
export type Leaving = readonly (readonly CodeTransition[])[];

/**
 * Returns the locations of an alternative in order; for each location, the effects of the
 * alternative's instructions up to the location.
 */
function locationsOf(leaving: Leaving, way: CodeTransition): ReadonlyMap<LocationId, Part> {
  const found = new Map<LocationId, Part>();
  let part: Part = { sets: [], hasStores: false };
  for (let location = way.transition.to; !found.has(location);) {
    found.set(location, part);
    const [only, ...others] = at(leaving, location);
    if (!only || others.length > 0) break;
    const { instruction, to } = only.transition;
    if (instruction.kind === 'assign') part = { ...part, sets: [...part.sets, instruction.into] };
    else if (instruction.kind === 'store') part = { ...part, hasStores: true };
    else if (instruction.kind !== 'skip' || instruction.fence) break;
    location = to;
  }
  return found;
}

/** Returns the transitions of a thread by target location. */
const enteringIn = fact((leaving: Leaving) => {
  const found = new Map<LocationId, CodeTransition[]>();
  for (const one of leaving.flat()) {
    const all = found.get(one.transition.to);
    if (all) all.push(one);
    else found.set(one.transition.to, [one]);
  }
  return found;
});

/** Returns the register `r` if the condition is `r` or `!r`; otherwise `undefined`. */
function testedBy({ transition: { instruction } }: CodeTransition): RegisterId | undefined {
  if (instruction.kind !== 'assume' || instruction.cutsOff) return undefined;
  const { condition } = instruction;
  const tested = condition.kind === 'unary' ? condition.operand : condition;
  return tested.kind === 'register' ? tested.register : undefined;
}

/**
 * Returns the choice at a location. `undefined` if the conditions at the location do not directly
 * test whether a `cas` has stored, or if the alternatives do anything but set registers or store,
 * or do not meet. Compiled C code has a choice of this form after each compare-exchange, which sets
 * the expected value if it fails. The C text has no condition there, and processors with an
 * instruction for the `cas` need no branch. So later accesses that do not use the registers do not
 * wait for the result of the `cas`.
 */
export function choiceAt(leaving: Leaving, location: LocationId): CasChoice | undefined {
  const ways = at(leaving, location);
  if (ways.length < 2) return undefined;
  const tested = testedBy(ways[0]!);
  if (tested === undefined || !ways.every((way) => testedBy(way) === tested)) return undefined;
  const entering = (to: LocationId): readonly CodeTransition[] => enteringIn(leaving).get(to) ?? [];
  const setsTested = ({ transition: { instruction } }: CodeTransition): boolean =>
    instruction.kind === 'assign' && instruction.into === tested;
  const isResult = ({ transition: { instruction, from } }: CodeTransition): boolean =>
    instruction.kind === 'unlock'
      ? entering(from).every(setsTested)
      : instruction.kind === 'rmw' &&
        instruction.operation.name === 'cas' &&
        instruction.into === tested;
  const before = entering(location);
  if (before.length === 0 || !before.every(isResult)) return undefined;
  const [first, ...others] = ways.map((way) => locationsOf(leaving, way));
  for (const join of first!.keys())
    if (join !== location && others.every((way) => way.has(join))) {
      const parts = [first!, ...others].map((way) => way.get(join)!);
      return {
        join,
        sets: [...new Set(parts.flatMap(({ sets }) => sets))],
        hasStores: parts.some(({ hasStores }) => hasStores),
      };
    }
  return undefined;
}
