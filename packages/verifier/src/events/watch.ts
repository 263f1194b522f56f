import type { TaskStep, Task } from './machine.js';

/** The robustness criteria for programs of events; see docs/events.md. */
export const criteria = ['concurrency', 'tso', 'both'] as const;
export type Criterion = (typeof criteria)[number];

/**
 * Whether position `a` in a call tree comes before position `b` in depth-first order: parents
 * before children.
 */
function isBeforeInTree(a: readonly number[], b: readonly number[]): boolean {
  for (let level = 0; level < Math.min(a.length, b.length); level++)
    if (a[level] !== b[level]) return a[level]! < b[level]!;
  return a.length < b.length;
}

/**
 * A summary of a run that suffices to tell whether the run or a continuation violates a criterion.
 * Runs with equal keys violate the criterion with the same continuations.
 */
export interface Watch {
  readonly key: string;
  after(step: TaskStep): Watch | 'violation';
}

type Names = ReadonlySet<string>;

/** The tasks that have accessed one cell: readers and writers, each by the name of the task. */
interface Accessed {
  readonly readers: ReadonlyMap<string, Task>;
  readonly writers: ReadonlyMap<string, Task>;
}

const untouched: Accessed = { readers: new Map(), writers: new Map() };

/**
 * Watches for violations of serialisability ([BEMR18] Definition 1, (D) and (S)): knows the tasks
 * that accessed each cell, and the order of events. A load from a buffer counts when the store
 * whose value was read reaches memory, directly after the store.
 */
class SerialWatch implements Watch {
  readonly #cells: ReadonlyMap<number, Accessed>;
  /**
   * By event, all events that have to come after it in every serial order, directly or indirectly.
   */
  readonly #later: ReadonlyMap<string, Names>;
  /**
   * By thread, for each store in the thread's buffer: the tasks that have loaded the store's value
   * from the buffer.
   */
  readonly #reading: ReadonlyMap<string, readonly (readonly Task[])[]>;

  constructor(
    cells: ReadonlyMap<number, Accessed> = new Map(),
    later: ReadonlyMap<string, Names> = new Map(),
    reading: ReadonlyMap<string, readonly (readonly Task[])[]> = new Map(),
  ) {
    this.#cells = cells;
    this.#later = later;
    this.#reading = reading;
  }

