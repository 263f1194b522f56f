import { fact } from '@fencewright/ground/base/fact.js';
import {
  compileExpression,
  compileRmw,
  type Evaluator,
  type RmwEvaluator,
} from '../program/evaluate.js';
import type { LocationId, TransitionId } from '../program/ids.js';
import { isWithoutValues } from '../program/instruction.js';
import type { Program, SharedSymbol, Transition } from '../program/program.js';

/** The maximum number of values for one `havoc` to choose from. */
export const maxHavocChoices = 4096;

/** A transition of a thread with compiled expressions. */
export interface CodeTransition {
  readonly id: TransitionId;
  readonly transition: Transition;
  /** Evaluates the address of a store, load or rmw. */
  readonly address: Evaluator;
  /**
   * Evaluates the value of a store or assignment, or the condition of an assume, assert or havoc.
   */
  readonly value: Evaluator;
  /** Evaluates the effects of an rmw; does nothing for other instructions. */
  readonly rmw: RmwEvaluator;
}

/**
 * A program with compiled expressions: `threads[t][location]` lists the outgoing transitions of a
 * location of thread `t`.
 */
export interface ProgramCode {
  readonly program: Program;
  readonly threads: readonly (readonly (readonly CodeTransition[])[])[];
}

const zero: Evaluator = () => 0;
const noRmw: RmwEvaluator = { written: () => undefined, result: () => 0 };

/** Compiles the transition with the given id, in a program with the given symbols. */
export function compileTransition(
  id: TransitionId,
  transition: Transition,
  symbols: readonly SharedSymbol[],
): CodeTransition {
  const { instruction } = transition;
  const compiled = { id, transition, address: zero, value: zero, rmw: noRmw };
  if (isWithoutValues(instruction)) return compiled;
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
        rmw: compileRmw(instruction.operation, symbols),
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
  }
}

/** Compiles every expression of a program once, so that the program is ready to execute. */
export const compileProgram = fact((program: Program): ProgramCode => {
  const threads = program.threads.map((thread) => {
    const leaving: CodeTransition[][] = thread.locations.map(() => []);
    thread.transitions.forEach((transition, id) => {
      leaving[transition.from]?.push(compileTransition(id, transition, program.symbols));
    });
    return leaving;
  });
  return { program, threads };
});

/** Returns the outgoing transitions of `location` in thread `thread`, with compiled expressions. */
export function leavingTransitions(
  code: ProgramCode,
  thread: number,
  location: LocationId,
): readonly CodeTransition[] {
  return code.threads[thread]?.[location] ?? [];
}
