import { describe, expect, it } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { clang, compiled, judged, linesOf, why } from './freed-in-c.js';
import { printFrees, randomFrees, randomProtections, usesByEnumeration } from './random-freed-c.js';

const runs = randomRuns(60, 5000, 20);
const first = randomSeed(0);

/**
 * Returns a C program with two threads that may get the same block. The first executes `uses`, the
 * second `frees`.
 */
const shared = (uses: string, frees: string): string => `#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <assert.h>
_Atomic(volatile int *) slot;
void *user(void *arg) {
  volatile int *p = atomic_load(&slot);
  ${uses}
  return 0;
}
void *freer(void *arg) {
  volatile int *p = atomic_exchange(&slot, 0);
  ${frees}
  return 0;
}
int main(void) {
  volatile int *first = malloc(4);
  *first = 1;
  slot = first;
  pthread_t a, b;
  pthread_create(&a, 0, user, 0);
  pthread_create(&b, 0, freer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
`;

describe.skipIf(!clang)(`uses of freed memory${why}`, () => {
  it('are no assertions of the program that fail', async () => {
    const texts = [
      shared('if (p) *p = 2;', 'assert(!p); if (p) *p = 3; free(malloc(4));'),
      shared('assert(p && *p == 2);', 'if (p) *p = 2; free((void *)p);'),
    ];
    const programs = await compiled(texts, 'asserts');
    expect(await Promise.all(programs.map((each) => linesOf(each, 'SC')))).toEqual([[], [8]]);
  });

  it('are those that an enumeration of all interleavings finds', async () => {
    const counts = { used: 0, unused: 0, twice: 0, again: 0, lines: 0 };
    const disagreements: unknown[] = [];
    const all = Array.from({ length: runs }, (_, i) => randomFrees(first + i));
    for (let from = 0; from < runs; from += 50) {
      const chunk = all.slice(from, from + 50);
      const programs = await compiled(
        chunk.map((each) => printFrees(each).text),
        `freed${from}-`,
      );
      for (const [i, each] of chunk.entries()) {
        const [said, known] = [await linesOf(programs[i]!, 'SC'), usesByEnumeration(each)];
        if (JSON.stringify(said) !== JSON.stringify(known))
          disagreements.push({ seed: first + from + i, said, known });
        counts[known.length > 0 ? 'used' : 'unused']++;
        counts.lines += known.length;
        const { lines } = printFrees(each);
        const isAt = (kind: string): boolean =>
          each.threads.some((body, t) =>
            body.some((one, at) => one.kind === kind && known.includes(lines[t]![at]!)),
          );
        if (isAt('free')) counts.twice++;
        if (each.threads.flat().some(({ kind }) => kind === 'allocate')) counts.again++;
      }
    }
    expect(disagreements).toEqual([]);
    for (const least of Object.values(counts)) expect(least).toBeGreaterThan(runs / 10);
    // Each use has an execution, judged by the machine.
    expect(judged.runs).toBeGreaterThan(counts.lines / 2);
  });

  it('are those that an enumeration finds in which stores wait in buffers', async () => {
    const counts = { programs: 0, used: 0, onlyByBuffers: 0 };
    const disagreements: unknown[] = [];
    const all = Array.from({ length: runs }, (_, i) => randomProtections(first + i));
    for (let from = 0; from < runs; from += 50) {
      const chunk = all.slice(from, from + 50);
      const programs = await compiled(
        chunk.map((each) => printFrees(each).text),
        `protected${from}-`,
      );
      for (const [i, each] of chunk.entries()) {
        const said = await linesOf(programs[i]!, 'TSO');
        const known = usesByEnumeration(each, true);
        if (JSON.stringify(said) !== JSON.stringify(known))
          disagreements.push({ seed: first + from + i, said, known });
        counts.programs++;
        if (known.length > 0) counts.used++;
        if (known.length > usesByEnumeration(each).length) counts.onlyByBuffers++;
      }
    }
    console.log(JSON.stringify(counts));
    expect(disagreements).toEqual([]);
    expect(counts.used).toBeLessThan(0.9 * runs);
    expect(counts.onlyByBuffers).toBeGreaterThan(runs / 10);
  });
});
