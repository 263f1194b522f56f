import type { HeaderFunction } from '@fencewright/core/node';
import { writtenCall, type HarnessThread, pointee } from './harness-thread.js';

/** Matches words in names of functions that put a value into the object. */
const puts = /(?:^|_)(?:push|enqueue|enq|put|send|produce|offer|insert|add|write)(?:_|$)/;
/** Matches words in names of functions by which the owner, or anybody, takes a value out. */
const gets = /(?:^|_)(?:pop|dequeue|deq|take|get|recv|receive|consume|poll|remove|read)(?:_|$)/;
/** Matches words in names of functions by which threads other than the owner take a value. */
const steals = /(?:^|_)steal(?:_|$)/;
/**
 * Whether, judging by the function's name, a function takes a value out of an object into which
 * threads put values.
 */
export function takesOut(name: string): boolean {
  return gets.test(name) || steals.test(name);
}

/** Matches words in names of functions that access containers or plain variables. */
const ofVariables = /(?:^|_)(?:put|get|add|write|read)(?:_|$)/;
/** Matches names of containers that return values first in, first out. */
const inOrder = /queue|ring|fifo|spsc|mpsc|mpmc|chan|buf/i;
/** Matches names of containers that return values in another order. */
const outOfOrder = /stack|lifo|treiber|bag|pool|deque|free/i;
/** Matches names of containers that any thread puts values into, and takes values out of. */
const ofAll = /mpmc|stack|lifo|treiber|bag|pool|free/i;

/** The parts of a harness that test a container. */
interface ContainerHarness {
  readonly threads: readonly HarnessThread[];
  /** The declarations of variables, and of a function, that the threads of the harness need. */
  readonly declarations: readonly string[];
  /** The statements of `main` that follow the threads and assert the results, indented. */
  readonly claims: readonly string[];
}

/** The facts known about a header and its shared object. */
interface ContainerHeader {
  readonly text: string;
  /** The functions of the header that take the shared object as an argument. */
  readonly functions: readonly HeaderFunction[];
  /** The names of the structs and unions whose members the header declares. */
  readonly complete: ReadonlySet<string>;
  /** The names of the header and of the type of the shared object, as one text. */
  readonly about: string;
  /** The C expression by which the shared object is passed to a function. */
  readonly object: string;
}

/** A function that takes a value out of the object. */
interface Taking {
  readonly of: HeaderFunction;
  /** The C type of the value that the function takes out. */
  readonly type: string;
  /**
   * How the function gives the value: as its result, as a `std::optional`, or through its second
   * parameter.
   */
  readonly gives: 'result' | 'optional' | 'place';
  /**
   * The C test that, appended to the function's result, is true if the function took a value;
   * `undefined` if no such test is known.
   */
  readonly test: '' | ' == 0' | undefined;
}

function isNumber(type: string): boolean {
  return /^(?:(?:un)?signed )?(?:char|short|int|long|long long)$/.test(type);
}

/**
 * Returns the type of the variables that represent values of `type`, if values can be told apart;
 * otherwise `undefined`. `complete` has the types that are completely known.
 */
function itemOf(type: string, complete: ReadonlySet<string>): string | undefined {
  if (isNumber(type)) return type;
  const target = pointee({ written: type, canonical: type });
  if (target === 'void') return 'int';
  return target !== undefined && (isNumber(target) || complete.has(target)) ? target : undefined;
}

/** Returns the body of a function; empty if the text has none. */
function bodyOf(text: string, name: string): string {
  const head = new RegExp(`\\b${name}\\s*\\([^;{}]*\\)\\s*\\{`).exec(text);
  if (!head) return '';
  const start = head.index + head[0].length;
  let depth = 1;
  let at = start;
  for (; at < text.length && depth > 0; at++)
    depth += text[at] === '{' ? 1 : text[at] === '}' ? -1 : 0;
  return text.slice(start, at);
}

/**
 * Returns the C test that, appended to a call of the function, is true if the call succeeded.
 * Judges by the type of the result and by the body of the function; `undefined` if neither tells
 * which results mean success.
 */
function successOf({ name, result }: HeaderFunction, text: string): Taking['test'] {
  if (/^(?:_Bool|bool)$/.test(result.canonical)) return '';
  if (!isNumber(result.canonical)) return undefined;
  const body = bodyOf(text, name);
  if (/\breturn\s+(?:1|true)\s*;/.test(body)) return '';
  return /\breturn\s+-?\s*(?:1|E[A-Z]+)\b/.test(body) ? ' == 0' : undefined;
}

function takingBy(of: HeaderFunction, text: string): Taking | undefined {
  const [, place] = of.parameters;
  if (of.parameters.length === 1) {
    const [, held] = /^std::optional<(.*)>$/.exec(of.result.canonical) ?? [];
    if (held !== undefined) return { of, type: held, gives: 'optional', test: undefined };
    return { of, type: of.result.canonical, gives: 'result', test: undefined };
  }
  const type = place && pointee(place.type);
  if (of.parameters.length > 2 || type === undefined) return undefined;
  return { of, type, gives: 'place', test: successOf(of, text) };
}

