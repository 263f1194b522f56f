import { at } from '@fencewright/ground/base/at.js';
import type { EventOrder } from '@fencewright/model/c11/execution-graph.js';
import type { MemoryOrder } from '@fencewright/model/program/memory-order.js';
import type { Program } from '@fencewright/model/program/program.js';
import { type CodeTransition, compileProgram } from '@fencewright/model/semantics/thread-code.js';
import { type Event, happensBefore, isAllowed, isOfSC, relate } from './all-outcomes.js';

/** The location and registers of a thread; a thread after a failed assertion has no location. */
interface Place {
  readonly location: number | undefined;
  readonly registers: readonly number[];
}

/** An unfinished execution graph, with the location and registers of each thread. */
interface Open {
  readonly events: readonly Event[];
  /** The modification order of each cell that was accessed, by address. */
  readonly stores: ReadonlyMap<number, readonly number[]>;
  readonly threads: readonly Place[];
}

/**
 * The end of an execution that cannot continue: the location and registers of each thread, and the
 * last value of each accessed cell.
 */
export interface GraphEnd {
  readonly threads: readonly Place[];
  readonly memory: ReadonlyMap<number, number>;
  readonly isOfSC: boolean;
}

/** The facts that hold over the execution graphs of a program. */
export interface ProgramGraphs {
  readonly isRobust: boolean;
  readonly isRacy: boolean;
  /** The threads and transitions of failing assertions, under C11 and under SC. */
  readonly failing: { readonly c11: ReadonlySet<string>; readonly sc: ReadonlySet<string> };
  readonly ends: readonly GraphEnd[];
  /** Whether the graphs are complete: no thread was stopped because of the limit on events. */
  readonly isWhole: boolean;
}

export interface GraphLimits {
  readonly graphs: number;
  /** The maximum number of events of each thread; a thread with more is stopped. */
  readonly events: number;
}

/**
 * A possible extension of a graph by a step of a thread: the event, the store directly before its
 * own store in modification order, and the thread's location and registers afterwards.
 */
interface Choice {
  readonly event: Omit<Event, 'thread' | 'place'>;
  readonly behind?: number;
  readonly next: Place;
}

function failureOf(order: MemoryOrder): MemoryOrder {
  if (order === 'acq_rel') return 'acquire';
  return order === 'release' ? 'relaxed' : order;
}

/** Builds all execution graphs of a program, event by event along program order and reads-from. */
class GraphBuilder {
  readonly #threads: ReturnType<typeof compileProgram>['threads'];
  readonly #program: Program;
  readonly #limits: GraphLimits;
  readonly #seen = new Set<string>();
  readonly #work: Open[] = [];
  readonly #ends: GraphEnd[] = [];
  readonly #failing = { c11: new Set<string>(), sc: new Set<string>() };
  #isRobust = true;
  #isRacy = false;
  #isWhole = true;

  constructor(program: Program, limits: GraphLimits) {
    this.#program = program;
    this.#threads = compileProgram(program).threads;
    this.#limits = limits;
  }

  build(): ProgramGraphs | undefined {
    const start: Open = { events: [], stores: new Map(), threads: [] };
    const begin = (now: Open, thread: number): void => {
      const own = this.#program.threads[thread];
      if (!own) {
        this.#add(now);
        return;
      }
      const place = { location: own.initial, registers: own.registers.map(() => 0) };
      for (const next of this.#settle(now, thread, place))
        begin({ ...now, threads: [...now.threads, next] }, thread + 1);
    };
    begin(start, 0);
    while (this.#work.length > 0) {
      if (this.#seen.size > this.#limits.graphs) return undefined;
      this.#expand(this.#work.pop()!);
    }
    return {
      ...{ isRobust: this.#isRobust, isRacy: this.#isRacy, isWhole: this.#isWhole },
      ...{ failing: this.#failing, ends: this.#ends },
    };
  }

  #isPlain(address: number): boolean {
    return this.#program.symbols.some(
      ({ base, length, isPlain }) => isPlain && address >= base && address < base + length,
    );
  }

  #initial(address: number): number {
    const symbol = this.#program.symbols.find(
      ({ base, length }) => address >= base && address < base + length,
    );
    return symbol?.initial[address - symbol.base] ?? 0;
  }

