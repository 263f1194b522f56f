import { finiteProgram } from '@fencewright/model/program/model.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { check } from '../../../core/src/api/check.js';
import { reach } from '../../../core/src/api/reach.js';
import { parseTrencher } from '../../src/trencher/parse-trencher.js';
import { printTrencher } from '../../src/trencher/print-trencher.js';
import {
  type BinaryOperator,
  type Expression,
  binary,
  constant,
  registerValue,
  unary,
} from '@fencewright/model/program/expression.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import type { Program } from '@fencewright/model/program/program.js';
import { spanAt } from '@fencewright/ground/source/span.js';
import { randomProgram } from '@fencewright/reference/testing/random-program.js';

const a = registerValue(0);
const b = registerValue(1);
const span = spanAt(4, 2, 7);

/**
 * Returns a program with one thread that executes the instructions in sequence, with registers a
 * and b and the array v at 0 and w at 2.
 */
function straight(...instructions: Instruction[]): Program {
  return {
    name: 'program',
    symbols: [],
    properties: [],
    threads: [
      {
        name: 't',
        registers: [
          { name: 'a', hidden: false },
          { name: 'b', hidden: false },
        ],
        locations: Array.from({ length: instructions.length + 1 }, (_, i) => ({
          name: `q${i}`,
          hidden: false,
        })),
        initial: 0,
        transitions: instructions.map((instruction, from) => ({
          from,
          to: from + 1,
          instruction,
          origin: { span },
        })),
      },
    ],
  };
}

const vectors: Pick<Program, 'symbols'> = {
  symbols: [
    { name: 'v', base: 0, length: 2, isArray: true, initial: [0, 0] },
    { name: 'w', base: 2, length: 3, isArray: true, initial: [0, 0, 0] },
    { name: 'x', base: 5, length: 1, isArray: false, initial: [0] },
  ],
};

/** Returns the printed transitions without the word `transition` and comments. */
function linesOf(program: Program): string[] {
  const { text, diagnostics } = printTrencher(program);
  if (text === undefined) throw new Error(JSON.stringify(diagnostics));
  return text
    .split('\n')
    .filter((line) => line.startsWith('transition '))
    .map((line) => line.slice('transition '.length));
}

function assigned(value: Expression): string | undefined {
  const program = straight({ kind: 'assign', into: 0, value });
  return linesOf({ ...program, ...vectors })[0]?.replace('q0 q1 local a ', '');
}

function errorsOf(program: Program): string[] {
  const { text, diagnostics } = printTrencher(program);
  expect(text).toBeUndefined();
  return diagnostics.map(({ code, message }) => `${code} ${message}`);
}

function notesOf(program: Program): string[] {
  const { text, diagnostics } = printTrencher(program);
  expect(text).toBeDefined();
  expect(diagnostics.every(({ severity }) => severity === 'info')).toBe(true);
  return diagnostics.map(({ code, message }) => `${code} ${message}`);
}

