import type { Automata } from '../automata.js';
import type { Budget } from '../budget.js';
import {
  distinct,
  either,
  index,
  int32,
  list,
  literal,
  type Read,
  type Reader,
  record,
  wrong,
} from '../shape.js';
import type { Mark } from '../attack/marks.js';
import {
  type Attacker,
  type AttackStep,
  type AttackSteps,
  type Control,
  controlName,
  placeName,
  type WaitingPlace,
} from '../attack/steps.js';
import type { Place } from '../attack/thread.js';

/** The maximal number of threads at each place, by name of the place; `Infinity` for any number. */
type Counts = ReadonlyMap<string, number>;

/**
 * A set of states of instances: those with the given control, and with at most the number of
 * threads in `counts` at each place.
 */
interface Element {
  readonly control: Control;
  readonly places: readonly WaitingPlace[];
  readonly counts: Counts;
}

/** The limit of finite numbers of threads; `any` can replace a larger number. */
const mostThreads = 2 ** 31;

/** Reads an array of fixed length, with one reader for each element. */
function tuple<T extends readonly unknown[]>(
  ...readers: { readonly [K in keyof T]: Reader<T[K]> }
): Reader<T> {
  return (value, path) =>
    Array.isArray(value) && value.length === readers.length
      ? (readers.map((reader, i) => reader(value[i], `${path}[${i}]`)) as unknown as T)
      : wrong(path, `an array of ${readers.length}`);
}

const cells = distinct(tuple<[number, number]>(int32, int32), ([address]) => address);
const delayed = record({ address: int32 }, { value: int32 });
const many = literal('many');
const count: Reader<number | 'any'> = (value, path) => {
  if (value === 'any') return value;
  const read = index(mostThreads)(value, path);
  return read > 0 ? read : wrong(path, `'any' or a number of threads`);
};

const elementReader = record(
  {
    phase: literal('before', 'delaying', 'path'),
    memory: cells,
    threads: list(
      record(
        { thread: int32, location: int32, registers: list(int32), count },
        { onPath: literal(true) },
      ),
    ),
  },
  {
    attacker: record({
      thread: int32,
      location: int32,
      registers: list(int32),
      buffer: cells,
      delayed,
    }),
    marks: distinct(
      tuple<[number, number | 'many', boolean]>(int32, either(int32, many), literal(true, false)),
      ([address]) => address,
    ),
    delayed,
  },
);

export const copiesInvariantReader = list(elementReader);
export type WrittenElement = Read<typeof elementReader>;

/**
 * Translates the elements of an invariant from the form of certificates: the written places of
 * threads become places of `AttackSteps`.
 */
class Meaning {
  readonly #automata: Automata;
  readonly #steps: AttackSteps;

  constructor(automata: Automata, steps: AttackSteps) {
    this.#automata = automata;
    this.#steps = steps;
  }

