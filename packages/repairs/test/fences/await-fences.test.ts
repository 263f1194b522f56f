import { SeededRandom } from '@fencewright/ground/base/random.js';
import { repairNativeText } from '@fencewright/languages/native/repair-native.js';
import { parseText } from '@fencewright/languages/read/parse-text.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import { expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import type { FenceQuestion } from '../../../core/src/api/question.js';
import { decide } from '../../../core/src/api/decide.js';

/** The places for a fence in a text are marked by this sign, one before each statement. */
const slot = '§';

/** Returns the text with fences at the marked places in `fenced`, numbered from 0. */
function withFences(marked: string, fenced: readonly number[]): string {
  let place = -1;
  return marked.replaceAll(slot, () => (fenced.includes(++place) ? 'fence; ' : ''));
}

async function modelOf(source: string) {
  const { model, diagnostics } = await parseText('native', source);
  return model ?? expect.fail(`${source}\n${JSON.stringify(diagnostics)}`);
}

async function isRobust(source: string): Promise<boolean> {
  const answer = await decide(await modelOf(source), { kind: 'check' });
  const kind = answer.kind === 'check' ? answer.result?.verdict.kind : undefined;
  if (kind !== 'robust' && kind !== 'not-robust') return expect.fail(`${kind}: ${source}`);
  return kind === 'robust';
}

/** Returns the text with the cheapest fences. */
async function fencedText(
  source: string,
  question: Partial<Omit<FenceQuestion, 'kind' | 'text'>> = {},
): Promise<{ readonly text: string; readonly cost: number }> {
  const text = { format: 'native', source } as const;
  const asked = { kind: 'fence', text, ...question } as const;
  const answer = await decide(await modelOf(source), asked);
  if (answer.kind !== 'fence') return expect.fail(`${answer.kind}: ${source}`);
  const { verdict } = answer.fences.result;
  if (verdict.kind !== 'found') return expect.fail(`${verdict.kind}: ${source}`);
  return { text: answer.fences.text ?? source, cost: verdict.cost };
}

/** Returns all sets of `size` of the numbers below `bound`. */
function setsOf(size: number, bound: number): readonly (readonly number[])[] {
  if (size === 0) return [[]];
  return Array.from({ length: bound }, (_, last) => last).flatMap((last) =>
    setsOf(size - 1, last).map((rest) => [...rest, last]),
  );
}

/**
 * Returns the text of two threads in which waits for values (`await`) follow stores; `slot` marks
 * the places of fences.
 */
function randomMarkedText(random: SeededRandom): string {
  const cell = (): string => ['x', 'y', 'z'][random.below(3)]!;
  const awaited = (): string =>
    [
      `await (${cell()} == 1);`,
      `await (${cell()} == 1 || ${cell()} == 1);`,
      `await (${cell()} + ${cell()} > 0);`,
      `await (cas(${cell()}, 1, 2) == 1);`,
    ][random.below(4)]!;
  const statement = (label: string): string => {
    switch (random.below(8)) {
      case 0:
      case 1:
      case 2:
        return `${cell()} = 1;`;
      case 3:
        return `r = ${cell()};`;
      case 4:
        return `if (r == 1) { ${slot}${awaited()} }`;
      case 5:
        return `${label}: ${slot}${awaited()}`;
      default:
        return awaited();
    }
  };
  const body = (thread: string): string => {
    const all = Array.from({ length: 2 + random.below(2) }, (_, i) => statement(`${thread}${i}`));
    const written = [`${cell()} = 1;`, ...all];
    // A fence stands behind a label, so that jumps to the label pass the fence.
    return written.map((one) => (/^\w\d:/.test(one) ? one : slot + one)).join(' ');
  };
  const threads = ['a', 'b'].map((name) => `thread ${name} { local r; ${body(name)} }`);
  return ['program P', 'var x, y, z', ...threads].join('\n');
}

