/**
 * A judge of small programs for AArch64: all executions that the axiomatic model of ARMv8 allows.
 *
 * The rules are those of the model that Arm maintains (herdtools7, `herd/libdir/aarch64.cat` and
 * the files that it includes, August 2026), as far as the instructions below need them; the model
 * is that of Pulte, Flur, Deacon, French, Sarkar and Sewell, "Simplifying ARM concurrency"
 * (POPL 2018), with later changes. Nothing of the library is used.
 *
 * - internal: program order on one cell, rf, co and fr make no cycle.
 * - atomic: no store of another thread between the two halves of a read-modify-write.
 * - external: rfe, coe, fre, and what is ordered within threads (`before` of an event) make no
 *   cycle.
 *
 * Within a thread these are ordered:
 * - dob: addr; data; ctrl to stores; addr and program order to stores; addr or data, and from the
 *   store to the next loads of its cell. What `cas` returns after a success orders stores only.
 * - aob: the halves of a read-modify-write; its load before acquiring loads of what it stored. (The
 *   paper has its store there, which is stronger.)
 * - bob: around `dmb ish`; loads before and all after `dmb ishld`; all after acquiring loads; all
 *   before releasing stores; a releasing store before `ldar`, not before `ldapr`; an amo that
 *   acquires and releases before all after it.
 * - lws: an access before the later stores to its cell.
 */

/** An address: of the cell `cell`, or of the cell that lies `index` cells behind it. */
export interface Address {
  readonly cell: string;
  readonly index?: string;
}

/** An operand: a number, or the name of a register. */
export type Operand = number | string;

export type Instruction =
  | {
      readonly op: 'ldr';
      readonly to: string;
      readonly at: Address;
      readonly order?: 'A' | 'Q' | undefined;
      /**
       * Whether the load is exclusive (`ldxr`), and so the first half of a read-modify-write. The
       * next exclusive store is the second half.
       */
      readonly exclusive?: boolean;
    }
  | {
      readonly op: 'str';
      readonly value: Operand;
      readonly at: Address;
      readonly order?: 'L' | undefined;
      readonly exclusive?: boolean;
    }
  | {
      /** The read-modify-writes of LSE; `to` receives the old value. */
      readonly op: 'swp' | 'ldadd' | 'cas';
      readonly to: string;
      readonly expected?: Operand;
      readonly value: Operand;
      readonly at: Address;
      readonly acquires?: boolean;
      readonly releases?: boolean;
    }
  | { readonly op: 'dmb'; readonly kind: 'full' | 'ld' | 'st' }
  /** `cset`: 1 if the operands are equal, otherwise 0. */
  | {
      readonly op: 'add' | 'sub' | 'eor' | 'cset';
      readonly to: string;
      readonly of: readonly [Operand, Operand];
    }
  | {
      readonly op: 'if';
      readonly equal: readonly [Operand, Operand];
      readonly then: readonly Instruction[];
      readonly else?: readonly Instruction[];
    }
  /** Ends the thread, as its assertion has failed. */
  | { readonly op: 'fail' }
  /**
   * Records that the thread's assertion has failed if the operands are equal. The processor has no
   * such instruction.
   */
  | { readonly op: 'note'; readonly equal: readonly [Operand, Operand] }
  /**
   * Drops the execution: a loop would have to be repeated, and loops are judged without
   * repetitions.
   */
  | { readonly op: 'repeat' };

export interface ArmProgram {
  readonly threads: readonly (readonly Instruction[])[];
  readonly initial?: Readonly<Record<string, number>>;
}

/** A set of earlier events of a thread, as bits. */
type EventSet = number;

interface ArmEvent {
  readonly isStore: boolean;
  readonly cell: string;
  readonly value: number;
  /** The earlier events of the thread that are ordered before this event. */
  readonly before: EventSet;
  /** The loads on which the event's address or value depends, apart from the loads in `picked`. */
  readonly dependsOn: EventSet;
  /**
   * The loads of successful `cas` instructions on which the event's address or value depends, if
   * the `cas` returned the value compared with.
   */
  readonly picked: EventSet;
  /** For a store that belongs to a read-modify-write, the load of the read-modify-write. */
  readonly rmwOf?: number;
}

