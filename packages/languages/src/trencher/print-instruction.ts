import { at } from '@fencewright/ground/base/at.js';
import type { UniqueNames } from '@fencewright/ground/base/unique-names.js';
import { unreachable } from '@fencewright/ground/base/unreachable.js';
import {
  readsRegister,
  registerValue,
  type Expression,
} from '@fencewright/model/program/expression.js';
import type { RegisterId } from '@fencewright/model/program/ids.js';
import {
  isOnlyNative,
  onlyNative,
  type Instruction,
  type RmwInstruction,
} from '@fencewright/model/program/instruction.js';
import type { Domain, Transition } from '@fencewright/model/program/program.js';
import { rmwMeaning, outcomesOf } from '@fencewright/model/program/rmw.js';
import { type ExpressionContext, printExpression } from './print-expression.js';
import type { LockStatus } from '@fencewright/model/program/lock-status.js';
import { repairRegister } from './repair-names.js';

/** The maximum number of values for which a choice is written out with one transition each. */
const maxChoices = 64;

/** A thread that is being printed: names, and the lines of the transitions so far. */
export interface ThreadPrinter {
  readonly states: UniqueNames;
  readonly registerNames: UniqueNames;
  /**
   * The names of the registers, indexed by `RegisterId`; registers that expansions need are
   * appended.
   */
  readonly registers: string[];
  /**
   * The register for values found in memory by read-modify-writes that are printed as several
   * instructions; absent until allocated.
   */
  scratch: RegisterId | undefined;
  readonly domain: Domain | undefined;
  /** Whether the thread holds the bus lock at each location, indexed by `LocationId`. */
  readonly locks: readonly LockStatus[];
  readonly lines: string[];
}

type Havoc = Extract<Instruction, { kind: 'havoc' }>;

/**
 * Adds the lines for one transition; an instruction that the format lacks becomes several, with new
 * states in between.
 */
export function printTransition(
  printer: ThreadPrinter,
  context: ExpressionContext,
  { from, to, instruction }: Transition,
): void {
  const source = at(printer.states.names, from);
  const target = at(printer.states.names, to);
  if (instruction.kind === 'rmw')
    printRmw(printer, context, instruction, printer.locks[from], source, target);
  else if (instruction.kind === 'havoc') printHavoc(printer, context, instruction, source, target);
  else addLine(printer, source, target, printSimple(context, instruction));
}

function printSimple(
  context: ExpressionContext,
  instruction: Exclude<Instruction, RmwInstruction | Havoc>,
): string {
  const show = (expression: Expression) => printExpression(context, expression);
  const register = (id: RegisterId) => at(context.registers, id);
  if (isOnlyNative(instruction)) {
    context.report.refuse(context.span, ...onlyNative(instruction.kind));
    return 'noop';
  }
  switch (instruction.kind) {
    case 'store':
      return `write ${show(instruction.value)} ${show(instruction.address)}`;
    case 'load':
      return `read ${register(instruction.into)} ${show(instruction.address)}`;
    case 'fence':
      return 'mfence';
    case 'lock':
    case 'unlock':
      return instruction.kind;
    case 'assign':
      return `local ${register(instruction.into)} ${show(instruction.value)}`;
    case 'assume':
      return `check ${show(instruction.condition)}`;
    case 'assert':
      context.report.note(
        context.span,
        'assertions do not exist in this format and become noop',
        'the converted program does not notice a failing assertion',
      );
      return 'noop';
    case 'skip':
      return 'noop';
    default:
      return unreachable(instruction);
  }
}

function addLine(printer: ThreadPrinter, from: string, to: string, instruction: string): void {
  printer.lines.push(`transition ${from} ${to} ${instruction}`);
}

/**
 * Adds the lines for instructions one after the other, from one state to another; states in between
 * are named after `base`.
 */
