import { type CType, type Header, type HeaderFunction, variableType } from '@fencewright/core/node';

/** Names of functions that are called before and after all threads. */
const makes = /(?:^|_)(?:init|create|new|make|alloc|open|setup)(?:_|$)|(?:Init|Create|New|Alloc)/;
const ends =
  /(?:^|_)(?:destroy|free|delete|fini|deinit|cleanup|close|dispose)(?:_|$)|(?:Destroy|Free|Delete)/;

/** Names of parameters that are a number of elements, or that point to several elements. */
const counts = /cap|size|len|count|num|bits|order|slots|depth|^n$/i;
const rooms = /buf|stor|slot|data|arr|mem|ring|elem/i;

/** Names of functions that only read the object, or that belong outside of the threads. */
const looks =
  /(?:^|_)(?:size|count|len|length|capacity|is|empty|full|get|used|unused|reset|clear|foreach|print|dump)(?:_|$)/;

/** The number of threads of a harness; each more multiplies the states. */
const mostThreads = 4;

/** A harness in C for a header, and what a user has to know about the harness. */
export interface Harness {
  readonly text: string;
  /** The functions called by a thread each. */
  readonly threads: readonly string[];
  /** The options, files and arguments of a command about the harness. */
  readonly command: string;
  /** Whether the header lacks bodies of called functions. */
  readonly needsLink: boolean;
}

function pointee({ canonical }: CType): string | undefined {
  return canonical.endsWith('*') ? canonical.replace(/ ?\*$/, '').trim() : undefined;
}

function declare(type: string, name: string): string {
  return `static ${type}${type.endsWith('*') ? '' : ' '}${name};`;
}

/** The names that a harness writes. */
export interface HarnessNames {
  /** The header, as the harness includes it, and the headers that it needs before itself. */
  readonly include: string;
  readonly before: readonly string[];
  /** The option and the file with the bodies of the functions; empty if there is no such file. */
  readonly linked: string;
  /** The file of the harness and the arguments of a command about the harness. */
  readonly operands: string;
}

/** The shared object of most functions: the type that their first parameters point to. */
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

/** Writes the calls of a harness, and collects the variables that they need. */
class Calls {
  readonly variables: string[] = [];
  readonly results: string[] = [];
  readonly #header: Header;
  readonly #subject: string | undefined;
  /** The shared object as an argument. */
  readonly #object: string;

  constructor(header: Header, subject: string | undefined, object: string) {
    this.#header = header;
    this.#subject = subject;
    this.#object = object;
  }

  #variable(type: string, name: string, room = ''): string {
    this.variables.push(declare(variableType(type), `${name}${room}`));
    return name;
  }

  #argument(of: HeaderFunction, at: number): string {
    const { name, type } = of.parameters[at]!;
    const own = `${of.name}_${name === '' ? `argument${at + 1}` : name}`;
    const { written, canonical } = type;
    const target = pointee(type);
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

  /** Whether variables of a type can be declared. */
  #isKnown(target: string): boolean {
    if (target.endsWith('*')) return true;
    return /^(?:struct|union) /.test(target) ? this.#header.complete.has(target) : true;
  }

  /** The call of a function, with its result in a variable if `keeps`. */
  call(of: HeaderFunction, keeps: boolean): string {
    const call = `${of.name}(${of.parameters.map((_, at) => this.#argument(of, at)).join(', ')})`;
    const { written, canonical } = of.result;
    if (!keeps || canonical === 'void') return `${call};`;
    const name = this.#variable(written, `${of.name}_result`);
    this.results.push(name);
    return `${name} = ${call};`;
  }
}

function takes(subject: string | undefined, { parameters }: HeaderFunction): boolean {
  return parameters.some(({ type }) => pointee(type) === subject);
}

function prototype({ name, result, parameters }: HeaderFunction): string {
  const words = parameters.map(({ name: own, type }) => `${type.written} ${own}`.trim());
  return `${result.written} ${name}(${words.join(', ') || 'void'})`;
}