interface RegisterValue {
  readonly value: number;
  readonly from: EventSet;
  /**
   * The loads of successful `cas` instructions on which the value depends, if the `cas` returned
   * the value compared with.
   */
  readonly picked: EventSet;
}

/** The state of a thread during or after its execution. */
interface Run {
  readonly events: readonly ArmEvent[];
  readonly registers: Readonly<Record<string, RegisterValue>>;
  readonly hasFailed: boolean;
  /** The loads on which an earlier condition of the thread depends. */
  readonly control: EventSet;
  /** The loads on which the address of an earlier access of the thread depends. */
  readonly addresses: EventSet;
  /** The events that are ordered before all later events of the thread. */
  readonly beforeAll: EventSet;
  /** The events that are ordered before all later stores of the thread. */
  readonly beforeStores: EventSet;
  readonly releases: EventSet;
  readonly exclusive?: number;
}

const start: Run = {
  ...{ events: [], registers: {}, hasFailed: false, control: 0, addresses: 0 },
  ...{ beforeAll: 0, beforeStores: 0, releases: 0 },
};

type Values = ReadonlyMap<string, ReadonlySet<number>>;

function bitsWhere(events: readonly ArmEvent[], holds: (event: ArmEvent) => boolean): EventSet {
  return events.reduce((set, event, i) => (holds(event) ? set | (1 << i) : set), 0);
}

function read({ registers }: Run, operand: Operand): RegisterValue {
  if (typeof operand === 'number') return { value: operand, from: 0, picked: 0 };
  return registers[operand] ?? { value: 0, from: 0, picked: 0 };
}

function set(run: Run, register: string, value: RegisterValue): Run {
  return { ...run, registers: { ...run.registers, [register]: value } };
}

function place(run: Run, { cell, index }: Address): RegisterValue & { readonly cell: string } {
  const by = read(run, index ?? 0);
  return { ...by, cell: by.value === 0 ? cell : `${cell}[${by.value}]` };
}

function withLoad(
  run: Run,
  address: Address,
  value: number,
  order: 'A' | 'Q' | undefined,
): { readonly run: Run; readonly load: number; readonly picked: EventSet } {
  const { cell, from, picked } = place(run, address);
  const last = run.events.findLast((event) => event.isStore && event.cell === cell);
  const ofRmw = order && last?.rmwOf !== undefined ? 1 << last.rmwOf : 0;
  const before =
    run.beforeAll | from | (last?.dependsOn ?? 0) | ofRmw | (order === 'A' ? run.releases : 0);
  const load = run.events.length;
  const event: ArmEvent = { isStore: false, cell, value, before, dependsOn: from, picked };
  return {
    load,
    picked: picked | (last?.picked ?? 0),
    run: {
      ...run,
      events: [...run.events, event],
      addresses: run.addresses | from | picked,
      beforeAll: run.beforeAll | (order ? 1 << load : 0),
      beforeStores: run.beforeStores | (order ? (last?.picked ?? 0) : 0),
    },
  };
}

function withStore(
  run: Run,
  address: Address,
  data: RegisterValue,
  isReleasing: boolean,
  rmwOf?: number,
): Run {
  const { cell, from, picked } = place(run, address);
  const store = run.events.length;
  const before =
    run.beforeAll |
    run.beforeStores |
    (run.control | run.addresses | from | picked | data.from | data.picked) |
    bitsWhere(run.events, (event) => isReleasing || event.cell === cell) |
    (rmwOf === undefined ? 0 : 1 << rmwOf);
  const event: ArmEvent = {
    ...{ isStore: true, cell, value: data.value, before },
    ...{ dependsOn: from | data.from, picked: picked | data.picked },
    ...(rmwOf !== undefined && { rmwOf }),
  };
  return {
    ...run,
    events: [...run.events, event],
    addresses: run.addresses | from | picked,
    releases: run.releases | (isReleasing ? 1 << store : 0),
  };
}

/**
 * Yields the runs after an atomic instruction of LSE that has loaded `old`. A successful `cas`
 * returns the loaded value, or the value compared with.
 */
