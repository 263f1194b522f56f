import { unreachable } from '@fencewright/ground/base/unreachable.js';
import { applyBinary, applyUnary, constantValue } from '@fencewright/model/program/evaluate.js';
import { isWord } from '@fencewright/model/program/wide-values.js';
import {
  type BinaryOperator,
  type Expression,
  type UnaryOperator,
  binary,
  constant,
  registerValue,
  unary,
} from '@fencewright/model/program/expression.js';
import type { SymbolId } from '@fencewright/model/program/ids.js';
import type { SharedSymbol } from '@fencewright/model/program/program.js';
import {
  constantDivisionByZero,
  indexOutOfBounds,
  misplaced,
  wrongOperand,
} from '@fencewright/ground/source/diagnostic.js';
import type { Span } from '@fencewright/ground/source/span.js';
import { everyIndexMisplaced, guardConstant } from './evaluate-constant.js';
import type { ProblemList } from './problem-list.js';
import { type ThreadScope, lookUp } from './scope.js';
import type { CallTerm, CellTerm, NameTerm, NativeTerm } from './term.js';

/**
 * The rules by which terms become expressions at a place of a program: names to load, and names to
 * take as addresses.
 */
export interface TermPolicy {
  readonly scope: ThreadScope;
  readonly problems: ProblemList;
  /** Whether operations on constants are evaluated when a term becomes an expression. */
  readonly folds: boolean;
  /** Whether the name of an array without index denotes the address of the array's first cell. */
  readonly allowsBareArrays: boolean;
  /** Returns the expression for a shared variable or `mem[...]`, given its address. */
  readonly readCell: (address: Expression, term: CellTerm) => Expression;
  readonly readCall: (term: CallTerm) => Expression;
  /**
   * Returns the expression for a `&&` or `||` that needs branches; absent if these always become
   * operators.
   */
  readonly lowerLogical?: (
    term: NativeTerm & { readonly kind: 'binary' },
  ) => Expression | undefined;
}

/**
 * A placeholder for an expression with a reported error; programs with errors are never returned.
 */
export const brokenExpression: Expression = registerValue(-1);

/** Returns the expression for a term; `brokenExpression` after a reported error. */
export function lowerTerm(term: NativeTerm, policy: TermPolicy): Expression {
  switch (term.kind) {
    case 'number':
      return constant(term.value);
    case 'name':
      return lowerName(term, policy);
    case 'memory':
      return policy.readCell(lowerTerm(term.address, policy), term);
    case 'address-of':
      return lowerCellAddress(term.cell, { ...policy, allowsBareArrays: true });
    case 'call':
      return policy.readCall(term);
    case 'unary':
      return makeUnary(term.operator, lowerTerm(term.operand, policy), term.span, policy);
    case 'binary': {
      if (term.operator === '&&' || term.operator === '||') {
        const lowered = policy.lowerLogical?.(term);
        if (lowered) return lowered;
      }
      const left = lowerTerm(term.left, policy);
      const right = lowerTerm(term.right, policy);
      return makeBinary(term.operator, left, right, term, policy);
    }
    case 'every-index':
      return broken(policy, everyIndexMisplaced(term.span));
    case 'at':
    case 'member':
      return broken(
        policy,
        misplaced(
          term.span,
          'only properties can read the state of a thread',
          'a thread reads its own registers and shared variables',
        ),
      );
    default:
      return unreachable(term);
  }
}

/** Returns the address of the cell named by the term. */
export function lowerCellAddress(term: CellTerm, policy: TermPolicy): Expression {
  if (term.kind === 'memory') return lowerTerm(term.address, policy);
  const meaning = lookUp(policy.scope, term.name, term.span, policy.problems);
  if (!meaning) {
    // The index is lowered for its errors only.
    if (term.index) lowerTerm(term.index, policy);
    return brokenExpression;
  }
  if (meaning.kind === 'symbol')
    return lowerSymbol(term, meaning.symbol, meaning.declaration, policy);
  const what = meaning.kind === 'register' ? 'a register' : 'a constant';
  return broken(
    policy,
    wrongOperand(
      term.span,
      `'${term.name}' is ${what} and has no address`,
      'use a shared variable, declared with var',
    ),
  );
}

function broken(policy: TermPolicy, diagnostic: ReturnType<typeof misplaced>): Expression {
  policy.problems.add(diagnostic);
  return brokenExpression;
}

function lowerName(term: NameTerm, policy: TermPolicy): Expression {
  const meaning = lookUp(policy.scope, term.name, term.span, policy.problems);
  if (!meaning) {
    // The index is lowered for its errors only.
    if (term.index) lowerTerm(term.index, policy);
    return brokenExpression;
  }
  if (meaning.kind === 'symbol') {
    const address = lowerSymbol(term, meaning.symbol, meaning.declaration, policy);
    return address === brokenExpression ? address : policy.readCell(address, term);
  }
  if (term.index)
    return broken(
      policy,
      wrongOperand(
        term.span,
        `'${term.name}' is not an array`,
        'only shared variables can be arrays',
      ),
    );
  return meaning.kind === 'constant' ? constant(meaning.value) : registerValue(meaning.register);
}

/** Returns the address of a scalar or of an array's cell. */
function lowerSymbol(
  term: NameTerm,
  symbol: SymbolId,
  { name, isArray, isBoundless, length }: SharedSymbol,
  policy: TermPolicy,
): Expression {
  if (!term.index) {
    if (!isArray || policy.allowsBareArrays) return { kind: 'address', symbol };
    return broken(
      policy,
      wrongOperand(term.span, `'${name}' is an array`, `name one of its cells: ${name}[0]`),
    );
  }
  if (!isArray)
    return broken(
      policy,
      wrongOperand(term.span, `'${name}' is not an array`, `write ${name} without an index`),
    );
  const index = lowerTerm(term.index, policy);
  const value = constantValue(index, policy.scope.shared.symbols);
  if (!isBoundless && value !== undefined && (value < 0 || value >= length || !isWord(value)))
    return broken(policy, indexOutOfBounds(term.index.span, name, value, length));
  return { kind: 'element', symbol, index };
}

function makeUnary(
  operator: UnaryOperator,
  operand: Expression,
  span: Span,
  { folds, problems }: TermPolicy,
): Expression {
  if (!folds || operand.kind !== 'constant') return unary(operator, operand);
  const value = guardConstant(span, problems, () => applyUnary(operator, operand.value));
  return value === undefined ? brokenExpression : constant(value);
}

function makeBinary(
  operator: BinaryOperator,
  left: Expression,
  right: Expression,
  term: NativeTerm & { readonly kind: 'binary' },
  policy: TermPolicy,
): Expression {
  const { symbols } = policy.scope.shared;
  if (['/', '%', '/%', '%%'].includes(operator) && constantValue(right, symbols) === 0)
    return broken(policy, constantDivisionByZero(term.right.span));
  if (!policy.folds || left.kind !== 'constant') return binary(operator, left, right);
  if (operator === '&&' && left.value === 0) return constant(0);
  if (operator === '||' && left.value !== 0) return constant(1);
  if (right.kind !== 'constant') return binary(operator, left, right);
  const value = guardConstant(term.span, policy.problems, () =>
    applyBinary(operator, left.value, right.value),
  );
  return value === undefined ? brokenExpression : constant(value);
}
