import { SeededRandom } from '@fencewright/ground/base/random.js';
import { NumberedLines } from './numbered-lines.js';

/** The files of a process; `main` is in the first. */
export type File = 'a' | 'b';

/** A lock: for one holder, or a semaphore with a count. */
type Lock = 'mutex' | 'spin' | 'semaphore';

/**
 * A statement with a unique number. `s` is the static variable of the file, `own` the thread-local
 * one.
 */
export type Statement = { readonly id: number } & (
  | {
      readonly kind: 'store';
      readonly cell: string;
      readonly number: number;
      readonly order: 'plain' | 'release' | 'seq_cst';
    }
  | { readonly kind: 'load' | 'add'; readonly cell: string; readonly local: number }
  /**
   * A call of the static function `help`: a fence in the first file, without effect in the second.
   */
  | { readonly kind: 'help' }
  | {
      readonly kind: 'hold';
      readonly lock: 'mutex' | 'spin';
      readonly body: readonly Statement[];
    }
  | { readonly kind: 'try'; readonly lock: Lock; readonly body: readonly Statement[] }
  | { readonly kind: 'post' | 'once' }
  /**
   * Publishes a pointer: to a new block that holds `number`, or to the thread's thread-local
   * variable.
   */
  | { readonly kind: 'publish'; readonly number: number | 'own' }
  /** Stores to, or without `number` loads from, the target of a published pointer. */
  | { readonly kind: 'through'; readonly number: number | undefined; readonly local: number }
  | { readonly kind: 'create' | 'join'; readonly thread: number }
);

export interface ProcessThread {
  readonly file: File;
  readonly body: readonly Statement[];
}

/** A random process of two source files. */
export interface RandomProcess {
  /** The initial values of the thread-local variable and of the semaphore. */
  readonly own: number;
  readonly free: number;
  /** Whether each lock is locked from the beginning. */
  readonly held: Readonly<Record<'mutex' | 'spin', boolean>>;
  readonly constructors: Readonly<Record<File, readonly Statement[]>>;
  readonly destructors: Readonly<Record<File, readonly Statement[]>>;
  readonly main: readonly Statement[];
  readonly threads: readonly ProcessThread[];
}

/** The number of locals in each function. */
export const localCount = 2;

/** Returns all statements in the order of the text, with nested ones. */
export function allStatements(list: readonly Statement[]): readonly Statement[] {
  return list.flatMap((statement) => [
    statement,
    ...('body' in statement ? allStatements(statement.body) : []),
  ]);
}

/**
 * Returns a random process: constructors and destructors in both files, and threads started by
 * `main`, by a constructor, or by another thread. Threads share globals, locks that may be locked
 * from the beginning, blocks of `malloc`, and published thread-local variables.
 */
