import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../../tools/random-runs.js';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import { enumerateEventTraces } from '@fencewright/reference/definitions/enumerate-event-traces.js';
import { eventFeatures } from '@fencewright/reference/testing/event-features.js';
import { FeatureCount } from '@fencewright/reference/testing/program-features.js';
import { randomEventProgram } from '@fencewright/reference/testing/random-event-program.js';
import { ConfigurationKeys } from '../../../../model/src/events/configuration-keys.js';
import {
  initialConfiguration,
  withThread,
  type EventConfiguration,
} from '@fencewright/model/events/configuration.js';
import { compileEventProgram } from '@fencewright/model/events/event-code.js';
import {
  eventSuccessors,
  isFinalConfiguration,
  type EventSemantics,
} from '@fencewright/model/events/machine.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import { printEventProgram } from '../../../../core/src/api/print-model.js';
import { sequentialProgram } from '../../../src/events/sequential/construct.js';
import { eventText, wholeText } from '../two-threads/event-text.js';

const runs = randomRuns(250, 4000, 60);
const seed = randomSeed(20180517);
const maxStates = 20_000;

interface Explored {
  /** The memories of the configurations that `counts` selects, as text. */
  readonly memories: ReadonlySet<string>;
  readonly hasFaults: boolean;
  /** Whether all configurations were visited. */
  readonly isComplete: boolean;
}

function memoryText({ memory }: EventConfiguration): string {
  const entries = [...memory].filter(([, value]) => value !== 0).sort(([a], [b]) => a - b);
  return entries.map(([address, value]) => `${address}=${value}`).join(' ');
}

/**
 * Returns the configuration in which the running task is stopped where it is; none if no task is
 * running, or a thread is in a lock block.
 */
function stopped(configuration: EventConfiguration): readonly EventConfiguration[] {
  const busy = configuration.threads.find(({ running }) => running);
  if (!busy?.running || configuration.lockHolder !== undefined) return [];
  const { running, ...free } = busy;
  const waiting = [...running.children, ...configuration.waiting];
  return [withThread({ ...configuration, waiting }, free)];
}

/** Visits all configurations of a machine, by its definition. */
function explore(
  program: EventProgram,
  semantics: EventSemantics,
  { mayStop = false, counts = isFinalConfiguration.bind(undefined, program) } = {},
): Explored {
  const machine = { code: compileEventProgram(program), semantics, options: {} };
  const isOrdered = semantics === 'single';
  const keys = new ConfigurationKeys(program, {
    isOrdered,
    countsInstances: () => true,
    countsDeadRegisters: true,
  });
  const first = initialConfiguration(program);
  const seen = new Set([keys.of(first)]);
  const memories = new Set<string>();
  let hasFaults = false;
  const open = [first];
  for (let now = open.pop(); now && seen.size < maxStates; now = open.pop()) {
    if (counts(now)) memories.add(memoryText(now));
    const { steps, faults } = eventSuccessors(machine, now);
    if (faults.length > 0) hasFaults = true;
    const next = steps.map(({ configuration }) => configuration);
    for (const one of mayStop ? [...next, ...stopped(now)] : next) {
      const key = keys.of(one);
      if (seen.has(key)) continue;
      seen.add(key);
      open.push(one);
    }
  }
  return { memories, hasFaults, isComplete: seen.size < maxStates };
}

/** Returns seq(P). Throws if the construction does not give seq(P) for the program. */
function written(program: EventProgram): EventProgram {
  const made = sequentialProgram(program);
  if (made.kind !== 'sequential') throw new Error(JSON.stringify(made));
  return made.program;
}

/** Returns seq(P) as it is read from its text. */
async function reread(program: EventProgram): Promise<EventProgram> {
  return wholeText((await printEventProgram(program, 'seq'))?.text ?? '');
}

