import { diceOf } from './dice.js';
import { NumberedLines } from './numbered-lines.js';

/** The memory order of a store; only `seq_cst` drains the buffer. */
type Order = 'plain' | 'relaxed' | 'release' | 'seq_cst';

/** A stored value: a constant, a local plus a constant, or the thread's argument. */
type Value =
  | { readonly kind: 'number'; readonly number: number }
  | { readonly kind: 'local'; readonly local: number; readonly plus: number }
  | { readonly kind: 'argument' };

/** A statement with a unique number. */
export type Statement = { readonly id: number } & (
  | { readonly kind: 'store'; readonly cell: string; readonly value: Value; readonly order: Order }
  | {
      readonly kind: 'load';
      readonly cell: string;
      readonly local: number;
      readonly plain: boolean;
    }
  | { readonly kind: 'add'; readonly cell: string; readonly local: number }
  | {
      readonly kind: 'exchange';
      readonly cell: string;
      readonly value: Value;
      readonly local: number;
    }
  | { readonly kind: 'fence' }
  | { readonly kind: 'lock' | 'unlock' }
  | {
      readonly kind: 'if';
      readonly local: number;
      readonly is: number;
      readonly then: readonly Statement[];
    }
  | { readonly kind: 'repeat'; readonly times: number; readonly body: readonly Statement[] }
  | { readonly kind: 'create'; readonly thread: number; readonly value?: Value }
  | { readonly kind: 'join'; readonly thread: number }
);

/** A thread: its argument and its statements. */
export interface RandomThread {
  /** The argument: a pointer to `w`, a number, or none. */
  readonly argument: 'pointer' | 'number' | 'none';
  readonly body: readonly Statement[];
}

/**
 * A program whose `main` starts threads and executes other statements before, between and after.
 */
export interface RandomMain {
  /** The initial values of the shared variables `x`, `y`, `z`. */
  readonly initial: readonly number[];
  readonly threads: readonly RandomThread[];
  readonly main: readonly Statement[];
  /** The values of two cells that the assertion at the end of `main` excludes. */
  readonly never?: readonly (readonly [cell: string, is: number])[];
}

/** The shared variables; `w` is a local of `main`. */
export const cells = ['x', 'y', 'z'] as const;
/** The number of locals of `main` and of each thread. */
export const localCount = 2;

/** Returns all statements in the order of the text, with nested ones. */
export function allStatements(list: readonly Statement[]): readonly Statement[] {
  return list.flatMap((statement) => [
    statement,
    ...(statement.kind === 'if' ? allStatements(statement.then) : []),
    ...(statement.kind === 'repeat' ? allStatements(statement.body) : []),
  ]);
}

/**
 * Returns a random program: `main` stores, loads, branches and loops before, between and after
 * starts and joins of up to three threads, one of which another thread may start. Stores precede
 * starts directly, and are still buffered at the end.
 */
