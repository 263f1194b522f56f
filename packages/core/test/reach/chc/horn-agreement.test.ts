import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { check } from '../../../src/api/check.js';
import { chooseSmtSolver } from '../../../src/node/choose-smt-solver.js';
import { randomProgram } from '../../../src/testing/random-program.js';
import type { CheckResult } from '../../../src/verdict/verdict.js';

/** A long run sets FENCEWRIGHT_HORN_RUNS=150 and its own FENCEWRIGHT_SEED. */
const runs = Number(process.env.FENCEWRIGHT_HORN_RUNS ?? 24);
const seed = Number(process.env.FENCEWRIGHT_SEED ?? 20130318);

const smtSolver = chooseSmtSolver();
afterAll(() => smtSolver.close());

function decided({ attacks }: CheckResult): string[] {
  return attacks.flatMap(({ attack: { thread, store, load }, verdict }) =>
    verdict === 'unknown' ? [] : [`${thread}:${store}:${load} ${verdict}`],
  );
}

const counts = new Map<string, number>();

async function disagreements(program: Parameters<typeof check>[0]): Promise<string[]> {
  const limits = { maxStates: 200_000 };
  const search = await check(program, { allAttacks: true, limits });
  const chc = await check(program, { engine: 'chc', smtSolver, allAttacks: true });
  const kind = `${search.verdict.kind} ${chc.verdict.kind}`;
  counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const known = new Set(decided(search));
  return search.verdict.kind === 'unknown'
    ? []
    : decided(chc).filter((attack) => !known.has(attack));
}

test(`chc contradicts search on none of ${runs} random programs`, async () => {
  const program = fc.oneof(
    randomProgram({ maxThreads: 2, maxItems: 3 }),
    randomProgram({ maxThreads: 2, maxItems: 3, loops: true }),
    randomProgram({ maxThreads: 3, maxItems: 2 }),
  );
  await fc.assert(
    fc.asyncProperty(program, async (random) => {
      expect(await disagreements(random)).toEqual([]);
    }),
    { numRuns: runs, seed },
  );
  const told = [...counts].map(([kind, count]) => `${kind}: ${count}`).join('\n');
  console.info(`search and chc\n${told}`);
  // Both answers occur, and chc gives up on few.
  expect(counts.get('robust robust') ?? 0).toBeGreaterThan(runs / 10);
  expect(counts.get('not-robust not-robust') ?? 0).toBeGreaterThan(runs / 10);
  const open = [...counts].filter(([kind]) => kind.endsWith('unknown'));
  expect(open.reduce((sum, [, count]) => sum + count, 0)).toBeLessThan(runs / 4);
}, 3_600_000);
