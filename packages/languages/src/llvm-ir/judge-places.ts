import {
  addressOf,
  type AddressSet,
  type ValueClosure,
} from '@fencewright/model/analysis/address-sets.js';
import { joinedEnds } from '@fencewright/model/analysis/number-ends.js';
import {
  evaluateRough,
  isEnds,
  evaluateSet,
  maxValues,
  plainSet,
  type RoughSet,
  type ValueSet,
} from '@fencewright/model/analysis/value-set.js';
import {
  forEachPart,
  hasPart,
  isConversion,
  type Binary,
  type Unary,
} from '@fencewright/model/program/expression.js';
import type { LocationId, ThreadId, TransitionId } from '@fencewright/model/program/ids.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import { isModelLimit } from '@fencewright/model/program/model-limit.js';
import type { Origin, Program, Thread, Transition } from '@fencewright/model/program/program.js';
import { operandsOf } from '@fencewright/model/program/rewrite.js';
import { rmwMeaning, type RmwExpression, type RmwLeaf } from '@fencewright/model/program/rmw.js';
import { integerOfValue } from '@fencewright/model/program/wide-values.js';
import { checkCut, dependsOnPlaces, isOfOneObject, pointerBits } from './address-numbers.js';
import type { Analysed } from './assemble-program.js';
import { HiddenAddresses, someAddresses } from './hidden-addresses.js';
import { isBias } from './integer-pieces.js';
import { leastAddress, type ByteMemory } from './memory.js';
import { Unsupported } from './unsupported.js';

/** LLVM's names for operators, whatever the operators do on overflow. */
const names: Readonly<Record<string, string>> = {
  '+': 'add',
  '-': 'sub',
  '*': 'mul',
  '/': 'udiv',
  '%': 'urem',
  '<<': 'shl',
  '>>': 'lshr',
  '&': 'and',
  '|': 'or',
  '^': 'xor',
  '<': 'ult',
  '<=': 'ule',
  '>': 'ugt',
  '>=': 'uge',
};

/**
 * LLVM's name of the operation of an expression; `undefined` if its results never depend on the
 * memory layout.
 */
function operationOf({ operator }: Binary<RmwLeaf>): string | undefined {
  return names[operator.replace(/(?<=.):?%?$/, '').replace(/^%.*$/, '%')];
}

type ValuesOf = (expression: RmwExpression) => ValueSet;

/** An expression computed by a transition, or a part of the expression. */
interface ComputedPart {
  readonly thread: ThreadId;
  readonly transition: TransitionId;
  readonly origin: Origin;
  readonly part: RmwExpression;
  /** Returns the set of the possible values of an expression at the transition. */
  readonly valuesOf: ValuesOf;
  /** Returns a rough superset of the possible values of an expression at the transition. */
  readonly roughOf: (expression: RmwExpression) => RoughSet;
  /** The addresses of the cells that the transition, if a read-modify-write, may read. */
  readonly cells: AddressSet;
}

/** The expressions that an instruction computes, in terms of the value read for an rmw. */
function computedBy(instruction: Instruction): readonly RmwExpression[] {
  const operands = operandsOf(instruction);
  if (instruction.kind !== 'rmw') return operands;
  const { condition, written } = rmwMeaning(instruction.operation);
  return [...operands, ...(condition ? [condition] : []), written];
}

/**
 * Whether a set is so long that some of its numbers are likely to equal addresses by chance, such
 * as a set of all numbers below a bound.
 */
function isTooLong(set: RoughSet): set is readonly number[] {
  return set !== 'any' && !isEnds(set) && set.length > maxValues;
}

