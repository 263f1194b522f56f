import {
  type CType,
  type Header,
  type HeaderFunction,
  isNumberInCxx,
  variableType,
} from '@fencewright/core/node';
import { containerHarness, takesOut } from './container-harness.js';
import { writtenCall, type HarnessThread, pointee } from './harness-thread.js';

/** Matches names of functions that are called before all threads. */
const makes = /(?:^|_)(?:init|create|new|make|alloc|open|setup)(?:_|$)|(?:Init|Create|New|Alloc)/;
/** Matches names of functions that are called after all threads. */
const ends =
  /(?:^|_)(?:destroy|free|delete|fini|deinit|cleanup|close|dispose)(?:_|$)|(?:Destroy|Free|Delete)/;

/** Matches names of parameters that are a number of elements. */
const counts = /cap|size|len|count|num|bits|order|slots|depth|^n$/i;
/** Matches names of parameters that choose the way of locking. */
const ways = /flag|mode|opt|time|tries|spin|usec|msec|nsec|order|prio|level/i;
/** Matches names of parameters that point to several elements. */
const rooms = /buf|stor|slot|data|arr|mem|ring|elem/i;

/** Matches names of functions that only read the object, or should not be called by threads. */
const looks =
  /(?:^|_)(?:size|count|len|length|capacity|is|empty|full|get|used|unused|reset|clear|foreach|print|dump)(?:_|$)/;

/** Parts of names of functions that come in pairs, around protected code. */
const pairs = [
  ['lock', 'unlock'],
  ['acquire', 'release'],
  ['enter', 'leave'],
  ['enter', 'exit'],
  ['begin', 'end'],
  ['Lock', 'Unlock'],
  ['Acquire', 'Release'],
] as const;

/**
 * Matches names of functions that lock for readers: while the lock is held, other threads may read,
 * but not write.
 */
const shares = /(?:^|_)(?:r|rd|read|reader|shared)(?:_|$)|(?:^|_)rd?lock|[rR]ead|Shared/;

/**
 * Matches names of functions that may fail to take a lock, so that the code after the call is not
 * protected.
 */
const tries = /try/i;

/** The number of threads of a harness; each more multiplies the states. */
const mostThreads = 4;

/** The comment at the top of a harness that forbids repairs to put fences into the harness. */
const noFences = [
  ...['//', '// Fences belong into the code that is called:'],
  '// fencewright: no fences in this file',
];

/** A harness for a header, and what a user has to know about the harness. */
export interface Harness {
  readonly text: string;
  /** The functions called by the threads, one for each; `lock and unlock` for a pair. */
  readonly threads: readonly string[];
  /** Whether the harness contains assertions about the results of the calls. */
  readonly claims: boolean;
  /** The options, files and arguments of a command that checks the harness. */
  readonly command: string;
  /** Whether the header has no bodies for some functions that the harness calls. */
  readonly needsLink: boolean;
}

function declare(type: string, name: string): string {
  return `static ${type}${type.endsWith('*') ? '' : ' '}${name};`;
}

/** The names that a harness writes, and the text of the header. */
export interface HarnessNames {
  readonly text: string;
  /** The name of the header in the `#include` of the harness. */
  readonly include: string;
  /** The further headers to be included before the header. */
  readonly before: readonly string[];
  /**
   * The option and the file with the bodies of the header's functions; empty if there is no such
   * file.
   */
  readonly linked: string;
  /** The file of the harness and the arguments of a command for checking the harness. */
  readonly operands: string;
  /** Present if the header is in C++. */
  readonly cxx?: InCxx;
}

/** Facts for a harness in C++. */
export interface InCxx {
  readonly namespaces: readonly string[];
  /** The arguments of the constructor for the shared object. */
  readonly making: string;
}

/**
 * The shared object of most functions: the type to which most first parameters and results point;
 * `undefined` if there is none.
 */