describe('seq(P)', () => {
  test('is the program of the paper, by hand', () => {
    const program = eventText(`
      event e(n) { data = n; async[any] p(n + 1); }
      procedure p(n) { mark = n; done = data; }
      events e(3)`);
    const byHand = eventText(`
      event e(n) {
        local runs;
        havoc runs in 0..1;
        if (runs == 1) { data = n; havoc runs in 0..1; }
        if (runs == 1) { call p(n + 1); }
      }
      procedure p(n) {
        local runs, r;
        havoc runs in 0..1;
        if (runs == 1) { mark = n; havoc runs in 0..1; }
        if (runs == 1) { r = data; havoc runs in 0..1; }
        if (runs == 1) { done = r; }
      }
      events e(3)`);
    const memories = explore(byHand, 'single').memories;
    expect(memories).toEqual(explore(written(program), 'single').memories);
    expect(memories.size).toBe(4);
  });

  test('has no postings, and every task of it may stop at once', () => {
    const program = written(
      eventText(`
        event e() { async[main] p(); async[any] p(); }
        procedure p() { data = data + 1; call q(); }
        procedure q() { async[any] r(); }
        procedure r() { done = done + 1; }
        events e() * 2`),
    );
    const kinds = program.bodies.flatMap(({ transitions }) =>
      transitions.map(({ instruction }) => instruction.kind),
    );
    expect(kinds).not.toContain('post');
    expect(explore(program, 'single').memories).toContain('');
  });

  test('runs a task behind the accesses of its parent, with the arguments of the posting', () => {
    const program = written(
      eventText(`
        event e() { local r = 4; async[any] p(r + 1); r = 0; seen = 1; async[main] p(seen + 6); }
        procedure p(n) { if (seen == 1) { data = data * 10 + n; } else { mark = 1; } }
        events e()`),
    );
    // Data 57: both tasks ran to their ends, in the order of posting, after seen = 1.
    expect(explore(program, 'single').memories).toEqual(
      new Set(['', '3=1', '1=1', '1=1 4=5', '1=1 4=7', '1=1 4=57']),
    );
  });

  test('sees accesses of called procedures behind a posting', () => {
    const program = written(
      eventText(`
        event e() { async[any] p(); call q(); }
        procedure q() { call r(); }
        procedure r() { data = 1; }
        procedure p() { if (data == 0) { done = 1; } }
        events e()`),
    );
    // The task sees data = 0 only if its parent has stopped before.
    expect(explore(program, 'single').memories).toEqual(new Set(['', '4=1', '6=1']));
  });

  test('stops the whole task where a called procedure stops', () => {
    const program = written(
      eventText(`
        event e() { call p(); done = 1; async[any] p(); }
        procedure p() { data = data + 1; }
        events e()`),
    );
    // Never done = 1 without data = 1 before.
    expect(explore(program, 'single').memories).toEqual(new Set(['', '4=1', '4=1 6=1', '4=2 6=1']));
  });

  test('stops in no lock block', () => {
    const program = written(
      eventText(`
        event e() { atomic { data = 1; done = 1; } }
        events e()`),
    );
    expect(explore(program, 'single').memories).toEqual(new Set(['', '4=1 6=1']));
  });

  test.each([
    ['repeated', 'loop { async[any] p(); data = 1; }'],
    ['repeated', 'local n; while (n < 3) { async[any] p(); n = n + 1; } data = 1;'],
    ['in-a-call', 'call q(); data = 1;'],
    ['in-a-call', 'call r(); data = 1;'],
    ['in-a-call', 'async[any] p(); data = 1; call r();'],
  ])('is not made where a posting that accesses follow is %s', (why, does) => {
    const program = eventText(`
      event e() { ${does} }
      procedure q() { async[any] p(); }
      procedure r() { call q(); }
      procedure p() { done = 1; }
      events e()`);
    expect(sequentialProgram(program)).toMatchObject({ kind: 'impossible', why, procedure: 'p' });
  });

  test.each(['loop { async[any] p(); }', 'data = 1; call q();'])('is made for %s', (does) => {
    const program = eventText(`
      event e() { ${does} }
      procedure q() { async[any] p(); }
      procedure p() { done = 1; }
      events e()`);
    expect(sequentialProgram(program).kind).toBe('sequential');
  });

  test.each([
    [-2, -1, 'sequential'],
    [7, 9, 'sequential'],
    [0, 0, 'no-flag'],
  ])('has a flag that fits in the domain %i..%i', async (low, high, kind) => {
    const text = `program Narrow
      var data = ${high}
      domain ${low}..${high}
      event e() { call p(); data = ${high}; }
      procedure p() { data = ${low}; }
      events e()`;
    const program = wholeText(text);
    expect(sequentialProgram(program).kind).toBe(kind);
    if (kind !== 'sequential') return;
    const { memories, hasFaults } = explore(await reread(program), 'single');
    expect({ memories: memories.size, hasFaults }).toEqual({ memories: 2, hasFaults: false });
  });
});

