import { fact } from '@fencewright/ground/base/fact.js';
import { listAt, nodeIn, numberIn, stringIn } from './debug-nodes.js';
import type { Metadata } from './syntax.js';

/** The maximum depth of nested types. */
const deepest = 100;

/** Options for naming parts of variables. */
export interface PartOptions {
  /** The folders of headers whose structures users see as single values, without member names. */
  readonly headers?: readonly string[];
  /** The size in bytes of the part to name; if present, a part of another size has no name. */
  readonly size?: number;
  /** Whether to name the largest part at the offset that is no array, instead of the smallest. */
  readonly isWhole?: boolean;
}

/**
 * The suffix that names the part at an offset of a variable: `.next`, `[1].locked`; `undefined` if
 * the debug information names no part. `variable` is the node that describes the variable, `offset`
 * is in bytes.
 */
export function partName(
  metadata: Metadata,
  variable: string,
  offset: number,
  options: PartOptions = {},
): string | undefined {
  const type = typeOf(metadata, variable);
  return type === undefined ? undefined : new TypeNames(metadata, options).part(type, offset, 0);
}

/**
 * The suffix that names the part at an offset of a structure `struct.node` or `class.ns::node` of
 * the IR, as `partName` does for a variable; `undefined` if the debug information describes no
 * structure of this name and size, in bytes.
 */
export function partOfStructure(
  metadata: Metadata,
  structure: SizedStructure,
  offset: number,
  options: PartOptions = {},
): string | undefined {
  const node = nodeOfStructure(metadata, structure);
  return node === undefined ? undefined : new TypeNames(metadata, options).part(node, offset, 0);
}

/** A structure of the module: its name in LLVM IR, and its size in bytes. */
interface SizedStructure {
  readonly name: string;
  readonly size: number;
}

function nodeOfStructure(metadata: Metadata, { name, size }: SizedStructure): string | undefined {
  const plain = name.replace(/^(?:struct|class|union)\./, '').replace(/\.[0-9]+$/, '');
  return structureNodes(metadata).get(`${plain.split('::').at(-1)} ${size}`);
}

/** By name and size in bytes of a structure, the node that describes it; the first of several. */
const structureNodes = fact((metadata: Metadata): ReadonlyMap<string, string> => {
  const nodes = new Map<string, string>();
  for (const [node, text] of metadata) {
    if (!text.includes('DW_TAG_structure_type') && !text.includes('DW_TAG_class_type')) continue;
    const key = `${stringIn(text, 'name')} ${(numberIn(text, 'size') ?? 0) / 8}`;
    if (!nodes.has(key)) nodes.set(key, node);
  }
  return nodes;
});

/** The node of a variable's type; `undefined` if the debug information names none. */
function typeOf(metadata: Metadata, variable: string): string | undefined {
  const text = metadata.get(variable);
  const inner = text?.includes('!DIGlobalVariableExpression(') === true;
  return nodeIn(inner ? metadata.get(nodeIn(text, 'var') ?? '') : text, 'type');
}

/**
 * The kind of type in C that the part of `options.size` bytes has, of a variable or of a structure;
 * `other` if the type is neither an unsigned number nor a pointer, or unknown.
 */
export function kindOfPart(
  metadata: Metadata,
  whole: string | SizedStructure,
  offset: number,
  options: PartOptions & { readonly size: number },
): 'unsigned' | 'pointer' | 'other' {
  const type =
    typeof whole === 'string' ? typeOf(metadata, whole) : nodeOfStructure(metadata, whole);
  if (type === undefined) return 'other';
  const names = new TypeNames(metadata, options);
  names.part(type, offset, 0);
  if (names.scalar.includes('DW_ATE_unsigned')) return 'unsigned';
  return names.scalar.includes('DW_TAG_pointer_type') ? 'pointer' : 'other';
}

/** The type of a cell of bit-fields: an unsigned number. */
const asBits = 'DW_ATE_unsigned';

/**
 * The offset of the cell that holds a bit-field, in bits from the start of the structure;
 * `undefined` if the text of the member has none.
 */
function storageOf(member: string): number | undefined {
  const found = /\bextraData: i64 ([0-9]+)/.exec(member)?.[1];
  return found === undefined ? undefined : Number(found);
}

class TypeNames {
  /** The type of the scalar that the last call of `part` found. */
  scalar = '';

  constructor(
    readonly metadata: Metadata,
    readonly options: PartOptions,
  ) {}