/** Calls `tell` for each computed expression and each of its parts, the parts after the whole. */
export function forEachComputed(
  program: Program,
  closure: ValueClosure,
  tell: (computed: ComputedPart) => void,
): void {
  program.threads.forEach(({ transitions }, thread) => {
    transitions.forEach(({ from, instruction, origin }, transition) => {
      const before = closure.registers[thread]?.[from];
      if (!before) return;
      const address = instruction.kind === 'rmw' ? addressOf(instruction) : undefined;
      const cells = address ? evaluateSet(address, before, program.symbols) : [];
      const old = address ? closure.memory.read(cells) : [];
      const roughOf = (expression: RmwExpression): RoughSet => {
        const set = evaluateRough(expression, before, program.symbols, old);
        return isTooLong(set) ? joinedEnds(set, []) : set;
      };
      const valuesOf: ValuesOf = (expression) => plainSet(roughOf(expression));
      for (const expression of computedBy(instruction))
        forEachPart(expression, (part) => {
          tell({ thread, transition, origin, part, valuesOf, roughOf, cells });
        });
    });
  });
}

/**
 * Returns a function that tells whether an operand of a computed part may be an address. A number
 * that is not computed from any address may equal one by chance.
 */
export function addressJudge(
  memory: ByteMemory,
  program: Program,
  setsOf: () => ConstructorParameters<typeof HiddenAddresses>[2],
): (computed: Pick<ComputedPart, 'thread' | 'part' | 'cells'>) => boolean {
  let hidden: HiddenAddresses | undefined;
  return ({ thread, part, cells }) => {
    const of = (hidden ??= new HiddenAddresses(memory, program, setsOf(), true));
    const operands = part.kind === 'binary' ? [part.left, part.right] : [part];
    return operands.some((operand) => of.mayBeAddress(thread, operand, cells));
  };
}

/**
 * The source places at which some execution computes a value that depends on the memory layout,
 * unless a guard ends the execution. If guards end every path through a thread, the places of these
 * guards are returned as well.
 */
export function placesThatMatter(
  memory: ByteMemory,
  { program, closure, sets }: Analysed,
): Origin[] {
  const found = new Set<Origin>();
  const ended = new Map<ThreadId, Map<TransitionId, Origin>>();
  const isOfAddress = addressJudge(memory, program, () => sets);
  forEachComputed(program, closure, (computed) => {
    const { thread, transition, part, origin, valuesOf, roughOf } = computed;
    if (found.has(origin)) return;
    const often = howOften(memory, part, valuesOf);
    const isEnded = often === 'always' && isGuarded(part);
    const isFound = often !== 'never' && !isGuarded(part);
    if (!isFound && !isEnded && !isOfUnknown(memory, part, roughOf)) return;
    if (!isOfAddress(computed)) return;
    if (!isEnded) found.add(origin);
    else {
      const others = ended.get(thread) ?? new Map<TransitionId, Origin>();
      ended.set(thread, others.set(transition, origin));
    }
  });
  for (const [thread, transitions] of ended)
    if (!mayEndWithout(program.threads[thread]!, transitions))
      for (const origin of transitions.values()) found.add(origin);
  return [...found];
}

/** Whether a path to the end of the thread exists that takes none of the transitions. */
function mayEndWithout(
  { initial, transitions }: Thread,
  ended: ReadonlyMap<TransitionId, unknown>,
): boolean {
  const isFault = ({ instruction: each }: Transition): boolean =>
    isModelLimit(each) ||
    ((each.kind === 'assume' || each.kind === 'assert') &&
      each.condition.kind === 'constant' &&
      each.condition.value === 0);
  const next = new Map<LocationId, LocationId[]>();
  for (const [id, each] of transitions.entries()) {
    const tos = next.get(each.from) ?? [];
    if (!ended.has(id) && !isFault(each)) tos.push(each.to);
    next.set(each.from, tos);
  }
  const reached = new Set([initial]);
  for (const location of reached) {
    const tos = next.get(location);
    if (!tos) return true;
    for (const to of tos) reached.add(to);
  }
  return false;
}

/** The index of a bit that is 0 in all addresses of the model. */
const highBit = 46;

/**
 * Whether an operation on an address and an unknown number has a result that depends on the memory
 * layout, as `address >> i`. Sums, differences and orders do not count: they are taken to be of an
 * address and an index.
 */
