import { diceOf } from './dice.js';

/** Statements without a model, in C. */
const withoutModel = {
  call: 'unknown();',
  nested: 'outer();',
  rounding: 'keep = (int)(atomic_load(&changing) * 0.5);',
  recursion: 'keep = walk(r0);',
  operand: 'keep = 1 + unknown_value();',
  choice: 'keep = r0 >= 0 ? unknown_value() : 3;',
  pointer: 'table[1 & (r0 | 1)]();',
} as const;

type WithoutModel = keyof typeof withoutModel;
export const kindsWithoutModel = Object.keys(withoutModel) as readonly WithoutModel[];

const cells = ['x', 'y', 'z'] as const;
type Cell = (typeof cells)[number];

/** The condition that both locals have given values. */
type Condition = readonly [first: number | 'any', second: number | 'any'];

export type RefusalStatement =
  | { readonly kind: 'store'; readonly cell: Cell; readonly value: number }
  /** A store of a local plus 1. */
  | { readonly kind: 'store-local'; readonly cell: Cell; readonly local: 0 | 1 }
  | { readonly kind: 'load' | 'exchange'; readonly cell: Cell; readonly local: 0 | 1 }
  | { readonly kind: 'fence' }
  /** A statement without a model, which runs under a condition. */
  | { readonly kind: 'trap'; readonly of: WithoutModel; readonly when: Condition };

/** The threads of a program; each has two locals, first 0. All cells are first 0. */
export type RandomRefusals = readonly (readonly RefusalStatement[])[];

/** Returns a random program of two threads, with one or two statements without a model. */
export function randomRefusals(seed: number): RandomRefusals {
  const { below, pick, chance } = diceOf(seed);
  const statement = (): RefusalStatement => {
    const cell = pick(cells.slice(0, 2 + below(2)));
    const local = below(2) as 0 | 1;
    if (chance(8)) return { kind: 'fence' };
    if (chance(10)) return { kind: 'exchange', cell, local };
    return chance(50)
      ? { kind: 'store', cell, value: 1 + below(2) }
      : { kind: 'load', cell, local };
  };
  const value = (): number | 'any' => (chance(25) ? 'any' : below(3));
  const trap = (): RefusalStatement => {
    const when: Condition = chance(4) ? ['any', 'any'] : [value(), value()];
    return { kind: 'trap', of: pick(kindsWithoutModel), when };
  };
  if (chance(15)) {
    // What the first thread reads shows that the other one has read past its buffer.
    const of = pick(kindsWithoutModel);
    return [
      [
        { kind: 'store', cell: 'x', value: 1 },
        { kind: 'load', cell: 'y', local: 0 },
        { kind: 'load', cell: 'z', local: 1 },
        { kind: 'trap', of, when: [0, 1] },
        ...(chance(50) ? [statement()] : []),
      ],
      [
        { kind: 'store', cell: 'y', value: 1 },
        ...(chance(20) ? [{ kind: 'fence' } as const] : []),
        { kind: 'load', cell: 'x', local: 0 },
        { kind: 'store-local', cell: 'z', local: 0 },
      ],
    ];
  }
  const threads = [0, 1].map(() => Array.from({ length: 2 + below(3) }, statement));
  // Threads that store before they load show what only buffers make possible.
  if (chance(50))
    for (const [t, thread] of threads.entries())
      thread.unshift(
        { kind: 'store', cell: cells[t]!, value: 1 },
        { kind: 'load', cell: cells[1 - t]!, local: 0 },
      );
  return threads.map((thread, t) => {
    if (t === 1 && chance(50)) return thread;
    const place = 1 + below(thread.length);
    return [...thread.slice(0, place), trap(), ...thread.slice(place)];
  });
}

const relaxed = 'memory_order_relaxed';

function conditionInC(when: Condition): string {
  const parts = when.flatMap((value, local) => (value === 'any' ? [] : [`r${local} == ${value}`]));
  return parts.join(' && ');
}

function statementInC(statement: RefusalStatement): string {
  switch (statement.kind) {
    case 'store':
      return `atomic_store_explicit(&${statement.cell}, ${statement.value}, ${relaxed});`;
    case 'store-local':
      return `atomic_store_explicit(&${statement.cell}, r${statement.local} + 1, ${relaxed});`;
    case 'load':
      return `r${statement.local} = atomic_load_explicit(&${statement.cell}, ${relaxed});`;
    case 'exchange':
      return `r${statement.local} = atomic_exchange(&${statement.cell}, 1);`;
    case 'fence':
      return 'atomic_thread_fence(memory_order_seq_cst);';
    case 'trap': {
      const condition = conditionInC(statement.when);
      // The loads of a statement without a model stay if it is left out.
      const left = statement.of === 'rounding' ? 'keep = atomic_load(&changing);' : ';';
      const body = `WITHOUT_MODEL(${withoutModel[statement.of]}, ${left})`;
      return condition === '' ? body : `if (${condition}) ${body}`;
    }
  }
}

