import { isEnds, type RoughSet } from '@fencewright/model/analysis/number-ends.js';
import {
  binary,
  constant,
  registerValue,
  type Expression,
} from '@fencewright/model/program/expression.js';
import type { AccessStep, LoweredStep } from './step.js';
import type { Round } from './world.js';

/** An atomic read-modify-write. */
export type ModifyStep = Extract<AccessStep, { kind: 'modify' }>;

/**
 * The numbers that count as tags: low bits that are 0 in addresses of structures. A larger number
 * may be a move of a pointer between words.
 */
const tags: readonly number[] = [1, 2];

/** The number subtracted by an atomic subtraction, if possibly a tag; otherwise `undefined`. */
function tagOf({ operation, bits, operand }: ModifyStep): number | undefined {
  const isSubtraction = operation === 'sub' && bits === 64;
  if (!isSubtraction || operand.kind !== 'constant') return undefined;
  return tags.includes(operand.value) ? operand.value : undefined;
}

/** Whether the step may remove a tag from a pointer by an atomic subtraction. */
export function mayRemoveTag(step: LoweredStep): step is ModifyStep {
  return step.kind === 'modify' && tagOf(step) !== undefined;
}

/**
 * The condition under which the subtraction only removes a tag: the bit of the tag is set in the
 * value read. `undefined` if the step is no subtraction from tagged pointers.
 */
export function hasTag(step: ModifyStep): Expression | undefined {
  const tag = step.isOfTag ? tagOf(step) : undefined;
  return tag === undefined ? undefined : binary('&', registerValue(step.into), constant(tag));
}

/**
 * Returns the values with which an execution continues after a step that may remove a tag. The set
 * `old` of the values read does not tell which addresses have a tag. Without a tag, the difference
 * would be an address before the object, and further subtractions would give smaller and smaller
 * addresses. If `old` has the address of an object without a tag, notes that the step removes tags,
 * and leaves this address and 0 out: the next round of lowering guards the step.
 */
export function withTags(
  { sites, world: { facts, image } }: Round,
  step: ModifyStep,
  old: RoughSet,
): RoughSet {
  const [tag, site] = [tagOf(step), sites.get(step)];
  if (tag === undefined || site === undefined || old === 'any' || isEnds(old)) return old;
  const isPlain = (value: number): boolean => {
    const object = image.memory.objectAt(value, 1);
    return object?.address === value && object.alignment > tag;
  };
  if (!old.some(isPlain)) return old;
  facts.noteTagSum(site);
  return old.filter((value) => value !== 0 && !isPlain(value));
}
