import type { Automata } from '../automata.js';
import { type ValueAccess, closure, Code, type Local, localName, Met } from '../code.js';
import type { HappensBefore } from '../happens-before.js';
import { type Delayed, isBehind, type Mark, marksAfter, meets } from '../marks.js';

/**
 * A place of a thread, in front of an access to memory or of a lock block. `own` has the values of
 * the thread's own cells in the order of `ModularThread.owned`.
 */
export interface Place extends Local {
  readonly own: readonly number[];
}

/** A possible value of a cell, and the mark of the cell. */
export interface Held {
  readonly value: number;
  readonly mark: Mark | undefined;
}

/** Returns all possible values of the cell at an address. */
export type Holds = (address: number) => readonly Held[];

/** A step of a thread, which accesses one cell or, for a lock block, several cells. */
export interface Move {
  /** The next place where the thread waits; absent if the thread ends. */
  readonly place: Place | undefined;
  /** The cells accessed, and their values and marks afterwards. */
  readonly cells: ReadonlyMap<number, Held>;
  /** The cells that may have another value after the step than before. */
  readonly changed: ReadonlySet<number>;
  /** Whether the step is on the happens-before path. */
  readonly isBehind: boolean;
  /** Whether the step happens before the attack's first delayed store. */
  readonly hasMet: boolean;
}

/**
 * The facts about an attack that a step depends on: whether the thread is on the happens-before
 * path, and the first delayed store.
 */
interface PathContext {
  readonly onPath: boolean;
  readonly delayed: Delayed | undefined;
  /**
   * Whether the thread passes heavy fences. While a store is delayed no thread passes one; to let
   * threads pass is still sound, as it only adds executions.
   */
  readonly passesHeavy: boolean;
}

/**
 * The state of a thread inside a lock block, and the values and marks that cells have for the
 * block.
 */
interface Block extends Local {
  readonly own: readonly number[];
  readonly cells: ReadonlyMap<number, Held>;
  /** The marks of cells at the block's first access, which other threads have left. */
  readonly before: ReadonlyMap<number, Mark | undefined>;
  readonly written: ReadonlySet<number>;
  readonly changed: ReadonlySet<number>;
  readonly isBehind: boolean;
  readonly hasMet: boolean;
}

/** Whether the access writes a value different from the value just read. */
function changes({ read, written }: ValueAccess): boolean {
  return written !== undefined && written !== read;
}

export function placeName({ own, ...local }: Place): string {
  return own.length === 0 ? localName(local) : `${localName(local)}/${own.join()}`;
}

export function heldName({ value, mark }: Held): string {
  return mark ? `${value}:${mark.seen}${mark.stored ? '!' : ''}` : String(value);
}

/**
 * Returns the result of an instruction; `undefined` for a fault, which ends the execution. Too many
 * choices are no fault of the program: `Met` is thrown.
 */
export function unlessItFaults<T>(execute: () => T): T | undefined {
  try {
    return execute();
  } catch (error) {
    if (!(error instanceof Met) || error.kind === 'choice') throw error;
    return undefined;
  }
}

function blockName({
  own,
  cells,
  before,
  written,
  changed,
  isBehind,
  hasMet,
  ...local
}: Block): string {
  const known = [...cells]
    .map(([address, held]) => {
      const first = before.get(address);
      const left = first ? `${first.seen}${first.stored ? '!' : ''}` : '';
      return `${address}=${heldName(held)}<${left}${written.has(address) ? 'w' : ''}`;
    })
    .sort();
  const different = [...changed].sort().join();
  return [localName(local), own.join(), known.join(), different, isBehind, hasMet].join(';');
}

/**
 * The possible steps of one thread. Of other threads, only the possible values of cells are known.
 * Local instructions are executed at once behind an access, as no thread can notice when. A lock
 * block is one step, as no other thread moves meanwhile. A faulting instruction has no successor.
 */
export class ModularThread {
  readonly code: Code;
  /** The addresses that only this thread writes. */
  readonly owned: readonly number[];
  readonly #slots: ReadonlyMap<number, number>;
  readonly #initial: (address: number) => number;
  readonly #happensBefore: HappensBefore;
  readonly #settled = new Map<string, readonly Local[]>();