test('random programs: no smaller set of fences than the answer is enough, by checks of texts', async () => {
  const random = new SeededRandom(randomSeed(20_230_615));
  const count = { fenced: 0, beforeAwait: 0, smaller: 0 };
  for (let run = 0; run < randomRuns(100, 1500); run++) {
    const marked = randomMarkedText(random);
    const plain = withFences(marked, []);
    const { text, cost } = await fencedText(plain);
    expect(text.split('fence;').length - 1, plain).toBe(cost);
    expect(text.replaceAll(/\s*fence;/g, '').replaceAll(/\s/g, '')).toBe(
      plain.replaceAll(/\s/g, ''),
    );
    expect(await isRobust(text), text).toBe(true);
    const places = marked.split(slot).length - 1;
    for (let size = 0; size < cost; size++)
      for (const fenced of setsOf(size, places)) {
        const other = withFences(marked, fenced);
        expect(await isRobust(other), other).toBe(false);
        count.smaller++;
      }
    if (cost > 0) count.fenced++;
    if (/fence;\s*await/.test(text)) count.beforeAwait++;
  }
  expect(count.fenced).toBeGreaterThan(15);
  expect(count.beforeAwait).toBeGreaterThan(10);
  expect(count.smaller).toBeGreaterThan(50);
});

/** By the definition of `await`, the store of w may be late past the load of f. */
const handshake = `program W3
var w, f
thread a { w = 1; await (f == 1); }
thread b { local r; f = 1; r = w; }
`;
const fenced = handshake.replace('await', 'fence; await').replace('r = w', 'fence; r = w');

test.each([
  {},
  ...(['search', 'instrument', 'single-query'] as const).map((engine) => ({ engine })),
])('an await behind a store gets a fence in front: %j', async (engine) => {
  const { text, cost } = await fencedText(handshake, engine);
  expect(cost).toBe(2);
  expect(text).toBe(fenced);
});

test('mutual exclusion by flags and awaits takes a fence in front of each await', async () => {
  const flags = `program Flags
var x, y
thread a { x = 1; await (y == 0); ca: skip; }
thread b { y = 1; await (x == 0); cb: skip; }
property mutex: never (a @ ca && b @ cb)
`;
  const { text, cost } = await fencedText(flags, { properties: ['mutex'] });
  expect(cost).toBe(2);
  expect(text).toBe(flags.replaceAll('await', 'fence; await'));
});

test('the single statement of an if, and annotated statements, get the fence with them', async () => {
  const nested = handshake
    .replace('thread a { w = 1; await', 'thread a { local r; w = 1; if (r == 0) await')
    .replace('r = w', '@cost(3) r = w');
  const { text, cost } = await fencedText(nested);
  expect(cost).toBe(4);
  expect(await isRobust(text), text).toBe(true);
  const annotated = handshake.replace('await', '@cost(2) await');
  expect(await fencedText(annotated)).toMatchObject({ cost: 3 });
});

/**
 * Thread b may load l before its store of s is visible, and c stores to l in between. Thread a then
 * sees l == 1 in an iteration, and s == 0 in the next one: no heavy fence passed before the loop is
 * executed between the two loads.
 */
const twoIterations = `program H
var s, l
thread a { await (s + l == 2); }
thread b { local r; s = 1; @cost(9000) r = l; }
thread c { l = 1; }
`;

test('no heavy fence before an await stands for one in each iteration', async () => {
  expect(await isRobust(twoIterations.replace('await', 'heavy_fence; await'))).toBe(false);
  const { text, cost } = await fencedText(twoIterations, { mode: 'asymmetric' });
  expect(cost).toBe(9000);
  expect(await isRobust(text), text).toBe(true);
  const { model } = await parseText('native', twoIterations);
  const { threads } = finiteProgram(model) ?? expect.fail();
  const start = { kind: 'fence', thread: 0, location: threads[0]!.initial } as const;
  expect(repairNativeText(twoIterations, [start]).text).toContain('{ fence; await (');
  const { diagnostics } = repairNativeText(twoIterations, [{ ...start, heavy: 1 }]);
  expect(diagnostics.map(({ code }) => code)).toEqual(['FW1012']);
});
