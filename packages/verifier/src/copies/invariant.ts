import type { Automata } from '../automata.js';
import type { Cover } from '../inductive.js';
import {
  anyIndex,
  distinct,
  either,
  index,
  int32,
  list,
  literal,
  type Read,
  type Reader,
  record,
  tuple,
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

const cells = distinct(tuple<readonly [number, number]>(int32, int32), ([address]) => address);
const delayed = record({ address: int32 }, { value: int32 });
const many = literal('many');
const count: Reader<number | 'any'> = (value, path) =>
  value === 0
    ? wrong(path, `'any' or a number of threads`)
    : either(literal('any'), anyIndex)(value, path);

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
      tuple<readonly [number, number | 'many', boolean]>(
        int32,
        either(int32, many),
        literal(true, false),
      ),
      ([address]) => address,
    ),
    delayed,
  },
);

export const copiesInvariantReader = list(elementReader);
export type WrittenElement = Read<typeof elementReader>;

/**
 * Returns a function that translates elements of an invariant from the form of certificates: the
 * written places of threads become places of `steps`.
 */
function meaningIn({ threads }: Automata, steps: AttackSteps) {
  const isByValue = steps.happensBefore === 'value';
  const delayedOf = ({ address, value = 0 }: Read<typeof delayed>): Delayed => ({
    address,
    value: isByValue ? value : 0,
  });
  const placedAt = (
    written: Pick<NonNullable<WrittenElement['attacker']>, keyof typeof placed>,
    path: string,
  ): { readonly code: number; readonly place: Place } => {
    const thread = index(threads.length)(written.thread, `${path}.thread`);
    const code = steps.codeOf[thread]!;
    const { locations, registers } = threads[thread]!;
    const location = index(locations.length)(written.location, `${path}.location`);
    if (written.registers.length !== registers.length)
      wrong(`${path}.registers`, `${registers.length} values`);
    return { code, place: steps.threads[code]!.place(location, written.registers) };
  };
  const controlOf = (written: WrittenElement, path: string): Control => {
    const { phase, attacker, marks, delayed: first } = written;
    const memory = new Map(
      written.memory.filter(([address, value]) => steps.held(new Map(), address) !== value),
    );
    if (phase === 'before') return { phase, memory };
    if (phase === 'delaying') {
      if (!attacker) return wrong(path, "a member 'attacker'");
      const { code, place } = placedAt(attacker, `${path}.attacker`);
      const { location, registers } = place;
      const [buffer, its] = [new Map(attacker.buffer), delayedOf(attacker.delayed)];
      return { phase, memory, attacker: { code, location, registers, buffer, delayed: its } };
    }
    if (!marks || !first) return wrong(path, "members 'marks' and 'delayed'");
    const read = marks.map(([address, seen, stored]): readonly [number, Mark] => {
      return [address, { seen: isByValue ? seen : 'many', stored }];
    });
    return { phase, memory, marks: new Map(read), delayed: delayedOf(first) };
  };
  return (written: WrittenElement, path: string): AttackState => {
    let crowds: Crowds = [];
    for (const [i, { count: size, onPath = false, ...thread }] of written.threads.entries()) {
      const { code, place } = placedAt(thread, `${path}.threads[${i}]`);
      const waiting = steps.waitingAt(code, place, onPath);
      crowds = joined(crowds, waiting, size === 'any' ? Number.POSITIVE_INFINITY : size);
    }
    return { control: controlOf(written, path), crowds };
  };
}

/**
 * Returns an invariant of all instances: a cover whose elements bound the number of threads at each
 * place.
 */
export function copiesCover(
  automata: Automata,
  steps: AttackSteps,
  written: readonly WrittenElement[],
): Cover<AttackState, AttackState> {
  const meaning = meaningIn(automata, steps);
  const parts = written.map((element, i) => meaning(element, `invariant[${i}]`));
  const byControl = new Map<string, Crowds[]>();
  for (const { control, crowds } of parts) {
    const name = controlName(control);
    byControl.set(name, [...(byControl.get(name) ?? []), crowds]);
  }
  const otherwise = 'the invariant does not cover the initial states of all instances';
  return {
    starts: () => steps.initialStates().map((state) => ({ state, otherwise })),
    parts,
    contains: ({ control, crowds }) =>
      (byControl.get(controlName(control)) ?? []).some((larger) =>
        crowds.every(
          ({ place, count: least }) =>
            least <= (larger.find((crowd) => crowd.place === place)?.count ?? 0),
        ),
      ),
    *after(part) {
      for (const [state, who] of steps.after(part))
        yield state === 'goal'
          ? { bad: 'the invariant holds a state before the end of an attack' }
          : { state, otherwise: `a step of ${who} leads out of the invariant` };
    },
  };
}
