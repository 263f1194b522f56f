import type { Automata } from '../automata.js';
import { Code, type Met } from '../code.js';
import type { HappensBefore } from '../happens-before.js';
import { initialMemory } from '../initial-memory.js';
import { threadCodes } from '../same-threads.js';
import { type Delayed, type Marks, marksAfter } from './marks.js';
import { type Attacking, attackingName, AttackThread, type Held, type Place } from './thread.js';

/** The values of the cells that do not hold their initial value, by address. */
export type Memory = ReadonlyMap<number, number>;

/** The attacker in the second phase, in front of a load from memory. */
export interface Attacker extends Attacking {
  readonly code: number;
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

/** A thread at a place. `code` is an index into `AttackSteps.threads`. */
export interface WaitingPlace {
  readonly code: number;
  readonly place: Place;
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

/** Returns the entries of a map as text, ordered by key. */
function mapName<T>(map: ReadonlyMap<number, T>, nameOf: (value: T) => string): string {
  return [...map]
    .sort(([a], [b]) => a - b)
    .map(([key, value]) => `${key}=${nameOf(value)}`)
    .join();
}

function memoryName(memory: Memory): string {
  return mapName(memory, String);
}

export function placeName({ code, onPath, place }: WaitingPlace): string {
  return `${code}${onPath ? '!' : ':'}${place.name}`;
}

export function controlName(control: Control): string {
  const memory = memoryName(control.memory);
  switch (control.phase) {
    case 'before':
      return `before;${memory}`;
    case 'delaying': {
      const { code, ...state } = control.attacker;
      return `delaying;${memory};${code}:${attackingName(state)}`;
    }
    case 'path': {
      const { address, value } = control.delayed;
      const marks = mapName(control.marks, ({ seen, stored }) => `${seen}${stored ? '!' : ''}`);
      return `path;${memory};${marks};${address}=${value}`;
    }
  }
}

const noMarks: Marks = new Map();

/**
 * The possible steps in an attack on an instance with any number of threads, one step of one thread
 * at a time. Control and the places of the threads make up a state.
 */
export class AttackSteps {
  readonly threads: readonly AttackThread[];
  /** The index of each thread's code in `threads`, indexed by thread of the automata. */
  readonly codeOf: readonly number[];
  readonly happensBefore: HappensBefore;
  readonly #initial: ReadonlyMap<number, number>;
  readonly #attackers = new WeakMap<Place, readonly Attacker[]>();

  /**
   * `onFault` is called at each fault, which ends the execution; by default, it throws the fault.
   */
  constructor(
    automata: Automata,
    happensBefore: HappensBefore,
    onFault = (met: Met): void => {
      throw met;
    },
  ) {
    const { codeOf, first } = threadCodes(automata);
    this.codeOf = codeOf;
    this.threads = first.map((thread) => {
      const code = new Code(automata, automata.threads[thread]!);
      return new AttackThread(code, happensBefore, onFault);
    });
    this.happensBefore = happensBefore;
    this.#initial = initialMemory(automata.symbols);
  }

  /**
   * Returns the first places of a thread with code number `code`; `undefined` stands for an
   * execution in which the thread never waits.
   */
  starts(code: number): readonly (WaitingPlace | undefined)[] {
    const places = this.threads[code]!.starts();
    return places.length === 0
      ? [undefined]
      : places.map((place) => ({ code, place, onPath: false }));
  }

  /**
   * Returns the steps of the thread at a place. In the third phase, a thread off the happens-before
   * path takes only steps that put the thread on the path: any other step could as well be taken
   * before the last load.
   */
  ofPlace(control: Control, { code, place, onPath }: WaitingPlace): readonly AttackStep[] {
    const { phase, memory } = control;
    const path = phase === 'path' ? control : undefined;
    const moves = this.threads[code]!.moves(
      place,
      (address) => [this.#holding(memory, address, path?.marks.get(address))],
      { onPath, delayed: path?.delayed, passesHeavy: phase === 'before' },
    );
    const steps: AttackStep[] = [];
    for (const { place: next, cells, isBehind, hasMet } of moves) {
      if (path && !isBehind) continue;
      if (hasMet) steps.push({ kind: 'goal' });
      else
        steps.push({
          kind: 'move',
          control: {
            ...control,
            memory: this.#memoryAfter(memory, cells),
            ...(path && { marks: marksWith(path.marks, cells) }),
          },
          place: next && { code, place: next, onPath: path !== undefined },
        });
    }
    if (phase === 'before')
      for (const attacker of this.#attackersFrom(code, place))
        steps.push({
          kind: 'move',
          control: { phase: 'delaying', memory, attacker },
          place: undefined,
        });
    return steps;
  }

  /** Returns the steps of the attacker: loads from memory, each of which may be the last load. */
  ofAttacker({ memory, attacker }: Extract<Control, { phase: 'delaying' }>): readonly AttackStep[] {
    const thread = this.threads[attacker.code]!;
    return thread.code.leaving(attacker).flatMap((transition): readonly AttackStep[] => {
      if (transition.instruction.kind !== 'load') return [];
      const { next, loaded } = thread.attack(attacker, transition, (address) => [
        this.#holding(memory, address),
      ]);
      if (loaded === undefined) return [];
      const access = { address: loaded, read: this.held(memory, loaded) };
      const marks = marksAfter(noMarks, access, this.happensBefore);
      const { code, delayed } = attacker;
      return [
        ...this.#atLoads(code, next).map((after): AttackStep => ({
          kind: 'move',
          control: { phase: 'delaying', memory, attacker: after },
          place: undefined,
        })),
        { kind: 'move', control: { phase: 'path', memory, marks, delayed }, place: undefined },
      ];
    });
  }

  held(memory: Memory, address: number): number {
    return memory.get(address) ?? this.#initial.get(address) ?? 0;
  }

  #holding(memory: Memory, address: number, mark?: Held['mark']): Held {
    return { value: this.held(memory, address), mark };
  }

  #memoryAfter(memory: Memory, cells: ReadonlyMap<number, Held>): Memory {
    let after: Map<number, number> | undefined;
    for (const [address, { value }] of cells) {
      if (value === this.held(memory, address)) continue;
      after ??= new Map(memory);
      if (value === (this.#initial.get(address) ?? 0)) after.delete(address);
      else after.set(address, value);
    }
    return after ?? memory;
  }

  /** Returns the attackers that delay a store at a place. */
  #attackersFrom(code: number, place: Place): readonly Attacker[] {
    const known = this.#attackers.get(place);
    if (known) return known;
    const thread = this.threads[code]!;
    const found = thread.code
      .leaving(place)
      .flatMap((transition) => this.#atLoads(code, thread.delay(place, transition)));
    this.#attackers.set(place, found);
    return found;
  }

  /** Returns the states of the attacker in front of its next loads from memory. */
  #atLoads(code: number, starts: readonly Attacking[]): readonly Attacker[] {
    const found = new Set<Attacking>();
    this.threads[code]!.attacks(
      starts,
      () => [],
      (state) => found.add(state),
    );
    return [...found].map((state) => ({ ...state, code }));
  }
}

function marksWith(marks: Marks, cells: ReadonlyMap<number, Held>): Marks {
  const after = new Map(marks);
  for (const [address, { mark }] of cells) if (mark) after.set(address, mark);
  return after;
}
