import { atEachValue } from './asked-values.js';
import { libraryAssumptions } from './assumed.js';
import {
  binary,
  constant,
  registerValue,
  type Expression,
} from '@fencewright/model/program/expression.js';
import {
  addressOfMark,
  blockName,
  forAnybody,
  forItself,
  type BlockMark,
  markSize,
} from './block-marks.js';
import { type BlockKind, type BlockRow, usualAlignment } from './blocks.js';
import type { RegisterId } from '@fencewright/model/program/ids.js';
import type { BlockStep } from '@fencewright/model/program/program.js';
import { nameInModule } from './link-modules.js';
import type { BytesAccess } from './lower-bytes.js';
import { freedBlock, innermost, instructionAt } from './lowering-state.js';
import type { Lowering } from './lowering.js';
import { keepFirst } from './open-loops.js';
import { demangled } from './scoped-names.js';
import { Unsupported } from './unsupported.js';
import {
  addressValue,
  binaryValue,
  type CellPart,
  compareValues,
  expressionValue,
  nothing,
  numberValue,
  toExpression,
  type LoweredValue,
} from './value.js';

/**
 * The minimum size in bytes at which every machine refuses an allocation, as for a too long vector.
 */
const noMachineHas = 2 ** 47;
/** The maximum size in bytes of a block whose size is computed at run time. */
const mostComputed = 4096;
/** The message about a block of unknown size. */
const unknownSize = 'the size of a block of memory is not known here';
/**
 * The maximum number of `malloc` blocks for a call in unrolled code, where every block has its own
 * address.
 */
const mostUnrolledBlocks = 64;
/**
 * The maximum number of freed blocks among which an allocation in unrolled code chooses by a copy
 * of the code for each, so that the address is a constant in each copy.
 */
const mostConstantBlocks = 4;

/**
 * The allocations and frees of one thread. If threads both allocate and free, an allocation returns
 * a new block or a freed block of the same size. A thread reuses a block from its own free list
 * without any synchronisation. A block freed for all threads passes between threads: it is marked
 * and taken by locked accesses.
 */
export class BlockAllocation {
  /** By register (each is set once), the size of the block to which the register points. */
  readonly #sizes = new Map<RegisterId, number>();

  constructor(
    readonly lowering: Lowering,
    readonly bytes: BytesAccess,
  ) {}

