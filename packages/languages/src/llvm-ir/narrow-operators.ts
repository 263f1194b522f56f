import { computeValueClosure } from '@fencewright/model/analysis/address-sets.js';
import {
  evaluateSet,
  plainSet,
  type RoughSet,
  type ValueSet,
} from '@fencewright/model/analysis/value-set.js';
import { applyBinary, applyUnary, ExecutionFault } from '@fencewright/model/program/evaluate.js';
import {
  binary,
  mapParts,
  type BinaryOperator,
  type Expression,
} from '@fencewright/model/program/expression.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import type { Program } from '@fencewright/model/program/program.js';
import { mapInstruction } from '@fencewright/model/program/rewrite.js';
import type { RmwName } from '@fencewright/model/program/rmw.js';

/** Maps an operator on 64 bits to the operator on 32 bits with equal results for small numbers. */
const narrower: Partial<Readonly<Record<BinaryOperator, BinaryOperator>>> = {
  '+:': '+',
  '-:': '-',
  '*:': '*',
  '/:': '/',
  '>>:': '>>',
  '+:%': '+',
  '-:%': '-',
  '*:%': '*',
  '/:%': '/',
  '%:%': '%',
  '<<:%': '<<',
  '>>:%': '>>',
  '<:%': '<',
  '<=:%': '<=',
  '>:%': '>',
  '>=:%': '>=',
};

/**
 * Maps a wrapping read-modify-write to the plain read-modify-write, the wrapping operator, and the
 * plain operator.
 */
const narrowerRmws: Partial<
  Readonly<Record<RmwName, readonly [RmwName, BinaryOperator, BinaryOperator]>>
> = {
  fetch_add32: ['fetch_add', '+%', '+'],
  fetch_sub32: ['fetch_sub', '-%', '-'],
  fetch_add64: ['fetch_add', '+:%', '+'],
  fetch_sub64: ['fetch_sub', '-:%', '-'],
};

function resultOf(apply: () => number): number | undefined {
  try {
    return apply();
  } catch (error) {
    if (error instanceof ExecutionFault) return undefined;
    throw error;
  }
}

/**
 * Whether the second operator gives the same results as the first, without a fault, on all pairs.
 */
function isSame(one: BinaryOperator, other: BinaryOperator, left: ValueSet, right: ValueSet) {
  if (left === 'any' || right === 'any') return false;
  return left.every((a) =>
    right.every((b) => {
      const result = resultOf(() => applyBinary(other, a, b));
      return result !== undefined && result === resultOf(() => applyBinary(one, a, b));
    }),
  );
}

/**
 * The program with operators on 32 bits in place of operators on 64 bits and of wrapping operators,
 * where the possible values of registers and cells prove equal results without a fault.
 */
export function withNarrowOperators(program: Program): Program {
  const { symbols } = program;
  const { registers, memory } = computeValueClosure(program);
  const narrowed = (expression: Expression, before: readonly RoughSet[]): Expression => {
    const mapped = mapParts(expression, (part) => narrowed(part, before));
    const setOf = (part: Expression): ValueSet => evaluateSet(part, before, symbols);
    if (mapped.kind === 'unary' && (mapped.operator === 'i32' || mapped.operator === 'u32')) {
      const { operator, operand } = mapped;
      const set = setOf(operand);
      const isIdle = set !== 'any' && set.every((value) => applyUnary(operator, value) === value);
      return isIdle ? operand : mapped;
    }
    if (mapped.kind !== 'binary') return mapped;
    const { operator, left, right } = mapped;
    const other = narrower[operator];
    return other && isSame(operator, other, setOf(left), setOf(right))
      ? binary(other, left, right)
      : mapped;
  };
  const narrowedRmw = (instruction: Instruction, before: readonly RoughSet[]): Instruction => {
    if (instruction.kind !== 'rmw') return instruction;
    const { address, operation } = instruction;
    const [operand] = operation.operands;
    const [name, operator, other] = narrowerRmws[operation.name] ?? [];
    if (!name || !operator || !other || !operand) return instruction;
    const old = memory.read(evaluateSet(address, before, symbols));
    return isSame(operator, other, plainSet(old), evaluateSet(operand, before, symbols))
      ? { ...instruction, operation: { ...operation, name } }
      : instruction;
  };
  const threads = program.threads.map((thread, id) => ({
    ...thread,
    transitions: thread.transitions.map((transition) => {
      const before = registers[id]?.[transition.from];
      if (!before) return transition;
      const instruction = mapInstruction(transition.instruction, (each) => narrowed(each, before));
      return { ...transition, instruction: narrowedRmw(instruction, before) };
    }),
  }));
  return { ...program, threads };
}
