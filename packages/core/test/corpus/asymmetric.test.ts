import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { check } from '../../src/api/check.js';
import { fence } from '../../src/api/fence.js';
import { parseText } from '@fencewright/languages/read/parse-text.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import type { Program } from '@fencewright/model/program/program.js';
import { isHeavyFence } from '@fencewright/model/program/repair.js';
import type { CostModel } from '@fencewright/repairs/fences/repair-problem.js';
import { readRepositoryFile } from './load-corpus.js';

/** The cost of a cheapest repair, and the threads of its heavy fences, once for each fence. */
interface ExpectedRepair {
  readonly threads: readonly string[];
  readonly cost: number;
}

/**
 * The expected facts by file: the verdict, the number of threads that have to delay stores, and the
 * cheapest repairs of the program with and without its heavy fences.
 */
const expected = JSON.parse(readRepositoryFile('corpus/asymmetric/expected.json')) as Readonly<
  Record<
    string,
    {
      readonly verdict: string;
      readonly delaying: number;
      /** For each thread, how often its code runs, relative to other threads. */
      readonly rates: Readonly<Record<string, number>>;
      readonly repaired: ExpectedRepair;
      readonly stripped: ExpectedRepair;
    }
  >
>;

async function programOf(text: string): Promise<Program> {
  const { model, diagnostics } = await parseText('native', text);
  return finiteProgram(model) ?? expect.fail(JSON.stringify(diagnostics));
}

/**
 * Returns a cost model: a fence costs 20 and a heavy fence 10,000, times the rate of the thread.
 */
function costsOf({ threads }: Program, rates: Readonly<Record<string, number>>): CostModel {
  const times = (thread: number): number => {
    const name = threads[thread]!.copy?.template ?? threads[thread]!.name;
    const copies = threads.filter(({ copy }) => copy?.template === name).length;
    return rates[name]! * Math.max(1, copies);
  };
  return {
    name: 'rates',
    fence: (thread) => 20 * times(thread),
    xchg: (thread) => 20 * times(thread),
    heavy: (thread) => 10_000 * times(thread),
  };
}

test.each(Object.entries(expected))(
  '%s has its verdict, by as many delaying threads as it needs',
  async (file, { verdict, delaying }) => {
    const program = await programOf(readRepositoryFile(`corpus/asymmetric/${file}`));
    const result = await check(program);
    expect(result.verdict.kind).toBe(verdict);
    if (result.verdict.kind !== 'not-robust') return;
    const { others = [] } = result.verdict.witness;
    expect(others.length + 1).toBe(delaying);
  },
);

describe.each(Object.entries(expected))('%s', (file, { repaired, stripped, rates }) => {
  test.each([
    ['as it stands', repaired],
    ['without its heavy fences', stripped],
  ])('%s: a cheapest repair', async (which, { threads, cost }) => {
    const whole = readRepositoryFile(`corpus/asymmetric/${file}`);
    const text = which === 'as it stands' ? whole : whole.replaceAll('heavy_fence;', '');
    const program = await programOf(text);
    const costs = costsOf(program, rates);
    const { verdict } = await fence(program, { mode: 'asymmetric', costs });
    if (verdict.kind !== 'found') expect.fail(verdict.kind);
    expect(verdict.cost).toBe(cost);
    expect(verdict.repairs.every(isHeavyFence)).toBe(true);
    const names = verdict.repairs.map(({ thread: t }) => program.threads[t]!);
    expect(names.map(({ name, copy }) => copy?.template ?? name).sort()).toEqual(threads);
    expect((await check(verdict.repaired)).verdict.kind).toBe('robust');
  });
});

/**
 * The expected heavy fence of each example: its thread, and the line that it precedes (`before`),
 * between the thread's store and load. No other thread gets a fence.
 */
const examples = JSON.parse(readRepositoryFile('examples/asymmetric/expected.json')) as Readonly<
  Record<string, { readonly heavy: string; readonly before: string }>
>;

test('each example is expected to be something', () => {
  const files = readdirSync(new URL('../../../../examples/asymmetric/', import.meta.url));
  const names = files.filter((name) => name.endsWith('.fw'));
  expect(names.map((name) => name.replace(/\.fw$/, '')).sort()).toEqual(Object.keys(examples));
});

test.each(Object.entries(examples))(
  'the example %s needs one heavy fence in rare code, and a fence there is not enough',
  async (name, { heavy, before }) => {
    const text = readRepositoryFile(`examples/asymmetric/${name}.fw`);
    const program = await programOf(text);
    expect((await check(program)).verdict.kind).toBe('not-robust');
    const { verdict } = await fence(program, { mode: 'asymmetric' });
    if (verdict.kind !== 'found') expect.fail(verdict.kind);
    const [repair, ...others] = verdict.repairs;
    expect(others).toEqual([]);
    expect(repair && isHeavyFence(repair)).toBe(true);
    const { name: thread, copy } = program.threads[repair!.thread]!;
    expect(copy?.template ?? thread).toBe(heavy);
    const line = text.split('\n').findIndex((one) => one.includes(before));
    const places = program.threads[repair!.thread]!.transitions.filter(
      ({ from }) => repair!.kind === 'fence' && from === repair!.location,
    );
    expect(places.map(({ origin }) => origin.span?.start.line)).toContain(line);
    const kindWith = async (word: string) =>
      (await check(await programOf(text.replace(before, `${word}; ${before}`)))).verdict.kind;
    expect(await kindWith('heavy_fence')).toBe('robust');
    expect(await kindWith('fence')).toBe('not-robust');
  },
);
