import { fetchOperators } from './fetch-operations.js';
import {
  type Automata,
  type Expression,
  type Instruction,
  type Invariant,
  type InvariantExpression,
  type Operation,
  type Property,
  type SharedSymbol,
  type StateExpression,
  type Subject,
  type Thread,
  binaryOperators,
  orders,
  unaryOperators,
} from './automata.js';
import {
  anything,
  index,
  int32,
  list,
  literal,
  members,
  positive,
  type Reader,
  record,
  tagged,
  text,
  wrong,
} from './shape.js';

const nothing = record({});
export const range = record({ low: int32, high: int32 });
export const named = record({ name: text }, { hidden: literal(true) });

const symbol = record(
  {
    name: text,
    base: int32,
    length: index(2 ** 31),
    isArray: literal(true, false),
    initial: list(int32),
  },
  { boundless: literal(true), plain: literal(true) },
);

/**
 * Reads shared variables. Every variable has at least one cell and a value for each cell; no two
 * variables share a cell.
 */
export const symbolsReader: Reader<readonly SharedSymbol[]> = (value, path) => {
  const symbols = list(symbol)(value, path);
  for (const [i, { base, length, isArray, initial }] of symbols.entries()) {
    const at = `${path}[${i}]`;
    if (length < 1 || base + length > 2 ** 31) wrong(at, 'cells at addresses of 32 bits');
    if (!isArray && length > 1) wrong(at, 'one cell, as it is no array');
    if (initial.length !== length) wrong(`${at}.initial`, `${length} values, as 'length' says`);
  }
  const ordered = [...symbols].sort((a, b) => a.base - b.base);
  for (const [i, { base, length, name }] of ordered.entries())
    if (base + length > (ordered[i + 1]?.base ?? Number.POSITIVE_INFINITY))
      wrong(path, `cells that one variable has, not those of '${name.slice(0, 40)}'`);
  return symbols;
};

/** Returns readers of constants and operators whose operands are read by `self`. */
function operators<E>(self: Reader<E>) {
  return {
    constant: record({ value: int32 }),
    unary: record({ operator: literal(...unaryOperators), operand: self }),
    binary: record({ operator: literal(...binaryOperators), left: self, right: self }),
  };
}

/** Returns a reader of expressions in a program with the given numbers of registers and symbols. */
export function expressionReader(registers: number, symbols: number): Reader<Expression> {
  const self: Reader<Expression> = (value, path) => reader(value, path);
  const reader = tagged<Expression>({
    ...operators(self),
    register: record({ register: index(registers) }),
    self: nothing,
    address: record({ symbol: index(symbols) }),
    element: record({ symbol: index(symbols), index: self }),
  });
  return reader;
}

/**
 * Returns readers of the members of instructions in a program with the given numbers of registers
 * and symbols.
 */
export function instructionReaders(registers: number, symbols: number) {
  const expression = expressionReader(registers, symbols);
  const into = index(registers);
  const operation = tagged<Operation>({
    xchg: record({ value: expression }),
    cas: record({ expected: expression, desired: expression }),
    fetch: record({ operator: literal(...fetchOperators), operand: expression }),
  });
  const order = literal(...orders);
  const ofRmw = { order, failureOrder: order, mayFail: literal(true) };
  return {
    store: record({ address: expression, value: expression }, { order }),
    load: record({ into, address: expression }, { order }),
    rmw: record({ address: expression, operation }, { into, isStore: literal(true), ...ofRmw }),
    fence: nothing,
    'heavy-fence': nothing,
    lock: record({}, ofRmw),
    unlock: nothing,
    skip: record({}, { fence: order }),
    assign: record({ into, value: expression }),
    assume: record({ condition: expression }, { cutsOff: literal(true) }),
    assert: record({ condition: expression }),
    havoc: record({ into }, { range, where: expression }),
  };
}

function threadReader(symbols: number): Reader<Thread> {
  const outline = record(
    {
      name: text,
      registers: list(named),
      locations: list(named),
      initial: anything,
      transitions: anything,
    },
    { copy: record({ template: text, index: index(2 ** 31) }), unbounded: literal(true) },
  );
  return (value, path) => {
    const thread = outline(value, path);
    const location = index(thread.locations.length);
    const instruction = tagged<Instruction>(instructionReaders(thread.registers.length, symbols));
    const transition = record(
      { from: location, to: location, instruction },
      { cost: positive, nofence: literal(true), luck: literal('chance', 'time-out', 'choice') },
    );
    return {
      ...thread,
      initial: location(thread.initial, `${path}.initial`),
      transitions: list(transition)(thread.transitions, `${path}.transitions`),
    };
  };
}

/**
 * Returns a reader of properties: conditions on states of the given threads. A location or register
 * in a condition has to exist in the named thread.
 */
function propertyReader(threads: readonly Thread[]): Reader<Property> {
  const thread = index(threads.length);
  const copy = index(2 ** 31);
  /** Reads a leaf about a thread: only threads in any number of copies have copies to be named. */
  const about =
    <F extends Record<string, Reader<unknown>>>(more: F) =>
    (value: unknown, path: string) => {
      const read = record({ thread, ...more }, { copy })(value, path) as Subject;
      if (read.copy !== undefined && !threads[read.thread]?.unbounded)
        wrong(`${path}.copy`, 'no number, as the thread has no copies');
      return read as Subject & { readonly [K in keyof F]: unknown };
    };
  const within =
    <K extends 'location' | 'register'>(member: K, table: 'locations' | 'registers') =>
    (value: unknown, path: string) => {
      const read = about({ [member]: anything })(value, path);
      const length = threads[read.thread]?.[table].length ?? 0;
      const inside = index(length)(read[member], `${path}.${member}`);
      return { ...read, [member]: inside } as unknown as Subject & Record<K, number>;
    };
  const self: Reader<StateExpression> = (value, path) => condition(value, path);
  const condition = tagged<StateExpression>({
    ...operators(self),
    at: within('location', 'locations'),
    ended: about({}),
    drained: about({}),
    register: within('register', 'registers'),
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
    const binder = index(invariant.binders.length);
    const within =
      <K extends 'location' | 'register'>(member: K, table: 'locations' | 'registers') =>
      (leaf: unknown, at: string) => {
        const read = record({ binder, [member]: anything })(leaf, at);
        const thread = threads[invariant.binders[read.binder]?.thread ?? -1];
        const inside = index(thread?.[table].length ?? 0);
        const found = inside((read as Record<string, unknown>)[member], `${at}.${member}`);
        return { binder: read.binder, [member]: found } as { binder: number } & Record<K, number>;
      };
    const self: Reader<InvariantExpression> = (leaf, at) => condition(leaf, at);
    const condition = tagged<InvariantExpression>({
      ...operators(self),
      at: within('location', 'locations'),
      ended: record({ binder }),
      register: within('register', 'registers'),
      self: record({ binder }),
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
