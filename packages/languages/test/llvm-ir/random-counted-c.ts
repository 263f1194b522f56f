import { diceOf } from './dice.js';
import { NumberedLines } from './numbered-lines.js';

/**
 * A place in memory: `x`, `y`, `z` are globals, `s` is a static local of the function, `t` is
 * thread-local, `p` is the target of the argument, `h` is a block that `main` allocates before the
 * start of threads, and `m` is a global that only `main` uses.
 */
export type Cell = 'x' | 'y' | 'z' | 's' | 't' | 'p' | 'h' | 'm';
const globals = ['x', 'y', 'z'] as const;
type Global = (typeof globals)[number];

/** A stored value: a number, a local, or the argument. */
type Value = number | 'r0' | 'r1' | 'argument';

/** A statement with a unique number; one access or more. */
type Statement = { readonly id: number } & (
  | { readonly kind: 'store'; readonly cell: Cell; readonly value: Value; readonly order: Order }
  | { readonly kind: 'load'; readonly cell: Cell; readonly into: 'r0' | 'r1' | 'h0' }
  | { readonly kind: 'add' | 'exchange'; readonly cell: Cell; readonly into: 'r0' | 'r1' }
  | { readonly kind: 'fence' | 'lock' | 'unlock' | 'help' | 'report' | 'create' }
  | { readonly kind: 'if'; readonly is: number; readonly then: readonly Statement[] }
  | { readonly kind: 'repeat'; readonly body: readonly Statement[] }
);
type Order = 'plain' | 'relaxed' | 'release' | 'seq_cst';

/** The argument of a thread. */
type Argument =
  /** The argument is a null pointer, or a value that the function ignores. */
  | { readonly kind: 'none' | 'ignored' }
  /** The argument is a number: the value that the function receives, and its text in `main`. */
  | { readonly kind: 'number'; readonly number: number; readonly text: string }
  | { readonly kind: 'pointer'; readonly to: Global }
  /** The argument is the index of the thread. */
  | { readonly kind: 'own' };

export interface CountedFunction {
  readonly name: 'worker' | 'other' | 'once' | 'late';
  readonly argument: Argument;
  readonly body: readonly Statement[];
}

/** An access of `main`. */
interface MainAccess {
  readonly cell: 'x' | 'y' | 'z' | 't' | 'h' | 'm';
  /** The stored value; absent for a load. */
  readonly value?: number;
}

/**
 * The ways in which `main` joins the threads of counted functions. With three threads or two
 * functions, every way but the first three leaves some thread unjoined.
 */
export const joinings = [
  ...['as it starts', 'counting down', 'in a function', 'all but the first', 'all but the last'],
  ...['every second', 'all but number 1', 'left early', 'under a condition', 'one handle'],
  ...['another count', 'not at all'],
] as const;
export type Joining = (typeof joinings)[number];

/** The form of the statement that encloses the statements of `main` after all joins. */
const behinds = ['as it is', 'in a call', 'in a loop', 'in a branch'] as const;

/** A program whose `main` starts functions as threads, in numbers chosen by the user. */
export interface RandomCounted {
  readonly initial: Readonly<Record<Global, number>>;
  /** The functions that are started in any number of threads: `worker`, and perhaps `other`. */
  readonly counted: readonly CountedFunction[];
  /** A function started as a single thread `late`, after the other threads. */
  readonly once?: CountedFunction;
  readonly late?: CountedFunction;
  readonly helper: readonly Statement[];
  readonly hasBlock: boolean;
  /** Whether the numbers of threads come from the input. */
  readonly readsNumber: boolean;
  readonly handles: 'global' | 'local' | 'block';
  readonly before: readonly MainAccess[];
  readonly between: readonly MainAccess[];
  /** Statements after the joins of the first function and before those of the second. */
  readonly amid: readonly MainAccess[];
  readonly behind: readonly MainAccess[];
  readonly behindIs: (typeof behinds)[number];
  readonly joining: Joining;
  readonly joinsOnce: boolean;
  readonly startsOnce: 'first' | 'last' | 'by a call' | 'by two calls';
}