function* withAmo(
  run: Run,
  {
    op,
    to,
    expected = 0,
    value,
    at,
    acquires,
    releases,
  }: Extract<Instruction, { op: 'swp' | 'ldadd' | 'cas' }>,
  old: number,
): Generator<Run> {
  const [given, compared] = [read(run, value), read(run, expected)];
  const loaded = withLoad(run, at, old, acquires ? 'A' : undefined);
  const own: EventSet = 1 << loaded.load;
  const { picked } = loaded;
  const result = (from: EventSet, others: EventSet): RegisterValue => {
    return { value: old, from, picked: others };
  };
  if (op === 'cas' && old !== compared.value) {
    yield set(loaded.run, to, result(own, picked));
    return;
  }
  const data: RegisterValue = {
    value: op === 'ldadd' ? old + given.value : given.value,
    from: given.from | (op === 'ldadd' ? own : 0),
    picked:
      given.picked |
      (op === 'ldadd' ? picked : 0) |
      (op === 'cas' ? own | picked | compared.from | compared.picked : 0),
  };
  const stored = withStore(loaded.run, at, data, releases === true, loaded.load);
  const behind =
    acquires && releases
      ? { ...stored, beforeAll: stored.beforeAll | (1 << (stored.events.length - 1)) }
      : stored;
  if (op !== 'cas') {
    yield set(behind, to, result(own, picked));
    return;
  }
  yield set(behind, to, result(compared.from, picked | own | compared.picked));
  if (compared.from !== 0) yield set(behind, to, result(own, picked));
}

function withFence(run: Run, kind: 'full' | 'ld' | 'st'): Run {
  const fenced = bitsWhere(
    run.events,
    ({ isStore }) => kind === 'full' || isStore === (kind === 'st'),
  );
  return kind === 'st'
    ? { ...run, beforeStores: run.beforeStores | fenced }
    : { ...run, beforeAll: run.beforeAll | fenced };
}

function compute(op: 'add' | 'sub' | 'eor' | 'cset', one: number, other: number): number {
  switch (op) {
    case 'add':
      return one + other;
    case 'sub':
      return one - other;
    case 'eor':
      return one ^ other;
    case 'cset':
      return one === other ? 1 : 0;
  }
}

/** Yields all paths through the code, if each load may return any of the values of its cell. */
function* runs(code: readonly Instruction[], run: Run, values: Values): Generator<Run> {
  const [first, ...rest] = code;
  if (!first) {
    yield run;
    return;
  }
  switch (first.op) {
    case 'fail':
      yield { ...run, hasFailed: true };
      return;
    case 'repeat':
      return;
    case 'note': {
      const [one, other] = first.equal.map((operand) => read(run, operand).value);
      yield* runs(rest, { ...run, hasFailed: run.hasFailed || one === other }, values);
      return;
    }
    case 'dmb':
      yield* runs(rest, withFence(run, first.kind), values);
      return;
    case 'if': {
      const [one, other] = first.equal.map((operand) => read(run, operand)) as [
        RegisterValue,
        RegisterValue,
      ];
      const control = run.control | one.from | one.picked | other.from | other.picked;
      const branch = one.value === other.value ? first.then : (first.else ?? []);
      yield* runs([...branch, ...rest], { ...run, control }, values);
      return;
    }
    case 'str': {
      const { exclusive, ...others } = run;
      const data = read(run, first.value);
      const pair = first.exclusive ? exclusive : undefined;
      const stored = withStore(others, first.at, data, first.order === 'L', pair);
      yield* runs(rest, stored, values);
      return;
    }
    case 'ldr':
      for (const value of values.get(place(run, first.at).cell) ?? [0]) {
        const { run: loaded, load, picked } = withLoad(run, first.at, value, first.order);
        const next = first.exclusive ? { ...loaded, exclusive: load } : loaded;
        yield* runs(rest, set(next, first.to, { value, from: 1 << load, picked }), values);
      }
      return;
    case 'swp':
    case 'ldadd':
    case 'cas':
      for (const old of values.get(place(run, first.at).cell) ?? [0])
        for (const next of withAmo(run, first, old)) yield* runs(rest, next, values);
      return;
    default: {
      const [one, other] = [read(run, first.of[0]), read(run, first.of[1])];
      const value = compute(first.op, one.value, other.value);
      const result = { value, from: one.from | other.from, picked: one.picked | other.picked };
      yield* runs(rest, set(run, first.to, result), values);
      return;
    }
  }
}

/**
 * Returns the runs of all threads, and the values that stores may leave; `undefined` if too many.
 */