function subjectOf({ functions }: Header): string | undefined {
  const votes = new Map<string, number>();
  for (const { parameters, result } of functions)
    for (const type of [parameters[0]?.type, result]) {
      const target = type && pointee(type);
      // A pointer to characters or to anything is data.
      if (target === undefined || /^(?:void|(?:(?:un)?signed )?char|int|FILE)$/.test(target))
        continue;
      if (!target.endsWith('*')) votes.set(target, (votes.get(target) ?? 0) + 1);
    }
  return [...votes].sort(([, a], [, b]) => b - a)[0]?.[0];
}

/** The number of a calling thread, from 0, and the parameters that take the number. */
interface ThreadNumber {
  readonly value: number;
  /** The names of the parameters; empty for a parameter without a name. */
  readonly names: readonly string[];
}

/** Writes the calls of a harness, and collects the variables needed by the calls. */
class Calls {
  readonly variables: string[] = [];
  readonly results: string[] = [];
  readonly #isCxx: boolean;
  readonly #header: Header;
  readonly #subject: string | undefined;
  /** The C expression that passes the shared object to a function. */
  readonly #object: string;

  constructor(header: Header, subject: string | undefined, object: string, isCxx: boolean) {
    this.#isCxx = isCxx;
    this.#header = header;
    this.#subject = subject;
    this.#object = object;
  }

