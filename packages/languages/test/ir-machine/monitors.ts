/**
 * Checks robustness by its definition while a program runs.
 *
 * A trace has a cycle iff some store, delayed past a later access of its thread, is committed after
 * an event that happens after this access: all other edges of happens-before go forward in time. So
 * each buffered store has a monitor, which collects the events that happen after the thread's later
 * accesses; the commit of the store looks for a conflict with them.
 *
 * Edges are between single accesses and byte by byte: from a store to loads that read from the
 * store, between stores to a byte in memory order, and from a load to later stores to the byte. If
 * a store conflicts with an event of a monitor, the store and all later buffered stores become
 * events of the monitor.
 */
export interface Monitor {
  /**
   * The threads whose next accesses happen after the accesses that the delayed store's thread made
   * after the store.
   */
  readonly threads: ReadonlySet<number>;
  /**
   * The buffered stores that happen after the accesses that the delayed store's thread made after
   * the store.
   */
  readonly stores: ReadonlySet<string>;
  /**
   * The bytes read from memory by loads that happen after the accesses which the delayed store's
   * thread made after the store, those accesses included.
   */
  readonly read: ReadonlySet<number>;
  /**
   * The bytes written by stores that happen after the accesses which the delayed store's thread
   * made after the store.
   */
  readonly written: ReadonlySet<number>;
  /** The bytes that these loads read from store buffers, by name of the buffered store. */
  readonly early: ReadonlyMap<string, ReadonlySet<number>>;
}

/**
 * By name of a buffered store, its monitor, which collects the events that happen after later
 * accesses of its thread.
 */
export type Monitors = ReadonlyMap<string, Monitor>;

/** An atomic section of a thread, with the bytes that its accesses have read and written so far. */
export interface Section {
  readonly thread: number;
  readonly read: readonly number[];
  readonly written: readonly number[];
}

export const storeName = (thread: number, serial: number): string => `${thread}.${serial}`;

/** The sources from which a load reads its bytes: memory, or buffered stores. */
export interface ReadBytes {
  readonly memory: readonly number[];
  readonly early: readonly { readonly store: string; readonly byte: number }[];
}

const withAll = <T>(set: ReadonlySet<T>, more: Iterable<T>): ReadonlySet<T> =>
  new Set([...set, ...more]);

function withEarly(
  early: Monitor['early'],
  more: readonly { readonly store: string; readonly byte: number }[],
): Monitor['early'] {
  const next = new Map(early);
  for (const { store, byte } of more)
    next.set(store, withAll(next.get(store) ?? new Set(), [byte]));
  return next;
}

const mapped = (
  monitors: Monitors,
  change: (monitor: Monitor, name: string) => Monitor,
): Monitors => new Map([...monitors].map(([name, monitor]) => [name, change(monitor, name)]));

const touches = (set: ReadonlySet<number>, bytes: readonly number[]): boolean =>
  bytes.some((byte) => set.has(byte));

/** Returns the monitors after a store has entered the buffer of its thread. */
export function afterIssue(monitors: Monitors, thread: number, name: string): Monitors {
  const next = new Map(
    mapped(monitors, (monitor) =>
      monitor.threads.has(thread)
        ? { ...monitor, stores: withAll(monitor.stores, [name]) }
        : monitor,
    ),
  );
  const none: ReadonlySet<never> = new Set<never>();
  next.set(name, {
    threads: new Set([thread]),
    stores: none,
    read: none,
    written: none,
    early: new Map(),
  });
  return next;
}

/** Returns the monitors after a load. */
export function afterLoad(monitors: Monitors, thread: number, bytes: ReadBytes): Monitors {
  return mapped(monitors, (monitor) => {
    const isAfter = monitor.threads.has(thread) || touches(monitor.written, bytes.memory);
    if (!isAfter) return monitor;
    return {
      ...monitor,
      threads: withAll(monitor.threads, [thread]),
      read: withAll(monitor.read, bytes.memory),
      early: withEarly(monitor.early, bytes.early),
    };
  });
}

