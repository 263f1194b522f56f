import type { BinaryOperator, Expression } from '@fencewright/model/program/expression.js';
import type { RegisterId } from '@fencewright/model/program/ids.js';

/** The data for printing an expression: names of registers, and the report. */
export interface TermPrinter {
  /** Returns the name of a register, with its `$`. */
  readonly nameOf: (register: RegisterId) => string;
  /** Reports a part of the expression that Memorax cannot express. */
  readonly refuse: (message: string, hint: string) => void;
}

const comparisons: Readonly<Record<string, string>> = {
  '==': '=',
  '!=': '!=',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
};

/** Whether the value is a truth value, for which Memorax has conditions but no terms. */
export function isTruth(value: Expression): boolean {
  if (value.kind === 'unary') return value.operator === '!';
  return (
    value.kind === 'binary' &&
    (value.operator in comparisons || value.operator === '&&' || value.operator === '||')
  );
}

/** Returns the text of a sum or difference of numbers and registers. */
export function printTerm(value: Expression, printer: TermPrinter): string {
  switch (value.kind) {
    case 'constant':
      return `${value.value}`;
    case 'register':
      return printer.nameOf(value.register);
    case 'unary':
      if (value.operator === '-') return `-(${printTerm(value.operand, printer)})`;
      return refuseOperator(printer, value.operator);
    case 'binary':
      return printSum(printTerm(value.left, printer), value.operator, value.right, printer);
    case 'address':
    case 'element':
      printer.refuse(
        'Memorax has no notation for an address as a value',
        'name the location instead of keeping its address',
      );
      return '0';
  }
}

/** Returns the text `left` with a printed term added or subtracted. */
function printSum(
  left: string,
  operator: BinaryOperator,
  right: Expression,
  printer: TermPrinter,
): string {
  if (operator !== '+' && operator !== '-') return refuseOperator(printer, operator);
  const term = printTerm(right, printer);
  const isSimple = right.kind === 'constant' || right.kind === 'register';
  return `${left} ${operator} ${isSimple ? term : `(${term})`}`;
}

function refuseOperator({ refuse }: TermPrinter, operator: string): string {
  refuse(
    `'${operator}' does not exist in the terms of Memorax`,
    'Memorax has sums and differences of numbers and registers',
  );
  return '0';
}

/** Returns the text of a condition; a term that is no comparison holds if it is not 0. */
export function printCondition(value: Expression, printer: TermPrinter): string {
  if (value.kind === 'constant') return value.value === 0 ? 'false' : 'true';
  if (value.kind === 'unary' && value.operator === '!')
    return `not [${printCondition(value.operand, printer)}]`;
  if (value.kind === 'binary' && (value.operator === '&&' || value.operator === '||')) {
    const [left, right] = [value.left, value.right].map((side) => printCondition(side, printer));
    return `[${left}] ${value.operator} [${right}]`;
  }
  const sign = value.kind === 'binary' ? comparisons[value.operator] : undefined;
  if (value.kind === 'binary' && sign !== undefined)
    return `${printTerm(value.left, printer)} ${sign} ${printTerm(value.right, printer)}`;
  return `${printTerm(value, printer)} != 0`;
}
