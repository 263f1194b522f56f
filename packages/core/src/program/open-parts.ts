import { forEachRegister, selfRegister, type Expression } from './expression.js';
import type { Instruction } from './instruction.js';
import type { Thread } from './program.js';
import type { Templates } from './templates.js';

/** How many cells an array without bounds has in an instance. */
export const instanceCells = 64;

/** What a program has that only proofs can treat; empty for programs that searches take. */
export function openParts({ templates, unbounded }: Templates): readonly string[] {
  return [
    ...templates.symbols
      .filter(({ isBoundless }) => isBoundless)
      .map(({ name }) => `the array '${name}' has no bounds`),
    ...unbounded
      .map((id) => templates.threads[id])
      .filter((thread) => thread !== undefined && readsSelf(thread))
      .map((thread) => `any number of copies of '${thread?.name}' are told apart by self`),
  ];
}

/** Whether code of the thread asks which of the copies it is. */
export function readsSelf({ transitions }: Thread): boolean {
  return transitions.some(({ instruction }) => {
    let found = false;
    forEachExpression(instruction, (expression) =>
      forEachRegister(expression, (register) => {
        found ||= register === selfRegister;
      }),
    );
    return found;
  });
}

/** Calls `visit` for each expression of the instruction. */
function forEachExpression(
  instruction: Instruction,
  visit: (expression: Expression) => void,
): void {
  switch (instruction.kind) {
    case 'store':
      visit(instruction.address);
      visit(instruction.value);
      return;
    case 'load':
      visit(instruction.address);
      return;
    case 'rmw': {
      const { address, operation } = instruction;
      visit(address);
      switch (operation.kind) {
        case 'xchg':
          visit(operation.value);
          return;
        case 'cas':
          visit(operation.expected);
          visit(operation.desired);
          return;
        case 'fetch':
          visit(operation.operand);
          return;
      }
      return;
    }
    case 'assign':
      visit(instruction.value);
      return;
    case 'assume':
    case 'assert':
      visit(instruction.condition);
      return;
    case 'havoc':
      if (instruction.where) visit(instruction.where);
      return;
    case 'fence':
    case 'lock':
    case 'unlock':
    case 'skip':
      return;
  }
}
