import type { Expression } from '@fencewright/model/program/expression.js';
import type { Program } from '@fencewright/model/program/program.js';
import { rmwMeaning, type RmwExpression } from '@fencewright/model/program/rmw.js';

/**
 * Returns the constants that the program's text puts into the variable named by an address,
 * initially or by stores and exchanges; only the 8 smallest if there are more.
 */
export function cellConstants(program: Program, address: Expression): readonly number[] {
  const symbol = symbolOf(address);
  if (symbol === undefined) return [];
  const found = new Set<number>(program.symbols[symbol]?.initial ?? []);
  const note = (value: RmwExpression): void => {
    if (value.kind === 'constant') found.add(value.value);
  };
  for (const { transitions } of program.threads)
    for (const { instruction } of transitions) {
      if (!('address' in instruction) || symbolOf(instruction.address) !== symbol) continue;
      if (instruction.kind === 'store') note(instruction.value);
      if (instruction.kind === 'rmw') note(rmwMeaning(instruction.operation).written);
    }
  return [...found].sort((a, b) => a - b).slice(0, 8);
}

function symbolOf(address: Expression): number | undefined {
  return address.kind === 'address' || address.kind === 'element' ? address.symbol : undefined;
}