function isOfUnknown(
  memory: ByteMemory,
  part: RmwExpression,
  roughOf: ComputedPart['roughOf'],
): boolean {
  if (part.kind !== 'binary') return false;
  const name = operationOf(part);
  if (name === undefined || name === 'add' || isOfOneObject(name)) return false;
  const [left, right] = [roughOf(part.left), roughOf(part.right)];
  const [known, unknown] = plainSet(left) === 'any' ? [right, left] : [left, right];
  const addresses = plainSet(known);
  if (addresses === 'any' || plainSet(unknown) !== 'any') return false;
  const numbers = samplesOf(unknown);
  return addresses.filter(isLarge).some((address) =>
    numbers.some((number) => {
      const pair = [integerOfValue(address), number] as const;
      const [one, other] = known === left ? pair : [pair[1], pair[0]];
      return dependsOnPlaces(memory, name, one, other);
    }),
  );
}

/** Samples from a set that is known only roughly: small numbers, and one above all addresses. */
function samplesOf(set: RoughSet): readonly bigint[] {
  const { bits, ends } = set !== 'any' && isEnds(set) ? set : { bits: 0, ends: [0] };
  return ends.flatMap((end) =>
    [0n, 1n << BigInt(bits), 1n << BigInt(Math.max(bits, highBit))].map(
      (above) => BigInt(end) + above,
    ),
  );
}

/** The source places at which an answer assumes independence of the memory layout. */
export interface UnknownPlaces {
  /**
   * Source places at which the result would depend on the memory layout if an integer were an
   * address.
   */
  readonly noAddress: readonly Origin[];
  /**
   * Source places at which the result would depend on the memory layout if two integers were
   * addresses of two objects.
   */
  readonly oneObject: readonly Origin[];
}

/**
 * The places where a computation on an unknown integer, which may be an address, would depend on
 * the memory layout if the integer were an address.
 */
export function placesThatMayMatter(memory: ByteMemory, analysed: Analysed): UnknownPlaces {
  const { program, closure, sets } = analysed;
  const [noAddress, oneObject] = [new Set<Origin>(), new Set<Origin>()];
  const addresses = someAddresses(memory);
  let hidden: HiddenAddresses | undefined;
  forEachComputed(program, closure, ({ thread, part, origin, valuesOf, cells }) => {
    if (noAddress.has(origin)) return;
    let isUnknown = false;
    const values: ValuesOf = (expression) => {
      const known = valuesOf(expression);
      if (known !== 'any') return known;
      hidden ??= new HiddenAddresses(memory, program, sets);
      if (!hidden.mayBeAddress(thread, expression, cells)) return someNumbers;
      isUnknown = true;
      return addresses;
    };
    const often = howOften(memory, part, values);
    if (often === 'never' || !isUnknown) return;
    if (often === 'sometimes' && isGuarded(part) && isOfTwo(part)) oneObject.add(origin);
    else noAddress.add(origin);
  });
  return {
    noAddress: [...noAddress],
    oneObject: [...oneObject].filter((each) => !noAddress.has(each)),
  };
}

/** Samples for unknown numbers that are no addresses. */
const someNumbers: ValueSet = [3];

/** Whether the value is a code, or has at least the magnitude of the least address. */
const isLarge = (value: number): boolean =>
  !Number.isSafeInteger(value) || Math.abs(value) >= leastAddress;

/**
 * How the result of an operation depends on the memory layout: for no pair of its operands' values
 * (for a unary operator, for no value), for some, or for all.
 */
type HowOften = 'never' | 'sometimes' | 'always';

function howOften(memory: ByteMemory, part: RmwExpression, valuesOf: ValuesOf): HowOften {
  if (part.kind === 'unary') {
    const { good, bad } = cutsOf(memory, part, valuesOf);
    if (bad.length === 0) return 'never';
    return good.length === 0 ? 'always' : 'sometimes';
  }
  const pairs = part.kind === 'binary' ? pairsOf(memory, part, valuesOf) : [];
  const bad = pairs.filter(({ rights, all }) => rights.length < all.length);
  if (bad.length === 0) return 'never';
  return pairs.every(({ rights }) => rights.length === 0) ? 'always' : 'sometimes';
}

