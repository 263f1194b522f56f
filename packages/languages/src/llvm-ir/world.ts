import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Origin } from '@fencewright/model/program/program.js';
import { Assumed, assumptions, neverFails } from './assumed.js';
import { CommandLine } from './command-line.js';
import { mayCall } from './call-graph.js';
import { Blocks } from './blocks.js';
import { computeFlow, type FunctionFlow, isResultUsed } from './flow.js';
import { libraryFunctions } from './library-functions.js';
import type { Outside } from './outside.js';
import { Facts } from './facts.js';
import { cellName } from './cell-names.js';
import { shownName, type Image } from './image.js';
import { initialise } from './constants.js';
import { listedFunctions } from './listed-functions.js';
import type { Linked } from './link-modules.js';
import type { MemoryObject } from './memory.js';
import type { IrFunction, IrGlobal, IrInstruction, IrOperation, IrType } from './syntax.js';
import type { Output, OutputCell } from './outputs.js';
import { PlaceSet } from './place-set.js';
import { mostThreads } from './thread-limit.js';
import { Unsupported } from './unsupported.js';
import { isAccess, type Step } from './step.js';

/** A thread that some thread starts. */
export interface ThreadStart {
  /** From 1 on; `main` is 0. */
  readonly id: number;
  readonly by: number;
  readonly function: IrFunction;
  /** The argument of the thread, if known when the thread is created. */
  readonly argument: bigint | 'computed' | 'undefined';
  /** Every execution creates the thread, before other threads can notice its creator. */
  readonly isOnTrunk: boolean;
  readonly origin: Origin;
}

/** A function that the process calls by itself, such as `main`, with what it gets. */
interface ProcessCall {
  readonly of: IrFunction;
  readonly operands: readonly bigint[];
}

/** A store of `main` that nobody could see happen, or a load whose value nobody changed before. */
interface TrunkAccess {
  readonly kind: 'load' | 'store';
  readonly address: number;
  readonly size: number;
  /** The threads that had been started. */
  readonly created: readonly number[];
}

/** How many bytes libstdc++ has for a count of threads that wait. */
const waitersSize = 128;

/** What stays the same while threads are lowered again and again. */
export class World {
  readonly facts = new Facts();
  readonly blocks = new Blocks(this.facts);
  /** What has been taken for granted of what is outside of the program. */
  readonly assumed = new Assumed();
  readonly #flows = new Map<IrFunction, FunctionFlow>();
  readonly #objects = new Map<string, MemoryObject>();
  readonly #threads = new Map<string, number>();
  readonly #waiters = new Map<number, number>();
  readonly #starting = new Set<number>();
  readonly #tooLong = new Set<number>();
  /** What runs behind `main`, the last first: destructors, and what `main` says before threads. */
  readonly lastCalls: ProcessCall[];
  readonly commandLine: CommandLine;
  /** How many sections under the bus lock `main` is in when it starts the first thread. */
  openSections = 0;
  /** Some other thread than `main` starts threads. */
  hasNested = false;
  /** `main` has read what other threads may store, or something from outside. */
  hasMainLooked = false;
  /** What `main` does when nothing runs beside it any more is lowered for its outcomes alone. */
  isTailLowered = false;
  /** Threads that stand for any number of copies. */
  readonly uncounted = new Set<number>();
  /** What threads give to the outside, by the address that stands for it. */
  readonly outputs = new Map<number, OutputCell>();
  /** The addresses that stand for how often threads have printed. */
  readonly counters = new Set<number>();
  /** What `main` has run before it starts threads: instructions, with their functions. */
  readonly ran = new Map<IrInstruction, IrFunction>();

  constructor(
    readonly image: Image,
    readonly linked: Linked,
    /** How many blocks a call of `malloc` may give in a thread. */
    readonly pool: number,
    /** What comes from outside. */
    readonly outside: Outside,
    /** Whether a function is one of ours, by its name. */
    readonly isOfLibrary: (name: string) => boolean,
    /** `main` ends where nothing runs beside it any more, whatever it alone knows. */
    readonly endsAtLastJoin: boolean,
  ) {
    this.commandLine = new CommandLine(image);
    this.lastCalls = listedFunctions(linked, 'llvm.global_dtors').map((of) => ({
      of,
      operands: [],
    }));
  }

  /** Notes what is taken for granted of a value from outside, which is used. */
  noteOutside(name: string): void {
    const assumption = this.outside.assumptionOn(name);
    if (assumption) this.assumed.note(assumption);
  }

  /** The value from outside of that name, where the user says the one that it is. */
  fixedOutside(name: string): number | undefined {
    const { low, high } = this.outside.choiceOf(name);
    if (low !== high) return undefined;
    this.noteOutside(name);
    return low;
  }

