import { holds as compared } from '@fencewright/reference/testing/relation.js';
import {
  type Atom,
  cells,
  type Counters,
  type Property,
  type Register,
  registers,
  type Step,
  type Sum,
  type Test,
  type Value,
} from './random-counters.js';

interface Thread {
  /** The number of statements for an ended thread. */
  readonly place: number;
  readonly registers: readonly number[];
  /** Delayed stores, the oldest first: index of the cell, and value. */
  readonly buffer: readonly (readonly [number, number])[];
  /** Whether an assertion of the thread has failed, which ends it. */
  readonly isFailed: boolean;
}

interface State {
  readonly threads: readonly Thread[];
  readonly memory: readonly number[];
}

/**
 * The behaviour of small instances. `asserts` has the steps of the copies' assertions that fail.
 */
export interface Seen {
  readonly properties: ReadonlySet<number>;
  readonly asserts: ReadonlySet<number>;
  readonly states: number;
  readonly isComplete: boolean;
}

const indexOf = (register: Register): number => registers.indexOf(register);

/**
 * Executes an instance step by step, under SC or TSO, breadth first up to `mostStates` states, and
 * returns which claims fail. Written from the meaning of the statements, without the library.
 */
export function seenInInstance(
  { steps, isLoop, beside, properties }: Counters,
  copies: number,
  model: 'SC' | 'TSO',
  mostStates: number,
): Seen {
  const codes = [
    ...Array.from({ length: copies }, () => steps),
    ...(beside.length > 0 ? [beside] : []),
  ];
  const start: State = {
    threads: codes.map(() => ({
      ...{ place: 0, registers: registers.map(() => 0), buffer: [], isFailed: false },
    })),
    memory: cells.map(() => 0),
  };
  const failing = { properties: new Set<number>(), asserts: new Set<number>() };
  const known = new Set([JSON.stringify(start)]);
  const queue = [start];
  let isComplete = true;
  for (const state of queue) {
    properties.forEach((property, i) => {
      if (failsIn(property, state)) failing.properties.add(i);
    });
    for (const next of successors(state)) {
      const key = JSON.stringify(next);
      if (known.has(key)) continue;
      if (known.size >= mostStates) {
        isComplete = false;
        continue;
      }
      known.add(key);
      queue.push(next);
    }
  }
  return { ...failing, states: known.size, isComplete };

  function successors(state: State): State[] {
    return state.threads.flatMap((thread, t) => {
      const changed = (next: Partial<Thread>, memory = state.memory): State => ({
        threads: state.threads.with(t, { ...thread, ...next }),
        memory,
      });
      const oldest = thread.buffer[0];
      const flushed = oldest
        ? [changed({ buffer: thread.buffer.slice(1) }, state.memory.with(...pairOf(oldest)))]
        : [];
      const step = codes[t]![thread.place];
      return step && !thread.isFailed
        ? [...flushed, ...executed(step, thread, t, state, changed)]
        : flushed;
    });
  }

  function executed(
    step: Step,
    thread: Thread,
    t: number,
    { memory }: State,
    changed: (next: Partial<Thread>, memory?: readonly number[]) => State,
  ): State[] {
    const isCopy = t < copies;
    const behind = (place: number): number =>
      isCopy && isLoop && place === steps.length ? 0 : place;
    const next = behind(thread.place + 1);
    const valueOf = ({ of, plus }: Sum): number =>
      (of === undefined ? 0 : thread.registers[indexOf(of)]!) + plus;
    const holds = ({ left, is, right }: Test): boolean =>
      compared(valueOf(left), is, valueOf(right));
    const into = (register: Register, value: number): Partial<Thread> => ({
      place: next,
      registers: thread.registers.with(indexOf(register), value),
    });
    const isDrained = thread.buffer.length === 0;
    const read = (cell: number): number =>
      thread.buffer.findLast(([stored]) => stored === cell)?.[1] ?? memory[cell]!;
    switch (step.kind) {
      case 'add':
      case 'exchange': {
        if (!isDrained) return [];
        const cell = cells.indexOf(step.cell);
        const old = memory[cell]!;
        const stored = valueOf(step.by) + (step.kind === 'add' ? old : 0);
        return [changed(into(step.into, old), memory.with(cell, stored))];
      }
      case 'load':
        return [changed(into(step.into, read(cells.indexOf(step.cell))))];
      case 'store': {
        const cell = cells.indexOf(step.cell);
        const value = valueOf(step.by);
        return model === 'SC'
          ? [changed({ place: next }, memory.with(cell, value))]
          : [changed({ place: next, buffer: [...thread.buffer, [cell, value]] })];
      }
      case 'set':
        return [changed(into(step.into, valueOf(step.by)))];
      case 'await': {
        const isTurn = read(cells.indexOf(step.cell)) === thread.registers[indexOf('my')];
        return isTurn ? [changed({ place: next })] : [];
      }
      case 'acquire': {
        if (!isDrained) return [];
        const cell = cells.indexOf(step.cell);
        const isFree = memory[cell] === 0;
        return [changed(isFree ? { place: next } : {}, memory.with(cell, 1))];
      }
      case 'fence':
        return isDrained ? [changed({ place: next })] : [];
      case 'assert':
        if (holds(step.test)) return [changed({ place: next })];
        if (isCopy) failing.asserts.add(thread.place);
        return [changed({ isFailed: true })];
      case 'if':
        return [changed({ place: holds(step.test) ? next : behind(thread.place + 2) })];
    }
  }

  function failsIn({ kind, atoms }: Property, state: State): boolean {
    if (kind === 'finally') {
      const isFinal = state.threads.every(
        ({ place, buffer, isFailed }, t) =>
          place === codes[t]!.length && buffer.length === 0 && !isFailed,
      );
      return isFinal && !atoms.every((atom) => isTrue(atom, state, [0, 1]));
    }
    return state.threads.some(
      (_, first) =>
        first < copies &&
        state.threads.some(
          (__, second) =>
            second < copies &&
            (second !== first || !mentionsTwo(atoms)) &&
            atoms.every((atom) => isTrue(atom, state, [first, second])),
        ),
    );
  }

  function isTrue(atom: Atom, state: State, named: readonly [number, number]): boolean {
    const threadOf = (copy: 0 | 1): Thread => state.threads[named[copy]]!;
    const valueOf = (value: Value): number => {
      if ('cell' in value) return state.memory[cells.indexOf(value.cell)]! + value.plus;
      if ('number' in value) return value.number;
      return threadOf(value.copy).registers[indexOf(value.register)]!;
    };
    switch (atom.kind) {
      case 'at':
        return threadOf(atom.copy).place === atom.step && !threadOf(atom.copy).isFailed;
      case 'ended':
        return threadOf(atom.copy).place === steps.length;
      case 'compare':
        return compared(valueOf(atom.left), atom.is, valueOf(atom.right));
    }
  }
}

function pairOf([cell, value]: readonly [number, number]): [number, number] {
  return [cell, value];
}

function mentionsTwo(atoms: readonly Atom[]): boolean {
  const isSecond = (value: Value): boolean => 'copy' in value && value.copy === 1;
  return atoms.some((atom) =>
    atom.kind === 'compare' ? isSecond(atom.left) || isSecond(atom.right) : atom.copy === 1,
  );
}
