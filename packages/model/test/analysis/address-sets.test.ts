import { finiteProgram } from '../../src/program/model.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { computeAddressSets } from '../../src/analysis/address-sets.js';
import { parseTrencher } from '@fencewright/languages/trencher/parse-trencher.js';
import { type Expression, binary, constant, registerValue } from '../../src/program/expression.js';
import type { Instruction } from '../../src/program/instruction.js';
import type { Domain, Program, SharedSymbol } from '../../src/program/program.js';

/** The sets of all memory instructions of one thread given as lines of Trencher's format. */
function setsOf(...lines: string[]): readonly (readonly number[] | 'any')[] {
  return setsOfThreads(lines)[0] ?? [];
}

function setsOfThreads(...threads: string[][]): (readonly number[] | 'any')[][] {
  const text = threads
    .map(
      (lines, i) =>
        `thread t${i}\ninitial q0\n${lines.map((line) => `transition ${line}\n`).join('')}end\n`,
    )
    .join('');
  const { model } = parseTrencher(text);
  const program = finiteProgram(model);
  if (!program) throw new Error('no program');
  return computeAddressSets(program).map((sets) => sets.filter((set) => set !== undefined));
}

/** Returns a thread that executes the instructions in sequence, with registers r0 to r3. */
function straight(
  instructions: readonly Instruction[],
  symbols: readonly SharedSymbol[] = [],
  domain?: Domain,
): Program {
  return {
    name: 'p',
    symbols,
    properties: [],
    ...(domain && { domain }),
    threads: [
      {
        name: 't',
        registers: [0, 1, 2, 3].map((i) => ({ name: `r${i}`, hidden: false })),
        locations: Array.from({ length: instructions.length + 1 }, (_, i) => ({
          name: `q${i}`,
          hidden: false,
        })),
        initial: 0,
        transitions: instructions.map((instruction, from) => ({
          from,
          to: from + 1,
          instruction,
          origin: {},
        })),
      },
    ],
  };
}

const r = (register: number): Expression => registerValue(register);
const store = (address: Expression): Instruction => ({
  kind: 'store',
  address,
  value: constant(1),
});
const arrayOf = (base: number, length: number): SharedSymbol => ({
  name: 'a',
  base,
  length,
  isArray: true,
  initial: Array.from({ length }, () => 0),
});

