import type {
  IrBlock,
  IrFunction,
  IrGlobal,
  IrInstruction,
  IrOperation,
  IrType,
  IrValue,
  Typed,
} from './syntax.js';
import { DataLayout } from './layout.js';
import type { Linked } from './link-modules.js';
import { otherArgument } from './unsupported.js';

/*
 * Arguments behind `...`. On x86-64, a list of arguments (`va_list`) reads registers up to a count,
 * and memory from then on [System V ABI, AMD64 supplement, Sect. 3.5.7]. Here, all arguments lie in
 * memory: the caller puts them into a local, and tells its address in a thread-local variable.
 */

/** The thread-local variable with the address of the arguments of the latest call. */
const latest = '@arguments';
/** The local of a function with the address of its own arguments. */
const own = '@arguments';

const pointer: IrType = { kind: 'pointer' };
const byte: IrType = { kind: 'int', bits: 8 };
const int: IrType = { kind: 'int', bits: 32 };
const long: IrType = { kind: 'int', bits: 64 };
const word = 8;
const nowhere = { start: { line: 0, column: 0 }, end: { line: 0, column: 0 } };

/** The fields of a list, and the values with which all registers count as read. */
const fields: readonly { readonly offset: number; readonly type: IrType; readonly all?: bigint }[] =
  [
    { offset: 0, type: int, all: 48n },
    { offset: 4, type: int, all: 304n },
    { offset: 8, type: pointer },
    { offset: 16, type: pointer, all: 0n },
  ];

/** The module with variable arguments passed in memory; unchanged if no function reads them. */
export function withArgumentLists(linked: Linked): Linked {
  const readers = new Set([...linked.functions.values()].filter(readsArguments));
  if (readers.size === 0) return linked;
  const layout = new DataLayout(linked);
  const functions = new Map(
    [...linked.functions].map(([name, of]): [string, IrFunction] => [
      name,
      of.blocks.length === 0 ? of : new ArgumentLists(linked, layout, of, readers).rewritten(),
    ]),
  );
  if (!functions.has(copying)) functions.set(copying, copyingFunction);
  return { ...linked, functions, globals: new Map([...linked.globals, [latest, variable]]) };
}

const variable: IrGlobal = {
  name: latest,
  type: pointer,
  initial: { kind: 'null' },
  isThreadLocal: true,
  isConstant: false,
  isInternal: true,
  isReplaceable: false,
  span: nowhere,
};

/** The intrinsic of argument lists that an instruction calls: `start`, `end` or `copy`. */
function intrinsicOf({ operation }: IrInstruction): string | undefined {
  if (operation.kind !== 'call' || operation.callee.kind !== 'global') return undefined;
  return /^llvm\.va_(start|end|copy)\b/.exec(operation.callee.name)?.[1];
}

function readsArguments({ blocks }: IrFunction): boolean {
  return blocks.some(({ instructions }) =>
    instructions.some((each) => intrinsicOf(each) === 'start'),
  );
}

/**
 * The memory of an argument in a list of 8-byte words: the type, and the size in bytes. `undefined`
 * for arguments aligned to 16 bytes, and for vectors.
 */
function slotOf(
  layout: DataLayout,
  { type, byValue }: Typed,
): { readonly type: IrType; readonly size: number } | undefined {
  const isKnown =
    byValue !== undefined ||
    type.kind === 'pointer' ||
    (type.kind === 'int' && type.bits <= 64) ||
    (type.kind === 'other' && type.text === 'double');
  const held = byValue ?? type;
  return isKnown && layout.alignmentOf(held) <= word
    ? { type: held, size: layout.sizeOf(held) }
    : undefined;
}

const copying = 'llvm.memcpy.p0.p0.i64';
/** The declaration of the intrinsic that copies structures. */
const copyingFunction: IrFunction = {
  name: copying,
  returns: { kind: 'void' },
  parameters: [
    { type: pointer, name: 'to' },
    { type: pointer, name: 'from' },
    { type: long, name: 'size' },
    { type: { kind: 'int', bits: 1 }, name: 'isVolatile' },
  ],
  isVariadic: false,
  blocks: [],
  ...{ isInternal: false, isReplaceable: false, span: nowhere },
};

/** Rewrites a function. */
class ArgumentLists {
  readonly #locals: IrInstruction[] = [];
  #count = 0;

  constructor(
    readonly linked: Linked,
    readonly layout: DataLayout,
    readonly of: IrFunction,
    readonly readers: ReadonlySet<IrFunction>,
  ) {}