  constructor(
    automata: Automata,
    thread: number,
    owned: readonly number[],
    initial: (address: number) => number,
    happensBefore: HappensBefore,
  ) {
    this.code = new Code(automata, automata.threads[thread]!);
    this.owned = owned;
    this.#slots = new Map(owned.map((address, slot) => [address, slot]));
    this.#initial = initial;
    this.#happensBefore = happensBefore;
  }

  /** Returns the first places of the thread. */
  starts(): readonly Place[] {
    const own = this.owned.map((address) => this.#initial(address));
    return this.#settle(this.code.initial, true).map((at) => ({ ...at, own }));
  }

  /** Returns the place for a place in a certificate; dead registers lose their values. */
  place(location: number, registers: readonly number[], own: readonly number[]): Place {
    return { ...this.code.at(location, registers), own };
  }

  /** Returns the value of an own cell at a place; `undefined` for other cells. */
  ownValue({ own }: Pick<Place, 'own'>, address: number): number | undefined {
    const slot = this.#slots.get(address);
    return slot === undefined ? undefined : own[slot];
  }

  /**
   * Returns the cells that the thread may access next from a place; `'many'` in front of a lock
   * block.
   */
  cellsAt(place: Place): ReadonlySet<number> | 'many' {
    const cells = new Set<number>();
    for (const { instruction } of this.code.leaving(place)) {
      if (instruction.kind === 'lock') return 'many';
      const address = unlessItFaults(() => this.code.addressOf(place.registers, instruction));
      if (address !== undefined) cells.add(address);
    }
    return cells;
  }

  /** Returns all steps of the thread from a place. */
  moves(place: Place, holds: Holds, context: PathContext): readonly Move[] {
    return this.code.leaving(place).flatMap((transition, at): readonly Move[] => {
      const { instruction, to } = transition;
      if (instruction.kind === 'lock')
        return this.#blocks(this.code.at(to, place.registers), place.own, holds, context);
      const address = unlessItFaults(() => this.code.addressOf(place.registers, instruction));
      if (address === undefined) return [];
      return this.#holds(place, holds, address).flatMap((held) => {
        const taken = this.#taken(place, at, held.value);
        if (!taken) return [];
        const { access, next } = taken;
        const behind = context.onPath || isBehind(held.mark, access, false);
        const shared = {
          cells: new Map([[address, this.#after(held, access, behind)]]),
          changed: new Set(changes(access) ? [address] : []),
          isBehind: behind,
          hasMet: this.#meets(context, access),
        };
        return this.#behind(next, this.#ownAfter(place.own, access), shared, context);
      });
    });
  }

  /**
   * Returns all values of a cell that this thread may find. The thread knows the values of its own
   * cells: by the invariant, these are among the possible values, and a place that contradicts the
   * invariant is never reached.
   */
  #holds(place: Pick<Place, 'own'>, holds: Holds, address: number): readonly Held[] {
    const own = this.ownValue(place, address);
    const all = holds(address);
    return own === undefined ? all : all.filter(({ value }) => value === own);
  }

  #meets({ delayed }: PathContext, access: ValueAccess): boolean {
    return delayed !== undefined && meets(delayed, access, this.#happensBefore);
  }

  #after({ value, mark }: Held, access: ValueAccess, isOnPath: boolean): Held {
    const { address, written = value } = access;
    if (!isOnPath) return { value: written, mark };
    const marks = marksAfter(new Map(mark ? [[address, mark]] : []), access, this.#happensBefore);
    return { value: written, mark: marks.get(address) };
  }

  #ownAfter(own: readonly number[], { address, written }: ValueAccess): readonly number[] {
    const slot = this.#slots.get(address);
    return slot === undefined || written === undefined ? own : own.with(slot, written);
  }

  /**
   * The results of accesses outside lock blocks, by place, number of the transition at the place,
   * and value of the cell.
   */
  readonly #results = new WeakMap<Place, Map<string, ReturnType<Code['access']>>>();

