import { finish, type KnownFunction } from './known-function.js';
import type { Unwinding } from './unwinding.js';
import { nothing, numberValue, type LoweredValue } from './value.js';

/** A function of the runtime that returns a value and continues with the next instruction. */
function plain(
  run: (exceptions: Unwinding, values: readonly LoweredValue[]) => LoweredValue,
): KnownFunction {
  return ({ exceptions, lowering }, operands) => {
    const values = operands.map((operand) => lowering.value(operand));
    finish(lowering, run(exceptions, values));
  };
}

/**
 * The models of the functions of the C++ runtime for exceptions. Source: Itanium C++ ABI: Exception
 * Handling, Sect. 2.4 and 2.5.
 */
export const knownOfExceptions: ReadonlyMap<string, KnownFunction> = new Map<string, KnownFunction>(
  [
    ['__cxa_allocate_exception', plain((exceptions, [size]) => exceptions.allocate(size!))],
    [
      '__cxa_free_exception',
      plain((exceptions, [object]) => {
        exceptions.free(object!);
        return nothing;
      }),
    ],
    [
      '__cxa_throw',
      ({ exceptions, lowering }, [object, type, destructor]) => {
        const [thrown, destroyed] = [object!, destructor!].map((each) => lowering.value(each));
        exceptions.throw(thrown!, type, destroyed!);
      },
    ],
    ['__cxa_get_exception_ptr', plain((exceptions, [address]) => exceptions.object(address!))],
    ['__cxa_begin_catch', plain((exceptions, [address]) => exceptions.catch(address!))],
    [
      '__cxa_end_catch',
      ({ exceptions }) => {
        exceptions.endCatch();
      },
    ],
    [
      '__cxa_rethrow',
      ({ exceptions }) => {
        exceptions.rethrow();
      },
    ],
    [
      'llvm.eh.typeid.for',
      ({ exceptions, lowering }, [type]) => {
        finish(lowering, exceptions.numberOf(type));
      },
    ],
    ['_ZSt9terminatev', ({ exceptions }) => exceptions.terminate()],
    [
      '_ZSt18uncaught_exceptionv',
      plain((exceptions) => numberValue(exceptions.uncaught > 0 ? 1 : 0)),
    ],
    ['_ZSt19uncaught_exceptionsv', plain((exceptions) => numberValue(exceptions.uncaught))],
  ],
);
