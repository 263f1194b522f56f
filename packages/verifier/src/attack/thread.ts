import type { Transition } from '../automata.js';
import { type ValueAccess, closure, type Code, type Local, localName, Met } from '../code.js';
import type { HappensBefore } from '../happens-before.js';
import { type Delayed, isBehind, type Mark, marksAfter, meets } from './marks.js';

/**
 * A place of a thread, in front of an access to memory or of a lock block. Equal places of an
 * `AttackThread` are one object.
 */
export interface Place extends Local {
  /** A text that identifies the place among the places of the thread. */
  readonly name: string;
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

/** The facts about an attack that a step depends on. */
export interface PathContext {
  /** Whether the thread is on the happens-before path. */
  readonly onPath: boolean;
  /** The first delayed store; `undefined` before the last load of the attacker. */
  readonly delayed: Delayed | undefined;
  /**
   * Whether the thread passes heavy fences. While a store is delayed no thread passes one; to let
   * threads pass is still sound, as it only adds executions.
   */
  readonly passesHeavy: boolean;
}

/** The context of steps that no attack concerns. */
export const noPath = { onPath: false, delayed: undefined, passesHeavy: true } as const;

/** The attacker in the second phase of an attack. */
export interface Attacking extends Local {
  /** The newest value in the attacker's buffer, by address. */
  readonly buffer: ReadonlyMap<number, number>;
  readonly delayed: Delayed;
}

export function attackingName({ buffer, delayed, ...local }: Attacking): string {
  const waiting = [...buffer].sort(([a], [b]) => a - b).map((store) => store.join('='));
  return `${localName(local)};${waiting.join()};${delayed.address}=${delayed.value}`;
}

/**
 * The state of a thread inside a lock block, and the values and marks that cells have for the
 * block.
 */
interface Block extends Local {
  readonly cells: ReadonlyMap<number, Held>;
  /** The marks that other threads have left on cells, as they are at the block's first access. */
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

export function heldName({ value, mark }: Held): string {
  return mark ? `${value}:${mark.seen}${mark.stored ? '!' : ''}` : String(value);
}

function blockName({ cells, before, written, changed, isBehind, hasMet, ...local }: Block): string {
  const known = [...cells]
    .map(([address, held]) => {
      const first = before.get(address);
      const left = first ? `${first.seen}${first.stored ? '!' : ''}` : '';
      return `${address}=${heldName(held)}<${left}${written.has(address) ? 'w' : ''}`;
    })
    .sort();
  const different = [...changed].sort().join();
  return [localName(local), known.join(), different, isBehind, hasMet].join(';');
}

/**
 * The steps of one thread in an attack ([BDM13] Sects. 4 and 5): as a helper, and as the attacker.
 * Of other threads, only the possible values of cells are known. Local instructions are executed at
 * once behind an access, as no thread can notice when. A lock block is one step, as no other thread
 * moves meanwhile (docs/adr/0007); a block that never ends has no steps. A faulting instruction has
 * no successor.
 */
export class AttackThread {
  readonly code: Code;
  readonly #happensBefore: HappensBefore;
  readonly #onFault: ((met: Met) => void) | undefined;
  readonly #places = new Map<string, Place>();
  readonly #settled = new Map<string, readonly Place[]>();
  /**
   * The results of accesses outside lock blocks, by place, number of the transition at the place,
   * and value of the cell.
   */
  readonly #results = new WeakMap<Place, Map<string, ReturnType<Code['access']>>>();

  /** `onFault` is called at each fault, which ends the execution; it may throw the fault. */
  constructor(code: Code, happensBefore: HappensBefore, onFault?: (met: Met) => void) {
    this.code = code;
    this.#happensBefore = happensBefore;
    this.#onFault = onFault;
  }

  /** Returns the first places of the thread. */
  starts(): readonly Place[] {
    return this.#settle(this.code.initial, true);
  }

  /** Returns the place with this location and these registers; dead registers lose their values. */
  place(location: number, registers: readonly number[]): Place {
    return this.#same(this.code.at(location, registers));
  }

