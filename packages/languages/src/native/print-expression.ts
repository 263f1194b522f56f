import { unreachable } from '@fencewright/ground/base/unreachable.js';
import {
  innerOf,
  selfRegister,
  type Expression,
  type ThreadLeaf,
} from '@fencewright/model/program/expression.js';
import type { LocationId, ThreadId } from '@fencewright/model/program/ids.js';
import { formatInfix } from '@fencewright/model/program/infix.js';
import type {
  InvariantExpression,
  InvariantLeaf,
  StateExpression,
  StateLeaf,
} from '@fencewright/model/program/program.js';
import type { PrintedNames, PrintedThreadNames } from './print-names.js';

/**
 * Whether the operand is a number: a sign directly before it would be read as part of the number,
 * so such numbers are put in parentheses.
 */
function isNumber<Leaf>(_operator: string, operand: Expression<Leaf>): boolean {
  return innerOf(operand)?.kind === 'constant';
}

/** Prints the expressions of one thread in the automaton form. */
export interface ExpressionPrinter {
  /** Prints an expression, with addresses written with `&`. */
  readonly value: (expression: Expression) => string;
  /** Prints the memory cell at an address: `mem[x]`, `mem[a[r]]`, `mem[r + 1]`. */
  readonly cell: (address: Expression) => string;
}

export function expressionPrinter(
  { symbols }: PrintedNames,
  { registers }: PrintedThreadNames,
): ExpressionPrinter {
  const value = (expression: Expression): string =>
    formatInfix(expression, { leaf, encloses: isNumber });
  const leaf = (each: ThreadLeaf): string => {
    switch (each.kind) {
      case 'register':
        return each.register === selfRegister ? 'self' : registers[each.register]!;
      case 'address':
        return `&${symbols[each.symbol]!}`;
      case 'element':
        return `&${symbols[each.symbol]!}[${value(each.index)}]`;
      default:
        return unreachable(each);
    }
  };
  const cell = (address: Expression): string => {
    const text = value(address);
    return `mem[${address.kind === 'address' || address.kind === 'element' ? text.slice(1) : text}]`;
  };
  return { value, cell };
}

/**
 * Prints the condition of a property; `printMemory` prints the cell at an address. `isPrinted`
 * tells whether the text of a thread contains a location; no thread is ever at a location that is
 * missing.
 */
export function printState(
  expression: StateExpression,
  { threads }: PrintedNames,
  printMemory: (address: number) => string,
  isPrinted: (thread: ThreadId, location: LocationId) => boolean,
): string {
  const named = ({ thread, copy }: Exclude<StateLeaf, { readonly kind: 'memory' }>): string =>
    `${threads[thread]!.name}${copy === undefined ? '' : `[${copy}]`}`;
  const leaf = (each: StateLeaf): string => {
    switch (each.kind) {
      case 'at':
        if (!isPrinted(each.thread, each.location)) return '0';
        return `${named(each)} @ ${threads[each.thread]!.locations[each.location]!}`;
      case 'ended':
      case 'drained':
        return `${each.kind}(${named(each)})`;
      case 'register':
        return `${named(each)}.${threads[each.thread]!.registers[each.register]!}`;
      case 'memory':
        return printMemory(each.address);
      default:
        return unreachable(each);
    }
  };
  return formatInfix(expression, { leaf, encloses: isNumber });
}

/**
 * Prints the condition of an invariant; `binders` are the names that the invariant gives to its
 * threads, each with the names declared in the thread.
 */
export function printInvariantCondition(
  expression: InvariantExpression,
  { symbols }: PrintedNames,
  binders: readonly { readonly name: string; readonly inside: PrintedThreadNames }[],
): string {
  const leaf = (each: InvariantLeaf): string => {
    switch (each.kind) {
      case 'at': {
        const { name, inside } = binders[each.binder]!;
        return `${name} @ ${inside.locations[each.location]!}`;
      }
      case 'ended':
        return `ended(${binders[each.binder]!.name})`;
      case 'register': {
        const { name, inside } = binders[each.binder]!;
        const { register } = each;
        return `${name}.${register === selfRegister ? 'self' : inside.registers[register]!}`;
      }
      case 'cell': {
        const index = each.index ? `[${formatInfix(each.index, notation)}]` : '';
        return `${symbols[each.symbol]!}${index}`;
      }
      case 'every-index':
        return '*';
      default:
        return unreachable(each);
    }
  };
  const notation = { leaf, encloses: isNumber<InvariantLeaf> };
  return formatInfix(expression, notation);
}
