import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isCampaign, randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { reachByMachine } from '../../../core/src/api/reach-under.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import {
  LoadBufferSearch,
  type LoadBufferAnswer,
} from '../../src/load-buffers/load-buffer-search.js';
import type { Program } from '@fencewright/model/program/program.js';
import { claimsExistence } from '@fencewright/model/program/property.js';
import { replayStates } from '@fencewright/model/semantics/replay.js';
import { FeatureCount, programFeatures } from '@fencewright/reference/testing/program-features.js';
import { programWithQuestions } from '@fencewright/reference/testing/with-questions.js';

const runs = randomRuns(75, 3000, 20);
const seed = randomSeed(20180117);

type Answer = 'reachable' | 'unreachable' | 'unknown';

/**
 * Returns the answers of an exploration with store buffers. An answer is `unreachable` only if all
 * states were explored.
 */
async function byMachine(program: Program, buffer: number | undefined) {
  const bounds = buffer === undefined ? {} : { buffer };
  const budget = new Budget({ maxStates: 4_000 });
  const { reach, faults } = await reachByMachine('TSO', program, budget, bounds);
  const complete = reach.incomplete === undefined;
  const properties = reach.properties.map(({ verdict }, i): Answer => {
    if (verdict === 'unknown') return 'unknown';
    const found = claimsExistence(program.properties[i]!) ? 'holds' : 'violated';
    return verdict === found ? 'reachable' : 'unreachable';
  });
  const failed = new Set(
    reach.failedAssertions.map(({ thread, transition }) => `${thread}.${transition}`),
  );
  const assertions = program.threads.flatMap(({ transitions }, thread) =>
    transitions.flatMap(({ instruction }, transition) => {
      if (instruction.kind !== 'assert') return [];
      const isFailed = failed.has(`${thread}.${transition}`);
      const answer: Answer = isFailed ? 'reachable' : complete ? 'unreachable' : 'unknown';
      return [{ thread, transition, answer }];
    }),
  );
  return { complete, properties, assertions, faults };
}

interface Question {
  readonly name: string;
  readonly judged: Answer;
  readonly ask: (search: LoadBufferSearch, budget: Budget) => Promise<LoadBufferAnswer>;
}

const shapes = [
  ['no loops', { maxThreads: 3 }, undefined],
  ['loops', { loops: true, endless: true, fewValues: true, maxThreads: 2 }, 3],
  ['stores at the ends', { finalStores: true, maxThreads: 2, maxItems: 3 }, undefined],
  ['lock blocks', { many: 'lock blocks', waiter: true, maxThreads: 2, maxItems: 2 }, undefined],
  [
    'waiting for ever',
    { loops: true, waiter: true, fewValues: true, maxThreads: 2, maxItems: 2, kinds: ['stuck'] },
    3,
  ],
  [
    'what waits in buffers',
    { finalStores: true, fewValues: true, maxThreads: 2, maxItems: 2, kinds: ['never'] },
    undefined,
  ],
] as const;

test.each(shapes)('%s: as the machine with store buffers', async (_, options, buffer) => {
  const count = new FeatureCount();
  await fc.assert(
    fc.asyncProperty(programWithQuestions({ ...options, maxProperties: 4 }), async (program) => {
      const judged = await byMachine(program, buffer);
      const questions: Question[] = [
        ...program.properties.map((property, i) => ({
          name: property.kind,
          judged: judged.properties[i]!,
          ask: (search: LoadBufferSearch, budget: Budget) => search.decide(property, budget),
        })),
        ...judged.assertions.map(({ thread, transition, answer }) => ({
          name: 'assert',
          judged: answer,
          ask: (search: LoadBufferSearch, budget: Budget) =>
            search.fails(thread, transition, budget),
        })),
      ];
      count.add(programFeatures(program));
      for (const singleWriters of [true, false]) {
        const search = new LoadBufferSearch(program, { singleWriters });
        for (const question of questions) {
          const answer = await question.ask(search, new Budget({ maxStates: 5_000 }));
          count.add([`${question.name} ${answer.kind}, ${question.judged}`]);
          if (answer.kind === 'unknown') continue;
          // Programs that fault get no answer.
          expect(judged.faults).toEqual([]);
          if (question.judged !== 'unknown') expect(answer.kind).toBe(question.judged);
          if (answer.kind === 'reachable')
            expect(replayStates(program, answer.computation)).toBeDefined();
        }
      }
    }),
    { numRuns: runs, seed },
  );
  if (isCampaign) console.log(count.toString());
});