  element(written: WrittenElement, path: string): Element {
    const places: WaitingPlace[] = [];
    const counts = new Map<string, number>();
    for (const [i, { count, onPath = false, ...thread }] of written.threads.entries()) {
      const place = { ...this.#placed(thread, `${path}.threads[${i}]`), onPath };
      const name = placeName(place);
      if (!counts.has(name)) places.push(place);
      const most = count === 'any' ? Number.POSITIVE_INFINITY : count;
      counts.set(name, (counts.get(name) ?? 0) + most);
    }
    return { control: this.#control(written, path), places, counts };
  }

  #control(written: WrittenElement, path: string): Control {
    const { phase, attacker, marks, delayed } = written;
    const memory = new Map(
      written.memory.filter(([address, value]) => this.#steps.held(new Map(), address) !== value),
    );
    if (phase === 'before') return { phase, memory };
    if (phase === 'delaying') {
      if (!attacker) return wrong(path, "a member 'attacker'");
      const { buffer, delayed: first, ...thread } = attacker;
      const { code, place } = this.#placed(thread, `${path}.attacker`);
      const own: Attacker = {
        code,
        location: place.location,
        registers: place.registers,
        buffer: new Map(buffer),
        delayed: this.#delayed(first),
      };
      return { phase, memory, attacker: own };
    }
    if (!marks || !delayed) return wrong(path, "members 'marks' and 'delayed'");
    const read = marks.map(([address, seen, stored]): readonly [number, Mark] => {
      return [address, { seen: this.#steps.happensBefore === 'value' ? seen : 'many', stored }];
    });
    return { phase, memory, marks: new Map(read), delayed: this.#delayed(delayed) };
  }

  #delayed({ address, value = 0 }: { readonly address: number; readonly value?: number }) {
    return { address, value: this.#steps.happensBefore === 'value' ? value : 0 };
  }

  #placed(
    written: {
      readonly thread: number;
      readonly location: number;
      readonly registers: readonly number[];
    },
    path: string,
  ): { readonly code: number; readonly place: Place } {
    const { threads } = this.#automata;
    const thread = index(threads.length)(written.thread, `${path}.thread`);
    const code = this.#steps.codeOf[thread]!;
    const { locations, registers } = threads[thread]!;
    const location = index(locations.length)(written.location, `${path}.location`);
    if (written.registers.length !== registers.length)
      return wrong(`${path}.registers`, `${registers.length} values`);
    return { code, place: this.#steps.threads[code]!.place(location, written.registers) };
  }
}

/** Looks for a state of the invariant with a step that leaves the invariant or closes a cycle. */
export class InvariantCheck {
  readonly #automata: Automata;
  readonly #steps: AttackSteps;
  readonly #budget: Budget;
  readonly #elements: readonly Element[];
  readonly #byControl = new Map<string, Counts[]>();

  constructor(
    automata: Automata,
    steps: AttackSteps,
    written: readonly WrittenElement[],
    budget: Budget,
  ) {
    this.#automata = automata;
    this.#steps = steps;
    this.#budget = budget;
    const meaning = new Meaning(automata, steps);
    this.#elements = written.map((element, i) => meaning.element(element, `invariant[${i}]`));
    for (const { control, counts } of this.#elements) {
      const name = controlName(control);
      const known = this.#byControl.get(name);
      if (known) known.push(counts);
      else this.#byControl.set(name, [counts]);
    }
  }

  /**
   * Returns an error in the invariant, in words; `undefined` if the invariant covers the start of
   * every instance and every step, and no step closes a cycle.
   */
  refute(): CopiesFinding | undefined {
    for (const counts of this.#starts(0, new Map())) {
      const stopped = this.#budget.spend(1);
      if (stopped !== undefined) return { kind: 'stopped', reason: stopped };
      if (!this.#covers({ phase: 'before', memory: new Map() }, counts))
        return {
          kind: 'wrong',
          text: 'the invariant does not cover the initial states of all instances',
        };
    }
    for (const element of this.#elements) {
      const stopped = this.#budget.spend(1);
      if (stopped !== undefined) return { kind: 'stopped', reason: stopped };
      const finding = this.#refuteElement(element);
      if (finding) return finding;
    }
    return undefined;
  }

  #refuteElement({ control, places, counts }: Element): CopiesFinding | undefined {
    if (control.phase === 'delaying') {
      const thread = this.#nameOf(control.attacker.code);
      const finding = this.#refuteSteps(
        this.#steps.ofAttacker(control),
        counts,
        `the attacker '${thread}'`,
      );
      if (finding) return finding;
    }
    for (const place of places) {
      const name = placeName(place);
      const others = new Map(counts);
      const left = counts.get(name)! - 1;
      if (left === 0) others.delete(name);
      else others.set(name, left);
      const finding = this.#refuteSteps(
        this.#steps.ofPlace(control, place),
        others,
        this.#nameOf(place.code),
      );
      if (finding) return finding;
    }
    return undefined;
  }

  #refuteSteps(
    steps: readonly AttackStep[],
    others: Counts,
    who: string,
  ): CopiesFinding | undefined {
    for (const step of steps) {
      const stopped = this.#budget.spend();
      if (stopped !== undefined) return { kind: 'stopped', reason: stopped };
      if (step.kind === 'goal')
        return { kind: 'wrong', text: `the invariant holds a state before the end of an attack` };
      if (!this.#covers(step.control, withPlace(others, step.place)))
        return { kind: 'wrong', text: `a step of ${who} leads out of the invariant` };
    }
    return undefined;
  }

  #nameOf(code: number): string {
    return this.#automata.threads[this.#steps.codeOf.indexOf(code)]!.name;
  }

  #covers(control: Control, counts: Counts): boolean {
    const known = this.#byControl.get(controlName(control)) ?? [];
    return known.some((larger) => {
      for (const [name, count] of counts) if ((larger.get(name) ?? 0) < count) return false;
      return true;
    });
  }

  /**
   * Adds the first places of the threads from number `thread` on to `counts`; yields one map for
   * every combination of places of single threads.
   */
  *#starts(thread: number, counts: Counts): Generator<Counts> {
    const own = this.#automata.threads[thread];
    if (!own) {
      yield counts;
      return;
    }
    const places = this.#steps.starts(this.#steps.codeOf[thread]!);
    if (own.unbounded) {
      const all = new Map(counts);
      for (const place of places) if (place) all.set(placeName(place), Number.POSITIVE_INFINITY);
      yield* this.#starts(thread + 1, all);
    } else for (const place of places) yield* this.#starts(thread + 1, withPlace(counts, place));
  }
}

function withPlace(counts: Counts, place: WaitingPlace | undefined): Counts {
  if (!place) return counts;
  const name = placeName(place);
  return new Map(counts).set(name, (counts.get(name) ?? 0) + 1);
}

type CopiesFinding =
  | { readonly kind: 'wrong'; readonly text: string }
  | { readonly kind: 'stopped'; readonly reason: string };