/** Returns all statements, with nested ones. */
export function allStatements(list: readonly Statement[]): readonly Statement[] {
  return list.flatMap((each) => [
    each,
    ...(each.kind === 'if' ? allStatements(each.then) : []),
    ...(each.kind === 'repeat' ? allStatements(each.body) : []),
  ]);
}

/** Returns a random program, biased to difficult cases of `--threads`. */
export function randomCounted(seed: number): RandomCounted {
  const { below, pick, chance } = diceOf(seed);
  let id = 0;

  const hasBlock = chance(25);
  const helper: Statement[] = [];
  const shared: readonly Cell[] = chance(65) ? ['x', 'y'] : globals;
  const orders = ['plain', 'relaxed', 'release', 'plain', 'seq_cst'] as const;

  const access = (cells: readonly Cell[], values: readonly Value[]): Statement => {
    const cell = pick(cells);
    const into = pick(['r0', 'r1'] as const);
    const choice = below(20);
    if (choice < 9) {
      const order = cell === 't' ? 'plain' : pick(orders);
      return { id: id++, kind: 'store', cell, value: pick(values), order };
    }
    if (choice < 17 || cell === 't') return { id: id++, kind: 'load', cell, into };
    if (choice < 19) return { id: id++, kind: chance(50) ? 'add' : 'exchange', cell, into };
    return { id: id++, kind: 'fence' };
  };
  /** Returns a store that a later load may overtake, and this load. */
  const delayed = (cells: readonly Cell[], values: readonly Value[]): Statement[] => {
    const cell = pick(cells);
    const other = pick(cells.filter((each) => each !== cell));
    const order = pick(['plain', 'relaxed', 'release'] as const);
    return [
      { id: id++, kind: 'store', cell, value: pick(values), order: cell === 't' ? 'plain' : order },
      { id: id++, kind: 'load', cell: other, into: pick(['r0', 'r1']) },
    ];
  };
  const functionNamed = (name: CountedFunction['name'], argument: Argument): CountedFunction => {
    const cells: Cell[] = [...shared, ...shared];
    if (chance(30)) cells.push('s', 's');
    if (chance(25)) cells.push('t', 't');
    if (hasBlock) cells.push('h', 'h');
    if (argument.kind === 'pointer') cells.push('p', 'p');
    const values: Value[] = [1, 2, 'r0', 'r1'];
    if (argument.kind === 'number' || argument.kind === 'own') values.push('argument', 'argument');
    const list = Array.from({ length: below(3) }, () => access(cells, values));
    if (chance(70)) list.splice(below(list.length + 1), 0, ...delayed(cells, values));
    if (argument.kind === 'own')
      list.push({ id: id++, kind: 'store', cell: 'x', value: 'argument', order: 'plain' });
    if (chance(20)) {
      const then = delayed(cells, values);
      list.push({ id: id++, kind: 'load', cell: pick(cells), into: 'r0' });
      list.push({ id: id++, kind: 'if', is: below(3), then });
    }
    if (chance(8)) list.push({ id: id++, kind: 'repeat', body: [access(cells, values)] });
    if (helper.length > 0 && chance(50))
      list.splice(below(list.length + 1), 0, { id: id++, kind: 'help' });
    if (chance(12)) {
      list.unshift({ id: id++, kind: 'lock' });
      list.push({ id: id++, kind: 'unlock' });
    }
    if (list.length === 0) list.push(...delayed(cells, values));
    if (chance(25)) list.push({ id: id++, kind: 'report' });
    return { name, argument, body: list };
  };
  const argumentFor = (isCounted: boolean): Argument => {
    const choice = below(20);
    if (choice < 5) return { kind: 'none' };
    if (choice < 10) return { kind: 'ignored' };
    if (choice < 14) {
      const number = below(3);
      const [type, more] = pick([
        ['unsigned char', 256],
        ['short', 65536],
        ['int', 0],
      ] as const);
      const text = chance(40)
        ? `(void *)${number}`
        : `(void *)(long)(${type})(n + ${more + number})`;
      // A local that is stored to once.
      return { kind: 'number', number, text: text.replace(/\(n \+ (\d+)\)/, 'n$1') };
    }
    if (choice < 19 || !isCounted) return { kind: 'pointer', to: pick(globals) };
    return { kind: 'own' };
  };

  if (chance(30)) {
    const cells = shared.filter((cell) => cell !== 'p');
    const cell = pick(cells);
    const order = pick(orders);
    helper.push({ id: id++, kind: 'store', cell, value: 1 + below(2), order });
    helper.push({ id: id++, kind: 'load', cell: pick(cells), into: 'h0' });
  }
  const counted = [functionNamed('worker', argumentFor(true))];
  if (chance(35)) counted.push(functionNamed('other', argumentFor(true)));
  let once = chance(45) ? functionNamed('once', argumentFor(false)) : undefined;
  const late = once && chance(30) ? functionNamed('late', { kind: 'none' }) : undefined;
  if (once && late) {
    const body = [...once.body];
    const places = body.length - (body.at(-1)?.kind === 'report' ? 1 : 0);
    body.splice(below(places + 1), 0, { id: id++, kind: 'create' });
    once = { ...once, body };
  }

  const names: MainAccess['cell'][] = hasBlock ? ['x', 'y', 'h', 'm'] : ['x', 'y', 'm'];
  const ownOnly = chance(80);
  const accessOfMain = (cells: readonly MainAccess['cell'][]): MainAccess => {
    const cell = pick(cells);
    return chance(60) ? { cell, value: below(3) } : { cell };
  };
  const several = (cells: readonly MainAccess['cell'][], most: number): MainAccess[] =>
    Array.from({ length: below(most + 1) }, () => accessOfMain(cells));
  // Most programs join in a recognisable way, and use the threads' variables afterwards.
  const joining = chance(65) ? 'as it starts' : pick(joinings);
  const isOwn = chance(joining === 'as it starts' ? 25 : 50);
  const last = isOwn ? (['m'] as const) : (['x', 'y', 'z', ...names] as const);
  const behind = [accessOfMain(last), ...several(last, 2)];
  return {
    initial: { x: below(2), y: chance(20) ? 1 : 0, z: 0 },
    counted,
    ...(once && { once }),
    ...(late && { late }),
    helper,
    hasBlock,
    readsNumber: chance(20),
    handles: pick(['global', 'local', 'block']),
    before: chance(50) ? several(names, 3) : [],
    between: chance(40) ? several(ownOnly ? ['m', 'm', 'm', 't'] : names, 2) : [],
    amid: chance(15) ? several(ownOnly ? ['m'] : names, 2) : [],
    behind: chance(65) ? behind : [],
    behindIs: pick(behinds),
    joining,
    joinsOnce: joining !== 'not at all' && chance(85),
    startsOnce: pick(['first', 'last', 'by a call', chance(30) ? 'by two calls' : 'first']),
  };
}

