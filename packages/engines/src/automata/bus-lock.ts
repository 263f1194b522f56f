import type { Instruction } from '@fencewright/model/program/instruction.js';

/** A fence, a `lock` or an `unlock`: an instruction that orders accesses and makes none. */
type OrderInstruction = Extract<
  Instruction,
  { readonly kind: 'fence' | 'heavy-fence' | 'lock' | 'unlock' }
>;

/**
 * Returns whether a thread holds the bus lock after an instruction that orders accesses;
 * `undefined` if the instruction blocks for ever.
 */
export function holdsLockAfter(
  holdsLock: boolean,
  { kind }: OrderInstruction,
): boolean | undefined {
  switch (kind) {
    case 'lock':
      return holdsLock ? undefined : true;
    case 'unlock':
      return holdsLock ? false : undefined;
    case 'fence':
    case 'heavy-fence':
      return holdsLock;
  }
}