  #variable(type: string, name: string, room = ''): string {
    const declared = declare(variableType(type), `${name}${room}`);
    if (!this.variables.includes(declared)) this.variables.push(declared);
    return name;
  }

  #argument(of: HeaderFunction, at: number, caller: string, number?: ThreadNumber): string {
    const { name, type } = of.parameters[at]!;
    if (number?.names.includes(name) && isInteger(type)) return `${number.value}`;
    const own = `${caller}_${name === '' ? `argument${at + 1}` : name}`;
    const { written, canonical } = type;
    const target = pointee(type);
    if (this.#isCxx && (target ?? canonical) !== this.#subject)
      return this.#argumentInCxx(type, name, own);
    if (target === undefined) {
      if (/^(?:struct|union) /.test(canonical) || this.#header.complete.has(canonical))
        return this.#variable(written, own);
      if (canonical.startsWith('enum ')) return `(${canonical})0`;
      return counts.test(name) ? '2' : /[()]/.test(canonical) ? '0' : '1';
    }
    if (target === this.#subject) return this.#object;
    if (written.startsWith('const char *')) return '"a"';
    if (/[()]/.test(target) || !this.#isKnown(target)) return '0';
    const kept = target === 'void' ? 'int' : written.endsWith('*') ? written.slice(0, -1) : target;
    return rooms.test(name)
      ? this.#variable(kept.trim(), own, '[4]')
      : `&${this.#variable(kept.trim(), own)}`;
  }

  /** Returns an argument of C++; `{}` is a value of every type with a default constructor. */
  #argumentInCxx({ canonical, isReference }: CType, name: string, own: string): string {
    if (canonical === 'bool') return 'true';
    if (isNumberInCxx(canonical)) return counts.test(name) ? '2' : '1';
    const target = pointee({ written: canonical, canonical });
    if (target === undefined || /[()]/.test(canonical)) return '{}';
    const isDeclarable = isNumberInCxx(target) || this.#header.complete.has(target);
    if (isDeclarable) return `&${this.#variable(target, own)}`;
    // No variable of the type can be declared, and a reference needs one.
    return isReference ? this.#variable(target, own) : 'nullptr';
  }

  /**
   * Whether the header declares a type completely, so that variables of the type can be declared.
   */
  #isKnown(target: string): boolean {
    if (target.endsWith('*')) return true;
    return /^(?:struct|union) /.test(target) ? this.#header.complete.has(target) : true;
  }

  /**
   * Returns the call of a function, with its result in a variable if `keeps`. Calls by the same
   * `caller` share the variables of parameters of the same name.
   */
  call(of: HeaderFunction, keeps: boolean, caller = of.name, number?: ThreadNumber): string {
    const given = of.parameters.map((_, at) => this.#argument(of, at, caller, number));
    const call = writtenCall(of, given);
    const { written, canonical } = of.result;
    const isKept = this.#isCxx ? isNumberInCxx(canonical) : canonical !== 'void';
    if (!keeps || !isKept) return `${call};`;
    const name = this.#variable(written, `${of.name}_result`);
    this.results.push(name);
    return `${name} = ${call};`;
  }
}

function takes(subject: string | undefined, { parameters }: HeaderFunction): boolean {
  return parameters.some(({ type }) => pointee(type) === subject);
}

function prototype({ name, result, parameters, isMember }: HeaderFunction): string {
  const words = parameters
    .slice(isMember ? 1 : 0)
    .map(({ name: own, type }) => `${type.written} ${own}`.trim());
  return `${result.written} ${name}(${words.join(', ') || 'void'})`;
}

/** The functions of a header by their part in a harness. */
interface Roles {
  readonly subject: string | undefined;
  /** Whether the shared object is a variable, rather than made by a function. */
  readonly holds: boolean;
  readonly maker: HeaderFunction | undefined;
  /** Whether the function that makes the object returns the object. */
  readonly allocates: boolean;
  readonly ender: HeaderFunction | undefined;
  /**
   * The functions of the header that take the shared object, and neither make nor destroy the
   * object.
   */
  readonly callable: readonly HeaderFunction[];
  /**
   * The functions for threads if the header has no pairs: each function is called by a thread of
   * its own.
   */
  readonly threads: readonly HeaderFunction[];
}

function rolesOf(header: Header): Roles {
  const { functions, complete } = header;
  const subject = subjectOf(header);
  const isMember = functions.some((each) => each.isMember);
  const isWhole =
    subject !== undefined &&
    (isMember || complete.has(subject) || !/^(?:struct|union) /.test(subject));
  const makers = functions.filter(
    (each) => makes.test(each.name) && (takes(subject, each) || pointee(each.result) === subject),
  );
  const enders = functions.filter(
    (each) => ends.test(each.name) && takes(subject, each) && each.result.canonical === 'void',
  );
  const called = functions.filter(
    (each) =>
      subject === undefined ||
      (!makers.includes(each) && !enders.includes(each) && takes(subject, each)),
  );
  // Functions that change the object come first.
  const isMinor = ({ name, parameters: [first] }: HeaderFunction): boolean =>
    looks.test(name) || first?.type.written.startsWith('const ') === true;
  const [minor, major] = [called.filter(isMinor), called.filter((each) => !isMinor(each))];
  const allocator = makers.find((each) => !takes(subject, each));
  return {
    subject,
    holds: !allocator && isWhole,
    maker: allocator ?? makers[0],
    allocates: allocator !== undefined,
    ender: enders[0],
    callable: called,
    threads: [...major, ...minor].slice(0, mostThreads),
  };
}

/** The first and the last call of a thread around protected code. */
interface Pair {
  readonly first: HeaderFunction;
  readonly last: HeaderFunction;
}

/** Returns the pairs among functions, such as `ring_lock` and `ring_unlock`. */
function pairsOf(functions: readonly HeaderFunction[]): readonly Pair[] {
  return functions.flatMap((first): Pair[] => {
    if (tries.test(first.name)) return [];
    const twins = pairs.flatMap(([open, close]) => {
      const at = first.name.lastIndexOf(open);
      const before = first.name[at - 1] ?? '_';
      // `unlock` opens nothing, and `block` is another word.
      if (at < 0 || (open === open.toLowerCase() && /[a-z]/.test(before))) return [];
      return [`${first.name.slice(0, at)}${close}${first.name.slice(at + open.length)}`];
    });
    const last = functions.find(({ name }) => twins.includes(name));
    return last ? [{ first, last }] : [];
  });
}

function isInteger({ canonical }: CType): boolean {
  return isNumberInCxx(canonical) && !/bool|float|double/i.test(canonical);
}

/** Returns the parameters of both functions of a pair that can be the number of the thread. */
function numberNames({ first, last }: Pair): readonly string[] {
  return first.parameters
    .map(({ name }) => name)
    .filter((name) => !ways.test(name) && last.parameters.some((other) => other.name === name));
}

/**
 * Returns the threads that use pairs of functions: one thread for each pair, or two threads for a
 * single pair.
 */
function pairThreads(found: readonly Pair[], calls: Calls): readonly HarnessThread[] {
  const all = found.length === 1 ? [...found, ...found] : found;
  return all.slice(0, mostThreads).map((pair, at): HarnessThread => {
    const { first, last } = pair;
    const name = `thread${at + 1}`;
    const number = { value: at, names: numberNames(pair) };
    const guarded = shares.test(first.name)
      ? ['  int seen = guarded;', '  assert(guarded == seen);']
      : ['  int before = guarded;', '  guarded = before + 1;', '  assert(guarded == before + 1);'];
    return {
      name,
      called: [first, last],
      lines: [
        `  ${calls.call(first, false, name, number)}`,
        '  // What the calls protect: nobody else may change it here.',
        ...guarded,
        `  ${calls.call(last, false, name, number)}`,
      ],
    };
  });
}

/** Returns the threads for functions without pairs: one calling thread for each function. */
function singleThreads(
  functions: readonly HeaderFunction[],
  calls: Calls,
): readonly HarnessThread[] {
  return functions.map((of) => ({
    name: `call_${of.name}`,
    called: [of],
    lines: [`  ${calls.call(of, true)}`],
  }));
}

/** Returns the declaration of the shared object; none without such an object. */
function objectOf(
  { functions }: Header,
  { subject, holds, allocates }: Roles,
  making: string,
): readonly string[] {
  const written = functions
    .flatMap(({ parameters, result }) => [...parameters.map(({ type }) => type), result])
    .find((type) => pointee(type) === subject)?.written;
  if (subject === undefined || written === undefined) return [];
  const type = variableType(written);
  return [
    ...(holds || allocates ? [] : ['// No function of the header makes one: let main do it.']),
    declare(holds ? type.replace(/ ?\*$/, '') : type, `object${making}`),
  ];
}

/**
 * Returns a harness that calls the functions of a header on one shared object: functions of a
 * container with values, functions that come in pairs around protected data, or else each function
 * in a thread of its own; `undefined` if threads could call no function.
 */
export function headerHarness(header: Header, names: HarnessNames): Harness | undefined {
  const { text: source, include, linked, operands, cxx } = names;
  const isCxx = cxx !== undefined;
  const roles = rolesOf(header);
  const { maker, ender } = roles;
  if (roles.threads.length === 0) return undefined;
  const calls = new Calls(header, roles.subject, roles.holds ? '&object' : 'object', isCxx);
  const making = maker && calls.call(maker, false);
  const container = containerHarness({
    text: source,
    functions: roles.callable,
    complete: header.complete,
    about: `${include} ${roles.subject ?? ''}`,
    object: roles.holds ? '&object' : 'object',
  });
  const found = container ? [] : pairsOf(roles.callable);
  const isPaired = found.length > 0;
  const threads =
    container?.threads ??
    (isPaired ? pairThreads(found, calls) : singleThreads(roles.threads, calls));
  const ending = ender && calls.call(ender, false);
  const called = threads.flatMap((each) => each.called);
  const used = [...called, maker, ender].filter((each) => each !== undefined);
  const needsLink = used.some(({ isDefined }) => !isDefined);
  const command = `${needsLink ? linked : ''}${operands}`;
  const inThreads = container
    ? 'with values that come out at most once'
    : isPaired
      ? 'in pairs around data that they protect'
      : 'each in a thread of its own';
  const guess = calls.results.find((name) => takesOut(name)) ?? calls.results[0] ?? '...';
  const variables = [
    ...objectOf(header, roles, cxx?.making ?? ''),
    ...calls.variables,
    ...(isPaired ? ['static int guarded;'] : []),
    ...(container?.declarations ?? []),
  ];
  const claims = isPaired
    ? []
    : (container?.claims ?? [
        '  // Say here what has to hold after all calls, in whatever order they came:',
        `  // assert(${guess});`,
      ]);
  const others = otherFunctions(header.functions, [...called, maker, ender]);
  return {
    text: [
      ...headText(names, roles.subject, inThreads, command),
      '',
      ...variables,
      '',
      ...threadsText(threads, isCxx),
      ...mainText(threads, claims, {
        isCxx,
        making: making && `${roles.allocates ? 'object = ' : ''}${making}`,
        ending,
      }),
      ...others,
      '',
    ].join('\n'),
    threads: threads.map((each) => each.called.map(({ name }) => name).join(' and ')),
    claims: isPaired || container !== undefined,
    command,
    needsLink,
  };
}

/** Returns the lines before the declarations: comments, and the headers. */
function headText(
  { include, before, cxx }: HarnessNames,
  subject: string | undefined,
  inThreads: string,
  command: string,
): readonly string[] {
  return [
    subject === undefined
      ? `// Functions of ${include}, ${inThreads}; they share no object yet.`
      : `// Functions of ${include}, called on one shared object, ${inThreads}.`,
    '// The arguments are guesses: give them the values, and the threads the calls, of your question.',
    '//',
    `//   fencewright ${command}          what can go wrong on x86`,
    `//   fencewright fence ${command}    the cheapest fences that mend it`,
    ...noFences,
    ...(cxx
      ? ['#include <cassert>', '#include <thread>']
      : ['#include <assert.h>', '#include <pthread.h>']),
    ...before.map((each) => `#include <${each}>`),
    `#include "${include}"`,
    ...(cxx?.namespaces ?? []).map((each) => `using namespace ${each};`),
  ];
}

/** Returns the function `main`, which starts the threads, waits for them, and states the claims. */
function mainText(
  threads: readonly HarnessThread[],
  claims: readonly string[],
  {
    isCxx,
    making,
    ending,
  }: {
    readonly isCxx: boolean;
    readonly making: string | undefined;
    readonly ending: string | undefined;
  },
): readonly string[] {
  const names = threads.map(({ name }) => name);
  return [
    isCxx ? 'int main() {' : 'int main(void) {',
    ...(isCxx ? [] : [`  pthread_t threads[${threads.length}];`]),
    ...(making === undefined ? [] : [`  ${making}`]),
    ...(isCxx
      ? [
          `  std::thread threads[] = {${names.map((name) => `std::thread(${name})`).join(', ')}};`,
          '  for (std::thread &each : threads) each.join();',
        ]
      : [
          ...names.map((name, at) => `  pthread_create(&threads[${at}], 0, ${name}, 0);`),
          `  for (int i = 0; i < ${threads.length}; i++) pthread_join(threads[i], 0);`,
        ]),
    ...claims,
    ...(ending === undefined ? [] : [`  ${ending}`]),
    ...['  return 0;', '}'],
  ];
}

function threadsText(threads: readonly HarnessThread[], isCxx: boolean): readonly string[] {
  return threads.flatMap(({ name, lines }) =>
    isCxx
      ? [`static void ${name}() {`, ...lines, '}', '']
      : [
          `static void *${name}(void *unused) {`,
          '  (void)unused;',
          ...lines,
          ...['  return 0;', '}', ''],
        ],
  );
}

function otherFunctions(
  functions: readonly HeaderFunction[],
  called: readonly (HeaderFunction | undefined)[],
): readonly string[] {
  const others = functions.filter((each) => !called.includes(each));
  if (others.length === 0) return [];
  return ['', '// Not called:', ...others.map((each) => `//   ${prototype(each)}`)];
}
