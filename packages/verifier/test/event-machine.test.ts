import { eventAutomataToJson, type EventRun } from '@fencewright/core';
import {
  enumerateEventTraces,
  eventVerdicts,
  randomEventProgram,
  SeededRandom,
} from '@fencewright/core/testing';
import { describe, expect, test } from 'vitest';
import { Budget } from '../src/budget.js';
import { type Criterion, violates } from '../src/events/judgement.js';
import { EventMachine } from '../src/events/machine.js';
import { readEventAutomata } from '../src/events/read-program.js';
import { replayEvents } from '../src/events/replay.js';
import { decideEventRobustness } from '../src/events/robust.js';
import { watchFor } from '../src/events/watch.js';
import { written } from './event-runs.js';

const runs = Number(process.env.FENCEWRIGHT_EVENT_RUNS ?? 150);
const seed = Number(process.env.FENCEWRIGHT_SEED ?? 20261123);

/** Traces of one program that are replayed. */
const mostTraces = 40;

function programOf(round: number) {
  const random = new SeededRandom(seed + round);
  const { program } = randomEventProgram(random, { maxTasks: 6, maxAccesses: 8 });
  return {
    program,
    automata: readEventAutomata(JSON.parse(JSON.stringify(eventAutomataToJson(program))), 'p'),
  };
}

describe('the machine of the verifier', () => {
  test('decides what an enumeration by the definitions decides', () => {
    const counts = new Map<string, number>();
    for (let round = 0; round < runs; round++) {
      const { program, automata } = programOf(round);
      const postingFenced = round % 4 === 3;
      const options = { postingFenced, maxStates: 6_000 };
      const said = eventVerdicts(
        enumerateEventTraces(program, 'SC', options),
        enumerateEventTraces(program, 'TSO', options),
      );
      const defined = { concurrency: said.concurrency, tso: said.tso, both: said.tsoSerial };
      for (const criterion of ['concurrency', 'tso', 'both'] as const) {
        if (defined[criterion] === 'unknown') continue;
        const question = { criterion, postingFenced, fences: [] };
        const found = decideEventRobustness(automata, question, new Budget({}));
        if (found.kind === 'unknown') continue;
        expect(found.kind, `${criterion} of ${seed + round}`).toBe(defined[criterion]);
        const counted = `${criterion} ${found.kind}${postingFenced ? ', fenced posting' : ''}`;
        counts.set(counted, (counts.get(counted) ?? 0) + 1);
      }
    }
    console.info([...counts].map(([what, n]) => `${what}: ${n}`).join('; '));
    for (const criterion of ['concurrency', 'tso', 'both'])
      for (const kind of ['robust', 'not-robust'])
        expect(counts.get(`${criterion} ${kind}`) ?? 0, `${criterion} ${kind}`).toBeGreaterThan(
          runs / 25,
        );
  });

  test('can do every trace of an enumeration, and judges it as the definitions do', () => {
    const counts = { traces: 0, cyclic: 0, unserialisable: 0, blocks: 0, choices: 0, early: 0 };
    for (let round = 0; round < runs; round++) {
      const { program, automata } = programOf(round);
      const postingFenced = round % 4 === 3;
      const machine = new EventMachine(automata, { sc: false, postingFenced, fences: [] });
      const traces: { run: EventRun; isSerialisable: boolean; isCyclic: boolean }[] = [];
      enumerateEventTraces(program, 'TSO', {
        postingFenced,
        maxStates: 3_000,
        onTrace: (trace) => {
          const isNew = traces.every(
            ({ isSerialisable, isCyclic }) =>
              isSerialisable !== trace.isSerialisable || isCyclic !== trace.isCyclic,
          );
          if (isNew || traces.length < mostTraces) traces.push(trace);
        },
      });
      for (const { run, isSerialisable, isCyclic } of traces) {
        const replayed = replayEvents(machine, written(run));
        if (typeof replayed === 'number')
          throw new Error(`${seed + round}: action ${replayed} of ${JSON.stringify(run)}`);
        const steps = replayed.moments.map(({ step }) => step);
        const where = `${seed + round}: ${JSON.stringify(written(run))}`;
        const expected: readonly (readonly [Criterion, boolean])[] = [
          ['both', !isSerialisable],
          ['tso', isCyclic],
        ];
        for (const [criterion, isViolation] of expected) {
          expect(violates(steps, criterion), `${criterion}, ${where}`).toBe(isViolation);
          // The watch says the same, at the latest with the last step.
          let watch: ReturnType<typeof watchFor> | 'violation' = watchFor(criterion);
          for (const step of steps) if (watch !== 'violation') watch = watch.after(step);
          expect(watch === 'violation', `watch for ${criterion}, ${where}`).toBe(isViolation);
        }
        counts.traces++;
        if (isCyclic) counts.cyclic++;
        if (!isSerialisable) counts.unserialisable++;
        if (run.actions.some(({ kind }) => kind === 'lock')) counts.blocks++;
        if (run.actions.some((action) => action.kind === 'silent' && 'choice' in action))
          counts.choices++;
        if (steps.some(({ effect }) => effect.kind === 'early')) counts.early++;
      }
    }
    console.info(JSON.stringify(counts));
    for (const [what, count] of Object.entries(counts))
      expect(count, what).toBeGreaterThan(runs / 30);
  });
});