/** A text, with the statement of each line, from 0. */
export interface Printed {
  readonly text: string;
  readonly statements: ReadonlyMap<number, number>;
}

/** By function, the number of its threads. */
export type Counts = Readonly<Partial<Record<CountedFunction['name'], number>>>;

const functionsOf = ({ counted, once, late }: RandomCounted): readonly CountedFunction[] => [
  ...(late ? [late] : []),
  ...(once ? [once] : []),
  ...counted,
];

/**
 * Prints the program as C: `main` starts as many threads as its arguments say or, with `counts`,
 * the given numbers one by one.
 */
export function printCountedInC(program: RandomCounted, counts?: Counts): Printed {
  const out = new NumberedLines();
  const place = (cell: Cell): string =>
    cell === 'p' ? '(*(int *)argument)' : cell === 'h' ? '(*block)' : cell;
  const print = ({ id, ...statement }: Statement): void => {
    switch (statement.kind) {
      case 'store': {
        const { cell, value, order } = statement;
        const text = value === 'argument' ? '(int)(long)argument' : value;
        out.add(
          order === 'plain'
            ? `${place(cell)} = ${text};`
            : `__atomic_store_n(&${place(cell)}, ${text}, __ATOMIC_${order.toUpperCase()});`,
          id,
        );
        return;
      }
      case 'load':
        out.add(`${statement.into} = ${place(statement.cell)};`, id);
        return;
      case 'add':
      case 'exchange': {
        const name = statement.kind === 'add' ? 'fetch_add' : 'exchange_n';
        const call = `__atomic_${name}(&${place(statement.cell)}, 1, __ATOMIC_SEQ_CST)`;
        out.add(`${statement.into} = ${call};`, id);
        return;
      }
      case 'fence':
        out.add('__atomic_thread_fence(__ATOMIC_SEQ_CST);', id);
        return;
      case 'lock':
      case 'unlock':
        out.add(`pthread_mutex_${statement.kind}(&mutex);`, id);
        return;
      case 'help':
        out.add('help();');
        return;
      case 'report':
        out.add('__atomic_fetch_add(&sum, r0 + 3 * r1, __ATOMIC_SEQ_CST);', id);
        return;
      case 'create':
        out.add('pthread_create(&late_handle, 0, late, 0);');
        return;
      case 'if':
        out.add(`if (r0 == ${statement.is}) {`);
        statement.then.forEach(print);
        out.add('}');
        return;
      case 'repeat':
        out.add('for (int k = 0; k < 2; k++) {');
        statement.body.forEach(print);
        out.add('}');
    }
  };
  for (const line of ['pthread', 'stdlib']) out.add(`#include <${line}.h>`);
  for (const name of globals) out.add(`static int ${name} = ${program.initial[name]};`);
  out.add('static int m, sum, *block;');
  out.add('static _Thread_local int t = 1;');
  out.add('static pthread_t late_handle, once_handle;');
  if (program.handles === 'global') out.add('static pthread_t handles[64];');
  out.add('static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;');
  out.add('static void help(void) {');
  out.add('int h0 = 0;');
  program.helper.forEach(print);
  out.add('(void)h0;');
  out.add('}');
  for (const { name, body } of functionsOf(program)) {
    out.add(`static void *${name}(void *argument) {`);
    out.add('static int s;');
    out.add('int r0 = 0, r1 = 0;');
    body.forEach(print);
    out.add('return 0;');
    out.add('}');
  }
  printMain(program, counts, out);
  return out.printed;
}

