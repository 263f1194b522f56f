import { describe, expect, it } from 'vitest';
import { check } from '../../../core/src/api/check.js';
import { printProgram, printTemplates } from '../../../core/src/api/print-model.js';
import { programFormats } from '../../../core/src/api/output-formats.js';
import { reach } from '../../../core/src/api/reach.js';
import { parseNative, printNative } from '@fencewright/core/native';
import { finiteProgram } from '@fencewright/model/program/model.js';
import { usesWideValues } from '@fencewright/model/program/uses-wide-values.js';
import { integerOfValue } from '@fencewright/model/program/wide-values.js';
import { errorsOf, parseBody, parseGood } from './listing.js';

const program = `program P
const most = 0x7fffffffffffffffL, top = 1L <<:% 63
var x = 0x9e3779b97f4a7c15L, y = -9223372036854775808L, a[2] = {most, 4294967296L}
thread t {
  local r, s;
  r = x;
  x = (r ^ r >>:% 30) *:% 0xbf58476d1ce4e5b9L -:% s;
  s = fetch_add64(y, top);
  a[0] = i32(r) +: (u32(s) /: 3L *: 2) -: (r >>: 63) +: (r %:% 10 <<:% 2);
  if (r <:% s && s <=:% r || r >:% 1 && s >=:% 2 || r /:% 7 == 5000000000L) y = r +:% s;
  r = fetch_sub32(a[1], 7); r = fetch_add32(y, 1); fetch_sub64(x, r);
}
thread u { local r; r = a[1]; y = -r & 1; }
property p: finally (x != 5000000000L)
`;