describe('instructions', () => {
  it('prints those of the format as they are', () => {
    const program = straight(
      { kind: 'store', address: constant(5), value: binary('+', a, constant(-1)) },
      { kind: 'load', into: 1, address: a },
      { kind: 'fence' },
      { kind: 'assign', into: 0, value: unary('!', b) },
      { kind: 'assume', condition: binary('<=', a, b) },
      { kind: 'skip' },
      { kind: 'lock' },
      { kind: 'unlock' },
    );
    expect(printTrencher(program)).toEqual({
      text: [
        'thread t',
        'initial q0',
        'transition q0 q1 write + a -1 5',
        'transition q1 q2 read b a',
        'transition q2 q3 mfence',
        'transition q3 q4 local a ! b',
        'transition q4 q5 check <= a b',
        'transition q5 q6 noop',
        'transition q6 q7 lock',
        'transition q7 q8 unlock',
        'end',
        '',
      ].join('\n'),
      diagnostics: [],
    });
  });

  it('writes a cas with both outcomes', () => {
    const operation = { name: 'cas', operands: [constant(0), b] } as const;
    expect(linesOf(straight({ kind: 'rmw', into: 0, address: constant(7), operation }))).toEqual([
      'q0 q0_1 lock',
      'q0_1 q0_2 read old 7',
      'q0_2 q0_3 check == old 0',
      'q0_3 q0_4 write b 7',
      'q0_4 q0_5 local a 1',
      'q0_5 q1 unlock',
      'q0_2 q0_6 check != old 0',
      'q0_6 q0_7 local a 0',
      'q0_7 q1 unlock',
    ]);
  });

  it('writes an exchange and a fetch, with a register of its own where it needs one', () => {
    expect(
      linesOf(
        straight(
          {
            kind: 'rmw',
            into: 0,
            address: b,
            operation: { name: 'xchg', operands: [constant(1)] },
          },
          { kind: 'rmw', into: 0, address: b, operation: { name: 'xchg', operands: [a] } },
          {
            kind: 'rmw',
            address: b,
            operation: { name: 'fetch_add', operands: [constant(2)] },
          },
        ),
      ).map((line) => line.split(' ').slice(2).join(' ')),
    ).toEqual([
      ...['lock', 'read a b', 'write 1 b', 'unlock'],
      ...['lock', 'read old b', 'write a b', 'local a old', 'unlock'],
      ...['lock', 'read old b', 'write + old 2 b', 'unlock'],
    ]);
  });

  it('does not take the lock again', () => {
    const xchg: Instruction = {
      kind: 'rmw',
      into: 0,
      address: b,
      operation: { name: 'xchg', operands: [constant(1)] },
    };
    expect(
      linesOf(straight({ kind: 'lock' }, xchg, { kind: 'unlock' })).map((line) =>
        line.split(' ').slice(2).join(' '),
      ),
    ).toEqual(['lock', 'mfence', 'read a b', 'write 1 b', 'mfence', 'unlock']);
  });

  it('refuses a read-modify-write that is reached with and without the lock', () => {
    const program = straight(
      { kind: 'lock' },
      { kind: 'rmw', address: b, operation: { name: 'xchg', operands: [a] } },
    );
    const [thread] = program.threads;
    if (!thread) throw new Error();
    const skip = { from: 0, to: 1, instruction: { kind: 'skip' }, origin: {} } as const;
    const both = { ...thread, transitions: [...thread.transitions, skip] };
    expect(errorsOf({ ...program, threads: [both] })).toEqual([
      'FW1012 this read-modify-write stands both inside and outside of lock and unlock',
    ]);
  });

  it('writes out the values of a choice', () => {
    expect(
      linesOf(
        straight(
          { kind: 'havoc', into: 0, range: { low: -1, high: 1 } },
          { kind: 'havoc', into: 1, range: { low: 0, high: 1 }, where: binary('<=', b, a) },
        ),
      ),
    ).toEqual([
      'q0 q1 local a -1',
      'q0 q1 local a 0',
      'q0 q1 local a 1',
      'q1 q1_1 local b 0',
      'q1 q1_1 local b 1',
      'q1_1 q2 check <= b a',
    ]);
  });

  it('takes the values of a choice without a range from the domain', () => {
    const program = straight({ kind: 'havoc', into: 0 });
    expect(linesOf({ ...program, domain: { low: 3, high: 4 } })).toHaveLength(2);
    expect(linesOf(straight({ kind: 'havoc', into: 0, range: { low: 0, high: 63 } }))).toHaveLength(
      64,
    );
    expect(errorsOf(program)[0]).toContain('unbounded');
    expect(errorsOf(straight({ kind: 'havoc', into: 0, range: { low: 0, high: 64 } }))).toEqual([
      'FW1012 a choice from 65 values is too wide for this format',
    ]);
  });

  it('turns assertions into noop and says so', () => {
    const program = straight({ kind: 'assert', condition: a }, { kind: 'assert', condition: b });
    expect(linesOf(program)).toEqual(['q0 q1 noop', 'q1 q2 noop']);
    expect(notesOf(program)).toEqual([
      'FW2006 assertions do not exist in this format and become noop',
    ]);
    expect(printTrencher(program).diagnostics[0]?.span).toEqual(span);
  });
});

