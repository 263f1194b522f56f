import { SeededRandom } from '@fencewright/ground/base/random.js';

/** The letter of a group of program parts that front ends for C get wrong. */
export type ShapeGroup = 'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h' | 'i' | 'j' | 'k' | 'l';

/** By letter, the subject of the group of program parts. */
export const shapeGroups: Readonly<Record<ShapeGroup, string>> = {
  a: 'what comes from outside',
  b: 'indirect calls beside blocks that come and go',
  c: 'null pointers with offsets, and pointers that leave their object',
  d: 'objects with destructors in what threads call',
  e: 'classes of the headers for C++',
  f: 'addresses as numbers',
  g: 'numbers of threads as owners',
  h: 'outcomes',
  i: 'exceptions',
  j: 'sleeping and waking',
  k: 'threads that may never be created',
  l: 'what runs when main has returned',
};

/**
 * Returns the indices of the parts in the program of a seed. In a row of programs, all parts occur
 * equally often, up to one occurrence, in changing combinations.
 */
export function placesFor(seed: number, perProgram: number, length: number): readonly number[] {
  const places = Array.from({ length: perProgram }, (_, i) => {
    const slot = seed * perProgram + i;
    return orderOf(Math.floor(slot / length), length)[slot % length]!;
  });
  return [...new Set(places)];
}

/** Returns a random permutation, equal for equal seeds. */
function orderOf(number: number, length: number): readonly number[] {
  const random = new SeededRandom(Math.imul(number + 1, 0x9e3779b1));
  const order = Array.from({ length }, (_, i) => i);
  for (let i = length - 1; i > 0; i--) {
    const other = random.below(i + 1);
    [order[i], order[other]] = [order[other]!, order[i]!];
  }
  return order;
}
