import type { Automata, Instruction, Order, Transition } from '../automata.js';
import { closure, Code, type Local, localName } from '../code.js';
import { Flaw } from '../report.js';

/**
 * A place of a thread before a fence or an access, or at an end; `undefined` if the thread waits
 * for ever.
 */
export type Place = Local | undefined;

/** A result of an access, given the value found in the cell. */
export interface Outcome {
  /** The stored value; absent if the access has stored nothing. */
  readonly written?: number;
  /** The places (locations with registers) at which the thread may wait next. */
  readonly next: readonly Place[];
}

/** A step of a thread visible to other threads: a fence, or an access of one cell. */
export type VisibleStep =
  | { readonly kind: 'fence'; readonly order: Order; readonly next: readonly Place[] }
  | {
      readonly kind: 'load' | 'store' | 'rmw';
      readonly address: number;
      readonly order: Order;
      /** The memory order of the load if the step is a read-modify-write and stores nothing. */
      readonly failureOrder: Order;
      /**
       * Returns the outcomes of the step for a value in the cell; a store ignores the value. An
       * access without a store only waits if the thread returns to the same place: such an access
       * has no outcome.
       */
      readonly outcomes: (held: number) => readonly Outcome[];
    };

/** An access of one cell. */
export type Access = Exclude<VisibleStep, { kind: 'fence' }>;

function isVisible({ instruction }: Transition): boolean {
  switch (instruction.kind) {
    case 'load':
    case 'store':
    case 'rmw':
    case 'fence':
    case 'lock':
      return true;
    case 'skip':
      return instruction.fence !== undefined;
    default:
      return false;
  }
}

/**
 * Whether no transition leaves the location to which a `lock` leads, so that the thread then holds
 * the bus lock for ever.
 */
function isLast(transitions: readonly Transition[], { to }: Transition): boolean {
  return transitions.every(({ from }) => from !== to);
}

/**
 * Whether a read-modify-write may fail at any time. On x86 the failure is a fence; in C11, it is a
 * load.
 */
function isWeakRmw(leaving: readonly Transition[]): boolean {
  const has = (kind: Instruction['kind']): boolean =>
    leaving.some(({ instruction }) => instruction.kind === kind);
  return has('rmw') && has('fence');
}

/**
 * Returns the memory orders of an instruction. An instruction without a written order has the
 * default order of its kind.
 */
export function ordersOf(instruction: Extract<Instruction, { readonly order?: Order }>): {
  readonly order: Order;
  readonly failureOrder: Order;
} {
  const isRmw = instruction.kind === 'rmw' || instruction.kind === 'lock';
  const { order = isRmw ? 'seq_cst' : 'relaxed' } = instruction;
  const weakened = order === 'acq_rel' ? 'acquire' : order === 'release' ? 'relaxed' : order;
  return { order, failureOrder: isRmw ? (instruction.failureOrder ?? weakened) : order };
}

/** The state of a thread inside a section under the bus lock, and the value stored there so far. */
interface Inside {
  readonly local: Local;
  readonly written?: number;
}

/** The steps of a thread that are visible to other threads. */
export class ThreadSteps {
  readonly #code: Code;
  readonly #known = new Map<string, readonly VisibleStep[]>();

  constructor(automata: Automata, thread: number) {
    this.#code = new Code(automata, automata.threads[thread]!);
  }

  /** Returns the places (locations with registers) at which the thread may first wait. */
  get first(): readonly Place[] {
    return this.#placesBehind(this.#code.initial);
  }

  /** Returns the place with the given location and registers; dead registers lose their values. */
  placeAt({ location, registers }: Local): Local {
    return this.#code.at(location, registers);
  }

  /**
   * Returns the visible steps that the thread may take from a place. Throws `Met`, `Endless`,
   * and `Flaw` for code whose meaning in C11 this checker does not know.
   */
  stepsFrom(place: Local): readonly VisibleStep[] {
    const name = localName(place);
    const known = this.#known.get(name);
    if (known) return known;
    const { transitions } = this.#code.thread;
    const visible = this.#code.leaving(place).filter(isVisible);
    if (isWeakRmw(visible)) throw new Flaw('a read-modify-write may fail at any time');
    const steps = visible
      .filter((one) => one.instruction.kind !== 'lock' || !isLast(transitions, one))
      .map((one) => this.#step(place, one));
    this.#known.set(name, steps);
    return steps;
  }

  /**
   * Returns the places before the next accesses and fences, which the thread reaches by local
   * instructions.
   */
  #placesBehind(from: Local): readonly Place[] {
    const code = this.#code;
    const reached = closure([from], localName, (local) =>
      code
        .leaving(local)
        .filter((one) => !isVisible(one))
        .flatMap((one) => code.locally(local, one) ?? []),
    );
    const places = reached.filter((local) => {
      const leaving = code.leaving(local);
      return leaving.length === 0 || leaving.some(isVisible);
    });
    return places.length > 0 ? places : [undefined];
  }

