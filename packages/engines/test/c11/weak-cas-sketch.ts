import { SeededRandom } from '@fencewright/ground/base/random.js';
import type { MemoryOrder } from '@fencewright/model/program/memory-order.js';
import type { Program, Transition } from '@fencewright/model/program/program.js';
import { programOf } from '../robustness/native-program.js';
import { casBehindLoad } from './cas-behind-load.js';
import { publicationSketch } from './publication-sketch.js';
import { type ProgramSketch, randomSketch, type Sketch, textOf } from './sketch.js';

/**
 * Returns a random program in which one thread executes a read-modify-write and then publishes.
 * Another thread executes a `cas` that expects the value before the read-modify-write. If the `cas`
 * reads this value, it can only fail.
 */
function overtakenSketch(seed: number): ProgramSketch {
  const random = new SeededRandom(seed);
  const order = (): MemoryOrder => (random.below(3) > 0 ? 'relaxed' : 'seq_cst');
  const sum = (): Sketch => ({ kind: 'fetch_add', cell: 'x', value: 1, order: 'acquire' });
  const late: Sketch = {
    ...{ kind: 'cas', cell: 'x', expected: random.below(3), value: random.below(3) },
    ...{ order: order(), failure: order(), waits: false, isWeak: true },
  };
  const looks: Sketch = random.below(2) > 0 ? { kind: 'if', equals: 1, then: [late] } : late;
  const end: readonly Sketch[] =
    random.below(2) > 0 ? [{ kind: 'store', cell: 'z', value: 'r', order: order() }] : [];
  return {
    cells: ['x', 'y', 'z'],
    threads: [
      [
        sum(),
        ...(random.below(3) > 0 ? [] : [sum()]),
        { kind: 'store', cell: 'y', value: 1, order: order() },
      ],
      [{ kind: 'load', cell: 'y', order: order() }, looks, ...end],
    ],
  };
}

/** Returns a random program whose read-modify-writes, and some loads, are mostly weak `cas`. */
export function weakCasSketch(seed: number, branches = true): ProgramSketch {
  const random = new SeededRandom(seed + 5);
  const weakened = (one: Sketch): Sketch => {
    switch (one.kind) {
      case 'xchg':
      case 'fetch_add': {
        if (random.below(3) === 0) return one;
        const { cell, value, order } = one;
        const failure = order === 'acquire' || order === 'acq_rel' ? 'acquire' : 'relaxed';
        const expected = random.below(2);
        return { kind: 'cas', cell, expected, value, order, failure, waits: false, isWeak: true };
      }
      case 'cas':
        return random.below(5) > 0 ? { ...one, isWeak: true } : one;
      case 'load': {
        if (random.below(4) > 0) return one;
        const { cell, order } = one;
        const expected = random.below(2);
        return {
          ...{ kind: 'cas', cell, expected, value: 1 + random.below(2), order: 'relaxed' },
          ...{ failure: order, waits: false, isWeak: true },
        };
      }
      case 'if':
        return { ...one, then: one.then.map(weakened) };
      default:
        return one;
    }
  };
  const base = (): ProgramSketch => {
    if (seed % 2 === 0) return publicationSketch(seed, branches);
    return branches || seed % 4 === 1
      ? randomSketch(seed, { branches, plain: false })
      : casBehindLoad(seed);
  };
  const { cells, threads } = base();
  if (branches && seed % 5 === 0) return overtakenSketch(seed);
  return { cells, threads: threads.map((code) => code.map(weakened)) };
}

/** Returns the `cas` of a thread, in the order of the text. */
function casOf(code: readonly Sketch[]): readonly Extract<Sketch, { kind: 'cas' }>[] {
  return code.flatMap((one) =>
    one.kind === 'cas' ? [one] : one.kind === 'if' ? casOf(one.then) : [],
  );
}

/**
 * Returns the program of a text that `textOf` gives for the sketch. The text does not tell weak
 * `cas`, so the result marks them.
 */
export function weakProgramOf(sketch: ProgramSketch, text = textOf(sketch)): Program {
  const program = programOf(text.replace('program Sketch\n', ''));
  const placeOf = ({ origin }: Transition): number => {
    const { line, column } = origin.span!.start;
    return line * 10_000 + column;
  };
  const threads = program.threads.map((thread, t) => {
    const all = casOf(sketch.threads[t]!);
    const found = thread.transitions
      .filter(({ instruction: one }) => one.kind === 'rmw' && one.operation.name === 'cas')
      .toSorted((one, other) => placeOf(one) - placeOf(other));
    if (found.length !== all.length) throw new Error('a cas was left out');
    const transitions = thread.transitions.map((one): Transition => {
      const { instruction } = one;
      const isWeak = all[found.indexOf(one)]?.isWeak === true;
      if (instruction.kind !== 'rmw' || !isWeak) return one;
      return { ...one, instruction: { ...instruction, mayFail: true } };
    });
    return { ...thread, transitions };
  });
  return { ...program, threads };
}
