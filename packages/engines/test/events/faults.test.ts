import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { checkEvents } from '../../../core/src/api/check-events.js';
import { at } from '@fencewright/ground/base/at.js';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import { enumerateEventTraces } from '@fencewright/reference/definitions/enumerate-event-traces.js';
import {
  type Body,
  type EventInstruction,
  type EventProgram,
  isInvocation,
} from '@fencewright/model/program/event-program.js';
import {
  binary,
  constant,
  registerValue,
  type Expression,
} from '@fencewright/model/program/expression.js';
import { FeatureCount } from '@fencewright/reference/testing/program-features.js';
import { randomEventProgram } from '@fencewright/reference/testing/random-event-program.js';
import { eventVerdict, type Against } from '@fencewright/model/verdict/event-check-result.js';
import { randomTasks } from './threads/random-tasks.js';
import { eventText } from './threads/event-text.js';

const runs = randomRuns(400, 20_000, 45);
const seed = randomSeed(20201104);

const criteria: readonly Against[] = ['concurrency', 'tso', 'both'];

describe('what faults is never robust', () => {
  test.each(
    criteria.flatMap((against) =>
      [
        ['on one thread', 'event e() { local r; r = x; r = 1 / r; }', 'events e()'],
        ['in a posted task', 'event e() { async[main] p(); }', 'events e()'],
        ['on a thread of its own', 'event e() { async[any] p(); }', 'events e()'],
        ['in any number of events', 'event e() { call p(); }', 'events e() *'],
        ['in the argument of a call', 'event e() { local r; r = x; call q(1 / r); }', 'events e()'],
        ['of a posting', 'event e() { local r; r = x; async[any] q(1 / r); }', 'events e()'],
        [
          'of a posting to main',
          'event e() { local r; r = x; async[main] q(1 / r); }',
          'events e()',
        ],
      ].map(([where, event, events]) => ({ against, where, text: `${event}\n${events}` })),
    ),
  )('against $against: $where', async ({ against, text }) => {
    const procedures = 'procedure p() { local r; r = x; r = 1 / r; } procedure q(a0) { y = a0; }';
    const result = await checkEvents(eventText(`${procedures}\n${text}`), { against });
    expect(eventVerdict(result).kind).toBe('error');
    expect(result.faults).toEqual({ kind: 'found' });
    expect(result.diagnostics.map(({ code, span }) => [code, span !== undefined])).toEqual([
      ['FW3002', true],
    ]);
  });

  test.each(criteria)(
    'against %s: a value outside of the domain, an index too far',
    async (against) => {
      const verdictOf = async (text: string) =>
        eventVerdict(await checkEvents(eventText(text), { against })).kind;
      const outside = 'event e() { local r; r = x; x = r + 2; }';
      expect(await verdictOf(`domain 0..1\n${outside}\nevents e()`)).toBe('error');
      expect(
        await verdictOf('var t[2]\nevent e() { local r; r = x; t[r + 2] = 1; }\nevents e()'),
      ).toBe('error');
    },
  );
});

describe('what does not fault', () => {
  test.each(criteria)('against %s: main never comes to it', async (against) => {
    const result = await checkEvents(
      eventText(`
        event e() { local r; async[main] p(); r = x; assume (r == 1); }
        procedure p() { local r; r = x; r = 1 / r; }
        events e()`),
      { against },
    );
    expect(eventVerdict(result).kind).toBe('robust');
    expect(result.faults).toEqual({ kind: 'none', shownBy: 'search' });
  });

  test.each(criteria)('against %s: no instruction can', async (against) => {
    const { faults } = await checkEvents(eventText('event e() { x = 1; }\nevents e()'), {
      against,
    });
    expect(faults).toEqual({ kind: 'none', shownBy: 'instructions' });
  });
});

describe('faults are found', () => {
  // Main loops for ever after its posting, so no serial run executes a task after main's.
  test.each(criteria)('against %s: beside a main that never ends', async (against) => {
    const result = await checkEvents(
      eventText(`
        event e() { local r; x = 1; fence; async[any] p(); while (1) { r = 0; } }
        procedure p() { local r; r = x; r = 1 / (r - 1); }
        events e()`),
      { against },
    );
    expect(eventVerdict(result).kind).toBe('error');
  });
});

