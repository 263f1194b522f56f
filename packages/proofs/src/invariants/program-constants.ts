import { forEachPart, type Expression } from '@fencewright/model/program/expression.js';
import type { Program } from '@fencewright/model/program/program.js';
import { operandsOf } from '@fencewright/model/program/rewrite.js';

/** The maximum number of constants in candidates. */
const mostConstants = 10;

/**
 * Returns 0 and the numbers in the program's expressions and initial values, ascending; if there
 * are more than `mostConstants`, only those with the smallest absolute values.
 */
export function programConstants({ threads, symbols }: Program): readonly number[] {
  const found = new Set<number>([0]);
  const visit = (expression: Expression): void =>
    forEachPart(expression, (part) => {
      if (part.kind === 'constant') found.add(part.value);
    });
  for (const { transitions } of threads)
    for (const { instruction } of transitions) {
      // The address of a variable is a constant, too, but no value of the program.
      for (const part of operandsOf(instruction))
        if (!('address' in instruction && part === instruction.address && part.kind === 'constant'))
          visit(part);
    }
  for (const { initial } of symbols) for (const value of initial) found.add(value);
  const ordered = [...found].sort((a, b) => Math.abs(a) - Math.abs(b));
  return ordered.slice(0, mostConstants).sort((a, b) => a - b);
}
