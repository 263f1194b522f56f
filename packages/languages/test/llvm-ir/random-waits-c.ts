import { diceOf } from './dice.js';

/** The form of the loop in which the text waits for a flag. */
type Loop = 'while' | 'break' | 'call' | 'local' | 'both';

/** A statement of a thread; `flag` is the index of a flag. */
export type Statement =
  | { readonly kind: 'set'; readonly flag: number }
  | { readonly kind: 'spin'; readonly flag: number; readonly loop: Loop }
  /** Waits at the condition variable until the flag is set, under the mutex. */
  | { readonly kind: 'sleep'; readonly flag: number; readonly loop: Loop }
  /**
   * Wakes threads that wait at the condition variable; `isLocked`: while the waking thread holds
   * the mutex.
   */
  | { readonly kind: 'wake'; readonly all: boolean; readonly isLocked: boolean }
  | { readonly kind: 'create' | 'join'; readonly thread: number };

/** The statements of `main`, which comes first, and of the threads that it starts. */
export type RandomWaits = readonly (readonly Statement[])[];

const flags = 3;
const loops: readonly Loop[] = ['while', 'break', 'call', 'local', 'both'];
export const names = ['main', 'one', 'two'];

/** Threads that wait for flags; the stores of some flags are left out, so nobody sets them. */
export function randomWaits(seed: number): RandomWaits {
  const { below, chance, pick } = diceOf(seed);
  const unset = new Set([0, 1, 2].filter(() => chance(35)));
  const flag = (): number => below(flags);
  const set = (): readonly Statement[] => {
    const chosen = flag();
    return unset.has(chosen) ? [] : [{ kind: 'set', flag: chosen }];
  };
  const statement = (): readonly Statement[] => {
    const kind = pick(['set', 'set', 'spin', 'sleep', 'wake', 'setAndWake']);
    const wake: Statement = { kind: 'wake', all: chance(30), isLocked: chance(70) };
    if (kind === 'set') return set();
    if (kind === 'setAndWake') return [...set(), wake];
    if (kind === 'wake') return [wake];
    return [{ kind: kind === 'spin' ? 'spin' : 'sleep', flag: flag(), loop: pick(loops) }];
  };
  const body = (most: number): readonly Statement[] =>
    Array.from({ length: below(most + 1) }, statement).flat();
  const main: readonly Statement[] = [
    ...(chance(20) ? set() : []),
    { kind: 'create', thread: 1 },
    ...(chance(50) ? body(2) : []),
    { kind: 'create', thread: 2 },
    ...(chance(50) ? body(2) : []),
    { kind: 'join', thread: 1 },
    ...(chance(25) ? body(1) : []),
    { kind: 'join', thread: 2 },
  ];
  return [main, body(3), body(3)];
}

/** Returns the program in C, with functions for the threads. */
export function printWaits([main, ...threads]: RandomWaits): string {
  const bodies = threads.map(
    (body, i) => `void *${names[i + 1]}(void *p) {\n${inC(body)}  return p;\n}`,
  );
  return `#include <pthread.h>
#include <stdatomic.h>
atomic_int f0, f1, f2;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int is_set(atomic_int *flag) { return atomic_load(flag) != 0; }
${bodies.join('\n')}
int main(void) {
  pthread_t t1, t2;
${inC(main!)}  return 0;
}
`;
}

const inC = (body: readonly Statement[]): string =>
  body.map((each) => `  ${statementInC(each)}\n`).join('');

function statementInC(statement: Statement): string {
  switch (statement.kind) {
    case 'set':
      return `atomic_store(&f${statement.flag}, 1);`;
    case 'spin':
      return loopInC(statement, '');
    case 'sleep':
      return `pthread_mutex_lock(&m); ${loopInC(statement, 'pthread_cond_wait(&c, &m);')} pthread_mutex_unlock(&m);`;
    case 'wake': {
      const call = `pthread_cond_${statement.all ? 'broadcast' : 'signal'}(&c);`;
      return statement.isLocked
        ? `pthread_mutex_lock(&m); ${call} pthread_mutex_unlock(&m);`
        : call;
    }
    case 'create':
      return `pthread_create(&t${statement.thread}, 0, ${names[statement.thread]}, 0);`;
    case 'join':
      return `pthread_join(t${statement.thread}, 0);`;
  }
}

function loopInC({ flag, loop }: { readonly flag: number; readonly loop: Loop }, then: string) {
  const f = `&f${flag}`;
  switch (loop) {
    case 'while':
      return `while (!atomic_load(${f})) { ${then} }`;
    case 'break':
      return `for (;;) { if (atomic_load(${f})) break; ${then} }`;
    case 'call':
      return `while (!is_set(${f})) { ${then} }`;
    case 'local':
      return `for (int r = atomic_load(${f}); !r; r = atomic_load(${f})) { ${then} }`;
    case 'both':
      return `while (!(atomic_load(${f}) == 1 && is_set(${f}))) { ${then} }`;
  }
}

/** A step of a thread, as the judge executes it. */
type Step =
  | { readonly kind: 'set' | 'await' | 'unless'; readonly flag: number }
  | { readonly kind: 'lock' | 'unlock' | 'one' | 'all' | 'sleep' | 'wakes' }
  | { readonly kind: 'create' | 'join'; readonly thread: number };