/**
 * The possible values of a unary operator's operand, in two lists: with a `bad` value, the result
 * depends on the memory layout. Both lists are empty if the values are unknown.
 */
export function cutsOf(
  memory: ByteMemory,
  { operator, operand }: Unary<RmwLeaf>,
  valuesOf: ValuesOf,
): Readonly<Record<'good' | 'bad', readonly number[]>> {
  const values = operator === '!' ? 'any' : valuesOf(operand);
  if (values === 'any') return { good: [], bad: [] };
  const bits = isConversion(operator) ? 32 : 2;
  const isBad = (each: number): boolean => isCut(memory, integerOfValue(each), bits);
  return { good: values.filter((each) => !isBad(each)), bad: values.filter(isBad) };
}

/**
 * A value of the left operand of an operation, and the values of the right operand with which the
 * result is the same in all memory layouts.
 */
interface GoodPairs {
  readonly left: number;
  readonly rights: readonly number[];
  /** All possible values of the right operand. */
  readonly all: readonly number[];
}

/**
 * For each value of the left operand, the values of the right operand with which the result is the
 * same in all memory layouts; empty if no operand has an address.
 */
export function pairsOf(
  memory: ByteMemory,
  part: Binary<RmwLeaf>,
  valuesOf: ValuesOf,
): readonly GoodPairs[] {
  const name = operationOf(part);
  if (name === undefined || isBias(part)) return [];
  const [left, all] = [valuesOf(part.left), valuesOf(part.right)];
  if (left === 'any' || all === 'any') return [];
  if (![...left, ...all].some(isLarge)) return [];
  if (part.operator === '+' && isChoiceOfBlock(memory, left, all)) return [];
  return left.map((value) => ({
    left: value,
    rights: all.filter(
      (other) => !dependsOnPlaces(memory, name, integerOfValue(value), integerOfValue(other)),
    ),
    all,
  }));
}

/**
 * Whether one operand is a place in a block, and each sum of the operands is the same place in a
 * block as well. Lowering makes such sums to choose a block of a pool; the program itself does not
 * use the distances between these blocks.
 */
function isChoiceOfBlock(
  memory: ByteMemory,
  lefts: readonly number[],
  rights: readonly number[],
): boolean {
  /** The offset in the block, in bytes; `undefined` outside of all blocks. */
  const offsetOf = (number: number): number | undefined => {
    const object = memory.objectAt(number, 1);
    return object?.lifetime === 'allocated' ? number - object.address : undefined;
  };
  return [lefts, rights].some((each) => {
    const offset = each.length === 1 ? offsetOf(each[0]!) : undefined;
    const isThere = (sum: number): boolean => offsetOf(sum) === offset;
    return (
      offset !== undefined && lefts.every((left) => rights.every((right) => isThere(left + right)))
    );
  });
}

/**
 * Whether the part gets a guard if its result depends on the memory layout. The guard ends such
 * executions, and the program is not refused: sets of values do not tell which values of the
 * operands occur together.
 */
export function isGuarded(part: RmwExpression): part is Binary<RmwLeaf> | Unary<RmwLeaf> {
  if (hasPart<RmwLeaf>(part, ({ kind }) => kind === 'old')) return false;
  return part.kind === 'unary' || (part.kind === 'binary' && operationOf(part) !== undefined);
}

/**
 * Whether the part is a sum, a difference or an order, which programs compute from one address or
 * from two.
 */
function isOfTwo(part: RmwExpression): boolean {
  const name = part.kind === 'binary' ? operationOf(part) : undefined;
  return name !== undefined && (name === 'add' || isOfOneObject(name));
}

function isCut(memory: ByteMemory, number: bigint, bits: number): boolean {
  try {
    checkCut(memory, number, pointerBits, bits);
    return false;
  } catch (problem) {
    if (problem instanceof Unsupported) return true;
    throw problem;
  }
}
