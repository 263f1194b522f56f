import { at } from '@fencewright/ground/base/at.js';
import { unreachable } from '@fencewright/ground/base/unreachable.js';
import {
  type Expression,
  binary,
  constant,
  isWide,
} from '@fencewright/model/program/expression.js';
import type { SharedSymbol } from '@fencewright/model/program/program.js';
import type { PrintReport } from '@fencewright/ground/source/print-report.js';
import type { Span } from '@fencewright/ground/source/span.js';

/**
 * The maximum length of a printed expression: rewriting `|` and `^` doubles operands, and longer
 * texts are refused.
 */
const maxLength = 10_000;

/** The data for printing an expression: names, and the place of the instruction for messages. */
export interface ExpressionContext {
  readonly symbols: readonly SharedSymbol[];
  /** The printed names of the registers, indexed by `RegisterId`. */
  readonly registers: readonly string[];
  readonly span: Span | undefined;
  readonly report: PrintReport;
}

/**
 * Returns the expression in prefix form. Operators that the format lacks are rewritten if the value
 * is equal also on overflow; otherwise they are reported, and the text is useless.
 */
export function printExpression(context: ExpressionContext, expression: Expression): string {
  switch (expression.kind) {
    case 'constant':
      return String(expression.value);
    case 'register':
      return at(context.registers, expression.register);
    case 'address':
      return String(at(context.symbols, expression.symbol).base);
    case 'element':
      return printElement(context, expression.symbol, expression.index);
    case 'unary': {
      const operand = printExpression(context, expression.operand);
      switch (expression.operator) {
        case '!':
          return `! ${operand}`;
        case '-':
          return `- 0 ${operand}`;
        case '~':
          return `- -1 ${operand}`;
        case 'u8':
          return `& ${operand} 255`;
        case 'u16':
          return `& ${operand} 65535`;
        case 'i8':
        case 'i16':
        case 'i32':
        case 'u32':
          return refuseOperator(context, expression.operator);
        default:
          return unreachable(expression);
      }
    }
    case 'binary':
      return printBinary(context, expression);
    default:
      return unreachable(expression);
  }
}

function printElement(context: ExpressionContext, symbol: number, index: Expression): string {
  const { name = '', base = 0, length = 0 } = context.symbols[symbol] ?? {};
  if (index.kind === 'constant' && index.value >= 0 && index.value < length)
    return String(base + index.value);
  context.report.note(
    context.span,
    `the index of '${name}' is not checked in this format`,
    'in this format, an index outside of the array accesses another cell',
  );
  return base === 0
    ? printExpression(context, index)
    : printExpression(context, binary('+', constant(base), index));
}

function printBinary(
  context: ExpressionContext,
  expression: Extract<Expression, { kind: 'binary' }>,
): string {
  const { operator } = expression;
  const left = printExpression(context, expression.left);
  const right = printExpression(context, expression.right);
  if (left.length + right.length > maxLength) {
    context.report.refuse(
      context.span,
      'this expression becomes too long in this format',
      'compute it in several assignments',
    );
    return '0';
  }
  if (isWide(operator)) return refuseOperator(context, operator);
  switch (operator) {
    case '|':
      // The bits of `right` that `left` lacks are added: no carry, so no overflow.
      return `+ ${left} - ${right} & ${left} ${right}`;
    case '^':
      return `+ - ${left} & ${left} ${right} - ${right} & ${left} ${right}`;
    case '<<':
      if (expression.right.kind === 'constant') {
        const count = expression.right.value;
        if (count >= 0 && count < 31) return `* ${left} ${2 ** count}`;
      }
      return refuseOperator(context, operator);
    case '%':
      if (expression.right.kind === 'constant') {
        const divisor = expression.right.value;
        if (divisor > 0 && (divisor & (divisor - 1)) === 0)
          // The last bits, less the divisor where C's remainder is negative.
          return `- & ${left} ${divisor - 1} * ${divisor} && < ${left} 0 & ${left} ${divisor - 1}`;
      }
      return refuseOperator(context, operator);
    case '/':
    case '>>':
    case '+%':
    case '-%':
    case '*%':
    case '/%':
    case '%%':
    case '<<%':
    case '>>%':
    case '<%':
    case '<=%':
    case '>%':
    case '>=%':
      return refuseOperator(context, operator);
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
    case '&&':
    case '||':
    case '+':
    case '-':
    case '*':
    case '&':
      return `${operator} ${left} ${right}`;
    default:
      return unreachable(operator);
  }
}

function refuseOperator(context: ExpressionContext, operator: string): string {
  context.report.refuse(
    context.span,
    `Trencher's format has no operator '${operator}'`,
    'write the value with ! && || == != < <= > >= + - * &',
  );
  return '0';
}
