import { Budget } from '@fencewright/ground/base/budget.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import type { C11Result } from '@fencewright/model/verdict/c11-result.js';
import { expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { checkC11 } from '../../src/c11/check-c11.js';
import { answerByGraphs } from './all-graphs.js';
import { rmwsAsSections } from './rmws-as-sections.js';
import { type Sketch, randomSketch, textOf } from './sketch.js';

const hasLoop = (one: Sketch): boolean =>
  (one.kind === 'cas' && one.waits) || (one.kind === 'if' && one.then.some(hasLoop));

const outcomeOf = ({ verdict, race }: C11Result): string =>
  `${verdict.kind === 'not-robust' ? verdict.violation.kind : verdict.kind}, ${typeof race === 'object' ? 'race' : race}`;

test('a section that is a read-modify-write of one cell has the verdict of the instruction', async () => {
  const counts = new Map<string, number>();
  const first = randomSeed(40_000);
  for (let seed = first; seed < first + randomRuns(200, 3000, 130); seed++) {
    const sketch = randomSketch(seed, { branches: true, plain: seed % 2 === 0 });
    const program = finiteProgram(parseNative(textOf(sketch)).model)!;
    const hasRmw = program.threads.some(({ transitions }) =>
      transitions.some(({ instruction }) => instruction.kind === 'rmw'),
    );
    if (!hasRmw || sketch.threads.flat().some(hasLoop)) continue;
    const sections = rmwsAsSections(program);
    for (const model of ['c11', 'ra'] as const) {
      const wanted = await checkC11(program, model, new Budget(), 'robustness');
      const found = await checkC11(sections, model, new Budget(), 'robustness');
      expect([seed, model, outcomeOf(found)]).toEqual([seed, model, outcomeOf(wanted)]);
      counts.set(outcomeOf(found), (counts.get(outcomeOf(found)) ?? 0) + 1);
      // The judge of graphs ignores lock sections and load buffering.
      const judged = answerByGraphs(sketch, model, 4000);
      const isOfGraphs =
        found.verdict.kind !== 'not-robust' || found.verdict.violation.kind !== 'load-buffering';
      if (judged && isOfGraphs)
        expect([seed, found.verdict.kind === 'robust']).toEqual([seed, judged.isRobust]);
    }
  }
  for (const outcome of ['robust, none', 'old-store, not-looked-for'])
    expect(counts.get(outcome) ?? 0, outcome).toBeGreaterThan(5);
  expect([...counts.keys()].filter((one) => one.startsWith('load-buffering'))).not.toEqual([]);
});
