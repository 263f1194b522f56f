import { constantValue } from '@fencewright/model/program/evaluate.js';
import {
  type Expression,
  forEachRegister,
  mapParts,
} from '@fencewright/model/program/expression.js';
import {
  formatCell,
  formatExpression,
  formatInstruction,
} from '@fencewright/model/program/format.js';
import type { RegisterId, ThreadId } from '@fencewright/model/program/ids.js';
import {
  isAccess,
  type Instruction,
  type RmwInstruction,
} from '@fencewright/model/program/instruction.js';
import type { Program, Thread } from '@fencewright/model/program/program.js';
import { mapInstruction } from '@fencewright/model/program/rewrite.js';
import { isOfC } from '@fencewright/model/program/of-c.js';
import type { Action, Computation } from '@fencewright/model/trace/computation.js';
import { findTransition, lineOf } from './action-words.js';
import { registerValueText } from './pointer-values.js';

/**
 * The names of a thread's registers at a point of a computation. The name of a hidden register is
 * the expression last written to the register; `line` is the line of the load that wrote the
 * register.
 */
type Names = { name: string; line?: number | undefined }[];

/**
 * The maximum length of the expression in place of a hidden register. Expressions grow with every
 * turn of a loop.
 */
const mostCharacters = 200;

/** Returns the expression with numbers in place of the registers that are named by a number. */
function withNumbers(names: Names, expression: Expression): Expression {
  if (expression.kind !== 'register')
    return mapParts(expression, (part) => withNumbers(names, part));
  const { name = '' } = names[expression.register] ?? {};
  return /^-?[0-9]+$/.test(name) ? { kind: 'constant', value: Number(name) } : expression;
}

function isHidden(thread: Thread, register: RegisterId | undefined): register is RegisterId {
  return register !== undefined && thread.registers[register]?.hidden === true;
}

/**
 * Returns the result written by an instruction to its register, as an operand of further
 * expressions; `undefined` for an instruction without a result.
 */
function produced(program: Program, names: Names, instruction: Instruction): string | undefined {
  if (!('into' in instruction)) return undefined;
  const table = { registers: names.map(({ name }) => ({ name, hidden: false })) };
  switch (instruction.kind) {
    case 'load':
      return formatCell(program, table, instruction.address);
    case 'assign': {
      const value = folded(withNumbers(names, instruction.value));
      const text = formatExpression(program, table, value);
      if (text.length > mostCharacters) return '(...)';
      return value.kind === 'binary' ? `(${text})` : text;
    }
    case 'rmw': {
      const { kind, address, operation } = instruction;
      if (isOfC(program) && operation.name === 'xchg')
        return `old ${formatCell(program, table, address)}`;
      return formatInstruction(program, table, { kind, address, operation });
    }
    case 'havoc':
      return '*';
  }
}

/**
 * Renames older values of a cell, as in `current (line 11)`, so that the name of the cell means the
 * newer value that register `into` has read at `line`.
 */
function distinguish(names: Names, into: RegisterId, name: string, line: number | undefined): void {
  names.forEach((entry, register) => {
    if (register === into || entry.name !== name) return;
    const isTold = entry.line !== undefined && entry.line !== line;
    names[register] = { ...entry, name: `${name} (${isTold ? `line ${entry.line}` : 'before'})` };
  });
}

/**
 * Returns a read-modify-write of C as it took effect: `cas(lock, 0 -> 1) succeeded`, `exchange(x,
 * 0)`, `fetch_add(n, 1)`.
 */
function rmwText(
  program: Program,
  names: Names,
  { address, operation }: RmwInstruction,
  action: Action,
): string {
  const table = { registers: names.map(({ name }) => ({ name, hidden: false })) };
  const cell = formatCell(program, table, address);
  const [first, second] = operation.operands.map((each) => formatExpression(program, table, each));
  if (operation.name === 'cas') {
    const isDone = action.kind === 'rmw' && action.written !== undefined;
    return `cas(${cell}, ${first} -> ${second}) ${isDone ? 'succeeded' : 'failed'}`;
  }
  const name = operation.name === 'xchg' ? 'exchange' : operation.name;
  return `${name}(${[cell, ...operation.operands.map((each) => formatExpression(program, table, each))].join(', ')})`;
}

function isRmw(instruction: Instruction): instruction is RmwInstruction {
  return instruction.kind === 'rmw';
}

/**
 * Returns the expression with the value of each part that consists of numbers: `flag[1 - self]` is
 * `flag[1]` in copy 0.
 */
function folded(expression: Expression): Expression {
  const parts = mapParts(expression, folded);
  if (parts.kind !== 'unary' && parts.kind !== 'binary') return parts;
  const operands = parts.kind === 'unary' ? [parts.operand] : [parts.left, parts.right];
  if (!operands.every(({ kind }) => kind === 'constant')) return parts;
  const value = constantValue(parts, []);
  return value === undefined ? parts : { kind: 'constant', value };
}

