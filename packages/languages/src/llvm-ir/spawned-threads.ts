import type { Origin } from '@fencewright/model/program/program.js';
import { blocksBehindJoins } from './joined-threads.js';
import { nameInModule } from './link-modules.js';
import { assemblyRefused } from './lift-assembly.js';
import type { CallFrame } from './lowering-state.js';
import type { SourcePlaces } from './places.js';
import {
  type CallContext,
  ignoresParameter,
  isAllocation,
  isLifetime,
  originOfValue,
  blocksAfter,
  type ValueOrigin,
} from './pointer-origins.js';
import type { IrFunction, IrInstruction, IrValue, IrCall } from './syntax.js';
import { unknownInstruction } from './unsupported.js';
import type { World } from './world.js';

/** The number of threads that run a function, by the function's name in the source. */
export type SpawnCounts = ReadonlyMap<string, number | 'any'>;

/** A function that new threads run, and the argument of the threads. */
export interface SpawnedThreads {
  readonly function: IrFunction;
  /** The number of threads to start with the function, as requested by the user; 1 by default. */
  readonly count: number | 'any';
  readonly argument: bigint | 'undefined';
  readonly origin: Origin;
}

/** Memory used by `main`: an object and the place of the first use. */
interface MainMemory {
  readonly address: number;
  readonly size: number;
  /** The name of the memory for users. */
  readonly name: string;
  readonly origin: Origin;
}

/**
 * The threads that `main` starts from a point on, and the memory and code of `main` after that
 * point.
 */
export interface Spawned {
  readonly threads: readonly SpawnedThreads[];
  /** Memory that only `main` may use, as is checked after the threads are lowered. */
  readonly memory: readonly MainMemory[];
  /** The place of the first code that is left out after all threads have been joined. */
  readonly leftOut?: Origin;
}

/**
 * Thrown if threads with given numbers of copies are not supported; the message is the reason, with
 * its place.
 */
export class SpawnRefusal extends Error {
  constructor(
    readonly origin: Origin,
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}

const creation = '__fencewright_thread_create';
const joining = '__fencewright_thread_join';

/** Functions without a body that have no influence on the threads. */
const harmless =
  /^(?:llvm\.(?:dbg|lifetime|threadlocal\.address|assume|stack(?:save|restore)|prefetch|expect)\b.*|__fencewright_(?:nondet|outside(?:_long)?|assume|cut_off_unless|free|malloc|malloc_aligned|thread_self|thread_exit|exit))$/;

/** Functions of the library that access only the memory of arguments and results. */
const alsoHarmless: ReadonlySet<string> = new Set(['malloc', 'calloc', 'free', 'atoi', 'atol']);

/** A function call that the analysis of `main` visits. */
interface Visit {
  readonly of: IrFunction;
  readonly context: CallContext;
  /** The calls that lead to the visited code, for source places. */
  readonly calls: readonly CallFrame[];
  /** Whether the visited code may run several times. */
  readonly isRepeated: boolean;
  /** Whether the visited function is the outermost, which may have code after all joins. */
  readonly isOutermost: boolean;
}

/**
 * Analyses all code that `main` may still run when its first thread is about to start, without
 * running the code: the number of loop iterations may be unknown. `main` may start threads, join
 * threads, and use memory that no thread uses. Throws `SpawnRefusal` for all other code, since
 * `main` would then be a thread with an unknown number of steps.
 */
export function spawnedThreads(
  world: World,
  places: SourcePlaces,
  frames: readonly CallFrame[],
  counts: SpawnCounts,
): Spawned {
  return new SpawnWalk(world, places, counts, frames).walk();
}

class SpawnWalk {
  readonly #threads = new Map<IrFunction, SpawnedThreads>();
  /** By address, the globals and blocks that `main` uses. */
  readonly #used = new Map<number, MainMemory>();
  readonly #active = new Set<string>();
  #leftOut: Origin | undefined;

  constructor(
    readonly world: World,
    readonly places: SourcePlaces,
    readonly counts: SpawnCounts,
    /** The calls that are in progress when the first thread starts. */
    readonly frames: readonly CallFrame[],
  ) {}

