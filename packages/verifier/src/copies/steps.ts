import type { Automata } from '../automata.js';
import { type ValueAccess, closure, Code, type Local, localName } from '../code.js';
import type { HappensBefore } from '../happens-before.js';
import { initialMemory } from '../initial-memory.js';
import { threadCodes } from '../same-threads.js';
import { type Delayed, isBehind, type Marks, marksAfter, meets } from '../marks.js';

/** The values of the cells that do not hold their initial value, by address. */
export type Memory = ReadonlyMap<number, number>;

/** The attacker in the second phase. The buffer has the newest value for each address. */
export interface Attacker extends Local {
  readonly code: number;
  readonly buffer: ReadonlyMap<number, number>;
  readonly delayed: Delayed;
}

/** The state shared by all threads, by phase of the attack ([BDM13] Fig. 4). */
export type Control =
  | { readonly phase: 'before'; readonly memory: Memory }
  | { readonly phase: 'delaying'; readonly memory: Memory; readonly attacker: Attacker }
  | {
      readonly phase: 'path';
      readonly memory: Memory;
      readonly marks: Marks;
      readonly delayed: Delayed;
    };

/**
 * A place of a thread, in front of an access to memory or of a lock block. `code` is an index into
 * `AttackSteps.codes`.
 */
export interface WaitingPlace extends Local {
  readonly code: number;
  /** Whether the thread is on the happens-before path. */
  readonly onPath: boolean;
}

/**
 * The result of one step: the attack is complete, or a thread is now at another place, or has
 * ended.
 */
export type AttackStep =
  | { readonly kind: 'goal' }
  | { readonly kind: 'move'; readonly control: Control; readonly place: WaitingPlace | undefined };

/**
 * The state of a thread inside a lock block, and the result of the block if the block is on the
 * happens-before path.
 */
interface Block extends Local {
  readonly memory: Memory;
  readonly marks: Marks;
  readonly isBehind: boolean;
  readonly hasMet: boolean;
  /** The cells stored to by the block. */
  readonly own: ReadonlySet<number>;
}

type PathControl = Extract<Control, { readonly phase: 'path' }>;

/** Returns the entries of a map as text, ordered by key. */
function mapName<T>(map: ReadonlyMap<number, T>, nameOf: (value: T) => string): string {
  return [...map]
    .sort(([a], [b]) => a - b)
    .map(([key, value]) => `${key}=${nameOf(value)}`)
    .join();
}

export function memoryName(memory: Memory): string {
  return mapName(memory, String);
}

export function marksName(marks: Marks): string {
  return mapName(marks, ({ seen, stored }) => `${seen}${stored ? '!' : ''}`);
}

/**
 * The possible steps in an attack on an instance with any number of threads, one step of one thread
 * at a time. Local instructions are executed at once behind a thread's accesses, as no thread can
 * notice when. A lock block is one step, as no other thread moves meanwhile; a block that never
 * ends has no steps.
 */
export class AttackSteps {
  readonly codes: readonly Code[];
  /** The index of each thread's code in `codes`, indexed by thread of the automata. */
  readonly codeOf: readonly number[];
  readonly happensBefore: HappensBefore;
  readonly #initial: ReadonlyMap<number, number>;
  readonly #settled = new Map<string, readonly Local[]>();

  constructor(automata: Automata, happensBefore: HappensBefore) {
    const { threads, symbols } = automata;
    const { codeOf, first } = threadCodes(automata);
    this.codeOf = codeOf;
    this.codes = first.map((thread) => new Code(automata, threads[thread]!));
    this.happensBefore = happensBefore;
    this.#initial = initialMemory(symbols);
  }

  /**
   * Returns the first places of a thread with code number `code`; `undefined` stands for an
   * execution in which the thread never waits.
   */
  starts(code: number): readonly (WaitingPlace | undefined)[] {
    return this.#places(code, this.codes[code]!.initial, false);
  }