  /** The type after all typedefs and qualifiers are removed: its node and the node's text. */
  #bare(node: string): readonly [node: string, text: string] {
    let at = node;
    for (let depth = 0; depth < deepest; depth++) {
      const text = this.metadata.get(at) ?? '';
      const base = /DW_TAG_(?:typedef|const|volatile|atomic|restrict)/.test(text)
        ? nodeIn(text, 'baseType')
        : undefined;
      if (base === undefined) return [at, text];
      at = base;
    }
    return [at, ''];
  }

  /** The size of a type in bytes; 0 if unknown. */
  #size(node: string): number {
    return (numberIn(this.#bare(node)[1], 'size') ?? 0) / 8;
  }

  part(node: string, offset: number, depth: number): string | undefined {
    const [, text] = this.#bare(node);
    const { size } = this.options;
    if (depth > deepest || text === '') return undefined;
    if (text.includes('DW_TAG_array_type')) return this.#element(text, offset, depth);
    if (/DW_TAG_(?:structure|class|union)_type/.test(text)) {
      if (offset === 0 && this.options.isWhole) return '';
      // A union of an included header is a single value to users, as the locks of glibc are.
      if (offset === 0 && text.includes('DW_TAG_union_type') && this.#isOfHeader(text)) return '';
      // Clang describes a class with code in a library without members: std::condition_variable.
      if (offset === 0 && text.includes('DIFlagFwdDecl')) return '';
      // A structure accessed as a whole is a part by itself.
      const isCell = offset === 0 && size !== undefined && size === this.#size(node);
      return this.#member(text, offset, depth) ?? (isCell ? '' : undefined);
    }
    if (offset !== 0 || (size !== undefined && size !== this.#size(node))) return undefined;
    this.scalar = text;
    return '';
  }

  #element(text: string, offset: number, depth: number): string | undefined {
    const base = nodeIn(text, 'baseType');
    if (base === undefined) return undefined;
    const counts = listAt(this.metadata, nodeIn(text, 'elements')).map(
      (range) => numberIn(this.metadata.get(range), 'count') ?? 0,
    );
    let size = this.#size(base);
    const sizes = counts.map(() => 0);
    for (let i = counts.length - 1; i >= 0; i--) {
      sizes[i] = size;
      size *= counts[i]!;
    }
    let [rest, indices] = [offset, ''];
    for (const each of sizes) {
      if (each === 0) return undefined;
      indices += `[${Math.floor(rest / each)}]`;
      rest %= each;
    }
    const inner = this.part(base, rest, depth + 1);
    return inner === undefined ? undefined : indices + inner;
  }

  #member(text: string, offset: number, depth: number): string | undefined {
    const all = listAt(this.metadata, nodeIn(text, 'elements'))
      .map((node) => this.metadata.get(node) ?? '')
      .filter((member) => /DW_TAG_(?:member|inheritance)/.test(member))
      .filter((member) => !member.includes('DIFlagStaticMember'));
    const bitFields = this.#bitFields(text, all, offset);
    if (bitFields !== undefined) return bitFields;
    const members = all
      .map((member) => ({
        member,
        type: nodeIn(member, 'baseType') ?? '',
        start: (numberIn(member, 'offset') ?? 0) / 8,
      }))
      .filter(({ start }) => start <= offset);
    const last = members.findLast(
      ({ type, start }) => offset < start + Math.max(1, this.#size(type)),
    );
    // Members of a union share one offset, and so do empty base classes.
    for (const { member, type, start } of members) {
      if (start !== last?.start) continue;
      const inner = this.part(type, offset - start, depth + 1);
      if (inner === undefined) continue;
      const name = this.#isValue(text) ? undefined : stringIn(member, 'name');
      const isBase = member.includes('DW_TAG_inheritance');
      return isBase || name === undefined ? inner : `.${name}${inner}`;
    }
    return undefined;
  }

  /**
   * The bit-fields in the cell at an offset, lowest bits first, each with its width:
   * `.low:3+high:5`. `undefined` if there are none, and for a structure that is one cell with
   * further members.
   */
  #bitFields(text: string, members: readonly string[], offset: number): string | undefined {
    const inCell = members.filter(
      (member) => member.includes('DIFlagBitField') && storageOf(member) === 8 * offset,
    );
    // The members of a union share one offset: the name of the first is used.
    const fields = text.includes('DW_TAG_union_type') ? inCell.slice(0, 1) : inCell;
    if (fields.length === 0) return undefined;
    const isWhole = this.options.size === (numberIn(text, 'size') ?? 0) / 8;
    if (isWhole && inCell.length < members.length) return undefined;
    this.scalar = asBits;
    const told = fields.map(
      (field) => `${stringIn(field, 'name') ?? ''}:${numberIn(field, 'size') ?? 0}`,
    );
    return `.${told.join('+')}`;
  }

  /** Whether the text describes a type of an included header whose inner names are not shown. */
  #isOfHeader(text: string): boolean {
    const file = stringIn(this.metadata.get(nodeIn(text, 'file') ?? ''), 'filename');
    return this.options.headers?.some((folder) => file?.startsWith(folder) === true) === true;
  }

  /**
   * Whether the text describes a structure of an included header with at most one member. Members
   * named `fw_...` are internal and do not count.
   */
  #isValue(text: string): boolean {
    if (!this.#isOfHeader(text)) return false;
    const members = listAt(this.metadata, nodeIn(text, 'elements')).filter((node) => {
      const member = this.metadata.get(node) ?? '';
      const isOurs = stringIn(member, 'name')?.startsWith('fw_') === true;
      return member.includes('DW_TAG_member') && !member.includes('DIFlagStaticMember') && !isOurs;
    });
    return members.length <= 1;
  }
}
