import { unboundedModel, type UnboundedModel } from '@fencewright/model/program/model.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inCampaign, randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { checkParameterized } from '../../../core/src/api/check-parameterized.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { decideParameterized } from '@fencewright/engines/parameterized/decide-parameterized.js';
import { countsOfTotal } from '@fencewright/engines/parameterized/instances.js';
import { instantiate } from '@fencewright/model/program/instantiate.js';
import { attacksByDefinition } from '@fencewright/reference/definitions/attacks-by-definition.js';
import { enumerateTraces } from '@fencewright/reference/definitions/enumerate-traces.js';
import { FeatureCount } from '@fencewright/reference/testing/program-features.js';
import type { HappensBefore } from '@fencewright/model/trace/trace.js';
import { randomCopies } from './random-copies.js';

const runs = randomRuns(80, 5000);
const seed = randomSeed(20180304);

/** The maximum number of partial traces of an instance; larger instances are skipped. */
const maxTracedStates = inCampaign(4_000, 15_000);

/** Options with each step of the decision switched on and off. */
const variants = [
  {},
  { without: ['small-instances'] },
  { without: ['small-instances', 'static-path'] },
  { without: ['small-instances', 'dead-registers', 'owned-cells'] },
] as const;

interface Instances {
  /** The instances that are not robust: numbers of copies, joined to a string. */
  readonly broken: ReadonlySet<string>;
  /** The instances that were enumerated completely: numbers of copies, joined to a string. */
  readonly decided: ReadonlySet<string>;
  /** The attacks of the templates that are feasible in some instance. */
  readonly attacks: ReadonlySet<string>;
}

function attackKey(thread: number, store: number, load: number): string {
  return `${thread}:${store}:${load}`;
}

/**
 * Returns the verdicts by the definitions on the instances with up to three copies, and on their
 * attacks with up to two.
 */
function byDefinition(program: UnboundedModel, happensBefore: HappensBefore): Instances {
  const broken = new Set<string>();
  const decided = new Set<string>();
  const attacks = new Set<string>();
  for (const counts of [0, 1, 2, 3].flatMap((total) => countsOfTotal(program, total))) {
    const { program: instance, templateOf } = instantiate(program, counts);
    const options = { maxTracedStates, stopAtViolation: true, happensBefore };
    const { violation, complete } = enumerateTraces(instance, options);
    if (violation) broken.add(counts.join());
    if (violation || complete) decided.add(counts.join());
    if (templateOf.length > 3) continue;
    for (const { thread, store, load } of attacksByDefinition(instance, 4_000, happensBefore)
      .feasible)
      attacks.add(attackKey(templateOf[thread]!, store, load));
  }
  return { broken, decided, attacks };
}

/** Returns the features of a text that statistics count. */
function featuresOf(text: string): string[] {
  const blocks = text.match(/atomic \{.*?\}|lock;.*?unlock;/g) ?? [];
  const says = (feature: string, holds: boolean): string[] => (holds ? [feature] : []);
  return [
    ...says('lock block', blocks.length > 0),
    ...says(
      'rmw in a block',
      blocks.some((block) => /xchg|cas|fetch/.test(block)),
    ),
    ...says(
      'computed address in a block',
      blocks.some((block) => block.includes('& 1')),
    ),
    ...says(
      'branch in a block',
      blocks.some((block) => /if \((?!\*)|choose/.test(block)),
    ),
    ...says('block that may not be left', text.includes('if (*)')),
    ...says('single thread beside copies', /thread t\d \{/.test(text)),
  ];
}

async function disagreements(
  text: string,
  happensBefore: HappensBefore,
  count: FeatureCount,
): Promise<string[]> {
  const { model, diagnostics } = parseNative(text);
  const program = unboundedModel(model);
  if (!program) throw new Error(JSON.stringify(diagnostics));
  const found: string[] = [];
  const { broken, decided, attacks } = byDefinition(program, happensBefore);
  const limits = { maxStates: 50_000 };
  const features = featuresOf(text);
  for (const variant of variants) {
    const who = JSON.stringify(variant);
    const { result } = await checkParameterized(program, { limits, happensBefore, ...variant });
    const { verdict, scope } = result;
    if (verdict.kind === 'robust' && broken.size > 0)
      found.push(`${who}: robust, but with ${[...broken].join(' or ')} copies it is not`);
    if (verdict.kind === 'not-robust' && scope?.kind === 'instance') {
      const counts = program.templates.threads.map((_, t) => {
        const at = program.unbounded.indexOf(t);
        return at < 0 ? 1 : scope.copies[at]!.count;
      });
      if (decided.has(counts.join()) && !broken.has(counts.join()))
        found.push(`${who}: not robust with ${counts.join()} copies, which are`);
      features.push(
        ...(verdict.witness.cycle.some(({ relation }) => relation === 'lock')
          ? ['path back in a block']
          : []),
      );
    }
    features.push(`${who}: ${verdict.kind}`);
  }
  const options = { happensBefore, allAttacks: true, smallInstances: false };
  const each = await decideParameterized(program, { ...options, budget: new Budget(limits) });
  const refuted = each.attacks.filter(
    ({ verdict }) => verdict === 'by-cfg' || verdict === 'infeasible',
  );
  for (const { attack, verdict } of refuted)
    if (attacks.has(attackKey(attack.thread, attack.store, attack.load)))
      found.push(`attack ${JSON.stringify(attack)}: ${verdict}, but feasible in a small instance`);
  if (refuted.some(({ verdict }) => verdict === 'infeasible')) features.push('attack refuted');
  if (attacks.size > 0) features.push('attack feasible');
  const single = [...broken].some((counts) => counts.split(',').every((n) => Number(n) <= 1));
  if (broken.size > 0 && !single) features.push('two copies or more needed');
  if (decided.size > broken.size) features.push('instances decided robust');
  count.add([...new Set(features)]);
  return found;
}

test.each([
  { happensBefore: 'standard', runs },
  { happensBefore: 'value', runs: Math.ceil(runs / 4) },
] as const)(
  '$runs programs with lock blocks agree with the definitions on small instances, $happensBefore happens-before',
  async ({ happensBefore, runs }) => {
    const count = new FeatureCount();
    await fc.assert(
      fc.asyncProperty(randomCopies, async (text) => {
        expect(await disagreements(text, happensBefore, count)).toEqual([]);
      }),
      { numRuns: runs, seed },
    );
    console.info(count.toString());
    for (const [feature, share] of [
      ['rmw in a block', 5],
      ['computed address in a block', 10],
      ['branch in a block', 10],
      ['block that may not be left', 10],
      ['single thread beside copies', 3],
      ['path back in a block', 20],
      ['attack refuted', 10],
      ['attack feasible', 4],
      ['instances decided robust', 4],
      ['{}: robust', 5],
      ['{}: not-robust', 5],
    ] as const)
      expect(count.get(feature), feature).toBeGreaterThan(runs / share / 2);
  },
);
