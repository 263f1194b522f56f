import type { SeededRandom } from '@fencewright/ground/base/random.js';
import type { EventInstruction, EventProgram } from '@fencewright/model/program/event-program.js';
import {
  equals,
  eventProgramOf,
  instructions,
  type BodySketch,
  type EventStatement,
  type Operand,
} from '@fencewright/reference/testing/event-builder.js';

const { store, load, rmw, fence, assume, call, post, choose, when } = instructions;

export interface TaskOptions {
  /** Whether all postings go to background threads, and there are no calls. */
  readonly onlyBackground?: boolean;
}

/**
 * Returns a small random program whose tasks store to one cell and then load or post, mostly
 * without fences; at least one task is posted to a background thread.
 */
export function randomTasks(random: SeededRandom, options: TaskOptions = {}): EventProgram {
  const { onlyBackground = false } = options;
  const below = (bound: number): number => random.below(bound);
  const percent = (n: number): boolean => below(100) < n;
  const one = <T>(...choices: readonly T[]): T => choices[below(choices.length)]!;
  const cells = 2 + below(2);
  const procedures = 1 + below(3);
  const parameters = Array.from({ length: procedures }, () => (percent(25) ? 1 : 0));
  const cell = () => below(cells);
  const value = (): Operand => (percent(25) ? one<Operand>('r0', 'r1') : 1 + below(2));
  const invocation = (first: number): EventInstruction => {
    const body = first + below(procedures - first);
    const given = parameters[body] === 1 ? [value()] : [];
    if (!onlyBackground && percent(12)) return call(body, ...given);
    return post(onlyBackground || percent(70) ? 'any' : 'main', body, ...given);
  };
  const access = (): EventInstruction => {
    const roll = below(100);
    if (roll < 52) return store(cell(), value());
    if (roll < 88) return load(one('r0', 'r1'), cell());
    return percent(50)
      ? rmw('xchg', cell(), [1 + below(2)])
      : rmw('cas', cell(), [below(2), 1 + below(2)], 'r1');
  };
  const statement = (first: number): EventStatement => {
    const roll = below(100);
    if (roll < 34 && first < procedures) return invocation(first);
    if (roll < 42) return fence;
    if (roll < 47) return assume(equals(one('r0', 'r1'), below(2)));
    if (roll < 52) return choose([access()], percent(50) ? [] : [access()]);
    if (roll < 57) return when(equals('r0', below(2)), [access()]);
    return access();
  };
  const body = (name: string, first: number, most: number, given = 0): BodySketch => ({
    name,
    parameters: given,
    does: Array.from({ length: 1 + below(most) }, () => statement(first)),
  });
  const events = 1 + below(3);
  // In a ring, tasks store to one cell and load the next cell.
  const isRing = percent(50);
  const link = (sketch: BodySketch, number: number): BodySketch => {
    if (!isRing || percent(25)) return sketch;
    const pair: readonly EventStatement[] = [
      store(number % cells, 1),
      ...(percent(15) ? [fence] : []),
      load('r1', (number + 1) % cells),
    ];
    return { ...sketch, does: percent(60) ? pair : [...sketch.does, ...pair] };
  };
  return eventProgramOf({
    cells: ['x', 'y', 'z'].slice(0, cells),
    procedures: parameters.map((given, p) => link(body(`p${p}`, p + 1, 3, given), p)),
    events: Array.from({ length: events }, (_, e) => {
      const sketch = percent(50) ? body(`e${e}`, 0, 3) : link(body(`e${e}`, 0, 2), procedures + e);
      const isPosting = e === 0 || percent(40);
      const first = below(procedures);
      const posted = post('any', first, ...(parameters[first] === 1 ? [1 + below(2)] : []));
      return isPosting ? { ...sketch, does: [posted, ...sketch.does] } : sketch;
    }),
    instances: Array.from({ length: events }, (_, event) => ({
      event,
      count: percent(15) ? 2 : 1,
    })),
  });
}