function printMain(program: RandomCounted, counts: Counts | undefined, out: NumberedLines): void {
  const { counted, once, handles, startsOnce, joining, behindIs } = program;
  const access = ({ cell, value }: MainAccess, own = '*own'): void => {
    const place = cell === 'h' ? own : cell;
    out.add(value === undefined ? `r = ${place};` : `${place} = ${value};`);
  };
  const handed = ({ argument }: CountedFunction, number: string): string => {
    switch (argument.kind) {
      case 'none':
        return '0';
      case 'ignored':
      case 'own':
        return `(void *)(long)${number}`;
      case 'number':
        return argument.text;
      case 'pointer':
        return `&${argument.to}`;
    }
  };
  if (once) {
    out.add('static void start(void) {');
    for (const name of numbersIn(once)) out.add(`int n${name} = ${name};`);
    out.add(`pthread_create(&once_handle, 0, once, ${handed(once, '0')});`);
    out.add('}');
  }
  const startOnce = (): void => {
    if (!once) return;
    if (startsOnce.startsWith('by')) out.add('start();');
    else out.add(`pthread_create(&once_handle, 0, once, ${handed(once, '0')});`);
    if (startsOnce === 'by two calls') out.add('start();');
  };
  if (joining === 'in a function') {
    out.add('static void join(pthread_t *from, int count) {');
    out.add('for (int i = 0; i < count; i++) pthread_join(from[i], 0);');
    out.add('}');
  }
  if (behindIs === 'in a call') {
    out.add('static void after(void) {');
    out.add('int r = 0;');
    for (const each of program.behind) access(each, '*block');
    out.add('(void)r;');
    out.add('}');
  }
  out.add('int main(int argc, char **argv) {');
  out.add('int r;');
  const named = new Set([...counted, ...(once ? [once] : [])].flatMap(numbersIn));
  for (const name of named) out.add(`int n${name} = ${name};`);
  out.add(`int count = ${program.readsNumber && !counts ? 'atoi(argv[1])' : 'argc'};`);
  if (program.hasBlock) {
    out.add('int *own = malloc(sizeof *own);');
    out.add('*own = 0;');
    out.add('block = own;');
  }
  if (handles === 'local') out.add('pthread_t handles[64];');
  if (handles === 'block') out.add('pthread_t *handles = malloc(64 * sizeof *handles);');
  for (const each of program.before) access(each);
  if (startsOnce === 'first') startOnce();
  const handleOf = (first: number, i: number | 'i'): string =>
    joining === 'one handle' ? '0' : i === 'i' ? `${first * 32} + i` : `${first * 32 + i}`;
  counted.forEach((each, first) => {
    const { name } = each;
    const start = (i: number | 'i'): void => {
      const handle = handleOf(first, i);
      out.add(`pthread_create(&handles[${handle}], 0, ${name}, ${handed(each, `${i}`)});`);
      for (const one of program.between) access(one);
    };
    if (counts) for (let i = 0; i < counts[name]!; i++) start(i);
    else {
      out.add('for (int i = 0; i < count; i++) {');
      start('i');
      out.add('}');
    }
  });
  if (startsOnce !== 'first') startOnce();
  if (program.joinsOnce && once) out.add('pthread_join(once_handle, 0);');
  if (joining === 'another count') out.add('count = 1;');
  counted.forEach(({ name }, first) => {
    if (first > 0) for (const each of program.amid) access(each);
    if (counts)
      for (const i of joinedOf(joining, counts[name]!)) {
        const condition = joining === 'under a condition' ? 'if (argc > 5) ' : '';
        const handle = `handles[${handleOf(first, i)}]`;
        if (joining === 'in a function') out.add(`join(&${handle}, 1);`);
        else out.add(`${condition}pthread_join(${handle}, 0);`);
      }
    else out.add(joinLoop(joining, handleOf(first, 'i')));
  });
  if (joining === 'one handle') out.add('pthread_join(handles[0], 0);');
  if (behindIs === 'in a call') out.add('after();');
  else {
    if (behindIs === 'in a loop') out.add('for (int k = 0; k < 2; k++) {');
    if (behindIs === 'in a branch') out.add('if (m != 9) {');
    for (const each of program.behind) access(each);
    if (behindIs !== 'as it is') out.add('}');
  }
  out.add('return 0;');
  out.add('}');
}

