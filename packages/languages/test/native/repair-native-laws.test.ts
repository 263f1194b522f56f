import { finiteProgram } from '@fencewright/model/program/model.js';
import { expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { check } from '../../../core/src/api/check.js';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import { applyRepair, removableInstructions } from '@fencewright/repairs/fences/apply-repair.js';
import { withoutRemovable } from '../../../repairs/test/fences/without-removable.js';
import type { Repair } from '@fencewright/model/program/repair.js';
import { nativeInsertionPoints } from '../../src/native/insertion-points.js';
import { parseNative } from '../../src/native/parse-native.js';
import { repairNativeText } from '../../src/native/repair-native.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { SourceRepair } from '@fencewright/model/program/source-repair.js';
import {
  enumerateAttacks,
  isInfeasibleByControlFlow,
} from '@fencewright/engines/robustness/attacks.js';
import { folders, loadCorpus } from '../../../core/test/corpus/load-corpus.js';
import { parseGood } from './listing.js';
import { randomStructuredText } from './random-structured-text.js';

const runs = randomRuns(400, 8000, 65);
const seed = randomSeed(20130705);

/** Returns every repair that the text allows. */
function possibleRepairs(text: string, program: Program): readonly SourceRepair[] {
  const points = nativeInsertionPoints(text, { withEnds: true }) ?? [];
  return program.threads.flatMap((own, thread) => [
    ...[...(points[thread]?.keys() ?? [])].map((location): SourceRepair => ({
      kind: 'fence',
      thread,
      location,
    })),
    ...own.transitions.flatMap(({ instruction }, transition): SourceRepair[] =>
      instruction.kind === 'store' ? [{ kind: 'xchg', thread, transition }] : [],
    ),
    ...[...removableInstructions(own, true)].map((transition): SourceRepair => ({
      kind: 'remove',
      thread,
      transition,
    })),
  ]);
}

/** Returns the repaired program, by the library's transformations of programs. */
function repairProgram(program: Program, repairs: readonly SourceRepair[]): Program {
  const isRemoved = (thread: number, transition: number): boolean =>
    repairs.some(
      (one) => one.kind === 'remove' && one.thread === thread && one.transition === transition,
    );
  const kept = program.threads.flatMap(({ transitions }, thread) =>
    transitions.flatMap((_, transition): Repair[] =>
      isRemoved(thread, transition) ? [] : [{ kind: 'keep', thread, transition }],
    ),
  );
  const items = repairs.flatMap((one): Repair[] =>
    one.kind === 'fence'
      ? [one]
      : one.kind === 'xchg'
        ? [{ kind: 'xchg', thread: one.thread, transition: one.transition }]
        : [],
  );
  return applyRepair(withoutRemovable(program, true, kept), items);
}

/** Returns the text after repairs. Throws if a repair is impossible. */
function repairGood(text: string, repairs: readonly SourceRepair[]): string {
  const { text: repaired, diagnostics } = repairNativeText(text, repairs);
  if (repaired === undefined) return expect.fail(JSON.stringify(diagnostics));
  return repaired;
}

/** Whether the control flow refutes each attack, in the order of the attacks. */
function blockedAttacks(program: Program): readonly boolean[] {
  return enumerateAttacks(program).map((attack) => isInfeasibleByControlFlow(program, attack));
}

async function decide(program: Program): Promise<unknown> {
  const { verdict, statistics } = await check(program, {
    engine: 'search',
    allAttacks: true,
    limits: { maxStates: 20_000 },
  });
  return verdict.kind === 'unknown'
    ? undefined
    : { verdict: verdict.kind, feasible: statistics.attacks.feasible };
}

async function expectSame(before: string, after: string, program: Program): Promise<void> {
  const message = `${before}\n=====\n${after}`;
  const { model, diagnostics } = parseNative(after);
  const repaired = finiteProgram(model);
  if (!repaired) return expect.fail(`${JSON.stringify(diagnostics)}\n${message}`);
  expect(blockedAttacks(repaired), message).toEqual(blockedAttacks(program));
  const [actual, expected] = [await decide(repaired), await decide(program)];
  if (actual !== undefined && expected !== undefined) expect(actual, message).toEqual(expected);
}

function commentsOf(text: string): readonly string[] {
  return text.match(/\/\/[^\n\r]*|\/\*[\s\S]*?\*\//g) ?? [];
}

function blankLinesOf(text: string): number {
  return text.split(/\r\n|\n|\r/).filter((line) => line.trim() === '').length;
}

/** Returns the smallest pieces of the text, without comments. */
function tokensOf(text: string): readonly string[] {
  return text.match(/\/\/[^\n\r]*|\/\*[\s\S]*?\*\/|[\w']+|[^\s\w]/g) ?? [];
}

/**
 * Returns the tokens that `after` has in addition to `before`; `undefined` if `before` is no
 * subsequence of `after`.
 */
function addedTokens(before: string, after: string): readonly string[] | undefined {
  const wanted = tokensOf(before);
  const added: string[] = [];
  let at = 0;
  for (const token of tokensOf(after))
    if (token === wanted[at]) at += 1;
    else added.push(token);
  return at === wanted.length ? added : undefined;
}

async function expectLaws(text: string, random: SeededRandom): Promise<number> {
  const program = parseGood(text);
  const all = possibleRepairs(text, program);
  const oneIn = 1 + random.below(4);
  const repairs = all.filter(() => random.below(oneIn) === 0);
  const after = repairGood(text, repairs);
  expect(commentsOf(after), after).toEqual(commentsOf(text));
  await expectSame(text, after, repairProgram(program, repairs));

  const fences = repairs.filter(({ kind }) => kind === 'fence');
  const fenced = repairGood(text, fences);
  expect(blankLinesOf(fenced), fenced).toBe(blankLinesOf(text));
  const added = new Set(addedTokens(text, fenced) ?? ['something missing']);
  // An automaton's fence brings new labels.
  const wanted = ['fence', ';', '{', '}', ...(/\bbegin\b/.test(text) ? added : [])];
  expect(
    [...added].filter((token) => !wanted.includes(token)),
    fenced,
  ).toEqual([]);
  return repairs.length;
}

test.each(folders)('repairs of the text are repairs of the program: %s', async (folder) => {
  const random = new SeededRandom(seed);
  for (const { text } of loadCorpus(folder)) await expectLaws(text, random);
});

test('repairs of the text are repairs of the program, whatever its layout', async () => {
  const random = new SeededRandom(seed);
  let repairs = 0;
  for (let run = 0; run < runs; run++)
    repairs += await expectLaws(randomStructuredText(seed + run), random);
  expect(repairs).toBeGreaterThan(runs);
});

test('taking inserted fences out again gives the text back', () => {
  for (let run = 0; run < runs; run++) {
    const text = randomStructuredText(seed + run, { tidy: true }).replaceAll(/m?fence;/g, 'skip;');
    const program = parseGood(text);
    const fences = possibleRepairs(text, program).filter(({ kind }) => kind === 'fence');
    const fenced = repairGood(text, fences);
    const after = parseGood(fenced);
    const back = possibleRepairs(fenced, after).filter(
      (one) => one.kind === 'remove' && isFence(after, one),
    );
    expect(back.length, fenced).toBeGreaterThanOrEqual(fences.length);
    expect(repairGood(fenced, back)).toBe(text);
  }
});

function isFence(program: Program, { thread, transition }: { thread: number; transition: number }) {
  return program.threads[thread]?.transitions[transition]?.instruction.kind === 'fence';
}

test('turning exchanges back into stores gives the text back', () => {
  for (let run = 0; run < runs; run++) {
    const text = randomStructuredText(seed + run)
      .replaceAll(/(?<!weak_)xchg\([^)]*\);/g, 'skip;')
      .replaceAll('  =  ', ' = ');
    const exchanges = possibleRepairs(text, parseGood(text)).filter(({ kind }) => kind === 'xchg');
    const exchanged = repairGood(text, exchanges);
    const program = parseGood(exchanged);
    const back = possibleRepairs(exchanged, program).filter(
      (one) => one.kind === 'remove' && !isFence(program, one),
    );
    expect(back.length).toBe(exchanges.length);
    expect(repairGood(exchanged, back)).toBe(text);
  }
});
