import { applyBinary, compileExpression, type Evaluator } from '../program/evaluate.js';
import type { LocationId, TransitionId } from '../program/ids.js';
import type { RmwOperation } from '../program/instruction.js';
import type { Program, SharedSymbol, Transition } from '../program/program.js';

/** The largest number of values that one `havoc` may choose from. */
export const maxHavocChoices = 4096;

/** A transition with its expressions ready to evaluate. */
export interface CodeTransition {
  readonly id: TransitionId;
  readonly transition: Transition;
  /** Address of a store, load or rmw. */
  readonly address: Evaluator;
  /** Value of a store or assignment, condition of an assume, assert or havoc. */
  readonly value: Evaluator;
  /** For an rmw: the value written when `old` is read, `undefined` for a failing cas. */
  readonly written: (old: number, registers: readonly number[]) => number | undefined;
}

/** A program ready to execute: `threads[t][location]` lists the transitions that leave a location. */
export interface ProgramCode {
  readonly program: Program;
  readonly threads: readonly (readonly (readonly CodeTransition[])[])[];
}

const zero: Evaluator = () => 0;

function compileWritten(
  operation: RmwOperation,
  symbols: readonly SharedSymbol[],
): CodeTransition['written'] {
  switch (operation.kind) {
    case 'xchg': {
      const value = compileExpression(operation.value, symbols);
      return (_old, registers) => value(registers, 0);
    }
    case 'cas': {
      const expected = compileExpression(operation.expected, symbols);
      const desired = compileExpression(operation.desired, symbols);
      return (old, registers) =>
        old === expected(registers, 0) ? desired(registers, 0) : undefined;
    }
    case 'fetch': {
      const operand = compileExpression(operation.operand, symbols);
      const operator = ({ add: '+', sub: '-', and: '&', or: '|', xor: '^' } as const)[
        operation.operator
      ];
      return (old, registers) => applyBinary(operator, old, operand(registers, 0));
    }
  }
}

function compileTransition(
  id: TransitionId,
  transition: Transition,
  symbols: readonly SharedSymbol[],
): CodeTransition {
  const { instruction } = transition;
  const compiled = { id, transition, address: zero, value: zero, written: () => undefined };
  switch (instruction.kind) {
    case 'store':
      return {
        ...compiled,
        address: compileExpression(instruction.address, symbols),
        value: compileExpression(instruction.value, symbols),
      };
    case 'load':
      return { ...compiled, address: compileExpression(instruction.address, symbols) };
    case 'rmw':
      return {
        ...compiled,
        address: compileExpression(instruction.address, symbols),
        written: compileWritten(instruction.operation, symbols),
      };
    case 'assign':
      return { ...compiled, value: compileExpression(instruction.value, symbols) };
    case 'assume':
    case 'assert':
      return { ...compiled, value: compileExpression(instruction.condition, symbols) };
    case 'havoc':
      return instruction.where
        ? { ...compiled, value: compileExpression(instruction.where, symbols) }
        : { ...compiled, value: () => 1 };
    case 'fence':
    case 'lock':
    case 'unlock':
    case 'skip':
      return compiled;
  }
}

/** The program with every expression compiled once. */
export function compileProgram(program: Program): ProgramCode {
  const threads = program.threads.map((thread) => {
    const leaving: CodeTransition[][] = thread.locations.map(() => []);
    thread.transitions.forEach((transition, id) => {
      leaving[transition.from]?.push(compileTransition(id, transition, program.symbols));
    });
    return leaving;
  });
  return { program, threads };
}

/** The transitions that leave `location` of thread `thread`. */
export function leavingTransitions(
  code: ProgramCode,
  thread: number,
  location: LocationId,
): readonly CodeTransition[] {
  return code.threads[thread]?.[location] ?? [];
}
