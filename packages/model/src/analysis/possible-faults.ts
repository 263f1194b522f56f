import { at } from '@fencewright/ground/base/at.js';
import { fact } from '@fencewright/ground/base/fact.js';
import { unreachable } from '@fencewright/ground/base/unreachable.js';
import {
  isWide as isWideOperator,
  type BinaryOperator,
  type Expression,
} from '../program/expression.js';
import { applyBinary, applyUnary, ExecutionFault } from '../program/evaluate.js';
import { type EventProgram, isInvocation, isOfThreads } from '../program/event-program.js';
import { isWithoutValues, type Instruction } from '../program/instruction.js';
import type { Program } from '../program/program.js';
import { usesWideValues } from '../program/uses-wide-values.js';
import { isWord } from '../program/wide-values.js';
import { rmwMeaning, type RmwExpression, type RmwOperation } from '../program/rmw.js';
import { computeValueClosure } from './address-sets.js';
import { evaluateSet, plainSet, rangeSet, type RoughSet, type ValueSet } from './value-set.js';

/** The maximum number of pairs of operand values on which an operator is tried. */
const maxPairs = 4096;

type MemoryShape = Pick<Program, 'symbols' | 'domain'>;

/**
 * The possible values with which an instruction is checked for faults: the values of registers, and
 * the values of cells that an rmw reads.
 */
interface KnownValues {
  readonly program: MemoryShape;
  readonly registers: readonly RoughSet[];
  readonly read: (addresses: ValueSet) => ValueSet;
  /** The values that the read-modify-write may have read from memory. */
  readonly old?: ValueSet;
  /** Whether `any` in a value set includes values of more than 32 bits. */
  readonly isWide: boolean;
}

/**
 * The argument that no execution faults: no instruction can fault with any register values
 * (`instructions`), or no instruction can fault with the computed supersets of register values
 * (`closure`).
 */
type FaultFreedom = 'instructions' | 'closure';

/**
 * Returns the reason why no execution of the program can fault, under SC or TSO: no instruction can
 * fault with any register values, or none can fault with the computed supersets of register values.
 * `undefined` if neither can be shown; the program may still be free of faults.
 */
export const whyFaultFree = fact((program: Program): FaultFreedom | undefined => {
  const instructions = program.threads.flatMap(({ transitions }) => transitions);
  if (!instructions.some(({ instruction }) => instructionMayFault(program, instruction)))
    return 'instructions';
  const { registers, memory } = computeValueClosure(program);
  const isWide = usesWideValues(program);
  const read = (addresses: ValueSet): ValueSet => plainSet(memory.read(addresses));
  const isSafe = program.threads.every(({ transitions }, t) =>
    transitions.every(({ from, instruction }) => {
      const before = registers[t]?.[from];
      return !before || !mayFault(instruction, { program, registers: before, read, isWide });
    }),
  );
  return isSafe ? 'closure' : undefined;
});

/** Whether the instruction may fault, whatever registers and memory hold; `false` is certain. */
export function instructionMayFault(program: Program, instruction: Instruction): boolean {
  return mayFault(instruction, withAnything(program));
}

/**
 * Whether some instruction of a program of events may fault, whatever registers and memory hold;
 * `false` is certain.
 */
export function eventsMayFault(program: EventProgram): boolean {
  const values = withAnything(program);
  return program.bodies
    .flatMap(({ transitions }) => transitions)
    .some(({ instruction }) =>
      isInvocation(instruction)
        ? instruction.arguments.some((argument) => faults(argument, values))
        : isOfThreads(instruction) && mayFault(instruction, values),
    );
}

function withAnything(program: Program | EventProgram): KnownValues {
  return { program, registers: [], read: () => 'any', isWide: usesWideValues(program) };
}

/** Whether the instruction may fault with some of the values; `false` is certain. */
function mayFault(instruction: Instruction, values: KnownValues): boolean {
  if (isWithoutValues(instruction)) return false;
  switch (instruction.kind) {
    case 'store':
      return (
        faults(instruction.address, values) ||
        faults(instruction.value, values) ||
        leavesDomain(instruction.value, values)
      );
    case 'load':
      return faults(instruction.address, values);
    case 'rmw':
      return (
        faults(instruction.address, values) ||
        operationFaults(instruction.operation, instruction.address, values)
      );
    case 'assign':
      return faults(instruction.value, values);
    case 'assume':
    case 'assert':
      return faults(instruction.condition, values);
    case 'havoc': {
      const range = instruction.range ?? values.program.domain;
      // Larger ranges may be too large to be listed.
      const chosen = range ? rangeSet(range.low, range.high) : 'any';
      if (chosen === 'any') return true;
      const registers = [...values.registers];
      registers[instruction.into] = chosen;
      return instruction.where !== undefined && faults(instruction.where, { ...values, registers });
    }
    default:
      return unreachable(instruction);
  }
}

