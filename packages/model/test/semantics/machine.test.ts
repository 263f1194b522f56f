import { describe, expect, test } from 'vitest';
import { isFinal, memoryValue } from '../../src/semantics/machine.js';
import { compileProgram } from '../../src/semantics/thread-code.js';
import { programOf } from '../../../engines/test/robustness/native-program.js';
import { walk } from './walk.js';

describe('the initial state', () => {
  test('has the initial values, empty registers and buffers', () => {
    const program = programOf(
      'var x = 3, a[2] = {4, 0}, y thread t { local r = 0; r = x; } thread u { skip; }',
    );
    const { state } = walk('TSO', program);
    const base = program.symbols.map((symbol) => symbol.base);
    expect(memoryValue(state, base[0] ?? -1)).toBe(3);
    expect(memoryValue(state, base[1] ?? -1)).toBe(4);
    expect(memoryValue(state, (base[1] ?? -1) + 1)).toBe(0);
    expect(memoryValue(state, 12345)).toBe(0);
    expect(state.buffers).toEqual([[], []]);
    expect(state.registers.flat().every((value) => value === 0)).toBe(true);
    expect(state.lockHolder).toBeUndefined();
  });
});

describe('stores and loads', () => {
  const program = programOf('var x, y thread a { local r; x = 1; x = 2; y = 3; r = x; }');

  test('under SC a store is in memory at once', () => {
    expect(walk('SC', program).next).toEqual(['a issue x 1, a store x 1']);
    const { state, next } = walk('SC', program, [
      'a issue x 1, a store x 1',
      'a issue x 2, a store x 2',
      'a issue y 3, a store y 3',
    ]);
    expect(state.buffers).toEqual([[]]);
    expect(next).toEqual(['a load x 2']);
  });

  test('under TSO it is put into the buffer, and leaves it first in, first out', () => {
    const issued = ['a issue x 1', 'a issue x 2', 'a issue y 3'];
    const { state, next } = walk('TSO', program, issued);
    expect(state.buffers[0]?.map(({ value }) => value)).toEqual([1, 2, 3]);
    expect(state.memory.size).toBe(0);
    expect(next).toEqual(['a store x 1', 'a load x 2 early']);
    expect(walk('TSO', program, [...issued, 'a store x 1', 'a store x 2']).next).toEqual([
      'a store y 3',
      'a load x 2',
    ]);
  });

  test('a load reads the newest own store, though memory holds another value', () => {
    const place = walk('TSO', program, [
      'a issue x 1',
      'a store x 1',
      'a issue x 2',
      'a issue y 3',
    ]);
    expect(place.next).toEqual(['a store x 2', 'a load x 2 early']);
  });

  test('other threads do not see buffered stores', () => {
    const two = programOf('var x thread a { x = 1; } thread b { local r; r = x; }');
    expect(walk('TSO', two, ['a issue x 1']).next).toEqual(['a store x 1', 'b load x 0']);
    expect(walk('TSO', two, ['a issue x 1', 'a store x 1']).next).toEqual(['b load x 1']);
  });

  test('a store of 0 overwrites', () => {
    const zero = programOf('var x = 5 thread a { x = 0; } thread b { local r; r = x; }');
    expect(walk('SC', zero, ['a issue x 0, a store x 0']).next).toEqual(['b load x 0']);
  });

  test('the address is taken before the load changes its register', () => {
    const own = programOf('thread a { local r; r = 1; mem[1] = 4; r = mem[r & 1]; }');
    const { state } = walk('SC', own, [
      'a local',
      'a issue mem[1] 4, a store mem[1] 4',
      'a load mem[1] 4',
    ]);
    expect(state.registers).toEqual([[4]]);
  });
});

