import type { Bytes } from './bytes.js';
import type { FirstHalf } from './integer-pieces.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Origin } from '@fencewright/model/program/program.js';
import { Assumed, libraryAssumptions, neverFails } from './assumed.js';
import { CommandLine } from './command-line.js';
import { mayCall, type PointerTargets } from './call-graph.js';
import { type BlockKind, type BlockOrigin, Blocks } from './blocks.js';
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
import { isAccessStep, isUseBeside, type LoweredStep } from './step.js';
import { UnnamedBytes } from './unnamed-bytes.js';

/** A thread that another thread starts. */
export interface ThreadStart {
  /** The number of the thread, from 1 on; `main` is 0. */
  readonly id: number;
  readonly by: number;
  readonly function: IrFunction;
  /**
   * The argument of the thread: a number, if known when the thread is created; `computed` at run
   * time; or `undefined`.
   */
  readonly argument: bigint | 'computed' | 'undefined';
  /**
   * Whether `main` creates the thread in every execution, and executes no step visible to other
   * threads before the creation. Otherwise the thread waits for a cell that records the creation.
   */
  readonly isOnTrunk: boolean;
  readonly origin: Origin;
}

/** A call made by the process itself, such as the call of `main`, with the operands. */
interface ProcessCall {
  readonly of: IrFunction;
  readonly operands: readonly bigint[];
}

/**
 * An access of `main` assumed to need no step: a store invisible to all other threads, or a load of
 * a value that no other thread can change before the load.
 */
interface TrunkAccess {
  readonly kind: 'load' | 'store';
  readonly address: number;
  readonly size: number;
  /** The numbers of the threads that `main` has started before the access. */
  readonly created: readonly number[];
}

/** The size in bytes of the object in which libstdc++ counts waiting threads. */
const waitersSize = 128;

/** The bytes that an instruction accesses at a computed address, with the possible addresses. */
export interface ComputedBytes {
  readonly site: string;
  readonly size: number;
  readonly addresses: readonly number[];
}

/**
 * The options for lowering a program. If lowering with some options fails, it may succeed with
 * others.
 */
interface LoweringManner {
  /** Whether `main` has to end at the last join, whatever `main` computes later. */
  readonly endsAtLastJoin: boolean;
  /**
   * Whether a thread that calls functions through pointers counts as a thread that starts threads.
   */
  readonly areSpecialised: boolean;
  /** The half of 16-byte integers in the lowest bits of codes. */
  readonly firstHalf: FirstHalf;
  /**
   * Whether loads of awaited cells, whose known values keep a thread in an endless loop, become
   * steps.
   */
  readonly loadsAwaited: boolean;
  /**
   * Whether a statement without a model only ends the executions that reach it, as a limit of the
   * model, instead of refusing the program.
   */
  readonly refusesLate: boolean;
  /** Whether the process runs the exit functions that are registered while threads run. */
  readonly runsLasts: boolean;
}

/** The data about a program that persist over all rounds of lowering. */
export class World {
  readonly facts = new Facts();
  readonly blocks = new Blocks(this.facts);
  /** The assumptions about the environment of the program on which all answers rest. */
  readonly assumed = new Assumed();
  /** The assumptions on which only answers about C11 rest. */
  readonly assumedOfC11 = new Assumed();
  readonly #flows = new Map<IrFunction, FunctionFlow>();
  readonly #objects = new Map<string, MemoryObject>();
  readonly #threads = new Map<string, number>();
  /** By number of a thread, the number of the thread's starter. */
  readonly #starters = new Map<number, number>();
  readonly #waiters = new Map<number, number>();
  readonly #starting = new Set<number>();
  readonly #tooLong = new Set<number>();
  /**
   * The calls that the process makes after `main`, the last one first: destructors, and exit
   * functions registered before threads start.
   */
  readonly lastCalls: ProcessCall[];
  readonly commandLine: CommandLine;
  /** The number of sections under the bus lock that `main` is in when the first thread starts. */
  openSections = 0;
  /** Whether a thread other than `main` starts threads. */
  hasNested = false;
  /** Whether some integer of 16 bytes was encoded in a number of 64 bits. */
  hasCodes = false;
  /**
   * Whether `areSpecialised` would change the lowering of some thread with calls through pointers.
   */
  isSpared = false;
  /** Whether a path through the code of a thread was refused. */
  isRefusedOnPaths = false;
  /** Whether `main` has read an input value, or memory possibly stored to by other threads. */
  hasMainLooked = false;
  /**
   * Whether the part of `main` after its last join is lowered only for its values in final states.
   */
  isTailLowered = false;
  /** The numbers of the threads that represent any number of copies. */
  readonly uncounted = new Set<number>();
  /** By address of the cell for an output, the output of a thread. */
  readonly outputs = new Map<number, OutputCell>();
  /** The addresses of the cells that count how often threads have printed. */
  readonly counters = new Set<number>();
  /** The instructions executed by `main` before the start of threads, each with the function. */
  readonly ran = new Map<IrInstruction, IrFunction>();