/**
 * Returns the program in C. With the macro LEFT_OUT, statements without a model are left out.
 */
export function printRefusalsInC(threads: RandomRefusals): string {
  const bodies = threads.map((thread, t) => [
    `static void *thread${t}(void *unused) {`,
    '  int r0 = 0, r1 = 0, keep = 0;',
    ...(t === 1 ? [`  atomic_store_explicit(&changing, 1, ${relaxed});`] : []),
    ...thread.map((each) => `  ${statementInC(each)}`),
    `  ends[${t}] = r0 + 4 * r1;`,
    '  return unused;',
    '}',
  ]);
  return [
    '#include <pthread.h>',
    '#include <stdatomic.h>',
    '#ifdef LEFT_OUT',
    '#define WITHOUT_MODEL(statement, left) { left }',
    '#else',
    '#define WITHOUT_MODEL(statement, left) { statement }',
    '#endif',
    'void unknown(void);',
    'int unknown_value(void);',
    `static atomic_int ${cells.join(', ')};`,
    'static atomic_int changing;',
    'static int ends[2];',
    'static void outer(void) { unknown(); }',
    'static int walk(int n) { return n > 5 ? 0 : 1 + walk(n + 1); }',
    'static void known(void) {}',
    'static void (*table[2])(void) = { known, outer };',
    ...bodies.flat(),
    'int main(void) {',
    '  pthread_t one, other;',
    '  pthread_create(&one, 0, thread0, 0);',
    '  pthread_create(&other, 0, thread1, 0);',
    '  pthread_join(one, 0);',
    '  pthread_join(other, 0);',
    '}',
    '',
  ].join('\n');
}

/** A state of the machine; `buffers` stays empty without store buffers. */
interface State {
  readonly memory: Readonly<Record<Cell, number>>;
  readonly buffers: readonly (readonly (readonly [Cell, number])[])[];
  readonly locals: readonly (readonly [number, number])[];
  readonly next: readonly number[];
}

/**
 * Whether some execution reaches a statement without a model, and whether some execution ends
 * without it. Executes all interleavings, by the definition of x86-TSO with `buffered`, otherwise
 * of sequential consistency.
 */
export function executionsOf(
  threads: RandomRefusals,
  buffered: boolean,
): { readonly reach: boolean; readonly avoid: boolean } {
  const initial: State = {
    memory: { x: 0, y: 0, z: 0 },
    buffers: threads.map(() => []),
    locals: threads.map(() => [0, 0]),
    next: threads.map(() => 0),
  };
  const seen = new Set<string>();
  const waiting = [initial];
  let [reach, avoid] = [false, false];
  for (let state = waiting.pop(); state; state = waiting.pop()) {
    const key = JSON.stringify(state);
    if (seen.has(key)) continue;
    seen.add(key);
    avoid ||= threads.every((thread, t) => state.next[t] === thread.length);
    for (const [t, thread] of threads.entries()) {
      const [oldest, ...others] = state.buffers[t]!;
      if (oldest)
        waiting.push({
          ...state,
          memory: { ...state.memory, [oldest[0]]: oldest[1] },
          buffers: state.buffers.with(t, others),
        });
      const statement = thread[state.next[t]!];
      if (!statement) continue;
      const after = stepOf(state, t, statement, buffered);
      if (after === 'reached') reach = true;
      else if (after) waiting.push({ ...after, next: after.next.with(t, after.next[t]! + 1) });
    }
  }
  return { reach, avoid };
}

/**
 * The state after the statement, apart from the thread's position; `undefined` if the statement has
 * to wait.
 */
function stepOf(
  state: State,
  t: number,
  statement: RefusalStatement,
  buffered: boolean,
): State | 'reached' | undefined {
  const { memory, buffers, locals } = state;
  const buffer = buffers[t]!;
  const own = locals[t]!;
  const withLocal = (local: 0 | 1, value: number): State['locals'] =>
    locals.with(t, local === 0 ? [value, own[1]] : [own[0], value]);
  switch (statement.kind) {
    case 'store':
    case 'store-local': {
      const { cell } = statement;
      const value = statement.kind === 'store' ? statement.value : own[statement.local] + 1;
      if (!buffered) return { ...state, memory: { ...memory, [cell]: value } };
      return { ...state, buffers: buffers.with(t, [...buffer, [cell, value]]) };
    }
    case 'load': {
      const { cell, local } = statement;
      const waiting = buffer.findLast(([of]) => of === cell);
      return { ...state, locals: withLocal(local, waiting ? waiting[1] : memory[cell]) };
    }
    case 'exchange': {
      const { cell, local } = statement;
      if (buffer.length > 0) return undefined;
      return {
        ...state,
        memory: { ...memory, [cell]: 1 },
        locals: withLocal(local, memory[cell]),
      };
    }
    case 'fence':
      return buffer.length > 0 ? undefined : state;
    case 'trap': {
      const isReached = statement.when.every((value, i) => value === 'any' || own[i] === value);
      return isReached ? 'reached' : state;
    }
  }
}
