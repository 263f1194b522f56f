import { converted, wrappedInteger } from './arithmetic.js';
import { bitsOf } from './constants.js';
import { successorLabels } from './flow.js';
import type { IrFunction, IrInstruction, IrOperation, IrType, IrValue, Typed } from './syntax.js';

/** The origin of a value (an address, say), as far as the code of functions shows. */
export type ValueOrigin =
  /**
   * The value is a pointer into a local of a call in progress, or into a block that the call
   * allocated.
   */
  | { readonly kind: 'local'; readonly of: IrFunction; readonly name: string }
  /** The value is a pointer into a global. */
  | { readonly kind: 'global'; readonly name: string; readonly isWhole: boolean }
  | { readonly kind: 'number'; readonly number: bigint }
  /**
   * The value is an argument of `main`, or a pointer into the memory to which the arguments point.
   */
  | { readonly kind: 'arguments' }
  | { readonly kind: 'unknown' };

/** By name of a parameter, the origin of the argument in a call. */
export type CallContext = ReadonlyMap<string, ValueOrigin>;

const unknown: ValueOrigin = { kind: 'unknown' };

const instructionsOf = (of: IrFunction): readonly IrInstruction[] =>
  of.blocks.flatMap(({ instructions }) => instructions);

function definitionOf(of: IrFunction, name: string): IrOperation | undefined {
  return instructionsOf(of).find(({ result }) => result === name)?.operation;
}

/**
 * The origin of a pointer to some part of an object, given the origin of another pointer to the
 * object.
 */
function within(origin: ValueOrigin): ValueOrigin {
  return origin.kind === 'global'
    ? { ...origin, isWhole: false }
    : origin.kind === 'local' || origin.kind === 'arguments'
      ? origin
      : unknown;
}

/** Whether a call only marks the beginning or end of a local's lifetime. */
export function isLifetime({ callee }: Extract<IrOperation, { readonly kind: 'call' }>): boolean {
  return callee.kind === 'global' && callee.name.startsWith('llvm.lifetime.');
}

/** Whether an instruction uses a value other than as the address of a load or a store. */
function isUsedOtherwise({ operation }: IrInstruction, name: string): boolean {
  const mentions = (node: unknown): boolean => {
    if (Array.isArray(node)) return node.some(mentions);
    if (typeof node !== 'object' || node === null) return false;
    const value = node as { readonly kind?: unknown; readonly name?: unknown };
    if (value.kind === 'local' && value.name === name) return true;
    return Object.values(node).some(mentions);
  };
  switch (operation.kind) {
    case 'load':
      return false;
    case 'store':
      return mentions(operation.from);
    case 'call':
      return !isLifetime(operation) && mentions(operation);
    default:
      return mentions(operation);
  }
}

/** Whether a function uses a local only as the address of loads and stores. */
export function isOnlyAccessed(of: IrFunction, name: string): boolean {
  return !instructionsOf(of).some((each) => isUsedOtherwise(each, name));
}

/** The only value ever stored to a local whose address does not escape; otherwise `undefined`. */
function onlyStored(of: IrFunction, name: string): Typed | undefined {
  const all = instructionsOf(of);
  if (!isOnlyAccessed(of, name)) return undefined;
  const stores = all.flatMap(({ operation }) =>
    operation.kind === 'store' &&
    operation.address.kind === 'local' &&
    operation.address.name === name
      ? [operation.from]
      : [],
  );
  return stores.length === 1 ? stores[0] : undefined;
}

