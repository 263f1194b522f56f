import type { SeededRandom } from '@fencewright/ground/base/random.js';
import type { EventInstruction, EventProgram } from '@fencewright/model/program/event-program.js';
import {
  equals,
  eventProgramOf,
  instructions,
  type BodySketch,
  type EventSketch,
  type EventStatement,
  type Operand,
} from './event-builder.js';

export interface RandomEventOptions {
  /** The maximum number of tasks of a run if every branch is taken; default 7. */
  readonly maxTasks?: number;
  /** The maximum number of accesses of a run if every branch is taken; default 11. */
  readonly maxAccesses?: number;
  /** Whether some tasks wait in a loop for a value, or repeat an action for ever. */
  readonly endless?: boolean;
}

/** A random program of events, with the sketch from which it was built. */
export interface RandomEventProgram {
  readonly sketch: EventSketch;
  readonly program: EventProgram;
  /**
   * Whether the program is a ring, in which each task stores to one cell and loads the next cell.
   */
  readonly isRing: boolean;
}

const { store, load, rmw, fence, assign, assume, havoc, call, post } = instructions;
const { when, choose, repeat, atomic, back } = instructions;

type Register = 'r0' | 'r1' | 'r2' | 'r3';
const registers: readonly Register[] = ['r0', 'r1', 'r2', 'r3'];

/** Makes the random choices of a program's parts. */
class EventDice {
  constructor(
    readonly random: SeededRandom,
    readonly cells: number,
    readonly parameters: readonly number[],
    readonly endless: boolean,
  ) {}

  below(bound: number): number {
    return this.random.below(bound);
  }

  /** Returns true with probability `n` percent. */
  percent(n: number): boolean {
    return this.below(100) < n;
  }

  one<T>(...choices: readonly T[]): T {
    return choices[this.below(choices.length)]!;
  }

  cell(): number {
    // Low numbers are more frequent.
    return Math.min(this.below(this.cells), this.below(this.cells));
  }

  value(): Operand {
    return this.percent(75) ? 1 + this.below(3) : this.one(...registers.slice(0, 2));
  }

  access(): EventInstruction {
    return this.percent(50)
      ? store(this.cell(), this.value())
      : load(this.one(...registers), this.cell());
  }

  locked(): EventInstruction {
    const into = this.percent(60) ? this.one(...registers) : undefined;
    return this.percent(50)
      ? rmw('cas', this.cell(), [this.below(2), 1 + this.below(2)], into)
      : rmw('xchg', this.cell(), [this.value()], into);
  }

  /**
   * Returns a posting or a call of a procedure from `first` on; as procedures invoke only later
   * procedures, there is no recursion. `undefined` if there is no such procedure.
   */
  invocation(first: number): EventInstruction | undefined {
    const procedures = this.parameters.length - first;
    if (procedures <= 0) return undefined;
    const procedure = first + this.below(procedures);
    const given = Array.from({ length: this.parameters[procedure]! }, () => this.value());
    if (this.percent(30)) return call(procedure, ...given);
    return post(this.percent(60) ? 'any' : 'main', procedure, ...given);
  }

  few(first: number): EventStatement[] {
    return Array.from({ length: this.below(2) + 1 }, () =>
      this.percent(25) ? (this.invocation(first) ?? this.access()) : this.access(),
    );
  }

  waiting(): EventStatement[] {
    const cell = this.cell();
    return this.percent(50)
      ? [load('r0', cell), repeat(equals('r0', 0), [load('r0', cell)])]
      : [repeat(1, this.percent(50) ? [] : [this.access()])];
  }

  /** Returns one to three random statements that form a pattern. */
  item(first: number): EventStatement[] {
    const kind = this.below(100);
    if (this.endless && kind >= 88) return this.waiting();
    if (kind < 34) return [this.access()];
    if (kind < 56) return [this.invocation(first) ?? this.access()];
    // A store that may still be in the buffer while the posted task runs.
    if (kind < 66) return [store(this.cell(), this.value()), this.invocation(first) ?? fence];
    if (kind < 71) return [fence];
    if (kind < 77) return [this.locked()];
    const register = this.one(...registers.slice(0, 2));
    const condition = equals(register, this.below(2));
    if (kind < 83)
      return [
        load(register, this.cell()),
        when(condition, this.few(first), this.percent(30) ? this.few(first) : []),
      ];
    if (kind < 88) return [choose(this.few(first), this.percent(50) ? [] : this.few(first))];
    if (kind < 92) return [load(register, this.cell()), assume(condition)];
    if (kind < 96) return [atomic(this.access(), ...(this.percent(60) ? [this.access()] : []))];
    if (kind < 98) return [havoc(register, 0, 1), store(this.cell(), register)];
    return this.percent(50) ? [assign(register, this.below(3))] : [when(condition, [back])];
  }