  rewritten(): IrFunction {
    const blocks = this.of.blocks.map((block): IrBlock => {
      const instructions = block.instructions.flatMap((each) => this.#replacementOf(each));
      const isChanged = instructions.some((each, i) => each !== block.instructions[i]);
      return isChanged || instructions.length < block.instructions.length
        ? { ...block, instructions }
        : block;
    });
    const [entry, ...others] = blocks;
    const isReader = this.readers.has(this.of);
    if (!entry || (!isReader && this.#locals.length === 0)) return { ...this.of, blocks };
    const first = entry.instructions[0]!;
    const load = {
      operation: { kind: 'load', type: pointer, address: global(latest), access: 'plain' },
      result: own,
      span: first.span,
    } as const;
    const before = [...this.#locals, ...(isReader ? [load] : [])];
    return {
      ...this.of,
      blocks: [{ ...entry, instructions: [...before, ...entry.instructions] }, ...others],
    };
  }

  /** Returns the instructions that replace an instruction; itself if it needs no change. */
  #replacementOf(instruction: IrInstruction): readonly IrInstruction[] {
    const { operation } = instruction;
    if (operation.kind !== 'call') return [instruction];
    const [first, second] = operation.operands;
    switch (intrinsicOf(instruction)) {
      case 'start':
        return this.#written(instruction, first!, ({ all }) =>
          all === undefined ? local(own) : { kind: 'integer', value: all },
        );
      case 'copy':
        return this.#copied(instruction, first!, second!);
      case 'end':
        return [];
      default:
        return [...this.#passed(instruction, operation), instruction];
    }
  }

  /**
   * Returns the instructions that store the arguments for `...` of a call, if the called function
   * may read them.
   */
  #passed(
    instruction: IrInstruction,
    { callee, operands, fixed }: Extract<IrOperation, { kind: 'call' }>,
  ): readonly IrInstruction[] {
    const called = callee.kind === 'global' ? this.linked.functions.get(callee.name) : undefined;
    if (callee.kind === 'assembly' || (called && !this.readers.has(called))) return [];
    const count = called ? called.parameters.length : fixed;
    if (count === undefined) return [];
    const given = operands.slice(count);
    const slots = given.map((each) => slotOf(this.layout, each));
    if (slots.includes(undefined))
      return [withOperation(instruction, { kind: 'unknown', name: otherArgument })];
    const area = `@arguments.${(this.#count += 1)}`;
    const type: IrType = {
      kind: 'struct',
      isPacked: false,
      fields: slots.flatMap((slot): readonly IrType[] => {
        const length = -slot!.size & (word - 1);
        return length > 0 ? [slot!.type, { kind: 'array', length, element: byte }] : [slot!.type];
      }),
    };
    this.#locals.push(withOperation(instruction, { kind: 'alloca', type }, area));
    let offset = 0;
    const stores = given.flatMap((from, i) => {
      const { size } = slots[i]!;
      const at = offset;
      offset += size + (-size & (word - 1));
      return from.byValue
        ? this.#structure(instruction, from, local(area), at, size)
        : this.#store(instruction, from, local(area), at);
    });
    const address: Typed = { type: pointer, value: local(area) };
    return [...stores, ...this.#store(instruction, address, global(latest), 0)];
  }

  /** Returns the instructions that copy a structure of `size` bytes to `base` plus `offset`. */
  #structure(
    instruction: IrInstruction,
    { value: from }: Typed,
    base: IrValue,
    offset: number,
    size: number,
  ): readonly IrInstruction[] {
    const { address, steps } = this.#at(instruction, base, offset);
    const operands: readonly Typed[] = [
      { type: pointer, value: address },
      { type: pointer, value: from },
      { type: long, value: { kind: 'integer', value: BigInt(size) } },
      { type: { kind: 'int', bits: 1 }, value: { kind: 'integer', value: 0n } },
    ];
    const call = {
      kind: 'call',
      returns: { kind: 'void' },
      callee: global(copying),
      operands,
    } as const;
    return [...steps, withOperation(instruction, call)];
  }

  /** Returns the stores to the fields of the argument list at the address `list`. */
  #written(
    instruction: IrInstruction,
    { value: list }: Typed,
    valueOf: (field: (typeof fields)[number]) => IrValue,
  ): readonly IrInstruction[] {
    return fields.flatMap((field) => {
      const from = { type: field.type, value: valueOf(field) };
      return this.#store(instruction, from, list, field.offset);
    });
  }

  #copied(instruction: IrInstruction, to: Typed, from: Typed): readonly IrInstruction[] {
    const loads = fields.map(({ offset, type }) => {
      const { address, steps } = this.#at(instruction, from.value, offset);
      const result = this.#name();
      const load = withOperation(
        instruction,
        { kind: 'load', type, address, access: 'plain' },
        result,
      );
      return { offset, result, steps: [...steps, load] };
    });
    const resultAt = new Map(loads.map(({ offset, result }) => [offset, result]));
    return [
      ...loads.flatMap(({ steps }) => steps),
      ...this.#written(instruction, to, ({ offset }) => local(resultAt.get(offset)!)),
    ];
  }

  #store(
    instruction: IrInstruction,
    from: Typed,
    base: IrValue,
    offset: number,
  ): readonly IrInstruction[] {
    const { address, steps } = this.#at(instruction, base, offset);
    return [
      ...steps,
      withOperation(instruction, { kind: 'store', from, address, access: 'plain' }),
    ];
  }

  /** The address some bytes behind another one. */
  #at(
    instruction: IrInstruction,
    base: IrValue,
    offset: number,
  ): { readonly address: IrValue; readonly steps: readonly IrInstruction[] } {
    if (offset === 0) return { address: base, steps: [] };
    const name = this.#name();
    const operands: readonly Typed[] = [
      { type: pointer, value: base },
      { type: long, value: { kind: 'integer', value: BigInt(offset) } },
    ];
    const operation = { kind: 'element', source: byte, operands, isInBounds: true } as const;
    return { address: local(name), steps: [withOperation(instruction, operation, name)] };
  }

  #name(): string {
    return `@arguments.${(this.#count += 1)}`;
  }
}

function local(name: string): IrValue {
  return { kind: 'local', name };
}

function global(name: string): IrValue {
  return { kind: 'global', name };
}

/** Returns an instruction with the source position of the given one, and another operation. */
function withOperation(
  { span, debug }: IrInstruction,
  operation: IrOperation,
  result?: string,
): IrInstruction {
  return {
    operation,
    span,
    ...(result !== undefined && { result }),
    ...(debug !== undefined && { debug }),
  };
}
