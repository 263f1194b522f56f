import { describe, expect, test } from 'vitest';
import { Budget } from '../../../src/base/budget.js';
import {
  checkEventTso,
  type EventTsoOptions,
  type EventTsoResult,
} from '../../../src/events/threads/check-event-tso.js';
import type { EventProgram } from '../../../src/program/event-program.js';
import { binary, constant } from '../../../src/program/expression.js';
import {
  assume,
  call,
  choose,
  event,
  eventProgram,
  exchange,
  fence,
  load,
  loop,
  postAny,
  postMain,
  procedure,
  reg,
  store,
  withParameters,
} from './event-bodies.js';

function check(
  program: EventProgram,
  options: Partial<EventTsoOptions> = {},
): Promise<EventTsoResult> {
  return checkEventTso(program, { budget: new Budget(), ...options });
}

async function kindOf(
  program: EventProgram,
  options: Partial<EventTsoOptions> = {},
): Promise<string> {
  return (await check(program, options)).verdict.kind;
}

const isOne = (register: number) => binary('==', reg(register), constant(1));

describe('a posting', () => {
  const fig2Left = eventProgram([
    event('e', store('x', 1), load(0, 'y'), postAny('p')),
    procedure('p', store('y', 1), load(0, 'x')),
  ]);

  test('comes before the begin of its task', async () => {
    expect(await kindOf(fig2Left)).toBe('not-robust');
  });

  test('does not empty the buffer, unless it is fenced', async () => {
    const handOver = eventProgram([
      event('e', store('x', 1), postAny('p')),
      procedure('p', load(0, 'x')),
    ]);
    expect(await kindOf(handOver)).toBe('not-robust');
    expect(await kindOf(handOver, { postingFenced: true })).toBe('robust');
  });

  test('can end an attack without any load', async () => {
    const oneEvent = eventProgram([
      event('e', store('w', 1), postAny('p')),
      procedure('p', fence, postAny('q')),
      procedure('q', fence, store('w', 2)),
    ]);
    const { verdict } = await check(oneEvent);
    expect(verdict).toMatchObject({
      kind: 'not-robust',
      witness: {
        store: { body: 0, transition: 0 },
        end: { kind: 'posting', site: { body: 0, transition: 1 } },
      },
    });
    if (verdict.kind !== 'not-robust') return;
    const { run, judgement } = verdict.witness;
    const cycle = judgement.happensBeforeCycle ?? [];
    expect(cycle.map(({ relation }) => relation)).toContain('post');
    for (const { from, to, relation } of cycle)
      if (relation === 'post') {
        const posting = run.actions[from];
        const begin = run.actions[to];
        expect(posting?.kind).toBe('post');
        expect(begin?.kind).toBe('begin');
        if (posting?.kind === 'post') expect(begin?.task).toBe(posting.posted);
      }
  });

  test('is no look at memory: a task that begins late is no conflict', async () => {
    // If main looked for p in memory before h posts it, its store could wait past that look.
    const program = eventProgram([
      event('e', postAny('h'), store('x', 1)),
      procedure('h', postMain('p'), load(0, 'x')),
      procedure('p', load(0, 'z')),
    ]);
    expect(await kindOf(program)).toBe('robust');
  });

  test('hands values over', async () => {
    const program = (expected: number) =>
      eventProgram([
        event('e', load(0, 'a'), postAny('p', binary('+', reg(0), constant(1)))),
        withParameters(
          1,
          procedure(
            'p',
            assume(binary('==', reg(0), constant(expected))),
            store('x', 1),
            load(1, 'y'),
          ),
        ),
        event('f', store('y', 1), load(0, 'x')),
      ]);
    expect(await kindOf(program(1))).toBe('not-robust');
    expect(await kindOf(program(2))).toBe('robust');
  });
});

