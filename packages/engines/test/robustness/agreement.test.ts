import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { check } from '../../../core/src/api/check.js';
import type { Program } from '@fencewright/model/program/program.js';
import { attacksByDefinition } from '@fencewright/reference/definitions/attacks-by-definition.js';
import { enumerateTraces } from '@fencewright/reference/definitions/enumerate-traces.js';
import { FeatureCount, programFeatures } from '@fencewright/reference/testing/program-features.js';
import { randomProgram } from '@fencewright/reference/testing/random-program.js';
import type { Attack } from '@fencewright/model/verdict/attack.js';

const runs = randomRuns(600, 20_000, 155);
const seed = randomSeed(20130318);

function names(attacks: readonly Attack[]): string[] {
  return attacks.map(({ thread, store, load }) => `${thread}:${store}:${load}`).sort();
}

/** Options for the engines, which switch each reduction on or off. */
const variants = [
  { engine: 'instrument' },
  { engine: 'instrument', without: ['local-first'] },
  { engine: 'instrument', without: ['dead-registers'] },
  { engine: 'instrument', without: ['freeze'] },
  { engine: 'single-query' },
  { engine: 'single-query', without: ['local-first', 'dead-registers', 'freeze'] },
  { engine: 'search' },
  { engine: 'search', without: ['static-path'] },
  { engine: 'search', without: ['static-path'], forTests: { stagesAfter: 0 } },
] as const;

async function disagreements(program: Program, count: FeatureCount): Promise<string[]> {
  const traces = enumerateTraces(program, { maxTracedStates: 50_000 });
  const definition = attacksByDefinition(program, 50_000);
  const features = programFeatures(program);
  if (!traces.complete || !definition.complete) {
    count.add([...features, 'too large for brute force']);
    return [];
  }
  const feasible = names(definition.feasible);
  const byTraces = traces.violation ? 'not-robust' : 'robust';
  const found: string[] = [];
  const complain = (who: string, what: string): void => void found.push(`${who}: ${what}`);
  if (feasible.length > 0 !== (byTraces === 'not-robust'))
    complain('definition of attacks', `${feasible.join(' ')} but the traces say ${byTraces}`);
  for (const variant of variants) {
    const who = JSON.stringify(variant);
    const all = await check(program, { ...variant, allAttacks: true });
    if (all.verdict.kind !== byTraces) complain(who, `${all.verdict.kind}, traces: ${byTraces}`);
    const own = names(
      all.attacks.filter(({ verdict }) => verdict === 'feasible').map(({ attack }) => attack),
    );
    if (own.join() !== feasible.join())
      complain(who, `${own.join(' ')}, by definition: ${feasible.join(' ')}`);
    const plain = await check(program, variant);
    if (plain.verdict.kind !== byTraces) complain(who, `stopping early: ${plain.verdict.kind}`);
  }
  const early = traces.violation?.some((action) => action.kind === 'load' && action.early);
  count.add([...features, byTraces, ...(early ? ['early read in the violation'] : [])]);
  return found;
}

test(`brute force and all engines agree on ${runs} random programs`, async () => {
  const count = new FeatureCount();
  await fc.assert(
    fc.asyncProperty(randomProgram(), async (program) => {
      expect(await disagreements(program, count)).toEqual([]);
    }),
    { numRuns: runs, seed },
  );
  console.info(count.toString());
  for (const feature of [
    'not-robust',
    'robust',
    'lock',
    'rmw cas',
    'rmw fetch_max',
    'rmw fetch_min',
    'computed address',
    'register in its own address',
    '3 threads',
    'branch',
    'dead end',
    'early read in the violation',
    'twin threads',
  ])
    expect(count.get(feature), feature).toBeGreaterThan(runs / 200);
});