function stepsOf(body: readonly Statement[]): readonly Step[] {
  return body.flatMap((statement): readonly Step[] => {
    switch (statement.kind) {
      case 'set':
      case 'create':
      case 'join':
        return [statement];
      case 'spin':
        return [{ kind: 'await', flag: statement.flag }];
      case 'sleep':
        return [
          { kind: 'lock' },
          { kind: 'unless', flag: statement.flag },
          { kind: 'sleep' },
          { kind: 'wakes' },
          { kind: 'unlock' },
        ];
      case 'wake': {
        const wake: Step = { kind: statement.all ? 'all' : 'one' };
        return statement.isLocked ? [{ kind: 'lock' }, wake, { kind: 'unlock' }] : [wake];
      }
    }
  });
}

interface State {
  /** By thread, the index of its next step in the state; -1 before the thread is started. */
  readonly at: readonly number[];
  readonly flags: readonly boolean[];
  readonly holder: number;
  readonly asleep: readonly number[];
}

/** Returns the names of the threads that may wait for ever, without threads that wait at a join. */
export function deadlockedByDefinition(program: RandomWaits): readonly string[] {
  const steps = program.map(stepsOf);
  const found = new Set<string>();
  const first: State = {
    at: program.map((_, thread) => (thread === 0 ? 0 : -1)),
    flags: Array.from({ length: flags }, () => false),
    holder: -1,
    asleep: [],
  };
  const seen = new Set([JSON.stringify(first)]);
  for (const pending = [first]; pending.length > 0;) {
    const state = pending.pop()!;
    const next = state.at.flatMap((_, thread) => after(steps, state, thread));
    for (const each of next) {
      const key = JSON.stringify(each);
      if (seen.has(key)) continue;
      seen.add(key);
      pending.push(each);
    }
    if (next.length > 0) continue;
    for (const [thread, at] of state.at.entries())
      if (at >= 0 && at < steps[thread]!.length && steps[thread]![at]!.kind !== 'join')
        found.add(names[thread]!);
  }
  return [...found].toSorted();
}

/** The states after the next step of a thread; empty if the thread has to wait, or has ended. */
function after(
  steps: readonly (readonly Step[])[],
  state: State,
  thread: number,
): readonly State[] {
  const { at, flags: set, holder, asleep } = state;
  const step = at[thread]! < 0 ? undefined : steps[thread]![at[thread]!];
  if (!step) return [];
  const moved = (by: number, of = at): readonly number[] => of.with(thread, of[thread]! + by);
  const on = { ...state, at: moved(1) };
  switch (step.kind) {
    case 'set':
      return [{ ...on, flags: set.with(step.flag, true) }];
    case 'await':
      return set[step.flag] ? [on] : [];
    case 'lock':
      return holder < 0 ? [{ ...on, holder: thread }] : [];
    case 'unlock':
      return [{ ...on, holder: -1 }];
    case 'unless':
      return set[step.flag] ? [{ ...state, at: moved(3) }] : [on];
    case 'sleep':
      return [{ ...on, holder: -1, asleep: [...asleep, thread].toSorted((a, b) => a - b) }];
    case 'wakes':
      return asleep.includes(thread) || holder >= 0
        ? []
        : [{ ...state, at: moved(-2), holder: thread }];
    case 'one':
      if (asleep.length === 0) return [on];
      return asleep.map((_, i) => ({ ...on, asleep: asleep.toSpliced(i, 1) }));
    case 'all':
      return [{ ...on, asleep: [] }];
    case 'create':
      return [{ ...on, at: moved(1, at.with(step.thread, 0)) }];
    case 'join':
      return at[step.thread]! >= steps[step.thread]!.length ? [on] : [];
  }
}

/** A program in which one thread stores to a union and waits for a part of it. */
interface RandomUnion {
  readonly text: string;
  /** The name of the thread that waits. */
  readonly thread: string;
  /** Whether the thread waits for ever. */
  readonly waits: boolean;
}

/** A union that one thread alone accesses, with 1, 2 and 4 bytes. */
export function randomUnion(seed: number): RandomUnion {
  const { below, chance, pick } = diceOf(seed);
  const bytes = [0, 0, 0, 0];
  const part = (): readonly [size: number, offset: number] => {
    const size = chance(40) ? 4 : pick([1, 1, 2, 4]);
    return [size, size * below(4 / size)];
  };
  const inC = ([size, offset]: readonly [number, number]): string =>
    `u.${size === 4 ? 'w' : size === 2 ? `h[${offset / 2}]` : `b[${offset}]`}`;
  const stores = Array.from({ length: below(4) }, () => {
    const [size, offset] = part();
    const number = chance(60) ? 0 : pick([1, 1 << (8 * below(size))]);
    for (let i = 0; i < size; i++) bytes[offset + i] = (number >> (8 * i)) & 255;
    return `${inC([size, offset])} = ${number};`;
  });
  const [size, offset] = part();
  const value = bytes
    .slice(offset, offset + size)
    .reduce((all, byte, i) => all + byte * 2 ** (8 * i), 0);
  const number = chance(55) ? value : Math.abs(value - 1);
  const waited = `while (${inC([size, offset])} == ${number}) { }`;
  const thread = pick(['main', 'one']);
  const body = `${stores.join(' ')} ${waited}`;
  const text = `#include <pthread.h>
#include <stdatomic.h>
${chance(50) ? 'volatile ' : ''}union { unsigned char b[4]; unsigned short h[2]; unsigned w; } u;
atomic_int x, y;
void *one(void *p) { atomic_store(&x, 1); ${thread === 'one' ? body : ''} return p; }
void *two(void *p) { atomic_store(&y, 1); return p; }
int main(void) {
  pthread_t t, v;
  pthread_create(&t, 0, one, 0);
  ${thread === 'main' ? body : ''}
  pthread_create(&v, 0, two, 0);
  pthread_join(t, 0);
  pthread_join(v, 0);
  return 0;
}
`;
  return { text, thread, waits: number === value };
}
