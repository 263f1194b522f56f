import { Budget } from '@fencewright/ground/base/budget.js';
import { defaultHittingSetSolver } from '@fencewright/ground/solvers/hitting-set.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { compileC11 } from '@fencewright/engines/c11/c11-steps.js';
import { checkC11 } from '@fencewright/engines/c11/check-c11.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import type { OrderLevel } from '@fencewright/model/program/order-level.js';
import type { Program } from '@fencewright/model/program/program.js';
import type { OrdersResult } from '@fencewright/model/verdict/orders-result.js';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { randomSketch, textOf } from '../../../engines/test/c11/sketch.js';
import { sizeCosts } from '../../src/fences/cost-models.js';
import { applyOrders } from '../../src/orders/apply-orders.js';
import { findOrderSites, type OrderSite } from '../../src/orders/order-sites.js';
import { levelCost, orderTargets, type OrderTarget } from '../../src/orders/target-costs.js';
import { findWeakestOrders } from '../../src/orders/weakest-orders.js';

type Asked = Pick<Parameters<typeof findWeakestOrders>[1], 'change' | 'placeOf'> & {
  readonly target: OrderTarget;
};

function read(text: string): Program {
  const { model, diagnostics } = parseNative(text);
  const program = finiteProgram(model);
  if (!program) throw new Error(JSON.stringify(diagnostics));
  return program;
}

function find(program: Program, asked: Asked): Promise<OrdersResult> {
  return findWeakestOrders(program, {
    ...{ model: 'c11', ...asked, costs: sizeCosts(program) },
    ...{ solver: defaultHittingSetSolver, budget: new Budget() },
  });
}

/** Returns the changes of an answer as text: kind and line of each place, and its orders. */
function changesOf(program: Program, { verdict }: OrdersResult): readonly string[] {
  if (verdict.kind !== 'found') return [verdict.kind];
  return verdict.changes.map(({ kind, steps, fences, from, to }) => {
    const [step] = steps;
    const span = step && program.threads[step.thread]!.transitions[step.transition]!.origin.span;
    const place = span ? span.start.line + 1 : `in front of ${fences[0]!.location}`;
    const failure = to.failure === undefined ? '' : `/${to.failure}`;
    return `${kind} ${place}: ${from.order} -> ${to.order}${failure}`;
  });
}

async function isRight(program: Program): Promise<boolean> {
  const { verdict, race } = await checkC11(program, 'c11', new Budget());
  expect(verdict.kind).not.toBe('unknown');
  return verdict.kind === 'robust' && race === 'none';
}

function costOf({ kind, given }: OrderSite, target: OrderTarget, level: OrderLevel): number {
  return levelCost(target, kind, level) - levelCost(target, kind, given);
}

/** Returns the least cost of all assignments that are right, by trying them all. */
async function leastCost(program: Program, { target, ...asked }: Asked): Promise<number> {
  const code = compileC11(program);
  const sites = findOrderSites(code, { ...asked, costs: sizeCosts(program) });
  let all: { readonly levels: readonly OrderLevel[]; readonly cost: number }[] = [
    { levels: [], cost: 0 },
  ];
  for (const site of sites)
    all = all.flatMap(({ levels, cost }) =>
      site.levels.map((level) => ({
        levels: [...levels, level],
        cost: cost + costOf(site, target, level),
      })),
    );
  for (const { levels, cost } of all.toSorted((a, b) => a.cost - b.cost))
    if (await isRight(applyOrders(code, sites, levels))) return cost;
  return Number.POSITIVE_INFINITY;
}

function sitesIn(program: Program, asked: Asked): readonly OrderSite[] {
  return findOrderSites(compileC11(program), { ...asked, costs: sizeCosts(program) });
}

describe('random programs: no cheaper orders are enough, of all that there are', () => {
  test.each(['raise', 'lower'] as const)('%s', async (change) => {
    const counts = { programs: 0, changed: 0, impossible: 0, fences: 0 };
    const wanted = randomRuns(60, 3000);
    for (let seed = randomSeed(0); counts.programs < wanted; seed++) {
      const target = orderTargets[seed % orderTargets.length]!;
      const program = read(
        textOf(randomSketch(seed, { branches: seed % 3 === 0, plain: seed % 5 === 0 })),
      );
      // Places for fences: in front of the second access of each thread, or none.
      const placeOf = (thread: number, location: number): string | undefined =>
        seed % 2 === 0 && location === 1 ? String(thread) : undefined;
      const asked = { change, target, placeOf };
      const sites = sitesIn(program, asked);
      const size = sites.reduce((product, { levels }) => product * levels.length, 1);
      if (sites.length > 6 || size > 300) continue;
      const found = await find(program, asked);
      counts.programs += 1;
      if (found.verdict.kind !== 'found') {
        expect([seed, found.verdict.kind]).toEqual([seed, 'impossible']);
        counts.impossible += 1;
        if (change === 'raise')
          expect([seed, await leastCost(program, asked)]).toEqual([seed, Number.POSITIVE_INFINITY]);
        else expect([seed, await isRight(program)]).toEqual([seed, false]);
        continue;
      }
      expect([seed, found.verdict.cost]).toEqual([seed, await leastCost(program, asked)]);
      expect(await isRight(found.verdict.changed)).toBe(true);
      if (found.verdict.changes.length > 0) counts.changed += 1;
      if (found.verdict.changes.some(({ fences }) => fences.length > 0)) counts.fences += 1;
    }
    expect(counts.changed).toBeGreaterThan(wanted / 8);
    if (change === 'raise') expect(counts.fences).toBeGreaterThan(0);
  });
});