export function randomProcess(seed: number): RandomProcess {
  const random = new SeededRandom(seed);
  const below = (n: number): number => random.below(n);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!;
  const chance = (percent: number): boolean => below(100) < percent;
  let ids = 0;
  const published = pick(['own', 'block', undefined, undefined] as const);
  const cells = ['x', 'x', 'y', 'y', 'z', 's', 'own'];
  const local = (): number => below(localCount);
  const store = (cell: string): Statement => {
    const order = pick(['plain', 'release', 'release', 'seq_cst'] as const);
    return { id: ids++, kind: 'store', cell, number: 1 + below(2), order };
  };
  const load = (cell: string): Statement => ({ id: ids++, kind: 'load', cell, local: local() });
  /** Returns a random statement to place between a store and a load. */
  const between = (): Statement => {
    const body = (): readonly Statement[] =>
      chance(50) ? [chance(50) ? store('z') : load(pick(['x', 'y']))] : [];
    const id = ids++;
    switch (below(8)) {
      case 0:
        return { id, kind: 'help' };
      case 1:
        return { id, kind: 'hold', lock: pick(['mutex', 'spin']), body: body() };
      case 2:
      case 3:
      case 4:
        return { id, kind: 'try', lock: pick(['mutex', 'spin', 'semaphore']), body: body() };
      case 5:
        return { id, kind: pick(['post', 'once', 'once'] as const) };
      case 6:
        return { id, kind: 'add', cell: pick(cells), local: local() };
      default:
        return chance(50) ? store(pick(cells)) : load(pick(cells));
    }
  };
  const few = (most: number): Statement[] => Array.from({ length: below(most + 1) }, between);
  const bodyOf = (t: number): Statement[] => {
    const [mine, other] = t % 2 === 0 ? ['x', 'y'] : ['y', 'x'];
    const list = chance(75)
      ? [store(mine), ...few(2), load(other)]
      : [...few(2), store(pick(cells)), load(pick(cells))];
    if (published === undefined) return list;
    const id = ids++;
    const through: Statement =
      chance(50) && t % 2 === 0
        ? { id, kind: 'publish', number: published === 'own' ? 'own' : below(2) }
        : { id, kind: 'through', number: chance(60) ? 1 + below(2) : undefined, local: local() };
    list.splice(t % 2 === 0 ? 0 : list.length, 0, through);
    // The owner uses its variable after publishing the pointer.
    if (through.kind === 'publish' && published === 'own') list.splice(1, 0, store('own'));
    return list;
  };
  const count = 2 + (chance(35) ? 1 : 0);
  const nested = count > 2 && chance(70) ? count - 1 : undefined;
  const threads = Array.from({ length: count }, (_, t): ProcessThread => {
    const body = bodyOf(t);
    if (nested !== undefined && t === 0) {
      const at = below(body.length + 1);
      body.splice(at, 0, { id: ids++, kind: 'create', thread: nested });
      if (chance(50)) body.push({ id: ids++, kind: 'join', thread: nested });
    }
    return { file: pick(['a', 'b']), body };
  });
  // Before threads start, no thread could release a held lock.
  const early = (): Statement[] => few(1).filter(({ kind }) => kind !== 'hold');
  const constructors = { a: early(), b: early() };
  const destructors = { a: chance(30) ? few(1) : [], b: chance(30) ? few(1) : [] };
  const main: Statement[] = chance(30) ? early() : [];
  const where = chance(20) ? pick(['a', 'b'] as const) : undefined;
  for (let thread = 0; thread < count; thread++) {
    if (thread === nested) continue;
    const start: Statement = { id: ids++, kind: 'create', thread };
    if (thread === 0 && where) constructors[where].push(start);
    else main.push(start);
    if (chance(15)) main.push(between());
  }
  if (chance(80))
    for (let thread = 0; thread < count; thread++)
      if (thread !== nested) main.push({ id: ids++, kind: 'join', thread });
  if (chance(15)) main.push(between());
  return {
    ...{ own: below(2), free: below(2), constructors, destructors, main, threads },
    held: { mutex: chance(30), spin: chance(30) },
  };
}

/**
 * The texts of the two files, and the statement on each of their lines, by line from 0; line
 * numbers of the two texts are disjoint.
 */
export interface Printed {
  readonly texts: readonly string[];
  readonly statements: ReadonlyMap<number, number>;
}

/**
 * Returns the id of the second effect of a statement: the access through a pointer, or the unlock.
 */
const second = (id: number): number => 1000 + id;
/** A value that no thread ever loads. */
const neverFound = 123_456;
const locals = Array.from({ length: localCount }, (_, r) => `r${r}`);

/**
 * Prints the process as C. With `isWatched`, `main` reads the threads' results in a true assertion,
 * so that no store of a result is optimised away.
 */
