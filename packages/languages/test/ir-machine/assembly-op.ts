import type { Argument, Assembly, Instruction } from './assembly.js';
import type { Operand } from './operand.js';

/** A step of assembly; `state` is the frame's register with the state of the processor. */
export type AssemblyOp =
  | { readonly kind: 'asm-enter'; readonly assembly: Assembly; readonly out: number }
  | {
      /** The load of an instruction that reads memory without the lock. */
      readonly kind: 'asm-load';
      readonly instruction: Instruction;
      readonly place: Argument;
      readonly size: number;
      readonly state: number;
      readonly out: number;
    }
  | {
      readonly kind: 'asm-do';
      readonly instruction: Instruction;
      readonly state: number;
      readonly out: number;
    }
  | {
      readonly kind: 'asm-leave';
      readonly assembly: Assembly;
      readonly state: number;
      readonly out: number;
    };

/** Returns the operands of the frame that a step reads. */
export function readsOf(op: AssemblyOp): readonly Operand[] {
  if (op.kind === 'asm-enter') return op.assembly.inputs.map(({ operand }) => operand);
  if (op.kind === 'asm-leave') return [op.state];
  const { from, to } = op.instruction;
  const pointers = [from, to].flatMap((one) =>
    one?.kind === 'memory' && one.pointer !== undefined ? [one.pointer] : [],
  );
  return [op.state, ...pointers];
}

/** Whether an instruction loads from memory, without the lock, before its other effects. */
function readsFirst({ name, isLocked, to }: Instruction, place: Argument): boolean {
  if (isLocked || place.kind !== 'memory' || name === 'lea' || name === 'xchg') return false;
  if (place !== to) return true;
  return name !== 'mov' && name !== 'set';
}

/**
 * Returns the steps of an assembly statement. Register `state` holds the state of the processor;
 * the last step returns the result.
 */
export function stepsOf(assembly: Assembly, state: number, out: number): readonly AssemblyOp[] {
  const common = { state, out: state };
  return [
    { kind: 'asm-enter', assembly, out: state },
    ...assembly.instructions.flatMap((instruction): AssemblyOp[] => {
      const { from, to, size, small } = instruction;
      const places = [from, to].filter((one) => one !== undefined);
      const place = places.find((one) => readsFirst(instruction, one));
      const act: AssemblyOp = { kind: 'asm-do', instruction, ...common };
      if (!place) return [act];
      const loaded = small > 0 ? small : size;
      return [{ kind: 'asm-load', instruction, place, size: loaded, ...common }, act];
    }),
    { kind: 'asm-leave', assembly, state, out },
  ];
}
