import type { IrOperation } from './syntax.js';
import { Unsupported } from './unsupported.js';

/** How many bytes the runtime has before a thrown object; what a pad gets is where they begin. */
export const headerSize = 32;

/** An exception: an object, with what was said of it when it was thrown. */
export interface Exception {
  /** Where its header begins. */
  readonly address: number;
  /** The description of its type. */
  readonly type: string;
  /** The function that destroys the object; 0 if there is nothing to do. */
  readonly destructor: number;
  /** Where it was thrown, in words. */
  readonly place: string;
}

/** One that control has arrived with at a landing pad. */
export interface Landed extends Exception {
  /** The number of the type that a handler takes, as `llvm.eh.typeid.for` gives it; 0 if none. */
  readonly selector: number;
  /** Where in the object that is which the handler gets; it gets what a pointer has. */
  readonly part: number | 'pointee';
}

/** One that a handler has. */
interface Caught extends Exception {
  /** How many handlers have it; negative while it is thrown again. */
  readonly handlers: number;
}

/**
 * The exceptions of a thread, as the runtime of C++ keeps them. Source: Itanium C++ ABI: Exception
 * Handling, Sect. 2.
 */
export interface Exceptions {
  /** Those that no handler has yet, the innermost last. */
  readonly landed: readonly Landed[];
  /** The innermost last. */
  readonly caught: readonly Caught[];
}

export const noExceptions: Exceptions = { landed: [], caught: [] };

/** The exception at a pad whose header begins there. */
export function landedAt({ landed }: Exceptions, address: number): Landed | undefined {
  return landed.findLast((each) => each.address === address);
}

function withoutLanded({ landed }: Exceptions, address: number): readonly Landed[] {
  const index = landed.findLastIndex((each) => each.address === address);
  return landed.toSpliced(index, 1);
}

/** Control arrives at a pad. */
export function withLanded(exceptions: Exceptions, exception: Landed): Exceptions {
  return { ...exceptions, landed: [...exceptions.landed, exception] };
}

/** An exception goes on from a pad. */
export function withoutResumed(exceptions: Exceptions, { address }: Exception): Exceptions {
  return { ...exceptions, landed: withoutLanded(exceptions, address) };
}

/** `__cxa_begin_catch`: a handler takes an exception. */
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

/** `__cxa_end_catch`: a handler ends; `ended` is the exception that nobody has any more. */
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
  // What was thrown again is on its way to another handler.
  return last.handlers < 0 ? { exceptions: left } : { exceptions: left, ended: last };
}

/** `__cxa_rethrow`: the innermost handler throws again what it has. */
export function afterRethrow(exceptions: Exceptions): Exceptions {
  const caught = exceptions.caught.map((each, i, all) =>
    i === all.length - 1 ? { ...each, handlers: -each.handlers } : each,
  );
  return { ...exceptions, caught };
}

/** Whether a handler ends there; what it had may be destroyed. */
export function isEndOfHandler(operation: IrOperation): boolean {
  return (
    operation.kind === 'call' &&
    operation.callee.kind === 'global' &&
    operation.callee.name === '__cxa_end_catch'
  );
}

/** The refusal of what leaves a function that calls code of the program, in which it is thrown. */
export function leavesLibrary(name: string): Unsupported {
  return new Unsupported(
    `an exception leaves '${name}', which calls what throws it`,
    'catch it in what is called',
  );
}