  /** Notes what is taken for granted where somebody looks at the result of a call. */
  noteCall({ name }: IrFunction, by: IrFunction, call: IrInstruction): void {
    if (!this.isOfLibrary(name) || this.isOfLibrary(by.name)) return;
    if (libraryFunctions.get(name)?.kind !== 'assumed' || !isResultUsed(by, call)) return;
    const isMemory = /^_Zn[wa]m$|alloc|memalign/.test(name);
    this.assumed.note(isMemory ? assumptions.malloc : neverFails(name));
  }

  flowOf(of: IrFunction): FunctionFlow {
    let flow = this.#flows.get(of);
    if (!flow) this.#flows.set(of, (flow = computeFlow(of)));
    return flow;
  }

  /** The object of that key, made when it is first asked for. Throws `Unsupported`. */
  object(
    key: string,
    name: string,
    size: number,
    what: Pick<MemoryObject, 'type' | 'variable' | 'lifetime'> = {},
  ): MemoryObject {
    let object = this.#objects.get(key);
    if (!object)
      this.#objects.set(
        key,
        (object = this.image.memory.allocate(
          name,
          size,
          what.type ? this.image.layout.alignmentOf(what.type) : 16,
          what,
        )),
      );
    return object;
  }

  /** The block of `malloc` of that key, made when it is first asked for. Throws `Unsupported`. */
  block(key: string, name: string, size: number): MemoryObject {
    let block = this.#objects.get(key);
    if (!block) {
      this.#objects.set(key, (block = this.image.memory.allocateBlock(name, size)));
      this.blocks.note(block);
    }
    return block;
  }

  /** Where a global or a function is for a thread. Throws `Unsupported`. */
  addressFor(thread: number, name: string): number {
    const global = this.linked.globals.get(name);
    const address = this.image.addressOf(name);
    return thread === 0 || !global?.isThreadLocal ? address : this.#threadLocal(thread, global);
  }

  /** The address of a thread's own copy of a thread-local object. Throws `Unsupported`. */
  #threadLocal(thread: number, { name, type, initial, variable }: IrGlobal): number {
    const { layout, memory, addressOf } = this.image;
    const key = `${thread}:thread-local:${name}`;
    const isKnown = this.#objects.has(key);
    const shown = shownName(this.linked, name, variable);
    const { address } = this.object(key, shown, layout.sizeOf(type), { type, variable });
    if (!isKnown && initial)
      initialise(memory, layout, addressOf, address, { type, value: initial });
    return address;
  }

  /** The number of the thread that is started in this way. Throws `Unsupported`. */
  threadOf(key: string): number {
    let id = this.#threads.get(key);
    if (id === undefined) {
      id = this.#threads.size + 1;
      if (id > mostThreads)
        throw new Unsupported(
          `more than ${mostThreads} threads are started`,
          'how many threads start has to be known',
        );
      this.#threads.set(key, id);
    }
    return id;
  }

  /** The address of a cell of ours for a thread. */
  cell(what: string, thread: number): number {
    return this.object(`${what} ${thread}`, `${what}[${thread}]`, 4).address;
  }

  /** The cell through which a thread gets an argument that is computed. */
  argumentCell(thread: number): { readonly address: number; readonly size: number } {
    return { address: this.cell('argument', thread), size: 4 };
  }

  /** What lies where those are counted who wait for an address, by that address. */
  get waiters(): ReadonlyMap<number, number> {
    return this.#waiters;
  }

  /** Where those are counted who wait for an address: nobody at first. Throws `Unsupported`. */
  waitersFor(address: number): number {
    const known = this.#waiters.get(address);
    if (known !== undefined) return known;
    const { memory } = this.image;
    const object = memory.objectAt(address, 1);
    const name = object ? `waiters[${cellName(this.image, object, address)}]` : 'waiters';
    const count = memory.allocate(name, waitersSize, waitersSize);
    memory.fill(count.address, waitersSize, 0);
    this.#waiters.set(address, count.address);
    this.facts.bump();
    return count.address;
  }

  /** Says that a thread comes to where it starts another one. */
  noteStarting(thread: number): void {
    if (this.#starting.has(thread)) return;
    this.#starting.add(thread);
    this.facts.bump();
  }

  /** The address that stands for something that a thread gives to the outside. */
  outputCell(thread: ThreadId, key: string, output: Output): number {
    const { address } = this.object(`output ${thread} ${key}`, 'output', 8);
    if (!this.outputs.has(address)) this.outputs.set(address, { thread, output });
    return address;
  }

  /** Says that the code of a thread is too long when its loops are unrolled. */
  noteTooLong(thread: number): void {
    if (this.#tooLong.has(thread)) return;
    this.#tooLong.add(thread);
    this.facts.bump();
  }

  /**
   * Whether the code of the thread that runs the function has a copy for each choice of numbers, as
   * who starts threads needs. Who only calls through pointers gets that as long as it has an end,
   * and no blocks come again.
   */
  isUnrolled(thread: number, of: IrFunction): boolean {
    if (this.#starting.has(thread)) return true;
    const isJoined = this.#tooLong.has(thread) || this.blocks.areGivenOutAgain;
    const throughPointers = isJoined ? 'nothing' : 'anything';
    const body = of.blocks.map(({ instructions }) => instructions);
    return mayCall(this.linked, body, ['__fencewright_thread_create'], throughPointers);
  }

  /** The functions whose address is taken that a call may be of, by the types of its values. */
  candidates({ operands, returns }: Extract<IrOperation, { kind: 'call' }>): readonly IrFunction[] {
    return this.#addressTaken().filter(
      (each) =>
        each.blocks.length > 0 &&
        each.parameters.length === operands.length &&
        each.parameters.every(({ type }, i) => isAlike(type, operands[i]!.type)) &&
        (returns.kind === 'void' || isAlike(each.returns, returns)),
    );
  }

  #taken: readonly IrFunction[] | undefined;

  #addressTaken(): readonly IrFunction[] {
    if (this.#taken) return this.#taken;
    const names = new Set<string>();
    const visit = (node: unknown): void => {
      if (Array.isArray(node)) for (const each of node) visit(each);
      else if (typeof node === 'object' && node !== null) {
        const { kind, name } = node as { readonly kind?: unknown; readonly name?: string };
        if (kind === 'global') names.add(name!);
        for (const [key, each] of Object.entries(node)) if (key !== 'span') visit(each);
      }
    };
    const { globals, functions } = this.linked;
    for (const { initial } of globals.values()) visit(initial);
    for (const { blocks } of functions.values())
      for (const { instructions } of blocks)
        for (const { operation } of instructions)
          if (operation.kind === 'call') visit(operation.operands);
          else visit(operation);
    return (this.#taken = [...functions.values()].filter(({ name }) => names.has(name)));
  }
}

/** Whether values of the types are passed alike; structures are not looked into. */
function isAlike(one: IrType, other: IrType): boolean {
  return one.kind === 'int' && other.kind === 'int'
    ? one.bits === other.bits
    : one.kind === other.kind;
}

/** What comes up in one round, in which all threads are lowered. */
export class Round {
  /** Bytes that are initial though they are stored late. */
  readonly #initial = new Map<number, number>();
  readonly starts = new Map<number, ThreadStart>();
  readonly trunk: TrunkAccess[] = [];
  /** Which results of threads somebody asks for. */
  readonly joined = new Set<number>();
  /** What users call the function of theirs that a thread runs which starts in hidden code. */
  readonly namesOfThreads = new Map<number, string>();
  /** Whether threads give memory back, and whether they get some. */
  isGivenBack = false;
  isGivenOut = false;
  /** Nothing that `main` does while it may run beside others could be noticed so far. */
  isQuiet = true;
  /** Places of accesses that are no steps of a thread, for what they give is known. */
  readonly known = new PlaceSet();

  constructor(readonly world: World) {}

  /** Notes that `main` does what others may see, or learns what they do. */
  noteOfMain(step: Step): void {
    if (isAccess(step) || step.kind === 'lock') this.isQuiet = false;
    const isLook = isAccess(step) ? step.kind !== 'store' : step.kind === 'havoc';
    if (!isLook || this.world.hasMainLooked) return;
    this.world.hasMainLooked = true;
    this.world.facts.bump();
  }

  /** What a cell holds before there are threads; `undefined` where nothing. */
  initialValue(address: number, size: number): bigint | undefined {
    const { memory } = this.world.image;
    let value = 0n;
    for (let i = size - 1; i >= 0; i--) {
      const late = this.#initial.get(address + i);
      const byte = late ?? memory.loadIfAny(address + i, 1);
      if (byte === undefined) return undefined;
      value = (value << 8n) | BigInt(byte);
    }
    return value;
  }

  /** Says that a cell holds the value before there are the threads that look at it. */
  setInitial(address: number, size: number, value: bigint): void {
    for (let i = 0; i < size; i++)
      this.#initial.set(address + i, Number(BigInt.asUintN(8, value >> BigInt(8 * i))));
  }

  /** Tells the facts what was wrongly supposed about accesses of `main`. */
  judgeTrunk(): void {
    const { facts } = this.world;
    for (const { kind, address, size, created } of this.trunk) {
      const others = this.#withStarted(created);
      const isSeen = [...facts.cells.values()].some(
        (cell) =>
          cell.address < address + size &&
          address < cell.address + Math.max(...cell.sizes) &&
          // What `main` itself does there step by step comes in the order of its steps.
          ((cell.isStored && cell.threads.has(0)) ||
            ((kind === 'store' || cell.isStored) &&
              others.some((thread) => cell.threads.has(thread)))),
      );
      const isElsewhere =
        facts.isAnywhere(0, true) ||
        others.some((thread) => facts.isAnywhere(thread, kind === 'load'));
      if (isSeen || isElsewhere) facts.noteLate(`${kind}${address}`);
    }
  }

  /** The given threads, and all threads that these create, directly or through others. */
  #withStarted(threads: readonly number[]): readonly number[] {
    const all = new Set(threads);
    for (const starter of all)
      for (const { id, by } of this.starts.values()) if (by === starter) all.add(id);
    return [...all];
  }
}
