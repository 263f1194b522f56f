import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { check } from '../../../core/src/api/check.js';
import { checkParameterized } from '../../../core/src/api/check-parameterized.js';
import { reachUnder } from '../../../core/src/api/reach-under.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import { instantiate } from '@fencewright/model/program/instantiate.js';
import { hasHeavyFences } from '@fencewright/model/program/heavy-fences.js';
import type { Program } from '@fencewright/model/program/program.js';
import { attacksByDefinition } from '@fencewright/reference/definitions/attacks-by-definition.js';
import { enumerateTraces } from '@fencewright/reference/definitions/enumerate-traces.js';
import { judgeHeavyFences } from '@fencewright/reference/definitions/judge-heavy-fences.js';
import {
  ringWithHeavyFences,
  straightWithHeavyFences,
  withHeavyFences,
} from '@fencewright/reference/testing/random-heavy-fences.js';
import { randomProgram } from '@fencewright/reference/testing/random-program.js';
import { maySeveralDelay } from '../../src/robustness/several-delays.js';
import type { MachineState } from '@fencewright/model/trace/machine-state.js';

const runs = randomRuns(120, 20_000, 45);
const seed = randomSeed(20261128);
const maxStates = 15_000;

class Counts {
  readonly #counts = new Map<string, number>();
  add(name: string): void {
    this.#counts.set(name, this.get(name) + 1);
  }
  get(name: string): number {
    return this.#counts.get(name) ?? 0;
  }
  toString(): string {
    return [...this.#counts].map(([name, count]) => `${name}: ${count}`).join(', ');
  }
}

function finalState({ registers, memory }: MachineState): string {
  const held = [...memory].sort(([a], [b]) => a - b);
  return `${registers.join(' ')} | ${held.join(' ')}`;
}

const programs = fc.oneof(
  { weight: 3, arbitrary: ringWithHeavyFences() },
  { weight: 1, arbitrary: straightWithHeavyFences() },
);

test(`${runs} programs with heavy fences: verdict and final states by the rules of the machine`, async () => {
  const counts = new Counts();
  await fc.assert(
    fc.asyncProperty(programs, async (program) => {
      if (!hasHeavyFences(program)) return;
      const judged = judgeHeavyFences(program, maxStates);
      if (!judged.isComplete) {
        counts.add('too large');
        return;
      }
      const { verdict } = await check(program);
      counts.add(`${judged.isCyclic ? 'broken' : 'robust'}: ${verdict.kind}`);
      expect(verdict.kind).toBe(judged.isCyclic ? 'not-robust' : 'robust');
      const others = verdict.kind === 'not-robust' ? (verdict.witness.others ?? []) : [];
      const isExcluded = !maySeveralDelay(program);
      counts.add(`the count ${isExcluded ? 'excludes' : 'admits'}: ${verdict.kind}`);
      if (isExcluded) expect(others).toHaveLength(0);
      if (others.length > 0) counts.add(`${others.length + 1} threads delay`);
      if (judged.waits) counts.add('a heavy fence waits');
      const { reach } = await reachUnder('TSO', program, new Budget({}));
      expect(reach.incomplete).toBeUndefined();
      expect(new Set(reach.finalStates.map(finalState))).toEqual(judged.finalStates);
      counts.add(`${program.name}, threads: ${program.threads.length}`);
    }),
    { numRuns: runs, seed },
  );
  console.info(counts.toString());
  for (const kind of [
    ...['broken: not-robust', 'robust: robust', '2 threads delay', 'ring, threads: 4'],
    ...['the count excludes: robust', 'the count excludes: not-robust'],
    ...['the count admits: not-robust', 'a heavy fence waits', 'straight, threads: 4'],
  ])
    expect(counts.get(kind), kind).toBeGreaterThan(runs / 100);
});

async function compare(program: Program, counts: Counts): Promise<void> {
  for (const happensBefore of ['standard', 'value'] as const) {
    const traces = enumerateTraces(program, { maxTracedStates: maxStates, happensBefore });
    const definition = attacksByDefinition(program, maxStates, happensBefore);
    if (!traces.complete || !definition.complete) {
      counts.add('too large');
      return;
    }
    const isBroken = traces.violation !== undefined;
    const names = definition.feasible.map((one) => JSON.stringify(one)).sort();
    for (const without of [[], ['static-path', 'local-closure', 'pair-closure']] as const) {
      const result = await check(program, {
        ...{ happensBefore, allAttacks: true, without },
        forTests: { stagesAfter: 0 },
      });
      const { kind } = result.verdict;
      counts.add(`${isBroken ? 'broken' : 'robust'}: ${kind}`);
      if (kind !== 'unknown') expect(kind).toBe(isBroken ? 'not-robust' : 'robust');
      const found = result.attacks.filter(({ verdict }) => verdict === 'feasible');
      expect(found.map(({ attack }) => JSON.stringify(attack)).sort()).toEqual(names);
    }
  }
}

test(`${runs} random programs with heavy fences: verdict and each attack by definition`, async () => {
  const counts = new Counts();
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        withHeavyFences(randomProgram()),
        withHeavyFences(randomProgram({ many: 'lock blocks', fewValues: true })),
        ringWithHeavyFences(3),
      ),
      async (program) => {
        if (hasHeavyFences(program)) await compare(program, counts);
      },
    ),
    { numRuns: runs, seed },
  );
  console.info(counts.toString());
  for (const kind of ['broken: not-robust', 'robust: robust'])
    expect(counts.get(kind), kind).toBeGreaterThan(runs / 100);
});

const templateRuns = randomRuns(60, 5_000, 20);

test(`${templateRuns} programs with any number of copies: no small instance contradicts`, async () => {
  const counts = new Counts();
  await fc.assert(
    fc.asyncProperty(ringWithHeavyFences(3), fc.nat(2), async (templates, which) => {
      if (!hasHeavyFences(templates)) return;
      const unbounded = [which % templates.threads.length];
      const model = { kind: 'unbounded', templates, unbounded } as const;
      const { result } = await checkParameterized(model, { limits: { maxStates: 20_000 } });
      const { kind } = result.verdict;
      counts.add(kind);
      if (kind === 'not-robust') return;
      for (const copies of [0, 1, 2]) {
        const number = templates.threads.map((_, t) => (unbounded.includes(t) ? copies : 1));
        const { program } = instantiate(model, number);
        const judged = judgeHeavyFences(program, 4_000);
        if (judged.isCyclic) counts.add(`broken: ${kind}`);
        else if (judged.isComplete) counts.add(`instances of ${kind}`);
        if (kind === 'robust') expect(judged.isCyclic).toBe(false);
      }
    }),
    { numRuns: templateRuns, seed },
  );
  console.info(counts.toString());
  for (const kind of ['robust', 'not-robust', 'instances of robust'])
    expect(counts.get(kind), kind).toBeGreaterThan(templateRuns / 20);
});
