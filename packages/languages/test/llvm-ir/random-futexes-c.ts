import { diceOf } from './dice.js';

/**
 * A statement of a thread about the futex word; `bits` is the set of bits of a wait or wake, absent
 * for all bits.
 */
export type FutexStatement =
  | { readonly kind: 'set' }
  | { readonly kind: 'wait'; readonly bits?: number }
  | { readonly kind: 'wake'; readonly most: number; readonly bits?: number };

/** The statements of two threads, which `main` starts and joins. */
export type RandomFutexes = readonly (readonly FutexStatement[])[];

/** Threads that wait for a word and wake each other, most of them with sets of bits. */
export function randomFutexes(seed: number): RandomFutexes {
  const { below, chance, pick } = diceOf(seed);
  const bits = (): { readonly bits?: number } =>
    chance(75) ? { bits: pick([0, 1, 2, 3, 6]) } : {};
  const statement = (): FutexStatement => {
    const kind = pick(['wait', 'wait', 'wake', 'wake', 'wake', 'set'] as const);
    if (kind === 'set') return { kind };
    return kind === 'wait' ? { kind, ...bits() } : { kind, most: 1 + below(2), ...bits() };
  };
  const thread = (): readonly FutexStatement[] => Array.from({ length: 1 + below(3) }, statement);
  // A wake behind the store to the word is missed only by sleeps whose set has none of its bits.
  const waker = (): readonly FutexStatement[] => [
    { kind: 'set' },
    ...Array.from({ length: 1 + below(2) }, () => ({ kind: 'wake', most: 2, ...bits() }) as const),
  ];
  const waiter = (): readonly FutexStatement[] =>
    Array.from({ length: 1 + below(2) }, () => ({ kind: 'wait', ...bits() }) as const);
  return chance(60) ? [waker(), waiter(), waiter()] : [thread(), thread(), thread()];
}

/** The program in C. */
export function printFutexes(threads: RandomFutexes): string {
  const call = (operation: string, number: number, bits: number | undefined): string =>
    bits === undefined
      ? `syscall(SYS_futex, &w, FUTEX_${operation}, ${number}, 0, 0, 0);`
      : `syscall(SYS_futex, &w, FUTEX_${operation}_BITSET, ${number}, 0, 0, ${bits});`;
  const inC = (statement: FutexStatement): string => {
    switch (statement.kind) {
      case 'set':
        return 'atomic_store(&w, 1);';
      case 'wait':
        return call('WAIT', 0, statement.bits);
      case 'wake':
        return call('WAKE', statement.most, statement.bits);
    }
  };
  const bodies = threads.map(
    (body, i) => `void *t${i}(void *p) {\n  ${body.map(inC).join('\n  ')}\n  return p;\n}`,
  );
  const each = (text: (i: number) => string): string => threads.map((_, i) => text(i)).join('\n  ');
  return `#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>
atomic_int w;
${bodies.join('\n')}
int main(void) {
  pthread_t p[${threads.length}];
  ${each((i) => `pthread_create(&p[${i}], 0, t${i}, 0);`)}
  ${each((i) => `pthread_join(p[${i}], 0);`)}
}
`;
}

interface State {
  /** By thread, the index of its next statement in the state. */
  readonly at: readonly number[];
  readonly isSet: boolean;
  /** By thread, the set of bits with which it sleeps; 0 while it runs. */
  readonly asleep: readonly number[];
}

const all = 0xff_ff_ff_ff;

/**
 * Returns the threads that may sleep for ever by futex(2): a wait with a set sleeps if the word is
 * 0, until a wake whose set shares a bit with the wait's set. A wake ends as many sleeps as it may,
 * of any threads. Calls with an empty set fail. A sleep may also end by chance (a signal, a
 * spurious wake-up), but no thread may count on that.
 */
export function asleepByDefinition(threads: RandomFutexes): readonly number[] {
  const found = new Set<number>();
  const first: State = { at: threads.map(() => 0), isSet: false, asleep: threads.map(() => 0) };
  const seen = new Set([JSON.stringify(first)]);
  for (const pending = [first]; pending.length > 0;) {
    const state = pending.pop()!;
    const next = threads.flatMap((body, thread) => after(body, state, thread));
    const byChance = state.asleep.flatMap((bits, thread): readonly State[] =>
      bits === 0 ? [] : [{ ...state, asleep: state.asleep.with(thread, 0) }],
    );
    for (const each of [...next, ...byChance]) {
      const key = JSON.stringify(each);
      if (!seen.has(key)) pending.push(each);
      seen.add(key);
    }
    if (next.length > 0) continue;
    for (const [thread, bits] of state.asleep.entries()) if (bits !== 0) found.add(thread);
  }
  return [...found].toSorted((one, other) => one - other);
}

/** The states after the next statement of a thread; empty if the thread sleeps, or has ended. */
function after(body: readonly FutexStatement[], state: State, thread: number): readonly State[] {
  const { at, asleep } = state;
  const statement = body[at[thread]!];
  if (!statement || asleep[thread] !== 0) return [];
  const on = { ...state, at: at.with(thread, at[thread]! + 1) };
  if (statement.kind === 'set') return [{ ...on, isSet: true }];
  const { bits = all } = statement;
  if (bits === 0) return [on];
  if (statement.kind === 'wait')
    return state.isSet ? [on] : [{ ...on, asleep: asleep.with(thread, bits) }];
  const met = asleep.flatMap((own, each) => ((own & bits) === 0 ? [] : [each]));
  return choices(met, Math.min(statement.most, met.length)).map((woken) => ({
    ...on,
    asleep: asleep.map((own, each) => (woken.includes(each) ? 0 : own)),
  }));
}

/** All ways to choose `count` of the numbers. */
function choices(numbers: readonly number[], count: number): readonly (readonly number[])[] {
  if (count === 0) return [[]];
  return numbers.flatMap((number, i) =>
    choices(numbers.slice(i + 1), count - 1).map((rest) => [number, ...rest]),
  );
}
