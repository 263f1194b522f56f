import { finiteProgram } from '@fencewright/model/program/model.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { check } from '../../../core/src/api/check.js';
import { reach } from '../../../core/src/api/reach.js';
import { parseMemorax } from '../../src/memorax/parse-memorax.js';
import { printMemorax } from '../../src/memorax/print-memorax.js';
import { constant, type Expression } from '@fencewright/model/program/expression.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import type { Program } from '@fencewright/model/program/program.js';
import { randomProgram } from '@fencewright/reference/testing/random-program.js';
import { programOf } from '../../../engines/test/robustness/native-program.js';

function parse(text: string): Program {
  const { model, diagnostics } = parseMemorax(text);
  const program = finiteProgram(model);
  if (!program) throw new Error(`${diagnostics.map(({ message }) => message).join('; ')}\n${text}`);
  return program;
}

function print(program: Program): string {
  const { text, diagnostics } = printMemorax(program);
  if (text === undefined) throw new Error(diagnostics.map(({ message }) => message).join('; '));
  return text;
}

test("a program in the native language in Memorax's", () => {
  const program = programOf(`var x = 1, flag[2]
    thread left { local r; flag[0] = 1; r = flag[1]; if (r == 0) { cs: x = r + 2; } }
    thread right { local r; flag[1] = 1; fence; r = xchg(x, 5); data: fetch_add(flag[0], 2); }
    property mutex: never (left @ cs && right @ data || right @ data)`);
  expect(print(program)).toMatchInlineSnapshot(`
    "/* Test */
    forbidden
      cs data_;
      * data_
    data
      x = 1 : Z
      flag0 = 0 : Z
      flag1 = 0 : Z
    process /* left */
    registers
      $r = 0 : Z
    text
      write: flag0 := 1;
      read: $r := flag1;
      either { assume: $r = 0; goto cs or assume: $r != 0; goto L3d };
      cs: write: x := $r + 2;
      goto L3d;
      L3d: nop
    process /* right */
    registers
      $r = 0 : Z
      $old = 0 : Z
    text
      write: flag1 := 1;
      fence;
      locked { read: $old := x; write: x := 5; $r := $old };
      data_: locked { read: $old := flag0; write: flag0 := $old + 2 }
    "
  `);
});

/** The values of the locations in all final states, under SC and under TSO. */
async function finals(program: Program): Promise<readonly string[]> {
  const { sc, tso } = await reach(program);
  expect(tso.incomplete).toBeUndefined();
  return [sc, tso].map(({ finalStates }) =>
    [
      ...new Set(
        finalStates.map(({ memory }) =>
          program.symbols.map(({ base }) => memory.get(base) ?? 0).join(),
        ),
      ),
    ]
      .sort()
      .join(' '),
  );
}

describe('what an instruction does', () => {
  test.each([
    'r = x; y = r - 1 + (r - 2); x = 3 - (q - r) - -4;',
    'r = 5; q = -(r + 1); y = q + 3;',
    'r = fetch_add(x, 3); q = fetch_sub(x, r + 1);',
    'r = cas(x, 0, 4); q = cas(x, 0, 5);',
    'cas(x, 1, 9); fetch_sub(x, 1 - r);',
    'r = xchg(x, y); xchg(y, r + 1); r = xchg(x, r);',
    'while (r < 3) { r = r + 1; } q = r == 3;',
    'if (r == 0 && !(q > 1) || q == 7) { x = 1; } else { x = 2; }',
    'q = !r; r = q && (r == 0 || q == 5); x = r;',
    'assume(r == 0); x = 1; assume(q); x = 2;',
    'loop { r = r + 1; if (r == 2) break; } x = r;',
    'choose { x = 1; } or { x = 2; } or { y = 3; fence; x = 4; }',
    'havoc r in 0..2; x = r;',
    'atomic { r = x; q = r + 1; x = q; assume(r == 0); y = 7; }',
  ])('%s', async (code) => {
    const program = programOf(`var x, y, lastR, lastQ
      thread t { local r, q; ${code} lastR = r; lastQ = q; }
      thread u { local r; r = x; y = r; }`);
    expect(await finals(parse(print(program)))).toEqual(await finals(program));
  });
});

