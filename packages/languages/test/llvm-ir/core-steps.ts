/** An expression of C: the sum of some locals and a number. */
export interface Sum {
  readonly locals: readonly string[];
  readonly plus: number;
}

/** A step on known cells, with the number of its statement. */
export type Core =
  | {
      readonly kind: 'load';
      readonly id: number;
      readonly local: string;
      readonly cell: string;
      readonly isPlain: boolean;
    }
  | {
      readonly kind: 'store';
      readonly id: number;
      readonly cell: string;
      readonly value: Sum;
      readonly isPlain: boolean;
      /** The number of the step's statement, if it differs from the number of the step. */
      readonly place?: number;
    }
  | {
      readonly kind: 'add';
      readonly id: number;
      readonly local: string;
      readonly cell: string;
      readonly value: Sum;
      readonly place?: number;
    }
  | { readonly kind: 'exchange'; readonly id: number; readonly cell: string; readonly value: Sum }
  | { readonly kind: 'fence'; readonly id: number }
  | { readonly kind: 'set'; readonly local: string; readonly value: Sum }
  /** Chooses the next steps depending on a local: whether it is odd, or equals a number. */
  | {
      readonly kind: 'if';
      readonly local: string;
      readonly isOdd: boolean;
      readonly is: number;
      readonly then: readonly Core[];
      readonly otherwise: readonly Core[];
    }
  /** Starts a thread; the thread receives `value` in its second local. */
  | { readonly kind: 'start'; readonly thread: number; readonly value?: Sum }
  | { readonly kind: 'join'; readonly thread: number };

