import { diceOf } from './dice.js';
import type { Core, Sum } from './core-steps.js';

/** The place in memory that a statement accesses, as listed in `cells`. */
export type Place =
  | { readonly kind: 'cell'; readonly cell: string }
  /** The element `list[r & 1]`, where `r` is a local. */
  | { readonly kind: 'element'; readonly local: number }
  /** The element `list[i]`, in a loop. */
  | { readonly kind: 'turn' }
  /** `*(r & 1 ? &one : &other)`. */
  | {
      readonly kind: 'select';
      readonly local: number;
      readonly one: string;
      readonly other: string;
    }
  /** A field of a structure, accessed through a pointer. */
  | { readonly kind: 'field'; readonly cell: string }
  /** The target of the pointer `held`. */
  | { readonly kind: 'held' }
  /** A part of the target of the thread's argument. */
  | { readonly kind: 'argument'; readonly part: 0 | 1 };

type Value =
  | { readonly kind: 'number'; readonly number: number }
  | { readonly kind: 'local'; readonly local: number; readonly plus: number };

type Pair = 'one' | 'two';
type Big = 'large' | 'other';

/** A statement with a unique number. */
export type Statement = { readonly id: number } & (
  | {
      readonly kind: 'store';
      readonly place: Place;
      readonly value: Value;
      readonly order: 'plain' | 'release' | 'seq_cst';
    }
  | {
      readonly kind: 'load';
      readonly place: Place;
      readonly local: number;
      readonly isPlain: boolean;
    }
  | { readonly kind: 'add'; readonly place: Place; readonly local: number }
  | { readonly kind: 'exchange'; readonly place: Place; readonly value: Value }
  | { readonly kind: 'fence' }
  /**
   * The assignment `to = from;`, or the same through a function that takes and returns structures
   * by value.
   */
  | { readonly kind: 'copy'; readonly to: Pair; readonly from: Pair | 'argument' }
  | { readonly kind: 'turned'; readonly to: Pair; readonly from: Pair }
  | { readonly kind: 'total'; readonly local: number; readonly from: Pair }
  | { readonly kind: 'copy-large'; readonly to: Big; readonly from: Big }
  | {
      readonly kind: 'changed';
      readonly to: Big;
      readonly from: Big;
      readonly value: Value;
    }
  | { readonly kind: 'weight'; readonly local: number; readonly from: Big }
  /** A call of one of two functions in a table, chosen by the parity of the local. */
  | {
      readonly kind: 'called';
      readonly local: number;
      readonly cell: string;
      readonly value: Value;
    }
  /** Makes the pointer `held` point to another target. */
  | { readonly kind: 'point'; readonly target: number }
  | {
      readonly kind: 'if';
      readonly local: number;
      readonly is: number;
      readonly then: readonly Statement[];
      readonly otherwise: readonly Statement[];
    }
  | { readonly kind: 'repeat'; readonly body: readonly Statement[] }
  | { readonly kind: 'create'; readonly thread: number; readonly value?: Value }
  | { readonly kind: 'join'; readonly thread: number }
);

export interface RandomThread {
  readonly argument: 'row' | 'pair' | 'number' | 'none';
  readonly body: readonly Statement[];
}

export interface RandomPlaces {
  readonly threads: readonly RandomThread[];
  readonly main: readonly Statement[];
  /** The threads that `main` starts only in some executions. */
  readonly doubtful: ReadonlySet<number>;
}

const parts = ['a', 'b', 'c', 'd', 'e'];
/** The possible targets of the pointer `held`. */
const targets = ['x', 'two.b', 'list[1]'];
export const localCount = 2;
/** All cells of integers that are shared; `row` and `mine` are locals of `main`. */
export const cells = [
  ...['x', 'y', 'list[0]', 'list[1]', 'one.a', 'one.b', 'two.a', 'two.b'],
  ...['large', 'other'].flatMap((name) => parts.map((part) => `${name}.${part}`)),
  ...['row[0]', 'row[1]', 'mine.a', 'mine.b'],
];