test('forbidden labels stay what they are', async () => {
  const text = (fence: string) => `var x, y
    thread t { local r; x = 1; ${fence} r = y; assume(r == 0); cs: r = 2; }
    thread u { local r; y = 1; ${fence} r = x; if (r == 0) { cs: r = 3; } }
    property mutex: never (t @ cs && u @ cs)`;
  for (const fence of ['', 'fence;']) {
    const [before, after] = await Promise.all(
      [programOf(text(fence)), parse(print(programOf(text(fence))))].map((program) =>
        reach(program),
      ),
    );
    const verdicts = (result: typeof before) =>
      result &&
      [result.sc, result.tso].map(({ properties }) => properties.map(({ verdict }) => verdict));
    expect(before?.sc.properties).toHaveLength(1);
    expect(verdicts(after)).toEqual(verdicts(before));
  }
});

/** Returns the program with expressions that Memorax's format lacks replaced by plain ones. */
function plain(program: Program): Program {
  const withoutOperators = (value: Expression): Expression => {
    switch (value.kind) {
      case 'constant':
      case 'register':
        return value;
      case 'address':
      case 'element':
        return constant(1);
      case 'unary':
        return value.operator === '!' || value.operator === '-'
          ? { ...value, operand: withoutOperators(value.operand) }
          : withoutOperators(value.operand);
      case 'binary':
        return {
          ...value,
          operator: ['*', '/', '%', '&', '|', '^', '<<', '>>'].includes(value.operator)
            ? '+'
            : value.operator,
          left: withoutOperators(value.left),
          right: withoutOperators(value.right),
        };
    }
  };
  const simple = (instruction: Instruction): Instruction => {
    const fixed = (address: Expression) => (address.kind === 'constant' ? address : constant(0));
    switch (instruction.kind) {
      case 'store':
        return {
          ...instruction,
          address: fixed(instruction.address),
          value: withoutOperators(instruction.value),
        };
      case 'load':
        return { ...instruction, address: fixed(instruction.address) };
      case 'rmw':
        return { ...instruction, address: fixed(instruction.address) };
      case 'assign':
        return { ...instruction, value: withoutOperators(instruction.value) };
      case 'assume':
        return { ...instruction, condition: withoutOperators(instruction.condition) };
      default:
        return instruction;
    }
  };
  return {
    ...program,
    threads: program.threads.map((thread) => ({
      ...thread,
      transitions: thread.transitions.map((transition) => ({
        ...transition,
        instruction: simple(transition.instruction),
      })),
    })),
  };
}

test('random programs keep their verdict', async () => {
  const counts = { printed: 0, refused: 0, robust: 0, 'not-robust': 0, unknown: 0, error: 0 };
  await fc.assert(
    fc.asyncProperty(randomProgram({ maxThreads: 3 }), async (wild) => {
      const program = plain(wild);
      const { text } = printMemorax(program);
      if (text === undefined) {
        counts.refused += 1;
        return;
      }
      counts.printed += 1;
      const { verdict } = await check(program);
      counts[verdict.kind] += 1;
      expect((await check(parse(text))).verdict.kind, text).toBe(verdict.kind);
    }),
    {
      numRuns: randomRuns(500, 10_000, 170),
      seed: randomSeed(1),
    },
  );
  expect(counts.printed).toBeGreaterThan(counts.refused / 2);
  expect(Math.min(counts.robust, counts['not-robust'])).toBeGreaterThan(counts.printed / 10);
});

describe('what the language cannot hold', () => {
  test.each([
    ['x = r * 2;', "'*' does not exist"],
    ['x = r +% 2;', "'+%' does not exist"],
    ['x = u8(r);', "'u8' does not exist"],
    ['if (r <% 2) x = 1;', "'<%' does not exist"],
    ['x = r == 2;', "'==' does not exist"],
    ['x = &y;', 'no notation for an address as a value'],
    ['r = mem[x];', 'this address is unknown before the program runs'],
    ['havoc r in 0..99;', 'a choice of more than 16 values'],
    ['atomic { r = x; if (r == 0) { y = 1; } }', 'a block under the bus lock can have no branches'],
    ['r = fetch_xor(x, 1);', "'^' does not exist"],
  ])('%s', (code, message) => {
    const { text, diagnostics } = printMemorax(
      programOf(`var x, y\nthread t { local r; ${code} }`),
    );
    expect(text).toBeUndefined();
    expect(diagnostics.map((diagnostic) => diagnostic.message).join()).toContain(message);
  });

  test('is left out with a note where the verdict stays', () => {
    const { text, diagnostics } = printMemorax(
      programOf(`var text, nop
        thread t { local r; r = text; assert(r == 0); here: nop = 1; }
        property asked: finally (text == 1)`),
    );
    expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'FW2006 assertions do not exist in this format',
      "FW2006 property 'asked' does not exist in this format",
    ]);
    expect(text).toContain('read: $r := text_');
  });
});
