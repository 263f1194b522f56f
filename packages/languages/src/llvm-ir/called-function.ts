import { processFunctions } from './command-line.js';
import type { Lowering } from './lowering.js';
import type { IrFunction, IrValue } from './syntax.js';
import { Unsupported } from './unsupported.js';

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