  body(name: string, parameters: number, first: number, length: number): BodySketch {
    const does = Array.from({ length: 1 + this.below(length) }, () => this.item(first)).flat();
    return { name, parameters, does };
  }
}

/**
 * Returns the numbers of tasks and accesses of a procedure or event if every branch is taken,
 * including all posted and called procedures.
 */
function costOf(
  statements: readonly EventStatement[],
  procedures: readonly BodySketch[],
): { readonly tasks: number; readonly accesses: number } {
  let tasks = 0;
  let accesses = 0;
  for (const statement of statements) {
    const parts =
      statement.kind === 'if'
        ? [statement.then, statement.otherwise]
        : statement.kind === 'choose'
          ? statement.branches
          : statement.kind === 'while' || statement.kind === 'atomic'
            ? [statement.inside]
            : statement.kind === 'call' || statement.kind === 'post'
              ? [procedures[statement.body]?.does ?? []]
              : [];
    for (const part of parts) {
      const cost = costOf(part, procedures);
      tasks += cost.tasks;
      accesses += cost.accesses;
    }
    if (statement.kind === 'post') tasks++;
    if (['store', 'load', 'rmw'].includes(statement.kind)) accesses++;
  }
  return { tasks, accesses };
}

/**
 * Returns a program of tasks that store to one cell and load the next cell, some at the end of a
 * chain of postings.
 */
function ringOf(dice: EventDice, cells: number): EventSketch {
  const procedures: BodySketch[] = [];
  const events: BodySketch[] = [];
  const between = (): EventStatement[] => {
    if (dice.percent(22)) return [fence];
    return dice.percent(12) ? [dice.locked()] : [];
  };
  for (let i = 0; i < cells; i++) {
    const next = (i + 1) % cells;
    const stored = store(i, dice.percent(80) ? 1 : dice.value());
    const loaded = load('r0', next);
    const told: EventStatement[] = dice.percent(25) ? [when(equals('r0', 0), [store(i, 2)])] : [];
    const where = dice.below(10);
    const to = dice.percent(75) ? 'any' : 'main';
    const task = procedures.length;
    if (where < 3) events.push({ name: `e${i}`, does: [stored, ...between(), loaded, ...told] });
    else if (where < 6) {
      procedures.push({ name: `p${i}`, does: [stored, ...between(), loaded, ...told] });
      events.push({ name: `e${i}`, does: [...between(), post(to, task)] });
    } else if (where < 8) {
      // The store in the event, the load in the posted task.
      procedures.push({ name: `p${i}`, does: [...between(), loaded, ...told] });
      events.push({ name: `e${i}`, does: [stored, ...between(), post(to, task)] });
    } else if (where === 8) {
      // Two handlers, run in either order, that share one buffer.
      events.push({ name: `e${i}`, does: [stored] }, { name: `f${i}`, does: [loaded] });
    } else {
      procedures.push({
        name: `p${i}`,
        parameters: 1,
        does: [store(i, 'r0'), ...between(), load('r1', next)],
      });
      procedures.push({ name: `q${i}`, does: [fence, post(to, task, 1)] });
      events.push({ name: `e${i}`, does: [post('any', task + 1)] });
    }
  }
  return {
    cells: cellNames(cells),
    procedures,
    events,
    instances: events.map((_, event) => ({ event, count: dice.percent(12) ? 2 : 1 })),
  };
}

/**
 * Returns a program with one event that runs a chain of tasks, each posting the next at its end, so
 * that only buffers can change the order of accesses; other events observe the chain.
 */