/** Returns all statements in the order of the text, with nested ones. */
export function allStatements(list: readonly Statement[]): readonly Statement[] {
  return list.flatMap((statement) => [
    statement,
    ...(statement.kind === 'if'
      ? allStatements([...statement.then, ...statement.otherwise])
      : statement.kind === 'repeat'
        ? allStatements(statement.body)
        : []),
  ]);
}

/**
 * Returns a random program: `main` and its threads access fields, elements and locals of `main`, by
 * name and through pointers, and copy structures. `main` also does so before it starts threads,
 * starts some threads only if a local has some value, and joins threads in between.
 */
export function randomPlaces(seed: number): RandomPlaces {
  const { below, pick, chance } = diceOf(seed);
  let ids = 0;
  const names = pick([
    ['x', 'y'],
    ['x', 'list[1]'],
    ['one.b', 'two.a'],
    ['two.b', 'y'],
    ['list[0]', 'list[1]'],
    ['one.a', 'large.c'],
  ]);
  const fields = ['one.a', 'one.b', 'two.a', 'two.b'];
  const value = (): Value =>
    chance(30)
      ? { kind: 'local', local: below(localCount), plus: below(2) }
      : { kind: 'number', number: 1 + below(2) };
  type Who = RandomThread['argument'] | 'main';
  const place = (who: Who, inLoop: boolean): Place => {
    const choice = below(20);
    if (inLoop && chance(50)) return { kind: 'turn' };
    if (who !== 'main' && who !== 'none' && who !== 'number' && choice < 8)
      return { kind: 'argument', part: chance(50) ? 0 : 1 };
    if (who === 'main' && choice < 5)
      return { kind: 'cell', cell: pick(['row[0]', 'row[1]', 'mine.a', 'mine.b']) };
    if (choice < 8) return { kind: 'element', local: below(localCount) };
    if (choice < 10)
      return { kind: 'select', local: below(localCount), one: pick(names), other: pick(fields) };
    if (choice < 12) return { kind: 'field', cell: pick(fields) };
    if (choice < 14) return { kind: 'held' };
    return { kind: 'cell', cell: pick(names) };
  };
  const access = (who: Who, inLoop = false): Statement => {
    const id = ids++;
    const at = (): Place => place(who, inLoop);
    const local = below(localCount);
    const choice = below(40);
    if (choice < 12)
      return {
        id,
        kind: 'store',
        place: at(),
        value: value(),
        order: pick(['plain', 'release', 'plain', 'seq_cst']),
      };
    if (choice < 22) return { id, kind: 'load', place: at(), local, isPlain: chance(50) };
    if (choice < 24) return { id, kind: 'add', place: at(), local };
    if (choice < 25) return { id, kind: 'exchange', place: at(), value: value() };
    if (choice < 26) return { id, kind: 'fence' };
    const [to, from] = chance(50) ? (['one', 'two'] as const) : (['two', 'one'] as const);
    if (choice < 29) return { id, kind: 'copy', to, from: who === 'pair' ? 'argument' : from };
    if (choice < 31) return { id, kind: 'turned', to, from };
    if (choice < 33) return { id, kind: 'total', local, from };
    const [large, other] = chance(50)
      ? (['large', 'other'] as const)
      : (['other', 'large'] as const);
    if (choice < 34) return { id, kind: 'copy-large', to: large, from: other };
    if (choice < 35) return { id, kind: 'changed', to: large, from: other, value: value() };
    if (choice < 36) return { id, kind: 'weight', local, from: large };
    if (choice < 39) return { id, kind: 'called', local, cell: pick(names), value: value() };
    return who === 'main' || chance(30)
      ? { id, kind: 'point', target: below(targets.length) }
      : { id, kind: 'load', place: at(), local, isPlain: true };
  };
  const accesses = (who: Who, most: number): Statement[] => {
    const list = Array.from({ length: below(most + 1) }, () => access(who));
    if (most < 2 || chance(40)) return list;
    // Store buffering of `main` and its threads.
    const [mine, other] = chance(50) ? names : names.toReversed();
    const id = ids++;
    list.splice(below(list.length + 1), 0, {
      ...{ id, kind: 'store', place: { kind: 'cell', cell: mine! }, value: value() },
      order: pick(['plain', 'release'] as const),
    });
    list.push({
      ...{ id: ids++, kind: 'load', place: { kind: 'cell', cell: other! } },
      ...{ local: below(localCount), isPlain: chance(50) },
    });
    return list;
  };
  const blockOf = (most: number): Statement[] => {
    const list = accesses('main', most);
    if (chance(20))
      list.splice(below(list.length + 1), 0, {
        ...{ id: ids++, kind: 'if', local: below(localCount), is: below(2) },
        then: accesses('main', 2),
        otherwise: accesses('main', 1),
      });
    if (chance(15))
      list.splice(below(list.length + 1), 0, {
        ...{ id: ids++, kind: 'repeat' },
        body: Array.from({ length: 1 + below(2) }, () => access('main', true)),
      });
    return list;
  };
  const count = 1 + below(2) + (chance(20) ? 1 : 0);
  const threads = Array.from({ length: count }, (): RandomThread => {
    const argument = pick(['none', 'none', 'row', 'pair', 'number'] as const);
    const body = accesses(argument, count > 2 ? 2 : 3);
    if (body.length === 0) body.push(access(argument));
    return { argument, body };
  });
  const busy = chance(60);
  const block = (most: number): Statement[] => (busy || chance(20) ? blockOf(most) : []);
  const main: Statement[] = chance(70) ? [...blockOf(4), ...blockOf(2)] : [];
  const doubtful = new Set<number>();
  const open: number[] = [];
  const join = (): void => {
    const thread = open.shift();
    if (thread !== undefined) main.push({ id: ids++, kind: 'join', thread });
  };
  for (const thread of threads.keys()) {
    const isNumber = threads[thread]!.argument === 'number';
    const create: Statement = {
      ...{ id: ids++, kind: 'create', thread },
      ...(isNumber && { value: value() }),
    };
    if (chance(12)) {
      doubtful.add(thread);
      const otherwise = accesses('main', 1);
      const test = { local: below(localCount), is: below(2) };
      main.push({ id: ids++, kind: 'if', ...test, then: [create], otherwise });
    } else main.push(create);
    open.push(thread);
    main.push(...block(2));
    if (chance(20)) {
      join();
      main.push(...block(2));
    }
  }
  const joinsAll = chance(75);
  while (open.length > 0 && (joinsAll || chance(40))) join();
  if (open.length > 0) open.length = 0;
  if (chance(30)) main.push(...block(2));
  return { threads, main, doubtful };
}

