import { isAccess, isHandOver } from '@fencewright/model/program/instruction.js';
import type { CodeTransition } from '@fencewright/model/semantics/thread-code.js';

/**
 * The effect of an access on its cell and on the thread's registers, depending on the cell's value.
 */
export interface AccessEffect {
  readonly kind: 'load' | 'store' | 'rmw' | 'lock' | 'heavy-fence';
  /**
   * Returns the outcome of the access for a value of the cell: the value that the access writes, if
   * any, and the registers afterwards. `undefined` if the access blocks.
   */
  readonly apply: (old: number) =>
    | {
        readonly written: number | undefined;
        readonly registers: readonly number[];
      }
    | undefined;
}

/**
 * The effect of a store, load or rmw if the thread's registers have the values `registers`;
 * `undefined` for instructions without an access.
 */
export function accessEffect(
  code: { readonly inDomain: (value: number) => number },
  registers: readonly number[],
  step: CodeTransition,
): AccessEffect | undefined {
  const { instruction } = step.transition;
  if (!isAccess(instruction)) return undefined;
  switch (instruction.kind) {
    case 'load':
      return {
        kind: 'load',
        apply: (old) => ({
          written: undefined,
          registers: registers.with(instruction.into, old),
        }),
      };
    case 'store':
      return {
        kind: 'store',
        apply: () => ({ written: code.inDomain(step.value(registers, 0)), registers }),
      };
    case 'rmw':
      return {
        kind: 'rmw',
        apply: (old) => {
          const written = step.rmw.written(old, registers, 0);
          if (isHandOver(instruction)) {
            if (written === undefined) return undefined;
          } else if (written !== undefined) code.inDomain(written);
          const result = step.rmw.result(written !== undefined, old, registers, 0);
          const { into } = instruction;
          return {
            written,
            registers: into === undefined ? registers : registers.with(into, result),
          };
        },
      };
  }
}
