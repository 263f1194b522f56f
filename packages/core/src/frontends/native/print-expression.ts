import { unreachable } from '../../base/unreachable.js';
import type { BinaryOperator, Expression, UnaryOperator } from '../../program/expression.js';
import { selfRegister } from '../../program/expression.js';
import type { LocationId, ThreadId } from '../../program/ids.js';
import type { InvariantExpression, StateExpression } from '../../program/program.js';
import { precedence } from '../../program/format.js';

import type { PrintedNames, PrintedThreadNames } from './print-names.js';

/** Text with the precedence of its outermost operator; operands bind tightest. */
interface Printed {
  readonly text: string;
  readonly binds: number;
}

const unaryPrecedence = 11;
const tightest = 12;

function operand(text: string): Printed {
  return { text, binds: tightest };
}

function number(value: number): Printed {
  return { text: String(value), binds: value < 0 ? unaryPrecedence : tightest };
}

/** A sign directly before a number would become part of it, so numbers are put in parentheses there. */
function printUnary(operator: UnaryOperator, inner: Printed, isNumber: boolean): Printed {
  const bare = inner.binds >= unaryPrecedence && !isNumber;
  // Between the signs of `- -x` there is no blank needed, as `--` is no operator here.
  return {
    text: `${operator}${bare ? inner.text : `(${inner.text})`}`,
    binds: unaryPrecedence,
  };
}

function printBinary(operator: BinaryOperator, left: Printed, right: Printed): Printed {
  const binds = precedence[operator];
  const place = ({ text, binds: own }: Printed, least: number) =>
    own < least ? `(${text})` : text;
  return { text: `${place(left, binds)} ${operator} ${place(right, binds + 1)}`, binds };
}

/** Prints expressions of one thread in the automaton form. */
export interface ExpressionPrinter {
  /** Where addresses are written with `&`. */
  readonly value: (expression: Expression) => string;
  /** The cell at an address: `mem[x]`, `mem[a[r]]`, `mem[r + 1]`. */
  readonly cell: (address: Expression) => string;
}

export function expressionPrinter(
  { symbols }: PrintedNames,
  { registers }: PrintedThreadNames,
): ExpressionPrinter {
  const print = (expression: Expression): Printed => {
    switch (expression.kind) {
      case 'constant':
        return number(expression.value);
      case 'register':
        return operand(
          expression.register === selfRegister ? 'self' : registers[expression.register]!,
        );
      case 'address':
        return operand(`&${symbols[expression.symbol]!}`);
      case 'element':
        return operand(`&${symbols[expression.symbol]!}[${print(expression.index).text}]`);
      case 'unary':
        return printUnary(
          expression.operator,
          print(expression.operand),
          expression.operand.kind === 'constant',
        );
      case 'binary':
        return printBinary(expression.operator, print(expression.left), print(expression.right));
      default:
        return unreachable(expression);
    }
  };
  const cell = (address: Expression): string => {
    const { text } = print(address);
    return `mem[${address.kind === 'address' || address.kind === 'element' ? text.slice(1) : text}]`;
  };
  return { value: (expression) => print(expression).text, cell };
}

/**
 * The condition of a property; `printMemory` prints the cell at an address. `isPrinted` tells whether the thread's text has the
 * location; no thread ever is at one that it has not.
 */
export function printState(
  expression: StateExpression,
  { threads }: PrintedNames,
  printMemory: (address: number) => string,
  isPrinted: (thread: ThreadId, location: LocationId) => boolean,
): string {
  const print = (state: StateExpression): Printed => {
    switch (state.kind) {
      case 'constant':
        return number(state.value);
      case 'at':
        if (!isPrinted(state.thread, state.location)) return number(0);
        return operand(
          `${threads[state.thread]!.name} @ ${threads[state.thread]!.locations[state.location]!}`,
        );
      case 'ended':
      case 'drained':
        return operand(`${state.kind}(${threads[state.thread]!.name})`);
      case 'register':
        return operand(
          `${threads[state.thread]!.name}.${threads[state.thread]!.registers[state.register]!}`,
        );
      case 'memory':
        return operand(printMemory(state.address));
      case 'unary':
        return printUnary(state.operator, print(state.operand), state.operand.kind === 'constant');
      case 'binary':
        return printBinary(state.operator, print(state.left), print(state.right));
      default:
        return unreachable(state);
    }
  };
  return print(expression).text;
}

/** The condition of an invariant; `binders` are the names under which it knows its threads, each with the names inside of that thread. */
export function printInvariantCondition(
  expression: InvariantExpression,
  { symbols }: PrintedNames,
  binders: readonly { readonly name: string; readonly inside: PrintedThreadNames }[],
): string {
  const print = (state: InvariantExpression): Printed => {
    switch (state.kind) {
      case 'constant':
        return number(state.value);
      case 'at': {
        const { name, inside } = binders[state.binder]!;
        return operand(`${name} @ ${inside.locations[state.location]!}`);
      }
      case 'ended':
        return operand(`ended(${binders[state.binder]!.name})`);
      case 'register': {
        const { name, inside } = binders[state.binder]!;
        const { register } = state;
        return operand(
          `${name}.${register === selfRegister ? 'self' : inside.registers[register]!}`,
        );
      }
      case 'cell': {
        const index = state.index ? `[${print(state.index).text}]` : '';
        return operand(`${symbols[state.symbol]!}${index}`);
      }
      case 'unary':
        return printUnary(state.operator, print(state.operand), state.operand.kind === 'constant');
      case 'binary':
        return printBinary(state.operator, print(state.left), print(state.right));
      default:
        return unreachable(state);
    }
  };
  return print(expression).text;
}