  get #world() {
    return this.lowering.round.world;
  }

  mark(): () => void {
    const { size } = this.#sizes;
    return () => {
      keepFirst(this.#sizes, size);
    };
  }

  /** Allocates a block for the current call, filled with 0 if `isZero`; returns the address. */
  reserve(length: LoweredValue, isZero: boolean, alignment = usualAlignment): LoweredValue {
    const { lowering } = this;
    if (length.kind === 'expression')
      return this.#inEachSize(length, (size) => this.reserve(size, isZero, alignment));
    const { thread, isUnrolled, round, state } = lowering;
    const { assumed, blocks } = this.#world;
    assumed.note(libraryAssumptions.malloc);
    round.isAnyAllocated = true;
    const size = this.#sizeIn(length);
    const kind = { size, alignment };
    const areMany = blocks.noteCall(thread, `${this.#call}#${size}`);
    if (!blocks.areReused) return this.#fresh(kind, isZero);
    if (this.#world.outside.areBlocksNew) {
      assumed.note(libraryAssumptions.newBlocks);
      return this.#fresh(kind, isZero);
    }
    if (areMany) {
      state.isTrunk = false;
      const end = (): LoweredValue => lowering.end({ kind: 'fault', reason: 'block-again' });
      return lowering.inEachWay([() => this.#fresh(kind, isZero), end]);
    }
    blocks.noteAllocating(thread);
    const isOut = (block: number): boolean => this.#isOut(block) && this.#mayBeFree(block);
    const rows = [forItself(thread), forAnybody].flatMap((mark) =>
      blocks.rowsOf(kind, mark, isOut).map((row) => ({ row, mark })),
    );
    const waysOf = (each: typeof rows) =>
      each.map(({ row, mark }) => (): LoweredValue => {
        const block = this.#takeAgain(row, size, mark);
        if (isZero) this.bytes.fill(block, numberValue(0), length);
        return block;
      });
    // In unrolled code, an address stays a constant for as long as possible.
    if (isUnrolled && rows.length === 0) return this.#fresh(kind, isZero);
    state.isTrunk = false;
    const singles = rows.flatMap(({ row, mark }) =>
      singleBlocks(row).map((each) => ({ row: each, mark })),
    );
    if (isUnrolled && singles.length <= mostConstantBlocks)
      return lowering.inEachWay([() => this.#fresh(kind, isZero), ...waysOf(singles)]);
    const again = waysOf(rows);
    const fresh = (): LoweredValue => this.#inRegister(this.#fresh(kind, isZero), size);
    const { result = '' } = instructionAt(innermost(state));
    return lowering.inEachWay([fresh, ...again], () => {
      this.#noteSize(innermost(lowering.state).locals.get(result) ?? nothing, size);
    });
  }

  /**
   * Whether the block at an address may have been allocated already on the path that is lowered.
   */
  #isOut(block: number): boolean {
    const { state, thread } = this.lowering;
    const origin = this.#world.blocks.originOf(block);
    if (!origin || origin.thread !== thread) return true;
    const count = state.pools.get(origin.call) ?? numberValue(0);
    return count.kind !== 'number' || origin.index < count.number;
  }

  /**
   * Whether the block at an address may have been freed on the path that is lowered, by this thread
   * or by another.
   */
  #mayBeFree(block: number): boolean {
    const { state } = this.lowering;
    const { blocks } = this.#world;
    const isEarly = !blocks.originOf(block);
    const isOwn = [block, 'any' as const].some((each) => {
      const freed = state.pools.get(freedOnPath(each)) ?? numberValue(0);
      return freed.kind !== 'number' || freed.number !== 0n;
    });
    return isEarly || isOwn || this.#isFreedBeside(block);
  }

  /** The size of a block in bytes. If unknown, the execution ends at a limit of the model. */
  #sizeIn(length: LoweredValue): number {
    const size = length.kind === 'number' ? Number(length.number) : undefined;
    if (size === undefined) return this.#end(unknownSize);
    if (size >= 0 && size < noMachineHas) return size;
    return this.#end('no machine has a block of memory of this size');
  }

  /**
   * Allocates a block of a computed size, separately for each possible size. Ends the execution at
   * a limit of the model where the size is large, or where the possible sizes are unknown or many.
   */
  #inEachSize(length: LoweredValue, run: (size: LoweredValue) => LoweredValue): LoweredValue {
    const refusal = new Unsupported(unknownSize);
    try {
      return atEachValue(this.lowering, length, '.size', refusal, (size) => {
        const isLarge = size.kind === 'number' && size.number > mostComputed;
        return isLarge ? this.#end(unknownSize) : run(size);
      });
    } catch (problem) {
      if (problem !== refusal) throw problem;
      return this.#end(unknownSize);
    }
  }

  #end(said: string): never {
    return this.lowering.end({ kind: 'fault', reason: 'library-limit', said });
  }

  /** Returns the address of a new block, different from the addresses of all other calls. */
  reserveApart(length: LoweredValue): LoweredValue {
    this.#world.assumed.note(libraryAssumptions.malloc);
    return this.#fresh({ size: this.#sizeIn(length), alignment: usualAlignment }, false);
  }

  /**
   * Returns the size of the block at an address; `undefined` if the pointer may be another address.
   */
  sizeOf(pointer: LoweredValue): number | undefined {
    const register = registerOf(pointer);
    return register === undefined ? undefined : this.#sizes.get(register);
  }

  /**
   * The cells of the block that a pointer points to; `undefined` if the target may be something
   * else.
   */
  cellsAt(pointer: LoweredValue): readonly CellPart[] | undefined {
    const size = this.sizeOf(pointer);
    if (size === undefined) return undefined;
    const { blocks, facts, image } = this.#world;
    const found = new Map<string, CellPart>();
    for (const { address, sizes } of facts.cells.values()) {
      const block = image.memory.objectAt(address, 1);
      if (block?.size !== size || !blocks.has(block.address)) continue;
      const part = { offset: address - block.address, size: Math.max(...sizes) };
      // Parts of an atomically accessed cell are no cells.
      if (facts.wholeAround(address, part.size)) continue;
      found.set(`${part.offset}:${part.size}`, part);
    }
    return [...found.values()].sort((one, other) => one.offset - other.offset);
  }

  /**
   * A name for the blocks of the current call, made from the user function that contains the call,
   * and the line.
   */
  get #name(): string {
    const { origin, round, state, thread } = this.lowering;
    const [inner] = origin.calls ?? [];
    // The outermost function may be the library's, which runs what a `std::thread` was given.
    const outer = round.namesOfThreads.get(thread);
    const start = (): string => demangled(nameInModule(state.frames[0]!.flow.of.name));
    return blockName(inner?.function ?? outer ?? start(), origin.span);
  }

  /** A text that identifies the current call. */
  get #call(): string {
    const { path, block, next } = innermost(this.lowering.state);
    return `${path}:${block}.${next}`;
  }

  #noteSize(block: LoweredValue, size: number): void {
    const register = registerOf(block);
    if (register !== undefined) this.#sizes.set(register, size);
  }

  #inRegister(address: LoweredValue, size: number): LoweredValue {
    const into = this.lowering.resultRegister();
    this.lowering.emit({ kind: 'assign', into, value: toExpression(address) });
    const block = expressionValue(registerValue(into));
    this.#noteSize(block, size);
    return block;
  }

  /**
   * The address of a freed block with the given mark, which is now allocated again: the mark is
   * cleared.
   */
  #takeAgain({ first, count, stride }: BlockRow, size: number, mark: BlockMark): LoweredValue {
    const { lowering } = this;
    const into = lowering.resultRegister('.mark');
    let address: LoweredValue = numberValue(first);
    if (count > 1) {
      const index = lowering.resultRegister('.index');
      lowering.emit({ kind: 'havoc', into: index, range: { low: 0, high: count - 1 } });
      const offset = binary('*', registerValue(index), constant(stride));
      address = expressionValue(binary('+', constant(first), offset));
    }
    const isKept = count === 1 && lowering.isUnrolled;
    const block = isKept ? address : this.#inRegister(address, size);
    if (count === 1) lowering.state.pools.set(freedOnPath(first), numberValue(0));
    if (mark === forAnybody) lowering.lock({ order: 'acquire' });
    const at = this.#markOf(block, mark);
    lowering.emit({ kind: 'load', into, address: at, ...ofMark(mark) });
    const condition = binary('==', registerValue(into), constant(1));
    lowering.emit({ kind: 'assume', condition, luck: 'choice' });
    this.#setMark(at, mark, 0);
    this.#noteChange(block, 'again');
    if (mark === forAnybody) lowering.unlock();
    return block;
  }

  /** Notes that the block is freed, or allocated again, for the search for uses of freed memory. */
  #noteChange(pointer: LoweredValue, block: BlockStep): void {
    if (pointer.kind !== 'number' && pointer.kind !== 'expression') return;
    const { state, thread } = this.lowering;
    const { created, joined } = state;
    const { blocks } = this.#world;
    const into = this.lowering.resultRegister('.freed');
    const address = knownAddress(pointer);
    // Steps of a thread that runs on its own are not looked at.
    const isAlone = thread === 0 && created.every((other) => joined.includes(other));
    // A thread that was joined may have freed the block before.
    const isFreedTwice = !isAlone && blocks.freeingBeside(address, thread).length > 0;
    const isBeside =
      block === 'freed' && (isFreedTwice || blocks.isUsedBeside(address, thread, joined));
    const step = { kind: 'assign', into, value: toExpression(pointer), block } as const;
    this.lowering.emit(isBeside ? { ...step, isBeside } : step);
  }

  /**
   * Notes, for the search for uses of freed memory, an access to a cell at a known address that
   * needs no step. If another thread may have freed the cell's block, a step records the access.
   * This step does not change where fences can stand.
   */
  noteAccess(block: 'loaded' | 'stored', address: number): void {
    const { lowering } = this;
    const { state, thread } = lowering;
    const { blocks, image } = this.#world;
    const at = image.memory.objectAt(address, 1)?.address;
    const isAlone = thread === 0 && state.created.length === 0;
    if (at === undefined || !blocks.has(at) || isAlone) return;
    blocks.noteUsed(at, thread);
    if (!this.#isFreedBeside(at)) return;
    const into = lowering.resultRegister('.freed');
    lowering.emit({ kind: 'assign', into, value: constant(address), block }, true);
  }

  /** Whether another thread, which may have started, may free the block at the address. */
  #isFreedBeside(address: number): boolean {
    const { state, thread } = this.lowering;
    return this.#world.blocks
      .freeingBeside(address, thread)
      .some((other) => thread !== 0 || state.created.includes(this.#world.startedForMain(other)));
  }

  /** The address of a mark of a `malloc` block, a word that records that the block was freed. */
  #markOf(block: LoweredValue, mark: BlockMark): Expression {
    const address = toExpression(addressValue('add', block, numberValue(addressOfMark(0, mark))));
    const { facts } = this.#world;
    const how = { isStored: true, isComputed: true };
    if (address.kind === 'constant')
      facts.touch(this.lowering.thread, address.value, markSize, how);
    return address;
  }

  #setMark(address: Expression, mark: BlockMark, to: 0 | 1): void {
    // A thread that takes a block freed for all holds the bus lock: only the mark set by a free
    // needs a locked store.
    const isLocked = to === 1 && mark === forAnybody;
    const value = constant(to);
    const order = to === 1 ? 'release' : 'relaxed';
    this.lowering.emit({ kind: 'store', address, value, isLocked, order, ...ofMark(mark) });
  }

  /**
   * The next block of the pool of blocks reserved for the current call, of zeros if `isZero`. The
   * execution ends at a limit of the model if the pool is empty.
   */
  #fresh(kind: BlockKind, isZero: boolean): LoweredValue {
    const { size, alignment } = kind;
    const { lowering } = this;
    const { pool } = this.#world;
    const { state, thread, isUnrolled } = lowering;
    const site = `${this.#call}#${size}${alignment === usualAlignment ? '' : `@${alignment}`}`;
    const blocks = isUnrolled ? mostUnrolledBlocks : pool;
    const objects = Array.from({ length: blocks }, (_, index) =>
      this.#world.block({ thread, call: site, index }, this.#name, kind, isZero),
    );
    const [first, second] = objects;
    if (!first) return lowering.end({ kind: 'fault', reason: 'empty-pool' });
    const stride = second ? second.address - first.address : 0;
    const count = state.pools.get(site) ?? numberValue(0);
    const isLeft = compareValues('slt', 32, count, numberValue(blocks));
    lowering.guard(toExpression(isLeft), 'empty-pool');
    const next = binaryValue('add', 32, count, numberValue(1), false);
    if (count.kind !== 'number') {
      // The count is in a register, which is set here and read nowhere in between.
      const taken = lowering.resultRegister('.block');
      lowering.emit({ kind: 'assign', into: taken, value: toExpression(count) });
      state.pools.set(
        site,
        binaryValue('add', 32, expressionValue(registerValue(taken)), numberValue(1), false),
      );
      return expressionValue(
        binary('+', binary('*', registerValue(taken), constant(stride)), constant(first.address)),
      );
    }
    state.pools.set(site, next);
    return numberValue(first.address + Number(count.number) * stride);
  }

  /** Frees the block that the pointer points to; freeing a null pointer has no effect. */
  free(pointer: LoweredValue): void {
    const { lowering } = this;
    const { blocks } = this.#world;
    const isNull = pointer.kind === 'number' && pointer.number === 0n;
    if (isNull) return;
    lowering.round.isAnyFreed = true;
    this.#world.assumed.note(libraryAssumptions.freed);
    blocks.noteFreed(knownAddress(pointer), lowering.thread, lowering.state.joined);
    lowering.state.pools.set(freedOnPath(knownAddress(pointer)), numberValue(1));
    this.#noteChange(pointer, 'freed');
    const marks = blocks.marksBy(lowering.thread, lowering.state.joined);
    if (marks.length === 0) return;
    if (pointer.kind === 'number' && !blocks.has(Number(pointer.number)))
      lowering.end({ kind: 'fault', reason: 'no-object' });
    lowering.state.isTrunk = false;
    const address = toExpression(pointer);
    const where = (test: '==' | '!='): void => {
      const condition = binary(test, address, constant(0));
      if (address.kind !== 'constant') lowering.emit({ kind: 'assume', condition });
    };
    const ways = marks.map((mark) => (): LoweredValue => {
      where('!=');
      const at = this.#markOf(pointer, mark);
      if (address.kind === 'constant') blocks.noteMarked(address.value, mark);
      this.#setMark(at, mark, 1);
      return nothing;
    });
    if (!marks.includes(forItself(lowering.thread)))
      // A thread that allocates nothing may keep the block for ever, without any synchronisation.
      ways.push(() => nothing);
    else if (address.kind !== 'constant')
      ways.push(() => {
        where('==');
        return nothing;
      });
    lowering.inEachWay(ways);
  }
}

/** The blocks of a row, each as a row of its own. */
function singleBlocks({ first, count, stride }: BlockRow): readonly BlockRow[] {
  return Array.from({ length: count }, (_, i) => ({
    first: first + i * stride,
    count: 1,
    stride: 0,
  }));
}

/** The key in `pools` of whether the path has freed the block at the address. */
const freedOnPath = (address: number | 'any'): string => `${freedBlock}${address}`;

/**
 * The common properties of all accesses to a mark of a `malloc` block (a word that records the
 * freeing of the block).
 */
const ofMark = (mark: BlockMark) =>
  ({ size: markSize, access: 'allocation', blockMark: mark }) as const;

function knownAddress(pointer: LoweredValue): number | 'any' {
  return pointer.kind === 'number' ? Number(pointer.number) : 'any';
}

function registerOf(value: LoweredValue): RegisterId | undefined {
  const { expression } = value.kind === 'expression' ? value : {};
  return expression?.kind === 'register' ? expression.register : undefined;
}
