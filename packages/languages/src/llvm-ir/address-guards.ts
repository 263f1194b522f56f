import type { AddressSet } from '@fencewright/model/analysis/address-sets.js';
import { binary, constant, type Expression } from '@fencewright/model/program/expression.js';
import { isWord } from '@fencewright/model/program/wide-values.js';
import { type AccessStep, blockMarkOf } from './step.js';
import type { Round, World } from './world.js';

/**
 * The maximum number of wrong addresses that a guard (a check before an access) excludes
 * individually.
 */
const mostExcluded = 4;

/**
 * The condition under which the access hits a cell of an object, given the set of values of its
 * address; `undefined` if every address in the set is right.
 */
export function guardFor(world: World, step: AccessStep, set: AddressSet): Expression | undefined {
  const { address } = step;
  if (set === 'any') return isOneOf(address, possibleCells(world, step));
  const wrong = set.filter((each) => !isInside(world, step, each));
  if (wrong.length === 0) return undefined;
  if (wrong.length > mostExcluded)
    return isOneOf(
      address,
      set.filter((each) => !wrong.includes(each)),
    );
  return wrong
    .map((each): Expression => binary('!=', address, constant(each)))
    .reduce((all, each) => binary('&&', all, each));
}

/**
 * Whether the address is right for the access: the bytes lie inside an object or, for an access to
 * a mark of a `malloc` block (a word that says who freed it), at this mark of some block.
 */
export function isInside({ image }: World, step: AccessStep, address: number): boolean {
  const mark = blockMarkOf(step);
  if (mark === undefined) return image.memory.objectAt(address, step.size) !== undefined;
  const place = image.memory.placeAt(address, step.size);
  return place?.isOfMarks === true && address === place.address + mark;
}

/**
 * Whether an address is a multiple of the alignment that the IR states for the access. If the size
 * of the access is smaller than the alignment, as for a field of a structure, the address has to be
 * a multiple of the size only.
 */
export function isAligned(
  { sites, alignments }: Round,
  step: AccessStep,
  address: number,
): boolean {
  const site = sites.get(step);
  const alignment = (site === undefined ? undefined : alignments.get(site)) ?? 1;
  return address % Math.min(alignment, step.size) === 0;
}

/** All addresses of cells that the access may hit, ascending. */
export function possibleCells({ image, facts }: World, step: AccessStep): readonly number[] {
  const { size } = step;
  const mark = blockMarkOf(step);
  if (mark !== undefined)
    return image.memory.objects.flatMap(({ address, isOfMarks }) =>
      isOfMarks ? [address + mark] : [],
    );
  const { layout, memory } = image;
  const found = new Set<number>();
  for (const { type, address, size: whole, isOfMarks } of memory.objects)
    if (isOfMarks) continue;
    else if (type) {
      for (const scalar of layout.scalarsOf(type))
        if (scalar.size === size) found.add(address + scalar.offset);
    } else for (let offset = 0; offset + size <= whole; offset += size) found.add(address + offset);
  const taken = [...facts.cells.values()].flatMap(({ address, sizes }) =>
    [...sizes].filter((each) => each !== size).map((each) => ({ address, end: address + each })),
  );
  for (const start of [...found])
    if (taken.some(({ address, end }) => start < end && address < start + size))
      found.delete(start);
  return [...found].sort((a, b) => a - b);
}

/**
 * The condition that a value is one of the ascending numbers. Addresses of words at equal distances
 * are tested together.
 */
export function isOneOf(address: Expression, numbers: readonly number[]): Expression {
  const rows: { readonly first: number; last: number; step: number }[] = [];
  for (const number of numbers) {
    const row = rows.at(-1);
    if (
      row &&
      isWord(row.last) &&
      isWord(number) &&
      (row.step === 0 || number - row.last === row.step)
    ) {
      row.step = number - row.last;
      row.last = number;
    } else rows.push({ first: number, last: number, step: 0 });
  }
  const tests = rows.map(({ first, last, step }): Expression => {
    if (step === 0) return binary('==', address, constant(first));
    const inside = binary(
      '&&',
      binary('>=', address, constant(first)),
      binary('<=', address, constant(last)),
    );
    const distance = binary('-', address, constant(first));
    return binary('&&', inside, binary('==', binary('%', distance, constant(step)), constant(0)));
  });
  return tests.length === 0 ? constant(0) : tests.reduce((any, each) => binary('||', any, each));
}
