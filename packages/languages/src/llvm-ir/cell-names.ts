import { UniqueNames } from '@fencewright/ground/base/unique-names.js';
import type { PointerNames } from '@fencewright/model/program/program.js';
import { kindOfPart, partName, partOfStructure, type PartOptions } from './debug-types.js';
import { marksDistance, marksName, nameOfMark } from './block-marks.js';
import type { Image } from './image.js';
import type { DataLayout } from './layout.js';
import type { MemoryObject } from './memory.js';
import type { IrType } from './syntax.js';

/** The maximum number of addresses for which pointer values get names. */
const mostNamed = 10_000;

/**
 * The name of a cell of `size` bytes as C spells it: `x`, `nodes[1].locked`. Without debug
 * information, fields have numbers: `nodes[1].2`.
 */
export function cellName(
  image: Image,
  object: MemoryObject,
  address: number,
  size?: number,
): string {
  const options = size === undefined ? {} : { size };
  return partInObject(image, object, address - object.address, options);
}

/**
 * The name of a part of an object: `nodes[1].locked`; of a block, `locked of block main:3` if
 * its structure is known.
 */
function partInObject(
  image: Image,
  object: MemoryObject,
  offset: number,
  options: Pick<PartOptions, 'size' | 'isWhole'>,
): string {
  const field = fieldOfBlock(image, object, offset, options);
  if (field === undefined) return object.name + nameOfPart(image, object, offset, options);
  return field === '' ? object.name : `${field} of ${object.name}`;
}

/**
 * The path to a part of a block, `next.count`, or `[2].next` in a block with several structures;
 * empty for the block as a whole, and `undefined` if no structure is known.
 */
function fieldOfBlock(
  { memory, module, headers }: Image,
  { address, size: ofBlock, lifetime }: MemoryObject,
  offset: number,
  { size, isWhole = false }: Pick<PartOptions, 'size' | 'isWhole'>,
): string | undefined {
  const structure = lifetime === 'allocated' ? memory.structureAt(address) : undefined;
  if (!structure || (isWhole && offset === 0)) return structure && '';
  const index = Math.floor(offset / structure.size);
  const options = { isWhole, ...(headers !== undefined && { headers }) };
  const inner = offset - index * structure.size;
  const exact =
    size === undefined
      ? undefined
      : partOfStructure(module.metadata, structure, inner, { ...options, size });
  const part = exact ?? partOfStructure(module.metadata, structure, inner, options);
  if (part === undefined) return undefined;
  if (ofBlock >= 2 * structure.size) return `[${index}]${part}`;
  return part.replace(/^\./, '');
}

function nameOfPart(
  image: Image,
  { variable, type, isOfMarks, lifetime }: MemoryObject,
  offset: number,
  options: Pick<PartOptions, 'size' | 'isWhole'>,
): string {
  const { module, headers, layout } = image;
  const { size, ...others } = { ...options, ...(headers !== undefined && { headers }) };
  if (isOfMarks) return nameOfMark(offset);
  if (variable !== undefined) {
    const exact =
      size === undefined
        ? undefined
        : partName(module.metadata, variable, offset, { ...others, size });
    const known = exact ?? partName(module.metadata, variable, offset, others);
    if (known !== undefined) return known;
  }
  if (type) return numberedPart(layout, type, offset, options.isWhole === true);
  if (offset === 0) return '';
  return lifetime === 'allocated' ? ` byte ${offset}` : `.${offset}`;
}

function numberedPart(layout: DataLayout, type: IrType, offset: number, isWhole: boolean): string {
  const resolved = layout.resolve(type);
  switch (resolved.kind) {
    case 'array': {
      const size = layout.sizeOf(resolved.element);
      const index = size === 0 ? 0 : Math.floor(offset / size);
      return `[${index}]${numberedPart(layout, resolved.element, offset - index * size, isWhole)}`;
    }
    case 'struct': {
      if (offset === 0 && isWhole) return '';
      const index = resolved.fields.findLastIndex(
        (_, i) => layout.part(resolved, i).offset <= offset,
      );
      if (index < 0) return '';
      const part = layout.part(resolved, index);
      const rest = numberedPart(layout, part.type, offset - part.offset, isWhole);
      return resolved.fields.length === 1 ? rest : `.${index}${rest}`;
    }
    default:
      return offset === 0 ? '' : `.${offset}`;
  }
}

/** A cell to name, with its size in bytes. */
interface NamedCell {
  readonly address: number;
  readonly size: number;
}