function chainOf(dice: EventDice): EventSketch {
  const length = 1 + dice.below(4);
  const accesses = (most: number): EventStatement[] =>
    Array.from({ length: 1 + dice.below(most) }, () => {
      if (dice.percent(8)) return dice.locked();
      return dice.percent(8) ? atomic(dice.access(), dice.access()) : dice.access();
    });
  const link = (task: number): EventStatement[] => {
    const stored = store(dice.cell(), dice.value());
    const start = dice.percent(60) ? [stored] : dice.percent(25) ? [fence] : [];
    const middle = dice.percent(45) ? accesses(2) : [];
    const fenced = dice.percent(12) ? [fence] : [];
    const posting =
      task < length ? [post(dice.percent(70) ? 'any' : 'main', task, dice.value())] : [];
    return [...start, ...middle, ...fenced, ...posting];
  };
  const procedures = Array.from({ length }, (_, task): BodySketch => {
    const does = link(task + 1);
    const isLast = task === length - 1;
    return {
      name: `p${task}`,
      parameters: 1,
      does: isLast ? [...does, load('r1', dice.cell())] : does,
    };
  });
  const watchers = Array.from({ length: dice.percent(50) ? 1 + dice.below(2) : 0 }, (_, w) => {
    const seen = load('r0', dice.cell());
    const rest = dice.percent(40) ? [when(equals('r0', 1), [dice.access()])] : [];
    return { name: `w${w}`, does: dice.percent(60) ? [seen, ...rest] : accesses(1) };
  });
  return {
    cells: cellNames(dice.cells),
    procedures,
    events: [{ name: 'e', does: link(0) }, ...watchers],
    instances: [{ event: 0 }, ...watchers.map((_, w) => ({ event: w + 1 }))],
  };
}

function cellNames(cells: number): readonly string[] {
  return Array.from({ length: cells }, (_, cell) => `x${cell}`);
}

function freeFormOf(dice: EventDice): EventSketch {
  // Three instances of an event leave little room for more.
  const areThree = dice.percent(25);
  const procedures = dice.parameters.map((parameters, p) =>
    dice.body(`p${p}`, parameters, p + 1, areThree ? 1 : 3),
  );
  const count = areThree ? 1 : 1 + Math.min(dice.below(4), dice.below(4));
  const events = Array.from({ length: count }, (_, e): BodySketch => {
    const parameters = dice.percent(25) ? 1 : 0;
    const { does } = dice.body('', parameters, 0, areThree ? 1 : 2);
    // An event should rarely be without a task.
    const posting = dice.percent(areThree ? 40 : 70) ? [dice.invocation(0)!] : [];
    return { name: `e${e}`, parameters, does: [...does, ...posting] };
  });
  const instances = events.map(({ parameters = 0 }, event) => ({
    event,
    arguments: Array.from({ length: parameters }, () => 1 + dice.below(2)),
    count: areThree ? 3 : dice.percent(75) ? 1 : 2,
  }));
  return { cells: cellNames(dice.cells), procedures, events, instances };
}

/** Whether the program is small enough for enumerating all its traces. */
function isSmall(
  { procedures = [], events, instances }: EventSketch,
  maxTasks: number,
  maxAccesses: number,
): boolean {
  let tasks = 0;
  let accesses = 0;
  for (const { event, count } of instances) {
    const cost = costOf(events[event]!.does, procedures);
    const copies = typeof count === 'number' ? count : 1;
    tasks += copies * (1 + cost.tasks);
    accesses += copies * cost.accesses;
  }
  return tasks <= maxTasks && accesses <= maxAccesses;
}

/**
 * Returns a random program of events, small enough for enumerating all its traces: 1 to 4 events
 * and procedures, 2 to 5 cells, postings up to four deep. Four in ten are rings, with runs that are
 * often not robust; two in ten are chains, often not robust either, but only because of buffers.
 * Without `endless` every run ends. Equal random numbers give equal programs.
 */
export function randomEventProgram(
  random: SeededRandom,
  options: RandomEventOptions = {},
): RandomEventProgram {
  const { maxTasks = 7, maxAccesses = 11, endless = false } = options;
  for (;;) {
    const form = endless ? 9 : random.below(10);
    const isRing = form < 4;
    const cells = isRing ? 2 + random.below(2) : 2 + Math.min(random.below(4), random.below(4));
    const procedures = isRing ? 0 : 1 + random.below(4);
    const parameters = Array.from({ length: procedures }, () => Math.max(0, random.below(4) - 1));
    const dice = new EventDice(random, cells, parameters, endless);
    const sketch = isRing ? ringOf(dice, cells) : form < 6 ? chainOf(dice) : freeFormOf(dice);
    if (isSmall(sketch, maxTasks, maxAccesses))
      return { sketch, program: eventProgramOf(sketch), isRing };
  }
}
