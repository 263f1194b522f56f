import { describe, expect, it } from 'vitest';
import {
  computeLiveRegisters,
  listLiveRegisters,
  definedRegister,
  forEachUse,
  instructionAccess,
} from '../../src/analysis/liveness.js';
import { binary, constant, registerValue } from '../../src/program/expression.js';
import type { Instruction } from '../../src/program/instruction.js';
import type { Thread } from '../../src/program/program.js';

const r = (register: number) => registerValue(register);

function usesOf(instruction: Instruction): number[] {
  const uses: number[] = [];
  forEachUse(instruction, (register) => uses.push(register));
  return uses;
}

describe('uses and definitions', () => {
  it.each<[Instruction, number[], number | undefined]>([
    [{ kind: 'store', address: r(1), value: r(0) }, [1, 0], undefined],
    [{ kind: 'load', into: 0, address: r(0) }, [0], 0],
    [{ kind: 'assign', into: 2, value: binary('+', r(0), r(0)) }, [0, 0], 2],
    [{ kind: 'assume', condition: r(3) }, [3], undefined],
    [{ kind: 'assert', condition: r(3) }, [3], undefined],
    [{ kind: 'fence' }, [], undefined],
    [{ kind: 'lock' }, [], undefined],
    [{ kind: 'unlock' }, [], undefined],
    [{ kind: 'skip' }, [], undefined],
    [{ kind: 'havoc', into: 1, where: binary('<=', r(1), r(2)) }, [2], 1],
    [{ kind: 'havoc', into: 1 }, [], 1],
    [
      { kind: 'rmw', address: r(0), operation: { name: 'xchg', operands: [r(1)] } },
      [0, 1],
      undefined,
    ],
    [
      {
        kind: 'rmw',
        into: 3,
        address: r(0),
        operation: { name: 'cas', operands: [r(1), r(2)] },
      },
      [0, 1, 2],
      3,
    ],
    [
      {
        kind: 'rmw',
        into: 0,
        address: { kind: 'element', symbol: 0, index: r(1) },
        operation: { name: 'fetch_add', operands: [constant(1)] },
      },
      [1],
      0,
    ],
  ])('of %j', (instruction, uses, defined) => {
    expect(usesOf(instruction)).toEqual(uses);
    expect(definedRegister(instruction)).toBe(defined);
  });
});

/** A thread with `locations` locations and two registers, starting at 0. */
function threadOf(
  locations: number,
  ...edges: readonly (readonly [number, Instruction, number])[]
): Thread {
  return {
    name: 't',
    registers: [
      { name: 'a', hidden: false },
      { name: 'b', hidden: false },
    ],
    locations: Array.from({ length: locations }, (_, i) => ({ name: `q${i}`, hidden: false })),
    initial: 0,
    transitions: edges.map(([from, instruction, to]) => ({ from, to, instruction, origin: {} })),
  };
}

const skip: Instruction = { kind: 'skip' };
const use = (register: number): Instruction => ({ kind: 'assume', condition: r(register) });
const define = (register: number): Instruction => ({
  kind: 'assign',
  into: register,
  value: constant(1),
});

/** Returns for each location of the thread its live registers as text: "a", "b", "ab" or "". */
function liveIn(thread: Thread, observed: readonly number[] = []): string[] {
  return computeLiveRegisters(thread, instructionAccess, observed).map((live) =>
    thread.registers.map(({ name }, i) => (live[i] ? name : '')).join(''),
  );
}

describe('computeLiveRegisters', () => {
  it('ends life at a definition', () => {
    expect(liveIn(threadOf(4, [0, use(1), 1], [1, define(0), 2], [2, use(0), 3]))).toEqual([
      'b',
      '',
      'a',
      '',
    ]);
  });

  it('keeps a register alive that its own definition reads', () => {
    const increment: Instruction = { kind: 'assign', into: 0, value: binary('+', r(0), r(1)) };
    expect(liveIn(threadOf(3, [0, increment, 1], [1, use(0), 2]))).toEqual(['ab', 'a', '']);
  });

  it('joins branches', () => {
    expect(
      liveIn(threadOf(4, [0, define(0), 1], [0, skip, 1], [1, use(0), 2], [1, use(1), 3])),
    ).toEqual(['ab', 'ab', '', '']);
  });

  it('goes around loops', () => {
    expect(
      liveIn(threadOf(4, [0, skip, 1], [1, define(1), 2], [2, use(0), 0], [2, use(1), 3])),
    ).toEqual(['a', 'a', 'ab', '']);
  });

  it('keeps observed registers alive everywhere', () => {
    expect(liveIn(threadOf(2, [0, define(0), 1]), [0])).toEqual(['a', 'a']);
  });

  it('lists registers at chosen locations only', () => {
    const thread = threadOf(4, [0, skip, 1], [1, define(1), 2], [2, use(0), 0], [2, use(1), 3]);
    const lists = listLiveRegisters(thread, instructionAccess, [], [false, true, true, false]);
    expect(lists).toEqual([[], [0], [0, 1], []]);
  });

  it('manages long threads', () => {
    const edges = Array.from(
      { length: 20_000 },
      (_, i) => [i, i === 19_999 ? use(0) : skip, i + 1] as const,
    );
    const live = liveIn(threadOf(20_001, ...edges));
    expect(live[0]).toBe('a');
    expect(live[20_000]).toBe('');
  });
});
