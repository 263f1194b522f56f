import { finiteProgram } from '@fencewright/model/program/model.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseNative, printNative } from '@fencewright/core/native';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import type { BinaryOperator, Expression } from '@fencewright/model/program/expression.js';
import { precedence } from '@fencewright/model/program/infix.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import type { Program, StateExpression, Thread } from '@fencewright/model/program/program.js';
import { parseGood } from './listing.js';

/**
 * Returns the program without the parts that printing may change: spans, `hidden` marks, names, and
 * numbers of locations.
 */
function skeleton(program: Program): unknown {
  const locationIds = program.threads.map((thread) => locationOrder(thread));
  return {
    ...program,
    name: '',
    symbols: program.symbols.map((symbol) => ({ ...symbol, name: '' })),
    threads: program.threads.map((thread, id) => ({
      registers: thread.registers.length,
      initial: locationIds[id]!.get(thread.initial),
      locations: locationIds[id]!.size,
      transitions: thread.transitions.map(({ from, to, instruction, cost, nofence }) => ({
        from: locationIds[id]!.get(from),
        to: locationIds[id]!.get(to),
        instruction,
        cost,
        nofence,
      })),
    })),
    properties: program.properties.map(({ kind, condition }) => ({
      kind,
      condition: renumber(condition, locationIds),
    })),
  };
}

/**
 * Numbers the locations in the order of their first occurrence; unused locations have no number.
 */
function locationOrder(thread: Thread): ReadonlyMap<number, number> {
  const order = new Map<number, number>();
  for (const location of [
    thread.initial,
    ...thread.transitions.flatMap(({ from, to }) => [from, to]),
  ])
    if (!order.has(location)) order.set(location, order.size);
  return order;
}

function renumber(
  state: StateExpression,
  ids: readonly ReadonlyMap<number, number>[],
): StateExpression {
  switch (state.kind) {
    case 'at':
      return { ...state, location: ids[state.thread]!.get(state.location)! };
    case 'unary':
      return { ...state, operand: renumber(state.operand, ids) };
    case 'binary':
      return { ...state, left: renumber(state.left, ids), right: renumber(state.right, ids) };
    default:
      return state;
  }
}

function expectRoundTrip(program: Program): void {
  const text = printNative(program);
  const { model, diagnostics } = parseNative(text);
  const again = finiteProgram(model);
  expect(diagnostics, text).toEqual([]);
  expect(skeleton(again!), text).toEqual(skeleton(program));
  expect(printNative(again!)).toBe(text);
}

const constant = (value: number): Expression => ({ kind: 'constant', value });
const oneThread = (transitions: readonly Instruction[]): Program => ({
  name: 'P',
  symbols: [
    { name: 'x', base: 1, length: 1, isArray: false, initial: [0] },
    { name: 'a', base: 2, length: 3, isArray: true, initial: [0, 5, 0] },
  ],
  threads: [
    {
      name: 't',
      registers: [
        { name: 'r', hidden: false },
        { name: 's', hidden: true },
      ],
      locations: transitions
        .concat({ kind: 'skip' })
        .map((_, i) => ({ name: `l${i}`, hidden: false })),
      initial: 0,
      transitions: transitions.map((instruction, i) => ({
        from: i,
        to: i + 1,
        instruction,
        origin: {},
      })),
    },
  ],
  properties: [],
});