/** Returns the threads of a function that `main` joins, in order. */
function joinedOf(joining: Joining, count: number): readonly number[] {
  const all = Array.from({ length: count }, (_, i) => i);
  switch (joining) {
    case 'as it starts':
    case 'in a function':
    case 'under a condition':
      return all;
    case 'counting down':
      return all.toReversed();
    case 'all but the first':
      return all.slice(1);
    case 'all but the last':
      return all.slice(0, -1);
    case 'every second':
      return all.filter((i) => i % 2 === 0);
    case 'all but number 1':
      return all.filter((i) => i !== 1);
    case 'left early':
    case 'another count':
      return all.slice(0, 1);
    case 'one handle':
    case 'not at all':
      return [];
  }
}

/** Returns a loop that joins the threads, for a number of threads in `count`. */
function joinLoop(joining: Joining, handle: string): string {
  const join = `pthread_join(handles[${handle}], 0);`;
  const up = 'for (int i = 0; i < count; i++)';
  switch (joining) {
    case 'as it starts':
    case 'another count':
      return `${up} ${join}`;
    case 'in a function':
      return `join(&handles[${handle.replace(/ \+ i$/, '')}], count);`;
    case 'under a condition':
      return `if (argc > 5) ${up} ${join}`;
    case 'counting down':
      return `for (int i = count - 1; i >= 0; i--) ${join}`;
    case 'all but the first':
      return `for (int i = 1; i < count; i++) ${join}`;
    case 'all but the last':
      return `for (int i = 0; i < count - 1; i++) ${join}`;
    case 'every second':
      return `for (int i = 0; i < count; i += 2) ${join}`;
    case 'all but number 1':
      return `${up} if (i != 1) ${join}`;
    case 'left early':
      return `${up} { if (i == 1) break; ${join} }`;
    case 'one handle':
    case 'not at all':
      return '';
  }
}

