import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { addressSetsIn, closeOverValues } from '../../src/analysis/address-sets.js';
import { isEnds, plainSet } from '../../src/analysis/value-set.js';
import { binary, constant, registerValue, type Expression } from '../../src/program/expression.js';
import type { Instruction } from '../../src/program/instruction.js';
import type { Program, Thread } from '../../src/program/program.js';

/*
 * Tests the value closure of threads that run once, as one copy: a load cannot return a value that
 * the thread stores only after the load. Compares with random TSO executions of an independent
 * machine.
 */

const r = (register: number): Expression => registerValue(register);

type Edge = readonly [from: number, instruction: Instruction, to: number];

function threadOf(edges: readonly Edge[], locations: number): Thread {
  return {
    name: 't',
    registers: [0, 1].map((i) => ({ name: `r${i}`, hidden: false })),
    locations: Array.from({ length: locations }, (_, i) => ({ name: `q${i}`, hidden: false })),
    initial: 0,
    transitions: edges.map(([from, instruction, to]) => ({ from, to, instruction, origin: {} })),
  };
}

function programOf(threads: readonly Thread[]): Program {
  const symbols = [{ name: 'x', base: 0, length: 2, isArray: true, initial: [0, 5] }];
  return { name: 'p', symbols, threads, properties: [] };
}

/** Returns the computed possible values of register 0 at the location of the first thread. */
function valuesAt(threads: readonly Thread[], location: number, isOneCopy: boolean): unknown {
  const { registers } = closeOverValues(programOf(threads), { isOneCopy });
  return registers[0]?.[location]?.[0];
}

const load = (address: Expression): Instruction => ({ kind: 'load', into: 0, address });
const store = (address: Expression, value: Expression): Instruction => ({
  kind: 'store',
  address,
  value,
});
const [x, y] = [constant(0), constant(1)];
const increment: readonly Edge[] = [
  [0, load(x), 1],
  [1, store(x, binary('+', r(0), constant(4))), 2],
  [2, load(x), 3],
];

describe('threads that run once', () => {
  it('adds to a cell once', () => {
    const thread = threadOf(increment, 4);
    expect(valuesAt([thread], 1, true)).toEqual([0]);
    expect(valuesAt([thread], 3, true)).toEqual([0, 4]);
    // A thread with several copies loads values that other copies have stored.
    expect(valuesAt([thread], 1, false)).not.toEqual([0]);
  });

  it('adds to a cell without end in a loop', () => {
    const thread = threadOf([...increment, [3, { kind: 'skip' }, 0]], 4);
    // The sums have 0 as their two lower bits; more is not known.
    expect(valuesAt([thread], 1, true)).toEqual(valuesAt([thread], 1, false));
    expect(valuesAt([thread], 1, true)).not.toEqual([0]);
  });

  it('reads what other threads store, whenever they do', () => {
    const other = threadOf([[0, store(x, constant(9)), 1]], 2);
    expect(valuesAt([threadOf(increment, 4), other], 1, true)).toEqual([0, 9]);
  });

  it('does so for stores to addresses that are not known', () => {
    const anywhere: readonly Edge[] = [
      [0, load(y), 1],
      [1, { kind: 'havoc', into: 1 }, 2],
      [2, store(r(1), binary('+', r(0), constant(1))), 3],
      [3, load(y), 4],
    ];
    const thread = threadOf(anywhere, 5);
    expect(valuesAt([thread], 1, true)).toEqual([5]);
    expect(valuesAt([thread], 4, true)).toEqual([5, 6]);
  });

  it('an rmw does not read what it writes', () => {
    const add: Instruction = {
      kind: 'rmw',
      into: 0,
      address: x,
      operation: { name: 'fetch_add', operands: [constant(1)] },
    };
    const thread = threadOf([[0, add, 1]], 2);
    expect(valuesAt([thread], 1, true)).toEqual([0]);
    const other = threadOf([[0, store(x, constant(3)), 1]], 2);
    expect(valuesAt([thread, other], 1, true)).toEqual([0, 3]);
  });
});

/** Random edges between four locations, mostly forward, with loads, additions and stores. */
const edge = fc
  .tuple(fc.nat(3), fc.nat(3), fc.boolean())
  .map(([from, to, isBack]) => [from, isBack || to > from ? to : Math.min(3, from + 1)] as const);
const address = fc.oneof(
  { weight: 6, arbitrary: fc.nat(1).map(constant) },
  { weight: 1, arbitrary: fc.nat(1).map(r) },
);
const sum = fc
  .tuple(fc.nat(1), fc.integer({ min: -1, max: 3 }))
  .map(([register, n]) => binary('+', r(register), constant(n)));
const instruction: fc.Arbitrary<Instruction> = fc.oneof(
  fc.record({ kind: fc.constant('load'), into: fc.nat(1), address }),
  fc.record({ kind: fc.constant('store'), address, value: sum }),
  fc.record({ kind: fc.constant('assign'), into: fc.nat(1), value: sum }),
  fc.record({
    kind: fc.constant('rmw'),
    into: fc.nat(1),
    address,
    operation: fc.record({ name: fc.constant('fetch_add'), operands: fc.tuple(sum) }),
  }),
);
const someThread = fc
  .array(fc.tuple(edge, instruction), { minLength: 2, maxLength: 7 })
  .map((edges) =>
    threadOf(
      edges.map(([[from, to], each]): Edge => [from, each, to]),
      4,
    ),
  );

