import type { Automata, Transition } from '../automata.js';
import { type ValueAccess, closure, Code, type Local, localName, Met } from '../code.js';
import type { HappensBefore } from '../happens-before.js';
import { threadCodes } from '../same-threads.js';
import { type Delayed, isBehind, type Mark, markAfter, meets } from './marks.js';

/**
 * A place of a thread: its location and registers before an access to memory or a lock block. Equal
 * places of an `AttackThread` are one object.
 */
export interface Place extends Local {
  /** A text that is different for each place of the thread. */
  readonly name: string;
}

/**
 * A possible value of a cell, with the cell's mark (facts about the accesses after the attack's
 * last load).
 */
export interface Held {
  readonly value: number;
  readonly mark: Mark | undefined;
}

/** Returns all possible values, with marks, of the cell at an address. */
export type Holds = (address: number) => readonly Held[];

/** An access that a thread may execute next. */
interface NextAccess {
  readonly address: number;
  /**
   * Returns the effect of the access if the cell holds `held`; `undefined` if the access faults.
   */
  readonly take: (held: number) => ReturnType<Code['access']>;
}

/** A cell that a step accesses, after the accesses so far. */
interface Touched extends Held {
  /** The mark left on the cell by other threads, before the first access. */
  readonly before: Mark | undefined;
  readonly isWritten: boolean;
}

/** A step of a thread, which accesses one cell or, for a lock block, several cells. */
export interface Move {
  /**
   * The next place (location and registers) at which the thread waits; absent if the thread ends.
   */
  readonly place: Place | undefined;
  /**
   * By address, the value and the mark (facts about the accesses after the attack's last load) of
   * each cell that the step accesses, after the step.
   */
  readonly cells: ReadonlyMap<number, Touched>;
  /** Whether the step is on the attack's happens-before path. */
  readonly isBehind: boolean;
  /** Whether the step happens before the attack's first delayed store. */
  readonly hasMet: boolean;
}

/** The facts about an attack on which the possible steps of a thread depend. */
export interface PathContext {
  /** Whether the thread is on the attack's happens-before path. */
  readonly onPath: boolean;
  /** The first delayed store; `undefined` before the last load of the attacker. */
  readonly delayed: Delayed | undefined;
  /**
   * Whether the thread passes heavy fences. While a store is delayed, no thread passes a heavy
   * fence. To let threads pass would still be sound, as it only adds executions.
   */
  readonly passesHeavy: boolean;
}

/** The context of a thread's steps outside of attacks: no happens-before path, no delayed store. */
export const noPath = { onPath: false, delayed: undefined, passesHeavy: true } as const;

/** The attacker's state in the second phase, in which it delays stores. */
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
 * The state of a thread inside a lock block, and the values and marks of cells as the block has
 * left them so far. An access outside lock blocks is a block of one access.
 */
interface Block extends Local {
  readonly cells: ReadonlyMap<number, Touched>;
  readonly isBehind: boolean;
  readonly hasMet: boolean;
}

export function heldName({ value, mark }: Held): string {
  return mark ? `${value}:${mark.seen}${mark.stored ? '!' : ''}` : String(value);
}

function blockName({ cells, isBehind, hasMet, ...local }: Block): string {
  const known = [...cells]
    .map(([address, { before, isWritten, ...held }]) => {
      const first = heldName({ value: 0, mark: before });
      return [address, heldName(held), first, isWritten].join('=');
    })
    .sort();
  return [localName(local), known.join(), isBehind, hasMet].join(';');
}

/**
 * The steps of one thread in an attack ([BDM13] Sects. 4 and 5): as a helper, and as the attacker.
 * Of other threads, only the possible values of cells are known. Local instructions are executed at
 * once after an access, as no thread can notice when. A lock block is one step, as no other thread
 * moves meanwhile (docs/adr/0007); a block that never ends has no steps. A faulting instruction has
 * no successor.
 */