describe('where faults were not looked for, this is said', () => {
  const text = (count: string): EventProgram =>
    eventText(`event e() { local r; r = x; x = (r + 1) % 5; }\nevents e() ${count}`);

  test('of any number of events on one thread', async () => {
    const result = await checkEvents(text('*'), { against: 'tso' });
    expect(eventVerdict(result).kind).toBe('robust');
    expect(result.faults).toEqual({ kind: 'not-looked-for' });
    const { faults } = await checkEvents(text('* 3'), { against: 'tso' });
    expect(faults).toEqual({ kind: 'none', shownBy: 'search' });
  });

  test('where states run out', async () => {
    const program = text('* 30');
    const result = await checkEvents(program, { against: 'tso', limits: { maxStates: 5 } });
    expect(eventVerdict(result).kind).toBe('robust');
    expect(result.faults).toEqual({ kind: 'not-looked-for' });
    expect(result.statistics.states).toBeLessThan(10);
  });
});

/**
 * Returns the program with a possible fault: a division by zero or an argument out of range, for
 * some value of a register.
 */
function withFault(program: EventProgram, random: SeededRandom): EventProgram {
  const number = random.below(program.bodies.length);
  const body = at(program.bodies, number);
  if (body.transitions.length === 0) return program;
  const register = random.below(Math.max(1, Math.min(2, body.registers.length)));
  const quotient: Expression = binary(
    '/',
    constant(1),
    binary('-', registerValue(register), constant(random.below(3))),
  );
  const place = random.below(body.transitions.length);
  const faulty = inArgument(body, place, quotient) ?? before(body, place, quotient);
  return { ...program, bodies: program.bodies.map((each, i) => (i === number ? faulty : each)) };
}

function inArgument(body: Body, place: number, quotient: Expression): Body | undefined {
  const { instruction } = at(body.transitions, place);
  if (!isInvocation(instruction) || instruction.arguments.length === 0) return undefined;
  const faulty: EventInstruction = {
    ...instruction,
    arguments: instruction.arguments.map((_, i) => (i === 0 ? quotient : constant(1))),
  };
  return {
    ...body,
    transitions: body.transitions.map((each, i) =>
      i === place ? { ...each, instruction: faulty } : each,
    ),
  };
}

function before(body: Body, place: number, quotient: Expression): Body {
  const between = body.locations.length;
  const into = body.registers.length;
  const transition = at(body.transitions, place);
  return {
    ...body,
    registers: [...body.registers, { name: 'quotient', hidden: true }],
    locations: [...body.locations, { name: 'between', hidden: true }],
    transitions: [
      ...body.transitions.map((each, i) => (i === place ? { ...each, from: between } : each)),
      {
        from: transition.from,
        to: between,
        instruction: { kind: 'assign', into, value: quotient },
        origin: {},
      },
    ],
  };
}

test(`faults of ${runs} random event programs, by the definition`, async () => {
  const random = new SeededRandom(seed);
  const count = new FeatureCount();
  for (let run = 0; run < runs; run++) {
    const sound =
      run % 2 === 0 ? randomTasks(random) : randomEventProgram(random, { maxAccesses: 8 }).program;
    const program = withFault(sound, random);
    const postingFenced = run % 8 === 7;
    const traces = (['SC', 'TSO'] as const).map((semantics) =>
      enumerateEventTraces(program, semantics, { postingFenced, maxStates: 3000 }),
    );
    if (!traces.every(({ isComplete, isCut }) => isComplete && !isCut)) continue;
    const [sc, tso] = traces.map(({ hasFaults }) => hasFaults);
    for (const against of criteria) {
      const result = await checkEvents(program, { against, postingFenced });
      const { kind } = eventVerdict(result);
      const faults = against === 'concurrency' ? sc : tso;
      const text = JSON.stringify({ run, against, postingFenced, program });
      count.add([`${against}: ${kind}, faults ${result.faults.kind}, by definition ${faults}`]);
      if (kind === 'robust') expect(faults, text).toBe(false);
      if (kind === 'error') expect(tso, text).toBe(true);
      if (result.faults.kind === 'none') expect(faults, text).toBe(false);
    }
  }
  console.log(count.toString());
  for (const against of criteria) {
    const robust = `${against}: robust, faults none, by definition false`;
    expect(count.get(robust)).toBeGreaterThan(runs / 50);
    const faulty = `${against}: error, faults found, by definition true`;
    expect(count.get(faulty)).toBeGreaterThan(runs / 50);
  }
});
