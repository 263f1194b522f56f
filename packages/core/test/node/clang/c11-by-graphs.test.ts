import { Budget } from '@fencewright/ground/base/budget.js';
import { checkC11 } from '@fencewright/engines/c11/check-c11.js';
import { describe, expect, test } from 'vitest';
import { isCampaign, randomRuns, randomSeed } from '../../../../../tools/random-runs.js';
import { answerByGraphs } from '../../../../engines/test/c11/all-graphs.js';
import {
  isPlainCell,
  type ProgramSketch,
  randomSketch,
  type Sketch,
} from '../../../../engines/test/c11/sketch.js';
import { allClangs } from './clangs.js';
import { readC } from './marked-c.js';

const order = (name: string): string => `memory_order_${name}`;

function inC(sketch: Sketch): string {
  switch (sketch.kind) {
    case 'load':
      return `r = atomic_load_explicit(&${sketch.cell}, ${order(sketch.order)});`;
    case 'plain-load':
      return `r = ${sketch.cell};`;
    case 'store':
      return `atomic_store_explicit(&${sketch.cell}, ${sketch.value}, ${order(sketch.order)});`;
    case 'plain-store':
      return `${sketch.cell} = ${sketch.value};`;
    case 'xchg':
      return `r = atomic_exchange_explicit(&${sketch.cell}, ${sketch.value}, ${order(sketch.order)});`;
    case 'fetch_add':
      return `r = atomic_fetch_add_explicit(&${sketch.cell}, ${sketch.value}, ${order(sketch.order)});`;
    case 'cas': {
      const orders = `${order(sketch.order)}, ${order(sketch.failure)}`;
      const call = `atomic_compare_exchange_strong_explicit(&${sketch.cell}, &e, ${sketch.value}, ${orders})`;
      const once = `e = ${sketch.expected};`;
      return sketch.waits ? `do { ${once} } while (!${call});` : `${once} r = ${call};`;
    }
    case 'await':
      return `while (atomic_load_explicit(&${sketch.cell}, ${order(sketch.order)}) != ${sketch.value}) ;`;
    case 'fence':
      return `atomic_thread_fence(${order(sketch.order)});`;
    case 'if':
      return `if (r == ${sketch.equals}) { ${sketch.then.map(inC).join(' ')} }`;
  }
}

/** Returns the program in C: `main` starts and joins a function for each thread. */
function textOf({ cells, threads }: ProgramSketch): string {
  const names = threads.map((_, thread) => `t${thread}`);
  const all = (call: (name: string) => string): string => names.map(call).join(' ');
  return [
    '#include <pthread.h>',
    '#include <stdatomic.h>',
    ...cells.map((cell) => `${isPlainCell(cell) ? 'int' : 'atomic_int'} ${cell};`),
    ...threads.map(
      (statements, thread) =>
        `void *t${thread}(void *u) { int r = 0, e = 0; (void)r; (void)e;\n  ${statements.map(inC).join('\n  ')}\n  return 0; }`,
    ),
    `int main(void) { pthread_t ${names.map((name) => `p${name}`).join(', ')};`,
    `  ${all((name) => `pthread_create(&p${name}, 0, ${name}, 0);`)}`,
    `  ${all((name) => `pthread_join(p${name}, 0);`)} }`,
  ].join('\n');
}

const [clang] = (await allClangs()).filter(({ kind }) => kind === 'native');

// Goes from the text through clang and LLVM's IR to the monitor; the judge uses none of these.
describe.skipIf(clang === undefined)('C programs against all their execution graphs', () => {
  test('by the definitions', async () => {
    const counts = { robust: 0, old: 0, buffering: 0, racy: 0 };
    const from = randomSeed(31_029);
    for (let seed = from; seed < from + randomRuns(12, 300); seed++) {
      const sketch = randomSketch(seed, { branches: true, plain: seed % 2 === 0 });
      const wanted = answerByGraphs(sketch, 'c11', 4000);
      if (!wanted) continue;
      const text = textOf(sketch);
      const program = await readC(clang!, `${seed}.c`, text);
      const { verdict, race } = await checkC11(program, 'c11', new Budget());
      const isBuffering =
        verdict.kind === 'not-robust' && verdict.violation.kind === 'load-buffering';
      const isDoubtful = verdict.kind === 'unknown' && verdict.limit === 'rmws-behind-loads';
      const isRobust = verdict.kind === 'robust' || isBuffering || isDoubtful;
      expect([isRobust, text]).toEqual([wanted.isRobust, text]);
      // Only robust programs have all their data races in interleavings.
      if (verdict.kind === 'robust') expect([race !== 'none', text]).toEqual([wanted.isRacy, text]);
      if (isBuffering) counts.buffering += 1;
      else counts[isRobust ? 'robust' : 'old'] += 1;
      if (wanted.isRacy) counts.racy += 1;
    }
    if (isCampaign) console.log(counts);
    expect(counts.robust).toBeGreaterThan(3);
    expect(counts.old).toBeGreaterThan(0);
    expect(counts.racy).toBeGreaterThan(0);
  });
});
