import fc from 'fast-check';
import {
  binary,
  constant,
  hasPart,
  isComparison,
  isConversion,
  mapParts,
  unary,
  type BinaryOperator,
  type Expression,
} from '@fencewright/model/program/expression.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import type { Program } from '@fencewright/model/program/program.js';
import { mapInstruction } from '@fencewright/model/program/rewrite.js';

/** Numbers at which results of 8, 16 and 32 bits wrap, and some more. */
export const edges: readonly number[] = [
  ...[-(2 ** 31), -(2 ** 31) + 1, 2 ** 31 - 1, 2 ** 31 - 2, -(2 ** 30), 2 ** 30, -1, 1, 0, 2, -2],
  ...[127, 128, -128, -129, 255, 256, 32767, 32768, -32768, -32769, 65535, 65536, 123456789],
];

/** Returns the inverse of an odd number modulo 2^32. */
function inverseOf(odd: number): number {
  // By Newton's iteration; an odd number is its own inverse modulo 2^3.
  let inverse = odd;
  for (let bits = 3; bits < 32; bits *= 2)
    inverse = Math.imul(inverse, 2 - Math.imul(odd, inverse));
  return inverse;
}

function isTruth(expression: Expression): boolean {
  if (expression.kind === 'unary') return expression.operator === '!';
  if (expression.kind !== 'binary') return false;
  return isComparison(expression.operator) || ['&&', '||'].includes(expression.operator);
}

/** Whether the expression's value is known to lie from `low` to `high`. */
function liesIn(expression: Expression, low: number, high: number): boolean {
  if (expression.kind === 'constant') return expression.value >= low && expression.value <= high;
  return low <= 0 && high >= 1 && isTruth(expression);
}

/** Returns the largest unsigned number divided by `divisor`, as an expression. */
function quotientOfLargest(divisor: number): Expression {
  return { kind: 'binary', operator: '/%', left: constant(-1), right: constant(divisor) };
}

/**
 * The constant for the smallest signed number: adding or subtracting it converts the signed order
 * to the unsigned order.
 */
const turn = constant(-(2 ** 31));
const unsignedOf: Partial<Record<BinaryOperator, BinaryOperator>> = {
  '<': '<%',
  '<=': '<=%',
  '>': '>%',
  '>=': '>=%',
};

/**
 * Functions that return an equivalent expression, in any context and for all register contents:
 * equal in value, and faulting in equal cases; `undefined` if there is none. `k` is any number.
 */
const disguises: readonly ((e: Expression, k: number) => Expression | undefined)[] = [
  (e, k) => binary('-%', binary('+%', e, constant(k)), constant(k)),
  (e, k) => binary('-%', constant(k), binary('-%', constant(k), e)),
  (e, k) => binary('*%', binary('*%', e, constant(k | 1)), constant(inverseOf(k | 1))),
  (e, k) => (liesIn(e, -128, 127) ? unary('i8', binary('+%', e, constant(k << 8))) : undefined),
  (e, k) => (liesIn(e, 0, 255) ? unary('u8', binary('-%', e, constant(k << 8))) : undefined),
  (e, k) =>
    liesIn(e, -32768, 32767) ? unary('i16', binary('+%', e, constant(k << 16))) : undefined,
  (e, k) => (liesIn(e, 0, 65535) ? unary('u16', binary('-%', e, constant(k << 16))) : undefined),
  (e) => binary('/%', e, constant(1)),
  (e) => binary('>>%', e, constant(0)),
  (e) =>
    e.kind === 'constant' && e.value > 0 && e.value < 2 ** 15
      ? quotientOfLargest(Math.floor((2 ** 32 - 1) / e.value) | 0)
      : undefined,
  (e) =>
    liesIn(e, 0, 6)
      ? binary('%%', binary('+%', e, constant((7 * 613566755) | 0)), constant(7))
      : undefined,
  (e) => {
    if (e.kind !== 'binary' || e.operator !== '&') return undefined;
    if (e.right.kind !== 'constant' || e.right.value !== 1) return undefined;
    return binary('>>%', binary('<<%', e.left, constant(31)), constant(31));
  },
  (e) => {
    if (e.kind !== 'binary' || e.operator !== '&') return undefined;
    if (e.right.kind !== 'constant' || e.right.value !== 1) return undefined;
    return binary('%%', e.left, constant(2));
  },
  (e) => {
    const operator = e.kind === 'binary' ? unsignedOf[e.operator] : undefined;
    if (e.kind !== 'binary' || !operator) return undefined;
    return binary(operator, binary('+%', e.left, turn), binary('-%', e.right, turn));
  },
  (e, k) => {
    if (e.kind !== 'binary' || (e.operator !== '==' && e.operator !== '!=')) return undefined;
    const difference = binary('-%', e.left, e.right);
    const [least, beyond] = [constant(0), constant(1)];
    if (e.operator === '==')
      return k & 1 ? binary('<%', difference, beyond) : binary('<=%', difference, least);
    return k & 1 ? binary('>%', difference, least) : binary('>=%', difference, beyond);
  },
];

/** The replacement of a part of an expression by an equivalent part. */
interface Replacement {
  /**
   * The index of the function in `disguises` that replaces the part. The part is unchanged if there
   * is no function with this index, or if the function returns `undefined`.
   */
  readonly disguise: number;
  readonly k: number;
}

/**
 * Returns the program with parts of its expressions replaced by equivalent ones, using the choices
 * in turn, cyclically.
 */
function disguised(program: Program, choices: readonly Replacement[]): Program {
  let next = 0;
  const dress = (expression: Expression): Expression => {
    const { disguise, k } = choices[next++ % choices.length]!;
    const inside = mapParts(expression, dress);
    return disguises[disguise]?.(inside, k) ?? inside;
  };
  return {
    ...program,
    threads: program.threads.map((thread) => ({
      ...thread,
      transitions: thread.transitions.map((transition) => ({
        ...transition,
        instruction: mapInstruction(transition.instruction, dress),
      })),
    })),
  };
}

/** A program, and an equivalent program with wrapping operators. */
export interface Disguised {
  readonly plain: Program;
  readonly wrapping: Program;
}

/**
 * Returns random programs, each with an equivalent program, transition by transition, that uses
 * wrapping operators.
 */
export function withWrapping(programs: fc.Arbitrary<Program>): fc.Arbitrary<Disguised> {
  const choice = fc.record({
    disguise: fc.nat(2 * disguises.length),
    k: fc.oneof(fc.constantFrom(...edges), fc.integer()),
  });
  return fc
    .tuple(programs, fc.array(choice, { minLength: 5, maxLength: 12 }))
    .map(([plain, choices]) => ({ plain, wrapping: disguised(plain, choices) }));
}

/** Returns the wrapping operators that the instruction contains. */
export function wrappingOperators(instruction: Instruction): ReadonlySet<string> {
  const found = new Set<string>();
  const note = (expression: Expression): Expression => {
    hasPart(expression, (part) => {
      if (part.kind === 'unary' && isConversion(part.operator)) found.add(part.operator);
      if (part.kind === 'binary' && part.operator.length > 1 && part.operator.endsWith('%'))
        found.add(part.operator);
      return false;
    });
    return expression;
  };
  mapInstruction(instruction, note);
  return found;
}
