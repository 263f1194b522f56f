import type { Image } from './image.js';
import { type Computed, type HostAnswer, Interpreter, type Watch } from './interpret.js';
import type { IrFunction, IrInstruction } from './syntax.js';
import { Unsupported } from './unsupported.js';

/** A thread that `main` starts. */
export interface StartedThread {
  readonly function: IrFunction;
  readonly argument: bigint;
  /** The instruction that starts it. */
  readonly at: IrInstruction;
}

/** An access of `main` while threads may run. */
export interface LateAccess {
  readonly kind: 'load' | 'store';
  readonly address: number;
  readonly size: number;
  /** How many threads had been started by then; these are the first ones. */
  readonly started: number;
}

/** What `main` did. */
export type MainRun =
  | {
      readonly kind: 'threads';
      /** In the order in which they were started. */
      readonly threads: readonly StartedThread[];
      /**
       * What it looked at and changed beside its threads. Its run is the only one there is iff no
       * other thread that had been started may store to what it loads.
       */
      readonly late: readonly LateAccess[];
    }
  | {
      readonly kind: 'refused';
      readonly at?: IrInstruction;
      readonly message: string;
      readonly hint?: string;
    };

/** How many instructions `main` may run. */
const mostSteps = 1 << 22;
const mostThreads = 64;

/**
 * Runs `main` on the memory of the image until its threads have been joined, or it ends; what
 * memory holds then is what the threads find at their start.
 */
export function runMain(image: Image): MainRun {
  const main = image.module.functions.get('main');
  if (!main || main.blocks.length === 0)
    return { kind: 'refused', message: "there is no 'main'", hint: 'give the whole program' };
  const late: LateAccess[] = [];
  const library: MainLibrary = new MainLibrary(image, (kind, address, size) => {
    const started = library.threads.length;
    if (started > 0) late.push({ kind, address, size, started });
  });
  const interpreter = new Interpreter(
    image,
    (name, operands, at) => library.call(name, operands, at),
    library.watch,
  );
  const outcome = interpreter.run(
    main,
    main.parameters.map((_, i) => (i === 0 ? 1n : undefined)),
    mostSteps,
  );
  switch (outcome.kind) {
    case 'returned':
    case 'stopped':
      return { kind: 'threads', threads: library.threads, late };
    case 'limit':
      return {
        kind: 'refused',
        at: outcome.at,
        message: "'main' runs for too long before its threads are joined",
        hint: 'it is run until then; start the threads earlier',
      };
    case 'refused':
      return outcome;
  }
}

/** What `main` calls that has no body: threads, and memory. */
class MainLibrary {
  readonly threads: StartedThread[] = [];
  readonly #image: Image;
  /** Indices of threads that were joined. */
  readonly #joined = new Set<number>();

  /** `watch` is told of what the library does to memory, as well as of what `main` does. */
  constructor(
    image: Image,
    readonly watch: Watch,
  ) {
    this.#image = image;
  }

  #store(address: number, size: number, value: number): void {
    this.watch('store', address, size);
    this.#image.memory.store(address, size, BigInt(value));
  }

  call(name: string, operands: readonly Computed[], at: IrInstruction): HostAnswer | undefined {
    const { memory } = this.#image;
    if (name.startsWith('llvm.memset.')) {
      const [to, byte, size] = operands.map(number);
      this.watch('store', to!, size!);
      memory.fill(to!, size!, byte! & 255);
      return done;
    }
    if (name.startsWith('llvm.memcpy.')) {
      const [to, from, size] = operands.map(number);
      this.watch('load', from!, size!);
      this.watch('store', to!, size!);
      memory.copy(to!, from!, size!);
      return done;
    }
    if (name.startsWith('llvm.threadlocal.address.'))
      return { kind: 'value', value: BigInt(number(operands[0])) };
    if (/^llvm\.(?:dbg|lifetime)\./.test(name)) return done;
    switch (name) {
      case 'pthread_create':
        return this.#start(operands[0], operands[2], operands[3], at);
      case 'thrd_create':
        return this.#start(operands[0], operands[1], operands[2], at);
      case 'pthread_join':
      case 'thrd_join':
        return this.#join(operands[0]);
      case 'pthread_exit':
      case 'exit':
        return { kind: 'stop' };
      case 'malloc':
        return { kind: 'value', value: BigInt(memory.allocate(name, number(operands[0])).address) };
      case 'calloc': {
        const size = number(operands[0]) * number(operands[1]);
        const { address } = memory.allocate(name, size);
        memory.fill(address, size, 0);
        return { kind: 'value', value: BigInt(address) };
      }
      case 'free':
        return done;
      case 'pthread_mutex_init':
      case 'mtx_init':
        this.#store(number(operands[0]), 4, 0);
        return zero;
      default:
        return undefined;
    }
  }

  #start(handle: Computed, start: Computed, argument: Computed, at: IrInstruction): HostAnswer {
    if (this.#joined.size > 0)
      throw new Unsupported(
        'a thread is started after another was joined',
        'start all threads before the first is joined',
      );
    if (this.threads.length >= mostThreads)
      throw new Unsupported(`more than ${mostThreads} threads are started`);
    const started = this.#image.functionAt(number(start));
    if (!started) throw new Unsupported('a thread runs what is no function');
    if (started.blocks.length === 0)
      throw new Unsupported(`'${started.name}' has no body`, 'define it in the file');
    if (typeof argument !== 'bigint')
      throw new Unsupported('the argument of a thread has no value');
    this.threads.push({ function: started, argument, at });
    // The handle is the number of the thread, from 1 on.
    this.#store(number(handle), 8, this.threads.length);
    return zero;
  }

  #join(handle: Computed): HostAnswer {
    const index = number(handle) - 1;
    if (!(index in this.threads) || this.#joined.has(index))
      throw new Unsupported('what is joined is no thread that runs');
    this.#joined.add(index);
    return this.#joined.size === this.threads.length ? { kind: 'stop' } : zero;
  }
}

const done: HostAnswer = { kind: 'value' };
const zero: HostAnswer = { kind: 'value', value: 0n };

function number(value: Computed): number {
  if (typeof value !== 'bigint') throw new Unsupported('a value that is not defined is used');
  return Number(value);
}
