import { expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../../tools/random-runs.js';
import { check } from '../../../../core/src/api/check.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import { SeededRandom } from '@fencewright/ground/base/random.js';
import { defaultBounds } from '../../../src/events/threads/bounds.js';
import { checkEventTso } from '../../../src/events/threads/check-event-tso.js';
import { lowerEvents } from '../../../src/events/threads/lower.js';
import { binary, constant, registerValue } from '@fencewright/model/program/expression.js';
import type { Program, Thread, Transition } from '@fencewright/model/program/program.js';
import { FeatureCount } from '@fencewright/reference/testing/program-features.js';
import { printNative } from '@fencewright/languages/native/print-native.js';
import { eventText } from './event-text.js';
import { randomTasks } from './random-tasks.js';

const runs = randomRuns(60, 2000, 20);
const seed = randomSeed(19790901);

/**
 * Returns the program without mailboxes: a posting is a locked exchange of a flag, and a task waits
 * until a load finds the flag set.
 */
function withFlags({ threads, ...rest }: Program): Program {
  return { ...rest, threads: threads.map(threadWithFlags) };
}

function threadWithFlags(thread: Thread): Thread {
  const flag = thread.registers.length;
  const locations = [...thread.locations];
  const transitions = thread.transitions.flatMap((transition): Transition[] => {
    const { instruction } = transition;
    if (instruction.kind !== 'rmw' || instruction.handOver === undefined) return [transition];
    const { handOver, ...locked } = instruction;
    if (handOver !== 'begin') return [{ ...transition, instruction: locked }];
    const looked = locations.push({ name: `looked${locations.length}`, hidden: true }) - 1;
    const isSet = binary('==', registerValue(flag), constant(1));
    return [
      {
        ...transition,
        to: looked,
        instruction: { kind: 'load', address: instruction.address, into: flag },
      },
      { ...transition, from: looked, instruction: { kind: 'assume', condition: isSet } },
    ];
  });
  const registers = [...thread.registers, { name: 'flag', hidden: true }];
  return { ...thread, registers, locations, transitions };
}

test(`with fenced posting, ${runs} random event programs are programs of threads`, async () => {
  const random = new SeededRandom(seed);
  const count = new FeatureCount();
  for (let run = 0; run < runs; run++) {
    const program = randomTasks(random, { onlyBackground: true });
    const budget = new Budget();
    const { verdict } = await checkEventTso(program, { budget, postingFenced: true });
    const threads = withFlags(lowerEvents(program, defaultBounds, true).program);
    const expected = await check(threads, { engine: 'search' });
    expect(verdict.kind, JSON.stringify({ run, program })).toBe(expected.verdict.kind);
    count.add([verdict.kind]);
  }
  console.log(count.toString());
  for (const kind of ['robust', 'not-robust'])
    expect(count.get(kind), kind).toBeGreaterThan(runs / 10);
});

test('whoever knows nothing of mailboxes refuses a program with them', async () => {
  const events = eventText(`
    event e() { local r; x = 1; r = y; async[any] p(); }
    procedure p() { local r; y = 1; r = x; }
    events e()`);
  const { program } = lowerEvents(events, defaultBounds, false);
  const refusal = 'only the attack search knows how tasks are posted';
  for (const engine of ['instrument', 'single-query', 'chc'] as const)
    await expect(check(program, { engine }), engine).rejects.toThrow(refusal);
  expect(() => printNative(program)).toThrow(refusal);
});