/** Returns the monitors after a locked instruction. */
export function afterModify(
  monitors: Monitors,
  thread: number,
  bytes: readonly number[],
): Monitors {
  return mapped(monitors, (monitor) => {
    const isAfter =
      monitor.threads.has(thread) ||
      touches(monitor.written, bytes) ||
      touches(monitor.read, bytes);
    if (!isAfter) return monitor;
    return {
      ...monitor,
      threads: withAll(monitor.threads, [thread]),
      written: withAll(monitor.written, bytes),
    };
  });
}

/**
 * Returns the monitors after a synchronisation: the next steps of `to` happen after the steps of
 * `from`.
 */
export function afterSync(monitors: Monitors, from: number, to: number): Monitors {
  return mapped(monitors, (monitor) =>
    monitor.threads.has(from) ? { ...monitor, threads: withAll(monitor.threads, [to]) } : monitor,
  );
}

/**
 * Returns the monitors after an atomic section of a thread: if one of its accesses happens after
 * the accesses of a monitor, all of them do.
 */
export function afterSection(monitors: Monitors, { thread, read, written }: Section): Monitors {
  return mapped(monitors, (monitor) =>
    monitor.threads.has(thread)
      ? {
          ...monitor,
          read: withAll(monitor.read, read),
          written: withAll(monitor.written, written),
        }
      : monitor,
  );
}

/**
 * Returns the monitors after the commit of a thread's oldest buffered store; `behind` are the names
 * of the later stores in the buffer. `undefined` if the commit closes a cycle of happens-before.
 */
export function afterCommit(
  monitors: Monitors,
  thread: number,
  name: string,
  bytes: readonly number[],
  behind: readonly string[],
): Monitors | undefined {
  const own = monitors.get(name)!;
  const isHit = (monitor: Monitor): boolean =>
    monitor.stores.has(name) || touches(monitor.read, bytes) || touches(monitor.written, bytes);
  if (isHit(own)) return undefined;
  const rest = new Map(monitors);
  rest.delete(name);
  return mapped(rest, (monitor) => {
    const after = isHit(monitor) ? merged(monitor, own, thread, bytes, behind) : monitor;
    const early = new Map(after.early);
    const read = early.get(name) ?? [];
    early.delete(name);
    const stores = new Set(after.stores);
    stores.delete(name);
    return { ...after, stores, read: withAll(after.read, read), early };
  });
}

function merged(
  monitor: Monitor,
  own: Monitor,
  thread: number,
  bytes: readonly number[],
  behind: readonly string[],
): Monitor {
  const early = [...own.early].flatMap(([store, read]) =>
    [...read].map((byte) => ({ store, byte })),
  );
  return {
    threads: withAll(monitor.threads, [...own.threads, thread]),
    stores: withAll(monitor.stores, [...own.stores, ...behind]),
    read: withAll(monitor.read, own.read),
    written: withAll(monitor.written, [...own.written, ...bytes]),
    early: withEarly(monitor.early, early),
  };
}

/** Returns a key, equal for equal monitors; `placeOf` numbers buffered stores from the oldest. */
export function monitorsKey(monitors: Monitors, placeOf: (store: string) => string): string {
  const listed = [...monitors].map(([name, monitor]) => {
    const early = [...monitor.early].map(([store, bytes]) => `${placeOf(store)}:${sorted(bytes)}`);
    return [
      placeOf(name),
      sorted(monitor.threads),
      [...monitor.stores].map(placeOf).sort().join(),
      sorted(monitor.read),
      sorted(monitor.written),
      early.sort().join(),
    ].join(' ');
  });
  return listed.sort().join(';');
}

const sorted = (numbers: ReadonlySet<number>): string => [...numbers].sort((a, b) => a - b).join();
