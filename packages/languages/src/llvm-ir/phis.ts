import type { IrInstruction, Typed } from './syntax.js';
import { Unsupported } from './unsupported.js';

/** A phi at the start of a block, and the value that the phi takes. */
interface ChosenPhi<T> {
  readonly result: string | undefined;
  readonly value: T;
}

/**
 * The phis at the start of a block that control enters from the block `previous`, each with its
 * value. All values are evaluated before any of them is assigned.
 */
export function chosenPhis<T>(
  instructions: readonly IrInstruction[],
  previous: string,
  evaluate: (typed: Typed) => T,
): readonly ChosenPhi<T>[] {
  const chosen: ChosenPhi<T>[] = [];
  for (const { operation, result } of instructions) {
    if (operation.kind !== 'phi') break;
    const choice = operation.choices.find(({ from }) => from === previous);
    if (!choice) throw new Unsupported(`a phi has no value for the block '${previous}'`);
    chosen.push({ result, value: evaluate({ type: operation.type, value: choice.value }) });
  }
  return chosen;
}
