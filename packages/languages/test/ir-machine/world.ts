import type { Code } from './code.js';
import {
  addressFor,
  firstOnHeap,
  firstOnStack,
  firstOwn,
  type Image,
  objectAt,
  perThread,
} from './image.js';
import {
  afterCommit,
  afterIssue,
  afterLoad,
  afterModify,
  afterSection,
  afterSync,
  type Monitors,
  type ReadBytes,
  type Section,
  storeName,
} from './monitors.js';
import {
  type End,
  type Frame,
  noExceptions,
  type Pending,
  type Piece,
  type State,
  type Thread,
} from './state.js';
import { Beyond, Fault, NotKnown } from './stop.js';
import { unset, type Value } from './value.js';

/** The maximum number of stores in a store buffer. */
const longestBuffer = 10;

export type Model = 'SC' | 'TSO';

/** The address of a byte that represents the list of exit functions, which is no object. */
const exitListByte = -900;

/** A state of the machine during one step, which changes it; `state` is the result. */
export class World {
  readonly #threads: Thread[];
  readonly #fresh = new Set<number>();
  #pieces: Map<number, Piece> | undefined;
  #monitors: Monitors | undefined;
  #output: string;
  #atExit: State['atExit'];
  #leaving: number;
  #end: End | undefined;
  #section: Section | undefined;
  /** For each choice made so far in the step, the number of its alternatives. */
  readonly choices: number[] = [];
  /** Whether a store has closed a cycle of happens-before in this step. */
  isCyclic = false;

  constructor(
    readonly image: Image,
    readonly before: State,
    readonly model: Model,
    /** The choices of the step; after the end of the list, the first alternative is chosen. */
    readonly plan: readonly number[] = [],
  ) {
    this.#threads = [...before.threads];
    this.#monitors = before.monitors;
    this.#output = before.output;
    this.#atExit = before.atExit;
    this.#leaving = before.leaving;
    this.#end = before.end;
    this.#section = before.section;
  }

