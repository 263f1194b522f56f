import { describe, expect, it } from 'vitest';
import type { Expression } from '@fencewright/model/program/expression.js';
import { listing, parseGood } from './listing.js';

/** The instructions of an automaton with the registers r, s, given the text of each. */
function instructionsOf(...texts: readonly string[]): readonly unknown[] {
  const lines = texts.map((text, i) => `l${i}: ${text}; goto l${i + 1};`);
  const program = parseGood(
    `program P\nvar x, y, a[2]\nthread t regs r s init l0 begin\n${lines.join('\n')}\nend`,
  );
  return program.threads[0]!.transitions.map(({ instruction }) => instruction);
}

const r: Expression = { kind: 'register', register: 0 };
const s: Expression = { kind: 'register', register: 1 };
const x: Expression = { kind: 'address', symbol: 0 };
const one: Expression = { kind: 'constant', value: 1 };

describe('the form of [BDM13] Fig. 1', () => {
  it('reads Figure 2 as printed, but for the declaration of x and y', () => {
    const program = parseGood(`program Dekker
var x, y

thread t1 regs r1 init l0 begin

l0: mem[x] ← 1; goto l1;
l1: r1 ← mem[y]; goto l2;
end

thread t2 regs r2 init l′0 begin

l′0: mem[y] ← 1; goto l′1;
l′1: r2 ← mem[x]; goto l′2;
end
`);
    expect(program).toMatchObject({
      name: 'Dekker',
      symbols: [
        { name: 'x', base: 1, length: 1, isArray: false, initial: [0] },
        { name: 'y', base: 2, length: 1, isArray: false, initial: [0] },
      ],
      properties: [],
    });
    expect(program.threads.map(({ name }) => name)).toEqual(['t1', 't2']);
    expect(listing(program, 0)).toEqual(['l0: x = 1 -> l1', 'l1: r1 = y -> l2']);
    expect(listing(program, 1)).toEqual(["l'0: y = 1 -> l'1", "l'1: r2 = x -> l'2"]);
    expect(program.threads[1]!.registers).toEqual([{ name: 'r2', hidden: false }]);
    expect(program.threads[1]!.locations.map(({ name, hidden }) => [name, hidden])).toEqual([
      ["l'0", false],
      ["l'1", false],
      ["l'2", false],
    ]);
    expect(program.threads[1]!.transitions[0]!.origin.span).toEqual({
      start: { line: 11, column: 5 },
      end: { line: 11, column: 15 },
    });
  });

  it('reads stores and loads; a bare name is an address', () => {
    expect(
      instructionsOf(
        'mem[x] <- 1',
        'x <- r',
        'a[r] <- s',
        'mem[a[r]] <- s',
        'mem[a + 1] <- s',
        'mem[r] <- x',
        'r <- mem[x]',
        'r <- mem[s + 1]',
        'r <- mem[5]',
      ),
    ).toEqual([
      { kind: 'store', address: x, value: one },
      { kind: 'store', address: x, value: r },
      { kind: 'store', address: { kind: 'element', symbol: 2, index: r }, value: s },
      { kind: 'store', address: { kind: 'element', symbol: 2, index: r }, value: s },
      {
        kind: 'store',
        address: {
          kind: 'binary',
          operator: '+',
          left: { kind: 'address', symbol: 2 },
          right: one,
        },
        value: s,
      },
      { kind: 'store', address: r, value: x },
      { kind: 'load', into: 0, address: x },
      { kind: 'load', into: 0, address: { kind: 'binary', operator: '+', left: s, right: one } },
      { kind: 'load', into: 0, address: { kind: 'constant', value: 5 } },
    ]);
  });

  it('reads register instructions; nothing is computed before the program runs', () => {
    expect(
      instructionsOf('r <- 1 + 1', 'r <- -1', 'r <- -(1)', 'r <- &x', 'r <- &a[1]', 'r <- r<-1'),
    ).toEqual([
      { kind: 'assign', into: 0, value: { kind: 'binary', operator: '+', left: one, right: one } },
      { kind: 'assign', into: 0, value: { kind: 'constant', value: -1 } },
      { kind: 'assign', into: 0, value: { kind: 'unary', operator: '-', operand: one } },
      { kind: 'assign', into: 0, value: x },
      { kind: 'assign', into: 0, value: { kind: 'element', symbol: 2, index: one } },
      {
        kind: 'assign',
        into: 0,
        value: {
          kind: 'binary',
          operator: '<',
          left: r,
          right: { kind: 'constant', value: -1 },
        },
      },
    ]);
  });

  it('reads conditions: assert blocks as in the paper, check does not', () => {
    expect(instructionsOf('assert r == s', 'assume (r)', 'check r', 'assume r == x')).toEqual([
      { kind: 'assume', condition: { kind: 'binary', operator: '==', left: r, right: s } },
      { kind: 'assume', condition: r },
      { kind: 'assert', condition: r },
      { kind: 'assume', condition: { kind: 'binary', operator: '==', left: r, right: x } },
    ]);
  });

  it('reads fences, locks and skip', () => {
    expect(instructionsOf('mfence', 'fence', 'lock', 'unlock', 'skip')).toEqual([
      { kind: 'fence' },
      { kind: 'fence' },
      { kind: 'lock' },
      { kind: 'unlock' },
      { kind: 'skip' },
    ]);
  });

  it('reads read-modify-writes', () => {
    const xchg = { name: 'xchg', operands: [s] };
    expect(
      instructionsOf(
        'r <- xchg(mem[x], s)',
        'r <- cas(mem[r], 1, s)',
        'r <- fetch_add(mem[a[1]], 1)',
        'fetch_sub(mem[x], s)',
        'xchg(x, s)',
        'xchg(a[r], s)',
      ),
    ).toEqual([
      { kind: 'rmw', into: 0, address: x, operation: xchg },
      { kind: 'rmw', into: 0, address: r, operation: { name: 'cas', operands: [one, s] } },
      {
        kind: 'rmw',
        into: 0,
        address: { kind: 'element', symbol: 2, index: one },
        operation: { name: 'fetch_add', operands: [one] },
      },
      { kind: 'rmw', address: x, operation: { name: 'fetch_sub', operands: [s] } },
      { kind: 'rmw', address: x, operation: xchg },
      { kind: 'rmw', address: { kind: 'element', symbol: 2, index: r }, operation: xchg },
    ]);
  });

  it('reads havoc', () => {
    const range = { low: -1, high: 3 };
    const where = { kind: 'binary', operator: '<=', left: r, right: s };
    expect(
      instructionsOf(
        'havoc r',
        'havoc r in -1..3',
        'havoc r with r <= s',
        'havoc r in -1..1+2 with r <= s',
      ),
    ).toEqual([
      { kind: 'havoc', into: 0 },
      { kind: 'havoc', into: 0, range },
      { kind: 'havoc', into: 0, where },
      { kind: 'havoc', into: 0, range, where },
    ]);
  });

  it('lets several instructions carry one label, and annotations stand before them', () => {
    const program = parseGood(`program P
var x
const five = 5
thread t regs r, s init start begin
  start: assume r == 1; goto stop;
  start: @cost(five) @nofence mem[x] <- 1; goto start;
  other: skip; goto start;
end
property p: never (t @ stop)`);
    const [thread] = program.threads;
    expect(listing(program)).toEqual([
      'start: assume(r == 1) -> stop',
      'start: x = 1 -> start',
      'other: skip -> start',
    ]);
    expect(thread!.initial).toBe(0);
    expect(thread!.registers.map(({ name }) => name)).toEqual(['r', 's']);
    expect(thread!.transitions[1]).toMatchObject({ cost: 5, nofence: true });
    expect(thread!.transitions[0]).not.toHaveProperty('cost');
    expect(program.properties[0]!.condition).toEqual({ kind: 'at', thread: 0, location: 1 });
  });

  it('reads a thread without instructions or registers', () => {
    const { threads } = parseGood('program P thread t init l begin end');
    expect(threads[0]).toMatchObject({
      registers: [],
      locations: [{ name: 'l', hidden: false }],
      initial: 0,
      transitions: [],
    });
  });
});