  #add(open: Open): void {
    const { events, stores, threads } = open;
    const name = (i: number): string =>
      i < 0 ? '-' : `${events[i]!.thread}.${events[i]!.place}.${events[i]!.cell}`;
    const list = events.map((e, i) => `${name(i)}${e.does}${e.order}${name(e.from)}${e.wrote}`);
    const orders = [...stores].map(([cell, one]) => `${cell}:${one.map(name).join()}`);
    const key = [list.sort().join(), orders.sort().join(';'), JSON.stringify(threads)].join('|');
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    const modification = [...stores.values()];
    if (!isAllowed(events, modification)) return;
    if (!isOfSC(relate(events, modification))) this.#isRobust = false;
    this.#isRacy ||= hasRace(events, modification);
    this.#work.push(open);
  }

  #expand(now: Open): void {
    let isStuck = true;
    now.threads.forEach((place, thread) => {
      const { location } = place;
      if (location === undefined) return;
      const own = now.events.filter((one) => one.thread === thread).length;
      for (const step of this.#threads[thread]![location] ?? []) {
        const open = this.#touch(now, step, place);
        for (const choice of this.#choices(open, thread, step, place)) {
          isStuck = false;
          if (own >= this.#limits.events) this.#isWhole = false;
          else this.#take(open, thread, choice);
        }
      }
    });
    if (!isStuck) return;
    const memory = new Map(
      [...now.stores].map(([cell, list]) => [cell, at(now.events, list.at(-1)!).wrote]),
    );
    const ofSC = isOfSC(relate(now.events, [...now.stores.values()]));
    this.#ends.push({ threads: now.threads, memory, isOfSC: ofSC });
  }

  #take(now: Open, thread: number, { event, behind, next }: Choice): void {
    const index = now.events.length;
    const place = now.events.filter((one) => one.thread === thread).length;
    const stores =
      behind === undefined
        ? now.stores
        : new Map(now.stores).set(
            event.cell,
            now.stores.get(event.cell)!.toSpliced(behind + 1, 0, index),
          );
    const events = [...now.events, { ...event, thread, place }];
    const open = { events, stores, threads: now.threads };
    for (const settled of this.#settle(open, thread, next))
      this.#add({ ...open, threads: now.threads.with(thread, settled) });
  }

  /** Adds the initial store of the cell that the step accesses, if the cell is new. */
  #touch(now: Open, step: CodeTransition, { registers }: Place): Open {
    const access =
      step.transition.instruction.kind === 'lock' ? this.#accessOf(step, registers) : step;
    if (!access || !('address' in access.transition.instruction)) return now;
    const cell = access.address(registers, 0);
    if (now.stores.has(cell)) return now;
    const wrote = this.#initial(cell);
    const event: Event = {
      ...{ thread: -1, place: 0, does: 'W', order: 'relaxed', cell, read: 0, wrote, from: -1 },
    };
    return {
      ...now,
      events: [...now.events, event],
      stores: new Map(now.stores).set(cell, [now.events.length]),
    };
  }

  /**
   * Returns the first access of a lock section; the address depends on registers before the
   * section.
   */
  #accessOf({ transition }: CodeTransition, registers: readonly number[]) {
    const thread = this.#threads.find((locations) =>
      locations.some((steps) => steps.some((one) => one.transition === transition)),
    )!;
    for (let { to } = transition; ;) {
      const [step] = (thread[to] ?? []).filter(
        ({ transition: { instruction }, value }) =>
          instruction.kind !== 'assume' || value(registers, 0) !== 0,
      );
      if (!step) return undefined;
      if ('address' in step.transition.instruction) return step;
      to = step.transition.to;
    }
  }

  /**
   * Executes the local steps of a thread as long as possible. An assertion that fails ends its
   * thread.
   */
  #settle(now: Open, thread: number, { location, registers }: Place): readonly Place[] {
    if (location === undefined) return [{ location, registers }];
    const steps = this.#threads[thread]![location] ?? [];
    const places: Place[] = [];
    let isHere = steps.length === 0;
    for (const { id, transition, value } of steps) {
      const { instruction, to } = transition;
      const on = (values: readonly number[]): void => {
        places.push(...this.#settle(now, thread, { location: to, registers: values }));
      };
      switch (instruction.kind) {
        case 'assign':
          on(registers.with(instruction.into, value(registers, 0)));
          break;
        case 'assume':
          if (value(registers, 0) !== 0) on(registers);
          break;
        case 'assert':
          if (value(registers, 0) !== 0) on(registers);
          else places.push(this.#fail(now, thread, id, registers));
          break;
        case 'havoc': {
          const { low, high } = instruction.range!;
          for (let choice = low; choice <= high; choice++) {
            const next = registers.with(instruction.into, choice);
            if (value(next, 0) !== 0) on(next);
          }
          break;
        }
        case 'skip':
          if (instruction.fence) isHere = true;
          else on(registers);
          break;
        default:
          isHere = true;
      }
    }
    // A thread whose conditions are all false stays at its location.
    if (places.length === 0 || isHere) places.push({ location, registers });
    return places;
  }

  #fail(now: Open, thread: number, id: number, registers: readonly number[]): Place {
    const modification = [...now.stores.values()];
    if (!isAllowed(now.events, modification)) return { location: undefined, registers };
    this.#failing.c11.add(`${thread} ${id}`);
    // The claim is about the thread's accesses; the graph contains the whole program.
    if (isOfSC(relate(now.events, modification))) this.#failing.sc.add(`${thread} ${id}`);
    return { location: undefined, registers };
  }

  #choices(
    now: Open,
    thread: number,
    step: CodeTransition,
    { registers }: Place,
  ): readonly Choice[] {
    const { instruction, to, origin } = step.transition;
    const at1 = (values: readonly number[]): Place => ({ location: to, registers: values });
    const fence = (order: EventOrder): readonly Choice[] => [
      { event: { does: 'F', order, cell: -1, read: 0, wrote: 0, from: -1 }, next: at1(registers) },
    ];
    switch (instruction.kind) {
      case 'fence':
        return fence('seq_cst');
      case 'skip':
        return instruction.fence ? fence(instruction.fence) : [];
      case 'lock':
        return this.#section(now, thread, step, registers);
      case 'load':
      case 'store':
      case 'rmw':
        break;
      default:
        return [];
    }
    const cell = step.address(registers, 0);
    const list = now.stores.get(cell)!;
    const isPlain =
      this.#isPlain(cell) ||
      (!instruction.order && (origin.isPlain === true || origin.access === 'plain'));
    const of = (order: MemoryOrder): EventOrder => (isPlain ? 'plain' : order);
    const write = (wrote: number, order: EventOrder): readonly Choice[] =>
      list.map((_, behind) => ({
        event: { does: 'W', order, cell, read: 0, wrote, from: -1 },
        behind,
        next: at1(registers),
      }));
    if (instruction.kind === 'store')
      return write(step.value(registers, 0), of(instruction.order ?? 'relaxed'));
    if (instruction.kind === 'load')
      return list.map((from) => {
        const read = now.events[from]!.wrote;
        return {
          event: {
            does: 'R',
            order: of(instruction.order ?? 'relaxed'),
            cell,
            read,
            wrote: 0,
            from,
          },
          next: at1(registers.with(instruction.into, read)),
        };
      });
    const order = instruction.order ?? 'seq_cst';
    if (instruction.isStore) return write(step.rmw.written(0, registers, 0)!, of(order));
    return list.map((from, behind) => {
      const read = now.events[from]!.wrote;
      const wrote = step.rmw.written(read, registers, 0);
      const result = step.rmw.result(wrote !== undefined, read, registers, 0);
      const { into } = instruction;
      const next = at1(into === undefined ? registers : registers.with(into, result));
      if (wrote === undefined) {
        const failed = instruction.failureOrder ?? failureOf(order);
        return { event: { does: 'R', order: of(failed), cell, read, wrote: 0, from }, next };
      }
      return { event: { does: 'U', order: of(order), cell, read, wrote, from }, behind, next };
    });
  }

  /**
   * Executes a lock section as one read-modify-write of its cell, or as a load if nothing is
   * stored.
   */
  #section(
    now: Open,
    thread: number,
    step: CodeTransition,
    before: readonly number[],
  ): readonly Choice[] {
    const { instruction } = step.transition;
    const access = this.#accessOf(step, before);
    if (instruction.kind !== 'lock' || !access) return [];
    const order = instruction.order ?? 'seq_cst';
    const failed = instruction.failureOrder ?? failureOf(order);
    const cell = access.address(before, 0);
    return now.stores.get(cell)!.flatMap((from, behind): readonly Choice[] => {
      const read = now.events[from]!.wrote;
      return this.#through(thread, step.transition.to, before, { read }).map(({ wrote, next }) =>
        wrote === undefined
          ? { event: { does: 'R', order: failed, cell, read, wrote: 0, from }, next }
          : { event: { does: 'U', order, cell, read, wrote, from }, behind, next },
      );
    });
  }

  #through(
    thread: number,
    location: number,
    registers: readonly number[],
    seen: { readonly read: number; readonly wrote?: number },
  ): readonly { readonly wrote?: number; readonly next: Place }[] {
    return (this.#threads[thread]![location] ?? []).flatMap(({ transition, value }) => {
      const { instruction, to } = transition;
      switch (instruction.kind) {
        case 'assume':
          return value(registers, 0) === 0 ? [] : this.#through(thread, to, registers, seen);
        case 'assign': {
          const next = registers.with(instruction.into, value(registers, 0));
          return this.#through(thread, to, next, seen);
        }
        case 'load': {
          const next = registers.with(instruction.into, seen.wrote ?? seen.read);
          return this.#through(thread, to, next, seen);
        }
        case 'store':
          return this.#through(thread, to, registers, { ...seen, wrote: value(registers, 0) });
        case 'unlock': {
          const { wrote } = seen;
          return [{ ...(wrote !== undefined && { wrote }), next: { location: to, registers } }];
        }
        case 'skip':
          return this.#through(thread, to, registers, seen);
        default:
          throw new Error(`a section with ${instruction.kind}`);
      }
    });
  }
}

/**
 * Whether the last event has a data race: an unordered, conflicting event of another thread, where
 * one of the two is plain.
 */
function hasRace(events: readonly Event[], stores: readonly (readonly number[])[]): boolean {
  const last = events.length - 1;
  const one = events[last];
  if (!one || one.thread < 0 || one.cell < 0) return false;
  const hb = happensBefore(events, stores);
  return events.some(
    (other, i) =>
      other.thread >= 0 &&
      other.thread !== one.thread &&
      other.cell === one.cell &&
      (one.does !== 'R' || other.does !== 'R') &&
      (one.order === 'plain' || other.order === 'plain') &&
      !hb[i]![last],
  );
}

/**
 * Returns the facts about all execution graphs of a program, by the definitions; `undefined` if
 * there are too many graphs. Program order and reads-from are acyclic in each graph.
 */
export function graphsOf(program: Program, limits: GraphLimits): ProgramGraphs | undefined {
  return new GraphBuilder(program, limits).build();
}
