import { innermost, instructionAt } from './lowering-state.js';
import { Unsupported } from './unsupported.js';
import { nothing, type LoweredValue } from './value.js';
import type { AccessLowering } from './lower-access.js';
import type { ThreadCreation } from './lower-creation.js';
import type { Lowering } from './lowering.js';
import type { Typed } from './syntax.js';
import type { Unwinding } from './unwinding.js';

/** A thread, with the models of memory accesses and thread creation. */
export interface KnownContext {
  readonly lowering: Lowering;
  readonly memory: AccessLowering;
  readonly threads: ThreadCreation;
  readonly exceptions: Unwinding;
}

/** The effect of the call of a function without a body on the thread that is lowered. */
export type KnownFunction = (context: KnownContext, operands: readonly Typed[]) => void;

/** Finishes the current call of the lowered thread, with a result. */
export function finish(lowering: Lowering, value: LoweredValue): void {
  lowering.finish(instructionAt(innermost(lowering.state)).result, value);
}

/** The model of a function, given as a function from operands to the result of the call. */
export function plain(
  run: (context: KnownContext, values: readonly LoweredValue[]) => LoweredValue | undefined,
): KnownFunction {
  return (context, operands) => {
    const { lowering } = context;
    const value = run(
      context,
      operands.map((operand) => lowering.value(operand)),
    );
    finish(lowering, value ?? nothing);
  };
}

/** A number that has to be known; throws `Unsupported` with the message otherwise. */
export function knownNumber(
  value: LoweredValue | undefined,
  message: string,
  hint?: string,
): number {
  if (value?.kind === 'number') return Number(value.number);
  throw new Unsupported(message, hint);
}

/** A size, read as an unsigned number. */
export function knownSize(value: LoweredValue | undefined, message: string): number {
  const number = knownNumber(value, message);
  return number < 0 ? number + 2 ** 64 : number;
}
