import {
  formatCell,
  formatExpression,
  formatInstruction,
  type RegisterTable,
  type SymbolTable,
} from '../program/format.js';
import type { Expression } from '../program/expression.js';
import {
  controlCell,
  type AuxiliarySpace,
  type InstrumentedStep,
  type InstrumentedInstruction,
} from './instrumented.js';

const controlNames = new Map<number, string>(
  Object.entries(controlCell).map(([name, cell]) => [cell, name]),
);

function formatAuxiliaryCell(
  program: SymbolTable,
  thread: RegisterTable,
  space: AuxiliarySpace,
  address: Expression,
): string {
  if (space === 'control' && address.kind === 'constant')
    return controlNames.get(address.value) ?? `control[${address.value}]`;
  return `${space}(${formatCell(program, thread, address)})`;
}

function formatStep(program: SymbolTable, thread: RegisterTable, step: InstrumentedStep): string {
  switch (step.kind) {
    case 'auxiliary-store': {
      const cell = formatAuxiliaryCell(program, thread, step.space, step.address);
      return `${cell} = ${formatExpression(program, thread, step.value)}`;
    }
    case 'auxiliary-load': {
      const register = thread.registers[step.into]?.name ?? `r${step.into}`;
      return `${register} = ${formatAuxiliaryCell(program, thread, step.space, step.address)}`;
    }
    default:
      return formatInstruction(program, thread, step);
  }
}

/**
 * Formats an instruction like `formatInstruction`; each step of a block is on a separate line,
 * auxiliary cells are shown as `level(x)`.
 */
export function formatInstrumented(
  program: SymbolTable,
  thread: RegisterTable,
  instruction: InstrumentedInstruction,
): string {
  const steps = instruction.kind === 'block' ? instruction.steps : [instruction];
  return steps.map((step) => formatStep(program, thread, step)).join('\n');
}