function operationFaults(
  operation: RmwOperation,
  address: Expression,
  values: KnownValues,
): boolean {
  const { program, registers, read } = values;
  const { condition, written, result } = rmwMeaning(operation);
  const known = { ...values, old: read(evaluateSet(address, registers, program.symbols)) };
  return (
    (condition !== undefined && faults(condition, known)) ||
    faults(written, known) ||
    leavesDomain(written, known) ||
    faults(result, known)
  );
}

function leavesDomain(value: RmwExpression, { program, registers, old }: KnownValues): boolean {
  const { domain } = program;
  if (!domain) return false;
  const set = evaluateSet(value, registers, program.symbols, old);
  return set === 'any' || set.some((one) => one < domain.low || one > domain.high);
}

/**
 * Whether evaluating the expression may fault. Both sides of `&&` and `||` are checked, though the
 * right side is not always evaluated.
 */
function faults(expression: RmwExpression, values: KnownValues): boolean {
  const { program, registers, old } = values;
  const setOf = (operand: RmwExpression): ValueSet =>
    evaluateSet(operand, registers, program.symbols, old);
  switch (expression.kind) {
    case 'constant':
    case 'register':
    case 'address':
    case 'old':
      return false;
    case 'conditional':
      return [expression.condition, expression.then, expression.otherwise].some((part) =>
        faults(part, values),
      );
    case 'element': {
      if (faults(expression.index, values)) return true;
      const index = setOf(expression.index);
      const length = at(program.symbols, expression.symbol).length;
      return index === 'any' || index.some((i) => i < 0 || i >= length || !isWord(i));
    }
    case 'unary': {
      const { operator, operand } = expression;
      if (faults(operand, values)) return true;
      const set = setOf(operand);
      if (set === 'any') return operator === '-' || (values.isWide && operator === '~');
      return set.some((value) => doesFault(() => applyUnary(operator, value)));
    }
    case 'binary':
      return (
        faults(expression.left, values) ||
        faults(expression.right, values) ||
        operatorFaults(
          expression.operator,
          setOf(expression.left),
          setOf(expression.right),
          values.isWide,
        )
      );
    default:
      return unreachable(expression);
  }
}

function doesFault(evaluate: () => number): boolean {
  try {
    evaluate();
    return false;
  } catch (error) {
    if (error instanceof ExecutionFault) return true;
    throw error;
  }
}

/** Operators that never fault, for values of any width. */
const harmless: readonly BinaryOperator[] = [
  ...(['==', '!=', '<', '<=', '>', '>=', '&&', '||'] as const),
  ...(['<:%', '<=:%', '>:%', '>=:%'] as const),
];

/**
 * Whether the operator faults on some pair of the values; `isWide`: whether unknown values may have
 * more than 32 bits.
 */
function operatorFaults(
  operator: BinaryOperator,
  left: ValueSet,
  right: ValueSet,
  isWide: boolean,
): boolean {
  if (harmless.includes(operator)) return false;
  // Many operators fault on values of more than 32 bits, and some results have no code.
  const mayBeWide = (set: ValueSet): boolean =>
    set === 'any' ? isWide : !set.every((value) => isWord(value));
  if (isWideOperator(operator) || (isWide && (mayBeWide(left) || mayBeWide(right))))
    return pairFaults(operator, left, right, isWide);
  switch (operator) {
    case '+':
    case '-':
    case '*':
    case '/':
    case '<<':
    case '>>':
    case '<<%':
    case '>>%':
      return pairFaults(operator, left, right, isWide);
    case '%':
    case '/%':
    case '%%':
      // Only the divisor matters.
      return right === 'any' || right.includes(0);
    case '&':
    case '|':
    case '^':
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
    case '&&':
    case '||':
    case '+%':
    case '-%':
    case '*%':
    case '<%':
    case '<=%':
    case '>%':
    case '>=%':
      return false;
    default:
      return unreachable(operator);
  }
}

function pairFaults(
  operator: BinaryOperator,
  left: ValueSet,
  right: ValueSet,
  isWide: boolean,
): boolean {
  if (right === 'any' || (left === 'any' && isWide)) return true;
  // If the left side is `any`, trying the extremes suffices: they fault if any value does, for a
  // quotient by a constant, say.
  const lefts = left === 'any' ? [-(2 ** 31), 2 ** 31 - 1] : left;
  if (lefts.length * right.length > maxPairs) return true;
  return right.some((b) => lefts.some((a) => doesFault(() => applyBinary(operator, a, b))));
}