describe('fences and rmws', () => {
  test('a fence waits for an empty own buffer, and only for the own one', () => {
    const program = programOf('var x thread a { x = 1; fence; } thread b { fence; }');
    expect(walk('TSO', program, ['a issue x 1']).next).toEqual(['a store x 1', 'b fence']);
    expect(walk('TSO', program, ['a issue x 1', 'a store x 1']).next).toEqual([
      'a fence',
      'b fence',
    ]);
    expect(walk('SC', program, ['a issue x 1, a store x 1']).next).toEqual(['a fence', 'b fence']);
  });

  test.each([
    ['r = xchg(x, 9)', 'a rmw x 5>9', 5],
    ['r = fetch_add(x, 2)', 'a rmw x 5>7', 5],
    ['r = fetch_sub(x, 2)', 'a rmw x 5>3', 5],
    ['r = fetch_and(x, 4)', 'a rmw x 5>4', 5],
    ['r = fetch_or(x, 2)', 'a rmw x 5>7', 5],
    ['r = fetch_xor(x, 4)', 'a rmw x 5>1', 5],
    ['r = fetch_max(x, 4)', 'a rmw x 5>5', 5],
    ['r = fetch_max(x, 9)', 'a rmw x 5>9', 5],
    ['r = fetch_min(x, 4)', 'a rmw x 5>4', 5],
    ['r = fetch_min(x, 9)', 'a rmw x 5>5', 5],
    ['r = cas(x, 5, 8)', 'a rmw x 5>8', 1],
    ['r = cas(x, 6, 8)', 'a rmw x 5', 0],
  ])('%s reads and writes in one action', (code, action, result) => {
    const program = programOf(`var x = 5, y thread a { local r; y = 1; ${code}; }`);
    // The instruction waits until the thread's buffer is empty.
    expect(walk('TSO', program, ['a issue y 1']).next).toEqual(['a store y 1']);
    const { state } = walk('TSO', program, ['a issue y 1', 'a store y 1', action]);
    expect(state.registers[0]).toEqual([result]);
    expect(state.buffers).toEqual([[]]);
    expect(memoryValue(state, program.symbols[0]?.base ?? -1)).toBe(
      Number(/>(\d+)/.exec(action)?.[1] ?? 5),
    );
    expect(walk('SC', program, ['a issue y 1, a store y 1']).next).toEqual([action]);
  });

  test('the result may be dropped', () => {
    const program = programOf('var x thread a { local r; fetch_add(x, 2); }');
    expect(walk('TSO', program, ['a rmw x 0>2']).state.registers).toEqual([[0]]);
  });
});

describe('the bus lock', () => {
  const program = programOf(
    `var x, y
    thread a { local r; lock; r = x; x = 1; unlock; }
    thread b { local q; y = 1; q = y; q = x; }
    thread c { local p; p = xchg(y, 2); }
    thread d { x = 3; lock; }
    thread e { lock; }`,
  );

  test('while another thread holds it: no load from memory, no flush, no rmw, no lock', () => {
    const { next } = walk('TSO', program, ['b issue y 1', 'a lock']);
    expect(next).toEqual(['a load x 0', 'b load y 1 early', 'd issue x 3']);
  });

  test('a load that hits the own buffer stays possible, a store can still be issued', () => {
    const { next } = walk('TSO', program, ['a lock', 'b issue y 1', 'd issue x 3']);
    expect(next).toEqual(['a load x 0', 'b load y 1 early']);
  });

  test('under SC a store needs the bus', () => {
    expect(walk('SC', program, ['a lock']).next).toEqual(['a load x 0']);
  });

  test('the holder goes on as usual; its unlock waits for its buffer', () => {
    const held = ['a lock', 'a load x 0', 'a issue x 1'];
    expect(walk('TSO', program, held).next).toContain('a store x 1');
    expect(walk('TSO', program, held).next).not.toContain('a unlock');
    const released = walk('TSO', program, [...held, 'a store x 1', 'a unlock']);
    expect(released.state.lockHolder).toBeUndefined();
    expect(released.next).toContain('c rmw y 0>2');
    expect(released.next).toContain('e lock');
  });

  test('a lock waits for the own buffer', () => {
    expect(walk('TSO', program, ['d issue x 3']).next).not.toContain('d lock');
    expect(walk('TSO', program, ['d issue x 3', 'd store x 3']).next).toContain('d lock');
  });

  test('nobody takes it twice, nobody releases what it does not hold', () => {
    const misused = programOf('thread a { lock; lock; } thread b { unlock; }');
    expect(walk('TSO', misused, ['a lock']).next).toEqual([]);
    expect(walk('SC', misused).next).toEqual(['a lock']);
  });
});