  /** Returns the steps of the thread at a place. */
  ofPlace(control: Control, place: WaitingPlace): readonly AttackStep[] {
    const code = this.codes[place.code]!;
    return code.leaving(place).flatMap((transition): readonly AttackStep[] => {
      const { instruction, to } = transition;
      if (instruction.kind === 'lock')
        return this.#blocks(control, place, code.at(to, place.registers));
      const taken = code.access(place, transition, (address) => this.held(control.memory, address));
      if (!taken) return [];
      const { access, next } = taken;
      if (control.phase === 'path') return this.#pathAccess(control, place, access, next);
      const memory = this.#memoryAfter(control.memory, access);
      const moves = this.#moves({ ...control, memory }, place.code, next, false);
      if (control.phase === 'delaying' || instruction.kind !== 'store') return moves;
      return [...moves, ...this.#attackStarts(control.memory, place.code, access, next)];
    });
  }

  /** Returns the steps of the attacker: loads from memory, each of which may be the last load. */
  ofAttacker(control: Extract<Control, { readonly phase: 'delaying' }>): readonly AttackStep[] {
    const { memory, attacker } = control;
    const { delayed, buffer } = attacker;
    const code = this.codes[attacker.code]!;
    return code.leaving(attacker).flatMap((transition): readonly AttackStep[] => {
      if (transition.instruction.kind !== 'load') return [];
      const taken = code.access(attacker, transition, (address) => this.held(memory, address));
      if (!taken || buffer.has(taken.access.address)) return [];
      const { access, next } = taken;
      const marks = marksAfter(new Map(), access, this.happensBefore);
      const last: Control = { phase: 'path', memory, marks, delayed };
      return [
        ...this.#delaying(memory, { ...attacker, ...next }),
        { kind: 'move', control: last, place: undefined },
      ];
    });
  }

  held(memory: Memory, address: number): number {
    return memory.get(address) ?? this.#initial.get(address) ?? 0;
  }

  #memoryAfter(memory: Memory, { address, written }: ValueAccess): Memory {
    if (written === undefined || written === this.held(memory, address)) return memory;
    const after = new Map(memory);
    if (written === (this.#initial.get(address) ?? 0)) after.delete(address);
    else after.set(address, written);
    return after;
  }

  /**
   * Returns the next states in which the thread waits, after all instructions that need no memory.
   * Under SC fences do nothing.
   */
  #settle(number: number, start: Local): readonly Local[] {
    const name = `${number}:${localName(start)}`;
    const known = this.#settled.get(name);
    if (known) return known;
    const code = this.codes[number]!;
    const reached = closure([start], localName, (state) =>
      code.leaving(state).flatMap((transition) => {
        if (transition.instruction.kind === 'fence')
          return [code.at(transition.to, state.registers)];
        return code.locally(state, transition) ?? [];
      }),
    );
    const waiting = reached.filter((state) =>
      code.leaving(state).some(({ instruction: { kind } }) => {
        return kind === 'load' || kind === 'store' || kind === 'rmw' || kind === 'lock';
      }),
    );
    this.#settled.set(name, waiting);
    return waiting;
  }

  #places(code: number, start: Local, onPath: boolean): readonly (WaitingPlace | undefined)[] {
    const waiting = this.#settle(code, start);
    return waiting.length === 0 ? [undefined] : waiting.map((at) => ({ code, onPath, ...at }));
  }

