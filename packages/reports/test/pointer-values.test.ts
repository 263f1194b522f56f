import { describe, expect, test } from 'vitest';
import { check } from '../../core/src/api/check.js';
import { reach } from '../../core/src/api/reach.js';
import { replay } from '../../core/src/api/replay.js';
import type { Program } from '@fencewright/model/program/program.js';
import { computationLines } from '../src/text/table.js';
import { explainReport } from '../src/text/explain.js';
import { pageData } from '../src/words/page-data.js';
import { reachToJson } from '../src/json/json.js';
import { plainPalette } from '../src/text/palette.js';
import { cellValueText, registerValueText } from '../src/words/pointer-values.js';
import { reachReport } from '../src/text/reach.js';
import { programOf } from '../../engines/test/robustness/native-program.js';

/** Returns functions that format the values of cells and registers. */
function shown(program: Program) {
  const addressOf = (name: string): number =>
    program.symbols.find((symbol) => symbol.name === name)?.base ?? 0;
  return {
    addressOf,
    cell: (name: string, value: number) => cellValueText(program, addressOf(name), value),
    register: (thread: number, name: string, value: number) => {
      const registers = program.threads[thread]?.registers ?? [];
      const register = registers.findIndex((own) => own.name === name);
      return registerValueText(program, thread, register, value);
    },
  };
}

describe('addresses by name', () => {
  test('where only addresses get, through cells, registers and exchanges', () => {
    const program = programOf(`var p, q, b, a[3], n
      thread t { local r, s; b = 2; p = &b; r = xchg(q, &a[2]); s = r + 1; n = 4; }
      thread u { local o, v, ok; o = p; v = mem[o]; ok = cas(p, o, &n); }`);
    const { addressOf, cell, register } = shown(program);
    expect(cell('p', addressOf('b'))).toBe('&b');
    expect(cell('p', addressOf('n'))).toBe('&n');
    expect(cell('q', addressOf('a') + 2)).toBe('&a[2]');
    expect(register(0, 'r', addressOf('a') + 2)).toBe('&a[2]');
    expect(register(0, 's', addressOf('a') + 1)).toBe('&a[1]');
    expect(register(1, 'o', addressOf('b'))).toBe('&b');
    // The target of a pointer, and the result of a compare-and-swap, are numbers.
    expect(register(1, 'v', 1)).toBe('1');
    expect(register(1, 'ok', 1)).toBe('1');
    // A null pointer, and an address that the cell never contains.
    expect(cell('p', 0)).toBe('0');
    expect(cell('p', addressOf('q'))).toBe(`${addressOf('q')}`);
  });

  test('the initial pointer of a cell that gets pointers has its name, a null pointer has none', () => {
    const { addressOf, cell } = shown(
      programOf('var d, e = 7, p = &e, k = 1 thread t { p = &d; k = 2; }'),
    );
    expect(cell('p', addressOf('e'))).toBe('&e');
    expect(cell('k', 1)).toBe('1');
  });

  test.each([
    ['a number', 'thread t { p = &b; p = 1; }'],
    ['a number of another thread', 'thread t { p = &b; } thread u { local r; r = 1; p = r; }'],
    ['any value', 'thread t { local r; p = &b; havoc r in 0..3; p = r; }'],
    ['a difference of pointers', 'thread t { p = &b; p = &p - &b; }'],
    ['a scaled pointer', 'thread t { p = &b * 2; }'],
    ['a comparison', 'thread t { p = &b; p = &b == &p; }'],
    ['an increment of a number', 'thread t { p = &b; fetch_add(k, 1); p = k; }'],
    ['a number through a pointer', 'thread t { local r; r = &p; p = &b; mem[r] = 2; }'],
    ['a number through any address', 'thread t { local r; r = k; p = &b; k = 1; mem[r] = 2; }'],
    ['a number that a pointer reads', 'thread t { local r; r = &k; k = 2; p = &b; p = mem[r]; }'],
    ['what a pointer sum writes', 'thread t { local r; p = &b; r = &k + 1; mem[r] = 3; }'],
    ['a number that a swap stores', 'thread t { local r; p = &b; r = cas(p, &b, 2); }'],
  ])('a cell that also gets %s keeps its numbers', (_, threads) => {
    const program = programOf(`var b, k, p ${threads}`);
    const { cell } = shown(program);
    expect([1, 2, 3].map((value) => cell('p', value))).toEqual(['1', '2', '3']);
  });

  test('numbers that are not made from addresses stay, whatever cells they are the addresses of', () => {
    const program = programOf('var x, y thread t { local r; x = 1; r = y; } thread u { y = 2; }');
    const { cell, register } = shown(program);
    expect([cell('x', 1), cell('y', 2), register(0, 'r', 1)]).toEqual(['1', '2', '1']);
  });
});

describe('the reports on a program with pointers', () => {
  const text = `program Test
    var p, b, c, n
    thread t { local r; p = &b; r = c; }
    thread u { local o, v; c = 1; o = p; n = 1; if (o) { v = mem[o]; } }`;
  const program = programOf(text.slice('program Test'.length));
  const subject = { file: 'p.fw', source: text, program };

  test('reach names them in final states; JSON keeps numbers', async () => {
    const result = await reach(program);
    const report = reachReport(subject, result, plainPalette);
    expect(report).toMatch(/in all of them: p = &b, b = 0, c = 1, n = 1/);
    const rows = report.split('\n').filter((line) => /^ +\d /.test(line));
    expect(rows.some((line) => line.includes('&b'))).toBe(true);
    const { answer, ...rest } = reachToJson('p.fw', program, result);
    // The sentence in `text` is for readers, and may differ.
    const json = JSON.stringify({ ...rest, answer: { ...answer, text: '' } });
    expect(json).not.toContain('&b');
    expect(json).toContain('"p":2');
  });

  test('check and explain name them in tables, sentences, and the panel of the machine', async () => {
    const { verdict, ...rest } = await check(program);
    if (verdict.kind !== 'not-robust') throw new Error('store buffering is not robust');
    const { witness } = verdict;
    const table = computationLines(program, witness.computation, witness.cycle, plainPalette);
    expect(table.some((line) => / p +&b /.test(line))).toBe(true);
    expect(table.some((line) => / c +1 /.test(line))).toBe(true);
    const replayed = replay(program, witness.computation);
    const options = { palette: plainPalette, width: 200 };
    const text = explainReport(subject, { verdict, ...rest }, replayed, options);
    expect(text).toContain('t issues p = &b');
    expect(text).toMatch(/ p=&b /);
    const { frames, cells } = pageData(program, witness, replayed);
    const last = frames.at(-1);
    expect(last?.memory[cells.indexOf('p')]).toBe('&b');
    expect(last?.memory[cells.indexOf('c')]).toBe('1');
    expect(frames.flatMap(({ buffers }) => buffers.flat())).toContain('p = &b');
  });
});
