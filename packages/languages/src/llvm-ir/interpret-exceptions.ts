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
  noExceptions,
  withCaught,
  withLanded,
  withoutResumed,
} from './exceptions.js';
import { ExceptionTypes, globalIn, typeName } from './exception-types.js';
import type { Image } from './image.js';
import type { Computed } from './computed.js';
import type { IrFunction, IrInstruction, IrOperation, Typed } from './syntax.js';
import { Unsupported } from './unsupported.js';

/** The parts of the interpreter that exceptions use. */
interface Run {
  readonly image: Image;
  /**
   * For each call in progress, the called function and the current instruction, the outermost call
   * first.
   */
  readonly instructions: readonly (readonly [of: IrFunction, at: IrInstruction])[];
  /** Returns the value of an operand as a number. Throws `Unsupported`. */
  readonly number: (typed: Typed) => bigint;
  /** Removes the innermost call in progress without continuing after it. */
  readonly leave: () => void;
  /** Jumps to a block of the innermost call. */
  readonly jump: (to: string) => void;
  /** Calls a function; when it returns, execution continues after the current instruction. */
  readonly enter: (of: IrFunction, operands: readonly Computed[]) => void;
  /** Sets the result of the current instruction and moves on to the next instruction. */
  readonly finish: (value: Computed) => void;
}

type Call = Extract<IrOperation, { readonly kind: 'call' }>;

/** Exceptions thrown before threads start; `Unwinding` handles exceptions in threads. */
export class InterpretedExceptions {
  readonly #types: ExceptionTypes;
  state: Exceptions = noExceptions;

  constructor(readonly run: Run) {
    this.#types = new ExceptionTypes(run.image.module);
  }

  /**
   * Executes a call of the C++ runtime; returns false if the function is not part of the runtime.
   */
  call(name: string, { operands }: Call): boolean {
    const { run } = this;
    const [first, second, third] = operands;
    const address = (): number => Number(run.number(first!));
    switch (name.replace(/^(llvm\.eh\.typeid\.for)\b.*$/, '$1')) {
      case '__cxa_allocate_exception':
        run.finish(this.#allocate(address()));
        return true;
      case '__cxa_free_exception':
        run.finish(undefined);
        return true;
      case '__cxa_throw':
        this.#start(this.#thrown(address() - headerSize, second, Number(run.number(third!))));
        return true;
      case '__cxa_get_exception_ptr':
        run.finish(this.#object(this.#landed(address())));
        return true;
      case '__cxa_begin_catch': {
        const landed = this.#landed(address());
        this.state = withCaught(this.state, landed);
        run.finish(this.#object(landed));
        return true;
      }
      case '__cxa_end_catch':
        this.#endCatch();
        return true;
      case '__cxa_rethrow': {
        const last = this.state.caught.at(-1);
        if (!last) throw new Unsupported('an exception is rethrown outside all handlers');
        this.state = afterRethrow(this.state);
        this.#start(last);
        return true;
      }
      case 'llvm.eh.typeid.for':
        run.finish(BigInt(this.#types.numberOf(first?.value)));
        return true;
      case '_ZSt9terminatev':
        this.#terminate();
        return true;
      case '_ZSt18uncaught_exceptionv':
        run.finish(this.state.landed.length > 0 ? 1n : 0n);
        return true;
      case '_ZSt19uncaught_exceptionsv':
        run.finish(BigInt(this.state.landed.length));
        return true;
      default:
        return false;
    }
  }

  /** The result of a landing pad: the address and the selector of the exception. */
  get landed(): Computed {
    const last = this.state.landed.at(-1);
    if (!last) throw new Unsupported('control reaches a landing pad without an exception');
    return [BigInt(last.address), BigInt(last.selector)];
  }

  /** Continues the unwinding of an exception at a landing pad. */
  resume(address: number): void {
    const landed = this.#landed(address);
    this.state = withoutResumed(this.state, landed);
    this.#goOn(landed);
  }

  #allocate(size: number): bigint {
    const { memory } = this.run.image;
    return BigInt(memory.allocate('exception', headerSize + size).address + headerSize);
  }

  #thrown(address: number, type: Typed | undefined, destructor: number): Exception {
    const description = globalIn(type?.value);
    if (description === undefined) throw new Unsupported('the type of an exception is not known');
    return { address, type: description, destructor, place: '' };
  }

  #landed(address: number): Landed {
    const landed = landedAt(this.state, address);
    if (!landed) throw new Unsupported('the caught exception is unknown');
    return landed;
  }

  #object({ address, part }: Landed): bigint {
    const object = address + headerSize;
    return part === 'pointee' ? this.run.image.memory.load(object, 8) : BigInt(object + part);
  }

  #endCatch(): void {
    const { run } = this;
    const { exceptions, ended } = afterHandler(this.state);
    this.state = exceptions;
    if (!ended || ended.destructor === 0) {
      run.finish(undefined);
      return;
    }
    const destroy = run.image.functionAt(ended.destructor);
    if (!destroy) throw new Unsupported('the destructor of an exception is not a function');
    run.enter(destroy, [BigInt(ended.address + headerSize)]);
  }

  #terminate(): never {
    const last = this.state.caught.at(-1);
    throw last ? endedBy(last) : new Unsupported('std::terminate is called');
  }

  /**
   * Unwinds the stack if some call has a handler. Without a handler, the exception ends the program
   * before any call is left.
   */
  #start(exception: Exception): void {
    const { instructions } = this.run;
    const handler = instructions.findLastIndex(
      (each) => (this.#types.landing(...each, exception)?.selector ?? 0) > 0,
    );
    if (handler < 0) throw endedBy(exception);
    if (instructions.slice(handler, -1).some(([, { operation }]) => isEndOfHandler(operation)))
      throw leavesLibrary('__cxa_end_catch');
    this.#goOn(exception);
  }

  /** Unwinds to the innermost call with a landing pad for the exception. */
  #goOn(exception: Exception): void {
    const { run } = this;
    for (;;) {
      const innermost = run.instructions.at(-1)!;
      const landed = this.#types.landing(...innermost, exception);
      const { operation } = innermost[1];
      if (landed && operation.kind === 'call' && operation.unwind !== undefined) {
        this.state = withLanded(this.state, landed);
        run.jump(operation.unwind);
        return;
      }
      run.leave();
    }
  }
}

function endedBy({ type }: Exception): Unsupported {
  return new Unsupported(`an exception of type '${typeName(type)}' ends the program`);
}