  walk(): Spawned {
    const { frames } = this;
    let context: CallContext = new Map(
      frames[0]?.flow.of.parameters.map(({ name }) => [name, { kind: 'arguments' }]),
    );
    frames.forEach((frame, depth) => {
      const { of } = frame.flow;
      const calls = frames.slice(0, depth + 1);
      const visit = { of, context, calls, isRepeated: false, isOutermost: depth === 0 };
      const isLast = depth === frames.length - 1;
      this.#visitFrom(visit, frame.block, isLast ? frame.next : frame.next + 1);
      if (isLast) return;
      const call = of.blocks[frame.block]!.instructions[frame.next]!.operation as IrCall;
      context = this.#contextOf(call, frames[depth + 1]!.flow.of, visit);
    });
    for (const name of this.counts.keys())
      if (![...this.#threads.keys()].some((of) => this.#isNamed(of, name)))
        throw new SpawnRefusal({}, `'main' starts no thread that runs '${name}'`);
    return {
      threads: [...this.#threads.values()],
      memory: [...this.#used.values(), ...frames.flatMap((frame) => this.#localsOf(frame))],
      ...(this.#leftOut && { leftOut: this.#leftOut }),
    };
  }

  /** The locals of a call in progress, whose addresses may have escaped. */
  #localsOf(frame: CallFrame): MainMemory[] {
    const { of } = frame.flow;
    const copies = of.parameters.flatMap(({ name, byValue }) => (byValue ? [name] : []));
    const allocated = of.blocks.flatMap(({ instructions }) =>
      instructions.flatMap(({ operation, result }) =>
        operation.kind === 'alloca' && result !== undefined ? [result] : [],
      ),
    );
    return [...copies, ...allocated].flatMap((name): MainMemory[] => {
      const value = frame.locals.get(name);
      if (value?.kind !== 'number') return [];
      const address = Number(value.number);
      const size = this.world.image.memory.objectAt(address, 1)?.size ?? 1;
      return [{ address, size, name, origin: this.places.originOf([frame]) ?? {} }];
    });
  }

  /** Notes the blocks that a call of `malloc` allocated before threads start. */
  #useBlocks(of: IrFunction, name: string, calls: readonly CallFrame[]): void {
    const block = of.blocks.findIndex(({ instructions }) =>
      instructions.some(
        ({ operation, result }) =>
          result === name && operation.kind === 'call' && isAllocation(operation),
      ),
    );
    if (block < 0) return;
    const { memory } = this.world.image;
    const isRepeated = this.#blocksBehind(of, [block]).has(block);
    for (const frame of this.frames) {
      const value = frame.flow.of === of ? frame.locals.get(name) : undefined;
      if (value?.kind !== 'number') continue;
      // In a loop, the pointer may point to an earlier block; only the last block is known.
      const last = memory.objectAt(Number(value.number), 1);
      const all = isRepeated ? memory.objects.filter(({ type }) => type === undefined) : [last];
      for (const object of all) if (object) this.#use(object, calls);
    }
  }

  #use({ address, size, name }: Omit<MainMemory, 'origin'>, calls: readonly CallFrame[]): void {
    if (!this.#used.has(address))
      this.#used.set(address, { address, size, name, origin: this.places.originOf(calls) ?? {} });
  }

  #isNamed(of: IrFunction, name: string): boolean {
    return of.name === name || this.places.nameOf(of) === name;
  }

  #refuse(calls: readonly CallFrame[], message: string, hint?: string): never {
    throw new SpawnRefusal(this.places.originOf(calls) ?? {}, message, hint);
  }

  #contextOf(call: IrCall, callee: IrFunction, { of, context }: Visit): CallContext {
    return new Map(
      callee.parameters.map(({ name }, i) => {
        const operand = call.operands[i];
        const origin: ValueOrigin = operand
          ? originOfValue(of, operand.value, context)
          : { kind: 'unknown' };
        return [name, origin];
      }),
    );
  }

  #mayCall(of: IrFunction, name: string, seen = new Set<IrFunction>()): boolean {
    if (seen.has(of)) return false;
    seen.add(of);
    return of.blocks.some(({ instructions }) =>
      instructions.some((each) => this.#callsOrMay(each, name, seen)),
    );
  }

  #callsOrMay({ operation }: IrInstruction, name: string, seen: Set<IrFunction>): boolean {
    if (operation.kind !== 'call' || operation.callee.kind !== 'global') return false;
    if (operation.callee.name === name) return true;
    const callee = this.world.linked.functions.get(operation.callee.name);
    return callee !== undefined && this.#mayCall(callee, name, seen);
  }

