import { unreachable } from '@fencewright/ground/base/unreachable.js';
import { binary, constant, type Expression, unary } from '@fencewright/model/program/expression.js';
import type { RmwOperation } from '@fencewright/model/program/rmw.js';
import type { ComparedValues } from './x86-jump-condition.js';
import type { Arithmetic } from '../x86/mnemonics.js';

/**
 * Returns the value that an arithmetic instruction computes from the old value of its destination
 * and the operand, and the two values whose comparison has the same flags.
 */
export function computed(
  operator: Arithmetic,
  old: Expression,
  operand: Expression,
): { readonly value: Expression; readonly flags: ComparedValues } {
  const zero = constant(0);
  const ofResult = (value: Expression) => ({ value, flags: { left: value, right: zero } });
  switch (operator) {
    case 'add':
      return ofResult(binary('+', old, operand));
    case 'and':
      return ofResult(binary('&', old, operand));
    case 'or':
      return ofResult(binary('|', old, operand));
    case 'xor':
      return ofResult(binary('^', old, operand));
    case 'inc':
      return ofResult(binary('+', old, constant(1)));
    case 'dec':
      return ofResult(binary('-', old, constant(1)));
    case 'not':
      return ofResult(unary('~', old));
    case 'sub':
      return { value: binary('-', old, operand), flags: { left: old, right: operand } };
    case 'neg':
      return { value: unary('-', old), flags: { left: zero, right: old } };
    default:
      return unreachable(operator);
  }
}

/**
 * Returns the read-modify-write for a locked instruction that the program model performs in one
 * step; `undefined` for instructions that need the bus lock.
 */
export function fetchOf(operator: Arithmetic, operand: Expression): RmwOperation | undefined {
  switch (operator) {
    case 'add':
    case 'sub':
    case 'and':
    case 'or':
    case 'xor':
      return { name: `fetch_${operator}`, operands: [operand] };
    case 'inc':
      return { name: 'fetch_add', operands: [constant(1)] };
    case 'dec':
      return { name: 'fetch_sub', operands: [constant(1)] };
    case 'not':
      return { name: 'fetch_xor', operands: [constant(-1)] };
    case 'neg':
      return undefined;
    default:
      return unreachable(operator);
  }
}