  #step(place: Local, transition: Transition): VisibleStep {
    const { instruction, to } = transition;
    const code = this.#code;
    switch (instruction.kind) {
      case 'fence':
      case 'skip': {
        const order = instruction.kind === 'skip' ? (instruction.fence ?? 'seq_cst') : 'seq_cst';
        const next = this.#placesBehind(code.at(to, place.registers));
        return { kind: 'fence', order, next };
      }
      case 'lock': {
        if (!instruction.order) throw new Flaw('a section has no memory order');
        const address = this.#addressInside(place, transition);
        const outcomes = this.#remembered(place, (held) => [
          ...this.#section(place, transition, address, held, false),
          ...(instruction.mayFail ? this.#section(place, transition, address, held, true) : []),
        ]);
        return { kind: 'rmw', address, ...ordersOf(instruction), outcomes };
      }
      case 'load':
      case 'store':
      case 'rmw': {
        const isStore = instruction.kind === 'rmw' && instruction.isStore;
        if (isStore && (instruction.operation.kind !== 'xchg' || instruction.into !== undefined))
          throw new Flaw('a store depends on the value before');
        const kind = isStore ? 'store' : instruction.kind;
        const mayFail = instruction.kind === 'rmw' && instruction.mayFail;
        if (mayFail && instruction.operation.kind !== 'cas')
          throw new Flaw('a read-modify-write that is no cas may fail');
        const outcomes = this.#remembered(place, (held) => {
          const { access, next } = code.access(place, transition, () => held)!;
          const done = { ...access, next: this.#placesBehind(next) };
          if (!mayFail || access.written === undefined) return [done];
          const { into } = instruction;
          const { registers } = place;
          const failed = code.at(to, into === undefined ? registers : registers.with(into, 0));
          return [done, { next: this.#placesBehind(failed) }];
        });
        const address = code.addressOf(place.registers, instruction)!;
        return { kind, address, ...ordersOf(instruction), outcomes };
      }
      default:
        throw new Flaw('an instruction is not known');
    }
  }

  /**
   * Leaves out outcomes in which the thread only waits, and computes the outcomes for each value
   * once.
   */
  #remembered(
    place: Local,
    compute: (held: number) => readonly Outcome[],
  ): (held: number) => readonly Outcome[] {
    const known = new Map<number, readonly Outcome[]>();
    const isBack = (next: Place): boolean => !!next && localName(next) === localName(place);
    return (held) => {
      const before = known.get(held);
      if (before) return before;
      const outcomes = compute(held).flatMap((one) => {
        if (one.written !== undefined) return [one];
        const next = one.next.filter((place) => !isBack(place));
        return next.length > 0 ? [{ next }] : [];
      });
      known.set(held, outcomes);
      return outcomes;
    };
  }

  /** Returns the address of the one cell that a section under the bus lock accesses. */
  #addressInside(place: Local, begin: Transition): number {
    const code = this.#code;
    const addresses = new Set<number>();
    const before = closure([code.at(begin.to, place.registers)], localName, (local) =>
      code.leaving(local).flatMap((one) => code.locally(local, one) ?? []),
    );
    for (const { registers, location } of before)
      for (const { instruction } of code.leaving({ registers, location })) {
        const address = code.addressOf(registers, instruction);
        if (address !== undefined) addresses.add(address);
      }
    const [only, ...others] = addresses;
    if (only === undefined || others.length > 0)
      throw new Flaw('a section does not access one cell');
    return only;
  }

  /** Whether some path from a location inside a section ends the section without a store. */
  #endsWithoutStore(location: number, before: ReadonlySet<number> = new Set()): boolean {
    if (before.has(location)) return false;
    const passed = new Set([...before, location]);
    return this.#code.thread.transitions.some(
      ({ from, to, instruction: { kind } }) =>
        from === location &&
        (kind === 'unlock' || (kind !== 'store' && this.#endsWithoutStore(to, passed))),
    );
  }

  /**
   * Returns the outcomes of a section under the bus lock, which counts as one read-modify-write of
   * one cell. With `fails`: the outcomes of paths without a store, whatever the paths' conditions,
   * as a weak compare-and-swap may fail on equal values.
   */
  #section(
    place: Local,
    begin: Transition,
    address: number,
    held: number,
    fails: boolean,
  ): readonly Outcome[] {
    const code = this.#code;
    const ends: Outcome[] = [];
    const next = ({ local, written }: Inside): readonly Inside[] =>
      code.leaving(local).flatMap((one): readonly Inside[] => {
        const stored = written !== undefined && { written };
        const { to, instruction } = one;
        if (instruction.kind === 'unlock') {
          ends.push({ ...stored, next: this.#placesBehind(code.at(to, local.registers)) });
          return [];
        }
        if (fails && (instruction.kind === 'store' || !this.#endsWithoutStore(to))) return [];
        if (fails && instruction.kind === 'assume')
          return [{ local: code.at(to, local.registers) }];
        const moved = code.locally(local, one);
        if (moved) return moved.map((after) => ({ local: after, ...stored }));
        const done = code.access(local, one, () => written ?? held);
        if (done?.access.address !== address) throw new Flaw('a section does not access one cell');
        if (fails && done.access.written !== undefined) return [];
        const after = done.access.written ?? written;
        return [{ local: done.next, ...(after !== undefined && { written: after }) }];
      });
    closure(
      [{ local: code.at(begin.to, place.registers) }],
      ({ local, written }) => `${localName(local)} ${written}`,
      next,
    );
    return ends;
  }
}