export function randomMain(seed: number): RandomMain {
  const { below, pick, chance } = diceOf(seed);
  let ids = 0;

  const value = (argument: RandomThread['argument'] | 'main'): Value => {
    const choice = below(5);
    if (choice === 0) return { kind: 'local', local: below(localCount), plus: below(2) };
    if (choice === 1 && argument === 'number') return { kind: 'argument' };
    return { kind: 'number', number: 1 + below(2) };
  };
  const access = (
    names: readonly string[],
    argument: RandomThread['argument'] | 'main',
  ): Statement => {
    const cell = pick(names);
    const id = ids++;
    const choice = below(20);
    if (choice < 9) {
      const order = pick(['plain', 'relaxed', 'release', 'plain', 'seq_cst'] as const);
      return { id, kind: 'store', cell, value: value(argument), order };
    }
    if (choice < 16) return { id, kind: 'load', cell, local: below(localCount), plain: chance(50) };
    if (choice < 17) return { id, kind: 'add', cell, local: below(localCount) };
    if (choice < 18)
      return { id, kind: 'exchange', cell, value: value(argument), local: below(localCount) };
    return { id, kind: 'fence' };
  };
  const accesses = (
    names: readonly string[],
    argument: RandomThread['argument'] | 'main',
    most: number,
  ): Statement[] => {
    const list = Array.from({ length: below(most + 1) }, () => access(names, argument));
    if (most < 2 || chance(35)) return list;
    // Store buffering of `main` and its threads.
    const cell = pick(names);
    const other = pick(names.filter((name) => name !== cell));
    const order = pick(['plain', 'relaxed', 'release'] as const);
    list.splice(below(list.length + 1), 0, {
      ...{ id: ids++, kind: 'store', cell, order },
      value: value(argument),
    });
    list.push({
      id: ids++,
      kind: 'load',
      cell: other,
      local: below(localCount),
      plain: chance(50),
    });
    return list;
  };

  const count = 1 + below(3);
  // The variables that threads share: mostly two of three.
  const shared = chance(70) ? ['x', 'y'] : [...cells];
  const nested = count > 1 && chance(20) ? count - 1 : undefined;
  const hasMutex = chance(15);
  const threads = Array.from({ length: count }, (_, t): RandomThread => {
    const argument = t === nested ? 'none' : pick(['none', 'none', 'pointer', 'number'] as const);
    const names = argument === 'pointer' ? [...shared, 'w', 'w'] : shared;
    const body = accesses(names, argument, 3);
    if (body.length === 0) body.push(access(names, argument));
    if (hasMutex && chance(60)) {
      body.unshift({ id: ids++, kind: 'lock' });
      body.push({ id: ids++, kind: 'unlock' });
    }
    if (nested !== undefined && t === 0) {
      body.splice(below(body.length + 1), 0, { id: ids++, kind: 'create', thread: nested });
      if (chance(50)) body.push({ id: ids++, kind: 'join', thread: nested });
    }
    return { argument, body };
  });

  // Store buffering with an assertion that it breaks, so that some verdict depends on buffers.
  const isClassic = count > 1 && nested === undefined && chance(25);
  if (isClassic)
    [0, 1].forEach((t) => {
      const [mine, other] = t === 0 ? (['x', 'y'] as const) : (['y', 'x'] as const);
      const number = { kind: 'number', number: 1 } as const;
      threads[t] = {
        argument: threads[t]!.argument,
        body: [
          { id: ids++, kind: 'store', cell: mine, value: number, order: 'release' },
          ...accesses(['z'], 'none', 1),
          { id: ids++, kind: 'load', cell: other, local: 0, plain: true },
        ],
      };
    });

  const names = isClassic ? ['z', 'w'] : [...shared, 'w'];
  // `main` only starts and joins, or also stores, or does everything.
  const role = pick(['idle', 'stores', 'stores', 'busy', 'busy'] as const);
  const block = (most: number): Statement[] => {
    if (role === 'idle') return [];
    if (role === 'stores')
      return Array.from({ length: below(most + 1) }, () => ({
        ...{ id: ids++, kind: 'store', cell: pick([...names, 'w']), value: value('main') },
        order: pick(['plain', 'release', 'seq_cst'] as const),
      }));
    const list = accesses(names, 'main', most);
    if (chance(12))
      return [
        ...list,
        {
          id: ids++,
          kind: 'if',
          local: below(localCount),
          is: below(2),
          then: accesses(names, 'main', 2),
        },
      ];
    if (chance(8)) return [{ id: ids++, kind: 'repeat', times: 2, body: list }];
    if (hasMutex && chance(20))
      return [{ id: ids++, kind: 'lock' }, ...list, { id: ids++, kind: 'unlock' }];
    return list;
  };
  const own = threads.flatMap((_, t) => (t === nested ? [] : [t]));
  const main: Statement[] = block(3);
  const open = new Set<number>();
  const join = (): void => {
    const [thread] = open;
    if (thread === undefined) return;
    open.delete(thread);
    main.push({ id: ids++, kind: 'join', thread });
  };
  for (const thread of own) {
    const handed = threads[thread]!.argument === 'number' ? value('main') : undefined;
    main.push({ id: ids++, kind: 'create', thread, ...(handed && { value: handed }) });
    open.add(thread);
    main.push(...block(2));
    if (chance(20)) {
      join();
      main.push(...block(2));
    }
  }
  const joinsAll = chance(70);
  while (open.size > 0 && (joinsAll || chance(40))) {
    join();
    if (chance(25)) main.push(...block(2));
  }
  if (chance(40)) main.push(...block(2));
  const result = (): readonly [string, number] => [
    `out${below(count)}_${below(localCount)}`,
    chance(70) ? 0 : 1 + below(2),
  ];
  const cell = (): readonly [string, number] => [pick(names), below(3)];
  const claimed = pick([result, cell]);
  const classic = [0, 1].map((t) => [`out${t}_0`, 0] as const);
  const never = isClassic
    ? classic
    : chance(role === 'busy' ? 50 : 25)
      ? [claimed(), claimed()]
      : undefined;
  return {
    initial: cells.map(() => (chance(20) && !isClassic ? 1 : 0)),
    threads,
    main,
    ...(never && { never }),
  };
}