/** The names of cells, in the order given, and names for the values of pointers. */
interface MemoryNames {
  readonly cells: readonly string[];
  /**
   * In the order of the cells: whether the cell holds a mark of a `malloc` block (a word that
   * records that it was freed), and belongs to no variable of the text.
   */
  readonly areInternal: readonly boolean[];
  /** In the order of the cells: the number of bits of the cell, if its type is unsigned. */
  readonly unsignedBits: readonly (number | undefined)[];
  readonly pointers?: PointerNames;
}

/**
 * Distinct names of cells; and names of the objects that pointers point to, as `pointersWanted`
 * says: never, only if some cell holds a pointer, or always.
 */
export function nameMemory(
  image: Image,
  cells: readonly NamedCell[],
  pointersWanted: 'none' | 'of cells' | 'all',
): MemoryNames {
  const { memory } = image;
  const own = new Set(cells.flatMap(({ address }) => memory.placeAt(address, 1) ?? []));
  // Objects without cells may still be the targets of pointers.
  const objects = [...own, ...memory.objects.filter((each) => !own.has(each))];
  const suffix = (n: number): string => `#${n}`;
  const unique = new UniqueNames(
    objects.map(({ name }) => name),
    { suffix },
  ).names;
  const renamed = new Map(objects.map((each, i) => [each, { ...each, name: unique[i]! }]));
  for (const [object, { address, isOfMarks }] of renamed) {
    const block = isOfMarks && memory.objectAt(address + marksDistance, 0);
    if (block) renamed.set(object, { ...object, name: marksName(renamed.get(block)!.name) });
  }
  const names = cells.map(({ address, size }) => {
    const object = memory.placeAt(address, 1);
    return object ? cellName(image, renamed.get(object)!, address, size) : `m${address}`;
  });
  const pointers = pointersWanted === 'none' ? new Set<number>() : pointersIn(image, own);
  const kinds = cells.map((cell) => kindOf(image, cell));
  const holders = cells.filter(
    ({ address }, i) =>
      pointersWanted !== 'none' && (pointers.has(address) || kinds[i] === 'pointer'),
  );
  return {
    cells: new UniqueNames(names, { suffix }).names,
    areInternal: cells.map(({ address }) => memory.placeAt(address, 1)?.isOfMarks === true),
    unsignedBits: cells.map(({ size }, i) => (kinds[i] === 'unsigned' ? size * 8 : undefined)),
    ...((holders.length > 0 || pointersWanted === 'all') && {
      pointers: {
        cells: new Set(holders.map(({ address }) => address)),
        names: pointedTo(image, [...renamed.values()], cells),
      },
    }),
  };
}

/** The kind of a cell's type in C, as far as variables and structures of blocks are known. */
function kindOf(
  { memory, module, headers }: Image,
  { address, size }: NamedCell,
): ReturnType<typeof kindOfPart> {
  const object = memory.placeAt(address, 1);
  const options = { size, ...(headers !== undefined && { headers }) };
  const offset = object ? address - object.address : 0;
  if (object?.variable !== undefined)
    return kindOfPart(module.metadata, object.variable, offset, options);
  const structure = object?.lifetime === 'allocated' && memory.structureAt(object.address);
  if (!structure) return 'other';
  return kindOfPart(module.metadata, structure, offset % structure.size, options);
}

/** The addresses in the objects at which a pointer is stored, as far as types are known. */
function pointersIn({ layout }: Image, objects: Iterable<MemoryObject>): ReadonlySet<number> {
  return new Set(
    [...objects].flatMap(({ address, type }) =>
      (type ? layout.scalarsOf(type) : [])
        .filter(({ isPointer }) => isPointer)
        .map(({ offset }) => address + offset),
    ),
  );
}

/**
 * By address, the name of the largest part of an object that begins at the address and is no array.
 */
function pointedTo(
  image: Image,
  objects: readonly MemoryObject[],
  cells: readonly NamedCell[],
): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  for (const object of objects) {
    const { address, size, type } = object;
    const parts = type
      ? image.layout.scalarsOf(type).map(({ offset }) => offset)
      : cells.map((cell) => cell.address - address).filter((at) => at > 0 && at < size);
    for (const offset of [0, ...parts]) {
      if (names.size >= mostNamed) return names;
      const name = partInObject(image, object, offset, { isWhole: true });
      names.set(address + offset, name);
    }
  }
  return names;
}
