import { eventAutomataToJson, eventModel, type EventRun } from '@fencewright/core';
import { parseNative } from '@fencewright/core/native';
import {
  enumerateEventTraces,
  eventVerdicts,
  randomEventProgram,
  SeededRandom,
} from '@fencewright/core/testing';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../tools/random-runs.js';
import { Budget } from '../src/budget.js';
import { EventMachine } from '../src/events/machine.js';
import type { EventAutomata } from '../src/events/program.js';
import { readEventAutomata } from '../src/events/read-program.js';
import { replayEvents } from '../src/events/replay.js';
import { decideEventRobustness } from '../src/events/robust.js';
import { type Criterion, violatesCriterion } from '../src/events/watch.js';
import { written } from './event-runs.js';

const runs = randomRuns(150, 3000, 75);
const seed = randomSeed(20261123);

/** The maximum number of traces of one program that are replayed. */
const mostTraces = 40;

function toAutomata(program: Parameters<typeof eventAutomataToJson>[0]): EventAutomata {
  return readEventAutomata(JSON.parse(JSON.stringify(eventAutomataToJson(program))), 'p');
}

function automataOf(text: string): EventAutomata {
  const { model, diagnostics } = parseNative(text);
  return toAutomata(eventModel(model)?.program ?? expect.fail(JSON.stringify(diagnostics)));
}

function programOf(round: number) {
  const random = new SeededRandom(seed + round);
  const { program } = randomEventProgram(random, { maxTasks: 6, maxAccesses: 8 });
  return { program, automata: toAutomata(program) };
}

/**
 * Expects that replays of all traces have a cycle exactly if the enumeration says so. Some traces
 * have a cycle, and some have none.
 */
function expectSameCycles(text: string): void {
  const rules = { sc: false, postingFenced: false, fences: [] };
  const machine = new EventMachine(automataOf(text), rules);
  const judged = { cyclic: 0, others: 0 };
  enumerateEventTraces(eventModel(parseNative(text).model)!.program, 'TSO', {
    onTrace: ({ run, isCyclic }) => {
      const replayed = replayEvents(machine, written(run));
      if (typeof replayed === 'number') throw new Error(`action ${replayed}`);
      const steps = replayed.moments.map(({ step }) => step);
      expect(violatesCriterion(steps, 'tso')).toBe(isCyclic);
      judged[isCyclic ? 'cyclic' : 'others']++;
    },
  });
  expect(judged.cyclic).toBeGreaterThan(0);
  expect(judged.others).toBeGreaterThan(0);
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
      const automata = toAutomata(program);
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

  test('lets nobody act between lock and unlock of another thread', () => {
    const text = `program P
      var x, y
      event e() { async[any] p(); }
      event f() { async[any] q(); }
      procedure p() { atomic { x = 1; y = 1; } }
      procedure q() { local r; atomic { r = y; r = x; } }
      events e(), f()`;
    for (const criterion of ['concurrency', 'tso', 'both'] as const) {
      const question = { criterion, postingFenced: false, fences: [] };
      const ask = (of: string) =>
        decideEventRobustness(automataOf(of), question, new Budget({})).kind;
      expect(ask(text)).toBe('robust');
      // q may come between the stores of p. Then the conflicts of the events have a cycle, and
      // happens-before of the trace has none.
      if (criterion !== 'tso') expect(ask(text.replaceAll('atomic', ''))).toBe('not-robust');
    }
  });

  test('lets nobody act without a lock of its own there either', () => {
    const text = `program P
      var x
      event e() { async[any] p(); }
      event f() { async[any] q(); }
      procedure p() { atomic { x = 1; x = 2; } }
      procedure q() { local r; r = x; }
      events e(), f()`;
    for (const criterion of ['concurrency', 'both'] as const) {
      const question = { criterion, postingFenced: false, fences: [] };
      const ask = (of: string) =>
        decideEventRobustness(automataOf(of), question, new Budget({})).kind;
      expect(ask(text)).toBe('robust');
      expect(ask(text.replace('atomic', ''))).toBe('not-robust');
    }
  });

  test('takes a lock block for one access', () => {
    // The load of x precedes the block, the block precedes the buffered store to z, which precedes
    // the load: only the block as a whole closes the cycle.
    const text = (block: string): string => `program P
      var x, z
      event e() { async[any] p(); }
      event f() { async[any] q(); }
      procedure p() { local r; z = 1; r = x; }
      procedure q() { local s; ${block} { s = z; x = 1; } }
      events e(), f()`;
    const question = { criterion: 'tso', postingFenced: false, fences: [] } as const;
    const automata = automataOf(text('atomic'));
    expect(decideEventRobustness(automata, question, new Budget({})).kind).toBe('not-robust');
    const free = automataOf(text('if (1 == 1)'));
    expect(decideEventRobustness(free, question, new Budget({})).kind).toBe('robust');
    expectSameCycles(text('atomic'));
  });

  test('lets a load from a buffer come before the store that is next in memory', () => {
    // In order: x = 2, its thread's load of z, z = 1, the load of z, and the load of x, which reads
    // from the buffer.
    expectSameCycles(`program P
      var x, z
      event e() { async[any] p(); }
      event f() { async[any] q(); }
      event g() { async[any] s(); }
      procedure p() { local r; x = 1; r = z; r = x; }
      procedure q() { local r; x = 2; r = z; }
      procedure s() { z = 1; }
      events e(), f(), g()`);
  });

  test('runs one task of main at a time', () => {
    const automata = automataOf('program P var x event e() { x = 1; x = 2; } events e() * 2');
    const machine = new EventMachine(automata, { sc: false, postingFenced: false, fences: [] });
    const start = { kind: 'start', instances: 0 } as const;
    const begin = (task: number) => ({ kind: 'begin', task }) as const;
    expect(replayEvents(machine, [start, start, begin(0), begin(1)])).toBe(3);
    expect(replayEvents(machine, [start, start, start])).toBe(2);
    expect(replayEvents(machine, [start, begin(0), begin(0)])).toBe(2);
    const issue = { kind: 'issue', task: 0, transition: 0 } as const;
    expect(replayEvents(machine, [start, begin(0), { ...issue, kind: 'load' }])).toBe(2);
    expect(replayEvents(machine, [start, begin(0), issue, { ...issue, kind: 'store' }])).toBeTypeOf(
      'object',
    );
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
      const question = { criterion: 'tso', postingFenced: false, fences: [] } as const;
      expect(decideEventRobustness(automataOf(text), question, new Budget({})).kind).toBe(
        'not-robust',
      );
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
          expect(violatesCriterion(steps, criterion), `${criterion}, ${where}`).toBe(isViolation);
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