/** The text of a program, and the statement on each of its lines, by line from 0. */
export interface PrintedMain {
  readonly text: string;
  readonly statements: ReadonlyMap<number, number>;
}

/**
 * Returns the id of the line that stores local `local` of a thread to a result variable; negative,
 * as the line is no statement of the program.
 */
const resultId = (thread: number, local: number): number => -1 - thread * localCount - local;
const claimId = (n: number): number => -100 - n;

const orders = {
  relaxed: '__ATOMIC_RELAXED',
  release: '__ATOMIC_RELEASE',
  seq_cst: '__ATOMIC_SEQ_CST',
};

/** A value that no cell ever holds. */
const neverStored = 123_456;

/**
 * Prints the program as C with pthreads. `watched`: cells that `main` reads at the end in a true
 * assertion, so that stores to these cells are not optimised away.
 */
export function printMainInC(
  { initial, threads, main, never }: RandomMain,
  watched: readonly string[] = [],
): PrintedMain {
  const out = new NumberedLines();
  const valueText = (value: Value): string => {
    switch (value.kind) {
      case 'number':
        return String(value.number);
      case 'local':
        return value.plus === 0 ? `r${value.local}` : `r${value.local} + ${value.plus}`;
      case 'argument':
        return '(int)(long)argument';
    }
  };
  const print = (list: readonly Statement[], isMain: boolean): void => {
    const place = (cell: string): string =>
      cell !== 'w' ? `&${cell}` : isMain ? '&w' : '(int *)argument';
    const plain = (cell: string): string => (cell === 'w' && !isMain ? '*(int *)argument' : cell);
    for (const statement of list) {
      const { id } = statement;
      switch (statement.kind) {
        case 'store': {
          const { cell, value, order } = statement;
          out.add(
            order === 'plain'
              ? `${plain(cell)} = ${valueText(value)};`
              : `__atomic_store_n(${place(cell)}, ${valueText(value)}, ${orders[order]});`,
            id,
          );
          break;
        }
        case 'load':
          out.add(
            statement.plain
              ? `r${statement.local} = ${plain(statement.cell)};`
              : `r${statement.local} = __atomic_load_n(${place(statement.cell)}, __ATOMIC_ACQUIRE);`,
            id,
          );
          break;
        case 'add':
          out.add(
            `r${statement.local} = __atomic_fetch_add(${place(statement.cell)}, 1, __ATOMIC_SEQ_CST);`,
            id,
          );
          break;
        case 'exchange':
          out.add(
            `r${statement.local} = __atomic_exchange_n(${place(statement.cell)}, ${valueText(statement.value)}, __ATOMIC_SEQ_CST);`,
            id,
          );
          break;
        case 'fence':
          out.add('__atomic_thread_fence(__ATOMIC_SEQ_CST);', id);
          break;
        case 'lock':
        case 'unlock':
          out.add(`pthread_mutex_${statement.kind}(&mutex);`, id);
          break;
        case 'if':
          out.add(`if (r${statement.local} == ${statement.is}) {`);
          print(statement.then, isMain);
          out.add('}');
          break;
        case 'repeat':
          out.add(`for (int i = 0; i < ${statement.times}; i++) {`);
          print(statement.body, isMain);
          out.add('}');
          break;
        case 'create': {
          const { thread, value } = statement;
          const handed = value
            ? `(void *)(long)(${valueText(value)})`
            : threads[thread]!.argument === 'pointer'
              ? '&w'
              : '0';
          out.add(`pthread_create(&handle${thread}, 0, thread${thread}, ${handed});`);
          break;
        }
        case 'join':
          out.add(`pthread_join(handle${statement.thread}, 0);`);
          break;
      }
    }
  };
  out.add('#include <assert.h>');
  out.add('#include <pthread.h>');
  cells.forEach((cell, c) => out.add(`static int ${cell} = ${initial[c]};`));
  out.add('static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;');
  threads.forEach((_, t) => {
    out.add(`static pthread_t handle${t};`);
    for (let r = 0; r < localCount; r++) out.add(`static int out${t}_${r};`);
  });
  // Threads that start others are defined after them.
  for (const t of threads.keys()) out.add(`static void *thread${t}(void *argument);`);
  threads.forEach(({ body }, t) => {
    out.add(`static void *thread${t}(void *argument) {`);
    for (let r = 0; r < localCount; r++) out.add(`int r${r} = 0;`);
    print(body, false);
    for (let r = 0; r < localCount; r++) out.add(`out${t}_${r} = r${r};`, resultId(t, r));
    out.add('return 0;');
    out.add('}');
  });
  out.add('int main(void) {');
  out.add('int w = 0;');
  for (let r = 0; r < localCount; r++) out.add(`int r${r} = 0;`);
  print(main, true);
  if (never) {
    never.forEach(([cell], n) => out.add(`int n${n} = ${cell};`, claimId(n)));
    out.add(`assert(!(${never.map(([, is], n) => `n${n} == ${is}`).join(' && ')}));`);
  }
  if (watched.length > 0)
    out.add(`assert(${watched.map((cell) => `${cell} != ${neverStored}`).join(' && ')});`);
  out.add('return 0;');
  out.add('}');
  return out.printed;
}

