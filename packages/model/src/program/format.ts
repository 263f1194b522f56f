import { at } from '@fencewright/ground/base/at.js';
import { fact } from '@fencewright/ground/base/fact.js';
import { unreachable } from '@fencewright/ground/base/unreachable.js';
import type { EventInstruction, EventProgram } from './event-program.js';
import { isInvocation } from './event-program.js';
import { selfRegister, type Expression } from './expression.js';
import type { RegisterId, SymbolId } from './ids.js';
import { formatInfix, isSigned } from './infix.js';
import type { Instruction, RmwInstruction } from './instruction.js';
import type { Luck, Program, Thread, Transition } from './program.js';
import { formatValue, isWord } from './wide-values.js';

const lucks: Readonly<Record<Luck, string>> = {
  chance: '@luck ',
  'time-out': '@timeout ',
  choice: '@choice ',
};

/** Returns the annotations of an instruction's place, in the syntax of the native language. */
export function formatMarks({
  cost,
  nofence,
  luck,
}: Pick<Transition<unknown>, 'cost' | 'nofence' | 'luck'>): string {
  return [
    ...(cost === undefined ? [] : [`@cost(${cost}) `]),
    ...(nofence ? ['@nofence '] : []),
    ...(luck ? [lucks[luck]] : []),
  ].join('');
}

/** The part of a program with the names of addresses. */
export type SymbolTable = Pick<Program, 'symbols'>;
/** The part of a thread with the names of registers. */
export type RegisterTable = Pick<Thread, 'registers'>;

/** The symbols in the order of their first addresses. */
const symbolOrder = fact((symbols: Program['symbols']): readonly SymbolId[] => {
  const base = (symbol: SymbolId): number => at(symbols, symbol).base;
  return [...symbols.keys()].sort((a, b) => base(a) - base(b));
});

/**
 * The symbol whose cells include the address; `undefined` if there is none. Symbols do not overlap.
 */
export function symbolAt({ symbols }: SymbolTable, address: number): SymbolId | undefined {
  if (!isWord(address)) return undefined;
  const order = symbolOrder(symbols);
  let [low, high] = [0, order.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const { base, length } = at(symbols, at(order, middle));
    if (address < base) high = middle;
    else if (address >= base + length) low = middle + 1;
    else return order[middle];
  }
  return undefined;
}

/**
 * The name of a memory cell for users: `x`, `flag[1]`, or `mem[5]` for addresses without a symbol.
 */
export function formatAddress(program: SymbolTable, address: number): string {
  const id = symbolAt(program, address);
  if (id === undefined) return `mem[${formatValue(address)}]`;
  const symbol = at(program.symbols, id);
  return symbol.isArray ? `${symbol.name}[${address - symbol.base}]` : symbol.name;
}

/** The expression in C's notation, with the parentheses required by C. */
export function formatExpression(
  program: SymbolTable,
  thread: RegisterTable,
  expression: Expression,
): string {
  return formatInfix(expression, {
    leaf: (leaf) =>
      leaf.kind === 'register'
        ? registerName(thread, leaf.register)
        : `&${formatCell(program, thread, leaf)}`,
    encloses: isSigned,
  });
}

/** The memory cell at the address given by the expression: `x`, `flag[r]`, `mem[r + 1]`. */
export function formatCell(
  program: SymbolTable,
  thread: RegisterTable,
  address: Expression,
): string {
  switch (address.kind) {
    case 'constant':
      return formatAddress(program, address.value);
    case 'address':
      return nameFirstCell(program, address.symbol);
    case 'element':
      return `${symbolName(program, address.symbol)}[${formatExpression(program, thread, address.index)}]`;
    case 'register':
    case 'unary':
    case 'binary':
      return `mem[${formatExpression(program, thread, address)}]`;
    default:
      return unreachable(address);
  }
}

/** The instruction in C's notation: `x = r + 1`, `r = mem[a]`, `r = cas(x, 0, 1)`, `fence`. */
export function formatInstruction(
  program: SymbolTable,
  thread: RegisterTable,
  instruction: Instruction,
): string {
  const show = (expression: Expression) => formatExpression(program, thread, expression);
  switch (instruction.kind) {
    case 'store': {
      const { value, order } = instruction;
      const cell = formatCell(program, thread, instruction.address);
      return order ? `store(${cell}, ${show(value)}, ${order})` : `${cell} = ${show(value)}`;
    }
    case 'load': {
      const { into, order } = instruction;
      const cell = formatCell(program, thread, instruction.address);
      return `${registerName(thread, into)} = ${order ? `load(${cell}, ${order})` : cell}`;
    }
    case 'rmw': {
      const result =
        instruction.into === undefined ? '' : `${registerName(thread, instruction.into)} = `;
      const cell = formatCell(program, thread, instruction.address);
      return result + formatRmw(cell, instruction, show);
    }
    case 'assign':
      return `${registerName(thread, instruction.into)} = ${show(instruction.value)}`;
    case 'assume':
    case 'assert':
      return `${instruction.kind}(${show(instruction.condition)})`;
    case 'havoc': {
      const { range, where } = instruction;
      return [
        `havoc ${registerName(thread, instruction.into)}`,
        range && `in ${range.low}..${range.high}`,
        where && `with ${show(where)}`,
      ]
        .filter((part) => part !== undefined)
        .join(' ');
    }
    case 'skip':
      return instruction.fence ? `fence(${instruction.fence})` : 'skip';
    case 'heavy-fence':
      return 'heavy_fence';
    case 'fence':
    case 'lock':
    case 'unlock':
      return instruction.kind;
    default:
      return unreachable(instruction);
  }
}

/**
 * Formats an instruction like `formatInstruction`, and also `call p(r + 1)`, `async[any] p(r + 1)`
 * and `passes p.label`.
 */
export function formatEventInstruction(
  program: SymbolTable & Pick<EventProgram, 'bodies' | 'milestones'>,
  thread: RegisterTable,
  instruction: EventInstruction,
): string {
  if (instruction.kind === 'pass') {
    const { body, label } = at(program.milestones ?? [], instruction.milestone);
    return `passes ${at(program.bodies, body).name}.${label}`;
  }
  if (!isInvocation(instruction)) return formatInstruction(program, thread, instruction);
  const values = instruction.arguments.map((value) => formatExpression(program, thread, value));
  const how = instruction.kind === 'call' ? 'call' : `async[${instruction.to}]`;
  return `${how} ${at(program.bodies, instruction.body).name}(${values.join(', ')})`;
}

/**
 * Formats a read-modify-write with the orders it names, `cas(x, 0, 1, acquire)`; `cell` is the
 * formatted cell, `show` formats the operands.
 */
export function formatRmw(
  cell: string,
  { operation, order, failureOrder }: Pick<RmwInstruction, 'operation' | 'order' | 'failureOrder'>,
  show: (expression: Expression) => string,
): string {
  const { name, operands } = operation;
  const orders = order ? [order, ...(failureOrder ? [failureOrder] : [])] : [];
  return `${name}(${[cell, ...operands.map(show), ...orders].join(', ')})`;
}

function registerName(thread: RegisterTable, register: RegisterId): string {
  if (register === selfRegister) return 'self';
  return thread.registers[register]?.name ?? `r${register}`;
}

function symbolName(program: SymbolTable, symbol: SymbolId): string {
  return program.symbols[symbol]?.name ?? `symbol${symbol}`;
}

function nameFirstCell(program: SymbolTable, symbol: SymbolId): string {
  const name = symbolName(program, symbol);
  return program.symbols[symbol]?.isArray ? `${name}[0]` : name;
}