/** Writes the calls of a container's functions. */
class ContainerCalls {
  readonly #put: HeaderFunction;
  readonly #object: string;
  readonly #isNumber: boolean;
  #taken = 0;

  constructor(put: HeaderFunction, object: string, type: string) {
    this.#put = put;
    this.#object = object;
    this.#isNumber = isNumber(type);
  }

  /** The number of values that the calls written so far take out. */
  get taken(): number {
    return this.#taken;
  }

  put(value: 1 | 2): string {
    const item = this.#isNumber ? `${value}` : `&items[${value - 1}]`;
    return `  ${writtenCall(this.#put, [this.#object, item])};`;
  }

  take({ of, type, gives, test }: Taking): readonly string[] {
    const at = this.#taken++;
    const value = `value${at + 1}`;
    const declared = `  ${type}${type.endsWith('*') ? '' : ' '}${value} =`;
    const keep = `taken[${at}] = number(${value});`;
    const result = writtenCall(of, [this.#object]);
    if (gives === 'result') return [`${declared} ${result};`, `  ${keep}`];
    if (gives === 'optional')
      return [
        `  const auto ${value} = ${result};`,
        `  if (${value}) {`,
        `    taken[${at}] = number(*${value});`,
        `    assert(taken[${at}] != 0);`,
        '  }',
      ];
    const call = writtenCall(of, [this.#object, `&${value}`]);
    return [
      `${declared} 0;`,
      ...(test === undefined
        ? [`  ${call};`, `  ${keep}`]
        : [`  if (${call}${test}) {`, `    ${keep}`, `    assert(taken[${at}] != 0);`, '  }']),
    ];
  }
}

/** Returns assertions that no two calls take out the same value, unless the value is 0. */
function onceEach(taken: number): readonly string[] {
  const all = Array.from({ length: taken }, (_, at) => at);
  return all.flatMap((b) =>
    all.slice(0, b).map((a) => `  assert(taken[${a}] == 0 || taken[${a}] != taken[${b}]);`),
  );
}

/**
 * Returns threads that put two values into a container and take values out of it, with assertions
 * that each value comes out once and, of a queue, in order; `undefined` if the header has no
 * functions that do so.
 */
export function containerHarness(header: ContainerHeader): ContainerHarness | undefined {
  const { text, functions, complete, about, object } = header;
  const isContainer = inOrder.test(about) || outOfOrder.test(about);
  // The plain function rather than its variants for several values.
  const named = (words: RegExp): readonly HeaderFunction[] =>
    functions
      .filter(({ name }) => words.test(name) && (isContainer || !ofVariables.test(name)))
      .sort((a, b) => a.name.length - b.name.length);
  const takings = (words: RegExp): readonly Taking[] =>
    named(words).flatMap((of) => takingBy(of, text) ?? []);
  const ofOwner = takings(gets);
  const ofThief = takings(steals);
  const putting = named(puts).flatMap((put) => {
    const [, value] = put.parameters;
    if (!value || put.parameters.length > 2) return [];
    const type = value.type.canonical;
    const item = itemOf(type, complete);
    const fits = (each: Taking): boolean => each.type === type;
    const take = ofOwner.find(fits);
    const steal = ofThief.find(fits);
    return item !== undefined && (take ?? steal) ? [{ put, type, item, take, steal }] : [];
  })[0];
  if (!putting) return undefined;
  const { put, type, item, take, steal } = putting;
  const calls = new ContainerCalls(put, object, type);
  const thread = (
    name: string,
    called: readonly (HeaderFunction | undefined)[],
    lines: readonly string[],
  ) => ({
    name,
    called: called.filter((each) => each !== undefined),
    lines,
  });
  const twice = (taking: Taking): readonly string[] => [
    ...calls.take(taking),
    ...calls.take(taking),
  ];
  const threads = steal
    ? [
        thread(
          'owner',
          [put, take?.of],
          [...[calls.put(1), calls.put(2)], ...(take ? twice(take) : [])],
        ),
        thread('thief', [steal.of], twice(steal)),
      ]
    : ofAll.test(about)
      ? ([1, 2] as const).map((value) =>
          thread(`thread${value}`, [put, take!.of], [calls.put(value), ...calls.take(take!)]),
        )
      : [
          thread('producer', [put], [calls.put(1), calls.put(2)]),
          thread('consumer', [take!.of], twice(take!)),
        ];
  const isQueue = !steal && !ofAll.test(about) && inOrder.test(about) && !outOfOrder.test(about);
  const isPlain = isNumber(type);
  return {
    threads,
    declarations: [
      ...(isPlain ? [] : [`static ${item} items[2];`]),
      '// What came out: 1 or 2 for the values that went in, 0 for anything else.',
      `static int taken[${calls.taken}];`,
      isPlain
        ? `static int number(${type} value) { return value == 1 ? 1 : value == 2 ? 2 : 0; }`
        : 'static int number(const void *value) {\n' +
          '  return value == &items[0] ? 1 : value == &items[1] ? 2 : 0;\n}',
    ],
    claims: isQueue
      ? [
          '  // What went in first came out first, and once.',
          '  assert(taken[1] == 0 || taken[0] < taken[1]);',
        ]
      : ['  // No value came out twice.', ...onceEach(calls.taken)],
  };
}