function ofNumbers(operator: BinaryOperator, left: number, right: number): Expression {
  return { kind: 'binary', operator, left: constant(left), right: constant(right) };
}

describe('expressions', () => {
  it.each<[string, Expression]>([
    ['- 0 b', unary('-', b)],
    ['- -1 b', unary('~', b)],
    ['! ! b', unary('!', unary('!', b))],
    ['& b 255', unary('u8', b)],
    ['& b 65535', unary('u16', b)],
    ['+ a - b & a b', binary('|', a, b)],
    ['+ - a & a b - b & a b', binary('^', a, b)],
    ['* b 8', binary('<<', b, constant(3))],
    ['- & b 3 * 4 && < b 0 & b 3', binary('%', b, constant(4))],
    ['&& a || b a', binary('&&', a, binary('||', b, a))],
    ['2', { kind: 'address', symbol: 1 }],
    ['4', { kind: 'element', symbol: 1, index: constant(2) }],
    ['a', { kind: 'element', symbol: 0, index: a }],
    ['+ 2 a', { kind: 'element', symbol: 1, index: a }],
    ['- 3 4', ofNumbers('-', 3, 4)],
  ])('prints %s', (text, value) => {
    expect(assigned(value)).toBe(text);
  });

  it.each([
    ...(['/', '%', '>>', '<<', '+%', '-%', '*%', '/%', '%%'] as const),
    ...(['<<%', '>>%', '<%', '<=%', '>%', '>=%'] as const),
  ])('refuses %s at its place', (operator) => {
    const program = straight({ kind: 'assign', into: 0, value: binary(operator, a, b) });
    expect(errorsOf(program)).toEqual([`FW1012 Trencher's format has no operator '${operator}'`]);
    expect(printTrencher(program).diagnostics[0]?.span).toEqual(span);
  });

  it.each(['i8', 'i16'] as const)('refuses %s', (operator) => {
    const program = straight({ kind: 'assign', into: 0, value: unary(operator, a) });
    expect(errorsOf(program)).toEqual([`FW1012 Trencher's format has no operator '${operator}'`]);
  });

  it('refuses rewriting that explodes', () => {
    let value: Expression = a;
    for (let i = 0; i < 60; i++) value = binary('^', value, b);
    expect(errorsOf(straight({ kind: 'assign', into: 0, value }))).toEqual([
      'FW1012 this expression becomes too long in this format',
    ]);
  });

  /** Returns the value of a printed expression without registers; no operation may overflow. */
  function valueOf(words: string[]): number {
    const word = words.shift() ?? '';
    if (/[0-9]/.test(word)) return Number(word);
    const l = valueOf(words);
    const r = valueOf(words);
    const results: Record<string, number> = {
      '+': l + r,
      '-': l - r,
      '*': l * r,
      '&': l & r,
      '<': Number(l < r),
      '&&': Number(l !== 0 && r !== 0),
    };
    const result = results[word] ?? NaN;
    expect(result).toBe(result | 0);
    return result;
  }

  it.each([0, 1, 7, 8, -1, -7, -8, -9, 2147483647, -2147483648])(
    'takes the remainder of %i by powers of two without overflow',
    (left) => {
      for (const divisor of [1, 2, 8, 2 ** 30]) {
        const text = assigned(ofNumbers('%', left, divisor)) ?? '';
        expect(valueOf(text.split(' '))).toBe((left % divisor) + 0);
      }
    },
  );

  it.each([
    [6, 3],
    [-1, 5],
    [-2147483648, 2147483647],
    [-2147483648, -1],
    [2147483647, 2147483647],
    [-7, -2147483648],
  ])('rewrites bit operations on %i and %i without overflow', (left, right) => {
    const evaluate = (operator: '|' | '^') =>
      valueOf((assigned(ofNumbers(operator, left, right)) ?? '').split(' '));
    expect(evaluate('|')).toBe(left | right);
    expect(evaluate('^')).toBe(left ^ right);
  });

  it('notes that an index is not checked, unless it is a constant', () => {
    const load = (index: Expression): Program => ({
      ...straight({ kind: 'load', into: 0, address: { kind: 'element', symbol: 1, index } }),
      ...vectors,
    });
    expect(notesOf(load(constant(2)))).toEqual([]);
    expect(notesOf(load(a))).toEqual(["FW2006 the index of 'w' is not checked in this format"]);
  });
});