describe('printing', () => {
  it('prints the form of the paper', () => {
    const program = parseGood(`program Demo
var x = 3, flag[2] = {1}, data
domain 0..9
thread t { local r; while (flag[1] == 1 && x == 1) { } cs: @cost(2) @nofence r = data; data = -r; assert(r < 9); }
thread u { local q; q = cas(x, 0, 1); havoc q in 0..3 with q != 2; atomic { x = q; } }
property p: never (t @ cs && u.q - (1 - 1) == 0 || !(flag[0] == x) && ended(u))`);
    expect(printNative(program)).toBe(`program Demo

var x = 3
var flag[2] = {1}
var data
domain 0..9

thread t regs r h1 init L4 begin
  L4: h1 <- mem[flag[1]]; goto L4b;
  L4b: assume h1 == 1; goto L4c;
  L4b: assume h1 != 1; goto cs;
  L4c: h1 <- mem[x]; goto L4d;
  L4d: assume h1 == 1; goto L4;
  L4d: assume h1 != 1; goto cs;
  cs: @cost(2) @nofence r <- mem[data]; goto L4e;
  L4e: mem[data] <- -r; goto L4f;
  L4f: check r < 9; goto L4g;
end

thread u regs q init L5 begin
  L5: q <- cas(mem[x], 0, 1); goto L5b;
  L5b: havoc q in 0..3 with q != 2; goto L5c;
  L5c: lock; goto L5d;
  L5d: mem[x] <- q; goto L5e;
  L5e: unlock; goto L5f;
end

property p: never (t @ cs && u.q - (1 - 1) == 0 || !(flag[0] == x) && ended(u))
`);
    expectRoundTrip(program);
  });

  it('prints every instruction so that it is read back', () => {
    const r: Expression = { kind: 'register', register: 0 };
    const x: Expression = { kind: 'address', symbol: 0 };
    const a: Expression = { kind: 'address', symbol: 1 };
    const cell: Expression = { kind: 'element', symbol: 1, index: r };
    const sum: Expression = { kind: 'binary', operator: '+', left: a, right: constant(1) };
    expectRoundTrip(
      oneThread([
        { kind: 'store', address: x, value: a },
        { kind: 'store', address: cell, value: x },
        { kind: 'store', address: constant(5), value: constant(-2147483648) },
        { kind: 'store', address: sum, value: cell },
        { kind: 'load', into: 1, address: a },
        { kind: 'load', into: 1, address: { kind: 'element', symbol: 1, index: cell } },
        { kind: 'load', into: 0, address: { kind: 'unary', operator: '-', operand: constant(3) } },
        { kind: 'fence' },
        { kind: 'rmw', address: x, operation: { name: 'xchg', operands: [constant(1)] } },
        {
          kind: 'rmw',
          into: 0,
          address: constant(7),
          operation: { name: 'cas', operands: [r, x] },
        },
        ...(['add', 'sub', 'and', 'or', 'xor'] as const).map((operator): Instruction => ({
          kind: 'rmw',
          into: 1,
          address: cell,
          operation: { name: `fetch_${operator}`, operands: [r] },
        })),
        { kind: 'lock' },
        { kind: 'unlock' },
        { kind: 'assign', into: 0, value: x },
        { kind: 'assign', into: 0, value: constant(-1) },
        { kind: 'assume', condition: x },
        { kind: 'assert', condition: r },
        { kind: 'skip' },
        { kind: 'havoc', into: 0 },
        { kind: 'havoc', into: 0, range: { low: -3, high: 3 } },
        { kind: 'havoc', into: 0, where: r },
        { kind: 'havoc', into: 0, range: { low: 0, high: 0 }, where: x },
      ]),
    );
  });

  it('finds unique identifiers for names that are none', () => {
    const base = oneThread([{ kind: 'skip' }, { kind: 'skip' }]);
    const [thread] = base.threads;
    const named: Thread = {
      ...thread!,
      name: 'thread',
      registers: ['x', 'x_2', '2', 'r 1'].map((name) => ({ name, hidden: false })),
      locations: ['while', 'a-b', 'a_b'].map((name) => ({ name, hidden: false })),
    };
    const program: Program = {
      ...base,
      name: 'my program.txt',
      threads: [
        named,
        { ...named, name: 'P0:1' },
        { ...named, name: 'thread' },
        { ...named, name: '' },
      ],
      properties: ['p', 'p', 'in', '~exists'].map((name) => ({
        name,
        kind: 'exists',
        condition: { kind: 'at', thread: 1, location: 2 },
      })),
    };
    const text = printNative(program);
    expect(text).toContain('program my_program_txt\n');
    expect(text).toContain('thread thread_ regs x_3 x_2 r2 r_1 init while_ begin');
    expect(text).toContain('  while_: skip; goto a_b_2;\n  a_b_2: skip; goto a_b;\n');
    expect(text).toContain('thread P0_1 regs');
    expect(text).toContain('thread thread__2 regs');
    expect(text).toContain('thread t regs');
    expect(text).toContain('property p: exists (P0_1 @ a_b)\nproperty p_2: ');
    expect(text).toContain('property in_: ');
    expect(text).toContain('property _exists: ');
    expectRoundTrip(program);
  });

  it('prints addresses of variables where they are not the next ones, and cells without one', () => {
    const base = oneThread([]);
    const program: Program = {
      ...base,
      symbols: [
        { name: 'x', base: 0, length: 1, isArray: false, initial: [-4] },
        { name: 'y', base: 1, length: 1, isArray: false, initial: [0] },
        { name: 'a', base: 10, length: 2, isArray: true, initial: [0, 1] },
        { name: 'b', base: -3, length: 1, isArray: true, initial: [0] },
      ],
      properties: [
        {
          name: 'p',
          kind: 'finally',
          condition: {
            kind: 'binary',
            operator: '-',
            left: { kind: 'memory', address: 11 },
            right: {
              kind: 'binary',
              operator: '-',
              left: { kind: 'memory', address: 5 },
              right: { kind: 'memory', address: -3 },
            },
          },
        },
      ],
    };
    expect(printNative(program)).toContain(
      'var x @ 0 = -4\nvar y\nvar a[2] @ 10 = {0, 1}\nvar b[1] @ -3\n',
    );
    expect(printNative(program)).toContain('finally (a[1] - (mem[5] - b[0]))');
    expectRoundTrip(program);
  });

  it('prints 0 for being at a location that no transition leads to or leaves', () => {
    const base = oneThread([]);
    const [thread] = base.threads;
    const program: Program = {
      ...base,
      threads: [{ ...thread!, locations: [...thread!.locations, { name: 'm', hidden: false }] }],
      properties: [
        { name: 'p', kind: 'never', condition: { kind: 'at', thread: 0, location: 1 } },
        { name: 'q', kind: 'never', condition: { kind: 'at', thread: 0, location: 0 } },
      ],
    };
    expect(printNative(program)).toContain('p: never (0)\nproperty q: never (t @ l0)');
  });

  it('prints threads without instructions', () => {
    expectRoundTrip({ ...oneThread([]), symbols: [], threads: [] });
    expectRoundTrip(oneThread([]));
  });

  it('prints what structured threads become', () => {
    expectRoundTrip(
      parseGood(
        `program P
const N = 3
var x, a[N], p = &a[2]
thread t {
  local r, s = 2;
  loop {
    choose { r = mem[p]; } or { while (x == 1 || !a[r] && *p0 == 0) { } } or { }
    if (*) { s = s << 1 | r; } else break;
    do { r = r - (s - -1); } while (x > 2);
    havoc r with r == x; fetch_add(a[s % N], -(r + 1));
  }
  done:
}
property q: finally (a[1] == 0 && ended(t) && t @ done)`.replace('*p0', 'x'),
      ),
    );
  });
});