export function printProcessInC(process: RandomProcess, isWatched: boolean): Printed {
  const out = new NumberedLines();
  const print = (list: readonly Statement[]): void => {
    for (const statement of list) {
      const { id } = statement;
      switch (statement.kind) {
        case 'store': {
          const { cell, number, order } = statement;
          const place = order === 'release' ? '__ATOMIC_RELEASE' : '__ATOMIC_SEQ_CST';
          const text = `__atomic_store_n(&${cell}, ${number}, ${place});`;
          out.add(order === 'plain' ? `${cell} = ${number};` : text, id);
          break;
        }
        case 'load':
          out.add(`r${statement.local} = ${statement.cell};`, id);
          break;
        case 'add':
          out.add(`r${statement.local} = __sync_fetch_and_add(&${statement.cell}, 1);`, id);
          break;
        case 'help':
          out.add('help();');
          break;
        case 'hold':
          out.add(`pthread_${statement.lock}_lock(&${statement.lock});`, id);
          print(statement.body);
          out.add(`pthread_${statement.lock}_unlock(&${statement.lock});`, second(id));
          break;
        case 'try': {
          const { lock, body } = statement;
          const attempt = lock === 'semaphore' ? 'sem_trywait' : `pthread_${lock}_trylock`;
          out.add(`if (${attempt}(&${lock}) == 0) {`, id);
          print(body);
          const end = lock === 'semaphore' ? 'sem_post' : `pthread_${lock}_unlock`;
          out.add(`${end}(&${lock}); }`, second(id));
          break;
        }
        case 'post':
          out.add('sem_post(&semaphore);', id);
          break;
        case 'once':
          out.add('pthread_once(&once, first);', id);
          break;
        case 'publish': {
          const { number } = statement;
          if (number !== 'own') {
            out.add(`int *block${id} = malloc(sizeof(int));`);
            out.add(`*block${id} = ${number};`, second(id));
          }
          const told = number === 'own' ? '&own' : `block${id}`;
          out.add(`__atomic_store_n(&told, ${told}, __ATOMIC_RELEASE);`, id);
          break;
        }
        case 'through': {
          const { number, local } = statement;
          out.add(`int *found${id} = __atomic_load_n(&told, __ATOMIC_ACQUIRE);`, id);
          const access =
            number === undefined ? `r${local} = *found${id}` : `*found${id} = ${number}`;
          out.add(`if (found${id}) ${access};`, second(id));
          break;
        }
        case 'create':
          out.add(`pthread_create(&handle${statement.thread}, 0, thread${statement.thread}, 0);`);
          break;
        case 'join':
          out.add(`pthread_join(handle${statement.thread}, 0);`);
          break;
      }
    }
  };
  const { threads, own, free, held } = process;
  const begin = `int ${locals.map((each) => `${each} = 0`).join(', ')};`;
  const file = (which: File): string => {
    const start = out.lines.length;
    const define = (here: File, type: string, name: string, initial: string): void => {
      out.add(here === which ? `${type} ${name} = ${initial};` : `extern ${type} ${name};`);
    };
    for (const header of ['assert', 'pthread', 'semaphore', 'stdlib'])
      out.add(`#include <${header}.h>`);
    define('a', 'int', 'x', '0');
    define('b', 'int', 'y', '0');
    define('b', 'int', 'z', '0');
    define('b', 'int *', 'told', '0');
    define('b', '_Thread_local int', 'own', `${own}`);
    define('a', 'pthread_mutex_t', 'mutex', 'PTHREAD_MUTEX_INITIALIZER');
    define('b', 'pthread_spinlock_t', 'spin', '0');
    define('b', 'sem_t', 'semaphore', '{0}');
    define('a', 'pthread_once_t', 'once', 'PTHREAD_ONCE_INIT');
    out.add('static int s = 0;');
    out.add(`static void help(void) { ${which === 'a' ? '__sync_synchronize();' : ''} }`);
    out.add(which === 'a' ? 'void first(void) { z = 2; }' : 'void first(void);', -1000);
    for (const t of threads.keys()) {
      define('a', 'pthread_t', `handle${t}`, '0');
      for (const each of locals) define('b', 'int', `out${t}_${each}`, '0');
      out.add(`void *thread${t}(void *argument);`);
    }
    threads.forEach(({ file: home, body }, t) => {
      if (home !== which) return;
      out.add(`void *thread${t}(void *argument) { ${begin}`);
      print(body);
      locals.forEach((each, r) => out.add(`out${t}_${each} = ${each};`, -1 - t * localCount - r));
      out.add('return 0; }');
    });
    for (const [attribute, list] of [
      ['constructor', process.constructors[which]],
      ['destructor', process.destructors[which]],
    ] as const) {
      out.add(`__attribute__((${attribute})) static void ${attribute}_here(void) { ${begin}`);
      if (attribute === 'constructor' && which === 'a') {
        out.add(`sem_init(&semaphore, 0, ${free});`);
        for (const lock of ['mutex', 'spin'] as const)
          if (held[lock]) out.add(`pthread_${lock}_lock(&${lock});`);
      }
      print(list);
      out.add('}');
    }
    if (which === 'a') {
      out.add(`int main(void) { ${begin}`);
      print(process.main);
      const outs = threads.flatMap((_, t) => locals.map((each) => `out${t}_${each}`));
      if (isWatched)
        out.add(`assert(${outs.map((each) => `${each} != ${neverFound}`).join(' && ')});`);
      out.add('return 0; }');
    }
    return `${'\n'.repeat(start)}${out.lines.slice(start).join('\n')}\n`;
  };
  return { texts: [file('a'), file('b')], statements: out.statements };
}

/**
 * Prints the process natively, by its meaning: the main thread executes constructors, `main`, and
 * the destructors in reverse order; pointers are numbers.
 */