/**
 * Returns an instruction of a front end for C without the memory order (TSO ignores memory orders),
 * and with the accessed cell in place of a computed address.
 */
function namingCell(given: Instruction, action: Action): Instruction {
  if (!isAccess(given) || !('address' in action)) return given;
  const { order: _, ...instruction } = given;
  const { kind } = instruction.address;
  const isComputed = kind === 'register' || kind === 'unary' || kind === 'binary';
  if (!isComputed) return instruction;
  return { ...instruction, address: { kind: 'constant', value: action.address } };
}

/**
 * Returns the C notation of an instruction compiled from C: wrapping and 64-bit operators are
 * written as in C. Addresses in conditions, and addresses stored in a cell of pointers, are shown
 * as the names of their variables.
 */
function inC({ pointers }: Program, text: string, action: Action): string {
  const written = text
    .replace(/ ([-+*/%<>=]+?):?%? /g, ' $1 ')
    .replace(/\b(xchg|cas|fetch_[a-z]+)[0-9]+\(/g, '$1(');
  if (!pointers || ('address' in action && !pointers.cells.has(action.address))) return written;
  return written.replace(/\b[1-9][0-9]*\b/g, (number) => {
    const name = pointers.names.get(Number(number));
    return name === undefined ? number : `&${name}`;
  });
}

/**
 * Returns the text of a step that sets a register which final states show, with the name and the
 * notation of final states: `text printed by main #1 = "lost"`; `undefined` for other steps.
 */
function shownText(
  program: Program,
  thread: ThreadId,
  instruction: Instruction,
): string | undefined {
  if (instruction.kind !== 'assign') return undefined;
  const shown = program.threads[thread]?.registers[instruction.into]?.shown;
  const value = constantValue(instruction.value, []);
  if (shown === undefined || value === undefined) return undefined;
  return `${shown} = ${registerValueText(program, thread, instruction.into, value)}`;
}

/**
 * Returns the instructions of a computation in C's notation, indexed by step. A hidden register is
 * replaced by the expression that the thread last wrote to it, so that a condition over shared
 * variables reads as in the source.
 */
export function instructionTexts(program: Program, computation: Computation): string[] {
  const names = program.threads.map(({ registers }): Names =>
    registers.map(({ name, shown = name }) => ({ name: shown })),
  );
  const issued = new Map<string, string[]>();
  const isC = isOfC(program);
  const textOf = (action: Action): string => {
    const found = findTransition(program, action.thread, action.transition);
    const own = names[action.thread];
    if (!found || !own) return '';
    const { instruction: given } = found.transition;
    const instruction = isC ? namingCell(given, action) : mapInstruction(given, folded);
    const place = `${action.thread} ${action.transition}`;
    // A store reaches memory long after its issue, when the thread's registers may have changed.
    if (action.kind === 'store') return issued.get(place)?.shift() ?? '';
    const into = 'into' in instruction ? instruction.into : undefined;
    const value = produced(program, own, instruction);
    const written =
      isC && isRmw(instruction) ? rmwText(program, own, instruction, action) : undefined;
    if (isHidden(found.owner, into) && value !== undefined) {
      const line = lineOf(program, action.thread, action.transition);
      if (isC && instruction.kind === 'load') distinguish(own, into, value, line);
      own[into] = { name: value, line };
      return written ?? value;
    }
    if (written !== undefined) return written;
    const table = { registers: own.map(({ name }) => ({ name, hidden: false })) };
    const text =
      shownText(program, action.thread, instruction) ??
      formatInstruction(program, table, instruction);
    if (action.kind === 'issue') issued.set(place, [...(issued.get(place) ?? []), text]);
    return text;
  };
  return computation.map((action) => (isC ? inC(program, textOf(action), action) : textOf(action)));
}

/**
 * Whether a step of C says nothing about memory: the step only passes values on within its thread,
 * or tests numbers and unknown values. `text` is the instruction of the step.
 */
export function saysNothing(program: Program, action: Action, text: string): boolean {
  if (action.kind !== 'local' || !isOfC(program)) return false;
  const found = findTransition(program, action.thread, action.transition);
  if (!found) return false;
  const { instruction } = found.transition;
  if (instruction.kind === 'assign' || instruction.kind === 'havoc')
    return isHidden(found.owner, instruction.into);
  return instruction.kind === 'skip' || !/[a-z_]/i.test(text.replace(/^(?:assume|assert)\(/, ''));
}

/**
 * Whether the condition of an `assume` or `assert` reads hidden registers, which users do not know.
 */
export function speaksOfHidden(thread: Thread, instruction: Instruction): boolean {
  if (instruction.kind !== 'assume' && instruction.kind !== 'assert') return false;
  let found = false;
  forEachRegister(instruction.condition, (register) => {
    found ||= isHidden(thread, register);
  });
  return found;
}