function allRuns(
  { threads, initial = {} }: ArmProgram,
  most: number,
): readonly Run[][] | undefined {
  let values = new Map<string, Set<number>>();
  for (const [cell, value] of Object.entries(initial)) values.set(cell, new Set([value]));
  const isStore = (event: ArmEvent): boolean => event.isStore;
  for (let round = 0; ; round++) {
    const found = threads.map((code) => [...runs(code, start, values)]);
    if (found.reduce((product, { length }) => product * length, 1) > most) return undefined;
    const next = new Map([...values].map(([cell, known]) => [cell, new Set(known)]));
    for (const event of found.flat().flatMap(({ events }) => events)) {
      const { cell, value } = event;
      if (!next.has(cell)) next.set(cell, new Set([initial[cell] ?? 0]));
      if (isStore(event)) next.get(cell)!.add(value);
    }
    const count = (map: Values): number =>
      [...map.values()].reduce((sum, one) => sum + one.size, 0);
    // A value passes through each store of an execution at most once.
    const stores = found
      .map((list) => Math.max(0, ...list.map(({ events }) => events.filter(isStore).length)))
      .reduce((sum, one) => sum + one, 0);
    if (count(next) === count(values) || round > stores) return found;
    values = next;
  }
}

/** Whether the graph of events, given by successors as bits, has a cycle. */
function isCyclic(successors: readonly number[]): boolean {
  let left = (1 << successors.length) - 1;
  for (let changed = true; changed && left !== 0;) {
    changed = false;
    for (let event = 0; event < successors.length; event++)
      if (left & (1 << event) && (successors[event]! & left) === 0) {
        left &= ~(1 << event);
        changed = true;
      }
  }
  return left !== 0;
}

interface PlacedEvent extends ArmEvent {
  readonly thread: number;
  /** The number of the first event of this event's thread, among all events. */
  readonly first: number;
}

/** One of the possible orders of the events of one cell, and the last value of the cell. */
interface CellOrder {
  readonly cell: string;
  readonly last: number;
  /**
   * Pairs of events of the cell: `readsFrom` has the pairs related by reads-from, `overwrites` the
   * pairs related by co or fr.
   */
  readonly readsFrom: readonly (readonly [number, number])[];
  readonly overwrites: readonly (readonly [number, number])[];
}

function* permutations(items: readonly number[]): Generator<readonly number[]> {
  if (items.length === 0) yield [];
  for (const item of items)
    for (const rest of permutations(items.filter((other) => other !== item))) yield [item, ...rest];
}

function* readings(
  events: readonly PlacedEvent[],
  loads: readonly number[],
  stores: readonly number[],
  initial: number,
): Generator<ReadonlyMap<number, number>> {
  const [load, ...rest] = loads;
  if (load === undefined) {
    yield new Map();
    return;
  }
  const { value } = events[load]!;
  const sources = stores.filter((store) => events[store]!.value === value);
  for (const others of readings(events, rest, stores, initial))
    for (const source of value === initial ? [-1, ...sources] : sources)
      yield new Map(others).set(load, source);
}

/** Yields the coherent orders of a cell that keep read-modify-writes atomic. */
function* cellOrders(
  events: readonly PlacedEvent[],
  cell: string,
  initial: number,
): Generator<CellOrder> {
  const own = events.flatMap((event, i) => (event.cell === cell ? [i] : []));
  const stores = own.filter((i) => events[i]!.isStore);
  const loads = own.filter((i) => !events[i]!.isStore);
  const programOrder = own.flatMap((i) =>
    own.filter((j) => i < j && events[i]!.thread === events[j]!.thread).map((j) => [i, j] as const),
  );
  for (const sources of readings(events, loads, stores, initial))
    for (const order of permutations(stores)) {
      const coherence = order.flatMap((store, k) =>
        order.slice(k + 1).map((to) => [store, to] as const),
      );
      const fromReads = loads.flatMap((load) =>
        order.slice(order.indexOf(sources.get(load)!) + 1).map((store) => [load, store] as const),
      );
      const readsFrom = [...sources].flatMap(([load, store]) =>
        store < 0 ? [] : [[store, load] as const],
      );
      const overwrites = [...coherence, ...fromReads];
      const successors = events.map(() => 0);
      for (const [from, to] of [...programOrder, ...readsFrom, ...overwrites])
        successors[from]! |= 1 << to;
      if (isCyclic(successors)) continue;
      const isAtomic = stores.every((store) => {
        const { rmwOf, thread, first } = events[store]!;
        if (rmwOf === undefined) return true;
        const source = order.indexOf(sources.get(first + rmwOf)!);
        const between = order.slice(source + 1, order.indexOf(store));
        return between.every((other) => events[other]!.thread === thread);
      });
      const last = order.at(-1);
      if (isAtomic)
        yield {
          cell,
          readsFrom,
          overwrites,
          last: last === undefined ? initial : events[last]!.value,
        };
    }
}