/** The functions of a header by their part in a harness. */
interface Roles {
  readonly subject: string | undefined;
  /** Whether the shared object is a variable, and not made by a function. */
  readonly holds: boolean;
  readonly maker: HeaderFunction | undefined;
  /** Whether the maker returns the object. */
  readonly allocates: boolean;
  readonly ender: HeaderFunction | undefined;
  readonly threads: readonly HeaderFunction[];
}

function rolesOf(header: Header): Roles {
  const { functions, complete } = header;
  const subject = subjectOf(header);
  const isWhole =
    subject !== undefined && (complete.has(subject) || !/^(?:struct|union) /.test(subject));
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
    threads: [...major, ...minor].slice(0, mostThreads),
  };
}

/** Returns the declaration of the shared object; none without such an object. */
function objectOf({ functions }: Header, { subject, holds, allocates }: Roles): readonly string[] {
  const written = functions
    .flatMap(({ parameters, result }) => [...parameters.map(({ type }) => type), result])
    .find((type) => pointee(type) === subject)?.written;
  if (subject === undefined || written === undefined) return [];
  const type = variableType(written);
  return [
    ...(holds || allocates ? [] : ['// No function of the header makes one: let main do it.']),
    declare(holds ? type.replace(/ ?\*$/, '') : type, 'object'),
  ];
}

/**
 * Returns a harness that calls the functions of a header, each in a thread of its own, on one
 * shared object; `undefined` if there is none that a thread could call.
 */
export function headerHarness(
  header: Header,
  { include, before, linked, operands }: HarnessNames,
): Harness | undefined {
  const roles = rolesOf(header);
  const { threads, maker, ender } = roles;
  if (threads.length === 0) return undefined;
  const calls = new Calls(header, roles.subject, roles.holds ? '&object' : 'object');
  const making = maker && calls.call(maker, false);
  const steps = threads.map((each) => ({ of: each, step: calls.call(each, true) }));
  const ending = ender && calls.call(ender, false);
  const used = [...threads, maker, ender].filter((each) => each !== undefined);
  const needsLink = used.some(({ isDefined }) => !isDefined);
  const command = `${needsLink ? linked : ''}${operands}`;
  const text = [
    roles.subject === undefined
      ? `// Functions of ${include}, each in a thread of its own; they share no object yet.`
      : `// Functions of ${include}, called on one shared object, each in a thread of its own.`,
    '// The arguments are guesses: give them the values, and the threads the calls, of your question.',
    '//',
    `//   fencewright ${command}          what can go wrong on x86`,
    `//   fencewright fence ${command}    the cheapest fences that mend it`,
    '#include <assert.h>',
    '#include <pthread.h>',
    ...before.map((each) => `#include <${each}>`),
    `#include "${include}"`,
    '',
    ...objectOf(header, roles),
    ...calls.variables,
    '',
    ...steps.flatMap(({ of, step }) => [
      `static void *call_${of.name}(void *unused) {`,
      '  (void)unused;',
      `  ${step}`,
      '  return 0;',
      '}',
      '',
    ]),
    'int main(void) {',
    `  pthread_t threads[${threads.length}];`,
    ...(making === undefined ? [] : [`  ${roles.allocates ? 'object = ' : ''}${making}`]),
    ...threads.map(({ name }, at) => `  pthread_create(&threads[${at}], 0, call_${name}, 0);`),
    `  for (int i = 0; i < ${threads.length}; i++) pthread_join(threads[i], 0);`,
    '  // Say here what has to hold after all calls, in whatever order they came:',
    `  // assert(${calls.results[0] ?? '...'});`,
    ...(ending === undefined ? [] : [`  ${ending}`]),
    '  return 0;',
    '}',
    ...otherFunctions(header.functions, [...threads, maker, ender]),
    '',
  ];
  return {
    text: text.join('\n'),
    threads: threads.map(({ name }) => name),
    command,
    needsLink,
  };
}

function otherFunctions(
  functions: readonly HeaderFunction[],
  called: readonly (HeaderFunction | undefined)[],
): readonly string[] {
  const others = functions.filter((each) => !called.includes(each));
  if (others.length === 0) return [];
  return ['', '// Not called:', ...others.map((each) => `//   ${prototype(each)}`)];
}