describe('computeAddressSets', () => {
  it('knows constants, sums and registers that start at 0', () => {
    expect(setsOf('q0 q1 write 1 5', 'q1 q2 write 1 + i 7', 'q2 q3 read i * 2 3')).toEqual([
      [5],
      [7],
      [6],
    ]);
  });

  it('has an entry for memory instructions only', () => {
    const [sets] = computeAddressSets(
      straight([{ kind: 'fence' }, store(constant(3)), { kind: 'skip' }]),
    );
    expect(sets).toEqual([undefined, [3], undefined]);
  });

  it('joins branches', () => {
    expect(setsOf('q0 q1 local i 4', 'q0 q1 local i 2', 'q0 q1 noop', 'q1 q2 write 1 i')).toEqual([
      [0, 2, 4],
    ]);
  });

  it('follows a bounded loop', () => {
    expect(
      setsOf(
        'q0 q1 local i 1',
        'q1 q2 check <= i 5',
        'q2 q3 write i i',
        'q3 q1 local i + i 1',
        'q1 q4 check > i 5',
        'q4 q5 read i i',
      ),
    ).toEqual([[1, 2, 3, 4, 5], [6]]);
  });

  it('gives up on an unbounded loop', () => {
    expect(setsOf('q0 q1 write 1 i', 'q1 q0 local i + i 1')).toEqual(['any']);
  });

  it('has nothing to say where no execution gets', () => {
    expect(setsOf('q0 q1 check 0', 'q1 q2 write 1 5', 'q3 q4 write 1 6')).toEqual([[], []]);
  });

  it('follows pointers through memory, other threads included', () => {
    expect(
      setsOfThreads(
        ['q0 q1 read p 0', 'q1 q2 check != p 0', 'q2 q3 write 1 + p 10'],
        ['q0 q1 write 3 0', 'q1 q2 write 4 1'],
        ['q0 q1 read v 1', 'q1 q2 write v 0'],
      ),
    ).toEqual([
      [[0], [13, 14]],
      [[0], [1]],
      [[1], [0]],
    ]);
  });

  it('knows nothing of a cell that counts without bound', () => {
    expect(
      setsOfThreads(
        ['q0 q1 read v 0', 'q1 q0 write + v 1 0'],
        ['q0 q1 read i 0', 'q1 q2 write 1 i'],
      ),
    ).toEqual([
      [[0], [0]],
      [[0], 'any'],
    ]);
  });

  it('takes a store to anywhere for a store to every cell', () => {
    expect(
      setsOfThreads(
        ['q0 q0 local i + i 1', 'q0 q1 write 9 i'],
        ['q0 q1 read j 5', 'q1 q2 write 1 j'],
      ),
    ).toEqual([['any'], [[5], [0, 9]]]);
  });

  it.each([
    ['check == i 3', [3]],
    ['check && == i 3 != i 4', [3]],
    ['check ! != 3 i', [3]],
    ['check ! || != i 3 0', [3]],
    ['check < i 3', 'any'],
  ])('learns from %s', (check, expected) => {
    const sets = setsOf('q0 q0 local i + i 1', `q0 q1 ${check}`, 'q1 q2 write 1 i');
    expect(sets).toEqual([expected]);
  });

  it('bounds masks and elements', () => {
    const unknown: Instruction = { kind: 'havoc', into: 0 };
    const program = straight(
      [
        unknown,
        store(binary('&', r(0), constant(5))),
        store({ kind: 'element', symbol: 0, index: r(0) }),
        store({ kind: 'address', symbol: 0 }),
        store({ kind: 'element', symbol: 0, index: constant(7) }),
        store(binary('%', r(0), constant(2))),
        store(r(0)),
      ],
      [arrayOf(10, 3)],
    );
    expect(computeAddressSets(program)[0]?.slice(1)).toEqual([
      [0, 1, 4, 5],
      [10, 11, 12],
      [10],
      [],
      [-1, 0, 1],
      'any',
    ]);
  });

  it('uses a small domain, the initial values and ranges', () => {
    const load: Instruction = { kind: 'load', into: 1, address: constant(0) };
    const program = straight(
      [
        { kind: 'havoc', into: 0 },
        { kind: 'store', address: constant(0), value: r(0) },
        load,
        store(r(1)),
        {
          kind: 'havoc',
          into: 2,
          range: { low: 0, high: 9 },
          where: binary('<', r(2), constant(2)),
        },
        store(r(2)),
      ],
      [{ name: 'x', base: 0, length: 1, isArray: false, initial: [7] }],
      { low: 1, high: 3 },
    );
    const sets = computeAddressSets(program)[0] ?? [];
    expect([sets[3], sets[5]]).toEqual([
      [1, 2, 3, 7],
      [0, 1],
    ]);
  });

  it('knows what read-modify-writes read and write', () => {
    const cell = constant(100);
    const rmw = (
      into: number,
      operation: Extract<Instruction, { kind: 'rmw' }>['operation'],
    ): Instruction => ({ kind: 'rmw', into, address: cell, operation });
    const program = straight([
      rmw(0, { name: 'xchg', operands: [constant(4)] }),
      rmw(1, { name: 'cas', operands: [constant(4), constant(8)] }),
      rmw(2, { name: 'fetch_and', operands: [constant(12)] }),
      store(r(0)),
      store(r(1)),
      store(r(2)),
    ]);
    expect(computeAddressSets(program)[0]?.slice(3)).toEqual([
      [0, 4, 8],
      [0, 1],
      [0, 4, 8],
    ]);
  });
});