/** An execution: its final state, its events, and their order. */
export interface ArmExecution {
  /** The final memory of the execution, by names of cells. */
  readonly memory: string;
  readonly registers: readonly Readonly<Record<string, number>>[];
  readonly failed: readonly number[];
  /** Whether the execution is an interleaving. */
  readonly isSC: boolean;
  /** Whether program order and reads-from have a cycle. */
  readonly isLoadBuffering: boolean;
}

/** Yields all lists that contain one element of each of the given lists, in order. */
export function* choices<T>(lists: readonly (readonly T[])[]): Generator<readonly T[]> {
  const [first, ...rest] = lists;
  if (!first) {
    yield [];
    return;
  }
  for (const others of choices(rest)) for (const item of first) yield [item, ...others];
}

function* executionsOf(
  threads: readonly Run[],
  cells: readonly string[],
  initial: Readonly<Record<string, number>>,
): Generator<ArmExecution> {
  const events: PlacedEvent[] = [];
  for (const [thread, run] of threads.entries()) {
    const first = events.length;
    events.push(...run.events.map((event) => ({ ...event, thread, first })));
  }
  if (events.length > 30) throw new Error('too many events');
  const initialOf = (cell: string): number => initial[cell] ?? 0;
  const written = new Set(events.filter((e) => e.isStore).map((e) => `${e.cell} ${e.value}`));
  const isReadable = (e: ArmEvent): boolean =>
    e.isStore || e.value === initialOf(e.cell) || written.has(`${e.cell} ${e.value}`);
  if (!events.every(isReadable)) return;
  const inProgramOrder = events.map(({ thread }, i) =>
    events.reduce(
      (later, other, j) => (i < j && other.thread === thread ? later | (1 << j) : later),
      0,
    ),
  );
  const ordered = events.map(() => 0);
  for (const [i, { before, first }] of events.entries())
    for (let j = first; j < i; j++) if (before & (1 << (j - first))) ordered[j]! |= 1 << i;
  const orders = cells.map((cell) => [...cellOrders(events, cell, initialOf(cell))]);
  for (const chosen of choices(orders)) {
    const [observed, reads, all] = [[...ordered], [...inProgramOrder], [...inProgramOrder]];
    for (const { readsFrom, overwrites } of chosen) {
      for (const [from, to] of [...readsFrom, ...overwrites]) {
        if (events[from]!.thread !== events[to]!.thread) observed[from]! |= 1 << to;
        all[from]! |= 1 << to;
      }
      for (const [from, to] of readsFrom) reads[from]! |= 1 << to;
    }
    if (isCyclic(observed)) continue;
    yield {
      memory: chosen.map(({ cell, last }) => `${cell}=${last}`).join(' '),
      registers: threads.map(({ registers }) =>
        Object.fromEntries(Object.entries(registers).map(([name, { value }]) => [name, value])),
      ),
      failed: threads.flatMap(({ hasFailed }, thread) => (hasFailed ? [thread] : [])),
      isSC: !isCyclic(all),
      isLoadBuffering: isCyclic(reads),
    };
  }
}

/**
 * Returns all executions that ARMv8 allows; `undefined` if there are more than `most` candidates.
 */
export function armExecutions(program: ArmProgram, most = 100_000): ArmExecution[] | undefined {
  const found = allRuns(program, most);
  if (!found) return undefined;
  const { initial = {} } = program;
  const cells = [
    ...new Set([
      ...Object.keys(initial),
      ...found.flat().flatMap(({ events }) => events.map(({ cell }) => cell)),
    ]),
  ].sort();
  return [...choices(found)].flatMap((threads) => [...executionsOf(threads, cells, initial)]);
}
