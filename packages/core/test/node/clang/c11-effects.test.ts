import { parseLlvmIr } from '@fencewright/languages/llvm-ir/parse-llvm-ir.js';
import { describe, expect, test } from 'vitest';
import { isCampaign, randomRuns, randomSeed } from '../../../../../tools/random-runs.js';
import { allOutcomes } from '../../../../engines/test/c11/all-outcomes.js';
import { publicationSketch } from '../../../../engines/test/c11/publication-sketch.js';
import { randomSketch } from '../../../../engines/test/c11/sketch.js';
import { decide } from '../../../src/api/decide.js';
import { compileC } from '../../../src/node/compile-c.js';
import type { C11Result } from '@fencewright/model/verdict/c11-result.js';
import { allClangs, shipped } from './clangs.js';
import { sketchInC } from './sketch-in-c.js';

const [clang] = (await allClangs()).filter(({ kind }) => kind === 'native');

async function answerTo(file: string, text: string): Promise<C11Result> {
  const compiled = await compileC(clang!, [{ file, text }], { folder: '/', shipped });
  if (compiled.kind !== 'compiled') throw new Error(`${JSON.stringify(compiled)}\n${text}`);
  const { model, diagnostics } = parseLlvmIr(compiled.modules, { main: file });
  if (!model) throw new Error(`${JSON.stringify(diagnostics)}\n${text}`);
  const answer = await decide(model, { kind: 'c11', model: 'c11' });
  if (answer.kind !== 'c11') throw new Error(answer.kind);
  return answer.result;
}

const order = (name: string): string => `memory_order_${name}`;

/**
 * Returns a program of store buffering. `kept` is the text before each load: an assignment, or
 * `(void)`. In this text `%` stands for the number of the thread.
 */
const storeBuffering = (kept: string): string => `#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y; int r1, r2;
void *f(void *u) {
  atomic_store_explicit(&x, 1, ${order('release')});
  ${kept.replace('%', '1')} atomic_load_explicit(&y, ${order('acquire')});
  return 0;
}
void *g(void *u) {
  atomic_store_explicit(&y, 1, ${order('release')});
  ${kept.replace('%', '2')} atomic_load_explicit(&x, ${order('acquire')});
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0);
  pthread_join(a, 0); pthread_join(b, 0);
}`;

/**
 * Returns a C program whose threads compare and exchange `x` or `y`, and then store to the other
 * variable.
 */
function crossing(strength: string, stored: string): string {
  const compare = (cell: string): string =>
    `int e = 0; atomic_compare_exchange_${strength}_explicit(&${cell}, &e, 2, ${order('relaxed')}, ${order('relaxed')});`;
  const store = (cell: string): string =>
    `atomic_store_explicit(&${cell}, ${stored}, ${order('relaxed')});`;
  return `#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y; int r1, r2;
void *f(void *u) { ${compare('x')} ${store('y')} r1 = e; return 0; }
void *g(void *u) { ${compare('y')} ${store('x')} r2 = e; return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, f, 0); pthread_create(&b, 0, g, 0);
  pthread_join(a, 0); pthread_join(b, 0);
}`;
}

describe.skipIf(clang === undefined)('what violations of C11 lead to, in C', () => {
  // A compare-exchange that fails sets the expected value. The text has no condition there, and
  // with ARM's `cas` compilers make no branch: only the expected value depends on the exchange.
  test.each(['strong', 'weak'])('a store overtakes a compare-exchange, %s', async (strength) => {
    const { verdict } = await answerTo('crossing.c', crossing(strength, '1'));
    if (verdict.kind !== 'not-robust') throw new Error(verdict.kind);
    expect(verdict.violation.kind).toBe('load-buffering');
    const dependent = await answerTo('dependent.c', crossing(strength, 'e + 1'));
    expect(dependent.verdict.kind).toBe('robust');
  });

  // Only the variables tell the execution in which both loads read 0 from interleavings.
  test('final states have the variables that one thread alone accesses', async () => {
    const seen = await answerTo('seen.c', storeBuffering('r% ='));
    expect([seen.verdict.kind, seen.effect?.kind]).toEqual(['not-robust', 'unknown']);
    const unseen = await answerTo('unseen.c', storeBuffering('(void)'));
    expect([unseen.verdict.kind, unseen.effect?.kind]).toEqual(['not-robust', 'none']);
  });

  test('random programs that keep what they read, against all execution graphs', async () => {
    const counts: Record<string, number> = {};
    const from = randomSeed(71_029);
    for (let seed = from; seed < from + randomRuns(20, 300); seed++) {
      const sketch =
        seed % 2 === 0
          ? publicationSketch(seed, true)
          : randomSketch(seed, { branches: true, plain: false });
      const outcomes = allOutcomes(sketch, 3000);
      if (!outcomes) continue;
      const text = sketchInC(sketch, true);
      const { verdict, effect } = await answerTo(`${seed}.c`, text);
      const areSame = [...outcomes.c11.finals].every((one) => outcomes.sc.finals.has(one));
      if (verdict.kind === 'robust' || effect?.kind === 'none')
        expect([areSame, text]).toEqual([true, text]);
      const said = verdict.kind === 'not-robust' ? `effect: ${effect?.kind}` : verdict.kind;
      counts[said] = (counts[said] ?? 0) + 1;
      if (!areSame) counts.different = (counts.different ?? 0) + 1;
    }
    if (isCampaign) console.log(counts);
    expect(counts['effect: none']).toBeGreaterThan(0);
    expect(counts.different).toBeGreaterThan(0);
  });
});