  #taken(place: Place, at: number, value: number): ReturnType<Code['access']> {
    const known = this.#results.get(place) ?? new Map<string, ReturnType<Code['access']>>();
    this.#results.set(place, known);
    const name = `${at}:${value}`;
    if (!known.has(name)) {
      const transition = this.code.leaving(place)[at]!;
      known.set(
        name,
        unlessItFaults(() => this.code.access(place, transition, () => value)),
      );
    }
    return known.get(name);
  }

  #behind(
    next: Local,
    own: readonly number[],
    shared: Omit<Move, 'place'>,
    { passesHeavy }: PathContext,
  ): readonly Move[] {
    const waiting = this.#settle(next, passesHeavy);
    if (waiting.length === 0) return [{ place: undefined, ...shared }];
    return waiting.map((at) => ({ place: { ...at, own }, ...shared }));
  }

  /**
   * Returns the next states in which the thread waits, after all instructions that need no memory.
   * Under SC fences do nothing. `passesHeavy`: whether heavy fences are instructions that need no
   * memory, too.
   */
  #settle(start: Local, passesHeavy: boolean): readonly Local[] {
    const name = `${localName(start)}${passesHeavy ? '' : '!'}`;
    const known = this.#settled.get(name);
    if (known) return known;
    const { code } = this;
    const reached = closure([start], localName, (state) => this.#locally(state, passesHeavy));
    const waiting = reached.filter((state) =>
      code
        .leaving(state)
        .some(({ instruction: { kind } }) => ['load', 'store', 'rmw', 'lock'].includes(kind)),
    );
    this.#settled.set(name, waiting);
    return waiting;
  }

  #locally<S extends Local>(state: S, passesHeavy: boolean): readonly S[] {
    return this.code.leaving(state).flatMap((transition): readonly S[] => {
      const { instruction, to } = transition;
      if (instruction.kind === 'fence' || (passesHeavy && instruction.kind === 'heavy-fence'))
        return [{ ...state, ...this.code.at(to, state.registers) }];
      const next = unlessItFaults(() => this.code.locally(state, transition)) ?? [];
      return next.map((local) => ({ ...state, ...local }));
    });
  }

  /**
   * Returns the steps by a lock block, which counts as one access: the whole block is on the
   * happens-before path if any of its accesses is, by the marks of other threads. `start` is the
   * state behind the `lock`. No other thread changes cells before the `unlock`. A block that never
   * ends has no steps.
   */
  #blocks(
    start: Local,
    own: readonly number[],
    holds: Holds,
    context: PathContext,
  ): readonly Move[] {
    const first: Block = {
      ...start,
      own,
      cells: new Map(),
      before: new Map(),
      written: new Set(),
      changed: new Set(),
      isBehind: context.onPath,
      hasMet: false,
    };
    const reached = closure([first], blockName, (block) => [
      ...this.#locally(block, context.passesHeavy),
      ...this.code
        .leaving(block)
        .flatMap((transition) => this.#inBlock(block, transition, holds, context)),
    ]);
    return reached.flatMap((block) =>
      this.code.leaving(block).flatMap(({ instruction, to }): readonly Move[] => {
        if (instruction.kind !== 'unlock') return [];
        const { cells, changed, hasMet } = block;
        const next = this.code.at(to, block.registers);
        const shared = { cells, changed, isBehind: block.isBehind, hasMet };
        return this.#behind(next, block.own, shared, context);
      }),
    );
  }

  #inBlock(
    block: Block,
    transition: Parameters<Code['access']>[1],
    holds: Holds,
    context: PathContext,
  ): readonly Block[] {
    const { instruction } = transition;
    const address = unlessItFaults(() => this.code.addressOf(block.registers, instruction));
    if (address === undefined) return [];
    const known = block.cells.get(address);
    return (known ? [known] : this.#holds(block, holds, address)).flatMap((held) => {
      const taken = unlessItFaults(() => this.code.access(block, transition, () => held.value));
      if (!taken) return [];
      const { access, next } = taken;
      const mark = known ? block.before.get(address) : held.mark;
      return [
        {
          ...next,
          own: this.#ownAfter(block.own, access),
          // The marks are those of a block on the path; a block off the path is discarded in the
          // end.
          cells: new Map(block.cells).set(address, this.#after(held, access, true)),
          before: new Map(block.before).set(address, mark),
          written:
            access.written === undefined ? block.written : new Set(block.written).add(address),
          changed: changes(access) ? new Set(block.changed).add(address) : block.changed,
          isBehind: block.isBehind || isBehind(mark, access, block.written.has(address)),
          hasMet: block.hasMet || this.#meets(context, access),
        },
      ];
    });
  }
}