  get state(): State {
    return {
      threads: this.#threads,
      pieces: this.#pieces ?? this.before.pieces,
      output: this.#output,
      atExit: this.#atExit,
      leaving: this.#leaving,
      ...(this.#monitors && { monitors: this.#monitors }),
      ...(this.#section && { section: this.#section }),
      ...(this.#end && { end: this.#end }),
    };
  }

  /** Begins an atomic section of a thread, which may be in none. */
  beginSection(thread: number): void {
    if (this.#section) throw new NotKnown('sections in sections');
    this.#section = { thread, read: [], written: [] };
  }

  /** Ends the atomic section of a thread: all its accesses are one event of happens-before. */
  endSection(thread: number): void {
    if (this.#section?.thread !== thread) throw new NotKnown('the end of no section');
    if (this.#monitors) this.#monitors = afterSection(this.#monitors, this.#section);
    this.#section = undefined;
  }

  /** Records accesses of a thread if they belong to an atomic section. */
  #noteInSection(thread: number, read: readonly number[], written: readonly number[]): void {
    const section = this.#section;
    if (section?.thread !== thread) return;
    const merged = (old: readonly number[], more: readonly number[]): readonly number[] =>
      [...new Set([...old, ...more])].sort((a, b) => a - b);
    this.#section = {
      thread,
      read: merged(section.read, read),
      written: merged(section.written, written),
    };
  }

  get end(): End | undefined {
    return this.#end;
  }

  finish(end: End): void {
    this.#end = end;
  }

  /** Returns one of `count` alternatives, all of which are explored. */
  choose(count: number): number {
    if (count <= 1) return 0;
    const chosen = this.plan[this.choices.length] ?? 0;
    this.choices.push(count);
    return chosen;
  }

  print(text: string): void {
    this.#output += text;
  }

  get leaving(): number {
    return this.#leaving;
  }

  setLeaving(progress: number): void {
    this.#leaving = progress;
  }

  /** Records a locked instruction on the list of exit functions. */
  touchExitList(id: number): void {
    this.touch(id, exitListByte);
  }

  atExit(fn: number, argument: Value): void {
    this.#atExit = [...this.#atExit, { fn, argument }];
  }

  takeAtExit(): { readonly fn: number; readonly argument: Value } | undefined {
    const last = this.#atExit.at(-1);
    this.#atExit = this.#atExit.slice(0, -1);
    return last;
  }

  // Threads.

  look(id: number): Thread {
    const thread = this.#threads[id];
    if (!thread) throw new Fault(`no thread ${id}`);
    return thread;
  }

  /** Returns a copy of the thread, to be changed by the step. */
  thread(id: number): Thread {
    const old = this.look(id);
    if (this.#fresh.has(id)) return old;
    const frames = old.frames.map((frame) => ({ ...frame, registers: [...frame.registers] }));
    const copy = { ...old, frames };
    this.#threads[id] = copy;
    this.#fresh.add(id);
    return copy;
  }

  get threadIds(): readonly number[] {
    return this.#threads.map(({ id }) => id);
  }

  get threadCount(): number {
    return this.#threads.length;
  }

  addThread(frames: Frame[]): Thread {
    const id = this.#threads.length;
    const thread: Thread = {
      id,
      frames,
      buffer: [],
      serial: 0,
      status: 'running',
      result: 0,
      phase: 0,
      depth: 0,
      exceptions: noExceptions,
    };
    this.#threads.push(thread);
    this.#fresh.add(id);
    return thread;
  }

  /**
   * Whether no other thread runs and all buffers are empty, so that the order of steps does not
   * matter.
   */
  isAlone(id: number): boolean {
    return this.#threads.every(
      (thread) => thread.buffer.length === 0 && (thread.id === id || thread.status !== 'running'),
    );
  }

  sync(from: number, to: number): void {
    if (this.#monitors) this.#monitors = afterSync(this.#monitors, from, to);
  }

  frameOf(code: Code, operands: readonly Value[], isCallback = false): Frame {
    const registers = Array.from({ length: code.registers }, (): Value => undefined);
    code.parameters.forEach(({ register }, i) => (registers[register] = operands[i]));
    return { code, pc: 0, registers, rooms: 0, isCallback };
  }

  codeAt(address: number): Code {
    const code = this.image.functionAt.get(address);
    if (code === undefined) throw new Fault('call of what is no function');
    if (typeof code === 'string') throw new NotKnown(`address of ${code}`);
    return code;
  }

  // Memory.

  piece(address: number, size: number): { readonly number: number; readonly piece: Piece } {
    const number = objectAt(address);
    const piece = (this.#pieces ?? this.before.pieces).get(number);
    if (!piece || address < piece.base || address + size > piece.base + piece.bytes.length)
      throw new Fault('access outside all objects');
    return { number, piece };
  }

  setPiece(number: number, piece: Piece | undefined): void {
    this.#pieces ??= new Map(this.before.pieces);
    if (piece) this.#pieces.set(number, piece);
    else this.#pieces.delete(number);
  }

  get pieces(): ReadonlyMap<number, Piece> {
    return this.#pieces ?? this.before.pieces;
  }

  /** Whether an access of the thread is visible to other threads. */
  isSeen(id: number, address: number, size: number): boolean {
    const { number, piece } = this.piece(address, size);
    const isOwn = piece.owner === id || piece.owner === constantOwner;
    return !isOwn && !this.isAlone(id) && number >= 0;
  }

  /**
   * Returns the bytes that a load of the thread reads: from its newest buffered store to each byte,
   * or from memory.
   */
  load(id: number, address: number, size: number): readonly number[] {
    const { piece } = this.piece(address, size);
    const start = address - piece.base;
    const bytes = piece.bytes.slice(start, start + size);
    const sources: (string | undefined)[] = bytes.map(() => undefined);
    for (const { serial, address: at, bytes: stored } of this.look(id).buffer)
      stored.forEach((byte, i) => {
        const k = at + i - address;
        if (k >= 0 && k < size) [bytes[k], sources[k]] = [byte, storeName(id, serial)];
      });
    if (this.#monitors && this.isSeen(id, address, size)) {
      const memory: number[] = [];
      const early: ReadBytes['early'][number][] = [];
      sources.forEach((store, k) => {
        if (store === undefined) memory.push(address + k);
        else early.push({ store, byte: address + k });
      });
      this.#monitors = afterLoad(this.#monitors, id, { memory, early });
      this.#noteInSection(id, memory, []);
    }
    return bytes;
  }

  /**
   * Stores bytes: into the buffer if the model has buffers and the store is visible, otherwise to
   * memory.
   */
  store(id: number, address: number, bytes: readonly number[]): void {
    const { piece } = this.piece(address, bytes.length);
    if (piece.owner === constantOwner) throw new Fault('store to a constant');
    if (piece.owner !== id) this.publish(bytes);
    if (this.model === 'SC' || !this.isSeen(id, address, bytes.length)) {
      this.write(address, bytes);
      return;
    }
    const thread = this.thread(id);
    const pending: Pending = { serial: thread.serial, address, bytes };
    thread.serial += 1;
    thread.buffer = [...thread.buffer, pending];
    if (thread.buffer.length > longestBuffer) throw new Beyond('too many stores in a buffer');
    if (this.#monitors)
      this.#monitors = afterIssue(this.#monitors, id, storeName(id, pending.serial));
  }

  /** Writes bytes to memory. */
  write(address: number, bytes: readonly number[]): void {
    const { number, piece } = this.piece(address, bytes.length);
    const all = [...piece.bytes];
    bytes.forEach((byte, i) => (all[address - piece.base + i] = byte));
    this.setPiece(number, { ...piece, bytes: all });
  }

  /** Executes a locked read-modify-write; the thread's buffer must be empty. */
  modify(id: number, address: number, bytes: readonly number[]): void {
    const { piece } = this.piece(address, bytes.length);
    if (piece.owner === constantOwner) throw new Fault('store to a constant');
    if (piece.owner !== id) this.publish(bytes);
    if (this.#monitors && this.isSeen(id, address, bytes.length)) {
      const at = bytes.map((_, i) => address + i);
      this.#monitors = afterModify(this.#monitors, id, at);
      this.#noteInSection(id, at, at);
    }
    this.write(address, bytes);
  }

  /**
   * Records, for the detection of cycles, a locked instruction on internal data of a library; a
   * byte at address `byte` represents the data.
   */
  touch(id: number, byte: number): void {
    if (this.#monitors) this.#monitors = afterModify(this.#monitors, id, [byte]);
  }

  /**
   * Records, for the detection of cycles, a load of internal data of a library within a locked
   * instruction; a byte at address `byte` represents the data.
   */
  glance(id: number, byte: number): void {
    if (this.#monitors)
      this.#monitors = afterLoad(this.#monitors, id, { memory: [byte], early: [] });
  }

  /** Commits the thread's oldest buffered store to memory. */
  commit(id: number): void {
    const thread = this.thread(id);
    const [oldest, ...behind] = thread.buffer;
    if (!oldest) return;
    thread.buffer = behind;
    if (this.pieces.has(objectAt(oldest.address))) this.write(oldest.address, oldest.bytes);
    if (!this.#monitors) return;
    const bytes = oldest.bytes.map((_, i) => oldest.address + i);
    const names = behind.map(({ serial }) => storeName(id, serial));
    const after = afterCommit(this.#monitors, id, storeName(id, oldest.serial), bytes, names);
    if (after) this.#monitors = after;
    else this.isCyclic = true;
    this.#noteInSection(id, [], bytes);
  }

  /**
   * Makes the objects reachable for other threads that the bytes point to, and all objects
   * reachable from these.
   */
  publish(bytes: readonly number[]): void {
    for (let start = 0; start + 8 <= bytes.length; start += 8) {
      let address = 0;
      for (let i = 7; i >= 0; i--) address = address * 256 + bytes[start + i]!;
      this.share(address);
    }
  }

  share(address: number): void {
    const number = objectAt(address);
    const piece = this.pieces.get(number);
    if (!piece || piece.owner < 0) return;
    this.setPiece(number, { ...piece, owner: -1 });
    this.publish(piece.bytes);
  }

  /**
   * Allocates an object with undetermined content on the stack of a thread; returns its address.
   */
  room(id: number, size: number, align: number): number {
    const thread = this.thread(id);
    const number = firstOnStack + id * perThread + thread.depth;
    thread.depth += 1;
    thread.frames.at(-1)!.rooms += 1;
    const base = addressFor(this.image.seed, number, align);
    // A buffered store to an earlier object at this address still reaches memory.
    const isAwaited = thread.buffer.some(({ address }) => objectAt(address) === number);
    const bytes = Array.from({ length: size }, () => unset);
    this.setPiece(number, { base, bytes, owner: isAwaited ? -1 : id });
    return base;
  }

  /** Removes the innermost call of a thread, with its stack objects. */
  leave(id: number): Frame {
    const thread = this.thread(id);
    const frame = thread.frames.pop()!;
    for (let i = 0; i < frame.rooms; i++) {
      thread.depth -= 1;
      this.setPiece(firstOnStack + id * perThread + thread.depth, undefined);
    }
    return frame;
  }

  /** Returns the thread's instance of the thread-local variable at `address`. */
  own(id: number, address: number): number {
    const global = this.image.globals.find((each) => each.address === address);
    if (!global?.isThreadLocal) return address;
    const number = firstOwn + id * perThread + objectAt(address);
    const base = addressFor(this.image.seed, number, 64);
    if (!this.pieces.has(number)) this.setPiece(number, { base, bytes: global.bytes, owner: id });
    return base;
  }

  /**
   * Returns the address of an object of the thread alone; the first use creates the object, filled
   * with zeros.
   */
  ownPlace(id: number, place: number, size: number): number {
    const number = firstOwn + id * perThread + place;
    const base = addressFor(this.image.seed, number, 64);
    const bytes = Array.from({ length: size }, () => 0);
    if (!this.pieces.has(number)) this.setPiece(number, { base, bytes, owner: id });
    return base;
  }

  /** Allocates a new heap block; returns its address. */
  block(id: number, size: number): number {
    let number = firstOnHeap + id * perThread;
    while (this.pieces.has(number)) number += 1;
    const base = addressFor(this.image.seed, number, 16);
    this.setPiece(number, { base, bytes: Array.from({ length: size }, () => unset), owner: id });
    return base;
  }
}

/** The number in place of the owning thread of an object that is constant. */
export const constantOwner = -2;