  constructor(
    readonly image: Image,
    readonly linked: Linked,
    /** The maximum number of blocks that a call of `malloc` allocates in a thread. */
    readonly pool: number,
    /** The input values of the program that is lowered. */
    readonly outside: Outside,
    /** Whether a function, given by name, belongs to the library of the headers. */
    readonly isOfLibrary: (name: string) => boolean,
    readonly manner: LoweringManner,
  ) {
    this.commandLine = new CommandLine(image);
    this.lastCalls = listedFunctions(linked, 'llvm.global_dtors').map((of) => ({
      of,
      operands: [],
    }));
  }

  /** Whether the process makes calls after `main`: to destructors or exit functions. */
  get hasLasts(): boolean {
    return this.lastCalls.length > 0 || this.manner.runsLasts;
  }

  /** Notes the assumption on the input value with a name, as the program uses the value. */
  noteOutside(name: string): void {
    const assumption = this.outside.assumptionOn(name);
    if (assumption) this.assumed.note(assumption);
  }

  /**
   * The input value with a name, if the user bounds the value to a single number; otherwise
   * `undefined`.
   */
  fixedOutside(name: string): number | undefined {
    const { low, high } = this.outside.choiceOf(name);
    if (low !== high) return undefined;
    this.noteOutside(name);
    return low;
  }

  /** Notes the assumption about a library function if the program uses the result of the call. */
  noteCall({ name }: IrFunction, by: IrFunction, call: IrInstruction): void {
    if (!this.isOfLibrary(name) || this.isOfLibrary(by.name)) return;
    if (libraryFunctions.get(name)?.kind !== 'assumed' || !isResultUsed(by, call)) return;
    const isMemory = /^_Zn[wa]m|alloc|memalign/.test(name);
    this.assumed.note(isMemory ? libraryAssumptions.malloc : neverFails(name));
  }

  flowOf(of: IrFunction): FunctionFlow {
    let flow = this.#flows.get(of);
    if (!flow) this.#flows.set(of, (flow = computeFlow(of)));
    return flow;
  }

  /**
   * Returns the object with the key, created on first use with the user's name `name` and a size in
   * bytes. The alignment, in bytes, is that of the type if none is given. Throws `Unsupported`.
   */
  object(
    key: string,
    name: string,
    size: number,
    {
      alignment,
      ...what
    }: Pick<MemoryObject, 'type' | 'variable' | 'lifetime' | 'owner'> & {
      readonly alignment?: number | undefined;
    } = {},
  ): MemoryObject {
    const { layout, memory } = this.image;
    let object = this.#objects.get(key);
    if (!object) {
      const aligned = alignment ?? (what.type ? layout.alignmentOf(what.type) : 16);
      this.#objects.set(key, (object = memory.allocate(name, size, aligned, what)));
    }
    return object;
  }

