import { Budget } from '@fencewright/ground/base/budget.js';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import type { C11Model } from '@fencewright/model/c11/execution-graph.js';
import type { C11Result } from '@fencewright/model/verdict/c11-result.js';
import { describe, expect, test } from 'vitest';
import { isCampaign, randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { checkC11 } from '../../src/c11/check-c11.js';
import { type ArmExecution, armExecutions } from './armv8-judge.js';
import {
  type ArmSketch,
  armSketchOf,
  compileForArm,
  programOfArm,
  textOfArm,
} from './armv8-sketch.js';
import { bufferingAcrossRmw } from './buffering-across-rmws.js';
import { casBehindLoad } from './cas-behind-load.js';
import { forwardingSketch } from './forwarding-sketch.js';
import { lateLoadSketch } from './late-load-sketch.js';
import { otherTestsSketch } from './other-tests-sketch.js';
import {
  bufferingBesideOldLoads,
  bufferingSketch,
  publicationSketch,
} from './publication-sketch.js';
import { rmwsAsSections } from './rmws-as-sections.js';
import { randomSketch } from './sketch.js';

/** Returns all executions of a program, compiled with pairs of exclusives and with LSE. */
function executionsOf(
  sketch: ArmSketch,
  model: C11Model,
  most: number,
): ArmExecution[] | undefined {
  const all: ArmExecution[] = [];
  const hasAssertion = JSON.stringify(sketch).includes('"assert"');
  for (const hasLse of [false, true])
    for (const keepsAssertions of hasAssertion ? [false, true] : [true]) {
      const mapping = { hasRcpc: true, hasLse, isRA: model === 'ra', keepsAssertions };
      const found = armExecutions(compileForArm(sketch, mapping), most);
      if (!found) return undefined;
      all.push(...found);
    }
  return all;
}

/**
 * Adds an assertion to a program, mostly one that fails only in executions that are no
 * interleavings.
 */
function withAssertion(seed: number, sketch: ArmSketch, all: readonly ArmExecution[]): ArmSketch {
  const random = new SeededRandom(seed + 7);
  if (random.below(3) === 0) return sketch;
  const results = (some: readonly ArmExecution[]): ReadonlySet<string> =>
    new Set(
      some.flatMap(({ registers }) =>
        registers.flatMap((own, thread) =>
          ['r', 's', 'q', 'v', 'k'].map((name) => `${thread} ${name} ${own[name] ?? 0}`),
        ),
      ),
    );
  const ofSC = results(all.filter(({ isSC }) => isSC));
  const weak = [...results(all)].filter((one) => !ofSC.has(one));
  const claims =
    weak.length > 0 && random.below(4) > 0 ? weak : ['0 s 2', '1 r 2', '0 r 1', '1 r 1'];
  const [thread, register, not] = claims[random.below(claims.length)]!.split(' ');
  const claim = { kind: 'assert', register: register!, not: Number(not) } as const;
  const threads = sketch.threads.map((code, t) => (t === Number(thread) ? [...code, claim] : code));
  return { ...sketch, threads };
}

function failing(all: readonly ArmExecution[]): readonly string[] {
  return [...new Set(all.flatMap(({ failed }) => failed.map(String)))].sort();
}

/** Returns why the answer is wrong on ARM; `undefined` if the answer is right. */
function wrongOf(
  { verdict, effect, assertions }: C11Result,
  all: readonly ArmExecution[],
): string | undefined {
  const ofSC = all.filter(({ isSC }) => isSC);
  const memories = new Set(ofSC.map(({ memory }) => memory));
  const areSameFailing = failing(all).join() === failing(ofSC).join();
  const areSameMemories = all.every(({ memory }) => memories.has(memory));
  const weak = all.find(({ isSC }) => !isSC);
  if (verdict.kind === 'robust' && weak) return `robust: ${JSON.stringify(weak)}`;
  if (effect?.kind === 'none' && !(areSameFailing && areSameMemories)) return 'none';
  if (effect?.kind === 'no-assertion' && !areSameFailing) return 'no-assertion';
  if (assertions === 'hold' && failing(all).length > 0) return 'assertions hold';
  return undefined;
}

/** The features that the random programs must contain, each as a pattern of the program's text. */
const features = {
  'seq_cst store': /store\([^;]*seq_cst\)/,
  'release store': /store\([^;]*release\)/,
  'acquiring load': /load\([^;]*(acquire|seq_cst)\)/,
  cas: /= cas\(/,
  'cas that compares with a loaded value': /cas\(\w+, [rsq]/,
  'cas that stores a loaded value': /cas\(\w+, \w+, [rsq]/,
  'cas in a loop': /while \(!cas/,
  'other rmw': /(xchg|fetch_add)\(/,
  'rmw of a loaded value': /(xchg|fetch_add)\(\w+, [rsq]/,
  wait: /await/,
  condition: /if \(/,
  address: /a\[/,
  fence: /fence/,
} as const;

/**
 * Features that programs with tests of other registers must contain, as patterns of their texts.
 */
const tests = {
  'loop that tests another register first': /r = load\(x[^}]*\} while \(k/,
  'condition that tests another register first': /if \(k[^{]*\{/,
  'condition with &&': /if \([^)]*&&/,
  'condition with ||': /if \([^)]*\|\|/,
  'section that tests': /atomic \{/,
  'assertion in the middle': /assert[^;]*;\s*[a-z]/,
  'value with &&': /store\([^;]*&&/,
} as const;

/** Compares the answers to random programs with all their executions; returns counts. */
async function compare(
  sketchOf: (seed: number) => ArmSketch,
  model: C11Model,
  count: number,
): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  const countOne = (word: string): number => (counts[word] = (counts[word] ?? 0) + 1);
  const wrongs: string[] = [];
  const first = randomSeed(80_000);
  for (let seed = first; seed < first + count; seed++) {
    const bare = sketchOf(seed);
    const most = isCampaign ? 20_000 : 3000;
    const before = executionsOf(bare, model, most);
    const sketch = before && withAssertion(seed, bare, before);
    const all = sketch && executionsOf(sketch, model, most);
    if (!all) {
      countOne('skipped');
      continue;
    }
    const text = textOfArm(sketch);
    // In some programs, read-modify-writes are lock sections, and a `cas` returns the value found,
    // as in libraries of C.
    const program = programOfArm(sketch);
    const isInSections = seed % 4 === 0 && !text.includes('while (');
    const asked = isInSections ? rmwsAsSections(program) : program;
    const result = await checkC11(asked, model, new Budget({ maxStates: 50_000 }));
    const wrong = wrongOf(result, all);
    if (wrong) wrongs.push(`seed ${seed}, ${model}: ${wrong}\n${text}`);
    for (const [feature, pattern] of Object.entries({ ...features, ...tests }))
      if (pattern.test(text)) countOne(feature);
    const { verdict, effect, assertions } = result;
    const isWeak = all.some(({ isSC }) => !isSC);
    const word = verdict.kind === 'not-robust' ? verdict.violation.kind : verdict.kind;
    countOne(effect ? `${word}, effect ${effect.kind}` : word);
    if (assertions === 'hold') countOne('assertions hold');
    if (isWeak) countOne('weak on ARM');
    else if (word !== 'robust') countOne(`${word}, not weak on ARM`);
    if (all.some(({ isLoadBuffering }) => isLoadBuffering)) countOne('load buffering on ARM');
  }
  if (isCampaign) console.log(model, counts);
  expect(wrongs).toEqual([]);
  return counts;
}

describe('random programs, compiled for AArch64, against all executions of ARMv8', () => {
  test('loads that later stores may overtake', async () => {
    const counts = await compare(lateLoadSketch, 'c11', randomRuns(100, 5000, 30));
    for (const word of ['robust', 'unknown', 'load buffering on ARM', ...Object.keys(features)])
      expect(counts[word] ?? 0, word).toBeGreaterThan(0);
  });

  test('tests of other registers, and operators that leave out', async () => {
    const counts = await compare(otherTestsSketch, 'c11', randomRuns(100, 5000, 30));
    for (const word of ['robust', 'load-buffering', 'load buffering on ARM', ...Object.keys(tests)])
      expect(counts[word] ?? 0, word).toBeGreaterThan(0);
  });

  const kinds = { branches: false, plain: false };
  test.each([
    ['the same, by release and acquire', lateLoadSketch, 'ra', 15],
    ['across rmws', (seed: number) => armSketchOf(bufferingAcrossRmw(seed)), 'c11', 15],
    ['a cas behind the load', (seed: number) => armSketchOf(casBehindLoad(seed)), 'c11', 30],
    ['of all kinds', (seed: number) => armSketchOf(randomSketch(seed, kinds)), 'c11', 30],
    ['that publish', (seed: number) => armSketchOf(publicationSketch(seed, false)), 'c11', 20],
    ['forwarded stores', (seed: number) => armSketchOf(forwardingSketch(seed)), 'c11', 40],
    ['load buffering alone', (seed: number) => armSketchOf(bufferingSketch(seed)), 'c11', 10],
    ['beside old loads', (seed: number) => armSketchOf(bufferingBesideOldLoads(seed)), 'c11', 4],
  ] as const)('%s', async (_, sketchOf, model, usual) => {
    const counts = await compare(sketchOf, model, randomRuns(usual, usual * 50));
    expect(counts['weak on ARM']).toBeGreaterThan(0);
  });
});