const seen = { steps: 0, delayed: 0, precise: 0, bounded: 0 };
/** The number of random programs. */
const runs = randomRuns(1500, 40_000, 500);

function number(e: Expression, registers: readonly number[]): number {
  if (e.kind === 'constant') return e.value;
  if (e.kind === 'register') return registers[e.register]!;
  if (e.kind !== 'binary') throw new Error(e.kind);
  return number(e.left, registers) + number(e.right, registers);
}

/**
 * Runs the program with a store buffer for each thread; `choices` select the steps, and `check`
 * receives every state.
 */
function run(
  { threads }: Program,
  choices: readonly number[],
  check: (thread: number, location: number, registers: readonly number[]) => void,
): void {
  const memory = new Map([[1, 5]]);
  const states = threads.map(() => ({
    location: 0,
    registers: [0, 0],
    buffer: [] as (readonly [address: number, value: number])[],
  }));
  const drain = (buffer: (readonly [number, number])[]): void => {
    const [first] = buffer.splice(0, 1);
    if (first) memory.set(...first);
  };
  const read = (buffer: readonly (readonly [number, number])[], at: number): number => {
    const own = buffer.filter(([each]) => each === at).at(-1);
    return own ? own[1] : (memory.get(at) ?? 0);
  };
  for (const choice of choices) {
    const t = choice % threads.length;
    const state = states[t]!;
    const { buffer, registers } = state;
    if (choice % 5 === 0 && buffer.length > 0) {
      drain(buffer);
      continue;
    }
    const enabled = threads[t]!.transitions.filter(({ from }) => from === state.location);
    const next = enabled[Math.floor(choice / 7) % Math.max(1, enabled.length)];
    if (!next) continue;
    const { instruction: i, to } = next;
    if (i.kind === 'store') {
      buffer.push([number(i.address, registers), number(i.value, registers)]);
    } else if (i.kind === 'load') {
      if (buffer.length > 0) seen.delayed += 1;
      registers[i.into] = read(buffer, number(i.address, registers));
    } else if (i.kind === 'assign') registers[i.into] = number(i.value, registers);
    else if (i.kind === 'rmw' && i.operation.name === 'fetch_add') {
      while (buffer.length > 0) drain(buffer);
      const at = number(i.address, registers);
      const [old, added] = [memory.get(at) ?? 0, number(i.operation.operands[0]!, registers)];
      memory.set(at, old + added);
      if (i.into !== undefined) registers[i.into] = old;
    } else throw new Error(i.kind);
    state.location = to;
    seen.steps += 1;
    check(t, to, registers);
  }
}

describe('soundness under TSO', () => {
  it('covers the registers of random executions', () => {
    fc.assert(
      fc.property(
        fc.array(someThread, { minLength: 1, maxLength: 3 }),
        fc.array(fc.nat(100_000), { minLength: 80, maxLength: 80 }),
        (threads, choices) => {
          const program = programOf(threads);
          const closure = closeOverValues(program, { isOneCopy: true });
          const usual = closeOverValues(program);
          const [own, others] = [closure, usual].map(
            (each) =>
              addressSetsIn(program, each)
                .flat()
                .filter((set) => set === 'any').length,
          );
          if (own! < others!) seen.precise += 1;
          run(program, choices, (thread, location, registers) => {
            const known = closure.registers[thread]?.[location];
            expect(known).toBeDefined();
            const live = liveAt(threads[thread]!, location);
            for (const register of live) {
              const values = plainSet(known![register]!);
              if (values === 'any') {
                const ends = known![register]!;
                if (isEnds(ends)) {
                  const end = BigInt.asUintN(ends.bits, BigInt(registers[register]!));
                  expect([...ends.ends].map(BigInt)).toContain(end);
                }
                continue;
              }
              seen.bounded += 1;
              expect(values).toContain(registers[register]);
            }
          });
        },
      ),
      { seed: randomSeed(20261129), numRuns: runs },
    );
    expect(seen.delayed).toBeGreaterThan((1000 / 1500) * runs);
    expect(seen.precise).toBeGreaterThan((20 / 1500) * runs);
    expect(seen.bounded).toBeGreaterThan((10_000 / 1500) * runs);
  });
});

/**
 * Returns the live registers of a location; the closure's sets of other registers are arbitrary.
 */
function liveAt(thread: Thread, location: number): readonly number[] {
  const reads = (e: Expression, register: number): boolean =>
    e.kind === 'register'
      ? e.register === register
      : e.kind === 'binary' && (reads(e.left, register) || reads(e.right, register));
  const readBy = (i: Instruction, register: number): boolean => {
    if (i.kind === 'store') return reads(i.address, register) || reads(i.value, register);
    if (i.kind === 'load') return reads(i.address, register);
    if (i.kind === 'assign') return reads(i.value, register);
    if (i.kind === 'rmw')
      return (
        reads(i.address, register) ||
        (i.operation.name === 'fetch_add' && reads(i.operation.operands[0]!, register))
      );
    return false;
  };
  const isLive = (register: number): boolean => {
    const visited = new Set([location]);
    for (const at of visited)
      for (const { from, to, instruction: i } of thread.transitions) {
        if (from !== at) continue;
        if (readBy(i, register)) return true;
        if ('into' in i && i.into === register) continue;
        visited.add(to);
      }
    return false;
  };
  return [0, 1].filter(isLive);
}
