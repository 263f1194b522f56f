import { describe, expect, it } from 'vitest';
import { parseGood } from './listing.js';

describe('declarations', () => {
  it('gives shared variables consecutive addresses from 1 on', () => {
    const { symbols } = parseGood(`program P
const N = 2, M = N * (N + 1)
var flag[N], turn, data = 7
var a[M] = {1, -2, N,}, p = &a[1], q = &turn;`);
    expect(symbols).toEqual([
      { name: 'flag', base: 1, length: 2, isArray: true, initial: [0, 0] },
      { name: 'turn', base: 3, length: 1, isArray: false, initial: [0] },
      { name: 'data', base: 4, length: 1, isArray: false, initial: [7] },
      { name: 'a', base: 5, length: 6, isArray: true, initial: [1, -2, 2, 0, 0, 0] },
      { name: 'p', base: 11, length: 1, isArray: false, initial: [6] },
      { name: 'q', base: 12, length: 1, isArray: false, initial: [3] },
    ]);
  });

  it('puts variables at given addresses; the next one follows', () => {
    const { symbols } = parseGood('program P var x @ 0, y, a[3] @ 0x10 = {1}, z, w @ -5');
    expect(symbols.map(({ name, base }) => [name, base])).toEqual([
      ['x', 0],
      ['y', 1],
      ['a', 16],
      ['z', 19],
      ['w', -5],
    ]);
  });

  it('reads the domain', () => {
    expect(parseGood('program P\ndomain 0..15').domain).toEqual({ low: 0, high: 15 });
    expect(parseGood('program P\nconst N = 3 domain -N..N*2;').domain).toEqual({
      low: -3,
      high: 6,
    });
    expect(parseGood('program P')).not.toHaveProperty('domain');
  });

  it('reads declarations in any order, and comments', () => {
    const program = parseGood(`/* first */ program P // the name
property p: never (x == N) /* ** / */
thread t { x = N; }
const N = 1
var x`);
    expect(program.properties).toHaveLength(1);
    expect(program.threads[0]!.transitions[0]!.instruction).toEqual({
      kind: 'store',
      address: { kind: 'address', symbol: 0 },
      value: { kind: 'constant', value: 1 },
    });
  });
});

describe('properties', () => {
  const text = `program P
const N = 1
var x, a[2]
thread t { local r; cs: r = x; }
thread u regs q init l0 begin l0: q <- mem[x]; goto l1; end
property `;

  it('speaks about positions, registers, memory and ends', () => {
    const { properties } = parseGood(
      `${text}p: never (t @ cs && !u @ l1 || t.r + u.q == x - a[N] && ended(u) && mem[7] != &a[1] + N)`,
    );
    expect(properties).toHaveLength(1);
    expect(properties[0]).toMatchObject({ name: 'p', kind: 'never' });
    const binary = (operator: string, left: unknown, right: unknown) => ({
      kind: 'binary',
      operator,
      left,
      right,
    });
    expect(properties[0]!.condition).toEqual(
      binary(
        '||',
        binary(
          '&&',
          { kind: 'at', thread: 0, location: 0 },
          { kind: 'unary', operator: '!', operand: { kind: 'at', thread: 1, location: 1 } },
        ),
        binary(
          '&&',
          binary(
            '&&',
            binary(
              '==',
              binary(
                '+',
                { kind: 'register', thread: 0, register: 0 },
                { kind: 'register', thread: 1, register: 0 },
              ),
              binary('-', { kind: 'memory', address: 1 }, { kind: 'memory', address: 3 }),
            ),
            { kind: 'ended', thread: 1 },
          ),
          binary(
            '!=',
            { kind: 'memory', address: 7 },
            binary('+', { kind: 'constant', value: 3 }, { kind: 'constant', value: 1 }),
          ),
        ),
      ),
    );
  });

  it('has three kinds', () => {
    const kinds = parseGood(
      `${text}p: never (true) property q: finally (x == 0); property r: exists (t.r == 1)`,
    ).properties.map(({ name, kind, condition }) => [name, kind, condition.kind]);
    expect(kinds).toEqual([
      ['p', 'never', 'constant'],
      ['q', 'finally', 'binary'],
      ['r', 'exists', 'binary'],
    ]);
  });
});