describe('programs', () => {
  it('tells the cells of variables in comments', () => {
    const { text } = printTrencher({ ...straight(), ...vectors, name: 'two\nlines' });
    expect(text).toBe(
      [
        '# two lines',
        '# 0 to 1: v[0] to [1]',
        '# 2 to 4: w[0] to [2]',
        '# 5: x',
        '',
        'thread t',
        'initial q0',
        'end',
        '',
      ].join('\n'),
    );
  });

  it('refuses memory that does not start with 0', () => {
    const symbols = [{ name: 'v', base: 0, length: 2, isArray: true, initial: [0, 7] }];
    expect(errorsOf({ ...straight(), symbols })).toEqual([
      "FW1012 'v[1]' starts with 7, and memory starts with 0 in Trencher's format",
    ]);
  });

  it('notes what it leaves out', () => {
    const program = straight({ kind: 'skip' });
    const [thread] = program.threads;
    if (!thread) throw new Error();
    expect(
      notesOf({
        ...program,
        domain: { low: 0, high: 3 },
        properties: [{ name: 'p', kind: 'never', condition: { kind: 'constant', value: 0 } }],
        threads: [
          { ...thread, transitions: thread.transitions.map((t) => ({ ...t, nofence: true })) },
        ],
      }),
    ).toEqual([
      'FW2006 the domain 0..3 does not exist in this format',
      "FW2006 property 'p' does not exist in this format",
      'FW2006 costs of fences do not exist in this format',
    ]);
  });

  it('makes names that can be spelt and keeps them apart', () => {
    const named = (name: string) => ({ name, hidden: true });
    const transition = (from: number, to: number, instruction: Instruction) => ({
      from,
      to,
      instruction,
      origin: {},
    });
    const value = binary('+', binary('+', a, b), binary('+', registerValue(2), registerValue(3)));
    const thread = {
      registers: ['old', '%0', '1', 'old'].map(named),
      locations: ['a b', 'a_b', '', '#'].map(named),
      initial: 0,
      transitions: [
        transition(0, 1, { kind: 'assign', into: 0, value }),
        transition(1, 2, { kind: 'rmw', address: a, operation: { name: 'xchg', operands: [b] } }),
        transition(2, 3, { kind: 'skip' }),
      ],
    };
    const program = {
      ...straight(),
      threads: ['t', 'my thread', 'my\tthread', 't'].map((name) => ({ ...thread, name })),
    };
    const { text = '' } = printTrencher(program);
    expect(text.match(/^thread .*$/gm)).toEqual([
      'thread t',
      'thread my_thread',
      'thread my_thread_2',
      'thread t_2',
    ]);
    expect(linesOf(program).slice(0, 6)).toEqual([
      'a_b_2 a_b local old + + old r_%0 + r_1 old_2',
      'a_b a_b_1 lock',
      'a_b_1 a_b_3 read old_3 old',
      'a_b_3 a_b_4 write r_%0 old',
      'a_b_4 _ unlock',
      '_ # noop',
    ]);
    expect(parseTrencher(text).diagnostics).toEqual([]);
  });
});

function withoutSpans(program: Program | undefined): unknown {
  return JSON.parse(
    JSON.stringify(program, (key, value: unknown) => (key === 'span' ? undefined : value)),
  );
}