  /**
   * The indices of the blocks of a function that create or join a thread, or from which such a
   * block is reachable.
   */
  #activeBlocks(of: IrFunction): ReadonlySet<number> {
    const successors = blocksAfter(of);
    const active = new Set<number>();
    of.blocks.forEach(({ instructions }, block) => {
      const isOne = (each: IrInstruction): boolean =>
        [creation, joining].some((name) => this.#callsOrMay(each, name, new Set()));
      if (instructions.some(isOne)) active.add(block);
    });
    for (let size = -1; size < active.size;) {
      ({ size } = active);
      successors.forEach((next, block) => {
        if (next.some((each) => active.has(each))) active.add(block);
      });
    }
    return active;
  }

  /** The indices of the blocks that can be reached by at least one edge from the given blocks. */
  #blocksBehind(of: IrFunction, blocks: readonly number[]): ReadonlySet<number> {
    const successors = blocksAfter(of);
    const reached = new Set<number>();
    const pending = blocks.flatMap((block) => successors[block]!);
    for (const each of pending) {
      if (reached.has(each)) continue;
      reached.add(each);
      pending.push(...successors[each]!);
    }
    return reached;
  }

  #visitFrom(visit: Visit, block: number, next: number): void {
    const { of } = visit;
    const successors = blocksAfter(of);
    const active = this.#activeBlocks(of);
    const joined = visit.isOutermost
      ? blocksBehindJoins(this.world, this.places, of, visit.context, block)
      : new Set<number>();
    const seen = new Set<number>();
    const pending: (readonly [number, number])[] = [[block, next]];
    for (const [at, from] of pending) {
      if (from === 0) {
        if (seen.has(at)) continue;
        seen.add(at);
      }
      const isBehind = joined.has(at) && !active.has(at);
      const { instructions } = of.blocks[at]!;
      for (let i = from; i < instructions.length; i++) {
        const frame = this.#frameAt(visit, at, i);
        const calls = [...visit.calls.slice(0, -1), frame];
        if (isBehind) this.#leaveOut(instructions[i]!, { ...visit, calls });
        else this.#visit(instructions[i]!, { ...visit, calls }, at);
      }
      pending.push(...successors[at]!.map((each) => [each, 0] as const));
    }
  }

  #frameAt({ of }: Visit, block: number, next: number): CallFrame {
    return {
      flow: this.world.flowOf(of),
      path: of.name,
      locals: new Map(),
      block,
      previous: '',
      next,
      objects: [],
      isAtomic: false,
      isOneOfSeveral: false,
    };
  }

  /** Notes the first instruction after the joins that does more than end `main`. */
  #leaveOut({ operation }: IrInstruction, { of, context, calls }: Visit): void {
    if (this.#leftOut || (operation.kind === 'call' && isLifetime(operation))) return;
    const isLocal = (address: IrValue): boolean =>
      originOfValue(of, address, context).kind === 'local';
    const isMore =
      operation.kind === 'load' || operation.kind === 'store'
        ? !isLocal(operation.address)
        : ['call', 'modify', 'exchange-if', 'fence'].includes(operation.kind);
    if (isMore) this.#leftOut = this.places.originOf(calls);
  }

  #visit({ operation }: IrInstruction, visit: Visit, block: number): void {
    switch (operation.kind) {
      case 'load':
      case 'store':
      case 'modify':
      case 'exchange-if':
        this.#access(operation.address, visit);
        return;
      case 'call':
        this.#call(operation, visit, block);
        return;
      case 'unknown':
        this.#refuse(visit.calls, unknownInstruction(operation.name).message);
        return;
      default:
        return;
    }
  }

  #access(address: IrValue, { of, context, calls }: Visit): void {
    const origin = originOfValue(of, address, context);
    if (origin.kind === 'arguments') return;
    if (origin.kind === 'local') {
      this.#useBlocks(origin.of, origin.name, calls);
      return;
    }
    // A null pointer: this is dead code, or an error in the program.
    if (origin.kind === 'number' && origin.number === 0n) return;
    if (origin.kind === 'global') {
      const { name } = origin;
      const { image, linked } = this.world;
      const global = linked.globals.get(name);
      if (global) {
        const size = image.layout.sizeOf(global.type);
        this.#use({ address: image.addressOf(name), size, name: nameInModule(name) }, calls);
        return;
      }
    }
    this.#refuse(
      calls,
      "'main' uses memory here that its threads may use, too",
      'with given numbers of threads, main may only start and join threads, and use its own locals',
    );
  }

  #call(call: IrCall, visit: Visit, block: number): void {
    const { callee } = call;
    const { of, context, calls } = visit;
    if (callee.kind === 'assembly') throw assemblyRefused(callee);
    if (callee.kind !== 'global')
      return this.#refuse(calls, 'the function called here has to be known');
    const { name } = callee;
    if (name === creation) {
      this.#create(call, visit, block);
      return;
    }
    if (name === joining || harmless.test(name)) return;
    if (/^llvm\.mem(?:set|cpy|move)\./.test(name)) {
      const pointers = name.startsWith('llvm.memset') ? 1 : 2;
      for (const { value } of call.operands.slice(0, pointers)) this.#access(value, visit);
      return;
    }
    const target = this.world.linked.functions.get(name);
    if (target && alsoHarmless.has(name) && this.places.isInLibrary(target)) return;
    if (!target || target.blocks.length === 0)
      return this.#refuse(
        calls,
        `'main' calls '${name}' while its threads run`,
        'with given numbers of threads, main may only start and join threads, and use its own locals',
      );
    const next = this.#contextOf(call, target, { of, context } as Visit);
    const key = JSON.stringify([name, [...next].map(([key2, o]) => [key2, describe(o)])]);
    // A function called at two places runs twice.
    const isRepeated =
      visit.isRepeated || this.#active.has(key) || this.#blocksBehind(of, [block]).has(block);
    if (this.#active.has(`${key} repeated`)) return;
    this.#active.add(isRepeated ? `${key} repeated` : key);
    const inner = {
      of: target,
      context: next,
      calls: [...calls, this.#frameAt({ of: target } as Visit, 0, 0)],
      isRepeated,
      isOutermost: false,
    };
    this.#visitFrom(inner, 0, 0);
  }

  #create(call: IrCall, visit: Visit, block: number): void {
    const { of, context, calls } = visit;
    const [start, handed] = call.operands;
    const origin = this.places.originOf(calls) ?? {};
    const started = start && originOfValue(of, start.value, context);
    const target =
      started?.kind === 'global' ? this.world.linked.functions.get(started.name) : undefined;
    if (!target || target.blocks.length === 0)
      return this.#refuse(calls, 'the function that a thread runs has to be known here');
    const asked = [...this.counts].find(([name]) => this.#isNamed(target, name))?.[1];
    const isRepeated =
      this.#threads.has(target) || visit.isRepeated || this.#blocksBehind(of, [block]).has(block);
    if (asked === undefined && isRepeated) {
      const name = this.places.nameOf(target);
      return this.#refuse(
        calls,
        `the number of threads that run '${name}' is unknown`,
        `give a number: ${name}=3, or ${name}=* for any`,
      );
    }
    const argument = this.#argumentOf(target, handed?.value, visit);
    const known = this.#threads.get(target);
    if (known && known.argument !== argument)
      return this.#refuse(calls, 'threads with a given number all have to get the same argument');
    this.#threads.set(target, { function: target, count: asked ?? 1, argument, origin });
  }

  #argumentOf(
    target: IrFunction,
    value: IrValue | undefined,
    { of, context, calls }: Visit,
  ): bigint | 'undefined' {
    if (!value || ignoresParameter(target)) return 'undefined';
    const origin = originOfValue(of, value, context);
    if (origin.kind === 'number') return origin.number;
    if (origin.kind === 'global' && origin.isWhole)
      return BigInt(this.world.image.addressOf(origin.name));
    return this.#refuse(
      calls,
      `the argument of '${this.places.nameOf(target)}' has to be a constant here`,
      'threads with a given number all have to get the same argument',
    );
  }
}

function describe(origin: ValueOrigin): string {
  switch (origin.kind) {
    case 'local':
      return `local ${origin.of.name} ${origin.name}`;
    case 'global':
      return `global ${origin.name} ${String(origin.isWhole)}`;
    case 'number':
      return `number ${origin.number}`;
    case 'arguments':
    case 'unknown':
      return origin.kind;
  }
}
