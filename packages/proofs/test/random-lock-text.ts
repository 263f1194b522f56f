import fc from 'fast-check';

/**
 * Statements that take the lock `l` in different ways; `missed` is executed if an attempt to take
 * the lock fails.
 */
const takes: readonly ((missed: string) => string)[] = [
  () => 'do { o = cas(l, 0, 1); } while (o == 0);',
  () => 'while (!cas(l, 0, 1)) { }',
  () => 'do { o = xchg(l, 1); } while (o == 1);',
  () => 'loop { o = xchg(l, 1); if (o == 0) break; while (l == 1) { } }',
  () => 'loop { while (l == 1) { } o = cas(l, 0, 1); if (o == 1) break; }',
  (missed) => `o = cas(l, 0, 1); if (o == 0) { ${missed} goto end; }`,
  (missed) => `o = xchg(l, 1); if (o == 1) { ${missed} goto end; }`,
  (missed) =>
    `o = cas(l, 0, 1); if (o == 0) { o = cas(l, 0, 1); if (o == 0) { ${missed} goto end; } }`,
  (missed) => `do { o = xchg(l, 1); if (o == 1) { ${missed} } } while (o == 1);`,
  // No lock at all: a thread that goes on without the lock releases it for others.
  () => 'o = cas(l, 0, 1);',
  () => 'o = xchg(l, 1);',
  () => '',
];

const loads = ['r = x;', 'r = y;', 's = x;', 's = y;'];
const accesses = ['x = 1;', 'y = 1;', 'x = 2;', 'x = r;', ...loads];
const some = (maxLength: number) => fc.array(fc.constantFrom(...accesses), { maxLength });

/**
 * A thread with a critical section: the labels at which the thread holds the lock, and the body.
 */
interface RandomThread {
  readonly labels: readonly string[];
  readonly body: string;
}

const thread: fc.Arbitrary<RandomThread> = fc
  .record({
    before: some(1),
    take: fc.constantFrom(...takes),
    missed: fc.constantFrom('', 'y = 2;', 's = 3;'),
    inside: some(1),
    after: fc.tuple(fc.constantFrom(...loads), some(1)).map(([load, more]) => [load, ...more]),
    repeats: fc.nat(5).map((n) => n === 0),
  })
  .map(({ before, take, missed, inside, after, repeats }) => {
    const held = [...inside, 'l = 0;'].map((text, i) => `c${i}: ${text}`);
    const body = `${before.join(' ')} ${take(missed)} ${held.join(' ')} ${after.join(' ')} end: skip;`;
    return {
      labels: held.map((_, i) => `c${i}`),
      body: repeats ? `while (*) { ${body} }` : body,
    };
  });

/** A random program with a lock, and the usual invariants of a lock, for `prove`. */
export interface RandomLockProgram {
  readonly text: string;
  /**
   * The numbers of copies of the threads in an instance of at most three threads; 1 for single
   * threads.
   */
  readonly copies: readonly number[];
}

/**
 * Random programs with rmws that may fail, mostly in loops, and with loads and stores around them.
 */
export const randomLockProgram: fc.Arbitrary<RandomLockProgram> = fc
  .record({
    threads: fc.array(thread, { minLength: 1, maxLength: 2 }),
    isAny: fc.boolean(),
  })
  .map(({ threads, isAny }) => {
    // A single thread has any number of copies.
    const single = threads.length === 1;
    const unbounded = single || (isAny && threads.length === 2) ? threads.length - 1 : -1;
    const name = (id: number): string => `t${id}`;
    const inside = (who: string, { labels }: RandomThread): string =>
      labels.map((label) => `${who} @ ${label}`).join(' || ');
    const parts = threads.map(
      ({ body }, id) =>
        `thread ${name(id)}${id === unbounded ? '[*]' : ''} { local o, r, s; ${body} }`,
    );
    const held = threads.map(
      (one, id) => `invariant held${id}(a: ${name(id)}): ${inside('a', one)} ==> l == 1`,
    );
    const exclusive = threads.flatMap((one, i) =>
      threads.flatMap((other, j) =>
        j < i || (i === j && i !== unbounded)
          ? []
          : [
              `invariant one${i}${j}(a: ${name(i)}, b: ${name(j)}): ${inside('a', one)} ==> !(${inside('b', other)})`,
            ],
      ),
    );
    return {
      text: ['program P', 'var l, x, y', ...parts, ...held, ...exclusive].join('\n'),
      copies: threads.map((_, id) => (id !== unbounded ? 1 : single ? 3 : 2)),
    };
  });