  #moves(control: Control, code: number, next: Local, onPath: boolean): readonly AttackStep[] {
    return this.#places(code, next, onPath).map((place) => ({ kind: 'move', control, place }));
  }

  /**
   * Returns the steps by an access in the third phase. A thread off the happens-before path takes
   * only steps that put the thread on the path: any other step could as well be taken before the
   * last load.
   */
  #pathAccess(
    control: PathControl,
    place: WaitingPlace,
    access: ValueAccess,
    next: Local,
  ): readonly AttackStep[] {
    const { delayed, marks } = control;
    if (!place.onPath && !isBehind(marks.get(access.address), access, false)) return [];
    if (meets(delayed, access, this.happensBefore)) return [{ kind: 'goal' }];
    const after = {
      ...control,
      memory: this.#memoryAfter(control.memory, access),
      marks: marksAfter(marks, access, this.happensBefore),
    };
    return this.#moves(after, place.code, next, true);
  }

  /**
   * Returns the steps by a lock block, which counts as one access: the whole block is on the
   * happens-before path if any of its accesses is, by the marks of other threads. The cycle is
   * closed if any access of the block happens before the delayed store. `start` is the state behind
   * the `lock`.
   */
  #blocks(control: Control, place: WaitingPlace, start: Local): readonly AttackStep[] {
    const code = this.codes[place.code]!;
    const before: Marks = control.phase === 'path' ? control.marks : new Map();
    const first: Block = {
      ...start,
      memory: control.memory,
      marks: before,
      isBehind: place.onPath,
      hasMet: false,
      own: new Set(),
    };
    const nameOf = (block: Block): string =>
      [
        localName(block),
        memoryName(block.memory),
        marksName(block.marks),
        block.isBehind,
        block.hasMet,
        [...block.own].sort((a, b) => a - b).join(),
      ].join(';');
    const reached = closure([first], nameOf, (block) =>
      code.leaving(block).flatMap((transition): readonly Block[] => {
        if (transition.instruction.kind === 'fence')
          return [{ ...block, location: transition.to }].map((moved) => ({
            ...moved,
            ...code.at(moved.location, moved.registers),
          }));
        const local = code.locally(block, transition);
        if (local) return local.map((next) => ({ ...block, ...next }));
        const taken = code.access(block, transition, (address) => this.held(block.memory, address));
        if (!taken) return [];
        const { access, next } = taken;
        const memory = this.#memoryAfter(block.memory, access);
        if (control.phase !== 'path') return [{ ...block, ...next, memory }];
        const { address, written } = access;
        const mark = before.get(address);
        return [
          {
            ...next,
            memory,
            marks: marksAfter(block.marks, access, this.happensBefore),
            isBehind: block.isBehind || isBehind(mark, access, block.own.has(address)),
            hasMet: block.hasMet || meets(control.delayed, access, this.happensBefore),
            own: written === undefined ? block.own : new Set(block.own).add(address),
          },
        ];
      }),
    );
    return reached.flatMap((block) =>
      code.leaving(block).flatMap(({ instruction, to }): readonly AttackStep[] => {
        if (instruction.kind !== 'unlock') return [];
        const next = code.at(to, block.registers);
        const { memory, marks } = block;
        if (control.phase !== 'path')
          return this.#moves({ ...control, memory }, place.code, next, false);
        if (!block.isBehind) return [];
        if (block.hasMet) return [{ kind: 'goal' }];
        return this.#moves({ ...control, memory, marks }, place.code, next, true);
      }),
    );
  }

  /**
   * Returns the steps by which a thread delays its store and becomes the attacker ([BDM13] Eq.
   * (1)).
   */
  #attackStarts(
    memory: Memory,
    code: number,
    access: ValueAccess,
    next: Local,
  ): readonly AttackStep[] {
    const { address, written = 0 } = access;
    const value = this.happensBefore === 'value' ? written : 0;
    const buffer = new Map([[address, written]]);
    return this.#delaying(memory, { ...next, code, buffer, delayed: { address, value } });
  }

  /**
   * Returns the steps of the attacker up to its next loads from memory. Stores stay in the buffer,
   * and no other thread notices loads from the buffer ([BDM13] Eqs. (3) to (6)). The attack ends at
   * fences, rmws, `lock` and `unlock`, which wait for an empty buffer.
   */
  #delaying(memory: Memory, start: Attacker): readonly AttackStep[] {
    const code = this.codes[start.code]!;
    const nameOf = (state: Attacker): string => `${localName(state)};${memoryName(state.buffer)}`;
    const reached = closure([start], nameOf, (state) =>
      code.leaving(state).flatMap((transition): readonly Attacker[] => {
        const { instruction, to } = transition;
        const { registers, buffer } = state;
        const local = code.locally(state, transition);
        if (local) return local.map((next) => ({ ...state, ...next }));
        if (instruction.kind !== 'store' && instruction.kind !== 'load') return [];
        const address = code.addressOf(registers, instruction)!;
        if (instruction.kind === 'store') {
          const value = code.stored(registers, instruction);
          const after = new Map(buffer).set(address, value);
          return [{ ...state, ...code.at(to, registers), buffer: after }];
        }
        const own = buffer.get(address);
        if (own === undefined) return [];
        return [{ ...state, ...code.at(to, registers.with(instruction.into, own)) }];
      }),
    );
    return reached
      .filter((state) =>
        code.leaving(state).some(({ instruction }) => {
          if (instruction.kind !== 'load') return false;
          return !state.buffer.has(code.addressOf(state.registers, instruction)!);
        }),
      )
      .map((attacker) => ({
        kind: 'move',
        control: { phase: 'delaying', memory, attacker },
        place: undefined,
      }));
  }
}