describe('soundness', () => {
  const operators = ['+', '-', '*', '&', '==', '<', '&&', '||', '%'] as const;
  const expression = fc.letrec<{ e: Expression }>((tie) => ({
    e: fc.oneof(
      { maxDepth: 2 },
      fc.integer({ min: -2, max: 5 }).map(constant),
      fc.nat(2).map(r),
      fc
        .tuple(fc.constantFrom(...operators), tie('e'), tie('e'))
        .map(([operator, left, right]) => binary(operator, left, right)),
      tie('e').map((index) => ({ kind: 'element', symbol: 0, index }) as const),
    ),
  })).e;
  const instruction: fc.Arbitrary<Instruction> = fc.oneof(
    fc.record({ kind: fc.constant('store'), address: expression, value: expression }),
    fc.record({ kind: fc.constant('load'), into: fc.nat(2), address: expression }),
    fc.record({ kind: fc.constant('assign'), into: fc.nat(2), value: expression }),
    fc.record({ kind: fc.constant('assume'), condition: expression }),
    fc.record({
      kind: fc.constant('rmw'),
      into: fc.nat(2),
      address: expression,
      operation: fc.record({
        name: fc.constant('fetch_add'),
        operands: fc.tuple(expression),
      }),
    }),
  );
  const thread = fc
    .array(fc.tuple(fc.nat(3), instruction, fc.nat(3)), { minLength: 1, maxLength: 8 })
    .map((edges) => ({
      name: 't',
      registers: [0, 1, 2].map((i) => ({ name: `r${i}`, hidden: false })),
      locations: [0, 1, 2, 3].map((i) => ({ name: `q${i}`, hidden: false })),
      initial: 0,
      transitions: edges.map(([from, instr, to]) => ({
        from,
        to,
        instruction: instr,
        origin: {},
      })),
    }));

  /** Evaluates an expression independently of the library; `undefined` for a fault. */
  function value(e: Expression, registers: readonly number[]): number | undefined {
    if (e.kind === 'constant') return e.value;
    if (e.kind === 'register') return registers[e.register];
    if (e.kind === 'element') {
      const index = value(e.index, registers);
      return index !== undefined && index >= 0 && index < 2 ? 3 + index : undefined;
    }
    if (e.kind !== 'binary') throw new Error(e.kind);
    const a = value(e.left, registers);
    if (a === undefined) return undefined;
    if (e.operator === '&&' && a === 0) return 0;
    if (e.operator === '||' && a !== 0) return 1;
    const b = value(e.right, registers);
    if (b === undefined || (e.operator === '%' && b === 0)) return undefined;
    const result = {
      '+': a + b,
      '-': a - b,
      '*': a * b,
      '%': a % b,
      '&': a & b,
      '==': Number(a === b),
      '<': Number(a < b),
      '&&': Number(b !== 0),
      '||': Number(b !== 0),
    }[e.operator as (typeof operators)[number]];
    return Math.abs(result) < 2 ** 31 ? result + 0 : undefined;
  }

  it('covers what random executions touch', () => {
    fc.assert(
      fc.property(
        fc.array(thread, { minLength: 1, maxLength: 2 }),
        fc.array(fc.nat(1000), { minLength: 60, maxLength: 60 }),
        (threads, choices) => {
          const symbols = [{ ...arrayOf(3, 2), initial: [0, 2] }];
          const program: Program = { name: 'p', symbols, threads, properties: [] };
          const sets = computeAddressSets(program);
          const memory = new Map([[4, 2]]);
          const at = threads.map(() => 0);
          const registers = threads.map(() => [0, 0, 0]);
          for (const choice of choices) {
            const t = choice % threads.length;
            const own = registers[t] ?? [];
            const enabled = (threads[t]?.transitions ?? []).flatMap(({ from }, id) =>
              from === at[t] ? [id] : [],
            );
            const id = enabled[Math.floor(choice / 2) % Math.max(1, enabled.length)];
            const transition = threads[t]?.transitions[id ?? -1];
            if (id === undefined || !transition) continue;
            const { instruction: i, to } = transition;
            const touch = (e: Expression): number | undefined => {
              const address = value(e, own);
              if (address === undefined) return undefined;
              const set = sets[t]?.[id];
              if (set !== 'any') expect(set).toContain(address);
              return address;
            };
            if (i.kind === 'store') {
              const address = touch(i.address);
              const stored = value(i.value, own);
              if (address === undefined || stored === undefined) continue;
              memory.set(address, stored);
            } else if (i.kind === 'load') {
              const address = touch(i.address);
              if (address === undefined) continue;
              own[i.into] = memory.get(address) ?? 0;
            } else if (i.kind === 'rmw' && i.operation.name === 'fetch_add') {
              const address = touch(i.address);
              const operand = value(i.operation.operands[0]!, own);
              if (address === undefined || operand === undefined) continue;
              const old = memory.get(address) ?? 0;
              if (Math.abs(old + operand) >= 2 ** 31) continue;
              memory.set(address, old + operand);
              own[i.into ?? 0] = old;
            } else if (i.kind === 'assign') {
              const assigned = value(i.value, own);
              if (assigned === undefined) continue;
              own[i.into] = assigned;
            } else if (i.kind === 'assume') {
              if (!value(i.condition, own)) continue;
            }
            at[t] = to;
          }
        },
      ),
      { seed: randomSeed(20130316), numRuns: randomRuns(1000, 20_000) },
    );
  });
});
