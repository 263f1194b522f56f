import { describe, expect, it } from 'vitest';
import { listBody, parseBody } from './listing.js';

/** Returns the expression assigned to the register r. */
function expressionOf(text: string): unknown {
  const { threads } = parseBody(`local r, s; r = ${text};`);
  const { instruction } = threads[0]!.transitions[0]!;
  return instruction.kind === 'assign' ? instruction.value : instruction;
}

/** Returns the expression with all parentheses. */
function parenthesised(text: string): string {
  const show = (node: unknown): string => {
    const e = node as Record<string, unknown>;
    switch (e.kind) {
      case 'constant':
        return String(e.value);
      case 'register':
        return e.register === 0 ? 'r' : 's';
      case 'unary':
        return `(${String(e.operator)}${show(e.operand)})`;
      default:
        return `(${show(e.left)} ${String(e.operator)} ${show(e.right)})`;
    }
  };
  return show(expressionOf(text));
}

describe('expressions', () => {
  it("has C's precedence and associativity", () => {
    expect(parenthesised('r - s - r')).toBe('((r - s) - r)');
    expect(parenthesised('r + s * r')).toBe('(r + (s * r))');
    expect(parenthesised('r * s + r % s / r')).toBe('((r * s) + ((r % s) / r))');
    expect(parenthesised('r << s + 1')).toBe('(r << (s + 1))');
    expect(parenthesised('r < s == s > r')).toBe('((r < s) == (s > r))');
    expect(parenthesised('r & s == 1')).toBe('(r & (s == 1))');
    expect(parenthesised('r | s ^ r & s')).toBe('(r | (s ^ (r & s)))');
    expect(parenthesised('r || s && r | s')).toBe('(r || (s && (r | s)))');
    expect(parenthesised('r <= s >> 1 != s >= r')).toBe('((r <= (s >> 1)) != (s >= r))');
    expect(parenthesised('-r + ~s - !r')).toBe('(((-r) + (~s)) - (!r))');
    expect(parenthesised('- - r * +s')).toBe('((-(-r)) * s)');
    expect(parenthesised('(r - (s - r))')).toBe('(r - (s - r))');
    expect(parenthesised('r<-1')).toBe('(r < -1)');
    expect(parenthesised('r<-s*2')).toBe('(r < ((-s) * 2))');
  });

  it('has operators that wrap, which bind like those that do not', () => {
    expect(parenthesised('r +% s *% r -% 1')).toBe('((r +% (s *% r)) -% 1)');
    expect(parenthesised('r /% s %% r * s')).toBe('(((r /% s) %% r) * s)');
    expect(parenthesised('r <<% s +% 1 >>% 2')).toBe('((r <<% (s +% 1)) >>% 2)');
    expect(parenthesised('r <% s == s >=% r')).toBe('((r <% s) == (s >=% r))');
    expect(parenthesised('r <=% s & r >% 1')).toBe('((r <=% s) & (r >% 1))');
    expect(parenthesised('r-%-s')).toBe('(r -% (-s))');
    expect(parenthesised('r%%s%r')).toBe('((r %% s) % r)');
    expect(parenthesised('r<%s')).toBe('(r <% s)');
    expect(parenthesised('r<<%s>>%r')).toBe('((r <<% s) >>% r)');
  });

  it('converts to 8 and 16 bits', () => {
    expect(parenthesised('u8(r) + -i16(s + 1)')).toBe('((u8r) + (-(i16(s + 1))))');
    expect(parenthesised('i8(200)')).toBe('-56');
    expect(parenthesised('u16(0 -% 1) +% 1')).toBe('65536');
    expect(parenthesised('2147483647 +% 1')).toBe('-2147483648');
    expect(parenthesised('1 /% -1 + (-1 /% 2)')).toBe('2147483647');
    // The names are no keywords.
    expect(parseBody('local u8, i8; u8 = i8; i8 = u8(u8);').threads[0]!.transitions).toHaveLength(
      2,
    );
  });

  it('reads numbers', () => {
    const value = (text: string) => expressionOf(text);
    expect(value('0x1F')).toEqual({ kind: 'constant', value: 31 });
    expect(value('2147483647')).toEqual({ kind: 'constant', value: 2147483647 });
    expect(value('-2147483648')).toEqual({ kind: 'constant', value: -2147483648 });
    expect(value('-0')).toEqual({ kind: 'constant', value: 0 });
    expect(value('true')).toEqual({ kind: 'constant', value: 1 });
    expect(value('false')).toEqual({ kind: 'constant', value: 0 });
  });

  it('computes with constants at once', () => {
    expect(parenthesised('2 + 3 * 4')).toBe('14');
    expect(parenthesised('7 / -2')).toBe('-3');
    expect(parenthesised('-7 % 4')).toBe('-3');
    expect(parenthesised('r + (1 << 4)')).toBe('(r + 16)');
    expect(parenthesised('1 || r')).toBe('1');
    expect(parenthesised('0 && r')).toBe('0');
    expect(parenthesised('!5')).toBe('0');
  });

  it('loads from left to right, one load for each occurrence', () => {
    expect(listBody('local r;', 'r = x + y * x;')).toEqual([
      'L5: h1 = x -> L5b',
      'L5b: h2 = y -> L5c',
      'L5c: h3 = x -> L5d',
      'L5d: r = h1 + h2 * h3 -> L6',
    ]);
  });

  it('follows pointers', () => {
    expect(listBody('x = mem[mem[p] + 1];')).toEqual([
      'L4: h1 = p -> L4b',
      'L4b: h2 = mem[h1] -> L4c',
      'L4c: h3 = mem[h2 + 1] -> L4d',
      'L4d: x = h3 -> L5',
    ]);
  });

  it('decides || from the left, without a load that C would not do', () => {
    expect(listBody('if (x == 1 || y == 2) z = 1;')).toEqual([
      'L4: h1 = x -> L4b',
      'L4b: assume(h1 == 1) -> L4c',
      'L4b: assume(h1 != 1) -> L4d',
      'L4d: h1 = y -> L4e',
      'L4e: assume(h1 == 2) -> L4c',
      'L4e: assume(h1 != 2) -> L5',
      'L4c: z = 1 -> L5',
    ]);
  });

  it('turns the branches round under !', () => {
    expect(listBody('while (!(x == 1 && y == 2)) { }')).toEqual([
      'L4: h1 = x -> L4b',
      'L4b: assume(h1 == 1) -> L4c',
      'L4b: assume(h1 != 1) -> L4',
      'L4c: h1 = y -> L4d',
      'L4d: assume(h1 == 2) -> L5',
      'L4d: assume(h1 != 2) -> L4',
    ]);
  });

  it('needs no branch when what may be left out reads no memory', () => {
    expect(listBody('local r;', 'if (x == 1 && r == 2) z = 1;')).toEqual([
      'L5: h1 = x -> L5b',
      'L5b: assume(h1 == 1 && r == 2) -> L5c',
      'L5b: assume(!(h1 == 1 && r == 2)) -> L6',
      'L5c: z = 1 -> L6',
    ]);
  });

  it('branches in values too, directly into the register where it can', () => {
    expect(listBody('local r;', 'r = x == 1 && y;')).toEqual([
      'L5: h1 = x -> L5b',
      'L5b: assume(h1 == 1) -> L5c',
      'L5b: assume(h1 != 1) -> L5d',
      'L5c: h1 = y -> L5e',
      'L5e: assume(h1) -> L5f',
      'L5e: assume(!h1) -> L5d',
      'L5f: r = 1 -> L6',
      'L5d: r = 0 -> L6',
    ]);
    expect(listBody('z = x + (x || y);')).toEqual([
      'L4: h1 = x -> L4b',
      'L4b: h2 = x -> L4c',
      'L4c: assume(h2) -> L4d',
      'L4c: assume(!h2) -> L4e',
      'L4e: h2 = y -> L4f',
      'L4f: assume(h2) -> L4d',
      'L4f: assume(!h2) -> L4g',
      'L4d: h2 = 1 -> L4h',
      'L4g: h2 = 0 -> L4h',
      'L4h: z = h1 + h2 -> L5',
    ]);
  });
});
