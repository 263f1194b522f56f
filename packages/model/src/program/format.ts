import { at } from '@fencewright/ground/base/at.js';
import { fact } from '@fencewright/ground/base/fact.js';
import { unreachable } from '@fencewright/ground/base/unreachable.js';
import { type EventInstruction, type EventProgram, isInvocation } from './event-program.js';
import { selfRegister, type Expression } from './expression.js';
import type { RegisterId, SymbolId } from './ids.js';
import { formatInfix, isSigned } from './infix.js';
import { type Instruction, isPlain, plainWords, type RmwInstruction } from './instruction.js';
import type { Luck, Program, Thread, Transition } from './program.js';
import { formatValue, isWord } from './wide-values.js';

const lucks: Readonly<Record<Luck, string>> = {
  chance: '@luck ',
  'time-out': '@timeout ',
  choice: '@choice ',
};

/**
 * Returns the annotations of an instruction, such as `@cost(2)`, in the syntax of the native
 * language.
 */
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

/** The names of a program's addresses: the names of its shared variables. */
export type SymbolTable = Pick<Program, 'symbols'>;
/** The names of a thread's registers. */
export type RegisterTable = Pick<Thread, 'registers'>;

/** Returns the shared variables in the order of their first addresses. */
const symbolOrder = fact((symbols: Program['symbols']) =>
  [...symbols.entries()].sort(([, a], [, b]) => a.base - b.base),
);

/**
 * Returns the shared variable whose cells include the address; `undefined` if there is none.
 * Variables do not overlap.
 */
export function symbolAt({ symbols }: SymbolTable, address: number): SymbolId | undefined {
  if (!isWord(address)) return undefined;
  const order = symbolOrder(symbols);
  let [low, high] = [0, order.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const [id, { base, length }] = order[middle]!;
    if (address < base) high = middle;
    else if (address >= base + length) low = middle + 1;
    else return id;
  }
  return undefined;
}

/**
 * The name of a memory cell for users: `x`, `flag[1]`, or `mem[5]` for addresses without a symbol.
 */
export function formatAddress(program: SymbolTable, address: number): string {
  const id = symbolAt(program, address);
  if (id === undefined) return `mem[${formatValue(address)}]`;
  const symbol = program.symbols[id]!;
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

/** The signs and functions by which notations of instructions differ. */
interface InstructionNotation {
  /** The sign of assignments in the notation, between a register or cell and its new value. */
  readonly becomes: '=' | '<-';
  readonly fence: 'fence' | 'mfence';
  readonly register: (register: RegisterId) => string;
  readonly cell: (address: Expression) => string;
  readonly value: (expression: Expression) => string;
  readonly test: (kind: 'assume' | 'assert', condition: string) => string;
  /** Whether the rmw may fail at any time, without effect. */
  readonly isWeak?: boolean;
}

/** Returns the instruction in a notation of the native language, or in a similar notation. */
export function writeInstruction(
  instruction: Instruction,
  { becomes, fence, register, cell, value, test, isWeak = false }: InstructionNotation,
): string {
  if (instruction.kind === 'fence') return fence;
  if (instruction.kind === 'skip' && instruction.fence) return `fence(${instruction.fence})`;
  if (isPlain(instruction)) return plainWords[instruction.kind];
  switch (instruction.kind) {
    case 'store': {
      const { address, value: stored, order } = instruction;
      return order
        ? `store(${cell(address)}, ${value(stored)}, ${order})`
        : `${cell(address)} ${becomes} ${value(stored)}`;
    }
    case 'load': {
      const { into, address, order } = instruction;
      const loaded = order ? `load(${cell(address)}, ${order})` : cell(address);
      return `${register(into)} ${becomes} ${loaded}`;
    }
    case 'rmw': {
      const { into, address } = instruction;
      const result = into === undefined ? '' : `${register(into)} ${becomes} `;
      return `${result}${isWeak ? 'weak_' : ''}${formatRmw(cell(address), instruction, value)}`;
    }
    case 'assign':
      return `${register(instruction.into)} ${becomes} ${value(instruction.value)}`;
    case 'assume':
    case 'assert':
      return test(instruction.kind, value(instruction.condition));
    case 'havoc': {
      const { into, range, where } = instruction;
      const within = range ? ` in ${range.low}..${range.high}` : '';
      return `havoc ${register(into)}${within}${where ? ` with ${value(where)}` : ''}`;
    }
    default:
      return unreachable(instruction);
  }
}

/** The instruction in C's notation: `x = r + 1`, `r = mem[a]`, `r = cas(x, 0, 1)`, `fence`. */
export function formatInstruction(
  program: SymbolTable,
  thread: RegisterTable,
  instruction: Instruction,
): string {
  return writeInstruction(instruction, {
    becomes: '=',
    fence: 'fence',
    register: (register) => registerName(thread, register),
    cell: (address) => formatCell(program, thread, address),
    value: (expression) => formatExpression(program, thread, expression),
    test: (kind, condition) => `${kind}(${condition})`,
  });
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
function formatRmw(
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