  get key(): string {
    const names = (tasks: Iterable<string>): string => [...tasks].sort().join();
    const cells = [...this.#cells].map(
      ([cell, { readers, writers }]) => `${cell}:${names(readers.keys())}/${names(writers.keys())}`,
    );
    const later = [...this.#later].map(([event, others]) => `${event}<${names(others)}`);
    const reading = [...this.#reading].map(
      ([thread, entries]) =>
        `${thread}(${entries.map((tasks) => names(tasks.map(({ name }) => name))).join(';')})`,
    );
    return [cells, later, reading].map((parts) => parts.sort().join(' ')).join('|');
  }

  after({ task, effect }: TaskStep): Watch | 'violation' {
    const { thread } = task;
    const entries = this.#reading.get(thread) ?? [];
    const withEntries = (changed: readonly (readonly Task[])[]): SerialWatch => {
      const reading = new Map(this.#reading);
      if (changed.length > 0) reading.set(thread, changed);
      else reading.delete(thread);
      return new SerialWatch(this.#cells, this.#later, reading);
    };
    switch (effect.kind) {
      case 'issue':
        return withEntries([...entries, []]);
      case 'early': {
        const seen = (own: readonly Task[]): readonly Task[] =>
          own.some(({ name }) => name === task.name) ? own : [...own, task];
        return withEntries(entries.map((own, i) => (i === effect.entry ? seen(own) : own)));
      }
      case 'commit': {
        const [readers = [], ...rest] = entries;
        let watch: SerialWatch | 'violation' = withEntries(rest).#accessed(
          effect.address,
          task,
          true,
        );
        for (const reader of readers)
          if (watch !== 'violation') watch = watch.#accessed(effect.address, reader, false);
        return watch;
      }
      case 'memory':
        return this.#accessed(effect.address, task, effect.writes);
      default:
        return this;
    }
  }

  /**
   * Returns the summary after a further access to a cell, a store if `writes`; `violation` if the
   * order of the accesses so far is that of no serial run.
   */
  #accessed(cell: number, task: Task, writes: boolean): SerialWatch | 'violation' {
    const { readers, writers } = this.#cells.get(cell) ?? untouched;
    const earlier = [...writers.values(), ...(writes ? readers.values() : [])];
    let later = this.#later;
    for (const other of earlier) {
      if (other.name === task.name) continue;
      if (other.event === task.event) {
        if (!isBeforeInTree(other.path, task.path)) return 'violation';
        continue;
      }
      if (later.get(task.event)?.has(other.event)) return 'violation';
      later = withOrder(later, other.event, task.event);
    }
    const cells = new Map(this.#cells).set(cell, {
      readers: writes ? readers : new Map(readers).set(task.name, task),
      writers: writes ? new Map(writers).set(task.name, task) : writers,
    });
    return new SerialWatch(cells, later, this.#reading);
  }
}

/** Returns the order of events, closed under transitivity, with `first` before `second` added. */
function withOrder(
  order: ReadonlyMap<string, Names>,
  first: string,
  second: string,
): ReadonlyMap<string, Names> {
  if (order.get(first)?.has(second)) return order;
  const behind = [second, ...(order.get(second) ?? [])];
  const before = [first, ...[...order].flatMap(([one, later]) => (later.has(first) ? [one] : []))];
  const closed = new Map(order);
  for (const one of before) closed.set(one, new Set([...(closed.get(one) ?? []), ...behind]));
  return closed;
}

/**
 * A store in a buffer, with the last load of its value from the buffer, as happens-before nodes.
 */
interface Pending {
  readonly node: number;
  readonly reader?: number;
}

/**
 * The nodes of happens-before to which later edges may attach, by their part in the run: last node
 * of a thread, last store of a cell, and so on.
 */
interface Parts {
  /** By thread, the happens-before node of its last step. */
  readonly last: ReadonlyMap<string, number>;
  readonly pending: ReadonlyMap<string, readonly Pending[]>;
  /** By cell, the happens-before node of the last store in memory. */
  readonly stored: ReadonlyMap<number, number>;
  readonly loaded: ReadonlyMap<number, ReadonlyMap<string, number>>;
  /** By name of a waiting task, the happens-before node of the step that posted the task. */
  readonly posting: ReadonlyMap<string, number>;
  /**
   * The happens-before node of the lock block that the running task is in; all accesses of the
   * block share it. `'none so far'` before the first access of the block, absent outside lock
   * blocks.
   */
  readonly block?: number | 'none so far';
}

const noParts: Parts = {
  last: new Map(),
  pending: new Map(),
  stored: new Map(),
  loaded: new Map(),
  posting: new Map(),
};

/**
 * Returns all entries, each as a name and a node, in an order that does not depend on the numbers
 * of the nodes.
 */
function partsInOrder(parts: Parts): readonly (readonly [part: string, node: number])[] {
  const named: (readonly [string, number])[] = [];
  for (const [thread, node] of parts.last) named.push([`last ${thread}`, node]);
  for (const [thread, entries] of parts.pending)
    entries.forEach(({ node, reader }, i) => {
      named.push([`pending ${thread} ${i}`, node]);
      if (reader !== undefined) named.push([`reader ${thread} ${i}`, reader]);
    });
  for (const [cell, node] of parts.stored) named.push([`stored ${cell}`, node]);
  for (const [cell, loads] of parts.loaded)
    for (const [thread, node] of loads) named.push([`loaded ${cell} ${thread}`, node]);
  for (const [task, node] of parts.posting) named.push([`posting ${task}`, node]);
  if (typeof parts.block === 'number') named.push(['block', parts.block]);
  else if (parts.block) named.push(['block', -1]);
  return named.sort(([a], [b]) => (a < b ? -1 : 1));
}

/**
 * Watches for a happens-before cycle: knows which nodes lead to which, among the nodes that still
 * play a part. A node is an access, a lock block, a posting, or the begin of a task. New nodes are
 * added after existing nodes. Only a store reaching memory and an access of a lock block add an
 * edge to an existing node, and close a cycle if the node leads back.
 */
class HappensBeforeWatch implements Watch {
  readonly #parts: Parts;
  /** By happens-before node, the nodes reachable on paths of happens-before. */
  readonly #leads: ReadonlyMap<number, ReadonlySet<number>>;

  constructor(parts: Parts = noParts, leads: ReadonlyMap<number, ReadonlySet<number>> = new Map()) {
    this.#parts = parts;
    this.#leads = leads;
  }

