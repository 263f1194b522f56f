import { addressOfMark, forAnybody, forItself, type BlockMark } from './block-marks.js';
import type { Facts } from './facts.js';
import type { MemoryBlock } from '@fencewright/model/program/program.js';
import type { ByteMemory, MemoryObject } from './memory.js';

/**
 * A row of `malloc` blocks at equal distances: the first address, the number of blocks, and the
 * distance in bytes.
 */
export interface BlockRow {
  readonly first: number;
  readonly count: number;
  readonly stride: number;
}

/** The requested size and alignment of a `malloc` block, in bytes. */
export interface BlockKind {
  readonly size: number;
  readonly alignment: number;
}

/**
 * The call by which a thread allocates a block, and the number of blocks allocated earlier by the
 * same call of the thread.
 */
export interface BlockOrigin {
  readonly thread: number;
  /** A text that identifies the call within the code of the thread. */
  readonly call: string;
  readonly index: number;
}

/** The default alignment of a block, in bytes. */
export const usualAlignment = 16;

/**
 * The maximum number of allocating calls of a thread for which reuse of freed blocks is modelled.
 */
const mostCalls = 6;

/**
 * The blocks of `malloc`, and the facts about freed and reused blocks. A new fact raises the
 * version of `Facts`.
 */
export class Blocks {
  readonly #all = new Map<number, MemoryObject>();
  readonly #origins = new Map<number, BlockOrigin>();
  readonly #allocating = new Set<number>();
  /** By thread, the texts that identify the allocating calls of the thread. */
  readonly #calls = new Map<number, Set<string>>();
  /** By mark, the addresses of the blocks whose freeing may set this mark of the block. */
  readonly #marked = new Map<BlockMark, Set<number>>();
  readonly #freed = new Set<number | 'any'>();
  /**
   * By block (`any` for frees at unknown addresses) and by freeing thread: the threads that have
   * always ended before the free.
   */
  readonly #freeing = new Map<number | 'any', Map<number, readonly number[]>>();
  /** By block, the threads whose accesses to the block are no steps of the program. */
  readonly #using = new Map<number, Set<number>>();
  #areReused = false;

  constructor(readonly facts: Facts) {}

  /**
   * Whether freed `malloc` blocks may be allocated again: threads allocate blocks and free some.
   */
  get areReused(): boolean {
    return this.#areReused;
  }