describe('laws', () => {
  const word = fc.constantFrom('q0', 'q1', 'q2', 'end', '#', '7', '->', 'thread', 'é😀');
  const registerName = fc.constantFrom('r', 's', 'read', '#r', 'x!', '(', 'lock');
  const { expression } = fc.letrec<{ expression: string }>((tie) => ({
    expression: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.integer().map(String),
      registerName,
      tie('expression').map((e) => `! ${e}`),
      fc
        .tuple(
          fc.constantFrom(...'== != < <= > >= && || + - * &'.split(' ')),
          tie('expression'),
          tie('expression'),
        )
        .map((parts) => parts.join('  ')),
    ),
  }));
  const join = (parts: readonly string[]) => parts.join('\t');
  const instruction = fc.oneof(
    fc.constantFrom('mfence', 'noop', 'lock', 'unlock'),
    fc.tuple(fc.constant('write'), expression, expression).map(join),
    fc.tuple(fc.constantFrom('read', 'local'), registerName, expression).map(join),
    fc.tuple(fc.constant('check'), expression).map(join),
  );
  const transition = fc.tuple(fc.constant('transition'), word, word, instruction).map(join);
  const block = fc
    .tuple(fc.array(transition, { maxLength: 8 }), word, fc.nat(8))
    .map(([transitions, initial, at]) => transitions.toSpliced(at, 0, ` initial ${initial} `));
  const source = fc
    .uniqueArray(fc.tuple(word, block), { minLength: 1, maxLength: 3, selector: ([name]) => name })
    .map((threads) =>
      threads.flatMap(([name, lines]) => [`thread ${name}`, ...lines, 'end', '# x']).join('\n'),
    );

  it('reads back what it prints', () => {
    fc.assert(
      fc.property(source, (text) => {
        const { model } = parseTrencher(text);
        const program = finiteProgram(model);
        if (!program) throw new Error('no program');
        const printed = printTrencher(program);
        expect(printed.diagnostics).toEqual([]);
        const { model: again, diagnostics } = parseTrencher(printed.text ?? '');
        expect(diagnostics).toEqual([]);
        const reread = finiteProgram(again);
        expect(withoutSpans(reread)).toEqual(withoutSpans(program));
        expect(printTrencher(program)).toEqual(printTrencher(reread ?? program));
      }),
      { seed: randomSeed(1), numRuns: randomRuns(500, 10_000, 170) },
    );
  });

  /** Final memories and registers, known by name, under SC and TSO. */
  async function finalStates(program: Program): Promise<unknown> {
    const { sc, tso } = await reach(program);
    return [sc, tso].map((model) => {
      expect(model.incomplete).toBeUndefined();
      const states = model.finalStates.map(({ registers, memory }) =>
        JSON.stringify([
          program.threads.map((thread, t) =>
            ['r0', 'r1', 'r2'].map(
              (name) => registers[t]?.[thread.registers.findIndex((r) => r.name === name)] ?? 0,
            ),
          ),
          [...memory].filter(([, value]) => value !== 0).sort(([p], [q]) => p - q),
        ]),
      );
      return [...new Set(states)].sort();
    });
  }

  it('keeps final states and the verdict of programs it has to rewrite', async () => {
    const hasRmw = (program: Program) =>
      program.threads.some((thread) =>
        thread.transitions.some((t) => t.instruction.kind === 'rmw'),
      );
    await fc.assert(
      fc.asyncProperty(randomProgram({ maxThreads: 2 }).filter(hasRmw), async (program) => {
        const { text } = printTrencher(program);
        fc.pre(text !== undefined);
        const { model } = parseTrencher(text);
        const printed = finiteProgram(model);
        if (!printed) throw new Error(text);
        expect(await finalStates(printed)).toEqual(await finalStates(program));
        const verdict = (await check(program)).verdict.kind;
        expect((await check(printed)).verdict.kind).toBe(verdict);
      }),
      { seed: randomSeed(2), numRuns: randomRuns(150, 3000, 50) },
    );
  });
});