test('seq(P) has the memories of a single thread whose tasks may stop anywhere', async () => {
  const random = new SeededRandom(seed);
  const features = new FeatureCount();
  const found = { compared: 0, late: 0, called: 0, refused: 0, robust: 0, escaping: 0 };
  for (let run = 0; run < runs; run++) {
    const { program } = randomEventProgram(random, { endless: run % 8 === 0 });
    const which = `${run} of seed ${seed}`;
    const made = sequentialProgram(program);
    if (made.kind !== 'sequential') {
      found.refused++;
      continue;
    }
    const cut = explore(program, 'single', { mayStop: true });
    const seq = explore(await reread(program), 'single');
    if (!cut.isComplete || !seq.isComplete) continue;
    found.compared++;
    features.add(eventFeatures(program));
    expect(seq, which).toEqual(cut);
    const registers = made.program.bodies.flatMap((body) => body.registers);
    if (registers.some(({ name }) => name.startsWith('posted_'))) found.late++;
    if (made.program.symbols.length > program.symbols.length) found.called++;
    // Every partial run of a program that is robust against concurrency is one of seq(P).
    const threads = explore(program, 'multi-sc', {
      counts: ({ lockHolder }) => lockHolder === undefined,
    });
    const traces = enumerateEventTraces(program, 'SC', { maxStates });
    if (!threads.isComplete || !traces.isComplete || traces.isCut) continue;
    const isInside = [...threads.memories].every((memory) => seq.memories.has(memory));
    if (!isInside) found.escaping++;
    if (traces.unserialisable) continue;
    found.robust++;
    expect(isInside, which).toBe(true);
  }
  const all = JSON.stringify(found) + features.toString();
  expect(found.compared, all).toBeGreaterThan(runs / 2);
  for (const count of [found.late, found.called, found.robust])
    expect(count, all).toBeGreaterThan(runs / 50);
  // The runs of programs that are not robust are not all runs of seq(P).
  expect(found.escaping, all).toBeGreaterThan(0);
}, 240_000);

test('seq(P) ends in the same memories on several threads', () => {
  const random = new SeededRandom(seed);
  let compared = 0;
  for (let run = 0; run < runs / 5; run++) {
    const { program } = randomEventProgram(random, { maxTasks: 4, maxAccesses: 6 });
    const made = sequentialProgram(program);
    if (made.kind !== 'sequential') continue;
    const single = explore(made.program, 'single');
    const [sc, tso] = [explore(made.program, 'multi-sc'), explore(made.program, 'multi-tso')];
    if (![single, sc, tso].every(({ isComplete }) => isComplete)) continue;
    compared++;
    expect(sc.memories).toEqual(single.memories);
    expect(tso.memories).toEqual(single.memories);
  }
  expect(compared).toBeGreaterThan(runs / 10);
}, 240_000);