/**
 * Prints the program natively, by its meaning: `main` is a thread; each start and each end of a
 * thread is a locked exchange, and the thread or the join waits for the exchange.
 */
export function printMainNatively({ initial, threads, main, never }: RandomMain): PrintedMain {
  const out = new NumberedLines();
  const print = (list: readonly Statement[]): void => {
    const valueText = (value: Value): string => {
      switch (value.kind) {
        case 'number':
          return String(value.number);
        case 'local':
          return value.plus === 0 ? `r${value.local}` : `r${value.local} + ${value.plus}`;
        case 'argument':
          return 'argument';
      }
    };
    for (const statement of list) {
      const { id } = statement;
      switch (statement.kind) {
        case 'store': {
          const { cell, value, order } = statement;
          const text = valueText(value);
          out.add(order === 'seq_cst' ? `xchg(${cell}, ${text});` : `${cell} = ${text};`, id);
          break;
        }
        case 'load':
          out.add(`r${statement.local} = ${statement.cell};`, id);
          break;
        case 'add':
          out.add(`r${statement.local} = fetch_add(${statement.cell}, 1);`, id);
          break;
        case 'exchange':
          out.add(
            `r${statement.local} = xchg(${statement.cell}, ${valueText(statement.value)});`,
            id,
          );
          break;
        case 'fence':
          out.add('fence;', id);
          break;
        case 'lock':
          out.add('atomic { s = mutex; assume(s == 0); mutex = 1; }', id);
          break;
        case 'unlock':
          out.add('xchg(mutex, 0);', id);
          break;
        case 'if':
          out.add(`if (r${statement.local} == ${statement.is}) {`);
          print(statement.then);
          out.add('}');
          break;
        case 'repeat':
          for (let time = 0; time < statement.times; time++) print(statement.body);
          break;
        case 'create': {
          const { thread, value } = statement;
          if (value) out.add(`argument${thread} = ${valueText(value)};`);
          out.add(`xchg(start${thread}, 1);`);
          break;
        }
        case 'join':
          out.add(`atomic { s = done${statement.thread}; assume(s == 1); }`);
          break;
      }
    }
  };
  const locals = `local s, argument, ${Array.from({ length: localCount }, (_, r) => `r${r}`).join(', ')};`;
  out.add('program Main');
  cells.forEach((cell, c) => out.add(`var ${cell} = ${initial[c]}`));
  out.add('var w, mutex');
  threads.forEach((_, t) => {
    out.add(`var start${t}, done${t}, argument${t}`);
    for (let r = 0; r < localCount; r++) out.add(`var out${t}_${r}`);
  });
  threads.forEach(({ argument, body }, t) => {
    out.add(`thread thread${t} {`);
    out.add(locals);
    out.add(`atomic { s = start${t}; assume(s == 1); }`);
    if (argument === 'number') out.add(`argument = argument${t};`);
    print(body);
    for (let r = 0; r < localCount; r++) out.add(`out${t}_${r} = r${r};`, resultId(t, r));
    out.add(`xchg(done${t}, 1);`);
    out.add('}');
  });
  out.add('thread mainThread {');
  out.add(locals);
  out.add('local n0, n1;');
  print(main);
  if (never) {
    never.forEach(([cell], n) => out.add(`n${n} = ${cell};`, claimId(n)));
    out.add(`assert(!(${never.map(([, is], n) => `n${n} == ${is}`).join(' && ')}));`);
  }
  out.add('}');
  return out.printed;
}