describe('random programs', () => {
  const value = fc.oneof(
    fc.integer({ min: -3, max: 9 }),
    fc.constantFrom(2147483647, -2147483648, 100),
  );
  // Constant divisors are looked at when a text is read.
  const binaryOperator = fc.constantFrom(
    ...(Object.keys(precedence) as BinaryOperator[]).filter(
      (operator) => !['/', '%', '/%', '%%'].includes(operator),
    ),
  );
  const unaryOperator = fc.constantFrom(...(['-', '!', '~', 'i8', 'u8', 'i16', 'u16'] as const));
  const { expression } = fc.letrec<{ expression: Expression }>((tie) => ({
    expression: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      value.map(constant),
      fc.nat(2).map((register): Expression => ({ kind: 'register', register })),
      fc.nat(2).map((symbol): Expression => ({ kind: 'address', symbol })),
      // Constant indices must lie within the array; other indices are checked at run time.
      fc.nat(2).map((i): Expression => ({ kind: 'element', symbol: 1, index: constant(i) })),
      fc.tuple(fc.nat(2), tie('expression')).map(([register, right]): Expression => ({
        kind: 'element',
        symbol: 1,
        index: { kind: 'binary', operator: '+', left: { kind: 'register', register }, right },
      })),
      fc
        .tuple(unaryOperator, tie('expression'))
        .map(([operator, operand]): Expression => ({ kind: 'unary', operator, operand })),
      fc
        .tuple(binaryOperator, tie('expression'), tie('expression'))
        .map(([operator, left, right]): Expression => ({ kind: 'binary', operator, left, right })),
      fc
        .tuple(fc.constantFrom('/', '%', '/%', '%%' as const), tie('expression'), fc.nat(2))
        .map(([operator, left, register]): Expression => ({
          kind: 'binary',
          operator,
          left,
          right: { kind: 'register', register },
        })),
    ),
  }));
  const into = fc.nat(2);
  const range = fc
    .tuple(value, value)
    .map(([a, b]) => ({ low: Math.min(a, b), high: Math.max(a, b) }));
  const operation = fc.oneof(
    fc.record({ name: fc.constant('xchg' as const), operands: fc.tuple(expression) }),
    fc.record({ name: fc.constant('cas' as const), operands: fc.tuple(expression, expression) }),
    fc.record({
      name: fc.constantFrom(
        ...(['add', 'sub', 'and', 'or', 'xor'] as const).map((word) => `fetch_${word}` as const),
      ),
      operands: fc.tuple(expression),
    }),
  );
  const instruction: fc.Arbitrary<Instruction> = fc.oneof(
    fc.record({ kind: fc.constant('store' as const), address: expression, value: expression }),
    fc.record({ kind: fc.constant('load' as const), into, address: expression }),
    fc.record(
      { kind: fc.constant('rmw' as const), into, address: expression, operation },
      { requiredKeys: ['kind', 'address', 'operation'] },
    ),
    fc.record({ kind: fc.constant('assign' as const), into, value: expression }),
    fc.record({
      kind: fc.constantFrom('assume' as const, 'assert' as const),
      condition: expression,
    }),
    fc.record({ kind: fc.constantFrom('fence', 'lock', 'unlock', 'skip' as const) }),
    fc.record(
      { kind: fc.constant('havoc' as const), into, range, where: expression },
      { requiredKeys: ['kind', 'into'] },
    ),
  );
  const name = fc.oneof(
    fc.constantFrom('x', 'r', 't', 'u8', 'in', 'self', "l'0", 'L1', 'lock', 'a b', '1', ''),
    fc.string({ maxLength: 4 }),
  );
  const thread: fc.Arbitrary<Thread> = fc
    .tuple(
      name,
      fc.array(fc.record({ name, hidden: fc.boolean() }), { minLength: 3, maxLength: 3 }),
      fc.array(name, { minLength: 5, maxLength: 5 }),
      fc.nat(4),
      fc.array(
        fc.record(
          {
            from: fc.nat(4),
            to: fc.nat(4),
            instruction,
            origin: fc.constant({}),
            cost: fc.integer({ min: 1, max: 9 }),
            nofence: fc.constant(true),
          },
          { requiredKeys: ['from', 'to', 'instruction', 'origin'] },
        ),
        { maxLength: 8 },
      ),
    )
    .map(([threadName, registers, locations, initial, transitions]) => ({
      name: threadName,
      registers,
      locations: locations.map((location) => ({ name: location, hidden: false })),
      initial,
      transitions: transitions,
    }));
  const { state } = fc.letrec<{ state: StateExpression }>((tie) => ({
    state: fc.oneof(
      { maxDepth: 4 },
      value.map((v): StateExpression => ({ kind: 'constant', value: v })),
      fc.nat(1).map((t): StateExpression => ({ kind: 'ended', thread: t })),
      fc.nat(1).map((t): StateExpression => ({ kind: 'at', thread: t, location: -1 })),
      fc
        .tuple(fc.nat(1), into)
        .map(([t, register]): StateExpression => ({ kind: 'register', thread: t, register })),
      fc
        .integer({ min: -9, max: 30 })
        .map((address): StateExpression => ({ kind: 'memory', address })),
      fc
        .tuple(unaryOperator, tie('state'))
        .map(([operator, operand]): StateExpression => ({ kind: 'unary', operator, operand })),
      fc
        .tuple(binaryOperator, tie('state'), tie('state'))
        .map(([operator, left, right]): StateExpression => ({
          kind: 'binary',
          operator,
          left,
          // In properties, divisors and counts of shifts are constants.
          right: /^(?:<<|>>|[/%])/.test(operator) ? { kind: 'constant', value: 3 } : right,
        })),
    ),
  }));
  /** Replaces the locations in a condition by initial locations, which every thread has. */
  const settle = (condition: StateExpression, threads: readonly Thread[]): StateExpression => {
    switch (condition.kind) {
      case 'at':
        return { ...condition, location: threads[condition.thread]!.initial };
      case 'unary':
        return { ...condition, operand: settle(condition.operand, threads) };
      case 'binary':
        return {
          ...condition,
          left: settle(condition.left, threads),
          right: settle(condition.right, threads),
        };
      default:
        return condition;
    }
  };
  const program: fc.Arbitrary<Program> = fc
    .record({
      names: fc.array(name, { minLength: 4, maxLength: 4 }),
      bases: fc.constantFrom([1, 2, 5], [0, 7, 20], [9, 1, 4], [-7, -6, 3]),
      initial: fc.array(value, { minLength: 5, maxLength: 5 }),
      threads: fc.array(thread, { minLength: 2, maxLength: 3 }),
      properties: fc.array(
        fc.record({
          name,
          kind: fc.constantFrom('never', 'finally', 'exists' as const),
          condition: state,
        }),
        { maxLength: 3 },
      ),
    })
    .map(({ names, bases, initial, threads, properties }) => ({
      name: names[3]!,
      symbols: [
        {
          name: names[0]!,
          base: bases[0],
          length: 1,
          isArray: false,
          initial: initial.slice(0, 1),
        },
        {
          name: names[1]!,
          base: bases[1],
          length: 3,
          isArray: true,
          initial: initial.slice(1, 4),
        },
        { name: names[2]!, base: bases[2], length: 1, isArray: false, initial: initial.slice(4) },
      ],
      threads,
      properties: properties.map((property) => ({
        ...property,
        condition: settle(property.condition, threads),
      })),
    }));

  it('come back as they were', () => {
    fc.assert(fc.property(program, expectRoundTrip), {
      seed: randomSeed(2013),
      numRuns: randomRuns(300, 6000, 100),
    });
  });
});
