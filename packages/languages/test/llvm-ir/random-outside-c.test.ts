import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { check } from '../../../core/src/api/check.js';
import { reach } from '../../../core/src/api/reach.js';
import type { Narrowings } from '../../src/llvm-ir/outside-choices.js';
import { parseLlvmIr } from '../../src/llvm-ir/parse-llvm-ir.js';
import { compileC } from '../../../core/src/node/compile-c.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import { folderOfTests, nativeClang, shipped } from '../../../core/test/node/clang/clangs.js';
import { diceOf } from './dice.js';

const runs = randomRuns(12, 400, 6);
const first = randomSeed(0);

const { clang, why } = await nativeClang();
const folder = folderOfTests();

/** The maximum number of command-line words that a text distinguishes. */
const greatest = 4;

/**
 * Returns a program whose `main` acts depending on the number of its arguments, and asserts a
 * condition.
 */
function randomText(seed: number): { readonly text: string; readonly loops: boolean } {
  const dice = diceOf(seed);
  const { below, pick: one } = dice;
  const cell = (): string => one(['x', 'y']);
  const body = (own: string): string =>
    Array.from({ length: 2 + below(2) }, () =>
      one([
        `atomic_store_explicit(&${cell()}, ${1 + below(2)}, memory_order_relaxed);`,
        `${own} = atomic_load(&${cell()});`,
        `if (atomic_load_explicit(&n, memory_order_relaxed) == 1) ${own} = atomic_load(&${cell()});`,
        'atomic_thread_fence(memory_order_seq_cst);',
      ]),
    ).join('\n  ');
  const condition = (): string =>
    one(['1', 'argc > 1', 'argc > 2', 'argc == 2', 'argc != 3', '!(argc < 3)']);
  const between = (): string =>
    one([
      '',
      `atomic_store_explicit(&${cell()}, 3, memory_order_relaxed);`,
      `atomic_store_explicit(&n, argc > ${1 + below(2)} ? 1 : 0, memory_order_relaxed);`,
      `if (${condition()}) atomic_store_explicit(&n, 1, memory_order_relaxed);`,
      `m = atomic_load(&${cell()});`,
    ]);
  const [left, right] = [condition(), condition()];
  const loops = below(4) === 0;
  // If an input is used once, more is known about its value than if it is used repeatedly.
  const isOnce = !loops && below(3) === 0;
  const both = `pthread_create(&p[0], 0, left, 0);
    pthread_create(&p[1], 0, right, 0);
    pthread_join(p[0], 0);
    pthread_join(p[1], 0);`;
  const start = loops
    ? `for (int i = 1; i < argc && i < 3; i++) pthread_create(&p[i - 1], 0, i == 1 ? left : right, 0);`
    : isOnce
      ? `if (${left}) {
    ${both}
  }`
      : `if (${left}) pthread_create(&p[0], 0, left, 0);
  ${between()}
  if (${right}) pthread_create(&p[1], 0, right, 0);`;
  const end = loops
    ? 'for (int i = 1; i < argc && i < 3; i++) pthread_join(p[i - 1], 0);'
    : isOnce
      ? ''
      : `if (${left}) pthread_join(p[0], 0);
  if (${right}) pthread_join(p[1], 0);`;
  const text = `#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y, n;
int r0 = 9, r1 = 9, m;
static void *left(void *a) {
  ${body('r0')}
  return a;
}
static void *right(void *a) {
  ${body('r1')}
  return a;
}
MAIN
  pthread_t p[2];
  ${isOnce ? '' : between()}
  ${start}
  ${isOnce ? '' : between()}
  ${end}
  assert(!(r0 == ${one([0, 1, 9])} && r1 == ${one([0, 1, 9])}));
}
`;
  return { text, loops };
}

interface Said {
  readonly isRobust: boolean;
  readonly sc: boolean;
  readonly tso: boolean;
}

/** Returns the tool's answers about a C text; `refused` if the tool refuses the text. */
async function saidOf(text: string, outside: Narrowings): Promise<Said | 'refused'> {
  writeFileSync(path.join(folder, 'program.c'), text);
  const compiled = await compileC(clang!, [{ file: 'program.c' }], { folder, shipped });
  if (compiled.kind !== 'compiled') throw new Error(JSON.stringify(compiled));
  const { model, diagnostics } = parseLlvmIr(compiled.modules, { main: 'program.c', outside });
  const program = finiteProgram(model);
  if (!program) {
    // An assertion that fails while `main` is run beforehand is the only diagnostic.
    const fails = diagnostics.some(({ message }) =>
      message.startsWith('an assertion fails before'),
    );
    return fails ? { isRobust: true, sc: true, tso: true } : 'refused';
  }
  const { verdict } = await check(program);
  expect(['robust', 'not-robust'], text).toContain(verdict.kind);
  const { sc, tso } = await reach(program);
  const fails = ({ failedAssertions }: typeof sc): boolean => failedAssertions.length > 0;
  return { isRobust: verdict.kind === 'robust', sc: fails(sc), tso: fails(tso) };
}

const fixed = (text: string, argc: number): string =>
  text.replace('MAIN', `int main(void) {\n  int argc = ${argc};`);

describe.runIf(clang)(`programs whose argc is not known${why}`, () => {
  it('do what they do for some number of words', async () => {
    const counts = { decided: 0, refused: 0, differ: 0, loops: 0 };
    for (let seed = first; seed < first + runs; seed++) {
      const { text, loops } = randomText(seed);
      const each: (Said | 'refused')[] = [];
      for (let argc = 1; argc <= greatest; argc++) each.push(await saidOf(fixed(text, argc), {}));
      const known = each.filter((said) => said !== 'refused');
      expect(known, text).toHaveLength(greatest);
      const expected: Said = {
        isRobust: known.every(({ isRobust }) => isRobust),
        sc: known.some(({ sc }) => sc),
        tso: known.some(({ tso }) => tso),
      };
      const free = text.replace('MAIN', 'int main(int argc, char **argv) {');
      const narrowed = await saidOf(free, { argc: { low: 1, high: greatest } });
      expect(narrowed, free).toEqual(expected);
      const whole = await saidOf(free, {});
      if (whole === 'refused') counts.refused += 1;
      else expect(whole, free).toEqual(expected);
      counts.decided += whole === 'refused' ? 0 : 1;
      counts.loops += loops ? 1 : 0;
      counts.differ += new Set(known.map((said) => JSON.stringify(said))).size > 1 ? 1 : 0;
    }
    for (const [what, count] of Object.entries(counts))
      if (what !== 'refused') expect(count, what).toBeGreaterThan(0);
  });
});
