import { eventAutomataToJson, eventModel, type EventRun } from '@fencewright/core';
import { parseNative } from '@fencewright/core/native';
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

const runs = Number(process.env.FENCEWRIGHT_VERIFIER_EVENT_RUNS ?? 150);
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

  test('calls nothing robust that loops, and that an enumeration finds a violation in', () => {
    const counts = { found: 0, robust: 0, unknown: 0 };
    for (let round = 0; round < runs; round++) {
      const random = new SeededRandom(seed + round);
      const { program } = randomEventProgram(random, {
        maxTasks: 5,
        maxAccesses: 7,
        endless: true,
      });
      const automata = readEventAutomata(
        JSON.parse(JSON.stringify(eventAutomataToJson(program))),
        'p',
      );
      const options = { maxStates: 1_500, cuts: { steps: 14 } };
      const said = eventVerdicts(
        enumerateEventTraces(program, 'SC', options),
        enumerateEventTraces(program, 'TSO', options),
      );
      const defined = { concurrency: said.concurrency, tso: said.tso, both: said.tsoSerial };
      for (const criterion of ['concurrency', 'tso', 'both'] as const) {
        const question = { criterion, postingFenced: false, fences: [] };
        const { kind } = decideEventRobustness(
          automata,
          question,
          new Budget({ maxStates: 5_000 }),
        );
        if (kind === 'not-robust') continue;
        counts[kind]++;
        if (kind === 'robust')
          expect(defined[criterion], `${criterion} of ${seed + round}`).not.toBe('not-robust');
      }
      if (said.tsoSerial === 'not-robust') counts.found++;
    }
    console.info(JSON.stringify(counts));
    expect(counts.found).toBeGreaterThan(runs / 10);
    expect(counts.robust).toBeGreaterThan(runs / 10);
  });

  test('lets nobody wait for a task that goes on for ever', () => {
    const loops = (loop: string): string => `program P var x, y
      event e() { async[any] p(); async[any] q(); }
      procedure p() { local r; r = 1; ${loop} }
      procedure q() { local r; x = 1; async[any] s(); r = y; }
      procedure s() { local r; r = x; }
      events e()`;
    for (const loop of ['while (r == 1) { r = 1; }', 'while (r == 1) { call t(); }']) {
      const text = `${loops(loop)}\n`.replace('events', 'procedure t() { skip; }\nevents');
      const program = eventModel(parseNative(text).model)!.program;
      const automata = readEventAutomata(
        JSON.parse(JSON.stringify(eventAutomataToJson(program))),
        'p',
      );
      const question = { criterion: 'tso', postingFenced: false, fences: [] } as const;
      expect(decideEventRobustness(automata, question, new Budget({})).kind).toBe('not-robust');
    }
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