  /**
   * Returns the cells that the thread may access next from a place; `'many'` in front of a lock
   * block.
   */
  cellsAt(place: Place): ReadonlySet<number> | 'many' {
    const cells = new Set<number>();
    for (const { instruction } of this.code.leaving(place)) {
      if (instruction.kind === 'lock') return 'many';
      const address = this.#unlessItFaults(() => this.code.addressOf(place.registers, instruction));
      if (address !== undefined) cells.add(address);
    }
    return cells;
  }

  /** Returns all steps of the thread from a place, as a helper. */
  moves(place: Place, holds: Holds, context: PathContext): readonly Move[] {
    return this.code.leaving(place).flatMap((transition, at): readonly Move[] => {
      const { instruction, to } = transition;
      if (instruction.kind === 'lock')
        return this.#blocks(this.code.at(to, place.registers), holds, context);
      const address = this.#unlessItFaults(() => this.code.addressOf(place.registers, instruction));
      if (address === undefined) return [];
      return holds(address).flatMap((held) => {
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
        return this.#behind(next, shared, context);
      });
    });
  }

  /**
   * Returns the states of the attacker after delaying a store at a place; none if the store cannot
   * be delayed ([BDM13] Eq. (1)).
   */
  delay(
    { location, registers }: Local,
    { from, to, instruction }: Transition,
  ): readonly Attacking[] {
    if (from !== location || instruction.kind !== 'store') return [];
    const store = this.#storeOf(registers, instruction);
    if (!store) return [];
    const [address, written] = store;
    const delayed = { address, value: this.#happensBefore === 'value' ? written : 0 };
    return [{ ...this.code.at(to, registers), buffer: new Map([store]), delayed }];
  }

  /**
   * Returns the next states of the attacker, and the address of the load from memory, if there is
   * one. Stores stay in the buffer, and no other thread notices loads from the buffer ([BDM13] Eqs.
   * (3) to (6)). The attack ends at fences, rmws, `lock` and `unlock`, which wait for an empty
   * buffer.
   */
  attack(
    state: Attacking,
    transition: Transition,
    holds: Holds,
  ): { readonly next: readonly Attacking[]; readonly loaded?: number } {
    const { code } = this;
    const { instruction, to } = transition;
    const { registers, buffer } = state;
    if (instruction.kind === 'store') {
      const store = this.#storeOf(registers, instruction);
      if (!store) return { next: [] };
      return {
        next: [{ ...state, ...code.at(to, registers), buffer: new Map(buffer).set(...store) }],
      };
    }
    if (instruction.kind !== 'load') {
      return { next: this.#next(state, transition).map((at) => ({ ...state, ...at })) };
    }
    const address = this.#unlessItFaults(() => code.addressOf(registers, instruction));
    if (address === undefined) return { next: [] };
    const reading = (value: number): Attacking => ({
      ...state,
      ...code.at(to, registers.with(instruction.into, value)),
    });
    const early = buffer.get(address);
    if (early !== undefined) return { next: [reading(early)] };
    return { next: holds(address).map(({ value }) => reading(value)), loaded: address };
  }

  /**
   * Returns the states of the attacker behind a delayed store and up to its last load, and calls
   * `onLoad` at each load from memory, with its address.
   */
  attacks(
    starts: readonly Attacking[],
    holds: Holds,
    onLoad: (state: Attacking, transition: Transition, address: number) => void,
  ): void {
    closure(starts, attackingName, (state) =>
      this.code.leaving(state).flatMap((transition) => {
        const { next, loaded } = this.attack(state, transition, holds);
        if (loaded !== undefined) onLoad(state, transition, loaded);
        return next;
      }),
    );
  }

  /** Whether the thread can delay a store at a place and then reach a load from memory. */
  mayAttack(place: Local, store: Transition): boolean {
    let loads = false;
    this.attacks(
      this.delay(place, store),
      () => [],
      () => {
        loads = true;
      },
    );
    return loads;
  }

  #storeOf(
    registers: readonly number[],
    instruction: Extract<Transition['instruction'], { readonly kind: 'store' }>,
  ): readonly [address: number, value: number] | undefined {
    return this.#unlessItFaults(() => [
      this.code.addressOf(registers, instruction)!,
      this.code.stored(registers, instruction),
    ]);
  }