  get key(): string {
    const number = new Map<number, number>();
    const parts = partsInOrder(this.#parts).map(([part, node]) => {
      if (!number.has(node)) number.set(node, number.size);
      return `${part}=${number.get(node)!}`;
    });
    const leads = [...number].map(([node, i]) => {
      const to = [...(this.#leads.get(node) ?? [])].map((other) => number.get(other) ?? -1);
      return `${i}>${to.sort((a, b) => a - b).join()}`;
    });
    return [...parts, ...leads].join(' ');
  }

  after(step: TaskStep): Watch | 'violation' {
    const draft = new HappensBeforeDraft(this.#parts, this.#leads);
    draft.take(step);
    if (draft.isCyclic) return 'violation';
    // Nodes without a part are dropped; the edges through dropped nodes are closed over already.
    const alive = new Set(partsInOrder(draft.parts).map(([, node]) => node));
    const kept = [...draft.leads].flatMap(([node, to]) =>
      alive.has(node)
        ? [[node, new Set([...to].filter((other) => alive.has(other)))] as const]
        : [],
    );
    return new HappensBeforeWatch(draft.parts, new Map(kept));
  }
}

/** A copy of a `HappensBeforeWatch` to which the changes by one step are made. */
class HappensBeforeDraft {
  parts: Parts;
  readonly leads: Map<number, Set<number>>;
  isCyclic = false;

  constructor(parts: Parts, leads: ReadonlyMap<number, ReadonlySet<number>>) {
    this.parts = parts;
    this.leads = new Map([...leads].map(([node, to]) => [node, new Set(to)]));
  }

  take({ task, effect }: TaskStep): void {
    const { thread } = task;
    const { pending, stored, last, posting } = this.parts;
    const entries = pending.get(thread) ?? [];
    switch (effect.kind) {
      case 'lock':
        this.parts = { ...this.parts, block: 'none so far' };
        break;
      case 'unlock': {
        const { block: _, ...rest } = this.parts;
        this.parts = rest;
        break;
      }
      case 'begin': {
        const node = this.#add(thread);
        this.#edge(posting.get(task.name), node);
        const left = new Map(posting);
        left.delete(task.name);
        this.parts = { ...this.parts, posting: left };
        break;
      }
      case 'post': {
        const node = this.#add(thread);
        this.parts = { ...this.parts, posting: new Map(posting).set(effect.posted.name, node) };
        break;
      }
      case 'return': {
        // Only main runs further tasks.
        if (thread !== task.name) break;
        const left = new Map(last);
        left.delete(thread);
        this.parts = { ...this.parts, last: left };
        break;
      }
      case 'issue': {
        const node = this.#add(thread);
        this.#waiting(thread, [...entries, { node }]);
        break;
      }
      case 'early': {
        const reader = this.#add(thread);
        this.#waiting(
          thread,
          entries.map((one, i) => (i === effect.entry ? { ...one, reader } : one)),
        );
        break;
      }
      case 'commit': {
        const [first, ...rest] = entries;
        this.#waiting(thread, rest);
        this.#stored(effect.address, first!.node);
        const { reader } = first!;
        if (reader !== undefined) this.#loaded(effect.address, thread, reader);
        break;
      }
      case 'memory': {
        const { address, reads, writes } = effect;
        const node = this.#add(thread);
        if (reads) this.#edge(stored.get(address), node);
        if (writes) this.#stored(address, node);
        else this.#loaded(address, thread, node);
        break;
      }
      case 'silent':
      case 'fence':
      case 'start':
    }
  }

  #edge(from: number | undefined, to: number): void {
    if (from === undefined || from === to) return;
    const { leads } = this;
    if (leads.get(to)?.has(from)) this.isCyclic = true;
    const behind = [to, ...(leads.get(to) ?? [])];
    for (const [node, further] of leads)
      if (node === from || further.has(from)) for (const other of behind) further.add(other);
  }

  /**
   * Returns the happens-before node of a thread's next step: a new node, or the node of the lock
   * block that the thread is in.
   */
  #add(thread: string): number {
    const { block, last } = this.parts;
    const node = typeof block === 'number' ? block : 1 + Math.max(-1, ...this.leads.keys());
    if (node !== block) this.leads.set(node, new Set());
    this.#edge(last.get(thread), node);
    this.parts = {
      ...this.parts,
      last: new Map(last).set(thread, node),
      ...(block !== undefined && { block: node }),
    };
    return node;
  }

  #waiting(thread: string, entries: readonly Pending[]): void {
    const pending = new Map(this.parts.pending);
    if (entries.length > 0) pending.set(thread, entries);
    else pending.delete(thread);
    this.parts = { ...this.parts, pending };
  }

  /** Records that the store of happens-before node `node` reaches the memory cell `cell`. */
  #stored(cell: number, node: number): void {
    const { stored, loaded } = this.parts;
    this.#edge(stored.get(cell), node);
    for (const load of loaded.get(cell)?.values() ?? []) this.#edge(load, node);
    const others = new Map(loaded);
    others.delete(cell);
    this.parts = { ...this.parts, stored: new Map(stored).set(cell, node), loaded: others };
  }

  #loaded(cell: number, thread: string, node: number): void {
    const { loaded } = this.parts;
    const own = new Map(loaded.get(cell)).set(thread, node);
    this.parts = { ...this.parts, loaded: new Map(loaded).set(cell, own) };
  }
}

/** Returns the summary (`Watch`) of a run before its first step, for violations of a criterion. */
export function watchFor(criterion: Criterion): Watch {
  return criterion === 'tso' ? new HappensBeforeWatch() : new SerialWatch();
}

/** Whether a run that ends with empty buffers violates a criterion. */
export function violatesCriterion(steps: readonly TaskStep[], criterion: Criterion): boolean {
  let watch: Watch | 'violation' = watchFor(criterion);
  for (const step of steps) {
    watch = watch.after(step);
    if (watch === 'violation') return true;
  }
  return false;
}
