import { unreachable } from '@fencewright/ground/base/unreachable.js';
import { type Cell, fixedAddress } from '@fencewright/model/program/cells.js';
import { registerValue, type Expression } from '@fencewright/model/program/expression.js';
import type { RegisterId } from '@fencewright/model/program/ids.js';
import {
  isOnlyNative,
  onlyNative,
  type Instruction,
} from '@fencewright/model/program/instruction.js';
import type { Program } from '@fencewright/model/program/program.js';
import { outcomesOf } from '@fencewright/model/program/rmw.js';
import type { PrintReport } from '@fencewright/ground/source/print-report.js';
import type { Span } from '@fencewright/ground/source/span.js';
import { isTruth, printCondition, printTerm, type TermPrinter } from './print-term.js';

/** Data shared by the processes of one program while the program is printed. */
export interface MemoraxPrinter {
  readonly program: Program;
  readonly cells: ReadonlyMap<number, Cell>;
  readonly report: PrintReport;
}

/** A process while its instructions are printed: names of registers and the report. */
export interface ProcessPrinter extends MemoraxPrinter {
  readonly nameOf: (register: RegisterId) => string;
  /** Returns the name of a register that the program does not use, for intermediate values. */
  readonly spare: () => string;
}

/** The maximum number of values for which a choice is written out with one alternative each. */
const mostChoices = 16;

function termsOf(printer: ProcessPrinter, span: Span | undefined): TermPrinter {
  const refuse = (message: string, hint: string) => printer.report.refuse(span, message, hint);
  return { nameOf: printer.nameOf, refuse };
}

function cellOf({ program, cells, report }: MemoraxPrinter, address: Expression, span?: Span) {
  const place = fixedAddress(program.symbols, address);
  const cell = place === undefined ? undefined : cells.get(place);
  if (cell) return cell.name;
  report.refuse(
    span,
    'this address is unknown before the program runs, or belongs to no variable',
    'name the location',
  );
  return 'x';
}

/** Returns the instruction as a statement of Memorax. Features that Memorax lacks are reported. */
export function printInstruction(
  printer: ProcessPrinter,
  instruction: Instruction,
  span: Span | undefined,
): string {
  const terms = termsOf(printer, span);
  if (isOnlyNative(instruction)) {
    printer.report.refuse(span, ...onlyNative(instruction.kind));
    return 'nop';
  }
  switch (instruction.kind) {
    case 'store':
      return `write: ${cellOf(printer, instruction.address, span)} := ${printTerm(instruction.value, terms)}`;
    case 'load':
      return `read: ${printer.nameOf(instruction.into)} := ${cellOf(printer, instruction.address, span)}`;
    case 'fence':
      return 'fence';
    case 'assume':
      return `assume: ${printCondition(instruction.condition, terms)}`;
    case 'assign':
      return printAssignment(printer.nameOf(instruction.into), instruction.value, terms);
    case 'skip':
      return 'nop';
    case 'assert':
      printer.report.note(
        span,
        'assertions do not exist in this format',
        'robustness does not depend on them',
      );
      return 'nop';
    case 'havoc':
      return printChoice(printer, instruction, span);
    case 'rmw':
      return printRmw(printer, instruction, span);
    case 'lock':
    case 'unlock':
      printer.report.refuse(
        span,
        'a block under the bus lock can have no branches, read-modify-writes or fences in Memorax',
        'move them out of the block',
      );
      return 'nop';
    default:
      return unreachable(instruction);
  }
}

function printAssignment(into: string, value: Expression, terms: TermPrinter): string {
  return isTruth(value)
    ? `if ${printCondition(value, terms)} then ${into} := 1 else ${into} := 0`
    : `${into} := ${printTerm(value, terms)}`;
}

/** Returns a statement of Memorax with one alternative for each value of the choice. */
function printChoice(
  printer: ProcessPrinter,
  { into, range, where }: Extract<Instruction, { kind: 'havoc' }>,
  span: Span | undefined,
): string {
  const values = range ?? printer.program.domain;
  if (!values || values.high - values.low >= mostChoices) {
    printer.report.refuse(
      span,
      `a choice of more than ${mostChoices} values is not written out`,
      'give the choice a smaller range',
    );
    return 'nop';
  }
  const { low, high } = values;
  const alternatives = Array.from(
    { length: high - low + 1 },
    (_, i) => `${printer.nameOf(into)} := ${low + i}`,
  );
  const choice = `either { ${alternatives.join(' or ')} }`;
  if (!where) return choice;
  return `${choice}; assume: ${printCondition(where, termsOf(printer, span))}`;
}

/** The id that the printer uses for the register `spare`, which is no register of the program. */
const spareRegister: RegisterId = -1;

/**
 * Returns an rmw as a block under the bus lock; an exchange whose result is unused as a locked
 * write.
 */
function printRmw(
  printer: ProcessPrinter,
  { into, address, operation }: Extract<Instruction, { kind: 'rmw' }>,
  span: Span | undefined,
): string {
  const terms = termsOf(printer, span);
  const cell = cellOf(printer, address, span);
  const [value] = operation.operands;
  if (operation.name === 'xchg' && value && into === undefined)
    return `locked write: ${cell} := ${printTerm(value, terms)}`;
  const old = printer.spare();
  const named = {
    ...terms,
    nameOf: (register: RegisterId) => (register === spareRegister ? old : terms.nameOf(register)),
  };
  const result = into === undefined ? undefined : printer.nameOf(into);
  const alternatives = outcomesOf(operation, registerValue(spareRegister)).map((outcome) =>
    [
      `read: ${old} := ${cell}`,
      ...outcome.conditions.map((condition) => `assume: ${printCondition(condition, named)}`),
      ...(outcome.written ? [`write: ${cell} := ${printTerm(outcome.written, named)}`] : []),
      ...(result === undefined ? [] : [`${result} := ${printTerm(outcome.result, named)}`]),
    ].join('; '),
  );
  return `locked { ${alternatives.join(' or ')} }`;
}

/** Returns the instructions of a block under the bus lock, as one statement. */
export function printLockedBlock(
  printer: ProcessPrinter,
  body: readonly { readonly instruction: Instruction; readonly span: Span | undefined }[],
): string {
  const statements = body.map(({ instruction, span }) =>
    printInstruction(printer, instruction, span),
  );
  return `locked { ${statements.join('; ')} }`;
}
