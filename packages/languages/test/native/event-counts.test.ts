import { describe, expect, test } from 'vitest';
import { parseNative } from '../../src/native/parse-native.js';
import { eventModel } from '@fencewright/model/program/model.js';

const head = `program Counted
var x
event click(n) { x = n; }
event tick() { x = 1; }
procedure idle() { x = 2; }
`;

/** The instances of a program with given numbers of some events: name, arguments, count. */
function counted(events: string, counts: Readonly<Record<string, number>>) {
  const { model, diagnostics } = parseNative(head + events, new Map(Object.entries(counts)));
  const program = eventModel(model)?.program;
  if (!program) return diagnostics.map(({ message }) => message);
  return program.instances.map(({ event, arguments: given, count }) => [
    program.bodies[event]?.name,
    given,
    count,
  ]);
}

describe('numbers of instances of events', () => {
  test('stand in for those of the text, and others stay', () => {
    const text = 'events tick() *, click(3)';
    expect(counted(text, {})).toEqual([
      ['tick', [], 'any'],
      ['click', [3], 1],
    ]);
    expect(counted(text, { tick: 2 })).toEqual([
      ['tick', [], 2],
      ['click', [3], 1],
    ]);
    expect(counted(text, { tick: 1, click: 64 })).toEqual([
      ['tick', [], 1],
      ['click', [3], 64],
    ]);
  });

  test('can be 0', () => {
    expect(counted('events tick(), click(3) * 2', { click: 0 })).toEqual([['tick', [], 1]]);
    expect(counted('events tick()', { click: 0 })).toEqual([['tick', [], 1]]);
    expect(counted('events tick(), click(1), click(2)', { tick: 0 })).toEqual([
      ['click', [1], 1],
      ['click', [2], 1],
    ]);
  });

  test('are for all equal instances together, however they are written', () => {
    expect(counted('events click(1), tick(), click(1) * 2', { click: 2 })).toEqual([
      ['click', [1], 2],
      ['tick', [], 1],
    ]);
  });

  test('make instances of an event without arguments that has none', () => {
    expect(counted('events click(1)', { tick: 3 })).toEqual([
      ['click', [1], 1],
      ['tick', [], 3],
    ]);
  });

  test('are refused where the arguments are not known', () => {
    expect(counted('events click(1), click(2)', { click: 2 })).toEqual([
      "the number of instances of 'click' is given, but its instances have different arguments",
    ]);
    expect(counted('events tick()', { click: 2 })).toEqual([
      "the number of instances of 'click' is given, but their arguments are missing",
    ]);
  });

  test('are of events: of others there is the nearest name', () => {
    const { model, diagnostics } = parseNative(`${head}events tick()`, new Map([['tik', 2]]));
    expect(model).toBeUndefined();
    expect(diagnostics).toMatchObject([{ message: "no event is named 'tik'" }]);
    expect(diagnostics[0]?.hint).toContain("'tick'");
    expect(counted('events tick()', { idle: 2 })).toEqual([
      "'idle' is a procedure, and the environment starts events only",
    ]);
  });
});