describe('numbers of 64 bits', () => {
  it('are read and printed', () => {
    const read = parseGood(program);
    const text = printNative(read);
    expect(text).toContain('var x = -7046029254386353131L');
    expect(text).toContain('var y = -9223372036854775808L');
    expect(text).toContain('a[2] = {9223372036854775807L, 4294967296L}');
    expect(text).toContain('fetch_add64(mem[y], -9223372036854775808L)');
    expect(text).toContain('>>:% 30');
    expect(printNative(parseGood(text))).toBe(text);
    expect(parseGood(text).threads.map(({ transitions }) => transitions.length)).toEqual(
      read.threads.map(({ transitions }) => transitions.length),
    );
  });

  it('may be small, and are then others than those without L in nothing', () => {
    const value = (text: string) => {
      const { instruction } = parseBody(`local r; r = ${text};`).threads[0]!.transitions[0]!;
      return instruction.kind === 'assign' && instruction.value;
    };
    expect(value('5L')).toEqual(value('5'));
    expect(value('0xffffffffffffffffL')).toEqual(value('-1'));
    expect(value('u32(-1)')).toEqual(value('4294967295L'));
    expect(value('i32(4294967295L)')).toEqual(value('-1'));
    expect(value('3000000000L +:% 3000000000L')).toEqual(value('6000000000L'));
  });

  it('have ends', () => {
    const tooLarge = [
      ...['9223372036854775808L', '-9223372036854775809L', '0x10000000000000000L', '2147483648'],
      ...['9223372036854775807L +: 1', '5000000000L + 1', '-(5000000000L)'],
    ];
    for (const text of tooLarge)
      expect(errorsOf(`program P\nthread t { local r; r = ${text}; }`)).toEqual([
        expect.stringMatching(/^FW1007 2:2[56] /),
      ]);
    expect(errorsOf('program P\nthread t { local r; r = 12l; }')).toEqual([
      expect.stringMatching(/^FW1001 2:25 expected a number but found '12l'/),
    ]);
  });

  it('have no code, one in 2048 of them', () => {
    // Half of the numbers whose first eleven bits are 0x864.
    const found = Array.from({ length: 64 }, (_, i) =>
      errorsOf(`program P\nthread t { local r; r = 0x8641234512345${(600 + i).toString()}L; }`),
    ).filter((errors) => errors.length > 0);
    expect(found.length).toBeGreaterThan(10);
    expect(found.length).toBeLessThan(54);
    for (const errors of found)
      expect(errors).toEqual([expect.stringMatching(/^FW1007 .* cannot be represented/)]);
  });

  it('are none where 32 bits are meant', () => {
    const places = [
      'var a[4294967297L]\nthread t { skip; }',
      'domain 0..5000000000L\nthread t { skip; }',
      'var x\nthread t { local r; havoc r in 0..5000000000L; }',
      'thread t[4294967297L] { skip; }',
      'var x @ 5000000000L\nthread t { skip; }',
      'var a[2]\nthread t { a[4294967296L] = 1; }',
    ];
    for (const place of places) expect(errorsOf(`program P\n${place}`), place).toHaveLength(1);
  });

  it('are none of programs with a domain, and of events', () => {
    expect(errorsOf('program P\nvar x\ndomain 0..3\nthread t { local r; x = r +:% 1; }')).toEqual([
      expect.stringContaining('a program with a domain has numbers of 32 bits'),
    ]);
    expect(errorsOf('program P\nvar x\nevent e() { local r; x = r +:% 1; }\nevents e()')).toEqual([
      expect.stringContaining('events have numbers of 32 bits'),
    ]);
  });

  it('are computed with', async () => {
    const { model } = parseNative(`program P
var x = 0x9e3779b97f4a7c15L, y
thread t { local z; z = x; z = (z ^ z >>:% 30) *:% 0xbf58476d1ce4e5b9L;
  z = (z ^ z >>:% 27) *:% 0x94d049bb133111ebL; x = z ^ z >>:% 31; y = i32(z); }
thread u { local r; r = x; }`);
    const { sc } = await reach(finiteProgram(model)!);
    // splitmix64 of 0.
    const values = sc.finalStates.map(({ memory }) => integerOfValue(memory.get(1)!));
    expect(new Set(values)).toEqual(new Set([BigInt.asIntN(64, 0xe220a8397b1dcdafn)]));
  });

  it.each(['instrument', 'single-query', 'spin', 'chc'] as const)(
    'are refused by the engine %s',
    async (engine) => {
      const { verdict, diagnostics } = await check(parseGood(program), { engine });
      expect(verdict.kind).toBe('unknown');
      expect(diagnostics.map(({ message }) => message)).toContain(
        `the engine '${engine}' has no numbers of 64 bits`,
      );
    },
  );

  it.each(programFormats.filter((format) => !['native', 'dot', 'smt2'].includes(format)))(
    'are refused by the format %s',
    async (format) => {
      const read = parseGood(program);
      const { text, diagnostics } = await printProgram(read, format);
      expect(text).toBeUndefined();
      expect(diagnostics.map(({ message }) => message)).toEqual([
        'numbers of 64 bits do not exist in this format',
      ]);
      const model = { kind: 'unbounded', templates: read, unbounded: [1] } as const;
      expect((await printTemplates(model, format))?.text).toBeUndefined();
    },
  );

  it('are looked for in all places', () => {
    const plain = 'program P\nvar x = 7\nthread t { local r; r = x +% 1; x = i16(r); }\n';
    expect(usesWideValues(parseGood(plain))).toBe(false);
    for (const [from, to] of [
      ['= 7', '= 4294967296L'],
      ['+% 1', '+:% 1'],
      ['i16(r)', 'u32(r)'],
      ['i16(r)', 'i32(r)'],
      ['i16(r)', '4294967296L'],
      ['x = i16(r)', 'fetch_add64(x, 1)'],
      ['x = i16(r)', 'assume r < 4294967296L'],
    ] as const)
      expect(usesWideValues(parseGood(plain.replace(from, to))), to).toBe(true);
    expect(usesWideValues(parseGood(`${plain}property p: never (x == 4294967296L)`))).toBe(true);
  });
});