describe('local steps', () => {
  test('assume waits, assert only reports', () => {
    const program = programOf('thread a { local r; assert(r == 1); assume(r == 1); }');
    expect(walk('TSO', program).next).toEqual(['a local']);
    const after = walk('TSO', program, ['a local']);
    expect(after.failedAssertion).toBe(true);
    expect(after.next).toEqual([]);
  });

  test('an assert that holds is not reported', () => {
    const program = programOf('thread a { local r; assert(r == 0); }');
    expect(walk('TSO', program, ['a local']).failedAssertion).toBe(false);
  });

  test('havoc gives every value of its range', () => {
    const program = programOf('thread a { local r; havoc r in 0 - 1..1; }');
    expect(walk('SC', program).next).toEqual(['a havoc -1', 'a havoc 0', 'a havoc 1']);
    expect(walk('SC', program, ['a havoc -1']).state.registers).toEqual([[-1]]);
  });

  test('havoc gives the values that satisfy its condition, of the domain without a range', () => {
    const program = programOf('domain 0..5 thread a { local r; havoc r with r % 2 == 1; }');
    expect(walk('TSO', program).next).toEqual(['a havoc 1', 'a havoc 3', 'a havoc 5']);
  });
});

describe('faults', () => {
  test.each([
    ['stores out of the domain', 'domain 0..3 var x', 'local r = 4; x = r;', 1, 'a: domain'],
    ['an rmw out of the domain', 'domain 0..3 var x = 3', 'fetch_add(x, 1);', 0, 'a: domain'],
    ['division by zero', 'var x', 'local r, q; q = 1 / r;', 0, 'a: division-by-zero'],
    ['remainder by zero', 'var x', 'local r, q; q = 1 % r;', 0, 'a: division-by-zero'],
    ['a sum above 32 bits', 'var x', 'local r = 2147483647; r = r + 1;', 1, 'a: overflow'],
    ['a product below 32 bits', 'var x', 'local r = 65536; r = r * r * -1;', 1, 'a: overflow'],
    ['an index below the array', 'var v[2]', 'local r; v[r - 1] = 1;', 0, 'a: index'],
    ['an index above the array', 'var v[2]', 'local r, q; r = v[q + 2];', 0, 'a: index'],
    ['a choice without a range', 'var x', 'local r; havoc r;', 0, 'a: unbounded-choice'],
  ])('%s', (_what, declarations, code, locals, fault) => {
    const program = programOf(`${declarations} thread a { ${code} }`);
    for (const model of ['SC', 'TSO'] as const) {
      const place = walk(model, program, Array<string>(locals).fill('a local'));
      expect(place.faults).toEqual([fault]);
      expect(place.next).toEqual([]);
    }
  });

  test('a failing cas writes nothing, so it leaves no domain', () => {
    const program = programOf('domain 0..3 var x thread a { local r = 9, q; q = cas(x, 1, r); }');
    expect(walk('TSO', program, ['a local']).next).toEqual(['a rmw x 0']);
  });

  test('a fault of one thread does not stop the others', () => {
    const program = programOf(
      'var x thread a { local r, q; q = 1 / r; } thread b { local r; r = x; }',
    );
    expect(walk('TSO', program)).toMatchObject({
      faults: ['a: division-by-zero'],
      next: ['b load x 0'],
    });
  });
});

describe('final states', () => {
  const program = programOf('var x thread a { x = 1; } thread b { skip; }');
  const final = (steps: readonly string[]): boolean =>
    isFinal(compileProgram(program), walk('TSO', program, steps).state);

  test('have ended threads and empty buffers', () => {
    expect(final(['b local', 'a issue x 1'])).toBe(false);
    expect(final(['a issue x 1', 'a store x 1'])).toBe(false);
    expect(final(['b local', 'a issue x 1', 'a store x 1'])).toBe(true);
  });
});