export class AttackThread {
  readonly code: Code;
  readonly #happensBefore: HappensBefore;
  readonly #onFault: ((met: Met) => void) | undefined;
  readonly #places = new Map<string, Place>();
  readonly #accesses = new Map<Place, readonly (NextAccess | undefined)[]>();
  readonly #settled = new Map<string, readonly Place[]>();

  /** `onFault` is called at each fault, which ends the execution; it may throw the fault. */
  constructor(code: Code, happensBefore: HappensBefore, onFault?: (met: Met) => void) {
    this.code = code;
    this.#happensBefore = happensBefore;
    this.#onFault = onFault;
  }

  /** Returns the places at which the thread may first wait. */
  starts(): readonly Place[] {
    return this.#settle(this.code.initial, true);
  }

  /** Returns the place with the given location and registers; dead registers lose their values. */
  place(location: number, registers: readonly number[]): Place {
    return this.#same(this.code.at(location, registers));
  }

  /**
   * Whether the thread may access the cell next from a place, in a lock block if one begins there.
   */
  mayAccess(place: Place, address: number): boolean {
    const isNext = this.#accessesAt(place).some((access) => access?.address === address);
    return isNext || this.#isBeforeBlock(place);
  }

  #isBeforeBlock(place: Place): boolean {
    return this.code.leaving(place).some(({ instruction }) => instruction.kind === 'lock');
  }

  /**
   * Returns the accesses at a place, by outgoing transition; `undefined` for transitions without an
   * access.
   */
  #accessesAt(place: Place): readonly (NextAccess | undefined)[] {
    const known =
      this.#accesses.get(place) ?? this.code.leaving(place).map((one) => this.#access(place, one));
    this.#accesses.set(place, known);
    return known;
  }

  #access(local: Local, transition: Transition): NextAccess | undefined {
    const { instruction } = transition;
    const address = this.#unlessItFaults(() => this.code.addressOf(local.registers, instruction));
    if (address === undefined) return undefined;
    const known = new Map<number, ReturnType<Code['access']>>();
    const take = (held: number): ReturnType<Code['access']> => {
      if (!known.has(held))
        known.set(
          held,
          this.#unlessItFaults(() => this.code.access(local, transition, () => held)),
        );
      return known.get(held);
    };
    return { address, take };
  }

  /** Returns all steps of the thread from a place as a helper (not as the attacker). */
  moves(place: Place, holds: Holds, context: PathContext): readonly Move[] {
    const { location, registers } = place;
    const { onPath: isBehind } = context;
    const start: Block = { location, registers, cells: new Map(), isBehind, hasMet: false };
    const accesses = this.#accessesAt(place);
    return this.code.leaving(place).flatMap(({ instruction, to }, at): readonly Move[] => {
      if (instruction.kind === 'lock')
        return this.#blocks({ ...start, ...this.code.at(to, registers) }, holds, context);
      return this.#inBlock(start, accesses[at], holds, context).flatMap((done) =>
        this.#behind(done, context),
      );
    });
  }

  /**
   * Returns the states of the attacker after it delays a store at a place; none if the store cannot
   * be delayed ([BDM13] Eq. (1)).
   */
  delay(place: Local, transition: Transition): readonly Attacking[] {
    const { from, instruction } = transition;
    if (from !== place.location || instruction.kind !== 'store') return [];
    const taken = this.#access(place, transition)?.take(0);
    if (!taken) return [];
    const { address, written = 0 } = taken.access;
    const delayed = { address, value: this.#happensBefore === 'value' ? written : 0 };
    return [{ ...taken.next, buffer: new Map([[address, written]]), delayed }];
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
    const { kind } = transition.instruction;
    if (kind !== 'load' && kind !== 'store')
      return { next: this.#next(state, transition).map((at) => ({ ...state, ...at })) };
    const access = this.#access(state, transition);
    if (!access) return { next: [] };
    const { address, take } = access;
    const early = state.buffer.get(address);
    const isFromMemory = kind === 'load' && early === undefined;
    const found = isFromMemory ? holds(address).map(({ value }) => value) : [early ?? 0];
    const next = found.flatMap((value) => {
      const taken = take(value);
      if (!taken) return [];
      const { written } = taken.access;
      const buffer =
        written === undefined ? state.buffer : new Map(state.buffer).set(address, written);
      return [{ ...state, ...taken.next, buffer }];
    });
    return isFromMemory ? { next, loaded: address } : { next };
  }

  /**
   * Returns the states of the attacker after a delayed store and up to its last load, and calls
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

  /** Returns the mark of the cell of the attack's last load, which reads `read`. */
  markOfLoad(address: number, read: number): Mark {
    return markAfter(undefined, { address, read }, this.#happensBefore);
  }

  /**
   * Returns the states of the thread after an instruction that needs no memory; none after other
   * instructions.
   */
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

  /**
   * Returns the steps of an ended lock block, one for each place at which the thread may wait next.
   */
  #behind(block: Block, { passesHeavy }: PathContext): readonly Move[] {
    const { cells, isBehind, hasMet } = block;
    const waiting = this.#settle(block, passesHeavy);
    const places = waiting.length === 0 ? [undefined] : waiting;
    return places.map((place) => ({ place, cells, isBehind, hasMet }));
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
   * closed if any access of the block happens before the delayed store. `start` is the state after
   * the `lock`. No other thread changes cells before the `unlock`.
   */
  #blocks(start: Block, holds: Holds, context: PathContext): readonly Move[] {
    const reached = closure([start], blockName, (block) => [
      ...this.#locally(block, context.passesHeavy),
      ...this.code
        .leaving(block)
        .flatMap((one) => this.#inBlock(block, this.#access(block, one), holds, context)),
    ]);
    return reached.flatMap((block) =>
      this.code
        .leaving(block)
        .flatMap(({ instruction, to }) =>
          instruction.kind === 'unlock'
            ? this.#behind({ ...block, ...this.code.at(to, block.registers) }, context)
            : [],
        ),
    );
  }

  #inBlock(
    block: Block,
    nextAccess: NextAccess | undefined,
    holds: Holds,
    context: PathContext,
  ): readonly Block[] {
    if (!nextAccess) return [];
    const { address, take } = nextAccess;
    const known = block.cells.get(address);
    return (known ? [known] : holds(address)).flatMap((held) => {
      const taken = take(held.value);
      if (!taken) return [];
      const { access, next } = taken;
      const { written } = access;
      const before = known ? known.before : held.mark;
      // The block leaves these marks if the block is on the path. A block off the path is discarded
      // in the end.
      const after = context.delayed && markAfter(held.mark, access, this.#happensBefore);
      const isOver = known?.isWritten === true;
      // Most accesses are outside lock blocks, and a copy of an empty map takes time.
      const cells = new Map(block.cells.size > 0 ? block.cells : null);
      const cell: Touched = {
        value: written ?? held.value,
        mark: after,
        before,
        isWritten: isOver || written !== undefined,
      };
      return [
        {
          location: next.location,
          registers: next.registers,
          cells: cells.set(address, cell),
          isBehind: block.isBehind || isBehind(before, access, isOver),
          hasMet: block.hasMet || this.#meets(context, access),
        },
      ];
    });
  }
}

/** Returns the steps of each thread of a program; threads with equal code share one object. */
export function attackThreads(
  automata: Automata,
  happensBefore: HappensBefore,
  onFault?: (met: Met) => void,
): readonly AttackThread[] {
  const { codeOf, first } = threadCodes(automata);
  const codes = first.map((thread) => new Code(automata, automata.threads[thread]!));
  const threads = codes.map((code) => new AttackThread(code, happensBefore, onFault));
  return codeOf.map((code) => threads[code]!);
}