describe('the main thread', () => {
  test('has one buffer, across its tasks', async () => {
    const across = (...between: Parameters<typeof event>[1][]) =>
      eventProgram([
        event('save', store('saved', 1), ...between),
        event('look', load(0, 'closed')),
        event('leave', postAny('flush')),
        procedure('flush', store('closed', 1), fence, load(0, 'saved')),
      ]);
    expect(await kindOf(across())).toBe('not-robust');
    expect(await kindOf(across(fence))).toBe('robust');
  });

  test('takes what waits in any order', async () => {
    // Only if q begins before p does the store wait past the load.
    const program = eventProgram([
      event('e', postMain('p'), postMain('q')),
      event('f', postAny('h')),
      procedure('p', load(0, 'y'), exchange('z', 1)),
      procedure('q', store('x', 1)),
      procedure('h', store('y', 1), fence, load(0, 'x')),
    ]);
    expect(await kindOf(program)).toBe('not-robust');
  });

  test('is occupied while a task of it is blocked', async () => {
    // The task q has to end before r can begin, and does not if x is 0.
    const program = (wanted: number) =>
      eventProgram([
        event('e', postMain('q')),
        procedure('q', load(0, 'w'), assume(binary('==', reg(0), constant(wanted))), postMain('r')),
        procedure('r', store('x', 1), load(0, 'y')),
        event('f', postAny('h')),
        procedure('h', store('y', 1), fence, load(0, 'x')),
      ]);
    expect(await kindOf(program(0))).toBe('not-robust');
    expect(await kindOf(program(1))).toBe('robust');
  });

  test('alone is robust, for any number of instances', async () => {
    const { verdict } = await check(
      eventProgram(
        [event('e', store('x', 1), load(0, 'y'), postMain('p')), procedure('p', postMain('p'))],
        { e: 'any' },
      ),
    );
    expect(verdict).toEqual({ kind: 'robust', shownBy: 'one-thread' });
  });

  test('has one more that is not posted: tasks on threads of their own begin when posted', async () => {
    const program = eventProgram([
      event('e', load(0, 'go'), assume(isOne(0)), postAny('p')),
      procedure('p', store('x', 1), load(0, 'y')),
      event('f', postAny('h')),
      procedure('h', store('y', 1), load(0, 'x')),
    ]);
    expect(await kindOf(program)).toBe('robust');
  });
});

describe('a bound', () => {
  const recursive = (...between: Parameters<typeof event>[1][]) =>
    eventProgram([
      event('e', postAny('p')),
      procedure('p', store('x', 1), ...between, choose([postAny('p')], [])),
    ]);

  test('that is hit is told, whatever was found below it', async () => {
    expect((await check(recursive(fence), { bounds: { depth: 3 } })).verdict).toEqual({
      kind: 'unknown',
      why: { kind: 'bounds', hit: [{ kind: 'depth', body: 1, most: 3 }] },
    });
  });

  test('does not hide a violation', async () => {
    expect(await kindOf(recursive(), { bounds: { depth: 3 } })).toBe('not-robust');
  });

  test('that no run gets to does not count', async () => {
    const guarded = (counts: number) =>
      eventProgram([
        event('e', postAny('p', 0)),
        withParameters(
          1,
          procedure(
            'p',
            exchange('x', 1),
            assume(binary('<', reg(0), constant(counts))),
            postAny('p', binary('+', reg(0), constant(1))),
          ),
        ),
      ]);
    expect(await kindOf(guarded(2), { bounds: { depth: 3 } })).toBe('robust');
    expect(await kindOf(guarded(3), { bounds: { depth: 3 } })).toBe('unknown');
  });

  test('is put on postings in loops, and on calls', async () => {
    const looping = eventProgram([event('e', loop(postAny('p'))), procedure('p', load(0, 'x'))]);
    expect((await check(looping)).verdict).toMatchObject({
      why: { hit: [{ kind: 'postings', body: 0, most: 3 }] },
    });
    const calling = eventProgram([
      event('e', call('p'), postAny('q')),
      procedure('p', choose([call('p')], [])),
      procedure('q'),
    ]);
    expect((await check(calling)).verdict).toMatchObject({
      why: { hit: [{ kind: 'depth', body: 1, most: 8 }] },
    });
  });

  test('is put on what there is any number of', async () => {
    const program = eventProgram([event('e', postAny('p')), procedure('p', store('x', 1))], {
      e: 'any',
    });
    expect((await check(program)).verdict).toEqual({
      kind: 'unknown',
      why: { kind: 'bounds', hit: [{ kind: 'instances', body: 0, most: 2 }] },
    });
  });
});

describe('a call', () => {
  test('is a part of its task, with registers of its own', async () => {
    const program = (given: number) =>
      eventProgram([
        event('e', load(0, 'a'), call('p', given), call('q'), postAny('h')),
        withParameters(1, procedure('p', assume(isOne(0)), store('x', reg(0)))),
        procedure('q', load(0, 'y')),
        procedure('h', store('y', 1), fence, load(0, 'x')),
      ]);
    expect(await kindOf(program(1))).toBe('not-robust');
    expect(await kindOf(program(0))).toBe('robust');
  });
});