/** Returns the constants that are numbers in the function's argument. */
function numbersIn({ argument }: CountedFunction): readonly string[] {
  return argument.kind === 'number' ? [...(/n(\d+)/.exec(argument.text)?.slice(1) ?? [])] : [];
}

/**
 * Prints the program natively, by its meaning, with the given numbers of copies; `'*'` for any
 * number.
 */
export function printCountedNatively(
  program: RandomCounted,
  counts: Counts | Readonly<Partial<Record<CountedFunction['name'], number | '*'>>>,
): Printed {
  const out = new NumberedLines();
  const print = (of: CountedFunction, { id, ...statement }: Statement): void => {
    const place = (cell: Cell): string =>
      cell === 's'
        ? `${of.name}_s`
        : cell === 'p' && of.argument.kind === 'pointer'
          ? of.argument.to
          : cell;
    switch (statement.kind) {
      case 'store': {
        const { cell, value, order } = statement;
        const text =
          value === 'argument' && of.argument.kind === 'number' ? of.argument.number : value;
        out.add(
          order === 'seq_cst' ? `xchg(${place(cell)}, ${text});` : `${place(cell)} = ${text};`,
          id,
        );
        return;
      }
      case 'load':
        out.add(`${statement.into} = ${place(statement.cell)};`, id);
        return;
      case 'add':
      case 'exchange': {
        const name = statement.kind === 'add' ? 'fetch_add' : 'xchg';
        out.add(`${statement.into} = ${name}(${place(statement.cell)}, 1);`, id);
        return;
      }
      case 'fence':
        out.add('fence;', id);
        return;
      case 'lock':
        out.add('atomic { w = mutex; assume(w == 0); mutex = 1; }', id);
        return;
      case 'unlock':
        out.add('xchg(mutex, 0);', id);
        return;
      case 'help':
        for (const each of program.helper) print(of, each);
        return;
      case 'report':
        out.add('w = fetch_add(sum, r0 + 3 * r1);', id);
        return;
      case 'create':
        out.add('xchg(start_late, 1);');
        return;
      case 'if':
        out.add(`if (r0 == ${statement.is}) {`);
        for (const each of statement.then) print(of, each);
        out.add('}');
        return;
      case 'repeat':
        for (const each of [...statement.body, ...statement.body]) print(of, each);
    }
  };
  // Stores of `main` before the start of threads are initial values.
  const initial = new Map<string, number>(Object.entries(program.initial));
  for (const { cell, value } of program.before) if (value !== undefined) initial.set(cell, value);
  out.add('program Counted');
  for (const name of [...globals, 'h']) out.add(`var ${name} = ${initial.get(name) ?? 0}`);
  out.add('var sum, mutex, start_late');
  for (const of of functionsOf(program)) {
    const { name, body } = of;
    const count = counts[name];
    if (count === 0) continue;
    out.add(`var ${name}_s`);
    out.add(`thread ${name}${count === undefined ? '' : `[${count}]`} {`);
    out.add('local w, r0, r1, h0, t;');
    out.add('t = 1;');
    if (name === 'late') out.add('atomic { w = start_late; assume(w == 1); }');
    for (const each of body) print(of, each);
    out.add('}');
  }
  return out.printed;
}
