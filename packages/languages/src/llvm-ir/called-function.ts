import type { Expression } from '@fencewright/model/program/expression.js';
import { askValues } from './asked-values.js';
import { processFunctions } from './command-line.js';
import type { Lowering } from './lowering.js';
import type { IrFunction, IrOperationOf, IrValue } from './syntax.js';
import { Unsupported } from './unsupported.js';
import { toExpression } from './value.js';

/** The called function; `undefined` if there are several candidates. Throws `Unsupported`. */
export function calledFunction(lowering: Lowering, callee: IrValue): IrFunction | undefined {
  const { linked, image } = lowering.round.world;
  const value =
    callee.kind === 'global'
      ? undefined
      : lowering.value({ type: { kind: 'pointer' }, value: callee });
  if (value?.kind === 'expression') return undefined;
  const found =
    callee.kind === 'global'
      ? (linked.functions.get(callee.name) ?? processFunctions.get(callee.name))
      : value?.kind === 'number'
        ? image.functionAt(Number(value.number))
        : undefined;
  // No code lies at the address: the execution ends if control reaches the call.
  if (!found && value?.kind === 'number')
    lowering.end({ kind: 'fault', reason: 'unknown-function' });
  if (!found) throw new Unsupported('the called address is not a function of the program');
  return found;
}

/**
 * The functions that a call through a pointer may call, found by the values of the pointer, if
 * known, and by the types; and the pointer. Functions that are running already are left out.
 */
export function calledFunctions(
  lowering: Lowering,
  operation: IrOperationOf<'call'>,
  callee: IrValue,
): { readonly pointer: Expression; readonly functions: readonly IrFunction[] } {
  const { world } = lowering.round;
  const value = lowering.value({ type: { kind: 'pointer' }, value: callee });
  const running = new Set(lowering.state.frames.map(({ flow }) => flow.of));
  const alike = world.candidates(operation).filter((of) => !running.has(of));
  if (alike.length <= 1) return { pointer: toExpression(value), functions: alike };
  const { asked, known } = askValues(lowering, value);
  const isKnown = ({ name }: IrFunction): boolean =>
    known === 'any' || known.includes(world.image.addressOf(name));
  return { pointer: asked, functions: alike.filter(isKnown) };
}
