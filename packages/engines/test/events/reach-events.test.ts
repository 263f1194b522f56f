import { describe, expect, test } from 'vitest';
import { enumerateEventTraces } from '@fencewright/reference/definitions/enumerate-event-traces.js';
import { replayEventRun } from '@fencewright/model/events/replay-event-run.js';
import { reachEvents } from '@fencewright/model/events/reach-events.js';
import { binary, constant, registerValue } from '@fencewright/model/program/expression.js';
import type { Property, StateExpression, StateLeaf } from '@fencewright/model/program/program.js';
import {
  equals,
  eventProgramOf,
  instructions,
} from '@fencewright/reference/testing/event-builder.js';
import { stories } from './stories.js';

const { store, load, post, call, assume, repeat, fence } = instructions;
const [x, y] = [0, 1];
const cells = ['x', 'y'];
const once = [{ event: 0 }];

function memoryText(memory: ReadonlyMap<number, number>): string {
  const entries = [...memory].filter(([, value]) => value !== 0).sort(([a], [b]) => a - b);
  return entries.map(([address, value]) => `${address}=${value}`).join(' ');
}

function holds(cell: number, value: number): StateExpression {
  return binary<StateLeaf>('==', { kind: 'memory', address: cell }, { kind: 'constant', value });
}

function property(kind: Property['kind'], condition: StateExpression): Property {
  return { name: kind, kind, condition };
}