/** The text of a program, and the statement on each of its lines, by line from 0. */
export interface PrintedC {
  readonly text: string;
  readonly statements: ReadonlyMap<number, number>;
}

/** Returns the id of the line that records a local at the end of a thread. */
export const resultId = (thread: number, local: number): number => -1 - thread * localCount - local;

/**
 * The ids of the statements inside the functions `put` and `raise`, which are shared by all calls.
 */
const places = { put: -1001, raise: -1002 };

/** Prints the program as C; `main` reads the cells `watched` at the end. */
export function printPlacesInC(
  { threads, main, doubtful }: RandomPlaces,
  watched: readonly string[] = [],
): PrintedC {
  const lines: string[] = [];
  const statements = new Map<number, number>();
  const add = (line: string, id?: number): void => {
    if (id !== undefined) statements.set(lines.length, id);
    lines.push(line);
  };
  const valueText = (value: Value): string =>
    value.kind === 'number' ? String(value.number) : `(r${value.local} + ${value.plus})`;
  const placeText = (place: Place, argument: RandomThread['argument']): string => {
    switch (place.kind) {
      case 'cell':
        return place.cell;
      case 'element':
        return `list[r${place.local} & 1]`;
      case 'turn':
        return 'list[i]';
      case 'select':
        return `*(r${place.local} & 1 ? &${place.one} : &${place.other})`;
      case 'field':
        return `through(&${place.cell.split('.')[0]})->${place.cell.split('.')[1]}`;
      case 'held':
        return '*held.at';
      case 'argument':
        return argument === 'row'
          ? `((int *)argument)[${place.part}]`
          : `((struct pair *)argument)->${parts[place.part]}`;
    }
  };
  const print = (list: readonly Statement[], argument: RandomThread['argument']): void => {
    for (const statement of list) {
      const { id } = statement;
      const at = (place: Place): string => placeText(place, argument);
      switch (statement.kind) {
        case 'store': {
          const { place, value, order } = statement;
          const text = valueText(value);
          const name = `__ATOMIC_${order.toUpperCase()}`;
          const atomic = `__atomic_store_n(&${at(place)}, ${text}, ${name});`;
          add(order === 'plain' ? `${at(place)} = ${text};` : atomic, id);
          break;
        }
        case 'load': {
          const { place, local, isPlain } = statement;
          const atomic = `__atomic_load_n(&${at(place)}, __ATOMIC_ACQUIRE)`;
          add(`r${local} = ${isPlain ? at(place) : atomic};`, id);
          break;
        }
        case 'add':
          add(`r${statement.local} = __sync_fetch_and_add(&${at(statement.place)}, 1);`, id);
          break;
        case 'exchange': {
          const { place, value } = statement;
          add(`__atomic_exchange_n(&${at(place)}, ${valueText(value)}, __ATOMIC_ACQ_REL);`, id);
          break;
        }
        case 'fence':
          add('__sync_synchronize();', id);
          break;
        case 'copy': {
          const { to, from } = statement;
          add(`${to} = ${from === 'argument' ? '*(struct pair *)argument' : from};`, id);
          break;
        }
        case 'turned':
          add(`${statement.to} = turned(${statement.from});`, id);
          break;
        case 'total':
          add(`r${statement.local} = total(${statement.from});`, id);
          break;
        case 'copy-large':
          add(`${statement.to} = ${statement.from};`, id);
          break;
        case 'changed':
          add(`${statement.to} = changed(${statement.from}, ${valueText(statement.value)});`, id);
          break;
        case 'weight':
          add(`r${statement.local} = weight(${statement.from});`, id);
          break;
        case 'called': {
          const { local, cell, value } = statement;
          add(`table[r${local} & 1](&${cell}, ${valueText(value)});`, id);
          break;
        }
        case 'point':
          add(`held.at = &${targets[statement.target]};`, id);
          break;
        case 'if':
          add(`if (r${statement.local} == ${statement.is}) {`);
          print(statement.then, argument);
          add('} else {');
          print(statement.otherwise, argument);
          add('}');
          break;
        case 'repeat':
          add('for (int i = 0; i < 2; i++) {');
          print(statement.body, argument);
          add('}');
          break;
        case 'create': {
          const { thread, value } = statement;
          const handed = {
            row: 'row',
            pair: '&mine',
            number: value ? `(void *)(long)${valueText(value)}` : '0',
            none: '0',
          }[threads[thread]!.argument];
          add(`pthread_create(&handle${thread}, 0, thread${thread}, ${handed});`);
          if (doubtful.has(thread)) add(`started${thread} = 1;`);
          break;
        }
        case 'join': {
          const { thread } = statement;
          const test = doubtful.has(thread) ? `if (started${thread}) ` : '';
          add(`${test}pthread_join(handle${thread}, 0);`);
          break;
        }
      }
    }
  };
  lines.push(
    '#include <assert.h>',
    '#include <pthread.h>',
    'struct pair { int a, b; };',
    'struct large { int a, b, c, d, e; };',
    'static int x, y, list[2];',
    'static struct pair one, two;',
    'static struct large large, other;',
    'static struct { int *at; } held = {&x};',
    'static int total(struct pair p) { return p.a + p.b; }',
    'static struct pair turned(struct pair p) { struct pair q = {p.b, p.a}; return q; }',
    'static int weight(struct large v) { return v.a + v.e; }',
    'static struct large changed(struct large v, int c) { v.c = c; return v; }',
    'static struct pair *through(struct pair *p) { return p; }',
  );
  add(
    'static void put(int *at, int value) { __atomic_store_n(at, value, __ATOMIC_RELAXED); }',
    places.put,
  );
  add(
    'static void raise(int *at, int by) { __atomic_fetch_add(at, by, __ATOMIC_RELAXED); }',
    places.raise,
  );
  add('static void (*const table[2])(int *, int) = {put, raise};');
  threads.forEach(({ argument, body }, t) => {
    add(`static pthread_t handle${t};`);
    for (let r = 0; r < localCount; r++) add(`static int out${t}_${r};`);
    add(`static void *thread${t}(void *argument) {`);
    add('int r0 = 0;');
    add(`int r1 = ${argument === 'number' ? '(int)(long)argument' : '0'};`);
    print(body, argument);
    for (let r = 0; r < localCount; r++) add(`out${t}_${r} = r${r};`, resultId(t, r));
    add('return 0;');
    add('}');
  });
  add('int main(void) {');
  add('int row[2] = {0, 0}, r0 = 0, r1 = 0;');
  add('struct pair mine = {0, 0};');
  for (const thread of doubtful) add(`int started${thread} = 0;`);
  print(main, 'none');
  if (watched.length > 0)
    add(`assert(${watched.map((cell) => `${cell} != 123456`).join(' && ')});`);
  add('return 0;');
  add('}');
  return { text: `${lines.join('\n')}\n`, statements };
}

