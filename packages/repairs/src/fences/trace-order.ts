import { at } from '@fencewright/ground/base/at.js';
import type { ThreadId } from '@fencewright/model/program/ids.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { Action, Computation } from '@fencewright/model/trace/computation.js';

/** The positions of the `lock` and of the `unlock` of a lock block. */
interface Block {
  readonly lock: number;
  readonly unlock: number;
}

/** Returns the lock block of each action, by position; `undefined` outside of blocks. */
function blocksOf(computation: Computation): readonly (Block | undefined)[] {
  const locked = new Map<ThreadId, number>();
  const blocks: (Block | undefined)[] = computation.map(() => undefined);
  for (const [place, { thread, kind }] of computation.entries()) {
    if (kind === 'lock') locked.set(thread, place);
    const lock = locked.get(thread);
    if (kind !== 'unlock' || lock === undefined) continue;
    locked.delete(thread);
    for (let own = lock; own <= place; own++)
      if (at(computation, own).thread === thread) blocks[own] = { lock, unlock: place };
  }
  return blocks;
}

/** Whether the action waits until all stores of its thread have reached memory. */
function drains(program: Program, { kind, thread, transition }: Action): boolean {
  if (kind === 'fence' || kind === 'lock' || kind === 'unlock') return true;
  if (kind !== 'rmw') return false;
  const { instruction } = at(at(program.threads, thread).transitions, transition);
  return instruction.kind === 'rmw' && instruction.handOver === undefined;
}

/** The last write to one cell so far, with the reads of the written value. */
interface Cell {
  write: number | undefined;
  reads: number[];
}

/** A buffered store, with the loads of its thread that have read the store from the buffer. */
interface Issued {
  readonly place: number;
  readonly address: number;
  /** The positions of the loads that have read the store from the buffer. */
  readonly early: number[];
}

/** Adds the pairs of actions whose order makes up the trace of a computation. */
class TraceReader {
  readonly #program: Program;
  readonly #add: (before: number | undefined, after: number) => void;
  readonly #cells = new Map<number, Cell>();
  readonly #waiting: Issued[][];
  /** For each thread, the position in the computation of its last instruction so far. */
  readonly #last: (number | undefined)[];
  /** For each thread, the position in the computation of the last arrival of a store in memory. */
  readonly #stored: (number | undefined)[];

  constructor(program: Program, add: (before: number | undefined, after: number) => void) {
    this.#program = program;
    this.#add = add;
    this.#waiting = program.threads.map(() => []);
    this.#last = program.threads.map(() => undefined);
    this.#stored = program.threads.map(() => undefined);
  }

  read(action: Action, place: number): void {
    const { thread } = action;
    if (action.kind === 'store') {
      const issued = at(this.#waiting, thread).shift();
      this.#add(issued?.place, place);
      this.#add(this.#stored[thread], place);
      this.#stored[thread] = place;
      this.#writes(action.address, place, issued?.early ?? []);
      return;
    }
    this.#add(this.#last[thread], place);
    this.#last[thread] = place;
    if (drains(this.#program, action)) this.#add(this.#stored[thread], place);
    if (action.kind === 'issue')
      at(this.#waiting, thread).push({ place, address: action.address, early: [] });
    if (action.kind === 'load') this.#loads(action, place);
    if (action.kind === 'rmw') {
      this.#reads(action.address, place);
      if (action.written !== undefined) this.#writes(action.address, place, []);
    }
  }

  #loads({ thread, address, early }: Extract<Action, { kind: 'load' }>, place: number): void {
    const own = at(this.#waiting, thread).findLast((store) => store.address === address);
    if (early) own?.early.push(place);
    else this.#reads(address, place);
  }

  #reads(address: number, place: number): void {
    const cell = this.#cell(address);
    this.#add(cell.write, place);
    cell.reads.push(place);
  }

  #writes(address: number, place: number, early: readonly number[]): void {
    const cell = this.#cell(address);
    this.#add(cell.write, place);
    for (const read of cell.reads) if (read !== place) this.#add(read, place);
    this.#cells.set(address, { write: place, reads: [...early] });
  }

  #cell(address: number): Cell {
    const known = this.#cells.get(address) ?? { write: undefined, reads: [] };
    this.#cells.set(address, known);
    return known;
  }
}

/**
 * The order of a computation's actions as far as the trace requires the order: all computations
 * that respect the order have the same trace and the same final state. A lock block is treated as a
 * whole.
 */
export class TraceOrder {
  readonly #program: Program;
  readonly #computation: Computation;
  readonly #blocks: readonly (Block | undefined)[];
  /** By the position of an action, the positions of required predecessors. */
  readonly #before: number[][];

  constructor(program: Program, computation: Computation) {
    this.#program = program;
    this.#computation = computation;
    this.#blocks = blocksOf(computation);
    this.#before = computation.map(() => []);
    const reader = new TraceReader(program, (before, after) => {
      if (before !== undefined) this.#add(before, after);
    });
    for (const [place, action] of computation.entries()) reader.read(action, place);
  }

  /** Adds one pair. A pair with an action of a lock block orders the whole block. */
  #add(before: number, after: number): number {
    const [first, second] = [this.#blocks[before], this.#blocks[after]];
    const isOutside = first?.lock !== second?.lock;
    const to = isOutside ? (second?.lock ?? after) : after;
    at(this.#before, to).push(isOutside ? (first?.unlock ?? before) : before);
    return to;
  }

  /**
   * Returns the positions of the action at `last` and of all actions that come before it in the
   * order.
   */
  upTo(last: number): ReadonlySet<number> {
    const found = new Set([last]);
    // Additions during the iteration are visited too.
    for (const place of found) for (const before of at(this.#before, place)) found.add(before);
    return found;
  }

  /**
   * Requires, for each of the pairs, that its first action comes before its second, if some
   * computation keeps the old and the new pairs. Returns whether the pairs were added.
   */
  tryAll(pairs: readonly (readonly [before: number, after: number])[]): boolean {
    const changed = pairs.map(([before, after]) => this.#add(before, after));
    if (this.#places()) return true;
    for (const place of changed.reverse()) at(this.#before, place).pop();
    return false;
  }

  /**
   * Returns the positions of the actions in a sequence that keeps all pairs; `undefined` if there
   * is none.
   */
  #places(): readonly number[] | undefined {
    const states: ('open' | 'done' | undefined)[] = this.#computation.map(() => undefined);
    const places: number[] = [];
    const visit = (place: number): boolean => {
      if (states[place]) return states[place] === 'done';
      const block = this.#blocks[place];
      // A visit of the lock visits the whole block.
      if (block && !states[block.lock] && block.lock !== place) return visit(block.lock);
      states[place] = 'open';
      if (!at(this.#before, place).every(visit)) return false;
      states[place] = 'done';
      places.push(place);
      if (block?.lock !== place) return true;
      for (let own = place; own <= block.unlock; own++)
        if (this.#blocks[own]?.lock === place && !visit(own)) return false;
      return true;
    };
    for (const place of this.#computation.keys()) if (!visit(place)) return undefined;
    return places;
  }

  /** Returns a computation consistent with all pairs; `undefined` if no computation is. */
  inOrder(): Computation | undefined {
    const waiting = this.#program.threads.map((): number[] => []);
    return this.#places()?.map((place): Action => {
      const action = at(this.#computation, place);
      const own = at(waiting, action.thread);
      if (action.kind === 'issue') own.push(action.address);
      if (action.kind === 'store') own.shift();
      return action.kind === 'load' ? { ...action, early: own.includes(action.address) } : action;
    });
  }
}