export function printProcessNatively(process: RandomProcess): Printed {
  const out = new NumberedLines();
  const { threads, own, free, held, constructors, destructors, main } = process;
  const mainThread = threads.length;
  const all = [
    ...threads.map(({ body }) => body),
    [...constructors.a, ...constructors.b, ...main, ...destructors.a, ...destructors.b],
  ];
  /** The targets of pointers: pointer n points to the cell at index n - 1. */
  const targets = all.flatMap((body, t) =>
    allStatements(body).flatMap((one) =>
      one.kind === 'publish' ? [one.number === 'own' ? `own${t}` : `block${one.id}`] : [],
    ),
  );
  const pointees = [...new Set(targets)];
  const print = (list: readonly Statement[], thread: number, file: File): void => {
    const cellOf = (cell: string): string =>
      cell === 'own' ? `own${thread}` : cell === 's' ? `s_${file}` : cell;
    for (const statement of list) {
      const { id } = statement;
      switch (statement.kind) {
        case 'store': {
          const [cell, { number }] = [cellOf(statement.cell), statement];
          const isLocked = statement.order === 'seq_cst';
          out.add(isLocked ? `xchg(${cell}, ${number});` : `${cell} = ${number};`, id);
          break;
        }
        case 'load':
          out.add(`r${statement.local} = ${cellOf(statement.cell)};`, id);
          break;
        case 'add':
          out.add(`r${statement.local} = fetch_add(${cellOf(statement.cell)}, 1);`, id);
          break;
        case 'help':
          if (file === 'a') out.add('fence;');
          break;
        case 'hold': {
          const { lock } = statement;
          out.add(`atomic { t = ${lock}; assume(t == 0); ${lock} = 1; }`, id);
          print(statement.body, thread, file);
          out.add(lock === 'spin' ? 'spin = 0;' : 'xchg(mutex, 0);', second(id));
          break;
        }
        case 'try': {
          const { lock } = statement;
          out.add('t = 0;');
          out.add(`t = ${lock};`, id);
          // A free lock is 0; a semaphore is its count.
          if (lock === 'semaphore')
            out.add(
              'if (t > 0) { atomic { t = semaphore; if (t > 0) { semaphore = t - 1; } } }',
              id,
            );
          else out.add(`if (t == 0) { t = cas(${lock}, 0, 1); } else { t = 0; }`, id);
          out.add('if (t > 0) {');
          print(statement.body, thread, file);
          const ends = { mutex: 'xchg(mutex, 0);', spin: 'spin = 0;' };
          out.add(lock === 'semaphore' ? 'fetch_add(semaphore, 1);' : ends[lock], second(id));
          out.add('}');
          break;
        }
        case 'post':
          out.add('fetch_add(semaphore, 1);', id);
          break;
        case 'once':
          out.add('t = once;', id);
          out.add('if (t != 2) { t = cas(once, 0, 1);', id);
          out.add('if (t == 1) {');
          out.add('z = 2;', -1000);
          out.add('once = 2; } else {', id);
          out.add('atomic { t = once; assume(t == 2); } } }', id);
          break;
        case 'publish': {
          const target = statement.number === 'own' ? `own${thread}` : `block${id}`;
          if (statement.number !== 'own') out.add(`${target} = ${statement.number};`, second(id));
          out.add(`told = ${pointees.indexOf(target) + 1};`, id);
          break;
        }
        case 'through': {
          const { number, local } = statement;
          out.add('t = told;', id);
          pointees.forEach((target, i) => {
            const access =
              number === undefined ? `r${local} = ${target};` : `${target} = ${number};`;
            out.add(`if (t == ${i + 1}) { ${access} }`, second(id));
          });
          break;
        }
        case 'create':
          out.add(`xchg(start${statement.thread}, 1);`);
          break;
        case 'join':
          out.add(`atomic { t = done${statement.thread}; assume(t == 1); }`);
          break;
      }
    }
  };
  out.add('program Process');
  out.add('var x, y, z, told, once, s_a, s_b');
  out.add(`var semaphore = ${free}`);
  for (const lock of ['mutex', 'spin'] as const) out.add(`var ${lock} = ${held[lock] ? 1 : 0}`);
  for (let t = 0; t <= mainThread; t++) out.add(`var own${t} = ${own}`);
  for (const block of pointees) if (block.startsWith('block')) out.add(`var ${block}`);
  threads.forEach((_, t) => {
    out.add(`var start${t}, done${t}`);
    for (const each of locals) out.add(`var out${t}_${each}`);
  });
  threads.forEach(({ file, body }, t) => {
    out.add(`thread thread${t} {`);
    out.add(`local t, ${locals.join(', ')};`);
    out.add(`atomic { t = start${t}; assume(t == 1); }`);
    print(body, t, file);
    locals.forEach((each, r) => out.add(`out${t}_${each} = ${each};`, -1 - t * localCount - r));
    out.add(`xchg(done${t}, 1);`);
    out.add('}');
  });
  out.add('thread mainThread {');
  out.add(`local t, ${locals.join(', ')};`);
  for (const [file, list] of [
    ['a', constructors.a],
    ['b', constructors.b],
    ['a', main],
    ['b', destructors.b],
    ['a', destructors.a],
  ] as const)
    if (list.length > 0) {
      for (const each of locals) out.add(`${each} = 0;`);
      print(list, mainThread, file);
    }
  out.add('}');
  return { texts: [`${out.lines.join('\n')}\n`], statements: out.statements };
}