/**
 * Returns the steps of the threads and of `main` on cells, by the meaning of C; `main` is the last
 * thread.
 */
export function coreOf({ threads, main, doubtful }: RandomPlaces): readonly (readonly Core[])[] {
  const sum = (value: Value): Sum =>
    value.kind === 'number'
      ? { locals: [], plus: value.number }
      : { locals: [`r${value.local}`], plus: value.plus };
  const held = (cell: string): Sum => ({ locals: [cell], plus: 0 });
  const read = (id: number, from: string, fields: readonly string[]): Core[] =>
    fields.map((field, i) => ({
      ...{ kind: 'load', id, local: `t${i}`, cell: `${from}.${field}`, isPlain: true },
    }));
  const write = (
    id: number,
    to: string,
    fields: readonly string[],
    values: readonly Sum[],
  ): Core[] =>
    fields.map((field, i) => ({
      ...{ kind: 'store', id, cell: `${to}.${field}`, value: values[i]!, isPlain: true },
    }));
  const two = ['a', 'b'];
  const body = (list: readonly Statement[], argument: RandomThread['argument'], turn = 0): Core[] =>
    list.flatMap((statement): Core[] => {
      const { id } = statement;
      /**
       * Returns the steps of an access to the cell that the place denotes; several if a local
       * decides which cell.
       */
      const at = (place: Place, access: (cell: string) => Core): Core[] => {
        const eitherWay = (local: number, even: string, odd: string): Core[] => [
          {
            ...{ kind: 'if', local: `r${local}`, isOdd: true, is: 0 },
            ...{ then: [access(odd)], otherwise: [access(even)] },
          },
        ];
        switch (place.kind) {
          case 'cell':
          case 'field':
            return [access(place.cell)];
          case 'element':
            return eitherWay(place.local, 'list[0]', 'list[1]');
          case 'turn':
            return [access(`list[${turn}]`)];
          case 'select':
            return eitherWay(place.local, place.other, place.one);
          case 'held': {
            const [first, second, third] = targets as [string, string, string];
            const test = (is: number, then: Core[], otherwise: Core[]): Core => ({
              ...{ kind: 'if', local: 't9', isOdd: false, is, then, otherwise },
            });
            return [
              { kind: 'load', id, local: 't9', cell: 'held', isPlain: true },
              test(0, [access(first)], [test(1, [access(second)], [access(third)])]),
            ];
          }
          case 'argument':
            return [access(argument === 'row' ? `row[${place.part}]` : `mine.${two[place.part]}`)];
        }
      };
      switch (statement.kind) {
        case 'store': {
          const value = sum(statement.value);
          const { order } = statement;
          return at(statement.place, (cell) =>
            order === 'seq_cst'
              ? { kind: 'exchange', id, cell, value }
              : { kind: 'store', id, cell, value, isPlain: order === 'plain' },
          );
        }
        case 'load': {
          const { isPlain } = statement;
          const local = `r${statement.local}`;
          return at(statement.place, (cell) => ({ kind: 'load', id, local, cell, isPlain }));
        }
        case 'add': {
          const local = `r${statement.local}`;
          const value = { locals: [], plus: 1 };
          return at(statement.place, (cell) => ({ kind: 'add', id, local, cell, value }));
        }
        case 'exchange': {
          const value = sum(statement.value);
          return at(statement.place, (cell) => ({ kind: 'exchange', id, cell, value }));
        }
        case 'fence':
          return [{ kind: 'fence', id }];
        case 'copy':
        case 'copy-large': {
          const { to, from } = statement;
          const name = from === 'argument' ? 'mine' : from;
          return (statement.kind === 'copy' ? two : parts).flatMap((field) => [
            ...read(id, name, [field]),
            ...write(id, to, [field], [held('t0')]),
          ]);
        }
        case 'turned': {
          const { to, from } = statement;
          return [...read(id, from, two), ...write(id, to, two, [held('t1'), held('t0')])];
        }
        case 'total':
        case 'weight': {
          const isPair = statement.kind === 'total';
          const local = `r${statement.local}`;
          const value = { locals: ['t0', isPair ? 't1' : 't4'], plus: 0 };
          return [...read(id, statement.from, isPair ? two : parts), { kind: 'set', local, value }];
        }
        case 'changed': {
          const { to, from, value } = statement;
          const values = [held('t0'), held('t1'), sum(value), held('t3'), held('t4')];
          return [...read(id, from, parts), ...write(id, to, parts, values)];
        }
        case 'called': {
          const { cell } = statement;
          const value = sum(statement.value);
          return [
            {
              ...{ kind: 'if', local: `r${statement.local}`, isOdd: true, is: 0 },
              then: [{ kind: 'add', id, local: 't8', cell, value, place: places.raise }],
              otherwise: [{ kind: 'store', id, cell, value, isPlain: false, place: places.put }],
            },
          ];
        }
        case 'point': {
          const value = { locals: [], plus: statement.target };
          return [{ kind: 'store', id, cell: 'held', value, isPlain: true }];
        }
        case 'if':
          return [
            {
              ...{ kind: 'if', local: `r${statement.local}`, isOdd: false, is: statement.is },
              then: body(statement.then, argument, turn),
              otherwise: body(statement.otherwise, argument, turn),
            },
          ];
        case 'repeat':
          return [0, 1].flatMap((i) => body(statement.body, argument, i));
        case 'create': {
          const { thread, value } = statement;
          const flag = { kind: 'set', local: `started${thread}`, value: { locals: [], plus: 1 } };
          return [
            { kind: 'start', thread, ...(value && { value: sum(value) }) },
            ...(doubtful.has(thread) ? [flag as Core] : []),
          ];
        }
        case 'join': {
          const { thread } = statement;
          const join: Core = { kind: 'join', thread };
          const local = `started${thread}`;
          return doubtful.has(thread)
            ? [{ kind: 'if', local, isOdd: false, is: 1, then: [join], otherwise: [] }]
            : [join];
        }
      }
    });
  return [
    ...threads.map(({ argument, body: own }, t) => [
      ...body(own, argument),
      ...Array.from({ length: localCount }, (_, r): Core => {
        const cell = `out${t}_${r}`;
        return {
          ...{ kind: 'store', id: resultId(t, r), cell, value: held(`r${r}`), isPlain: true },
        };
      }),
    ]),
    body(main, 'none'),
  ];
}
