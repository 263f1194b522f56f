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
import type { Delayed, Mark } from '../attack/marks.js';
import {
  type AttackState,
  type AttackSteps,
  type Control,
  controlName,
  type Crowds,
  joined,
} from '../attack/steps.js';
import type { Place } from '../attack/thread.js';

/** The maximum number of threads that is written as a number; `any` can replace a larger number. */
const mostThreads = 2 ** 31;

/** Returns a reader of arrays of fixed length, given one reader for each element. */
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

const placed = { thread: int32, location: int32, registers: list(int32) };

const elementReader = record(
  {
    phase: literal('before', 'delaying', 'path'),
    memory: cells,
    threads: list(record({ ...placed, count }, { onPath: literal(true) })),
  },
  {
    attacker: record({ ...placed, buffer: cells, delayed }),
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

  element(written: WrittenElement, path: string): AttackState {
    let crowds: Crowds = [];
    for (const [i, { count, onPath = false, ...thread }] of written.threads.entries()) {
      const { code, place } = this.#placed(thread, `${path}.threads[${i}]`);
      const waiting = this.#steps.waitingAt(code, place, onPath);
      crowds = joined(crowds, waiting, count === 'any' ? Number.POSITIVE_INFINITY : count);
    }
    return { control: this.#control(written, path), crowds };
  }

  #control(written: WrittenElement, path: string): Control {
    const { phase, attacker, marks, delayed } = written;
    const memory = new Map(
      written.memory.filter(([address, value]) => this.#steps.held(new Map(), address) !== value),
    );
    if (phase === 'before') return { phase, memory };
    if (phase === 'delaying') {
      if (!attacker) return wrong(path, "a member 'attacker'");
      const { code, place } = this.#placed(attacker, `${path}.attacker`);
      const { location, registers } = place;
      const [buffer, first] = [new Map(attacker.buffer), this.#delayed(attacker.delayed)];
      return { phase, memory, attacker: { code, location, registers, buffer, delayed: first } };
    }
    if (!marks || !delayed) return wrong(path, "members 'marks' and 'delayed'");
    const read = marks.map(([address, seen, stored]): readonly [number, Mark] => {
      return [address, { seen: this.#isByValue ? seen : 'many', stored }];
    });
    return { phase, memory, marks: new Map(read), delayed: this.#delayed(delayed) };
  }

  get #isByValue(): boolean {
    return this.#steps.happensBefore === 'value';
  }

  #delayed({ address, value = 0 }: Partial<Delayed> & Pick<Delayed, 'address'>): Delayed {
    return { address, value: this.#isByValue ? value : 0 };
  }

  #placed(
    written: Pick<NonNullable<WrittenElement['attacker']>, keyof typeof placed>,
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

/**
 * An invariant of all instances: a cover whose elements bound the number of threads at each place.
 */
export class CopiesInvariant implements Cover<AttackState, AttackState> {
  readonly parts: readonly AttackState[];
  readonly #steps: AttackSteps;
  readonly #byControl = new Map<string, Crowds[]>();

  constructor(automata: Automata, steps: AttackSteps, written: readonly WrittenElement[]) {
    this.#steps = steps;
    const meaning = new Meaning(automata, steps);
    this.parts = written.map((element, i) => meaning.element(element, `invariant[${i}]`));
    for (const { control, crowds } of this.parts) {
      const name = controlName(control);
      const known = this.#byControl.get(name);
      if (known) known.push(crowds);
      else this.#byControl.set(name, [crowds]);
    }
  }

  starts(): readonly Reached<AttackState>[] {
    const otherwise = 'the invariant does not cover the initial states of all instances';
    return this.#steps.initialStates().map((state) => ({ state, otherwise }));
  }

  contains({ control, crowds }: AttackState): boolean {
    const known = this.#byControl.get(controlName(control)) ?? [];
    return known.some((larger) =>
      crowds.every(
        ({ place, count }) => count <= (larger.find((crowd) => crowd.place === place)?.count ?? 0),
      ),
    );
  }

  *after(part: AttackState): Generator<Reached<AttackState>> {
    for (const [state, who] of this.#steps.after(part))
      yield state === 'goal'
        ? { bad: 'the invariant holds a state before the end of an attack' }
        : { state, otherwise: `a step of ${who} leads out of the invariant` };
  }
}