function addChain(
  printer: ThreadPrinter,
  base: string,
  from: string,
  to: string,
  instructions: readonly string[],
): void {
  let at = from;
  instructions.forEach((instruction, i) => {
    const next = i === instructions.length - 1 ? to : printer.states.nextAfter(base);
    addLine(printer, at, next, instruction);
    at = next;
  });
}

/** Adds the lines for a read-modify-write: a load and a store under the bus lock. */
function printRmw(
  printer: ThreadPrinter,
  context: ExpressionContext,
  instruction: RmwInstruction,
  lockStatus: LockStatus | undefined,
  from: string,
  to: string,
): void {
  if (lockStatus === 'unknown')
    context.report.refuse(
      context.span,
      'this read-modify-write stands both inside and outside of lock and unlock',
      'give each case an instruction of its own',
    );
  // The bus lock cannot be taken twice. A thread that already holds the lock only has to empty its
  // store buffer.
  const isHeld = lockStatus === 'held';
  const enter = isHeld ? 'mfence' : 'lock';
  const leave = isHeld ? 'mfence' : 'unlock';
  const { into, operation } = instruction;
  const address = printExpression(context, instruction.address);
  const old = chooseOldRegister(printer, instruction);
  const oldName = at(printer.registers, old);
  const outcomes = outcomesOf(operation, registerValue(old));
  const read = `read ${oldName} ${address}`;
  const chains = outcomes.map(({ conditions, written, result }) => [
    ...conditions.map((condition) => `check ${printExpression(context, condition)}`),
    ...(written ? [`write ${printExpression(context, written)} ${address}`] : []),
    ...(into === undefined || (into === old && isRegister(result, old))
      ? []
      : [`local ${at(printer.registers, into)} ${printExpression(context, result)}`]),
    leave,
  ]);
  const [only, ...others] = chains;
  if (only && others.length === 0) {
    addChain(printer, from, from, to, [enter, read, ...only]);
    return;
  }
  const entered = printer.states.nextAfter(from);
  const decided = printer.states.nextAfter(from);
  addLine(printer, from, entered, enter);
  addLine(printer, entered, decided, read);
  for (const chain of chains) addChain(printer, from, decided, to, chain);
}

/**
 * Returns the register for the value that a read-modify-write finds: its result register, if that
 * value is the result and no operand reads the register; otherwise an extra register.
 */
function chooseOldRegister(
  printer: ThreadPrinter,
  { into, address, operation }: RmwInstruction,
): RegisterId {
  const isFree =
    into !== undefined &&
    rmwMeaning(operation).result.kind === 'old' &&
    ![address, ...operation.operands].some((operand) => readsRegister(operand, into));
  if (isFree) return into;
  printer.scratch ??=
    printer.registers.push(printer.registerNames.fresh(repairRegister('old'))) - 1;
  return printer.scratch;
}

function isRegister(expression: Expression, register: RegisterId): boolean {
  return expression.kind === 'register' && expression.register === register;
}

/**
 * Adds the lines for a `havoc`: an assignment for each value; a check after each assignment stops
 * values that `where` excludes.
 */
function printHavoc(
  printer: ThreadPrinter,
  context: ExpressionContext,
  instruction: Havoc,
  from: string,
  to: string,
): void {
  const range = instruction.range ?? printer.domain;
  if (!range || range.high - range.low >= maxChoices) {
    context.report.refuse(
      context.span,
      range
        ? `a choice from ${range.high - range.low + 1} values is too wide for this format`
        : 'this choice is unbounded, so its values cannot be written out',
      `give a range of at most ${maxChoices} values`,
    );
    return;
  }
  const into = at(context.registers, instruction.into);
  const chosen = instruction.where ? printer.states.nextAfter(from) : to;
  for (let value = range.low; value <= range.high; value++)
    addLine(printer, from, chosen, `local ${into} ${value}`);
  if (instruction.where)
    addLine(printer, chosen, to, `check ${printExpression(context, instruction.where)}`);
}
