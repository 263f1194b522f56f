import { describe, expect, test } from 'vitest';
import { checkTwoThreads } from '../../../../core/src/api/check-two-threads.js';
import { decide } from '../../../../core/src/api/decide.js';
import { Budget } from '@fencewright/ground/base/budget.js';
import {
  enumerateEventTraces,
  eventVerdicts,
} from '@fencewright/reference/definitions/enumerate-event-traces.js';
import { checkConcurrency } from '../../../src/events/serial/check-serial.js';
import { checkEventTso } from '../../../src/events/threads/check-event-tso.js';
import type { EventProgram } from '@fencewright/model/program/event-program.js';
import { eventText, wholeText } from './event-text.js';

/**
 * Returns the two-thread construction for the program, parsed from its printed text, so that tests
 * judge the text.
 */
async function constructed(program: EventProgram): Promise<EventProgram> {
  const result = await decide({ kind: 'events', program }, { kind: 'convert', to: 'two-threads' });
  if (result.kind !== 'convert') throw new Error(result.kind);
  return wholeText(result.printed.text ?? '');
}

async function tsoOf(program: EventProgram): Promise<string> {
  const { verdict } = await checkEventTso(program, { budget: new Budget() });
  return verdict.kind;
}

/**
 * Programs that are robust against concurrency and that contradict [BEMR18] Theorem 2: the verdict
 * on each program and on its construction, and whether the traces can be enumerated.
 */
const counterexamples = [
  {
    name: 'a store of a background task is called on main, which then posts its reader',
    tso: 'robust',
    construction: 'not-robust',
    text: `
      event write() { async[any] writer(); }
      event look() { async[any] reader(); }
      procedure writer() { data = 1; }
      procedure reader() { local r; r = data; }
      events write(), look()`,
  },
  {
    name: 'two background tasks are called on main, whose order they have then',
    tso: 'robust',
    construction: 'not-robust',
    text: `
      event ask() { async[any] asker(); }
      event finish() { async[any] finisher(); }
      event look() { async[any] reader(); }
      procedure asker() { local r; data = 1; r = done; }
      procedure finisher() { done = 1; }
      procedure reader() { local r; r = data; }
      events ask(), finish(), look()`,
  },
  {
    name: 'main delays a store until the task of a task reads it',
    tso: 'not-robust',
    construction: 'robust',
    text: `
      event write() { data = 1; async[any] between(); }
      procedure between() { fence; async[any] reader(); }
      procedure reader() { local r; r = data; }
      events write()`,
  },
  {
    name: 'main delays a store, and two background tasks have to answer',
    tso: 'not-robust',
    construction: 'robust',
    text: `
      event write() { local r; data = 1; r = asked; }
      event first() { fence; async[any] asker(); }
      event second() { fence; async[any] reader(); }
      procedure asker() { asked = 1; done = 1; }
      procedure reader() { local r, s; r = done; if (r == 1) { s = data; } }
      events write(), first(), second()`,
  },
  {
    name: 'a background task never returns, and main would wait for it',
    tso: 'not-robust',
    construction: 'robust',
    text: `
      event write() { async[any] writer(); }
      event stay() { async[any] stuck(); }
      event look() { local r, s; r = done; if (r == 1) { s = data; } }
      procedure writer() { local r; data = 1; r = asked; }
      procedure stuck() { asked = 1; fence; done = 1; assume(false); }
      events write(), stay(), look()`,
  },
  {
    name: 'main delays a store while two tasks live that began before and go on behind',
    tso: 'not-robust',
    construction: 'robust',
    isLarge: true,
    text: `
      var passed
      event one() { fence; async[any] early(); }
      event two() { fence; async[any] late(); }
      event pass() { fence; mark = 1; seen = 1; seen2 = 1; fence; }
      event write() { local r; data = 1; r = asked; }
      event look() { fence; async[any] reader(); }
      procedure early() { local r; r = seen; if (r == 0) { asked = 1; fence; } }
      procedure late() {
        local r, s;
        r = seen2;
        if (r == 0) { s = asked; if (s == 1) { passed = 1; fence; } }
      }
      procedure reader() {
        local r, s, t;
        r = passed;
        if (r == 1) { s = mark; if (s == 1) { t = data; } }
      }
      events one(), two(), pass(), write(), look()`,
  },
] as const;

describe('against [BEMR18] Theorem 2: $name', () => {
  test.each(counterexamples)('$name', async ({ text, tso, construction, ...size }) => {
    const program = eventText(text);
    const { verdict: concurrency } = await checkConcurrency(program);
    expect(concurrency).toBe('robust');
    expect(await tsoOf(program)).toBe(tso);
    if (!('isLarge' in size)) {
      const traces = enumerateEventTraces(program, 'TSO');
      const sc = enumerateEventTraces(program, 'SC');
      expect(eventVerdicts(sc, traces)).toMatchObject({ concurrency: 'robust', tso });
    }
    expect(await tsoOf(await constructed(program))).toBe(construction);
    const { criteria } = await checkTwoThreads(program);
    expect(criteria.tso).toEqual({
      kind: 'unknown',
      why: { kind: 'two-threads', said: construction },
    });
  });
});
