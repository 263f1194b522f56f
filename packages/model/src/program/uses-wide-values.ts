import { fact } from '@fencewright/ground/base/fact.js';
import { isInvocation, type EventInstruction, type EventProgram } from './event-program.js';
import { hasPart, isWide, type Expression } from './expression.js';
import { mapInstruction } from './rewrite.js';
import { rmwMeaning } from './rmw.js';
import type { Program } from './program.js';
import { isWord } from './wide-values.js';

function isOfWideValues(part: Expression<unknown>): boolean {
  const { kind } = part as Expression;
  if (kind === 'constant') return !isWord((part as { readonly value: number }).value);
  if (kind === 'binary') return isWide((part as Extract<Expression, { kind: 'binary' }>).operator);
  const { operator } = part as { readonly operator?: string };
  return kind === 'unary' && (operator === 'i32' || operator === 'u32');
}

function mentionsWideValues<Leaf>(expression: Expression<Leaf>): boolean {
  return hasPart(expression, (part) => isOfWideValues(part));
}

function computesWideValues(instruction: EventInstruction): boolean {
  if (isInvocation(instruction)) return instruction.arguments.some(mentionsWideValues);
  if (instruction.kind === 'pass') return false;
  let found =
    instruction.kind === 'rmw' && mentionsWideValues(rmwMeaning(instruction.operation).written);
  mapInstruction(instruction, (expression) => {
    found ||= mentionsWideValues(expression);
    return expression;
  });
  return found;
}

/**
 * Whether values of more than 32 bits may occur in the program, or the program has operators for
 * such values; `false` is certain.
 */
export const usesWideValues = fact((program: Program | EventProgram): boolean => {
  const codes = 'threads' in program ? program.threads : program.bodies;
  const invariants = ('invariants' in program && program.invariants) || [];
  return (
    program.symbols.some(({ initial }) => !initial.every(isWord)) ||
    codes.some(({ transitions }) =>
      transitions.some(({ instruction }) => computesWideValues(instruction)),
    ) ||
    program.properties.some(({ condition }) => mentionsWideValues(condition)) ||
    invariants.some(({ condition }) => mentionsWideValues(condition))
  );
});