describe('reachable final states', () => {
  test.each(stories)('$name', async ({ program, finals }) => {
    for (const isReduced of [true, false]) {
      const { single, sc, tso, isWithinSingle } = await reachEvents(program, { isReduced });
      const found = [single, sc, tso].map(({ finalStates }) =>
        finalStates.map(({ memory }) => memoryText(memory)).sort(),
      );
      expect(found).toEqual(finals);
      for (const { blocked } of [single, sc, tso])
        expect(blocked.states > 0).toBe(finals[0]!.length === 0);
      const [alone, ...others] = finals;
      const isWithin = others.map((each) => each.every((state) => alone!.includes(state)));
      expect([isWithinSingle.sc, isWithinSingle.tso]).toEqual(
        isWithin.map((within) => (within ? 'yes' : 'no')),
      );
      for (const { run, memory } of tso.finalStates) {
        expect(run !== undefined).toBe(!alone!.includes(memoryText(memory)));
        if (!run) continue;
        const replayed = replayEventRun(program, run, 'multi-tso');
        expect(replayed.kind).toBe('possible');
        if (replayed.kind === 'possible')
          expect(memoryText(replayed.ends[0]!.memory)).toBe(memoryText(memory));
      }
    }
  });

  test('blocked configurations are told, with a run', async () => {
    const { program } = stories.find(({ name }) => name.includes('blocks for ever'))!;
    const { single, sc, tso } = await reachEvents(program);
    for (const { blocked, finalStates } of [single, sc, tso]) {
      expect(finalStates).toEqual([]);
      expect(blocked.states).toBeGreaterThan(0);
      expect(blocked.run!.actions.length).toBeGreaterThan(0);
    }
  });

  test('properties, each with a run that decides it', async () => {
    const program = eventProgramOf({
      cells,
      procedures: [{ name: 'p', does: [load('r0', x), store(y, 'r0')] }],
      events: [{ name: 'e', does: [store(x, 1), post('any', 0)] }],
      instances: once,
      properties: [
        property('never', holds(y, 7)),
        property('finally', holds(y, 1)),
        property('exists', holds(y, 0)),
      ],
    });
    const { single, sc, tso } = await reachEvents(program);
    const verdicts = [single, sc, tso].map(({ properties }) =>
      properties.map(({ verdict }) => verdict),
    );
    expect(verdicts).toEqual([
      ['holds', 'holds', 'violated'],
      ['holds', 'holds', 'violated'],
      ['holds', 'violated', 'holds'],
    ]);
    for (const { run } of tso.properties)
      if (run) expect(replayEventRun(program, run, 'multi-tso').kind).toBe('possible');
  });

  test('a posting overtakes a store: memory between tasks', async () => {
    const program = eventProgramOf({
      cells,
      procedures: [{ name: 'p', does: [store(y, 1)] }],
      events: [{ name: 'e', does: [store(x, 1), post('any', 0)] }],
      instances: once,
      properties: [property('never', binary('&&', holds(x, 0), holds(y, 1)))],
    });
    const verdictsOf = async (postingFenced: boolean) => {
      const { single, sc, tso } = await reachEvents(program, { postingFenced });
      return [single, sc, tso].map(({ properties: [first] }) => first!.verdict);
    };
    expect(await verdictsOf(false)).toEqual(['holds', 'holds', 'violated']);
    expect(await verdictsOf(true)).toEqual(['holds', 'holds', 'holds']);
  });

  test('asserts and faults, each once, with a run', async () => {
    const program = eventProgramOf({
      cells,
      procedures: [
        {
          name: 'p',
          does: [
            load('r0', x),
            instructions.assert(equals('r0', 1)),
            store(y, binary('/', constant(1), registerValue(0))),
          ],
        },
      ],
      events: [{ name: 'e', does: [store(x, 1), post('any', 0)] }],
      instances: once,
    });
    const { sc, tso } = await reachEvents(program);
    expect([sc.failedAssertions.length, sc.faults.length, sc.incomplete]).toEqual([
      0,
      0,
      undefined,
    ]);
    expect(tso.incomplete).toBe('unsupported');
    expect(tso.faults).toMatchObject([{ fault: 'division-by-zero', site: { body: 0 } }]);
    expect(tso.failedAssertions).toHaveLength(1);
    for (const { run } of [...tso.faults, ...tso.failedAssertions])
      expect(replayEventRun(program, run, 'multi-tso').kind).toBe('possible');
  });

  test('a store outside of the domain ends the execution, and is told', async () => {
    const sketch = eventProgramOf({
      cells,
      procedures: [{ name: 'p', does: [load('r0', y), store(x, 'r0')] }],
      events: [{ name: 'e', does: [post('any', 0), store(y, 1)] }],
      instances: once,
    });
    const program = { ...sketch, domain: { low: 1, high: 1 } };
    const { single, sc } = await reachEvents(program);
    expect([single.incomplete, sc.incomplete]).toEqual([undefined, 'unsupported']);
    expect(sc.faults).toMatchObject([{ fault: 'domain', site: { body: 0 } }]);
    expect(sc.finalStates).toHaveLength(1);
    const traces = enumerateEventTraces(program, 'SC');
    expect([traces.hasFaults, traces.finalStates]).toEqual([true, ['0=1 1=1']]);
  });

  test('any number of instances: a fixpoint on a single thread, a bound elsewhere', async () => {
    const program = eventProgramOf({
      cells,
      events: [
        {
          name: 'e',
          does: [load('r0', x), store(x, binary('^', registerValue(0), constant(1)))],
        },
      ],
      instances: [{ event: 0, count: 'any' }],
      properties: [property('never', holds(x, 2))],
    });
    const { single, sc, tso, isWithinSingle, allowed } = await reachEvents(program);
    expect([single.bounds, sc.bounds, tso.bounds]).toEqual([[], ['instances'], ['instances']]);
    expect(single.finalStates).toHaveLength(2);
    expect(single.properties[0]!.verdict).toBe('holds');
    expect(tso.properties[0]!.verdict).toBe('unknown');
    expect(isWithinSingle).toEqual({ sc: 'unknown', tso: 'unknown' });
    expect(allowed).toMatchObject({ instances: 2, depth: 16 });
  });

  test('calls and postings without end are cut, and it is said', async () => {
    const calls = eventProgramOf({
      cells,
      procedures: [{ name: 'p', does: [call(0)] }],
      events: [{ name: 'e', does: [call(0)] }],
      instances: once,
    });
    const posts = eventProgramOf({
      cells,
      procedures: [{ name: 'p', does: [post('main', 0), post('main', 0)] }],
      events: [{ name: 'e', does: [post('main', 0)] }],
      instances: once,
    });
    for (const program of [calls, posts]) {
      const { single, sc, tso } = await reachEvents(program, { depth: 5 });
      for (const each of [single, sc, tso]) {
        expect(each.bounds).toEqual(['depth']);
        expect(each.blocked.states).toBe(0);
      }
    }
  });

  test('a task that posts itself for ever is a fixpoint', async () => {
    const program = eventProgramOf({
      cells,
      procedures: [{ name: 'p', does: [store(x, 1), fence, post('main', 0)] }],
      events: [{ name: 'e', does: [post('main', 0)] }],
      instances: once,
      properties: [property('finally', holds(x, 1))],
    });
    const { single, sc, tso } = await reachEvents(program);
    for (const { bounds, incomplete, finalStates, properties } of [single, sc, tso]) {
      expect([bounds, incomplete, finalStates]).toEqual([[], undefined, []]);
      expect(properties[0]).toMatchObject({ verdict: 'holds', isVacuous: true });
    }
  });

  test('a task that does nothing for ever keeps nobody else from going on', async () => {
    const program = eventProgramOf({
      cells,
      procedures: [{ name: 'p', does: [repeat(1, [])] }],
      events: [{ name: 'e', does: [post('any', 0), load('r0', x), store(y, 3), assume(0)] }],
      instances: once,
      properties: [property('never', holds(y, 3))],
    });
    const { sc, tso } = await reachEvents(program);
    expect([sc, tso].map(({ properties: [first] }) => first!.verdict)).toEqual([
      'violated',
      'violated',
    ]);
  });

  test('a buffer that is filled for ever is cut, or the limits end it', async () => {
    const program = eventProgramOf({
      cells,
      events: [{ name: 'e', does: [repeat(1, [store(x, 1)])] }],
      instances: once,
    });
    const bounded = await reachEvents(program, { buffer: 3 });
    expect(bounded.tso).toMatchObject({ bounds: ['buffer'], finalStates: [] });
    const limited = await reachEvents(program, { limits: { maxStates: 500 } });
    expect(limited.tso.incomplete).toBe('states');
  });
});
