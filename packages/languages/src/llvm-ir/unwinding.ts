import {
  afterHandler,
  afterRethrow,
  type Exception,
  type Exceptions,
  headerSize,
  isEndOfHandler,
  landedAt,
  type Landed,
  leavesLibrary,
  withCaught,
  withLanded,
  withoutResumed,
} from './exceptions.js';
import { ExceptionTypes, globalIn, isTerminating, typeName } from './exception-types.js';
import type { AccessLowering } from './lower-access.js';
import { innermost, instructionAt, type CallFrame } from './lowering-state.js';
import type { Lowering } from './lowering.js';
import type { SourcePlaces } from './places.js';
import type { IrFunction, Typed } from './syntax.js';
import { Unsupported } from './unsupported.js';
import { nothing, numberValue, type LoweredValue } from './value.js';

/**
 * Library functions with nothing to clean up: callbacks may throw through such functions.
 * Exceptions through all other library functions are refused.
 */
const passing: ReadonlySet<string> = new Set(['__once_proxy', 'call_once']);

const pointer = { kind: 'pointer' } as const;

/** The lowering of a thread, with the methods by which exceptions leave calls. */
interface Unwound extends Lowering {
  readonly places: SourcePlaces;
  readonly memory: AccessLowering;
  /** Removes the innermost call of the thread without continuing after it. */
  readonly leave: () => void;
  /** Jumps to a block of the innermost call, to which other paths may lead as well. */
  readonly goTo: (label: string, isJoint: true) => void;
  readonly call: (of: IrFunction, operands: readonly Typed[]) => void;
}

/**
 * Throws and catches the exceptions of a thread during lowering. All calls are inlined, so the
 * handler is known if the type of the exception is known.
 */
export class Unwinding {
  readonly #types: ExceptionTypes;

  constructor(readonly lowering: Unwound) {
    this.#types = new ExceptionTypes(lowering.round.world.linked);
  }

  /**
   * Refuses the end of a thread inside calls with landing pads, which would have to destroy
   * objects. Throws `Unsupported`.
   */
  checkUnwound(): void {
    const isUnwound = this.lowering.state.frames.some((frame) => {
      const { operation } = instructionAt(frame);
      return operation.kind === 'call' && operation.unwind !== undefined;
    });
    if (isUnwound)
      throw new Unsupported(
        'a thread ends here within calls that have destructors or handlers to run',
        'return from the function of the thread',
      );
  }

  /** Models `llvm.eh.typeid.for`: returns the number of a type. */
  numberOf(type: Typed | undefined): LoweredValue {
    return numberValue(this.#types.numberOf(type?.value));
  }

  /** The number of exceptions that no handler has caught so far. */
  get uncaught(): number {
    return this.#exceptions.landed.length;
  }

  get #exceptions(): Exceptions {
    return this.lowering.state.exceptions;
  }