  /** Returns the states after an instruction that needs no memory; none after other ones. */
  #next(state: Local, transition: Transition): readonly Local[] {
    const onFault = (met: Met): void => this.#onFault?.(met);
    return this.#unlessItFaults(() => this.code.locally(state, transition, onFault)) ?? [];
  }

  #unlessItFaults<T>(execute: () => T): T | undefined {
    try {
      return execute();
    } catch (error) {
      if (!(error instanceof Met)) throw error;
      this.#onFault?.(error);
      return undefined;
    }
  }

  #same({ location, registers }: Local): Place {
    const name = localName({ location, registers });
    const known = this.#places.get(name) ?? { location, registers, name };
    this.#places.set(name, known);
    return known;
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

  #taken(place: Place, at: number, value: number): ReturnType<Code['access']> {
    const known = this.#results.get(place) ?? new Map<string, ReturnType<Code['access']>>();
    this.#results.set(place, known);
    const name = `${at}:${value}`;
    if (!known.has(name)) {
      const transition = this.code.leaving(place)[at]!;
      known.set(
        name,
        this.#unlessItFaults(() => this.code.access(place, transition, () => value)),
      );
    }
    return known.get(name);
  }

  #behind(next: Local, shared: Omit<Move, 'place'>, { passesHeavy }: PathContext): readonly Move[] {
    const waiting = this.#settle(next, passesHeavy);
    if (waiting.length === 0) return [{ place: undefined, ...shared }];
    return waiting.map((place) => ({ place, ...shared }));
  }

  /**
   * Returns the next states in which the thread waits, after all instructions that need no memory.
   * Under SC fences do nothing. `passesHeavy`: whether heavy fences are instructions that need no
   * memory, too.
   */
  #settle(start: Local, passesHeavy: boolean): readonly Place[] {
    const name = `${localName(start)}${passesHeavy ? '' : '!'}`;
    const known = this.#settled.get(name);
    if (known) return known;
    const { code } = this;
    const reached = closure([start], localName, (state) => this.#locally(state, passesHeavy));
    const waiting = reached
      .filter((state) =>
        code
          .leaving(state)
          .some(({ instruction: { kind } }) => ['load', 'store', 'rmw', 'lock'].includes(kind)),
      )
      .map((state) => this.#same(state));
    this.#settled.set(name, waiting);
    return waiting;
  }

  #locally<S extends Local>(state: S, passesHeavy: boolean): readonly S[] {
    return this.code.leaving(state).flatMap((transition): readonly S[] => {
      const { instruction, to } = transition;
      if (instruction.kind === 'fence' || (passesHeavy && instruction.kind === 'heavy-fence'))
        return [{ ...state, ...this.code.at(to, state.registers) }];
      return this.#next(state, transition).map((local) => ({ ...state, ...local }));
    });
  }

  /**
   * Returns the steps by a lock block, which counts as one access: the whole block is on the
   * happens-before path if any of its accesses is, by the marks of other threads. The cycle is
   * closed if any access of the block happens before the delayed store. `start` is the state behind
   * the `lock`. No other thread changes cells before the `unlock`.
   */
  #blocks(start: Local, holds: Holds, context: PathContext): readonly Move[] {
    const first: Block = {
      ...start,
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
        const { cells, changed, isBehind, hasMet } = block;
        const next = this.code.at(to, block.registers);
        return this.#behind(next, { cells, changed, isBehind, hasMet }, context);
      }),
    );
  }

  #inBlock(
    block: Block,
    transition: Transition,
    holds: Holds,
    context: PathContext,
  ): readonly Block[] {
    const address = this.#unlessItFaults(() =>
      this.code.addressOf(block.registers, transition.instruction),
    );
    if (address === undefined) return [];
    const known = block.cells.get(address);
    return (known ? [known] : holds(address)).flatMap((held) => {
      const taken = this.#unlessItFaults(() =>
        this.code.access(block, transition, () => held.value),
      );
      if (!taken) return [];
      const { access, next } = taken;
      const mark = known ? block.before.get(address) : held.mark;
      return [
        {
          ...next,
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
