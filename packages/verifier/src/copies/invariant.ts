import type { Automata } from '../automata.js';
import type { Cover, Reached } from '../inductive.js';
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

/** A set of states as in `Element`, without the list of places. */
type CountedState = Omit<Element, 'places'>;

/** An invariant of all instances, as a cover by numbers of threads. */
export class CopiesInvariant implements Cover<CountedState, Element> {
  readonly parts: readonly Element[];
  readonly #automata: Automata;
  readonly #steps: AttackSteps;
  readonly #byControl = new Map<string, Counts[]>();

  constructor(automata: Automata, steps: AttackSteps, written: readonly WrittenElement[]) {
    this.#automata = automata;
    this.#steps = steps;
    const meaning = new Meaning(automata, steps);
    this.parts = written.map((element, i) => meaning.element(element, `invariant[${i}]`));
    for (const { control, counts } of this.parts) {
      const name = controlName(control);
      const known = this.#byControl.get(name);
      if (known) known.push(counts);
      else this.#byControl.set(name, [counts]);
    }
  }

  /** Returns the initial states: one for every combination of first places of single threads. */
  starts(): readonly Reached<CountedState>[] {
    let all: readonly Counts[] = [new Map()];
    for (const [thread, { unbounded }] of this.#automata.threads.entries()) {
      const places = this.#steps.starts(this.#steps.codeOf[thread]!);
      all = unbounded
        ? all.map((counts) => new Map([...counts, ...places.flatMap(anyNumber)]))
        : all.flatMap((counts) => places.map((place) => withPlace(counts, place)));
    }
    return all.map((counts) => ({
      state: { control: { phase: 'before', memory: new Map() }, counts },
      otherwise: 'the invariant does not cover the initial states of all instances',
    }));
  }

  contains({ control, counts }: CountedState): boolean {
    const known = this.#byControl.get(controlName(control)) ?? [];
    return known.some((larger) => {
      for (const [name, count] of counts) if ((larger.get(name) ?? 0) < count) return false;
      return true;
    });
  }

  *after({ control, places, counts }: Element): Generator<Reached<CountedState>> {
    if (control.phase === 'delaying') {
      const who = `the attacker '${this.#nameOf(control.attacker.code)}'`;
      yield* reachedBy(this.#steps.ofAttacker(control), counts, who);
    }
    for (const place of places) {
      const name = placeName(place);
      const others = new Map(counts);
      const left = counts.get(name)! - 1;
      if (left === 0) others.delete(name);
      else others.set(name, left);
      yield* reachedBy(this.#steps.ofPlace(control, place), others, this.#nameOf(place.code));
    }
  }

  #nameOf(code: number): string {
    return this.#automata.threads[this.#steps.codeOf.indexOf(code)]!.name;
  }
}

function reachedBy(
  steps: readonly AttackStep[],
  others: Counts,
  who: string,
): readonly Reached<CountedState>[] {
  return steps.map((step) =>
    step.kind === 'goal'
      ? { bad: 'the invariant holds a state before the end of an attack' }
      : {
          state: { control: step.control, counts: withPlace(others, step.place) },
          otherwise: `a step of ${who} leads out of the invariant`,
        },
  );
}

function anyNumber(place: WaitingPlace | undefined): readonly (readonly [string, number])[] {
  return place ? [[placeName(place), Number.POSITIVE_INFINITY]] : [];
}

function withPlace(counts: Counts, place: WaitingPlace | undefined): Counts {
  if (!place) return counts;
  const name = placeName(place);
  return new Map(counts).set(name, (counts.get(name) ?? 0) + 1);
}
