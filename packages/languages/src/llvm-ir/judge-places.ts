import { evaluateRough, plainSet, type ValueSet } from '@fencewright/model/analysis/value-set.js';
import {
  forEachPart,
  isConversion,
  type Expression,
} from '@fencewright/model/program/expression.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Origin } from '@fencewright/model/program/program.js';
import { mapInstruction } from '@fencewright/model/program/rewrite.js';
import { integerOfValue } from '@fencewright/model/program/wide-values.js';
import { checkCut, dependsOnPlaces } from './address-numbers.js';
import type { Analysed } from './assemble-program.js';
import { HiddenAddresses, someAddresses } from './hidden-addresses.js';
import { leastAddress, type ByteMemory } from './memory.js';
import { Unsupported } from './unsupported.js';

/** LLVM's names for operators, whatever the operators do on overflow. */
const names: Readonly<Record<string, string>> = {
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

type ValuesOf = (expression: Expression) => ValueSet;

/**
 * Calls `tell` for each computed expression and each of its parts, with a function that returns the
 * value set of an expression at that point.
 */
function forEachComputed(
  { program, closure }: Pick<Analysed, 'program' | 'closure'>,
  tell: (thread: ThreadId, part: Expression, origin: Origin, valuesOf: ValuesOf) => void,
): void {
  program.threads.forEach(({ transitions }, thread) => {
    for (const { from, instruction, origin } of transitions) {
      const before = closure.registers[thread]?.[from];
      if (!before) continue;
      const valuesOf: ValuesOf = (expression) =>
        plainSet(evaluateRough(expression, before, program.symbols));
      mapInstruction(instruction, (expression) => {
        forEachPart(expression, (part) => {
          tell(thread, part, origin, valuesOf);
        });
        return expression;
      });
    }
  });
}

/** The places where some execution computes a value that depends on the memory layout. */
export function placesThatMatter(memory: ByteMemory, analysed: Analysed): Origin[] {
  const found = new Set<Origin>();
  forEachComputed(analysed, (_, part, origin, valuesOf) => {
    if (!found.has(origin) && mattersIn(memory, part, valuesOf)) found.add(origin);
  });
  return [...found];
}

/**
 * The places where a computation on an unknown integer, which may be an address, would depend on
 * the memory layout if the integer were an address.
 */
export function placesThatMayMatter(memory: ByteMemory, analysed: Analysed): Origin[] {
  const found = new Set<Origin>();
  const addresses = someAddresses(memory);
  let hidden: HiddenAddresses | undefined;
  forEachComputed(analysed, (thread, part, origin, valuesOf) => {
    if (found.has(origin)) return;
    let isUnknown = false;
    const values: ValuesOf = (expression) => {
      const known = valuesOf(expression);
      if (known !== 'any') return known;
      hidden ??= new HiddenAddresses(memory, analysed.program, analysed.sets);
      if (!hidden.mayBeAddress(thread, expression)) return someNumbers;
      isUnknown = true;
      return addresses;
    };
    if (mattersIn(memory, part, values) && isUnknown) found.add(origin);
  });
  return [...found];
}

/** Samples for unknown numbers that are no addresses. */
const someNumbers: ValueSet = [3, 1 << 20];

/** Whether the value is a code, or at least the least address. */
const isLarge = (value: number): boolean =>
  !Number.isSafeInteger(value) || Math.abs(value) >= leastAddress;

function mattersIn(memory: ByteMemory, part: Expression, valuesOf: ValuesOf): boolean {
  if (part.kind === 'unary') {
    if (part.operator === '!' || part.operator === '-') return false;
    const bits = isConversion(part.operator) ? 32 : 2;
    const values = valuesOf(part.operand);
    return values !== 'any' && values.some((each) => isCut(memory, integerOfValue(each), bits));
  }
  const name = part.kind === 'binary' ? names[nameOf(part.operator)] : undefined;
  if (part.kind !== 'binary' || name === undefined) return false;
  const [left, right] = [valuesOf(part.left), valuesOf(part.right)];
  if (left === 'any' || right === 'any') return false;
  if (![...left, ...right].some(isLarge)) return false;
  const depends = (one: number): readonly boolean[] =>
    right.map((other) => dependsOnPlaces(memory, name, integerOfValue(one), integerOfValue(other)));
  const all = left.flatMap(depends);
  // C requires pointers to the same object for `sub`, but the value sets do not tell which pointers
  // occur together: a single good pair suffices.
  return name === 'sub' ? all.length > 0 && all.every(Boolean) : all.some(Boolean);
}

/** The operator without the suffixes for 64 bits and for overflow. */
const nameOf = (operator: string): string =>
  operator.replace(/(?<=.):?%?$/, '').replace(/^%.*$/, '%');

function isCut(memory: ByteMemory, number: bigint, bits: number): boolean {
  try {
    checkCut(memory, number, bits);
    return false;
  } catch (problem) {
    if (problem instanceof Unsupported) return true;
    throw problem;
  }
}