  allowReuse(): void {
    if (this.#areReused) return;
    this.#areReused = true;
    this.facts.bump();
  }

  /** Whether a `malloc` block begins at the address. */
  has(address: number): boolean {
    return this.#all.has(address);
  }

  /**
   * The requested size of the block that begins at the address; `undefined` if none begins there.
   */
  sizeAt(address: number): number | undefined {
    return this.#all.get(address)?.size;
  }

  note(block: MemoryObject, origin?: BlockOrigin): void {
    this.#all.set(block.address, block);
    if (origin) this.#origins.set(block.address, origin);
  }

  /** The origin of the block at the address; `undefined` for a block from before threads start. */
  originOf(address: number): BlockOrigin | undefined {
    return this.#origins.get(address);
  }

  /** Notes that a thread may allocate freed blocks. */
  noteAllocating(thread: number): void {
    if (this.#allocating.has(thread)) return;
    this.#allocating.add(thread);
    this.facts.bump();
  }

  /**
   * Notes that a thread allocates blocks by a call. Returns true if the thread has too many such
   * calls to model reuse of blocks.
   */
  noteCall(thread: number, call: string): boolean {
    let calls = this.#calls.get(thread);
    if (!calls) this.#calls.set(thread, (calls = new Set()));
    const before = calls.size;
    if (before <= mostCalls) calls.add(call);
    if (before <= mostCalls && calls.size > mostCalls) this.facts.bump();
    return calls.size > mostCalls;
  }

  /**
   * The marks (words that record that a block was freed) that a thread may set when it frees a
   * block: `forItself` if the thread may allocate the block again, and `forAnybody` if another
   * thread may. The threads in `ended` allocate nothing any more.
   */
  marksBy(thread: number, ended: readonly number[]): readonly BlockMark[] {
    const getting = [...this.#allocating].filter((each) => !ended.includes(each));
    return [
      ...(getting.includes(thread) ? [forItself(thread)] : []),
      ...(getting.some((each) => each !== thread) ? [forAnybody] : []),
    ];
  }

  /**
   * Notes that freeing a `malloc` block may set the given mark of the block: a word that records
   * the freeing.
   */
  noteMarked(block: number, mark: BlockMark): void {
    let known = this.#marked.get(mark);
    if (!known) this.#marked.set(mark, (known = new Set()));
    this.#freed.add(block);
    if (known.has(block)) return;
    known.add(block);
    this.facts.bump();
  }

  /** Whether freeing some `malloc` block may set a mark of the block. */
  get areAnyMarked(): boolean {
    return this.#marked.size > 0;
  }

  /** Whether the `malloc` block at the address may have been freed. */
  mayBeFreed(address: number): boolean {
    return this.#freed.has('any') || this.#freed.has(address);
  }

  /** The blocks that may have been freed, ascending by address. */
  get allFreed(): readonly MemoryBlock[] {
    return [...this.#all.values()]
      .filter(({ address }) => this.mayBeFreed(address))
      .map(({ name, address, size }) => ({ name, address, size }))
      .sort((one, other) => one.address - other.address);
  }

  /**
   * Notes that a thread frees the block at the address (`any`: some block), whether or not freed
   * blocks are allocated again. The threads in `ended` have ended before the free.
   */
  noteFreed(address: number | 'any', thread: number, ended: readonly number[]): void {
    let threads = this.#freeing.get(address);
    if (!threads) this.#freeing.set(address, (threads = new Map<number, readonly number[]>()));
    const before = threads.get(thread);
    const always = before?.filter((each) => ended.includes(each)) ?? ended;
    if (this.#freed.has(address) && before?.length === always.length) return;
    this.#freed.add(address);
    threads.set(thread, [...always]);
    this.facts.bump();
  }

  /**
   * The other threads that may free the block at the address (`any`: some block) without waiting
   * for the end of the given thread first.
   */
  freeingBeside(address: number | 'any', thread: number): readonly number[] {
    const places = address === 'any' ? [...this.#freeing.keys()] : [address, 'any' as const];
    const found = places.flatMap((at) => [...(this.#freeing.get(at) ?? [])]);
    return found.flatMap(([other, ended]) =>
      other === thread || ended.includes(thread) ? [] : [other],
    );
  }

  /** Notes that a thread accesses a block without a step although other threads may run. */
  noteUsed(block: number, thread: number): void {
    const threads = this.#using.get(block) ?? new Set();
    if (threads.has(thread)) return;
    this.#using.set(block, threads.add(thread));
    this.facts.bump();
  }

  /**
   * Whether another thread may access or free the block at the address (`any`: some block). The
   * threads in `ended` do not count, since they have ended before.
   */
  isUsedBeside(address: number | 'any', thread: number, ended: readonly number[]): boolean {
    const isBeside = (other: number): boolean => other !== thread && !ended.includes(other);
    const { facts } = this;
    if (facts.isAnyAnywhere) return true;
    const blocks = address === 'any' ? [...this.#all.keys()] : [address];
    const users = [...blocks, 'any' as const].flatMap((each) => [
      ...(each === 'any' ? [] : (this.#using.get(each) ?? [])),
      ...(this.#freeing.get(each)?.keys() ?? []),
    ]);
    if (users.some(isBeside)) return true;
    return [...facts.cells.values()].some(
      (cell) =>
        [...cell.threads].some(isBeside) &&
        blocks.some((each) => {
          const size = this.sizeAt(each) ?? 0;
          return cell.address >= each && cell.address < each + size;
        }),
    );
  }

  /**
   * Notes that the block at the address is freed before threads start. Has no effect if no block
   * begins at the address.
   */
  freeEarly(memory: ByteMemory, address: number): void {
    if (!this.#all.has(address)) return;
    memory.setMark(addressOfMark(address, forAnybody));
    this.noteMarked(address, forAnybody);
  }

  /**
   * The freed blocks with this block mark that fit the request: equal size, sufficient alignment.
   * Blocks for which `isOut` is false have not been allocated yet, and are left out.
   */
  rowsOf(
    { size, alignment }: BlockKind,
    mark: BlockMark,
    isOut: (block: number) => boolean,
  ): readonly BlockRow[] {
    const addresses = [...(this.#marked.get(mark) ?? [])]
      .filter((address) => isOut(address))
      .filter((address) => {
        const block = this.#all.get(address)!;
        return block.size === size && block.alignment >= alignment;
      })
      .sort((one, other) => one - other);
    const rows: { readonly first: number; count: number; stride: number }[] = [];
    for (const address of addresses) {
      const row = rows.at(-1);
      const stride = row ? address - (row.first + (row.count - 1) * row.stride) : 0;
      if (row && (row.count === 1 || stride === row.stride)) {
        row.stride = stride;
        row.count += 1;
      } else rows.push({ first: address, count: 1, stride: 0 });
    }
    return rows;
  }
}