export function originOfValue(of: IrFunction, value: IrValue, context: CallContext): ValueOrigin {
  switch (value.kind) {
    case 'integer':
      return { kind: 'number', number: value.value };
    case 'null':
    case 'zero':
      return { kind: 'number', number: 0n };
    case 'global':
      return { kind: 'global', name: value.name, isWhole: true };
    case 'element':
      return within(originOfValue(of, value.operands[0]!.value, context));
    case 'cast':
      return bitsIfAny(value.from.type) === 64
        ? originOfValue(of, value.from.value, context)
        : unknown;
    case 'local':
      break;
    default:
      return unknown;
  }
  const { name } = value;
  const definition = definitionOf(of, name);
  switch (definition?.kind) {
    case undefined:
      return context.get(name) ?? unknown;
    case 'alloca':
      return { kind: 'local', of, name };
    case 'element':
      return within(originOfValue(of, definition.operands[0]!.value, context));
    case 'cast':
      return convertedOrigin(definition, originOfValue(of, definition.from.value, context));
    case 'load': {
      const { address } = definition;
      if (originOfValue(of, address, context).kind === 'arguments') return { kind: 'arguments' };
      if (address.kind !== 'local' || definitionOf(of, address.name)?.kind !== 'alloca')
        return unknown;
      const stored = onlyStored(of, address.name);
      return stored && isSameType(stored.type, definition.type)
        ? originOfValue(of, stored.value, context)
        : unknown;
    }
    case 'call':
      if (isAllocation(definition)) return { kind: 'local', of, name };
      // Only the main thread is analysed, whose instance is the global itself.
      return isThreadLocalAddress(definition)
        ? originOfValue(of, definition.operands[0]!.value, context)
        : unknown;
    default:
      return unknown;
  }
}

/** The number of bits of an integer or a pointer; `undefined` for other types. */
function bitsIfAny(type: IrType): number | undefined {
  return type.kind === 'int' || type.kind === 'pointer' ? bitsOf(type) : undefined;
}

function isSameType(one: IrType, other: IrType): boolean {
  const bits = bitsIfAny(one);
  return bits !== undefined && one.kind === other.kind && bits === bitsIfAny(other);
}

/** The origin of a converted value. A converted pointer keeps its origin only at full size. */
function convertedOrigin(
  { operation, from, to }: Extract<IrOperation, { readonly kind: 'cast' }>,
  origin: ValueOrigin,
): ValueOrigin {
  const [before, after] = [bitsIfAny(from.type), bitsIfAny(to)];
  if (before === undefined || after === undefined) return unknown;
  if (origin.kind !== 'number') return before === 64 && after === 64 ? origin : unknown;
  const number = converted(operation, wrappedInteger(origin.number, before), before, after);
  return { kind: 'number', number };
}

/** Whether a call allocates a block of memory. */
export function isAllocation({ callee }: Extract<IrOperation, { readonly kind: 'call' }>): boolean {
  return callee.kind === 'global' && ['malloc', 'calloc'].includes(callee.name);
}

/** Whether a call returns the address of the thread's own instance of a thread-local global. */
function isThreadLocalAddress({ callee, operands }: Extract<IrOperation, { kind: 'call' }>) {
  return (
    callee.kind === 'global' &&
    callee.name.startsWith('llvm.threadlocal.address.') &&
    operands.length === 1
  );
}

/** Whether the function ignores its only parameter. */
export function ignoresParameter(of: IrFunction): boolean {
  const [parameter] = of.parameters;
  if (!parameter) return true;
  const all = instructionsOf(of);
  const mentioning = all.filter(({ operation }) =>
    operation.kind === 'store'
      ? operation.from.value.kind === 'local' && operation.from.value.name === parameter.name
      : isUsedOtherwise({ operation } as IrInstruction, parameter.name),
  );
  return mentioning.every(({ operation }) => {
    if (operation.kind !== 'store' || operation.address.kind !== 'local') return false;
    const { name } = operation.address;
    return all.every(
      (each) =>
        !isUsedOtherwise(each, name) &&
        !(
          each.operation.kind === 'load' &&
          each.operation.address.kind === 'local' &&
          each.operation.address.name === name
        ),
    );
  });
}

/** By index of a block of the function, the indices of its successors. */
export function blocksAfter(of: IrFunction): readonly (readonly number[])[] {
  const labels = new Map(of.blocks.map(({ label }, i) => [label, i]));
  return of.blocks.map(({ instructions }) =>
    instructions
      .flatMap(({ operation }) => successorLabels(operation))
      .flatMap((label) => labels.get(label) ?? []),
  );
}
