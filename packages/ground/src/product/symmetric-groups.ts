import { wordAt } from '../base/at.js';
import { fieldOf, type PackedLayout } from './layout.js';

/**
 * For each component, its left and its right neighbour in its group of interchangeable components;
 * -1 at the ends of a group.
 */
export interface Neighbours {
  readonly left: Int32Array;
  readonly right: Int32Array;
}

export function computeNeighbours(
  components: number,
  groups: readonly (readonly number[])[],
): Neighbours {
  const left = new Int32Array(components).fill(-1);
  const right = new Int32Array(components).fill(-1);
  for (const group of groups)
    group.forEach((member, place) => {
      left[member] = group[place - 1] ?? -1;
      right[member] = group[place + 1] ?? -1;
    });
  return { left, right };
}

/**
 * Moves the node of `component` to the left within its group, past all larger nodes; returns the
 * component at the node's new position.
 */
function moveLeft(
  words: Int32Array,
  { components }: PackedLayout,
  left: Int32Array,
  component: number,
): number {
  let place = component;
  for (;;) {
    const next = wordAt(left, place);
    if (next < 0 || !swapIfGreater(words, components, next, place)) return place;
    place = next;
  }
}

function swapIfGreater(
  words: Int32Array,
  components: PackedLayout['components'],
  first: number,
  second: number,
): boolean {
  const left = fieldOf(components, first);
  const right = fieldOf(components, second);
  const a = (wordAt(words, left.word) >>> left.shift) & left.mask;
  const b = (wordAt(words, right.word) >>> right.shift) & right.mask;
  if (a <= b) return false;
  words[left.word] = (wordAt(words, left.word) & ~(left.mask << left.shift)) | (b << left.shift);
  words[right.word] =
    (wordAt(words, right.word) & ~(right.mask << right.shift)) | (a << right.shift);
  return true;
}

/** Sorts the nodes of a group again after only the node of `component` has changed. */
export function sortGroup(
  words: Int32Array,
  layout: PackedLayout,
  { left, right }: Neighbours,
  component: number,
): void {
  let place = moveLeft(words, layout, left, component);
  for (;;) {
    const next = wordAt(right, place);
    if (next < 0 || !swapIfGreater(words, layout.components, place, next)) return;
    place = next;
  }
}

/** Sorts the nodes of components in every group of interchangeable components. */
export function sortAll(words: Int32Array, layout: PackedLayout, { left }: Neighbours): void {
  // Members of a group are in ascending order: all on the left of each are sorted already.
  for (let component = 0; component < left.length; component++)
    if (wordAt(left, component) >= 0) moveLeft(words, layout, left, component);
}
