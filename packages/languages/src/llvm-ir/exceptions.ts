import type { IrOperation } from './syntax.js';
import { Unsupported } from './unsupported.js';

/**
 * The size in bytes of the header that the runtime puts before a thrown object. Landing pads get
 * the address of the header.
 */
export const headerSize = 32;

/** A thrown C++ object, with type, destructor, and place of the throw. */
export interface Exception {
  /** The address of the header that the runtime puts before the exception object. */
  readonly address: number;
  /** The name of the `type_info` object of the exception's type. */
  readonly type: string;
  /**
   * The address of the function that destroys the exception object; 0 if there is nothing to do.
   */
  readonly destructor: number;
  /** The source place of the throw, in words. */
  readonly place: string;
}

/** An exception that has reached a landing pad. */
export interface Landed extends Exception {
  /** The number of the handler's type as returned by `llvm.eh.typeid.for`; 0 without a handler. */
  readonly selector: number;
  /**
   * The offset of the part of the exception object that the handler receives; `pointee` if the
   * handler receives the value of a thrown pointer.
   */
  readonly part: number | 'pointee';
}

/** An exception that a handler has caught. */
interface Caught extends Exception {
  /** The number of active handlers for the exception; negative while the exception is rethrown. */
  readonly handlers: number;
}

/**
 * The exceptions of a thread, as the runtime of C++ keeps them. Source: Itanium C++ ABI: Exception
 * Handling, Sect. 2.
 */
export interface Exceptions {
  /** The exceptions that have reached a landing pad and not yet a handler, the innermost last. */
  readonly landed: readonly Landed[];
  /** The caught exceptions, the innermost last. */
  readonly caught: readonly Caught[];
}

export const noExceptions: Exceptions = { landed: [], caught: [] };

/**
 * The exception at a landing pad, given the address of its header; `undefined` if there is none.
 */
export function landedAt({ landed }: Exceptions, address: number): Landed | undefined {
  return landed.findLast((each) => each.address === address);
}

function withoutLanded({ landed }: Exceptions, address: number): readonly Landed[] {
  const index = landed.findLastIndex((each) => each.address === address);
  return landed.toSpliced(index, 1);
}

/** The exceptions after one more exception has reached a landing pad. */
export function withLanded(exceptions: Exceptions, exception: Landed): Exceptions {
  return { ...exceptions, landed: [...exceptions.landed, exception] };
}

/** The exceptions after `resume` has continued the unwinding of the given exception. */
export function withoutResumed(exceptions: Exceptions, { address }: Exception): Exceptions {
  return { ...exceptions, landed: withoutLanded(exceptions, address) };
}

/** Returns the exceptions after `__cxa_begin_catch`: a handler has caught the exception. */
export function withCaught(exceptions: Exceptions, exception: Exception): Exceptions {
  const { caught } = exceptions;
  const { address, type, destructor, place } = exception;
  const landed = withoutLanded(exceptions, address);
  const last = caught.at(-1);
  if (last?.address !== address)
    return { landed, caught: [...caught, { address, type, destructor, place, handlers: 1 }] };
  return { landed, caught: [...caught.slice(0, -1), { ...last, handlers: handlersOf(last) + 1 }] };
}

const handlersOf = ({ handlers }: Caught): number => Math.abs(handlers);

/**
 * `__cxa_end_catch`: a handler ends; `ended` is the exception, if the handler was the exception's
 * last.
 */
export function afterHandler(exceptions: Exceptions): {
  readonly exceptions: Exceptions;
  readonly ended?: Exception;
} {
  const last = exceptions.caught.at(-1);
  if (!last) return { exceptions };
  const others = exceptions.caught.slice(0, -1);
  const handlers = last.handlers < 0 ? last.handlers + 1 : last.handlers - 1;
  if (handlers !== 0)
    return { exceptions: { ...exceptions, caught: [...others, { ...last, handlers }] } };
  const left = { ...exceptions, caught: others };
  // A rethrown exception still propagates to another handler.
  return last.handlers < 0 ? { exceptions: left } : { exceptions: left, ended: last };
}

/** `__cxa_rethrow`: the innermost handler rethrows its exception. */
export function afterRethrow(exceptions: Exceptions): Exceptions {
  const caught = exceptions.caught.map((each, i, all) =>
    i === all.length - 1 ? { ...each, handlers: -each.handlers } : each,
  );
  return { ...exceptions, caught };
}

/** Whether the operation ends a handler, which may destroy the exception. */
export function isEndOfHandler(operation: IrOperation): boolean {
  return (
    operation.kind === 'call' &&
    operation.callee.kind === 'global' &&
    operation.callee.name === '__cxa_end_catch'
  );
}

/**
 * The error for an exception thrown by a callback of a library function and not caught inside the
 * callback.
 */
export function leavesLibrary(name: string): Unsupported {
  return new Unsupported(
    `an exception leaves '${name}', which calls the throwing function`,
    'catch the exception in the called function',
  );
}