  /**
   * The block of `malloc` with the origin, created on first use; of zeros if `isZero`; size and
   * alignment in bytes. Throws `Unsupported`.
   */
  block(
    origin: BlockOrigin,
    name: string,
    { size, alignment }: BlockKind,
    isZero: boolean,
  ): MemoryObject {
    const key = `${origin.thread}:${origin.call}:${origin.index}`;
    let block = this.#objects.get(key);
    if (!block) {
      this.#objects.set(
        key,
        (block = this.image.memory.allocateBlock(name, size, alignment, isZero)),
      );
      this.blocks.note(block, origin);
    }
    return block;
  }

  /** The address of a global or a function for a thread. Throws `Unsupported`. */
  addressFor(thread: number, name: string): number {
    const global = this.linked.globals.get(name);
    const address = this.image.addressOf(name);
    return thread === 0 || !global?.isThreadLocal ? address : this.#threadLocal(thread, global);
  }

  /** The address of a thread's own instance of a thread-local global. Throws `Unsupported`. */
  #threadLocal(thread: number, { name, type, alignment, initial, variable }: IrGlobal): number {
    const { layout, memory, addressOf } = this.image;
    const key = `${thread}:thread-local:${name}`;
    const isKnown = this.#objects.has(key);
    const shown = shownName(this.linked, name, variable);
    const { address } = this.object(key, shown, layout.sizeOf(type), {
      ...{ type, variable, alignment },
    });
    if (!isKnown && initial)
      initialise(memory, layout, addressOf, address, { type, value: initial });
    return address;
  }

  /**
   * The number of the thread with the key, which the thread `by` starts; assigned on first use.
   * Throws `Unsupported`.
   */
  threadOf(key: string, by: number): number {
    let id = this.#threads.get(key);
    if (id === undefined) {
      id = this.#threads.size + 1;
      if (id > mostThreads)
        throw new Unsupported(
          `more than ${mostThreads} threads are started`,
          'the number of threads that start has to be known',
          undefined,
          true,
        );
      this.#threads.set(key, id);
      this.#starters.set(id, by);
    }
    return id;
  }

  /**
   * The first thread in the chain of starts that leads from `main` to the given thread: `main`
   * starts the first thread, each thread of the chain starts the next, and the last is the given
   * thread.
   */
  startedForMain(thread: number): number {
    const by = this.#starters.get(thread) ?? 0;
    return by === 0 ? thread : this.startedForMain(by);
  }

  /** The address of the internal cell of a thread for the purpose `what`, such as `argument`. */
  cell(what: string, thread: number): number {
    return this.object(`${what} ${thread}`, `${what}[${thread}]`, 4).address;
  }

  /** The cell that passes a computed argument to a thread. */
  argumentCell(thread: number): { readonly address: number; readonly size: number } {
    return { address: this.cell('argument', thread), size: 4 };
  }

  /** By address for which threads wait, the address of the number of waiting threads. */
  get waiters(): ReadonlyMap<number, number> {
    return this.#waiters;
  }

  /**
   * The address of the cell with the number of threads that wait for `address`. Throws
   * `Unsupported`.
   */
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

  /** Notes that a thread reaches a creation of another thread; returns whether the note is new. */
  noteStarting(thread: number): boolean {
    if (this.#starting.has(thread)) return false;
    this.#starting.add(thread);
    this.facts.bump();
    return true;
  }

  /** The address of the cell for an output of a thread. */
  outputCell(thread: ThreadId, key: string, output: Output): number {
    const { address } = this.object(`output ${thread} ${key}`, 'output', 8);
    if (!this.outputs.has(address)) this.outputs.set(address, { thread, output });
    return address;
  }

  /** Whether the code of a thread is too long with all its loops unrolled. */
  isTooLong(thread: number): boolean {
    return this.#tooLong.has(thread);
  }

  /** Notes that the code of a thread is too long with all loops unrolled. */
  noteTooLong(thread: number): void {
    if (this.#tooLong.has(thread)) return;
    this.#tooLong.add(thread);
    this.facts.bump();
  }

  /**
   * Whether the code of a thread that runs the function is specialised for each combination of
   * known numbers, as needed for starting threads. A thread that may start threads only through
   * function pointers is specialised unless its code becomes too long or blocks are reused.
   */
  isUnrolled(thread: number, of: IrFunction): boolean {
    if (this.#starting.has(thread)) return true;
    const body = of.blocks.map(({ instructions }) => instructions);
    const mayStart = (targetsOf: PointerTargets): boolean =>
      mayCall(this.linked, body, ['__fencewright_thread_create'], targetsOf);
    if (this.#tooLong.has(thread) || this.blocks.areReused) return mayStart(() => []);
    if (this.manner.areSpecialised) return mayStart(() => 'anything');
    const isUnrolled = mayStart((call) => this.candidates(call));
    this.isSpared ||= !isUnrolled && mayStart(() => 'anything');
    return isUnrolled;
  }

  /**
   * The functions that a call through a pointer may call: functions whose address is taken and
   * whose type fits the call.
   */
  candidates({ operands, returns }: Extract<IrOperation, { kind: 'call' }>): readonly IrFunction[] {
    return this.#addressTaken().filter(
      (each) =>
        each.blocks.length > 0 &&
        !(calledByTable.test(each.name) && this.isOfLibrary(each.name)) &&
        (each.parameters.length === operands.length ||
          (each.isVariadic && each.parameters.length < operands.length)) &&
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
    // The process alone calls the functions in lists such as `llvm.global_ctors`.
    for (const [name, { initial }] of globals) if (!name.startsWith('llvm.')) visit(initial);
    for (const { blocks } of functions.values())
      for (const { instructions } of blocks)
        for (const { operation } of instructions)
          if (operation.kind === 'call') visit(operation.operands);
          else visit(operation);
    return (this.#taken = [...functions.values()].filter(({ name }) => names.has(name)));
  }
}

/**
 * Library functions called only through the virtual tables of exception classes. The exception is
 * known at every such call: these functions are no candidates for other calls.
 */
const calledByTable = /^_ZNKSt\d+\w+4whatEv$|^fw_no_category$/;

/**
 * Whether values of the two types are passed to functions in the same way; fields of structures are
 * not compared.
 */
function isAlike(one: IrType, other: IrType): boolean {
  return one.kind === 'int' && other.kind === 'int'
    ? one.bits === other.bits
    : one.kind === other.kind;
}

/** The data of a single round of lowering, in which all threads are lowered. */
export class Round {
  /**
   * By address, the bytes stored by accesses of `main` without steps; the bytes count as initial
   * values.
   */
  readonly #initial = new Map<number, number>();
  readonly starts = new Map<number, ThreadStart>();
  readonly trunk: TrunkAccess[] = [];
  /**
   * By number of a thread that library code starts, the name of the user function that the thread
   * runs.
   */
  readonly namesOfThreads = new Map<number, string>();
  /** Whether some thread frees a block of `malloc`. */
  isAnyFreed = false;
  /** Whether some thread allocates a block of `malloc`. */
  isAnyAllocated = false;
  /**
   * Whether, so far in this round, no access, bus lock or heavy fence of `main` has become a step,
   * and `main` has not used a block that another thread may use at the same time.
   */
  isQuiet = true;
  /** The text (`questionSite`) of the instruction from which a step was made, by step. */
  readonly sites = new WeakMap<LoweredStep, string>();
  /** By text (`questionSite`) of an access, the alignment of its address in bytes. */
  readonly alignments = new Map<string, number>();
  /**
   * Whether a path was left unfinished, since no value of an operand is known yet: see `askValues`.
   */
  hasOpenQuestion = false;
  /** Whether executions end at some statement without a model: see `refusesLate`. */
  isRefusedLate = false;
  /** The cells whose known values keep a thread in an endless loop. */
  readonly awaited: Bytes[] = [];
  /** The accesses at computed addresses in this round, if the possible addresses are known. */
  readonly computed: ComputedBytes[] = [];
  /** The source places of accesses that need no step, since the accessed values are known. */
  readonly known = new PlaceSet();
  /**
   * The source places of accesses with a memory order that need no step, including accesses to
   * local variables.
   */
  readonly ownOrdered = new PlaceSet();
  readonly unnamed = new UnnamedBytes();
  /** By place, the heavy fences that do nothing, with the reason. */
  readonly vainFences = new Map<string, { readonly origin: Origin; readonly text: string }>();

  constructor(readonly world: World) {}

  /** Notes a step of `main` if visible to other threads or dependent on other threads. */
  noteOfMain(step: LoweredStep): void {
    const isOfOthers = step.kind === 'lock' || step.kind === 'heavy-fence';
    if (isAccessStep(step) || isOfOthers || isUseBeside(step)) this.isQuiet = false;
    const isLook = isAccessStep(step) ? step.kind !== 'store' : step.kind === 'havoc';
    if (!isLook || this.world.hasMainLooked) return;
    this.world.hasMainLooked = true;
    this.world.facts.bump();
  }

  /** The content of a cell before threads start; `undefined` if uninitialised. */
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

  /** Sets the content of a cell from before the start of the threads that access the cell. */
  setInitial(address: number, size: number, value: bigint): void {
    for (let i = 0; i < size; i++)
      this.#initial.set(address + i, Number(BigInt.asUintN(8, value >> BigInt(8 * i))));
  }

  /**
   * Notes the accesses of `main` that were wrongly assumed to be invisible to other threads. The
   * next round does not perform these accesses before threads start.
   */
  judgeTrunk(): void {
    const { facts } = this.world;
    for (const { kind, address, size, created } of this.trunk) {
      const others = this.#withStarted(created);
      const isSeen = [...facts.cells.values()].some(
        (cell) =>
          cell.address < address + size &&
          address < cell.address + Math.max(...cell.sizes) &&
          // If `main` accesses a cell with stores by a step, its other accesses have to be steps as
          // well, to keep their order.
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

  /** The given threads, and all threads that the given threads start, directly or indirectly. */
  #withStarted(threads: readonly number[]): readonly number[] {
    const all = new Set(threads);
    for (const starter of all)
      for (const { id, by } of this.starts.values()) if (by === starter) all.add(id);
    return [...all];
  }
}