  set #exceptions(exceptions: Exceptions) {
    this.lowering.state.exceptions = exceptions;
  }

  /** Allocates memory for an object thrown by the current call; returns the object's address. */
  allocate(length: LoweredValue): LoweredValue {
    const { lowering } = this;
    const { path, block, next } = innermost(lowering.state);
    if (length.kind !== 'number') throw new Unsupported('the size of an exception is not known');
    const { address, size } = lowering.round.world.object(
      `${lowering.thread}:exception:${path}:${block}.${next}`,
      'exception',
      headerSize + Number(length.number),
    );
    const { landed, caught } = this.#exceptions;
    if ([...landed, ...caught].some((each) => each.address === address))
      throw new Unsupported(
        'an exception is created here again while the previous one is still in use',
      );
    lowering.memory.forget({ address, size });
    return numberValue(address + headerSize);
  }

  free(object: LoweredValue): void {
    const address = addressOf(object, 'freed') - headerSize;
    const found = this.lowering.round.world.image.memory.objectAt(address, 1);
    if (found) this.lowering.memory.forget(found);
  }

  /** Models `__cxa_throw`: throws an object. */
  throw(object: LoweredValue, type: Typed | undefined, destructor: LoweredValue): void {
    const { start, source } = this.lowering.origin.span ?? {};
    const line = start && `line ${start.line + 1}`;
    const place = source && line ? `${line} of ${source.name}` : (line ?? '');
    const description = globalIn(type?.value);
    if (description === undefined) throw new Unsupported('the type of an exception is not known');
    this.#start({
      address: addressOf(object, 'thrown') - headerSize,
      type: description,
      destructor: addressOf(destructor, 'destroyed'),
      place,
    });
  }

  /** Models `__cxa_rethrow`: throws the exception of the innermost handler again. */
  rethrow(): void {
    const last = this.#exceptions.caught.at(-1);
    if (!last) this.#end('an exception is rethrown outside all handlers');
    this.#exceptions = afterRethrow(this.#exceptions);
    this.#start(last);
  }

  /** `resume`: continues the unwinding of an exception at a landing pad. */
  resume(exception: LoweredValue): void {
    const landed = this.#landed(exception.kind === 'parts' ? exception.parts[0] : undefined);
    this.#exceptions = withoutResumed(this.#exceptions, landed);
    this.#goOn(landed);
  }

  /** The result of a landing pad: the address and the selector of the exception. */
  landed(): LoweredValue {
    const last = this.#exceptions.landed.at(-1);
    if (!last) throw new Unsupported('control reaches a landing pad without an exception');
    return { kind: 'parts', parts: [numberValue(last.address), numberValue(last.selector)] };
  }

  #landed(address: LoweredValue | undefined): Landed {
    const number = addressOf(address, 'caught');
    const landed = landedAt(this.#exceptions, number);
    if (!landed) throw new Unsupported('the caught exception is unknown');
    return landed;
  }

  /** Models `__cxa_get_exception_ptr`: returns the pointer that a handler receives. */
  object(exception: LoweredValue): LoweredValue {
    const { address, part } = this.#landed(exception);
    const object = address + headerSize;
    return part === 'pointee'
      ? this.lowering.memory.load(pointer, numberValue(object), { access: 'plain' })
      : numberValue(object + part);
  }

  /** Models `__cxa_begin_catch`: begins a handler, and returns the handler's pointer. */
  catch(exception: LoweredValue): LoweredValue {
    const object = this.object(exception);
    this.#exceptions = withCaught(this.#exceptions, this.#landed(exception));
    return object;
  }

  /** Models `__cxa_end_catch`: ends the innermost handler. */
  endCatch(): void {
    const { lowering } = this;
    const { exceptions, ended } = afterHandler(this.#exceptions);
    this.#exceptions = exceptions;
    const object = ended && ended.address + headerSize;
    if (object === undefined || ended?.destructor === 0) {
      if (object !== undefined) this.free(numberValue(object));
      finish(lowering, nothing);
      return;
    }
    const destroy = lowering.round.world.image.functionAt(ended!.destructor);
    if (!destroy) throw new Unsupported('the destructor of an exception is not a function');
    lowering.call(destroy, [{ type: pointer, value: { kind: 'integer', value: BigInt(object) } }]);
  }

  /** Models `std::terminate`: the execution faults. */
  terminate(): never {
    const last = this.#exceptions.caught.at(-1);
    if (!last) this.#end('std::terminate is called');
    this.#endBy(last);
  }

  #endBy({ type, place }: Exception): never {
    const where = place === '' ? '' : `, thrown in ${place},`;
    this.#end(`an exception of type '${typeName(type)}'${where} ends the program`);
  }

  #end(said: string): never {
    return this.lowering.end({ kind: 'fault', reason: 'terminated', said });
  }

  /**
   * Unwinds the stack if some call has a handler. Without a handler, the exception ends the program
   * before any call is left.
   */
  #start(exception: Exception): void {
    if (!this.#hasHandler(exception)) this.#endBy(exception);
    this.#goOn(exception);
  }

  /** Whether some call in progress has a handler. Throws `Unsupported` if unknown. */
  #hasHandler(exception: Exception): boolean {
    const { state, places } = this.lowering;
    let isOfUser = false;
    let left: IrFunction | undefined;
    for (const frame of state.frames.toReversed()) {
      const { operation } = instructionAt(frame);
      if (frame !== innermost(state) && isEndOfHandler(operation))
        throw leavesLibrary('__cxa_end_catch');
      const hasPad = operation.kind === 'call' && operation.unwind !== undefined;
      if (this.#landingIn(frame, exception)?.selector) {
        if (left) throw leavesLibrary(left.name);
        return true;
      }
      if (!places.isInLibrary(frame.flow.of)) isOfUser = true;
      else if (isOfUser && !hasPad && !passing.has(frame.flow.of.name)) left ??= frame.flow.of;
    }
    return false;
  }

  /** Unwinds to the innermost call with a landing pad for the exception. */
  #goOn(exception: Exception): void {
    const { lowering } = this;
    for (;;) {
      const frame = innermost(lowering.state);
      const landed = this.#landingIn(frame, exception);
      const { operation } = instructionAt(frame);
      if (landed && operation.kind === 'call' && operation.unwind !== undefined) {
        // The fault gets the place of the call, because the pad has no place in the text.
        if (isTerminating(frame.flow.of, operation.unwind)) this.#endBy(exception);
        this.#exceptions = withLanded(this.#exceptions, landed);
        lowering.goTo(operation.unwind, true);
        return;
      }
      lowering.leave();
    }
  }

  #landingIn(frame: CallFrame, exception: Exception): Landed | undefined {
    return this.#types.landing(frame.flow.of, instructionAt(frame), exception);
  }
}

function finish(lowering: Lowering, value: LoweredValue): void {
  lowering.finish(instructionAt(innermost(lowering.state)).result, value);
}

function addressOf(value: LoweredValue | undefined, what: string): number {
  if (value?.kind === 'number') return Number(value.number);
  throw new Unsupported(`the exception that is ${what} has to be known`);
}
