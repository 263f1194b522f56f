import {
  type Automata,
  type Invariant,
  type InvariantExpression,
  operators,
  type Property,
  range,
  type StateExpression,
  type Subject,
  symbolsReader,
  type Thread,
  threadReader,
} from './automata.js';
import {
  anyIndex,
  anything,
  index,
  int32,
  list,
  literal,
  members,
  type Reader,
  record,
  tagged,
  text,
  wrong,
} from './shape.js';

type More = Readonly<Record<string, Reader<unknown>>>;

/**
 * Returns a function that makes readers for leaves of conditions. Each leaf names a location or a
 * register of a thread. `about` reads the member that names the thread, and any further members;
 * `threadOf` returns the thread that a leaf names.
 */
function within<S extends object>(
  about: (more: More) => Reader<S>,
  threadOf: (leaf: S) => Thread | undefined,
) {
  return <K extends 'location' | 'register'>(member: K): Reader<S & Readonly<Record<K, number>>> =>
    (value, path) => {
      const read: S & Partial<Record<K, unknown>> = about({ [member]: anything })(value, path);
      const inside = index(threadOf(read)?.[`${member}s`].length ?? 0);
      const found = { [member]: inside(read[member], `${path}.${member}`) };
      return { ...read, ...found };
    };
}

/**
 * Returns a reader of properties: conditions on states of the given threads. A location or register
 * in a condition has to exist in the named thread.
 */
function propertyReader(threads: readonly Thread[]): Reader<Property> {
  /** Reads a leaf about a thread. Only a leaf about an unbounded thread may name a copy. */
  const about =
    (more: More): Reader<Subject> =>
    (value, path) => {
      const leaf = record({ thread: index(threads.length), ...more }, { copy: anyIndex });
      const read = leaf(value, path);
      if (read.copy !== undefined && !threads[read.thread]?.unbounded)
        wrong(`${path}.copy`, 'no number, as the thread has no copies');
      return read;
    };
  const of = within(about, ({ thread }) => threads[thread]);
  const self: Reader<StateExpression> = (value, path) => condition(value, path);
  const condition = tagged<StateExpression>({
    ...operators(self),
    at: of('location'),
    ended: about({}),
    drained: about({}),
    register: of('register'),
    memory: record({ address: int32 }),
  });
  return record({
    name: text,
    kind: literal('never', 'finally', 'exists', 'stuck', 'progress'),
    condition,
  });
}

export function invariantReader(threads: readonly Thread[], symbols: number): Reader<Invariant> {
  const outline = record({
    name: text,
    binders: list(record({ name: text, thread: index(threads.length) })),
    condition: anything,
  });
  return (value, path) => {
    const { condition: unread, ...invariant } = outline(value, path);
    const { binders } = invariant;
    const about = (more: More): Reader<{ readonly binder: number }> =>
      record({ binder: index(binders.length), ...more });
    const of = within(about, ({ binder }) => threads[binders[binder]!.thread]);
    const self: Reader<InvariantExpression> = (leaf, at) => condition(leaf, at);
    const condition = tagged<InvariantExpression>({
      ...operators(self),
      at: of('location'),
      ended: about({}),
      register: of('register'),
      self: about({}),
      cell: record({ symbol: index(symbols) }, { index: self }),
      'every-index': record({}),
    });
    return { ...invariant, condition: condition(unread, `${path}.condition`) };
  };
}

const outline = record(
  {
    format: literal('fencewright-automata'),
    version: literal(1),
    name: text,
    symbols: symbolsReader,
    threads: anything,
    properties: anything,
    invariants: anything,
  },
  { domain: range, assumptions: list(text), assumptionsOfC11: list(text) },
);

/**
 * Reads automata from the JSON of a file. Throws `ShapeError`; every index in the result is valid.
 */
export function readAutomata(value: unknown, path: string): Automata {
  if (members(value, path).get('format') !== 'fencewright-automata')
    return wrong(`${path}.format`, 'fencewright-automata');
  const read = outline(value, path);
  const symbols = read.symbols.length;
  const threads = list(threadReader(symbols))(read.threads, `${path}.threads`);
  return {
    ...read,
    threads,
    properties: list(propertyReader(threads))(read.properties, `${path}.properties`),
    invariants: list(invariantReader(threads, symbols))(read.invariants, `${path}.invariants`),
  };
}
