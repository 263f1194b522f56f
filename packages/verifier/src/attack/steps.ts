import type { Automata } from '../automata.js';
import type { Met } from '../code.js';
import type { HappensBefore } from '../happens-before.js';
import { initialValues } from '../initial-memory.js';
import type { Delayed, Marks } from './marks.js';
import {
  type Attacking,
  attackingName,
  type AttackThread,
  attackThreads,
  type Held,
  type Place,
} from './thread.js';

/** The values of all cells with a value other than the initial value, by address. */
export type Memory = ReadonlyMap<number, number>;

/** The attacker's state in the second phase of an attack, before a load from memory. */
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

/**
 * A thread that waits at a place (a location with registers). `code` is an index into
 * `AttackSteps.threads`. Equal waiting places of an `AttackSteps` are one object.
 */
export interface WaitingPlace {
  /** The number of the waiting place, in the order of their first use. */
  readonly id: number;
  readonly code: number;
  readonly place: Place;
  /** Whether the thread is on the attack's happens-before path. */
  readonly onPath: boolean;
}

/**
 * The result of one step: the attack is complete, or the moving thread waits at another place, or
 * the moving thread has ended.
 */
type AttackStep =
  | { readonly kind: 'goal' }
  | { readonly kind: 'move'; readonly control: Control; readonly place: WaitingPlace | undefined };

/** The threads waiting at one place, and their number; `Infinity` for any number. */
interface Crowd {
  readonly place: WaitingPlace;
  readonly count: number;
}

/** The crowds at all places where threads wait, ordered by `id` of the place. */
export type Crowds = readonly Crowd[];

/**
 * A state of all threads in an attack, without the threads that have ended; or, if some number of
 * threads is `Infinity`, the set of all states with at most the given numbers.
 */
export interface AttackState {
  readonly control: Control;
  readonly crowds: Crowds;
}

/**
 * Returns the crowds after `more` threads have joined a place; without a place, the crowds
 * unchanged.
 */
export function joined(crowds: Crowds, place: WaitingPlace | undefined, more = 1): Crowds {
  if (!place) return crowds;
  let at = 0;
  while (at < crowds.length && crowds[at]!.place.id < place.id) at++;
  const known = crowds[at]?.place === place ? crowds[at] : undefined;
  const count = (known?.count ?? 0) + more;
  const after = crowds.slice(0, at);
  if (count > 0) after.push({ place, count });
  for (let rest = known ? at + 1 : at; rest < crowds.length; rest++) after.push(crowds[rest]!);
  return after;
}

/** Returns a text that is different for each state of an `AttackSteps`. */
export function stateName({ control, crowds }: AttackState): string {
  let name = controlName(control);
  for (const { place, count } of crowds)
    name += count === 1 ? `|${place.id}` : `|${place.id}*${count}`;
  return name;
}

/** Returns the entries of a map as a text, in the order of their keys. */
function mapName<T>(map: ReadonlyMap<number, T>, nameOf: (value: T) => string): string {
  return [...map]
    .sort(([a], [b]) => a - b)
    .map(([key, value]) => `${key}=${nameOf(value)}`)
    .join();
}

function memoryName(memory: Memory): string {
  return mapName(memory, String);
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

/**
 * The possible steps in an attack on an instance with any number of threads, one step of one thread
 * at a time.
 */
export class AttackSteps {
  readonly automata: Automata;
  readonly threads: readonly AttackThread[];
  /** For each thread of the automata, the index of its code in `threads`. */
  readonly codeOf: readonly number[];
  readonly happensBefore: HappensBefore;
  readonly #initial: (address: number) => number;
  readonly #attackers = new WeakMap<Place, readonly Attacker[]>();
  readonly #onPath = new WeakMap<Place, WaitingPlace>();
  readonly #offPath = new WeakMap<Place, WaitingPlace>();
  #places = 0;

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
    this.automata = automata;
    const threads = attackThreads(automata, happensBefore, onFault);
    this.threads = [...new Set(threads)];
    this.codeOf = threads.map((thread) => this.threads.indexOf(thread));
    this.happensBefore = happensBefore;
    this.#initial = initialValues(automata.symbols);
  }

  /**
   * Returns the places (locations with registers) at which a thread with code number `code` may
   * first wait; `undefined` among them is an execution in which the thread never waits.
   */
  starts(code: number): readonly (WaitingPlace | undefined)[] {
    const places = this.threads[code]!.starts();
    return places.length === 0
      ? [undefined]
      : places.map((place) => this.waitingAt(code, place, false));
  }

  /** Returns the waiting place of threads with code number `code`. */
  waitingAt(code: number, place: Place, onPath: boolean): WaitingPlace {
    const known = onPath ? this.#onPath : this.#offPath;
    const waiting = known.get(place) ?? { id: this.#places++, code, place, onPath };
    known.set(place, waiting);
    return waiting;
  }

  /** Returns the initial states: one for every combination of first places of single threads. */
  initialStates(): readonly AttackState[] {
    let all: readonly Crowds[] = [[]];
    for (const [thread, { unbounded }] of this.automata.threads.entries()) {
      const places = this.starts(this.codeOf[thread]!);
      const anyNumber = (crowds: Crowds): Crowds =>
        places.reduce((sum, place) => joined(sum, place, Number.POSITIVE_INFINITY), crowds);
      all = unbounded
        ? all.map(anyNumber)
        : all.flatMap((crowds) => places.map((place) => joined(crowds, place)));
    }
    return all.map((crowds) => ({ control: { phase: 'before', memory: new Map() }, crowds }));
  }

  /**
   * Returns the states after one step of any thread, or `goal` if the step completes the attack,
   * each with the moving thread in words.
   */
  *after({ control, crowds }: AttackState): Generator<readonly [AttackState | 'goal', string]> {
    const nameOf = (code: number): string => this.automata.threads[this.codeOf.indexOf(code)]!.name;
    const moves: (readonly [string, Crowds, readonly AttackStep[]])[] = [];
    if (control.phase === 'delaying') {
      const who = `the attacker '${nameOf(control.attacker.code)}'`;
      moves.push([who, crowds, this.ofAttacker(control)]);
    }
    for (const { place } of crowds)
      moves.push([nameOf(place.code), joined(crowds, place, -1), this.ofPlace(control, place)]);
    for (const [who, others, steps] of moves)
      for (const step of steps)
        yield step.kind === 'goal'
          ? ['goal', who]
          : [{ control: step.control, crowds: joined(others, step.place) }, who];
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
          place: next && this.waitingAt(code, next, path !== undefined),
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
      const marks = new Map([[loaded, thread.markOfLoad(loaded, this.held(memory, loaded))]]);
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
    return memory.get(address) ?? this.#initial(address);
  }

  #holding(memory: Memory, address: number, mark?: Held['mark']): Held {
    return { value: this.held(memory, address), mark };
  }

  #memoryAfter(memory: Memory, cells: ReadonlyMap<number, Held>): Memory {
    let after: Map<number, number> | undefined;
    for (const [address, { value }] of cells) {
      if (value === this.held(memory, address)) continue;
      after ??= new Map(memory);
      if (value === this.#initial(address)) after.delete(address);
      else after.set(address, value);
    }
    return after ?? memory;
  }

  /**
   * Returns the states of the attacker after it delays a store at a place, before its next load
   * from memory.
   */
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

  /** Returns the states of the attacker before its next loads from memory. */
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