function nameOf(cell: string): string {
  return cell.replaceAll(/[[.]/g, '_').replaceAll(']', '');
}

/**
 * Returns the native text of the threads, each of which waits until another thread starts it. The
 * last thread is `main`, which runs from the beginning.
 */
export function printCoreNatively(threads: readonly (readonly Core[])[]): {
  readonly text: string;
  /** By line of the text, the number of its statement. */
  readonly statements: ReadonlyMap<number, number>;
  readonly nameOf: (cell: string) => string;
} {
  const body: string[] = [];
  const ids: (number | undefined)[] = [];
  const cells = new Set<string>();
  const add = (line: string, id?: number): void => {
    body.push(line);
    ids.push(id);
  };
  const text = ({ locals, plus }: Sum): string => [...locals, plus].join(' + ');
  const at = (cell: string): string => {
    cells.add(nameOf(cell));
    return nameOf(cell);
  };
  const locals = new Set<string>();
  const local = (name: string): string => {
    locals.add(name);
    return name;
  };
  const print = (list: readonly Core[]): void => {
    for (const step of list)
      switch (step.kind) {
        case 'load':
          add(`${local(step.local)} = ${at(step.cell)};`, step.id);
          break;
        case 'store':
          add(`${at(step.cell)} = ${text(step.value)};`, step.id);
          break;
        case 'add':
          add(`${local(step.local)} = fetch_add(${at(step.cell)}, ${text(step.value)});`, step.id);
          break;
        case 'exchange':
          add(`xchg(${at(step.cell)}, ${text(step.value)});`, step.id);
          break;
        case 'fence':
          add('fence;', step.id);
          break;
        case 'set':
          add(`${local(step.local)} = ${text(step.value)};`);
          break;
        case 'if': {
          const test = step.isOdd
            ? `(${local(step.local)} & 1) != 0`
            : `${step.local} == ${step.is}`;
          local(step.local);
          add(`if (${test}) {`);
          print(step.then);
          add('} else {');
          print(step.otherwise);
          add('}');
          break;
        }
        case 'start':
          if (step.value) add(`${at(`argument${step.thread}`)} = ${text(step.value)};`);
          add(`xchg(${at(`start${step.thread}`)}, 1);`);
          break;
        case 'join':
          add(`atomic { s = ${at(`done${step.thread}`)}; assume(s == 1); }`);
          break;
      }
  };
  const handed = new Set(
    threads
      .flatMap((list) => flat(list))
      .flatMap((step) => (step.kind === 'start' && step.value ? [step.thread] : [])),
  );
  ['r0', 'r1', 's'].forEach(local);
  threads.forEach((list, t) => {
    const isMain = t === threads.length - 1;
    add(`thread ${isMain ? 'mainThread' : `thread${t}`} {`);
    add('LOCALS');
    if (!isMain) add(`atomic { s = ${at(`start${t}`)}; assume(s == 1); }`);
    if (handed.has(t)) add(`r1 = ${at(`argument${t}`)};`);
    print(list);
    if (!isMain) add(`xchg(${at(`done${t}`)}, 1);`);
    add('}');
  });
  const head = ['program Places', ...[...cells].map((cell) => `var ${cell}`)];
  const lines = [
    ...head,
    ...body.map((line) => (line === 'LOCALS' ? `local ${[...locals].join(', ')};` : line)),
  ];
  return {
    text: `${lines.join('\n')}\n`,
    statements: new Map(
      ids.flatMap((id, i): [number, number][] => (id === undefined ? [] : [[head.length + i, id]])),
    ),
    nameOf,
  };
}

function flat(list: readonly Core[]): readonly Core[] {
  return list.flatMap((step) =>
    step.kind === 'if' ? [step, ...flat(step.then), ...flat(step.otherwise)] : [step],
  );
}

/** A step of a flattened program; with `to`, a jump. */
type Flat =
  | Exclude<Core, { kind: 'if' }>
  | { readonly kind: 'await'; readonly thread: number }
  | { readonly kind: 'end'; readonly thread: number }
  | {
      readonly kind: 'unless';
      readonly local: string;
      readonly isOdd: boolean;
      readonly is: number;
      to: number;
    }
  | { readonly kind: 'jump'; to: number };

/** The behaviour of threads under SC, found by brute force. */
export interface UnderSc {
  /** The races, as text with the numbers of two statements, the smaller number first. */
  readonly races: ReadonlySet<string>;
  /** The contents of cells after all threads have ended; cells that hold 0 may be missing. */
  readonly finals: readonly ReadonlyMap<string, number>[];
}

/**
 * Explores all behaviour under SC by definition, step by step. Two accesses of one cell race if
 * both are next, one stores, and one is plain. `undefined` if there are more than `most` states.
 */
export function exploreCore(
  threads: readonly (readonly Core[])[],
  most: number,
): UnderSc | undefined {
  const codes = threads.map((list, t) => {
    const code: Flat[] = [];
    const isMain = t === threads.length - 1;
    if (!isMain) code.push({ kind: 'await', thread: t });
    const write = (steps: readonly Core[]): void => {
      for (const step of steps) {
        if (step.kind !== 'if') {
          code.push(step);
          continue;
        }
        const { local, isOdd, is } = step;
        const unless = { kind: 'unless', local, isOdd, is, to: 0 } as const as Flat & {
          to: number;
        };
        code.push(unless);
        write(step.then);
        const jump = { kind: 'jump', to: 0 } as Flat & { to: number };
        code.push(jump);
        unless.to = code.length;
        write(step.otherwise);
        jump.to = code.length;
      }
    };
    write(list);
    if (!isMain) code.push({ kind: 'end', thread: t });
    return code;
  });
  type State = {
    readonly at: number[];
    readonly locals: Map<string, number>[];
    readonly memory: Map<string, number>;
  };
  const keyOf = ({ at, locals, memory }: State): string =>
    JSON.stringify([
      at,
      ...[...locals, memory].map((map) => [...map].sort(([a], [b]) => (a < b ? -1 : 1))),
    ]);
  const valueOf = (state: State, t: number, { locals, plus }: Sum): number =>
    locals.reduce((total, name) => total + (state.locals[t]!.get(name) ?? 0), plus);
  /** Executes the steps of a thread up to its next memory access. */
  const settle = (state: State, t: number): void => {
    for (;;) {
      const step = codes[t]![state.at[t]!];
      if (step?.kind === 'fence') state.at[t]! += 1;
      else if (step?.kind === 'jump') state.at[t] = step.to;
      else if (step?.kind === 'set') {
        state.locals[t]!.set(step.local, valueOf(state, t, step.value));
        state.at[t]! += 1;
      } else if (step?.kind === 'unless') {
        const value = state.locals[t]!.get(step.local) ?? 0;
        const holds = step.isOdd ? value % 2 !== 0 : value === step.is;
        state.at[t] = holds ? state.at[t]! + 1 : step.to;
      } else return;
    }
  };
  const copy = ({ at, locals, memory }: State): State => ({
    at: [...at],
    locals: locals.map((map) => new Map(map)),
    memory: new Map(memory),
  });
  const start: State = {
    at: threads.map(() => 0),
    locals: threads.map(() => new Map<string, number>()),
    memory: new Map<string, number>(),
  };
  threads.forEach((_, t) => settle(start, t));
  const seen = new Set([keyOf(start)]);
  const pending = [start];
  const races = new Set<string>();
  const finals = new Map<string, ReadonlyMap<string, number>>();
  for (let state = pending.pop(); state; state = pending.pop()) {
    if (seen.size > most) return undefined;
    const next = codes.map((code, t) => code[state.at[t]!]);
    if (next.every((step) => step === undefined))
      finals.set(JSON.stringify([...state.memory].sort()), state.memory);
    next.forEach((one, i) =>
      next.slice(i + 1).forEach((other) => {
        if (!one || !other || !('cell' in one) || !('cell' in other)) return;
        if (one.cell !== other.cell || (one.kind === 'load' && other.kind === 'load')) return;
        const isPlain = [one, other].some((each) => 'isPlain' in each && each.isPlain);
        const places = [one, other].map((each) => ('place' in each && each.place) || each.id);
        if (isPlain) races.add(places.sort((a, b) => a - b).join(' '));
      }),
    );
    next.forEach((step, t) => {
      if (!step) return;
      const then = copy(state);
      const { memory } = then;
      const own = then.locals[t]!;
      switch (step.kind) {
        case 'load':
          own.set(step.local, memory.get(step.cell) ?? 0);
          break;
        case 'add': {
          const old = memory.get(step.cell) ?? 0;
          // The operand is evaluated before the local gets the old value.
          memory.set(step.cell, old + valueOf(then, t, step.value));
          own.set(step.local, old);
          break;
        }
        case 'store':
        case 'exchange':
          memory.set(step.cell, valueOf(then, t, step.value));
          break;
        case 'start':
          if (step.value) then.locals[step.thread]!.set('r1', valueOf(then, t, step.value));
          memory.set(`start${step.thread}`, 1);
          break;
        case 'await':
          if (memory.get(`start${step.thread}`) !== 1) return;
          break;
        case 'join':
          if (memory.get(`done${step.thread}`) !== 1) return;
          break;
        case 'end':
          memory.set(`done${step.thread}`, 1);
          break;
        default:
          return;
      }
      then.at[t]! += 1;
      settle(then, t);
      const key = keyOf(then);
      if (seen.has(key)) return;
      seen.add(key);
      pending.push(then);
    });
  }
  return { races, finals: [...finals.values()] };
}
