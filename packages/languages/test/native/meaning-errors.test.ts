import { describe, expect, it } from 'vitest';
import { parseNative } from '@fencewright/core/native';
import { errorsOf, errorsOfBody } from './listing.js';

describe('names', () => {
  it('gives the nearest name as a hint, and the place', () => {
    expect(errorsOf('program P\nvar turn\nthread t {\n  trun = 1;\n  tur = 1;\n}')).toEqual([
      "FW1002 4:3 no variable is named 'trun' (did you mean 'turn'?)",
      "FW1002 5:3 no variable is named 'tur' (did you mean 'turn'?)",
    ]);
    expect(errorsOfBody('r = zzz + 1; goto away; here: skip; goto hree;')).toEqual([
      "FW1002 4:5 no variable is named 'zzz' (declare it first: 'local zzz;' in the thread, or 'var zzz' for all threads)",
      "FW1002 4:19 no label is named 'away' (write 'away:' before the statement that is meant)",
      "FW1002 4:42 no label is named 'hree' (did you mean 'here'?)",
    ]);
    expect(errorsOfBody('r = fetch_ad(x, 1); swap(x, 1);')).toEqual([
      "FW1002 4:5 no operation is named 'fetch_ad' (did you mean 'fetch_add'?)",
      "FW1002 4:21 no operation is named 'swap' (write xchg(x, value))",
    ]);
    expect(errorsOfBody('havoc q in 0..1; @cst(1) skip;')).toEqual([
      "FW1002 4:7 no register is named 'q' (declare the register first)",
      "FW1002 4:18 no annotation is named 'cst' (did you mean 'cost'?)",
    ]);
  });

  it('refuses names that are declared twice', () => {
    expect(
      errorsOf(`program P
const N = 1, N = 2
var x, N, x
thread t { local x, r, r; a: skip; a: skip; }
thread t { local N; }
thread u regs x q q init l begin end
property p: never (0)
property p: never (1)`),
    ).toEqual([
      "FW1003 2:14 name 'N' is declared twice (first declared in line 2; rename one of them)",
      "FW1003 3:8 name 'N' is declared twice (first declared in line 2; rename one of them)",
      "FW1003 3:11 name 'x' is declared twice (first declared in line 3; rename one of them)",
      "FW1003 4:18 name 'x' is declared twice (first declared in line 3; rename one of them)",
      "FW1003 4:24 name 'r' is declared twice (first declared in line 4; rename one of them)",
      "FW1003 4:36 label 'a' is declared twice (first declared in line 4; rename one of them)",
      "FW1003 5:8 thread 't' is declared twice (first declared in line 4; rename one of them)",
      "FW1003 5:18 name 'N' is declared twice (first declared in line 2; rename one of them)",
      "FW1003 6:15 name 'x' is declared twice (first declared in line 3; rename one of them)",
      "FW1003 6:19 name 'q' is declared twice (first declared in line 6; rename one of them)",
      "FW1003 8:10 property 'p' is declared twice (first declared in line 7; rename one of them)",
    ]);
  });

  it('keeps self for threads with copies', () => {
    const hint = '(write the number of copies: thread t[2] { ... })';
    expect(errorsOfBody('x = self;')).toEqual([
      `FW1010 4:5 'self' stands in a thread without copies ${hint}`,
    ]);
    expect(errorsOf('program P\nvar self\nthread t { local self; }')).toEqual([
      "FW1010 2:5 'self' is the number of a thread's copy (take another name)",
      "FW1010 3:18 'self' is the number of a thread's copy (take another name)",
    ]);
  });
});

describe('operands', () => {
  it('tells arrays, scalars, registers and constants apart', () => {
    expect(
      errorsOf(`program P
const N = 1
var x, a[2]
thread t { local r;
r = a;
r = x[0];
r = r[0];
r = N[0];
a = 1;
x[0] = 1;
r[0] = 1;
N = 1;
r = &r;
r = &N;
r = &a + 1;
xchg(r, 1);
}`),
    ).toEqual([
      "FW1011 5:5 'a' is an array (name one of its cells: a[0])",
      "FW1011 6:5 'x' is not an array (write x without an index)",
      "FW1011 7:5 'r' is not an array (only shared variables can be arrays)",
      "FW1011 8:5 'N' is not an array (only shared variables can be arrays)",
      "FW1011 9:1 'a' is an array (name one of its cells: a[0])",
      "FW1011 10:1 'x' is not an array (write x without an index)",
      "FW1011 11:1 'r' is not an array (only shared variables can be arrays)",
      "FW1011 12:1 'N' is a constant (declare it with 'var' or 'local' to change it)",
      "FW1011 13:5 'r' is a register and has no address (use a shared variable, declared with var)",
      "FW1011 14:5 'N' is a constant and has no address (use a shared variable, declared with var)",
      "FW1011 16:6 'r' is a register and has no address (use a shared variable, declared with var)",
    ]);
  });

  it('counts the operands of conversions, and knows their constant divisors', () => {
    expect(errorsOfBody('r = u8(); r = i16(r, 1); r = r /% 0; r = r %% u8(256);')).toEqual([
      'FW1011 4:5 u8 takes 1 operand, not 0 (write u8(e))',
      'FW1011 4:15 i16 takes 1 operand, not 2 (write i16(e))',
      'FW1006 4:35 division by zero (the divisor is the constant 0)',
      'FW1006 4:47 division by zero (the divisor is the constant 0)',
    ]);
    expect(errorsOfBody('u8(r);')).toHaveLength(1);
  });

  it('counts the operands of operations', () => {
    expect(errorsOfBody('xchg(x); r = cas(x, 1); fetch_or(1, 2);')).toEqual([
      'FW1011 4:1 xchg takes 2 operands, not 1 (write xchg(x, value))',
      'FW1011 4:14 cas takes 3 operands, not 2 (write cas(x, old, new))',
      'FW1011 4:34 the first operand of fetch_or is a shared variable (write fetch_or(x, operand))',
    ]);
  });

  it('lets only cas and xchg be weak', () => {
    const hint =
      '(only cas (giving 0) and xchg (giving the value to be stored) may fail without effect)';
    const message = 'cannot be weak: the operation never fails and returns the value of the cell';
    expect(errorsOfBody('r = weak_fetch_add(x, 1); weak_fetch_or(a[1], 1);')).toEqual([
      `FW1016 4:5 fetch_add ${message} ${hint}`,
      `FW1016 4:27 fetch_or ${message} ${hint}`,
    ]);
    expect(errorsOfBody('r = weak_swap(x, 1); weak_cas(x, 1); weak_xchg(1, 2);')).toEqual([
      "FW1002 4:5 no operation is named 'weak_swap' (write xchg(x, value))",
      'FW1011 4:22 weak_cas takes 3 operands, not 2 (write weak_cas(x, old, new))',
      'FW1011 4:48 the first operand of weak_xchg is a shared variable (write weak_xchg(x, value))',
    ]);
    expect(
      errorsOf(`program P var x
thread t regs r init l begin
  l: r <- weak_fetch_sub(mem[x], 1); goto m;
end`),
    ).toEqual([`FW1016 3:11 fetch_sub ${message} ${hint}`]);
  });

  it('lets assume read only registers', () => {
    const hint = '(load it into a register first, or wait in a loop: while (!(...)) { })';
    expect(errorsOfBody('assume(r == x || a[1] || mem[r]);')).toEqual([
      `FW1011 4:13 'assume' reads only registers, and 'x' is shared ${hint}`,
      `FW1011 4:18 'assume' reads only registers, and 'a' is shared ${hint}`,
      `FW1011 4:26 'assume' reads only registers, and mem[...] is shared ${hint}`,
    ]);
    expect(errorsOfBody('assume(cas(x, 0, 1));')).toEqual([
      `FW1011 4:8 'assume' reads only registers, and the operand of cas is shared ${hint}`,
    ]);
  });

  it('lets havoc read one shared variable, at an address known before', () => {
    expect(errorsOfBody('havoc r with r == x + y;')).toEqual([
      'FW1011 4:23 the condition of havoc reads more than one shared variable (load the cell into a register first)',
    ]);
    expect(errorsOfBody('havoc r with a[r] == 1;')).toEqual([
      'FW1011 4:14 the cell that the condition reads depends on the value of havoc (load the cell into a register first)',
    ]);
    expect(errorsOfBody('havoc r with cas(x, 0, 1); havoc r in 3..1; havoc r in 0..x;')).toEqual([
      "FW1011 4:14 cas(...) cannot be part of havoc's condition (store the result in a register first)",
      'FW1011 4:39 the range 3..1 is empty (write the smaller number first)',
      "FW1011 4:59 a constant is needed here (use numbers and 'const' names)",
    ]);
  });

  it('reads thread states only in properties', () => {
    const message = 'only properties can read the state of a thread';
    const hint = '(a thread reads its own registers and shared variables)';
    expect(errorsOfBody('r = t.r; if (t @ here) { }')).toEqual([
      `FW1010 4:5 ${message} ${hint}`,
      `FW1010 4:14 ${message} ${hint}`,
    ]);
  });
});

describe('numbers', () => {
  it('checks constant divisors, indices, sizes and the domain', () => {
    expect(
      errorsOf(`program P
const N = 1 / 0, M = 2147483647 + 1, K = -2147483649
domain -1..3
var x = 4, a[2] = {1, 2, 3}, b[0], c[70000], d = {1}, e[2] = 1
thread t { local r;
r = r / 0;
r = r % (1 - 1);
r = 1 << 32;
r = 0xffffffff;
r = a[2] + a[-1];
a[1 + 1] = 0;
x = 4;
x = 2 * 2;
x = r + 4;
xchg(x, -2); r = cas(x, 9, 9); fetch_add(x, 9);
r = 9;
}
domain 0..1`),
    ).toEqual([
      'FW1006 2:11 division by zero (the divisor is the constant 0)',
      'FW1007 2:22 the result does not fit in 32 bits (use -2147483648 to 2147483647)',
      'FW1007 2:43 -2147483649 does not fit in 32 bits (use -2147483648 to 2147483647)',
      'FW1009 4:9 4 lies outside the domain -1..3 (widen the domain)',
      "FW1008 4:26 index 2 is outside 'a' ('a' has 2 cells, numbered from 0)",
      "FW1011 4:32 'b' has 0 cells (an array has 1 to 65536 cells)",
      "FW1011 4:38 'c' has 70000 cells (an array has 1 to 65536 cells)",
      "FW1011 4:50 'd' is not an array (write d[1] = {...}, or a single value)",
      "FW1011 4:62 'e' is an array (give the values of its cells in braces: {1, 2})",
      'FW1006 6:9 division by zero (the divisor is the constant 0)',
      'FW1006 7:10 division by zero (the divisor is the constant 0)',
      'FW1007 8:5 the result does not fit in 32 bits (use -2147483648 to 2147483647)',
      'FW1007 9:5 0xffffffff does not fit in 32 bits (use -2147483648 to 2147483647)',
      "FW1008 10:7 index 2 is outside 'a' ('a' has 2 cells, numbered from 0)",
      "FW1008 10:14 index -1 is outside 'a' ('a' has 2 cells, numbered from 0)",
      "FW1008 11:3 index 2 is outside 'a' ('a' has 2 cells, numbered from 0)",
      'FW1009 12:5 4 lies outside the domain -1..3 (widen the domain)',
      'FW1009 13:5 4 lies outside the domain -1..3 (widen the domain)',
      'FW1009 15:9 -2 lies outside the domain -1..3 (widen the domain)',
      'FW1009 15:28 9 lies outside the domain -1..3 (widen the domain)',
      'FW1010 18:1 the domain is declared twice (remove one of the declarations)',
    ]);
    expect(errorsOf('program P\ndomain 1..2\nvar x, y = 1, a[2] = {1}')).toEqual([
      'FW1009 3:5 0 lies outside the domain 1..2 (widen the domain)',
      'FW1009 3:15 0 lies outside the domain 1..2 (widen the domain)',
    ]);
    expect(errorsOf('program P\ndomain 2..1\nvar a[2] @ 5, b @ 4, c, d @ 2147483647, e')).toEqual([
      'FW1011 2:1 the range 2..1 is empty (write the smaller number first)',
      "FW1011 3:22 'c' and 'a' overlap in memory (give another address)",
      "FW1007 3:41 the address of 'e' does not fit in 32 bits (use -2147483648 to 2147483647)",
    ]);
  });
});

describe('places', () => {
  it('keeps jumps inside of loops and atomic blocks', () => {
    const hint = '(end the block first: otherwise the bus lock stays held)';
    expect(errorsOfBody('break; continue;')).toEqual([
      "FW1010 4:1 'break' stands outside of a loop (use goto, or a loop)",
      "FW1010 4:8 'continue' stands outside of a loop (use goto, or a loop)",
    ]);
    expect(
      errorsOfBody(
        'while (1) { atomic {\nbreak;\ncontinue;\ngoto out;\nin_: skip;\n} } out: goto in_;',
      ),
    ).toEqual([
      `FW1010 5:1 'break' leads out of an atomic block ${hint}`,
      `FW1010 6:1 'continue' leads out of an atomic block ${hint}`,
      `FW1010 7:1 'goto' leads out of an atomic block ${hint}`,
      "FW1010 9:10 'goto' leads into an atomic block (jump to its start)",
    ]);
    expect(errorsOfBody('atomic { while (1) { break; } goto l; l: skip; }')).toEqual([]);
    expect(errorsOfBody('atomic { atomic { } lock; unlock; }')).toEqual([
      'FW1010 4:10 an atomic block inside of an atomic block (remove the inner block)',
      "FW1010 4:21 'lock' stands inside of an atomic block (the block takes and releases the bus lock itself)",
      "FW1010 4:27 'unlock' stands inside of an atomic block (the block takes and releases the bus lock itself)",
    ]);
  });

  it('wants positive costs', () => {
    expect(errorsOfBody('@cost(0) skip; @cost skip; @nofence(1) skip;')).toEqual([
      'FW1011 4:7 a fence cannot cost 0 (write a positive number: @cost(5), @cost(0.5))',
      'FW1011 4:16 @cost needs a value (write a positive number: @cost(5), @cost(0.5))',
      'FW1011 4:28 @nofence takes no value (write @nofence)',
    ]);
  });

  it('wants decimals of costs that are written exactly, and of nothing else', () => {
    const hint = '(write at most nine digits, a point, and at most six digits: 0.5)';
    expect(errorsOfBody('@cost(0.5) skip; @cost(123456789.000001) skip;')).toEqual([]);
    expect(errorsOfBody('@cost(0.0) skip; @cost(1.2345678) skip; @cost(0x1.5) skip;')).toEqual([
      'FW1011 4:7 a fence cannot cost 0 (write a positive number: @cost(5), @cost(0.5))',
      `FW1011 4:24 '1.2345678' is not a cost ${hint}`,
      `FW1011 4:47 '0x1.5' is not a cost ${hint}`,
    ]);
    expect(errorsOfBody('@nofence(0.5) skip;')).toEqual([
      'FW1011 4:1 @nofence takes no value (write @nofence)',
    ]);
    expect(errorsOfBody('r = 0.5;')).not.toEqual([]);
  });
});

describe('the automaton form', () => {
  const errorsOfInstruction = (text: string) =>
    errorsOf(`program P\nvar x, a[2]\nthread t regs r init l begin\n  l: ${text}; goto l;\nend`);

  it('refuses what could be misread', () => {
    expect(errorsOfInstruction('r <- x')).toEqual([
      "FW1011 4:11 'x' is a shared variable: say whether its value or its address is meant (write mem[x] for the value, &x for the address)",
    ]);
    expect(errorsOfInstruction('r <- a[1]')).toEqual([
      "FW1011 4:11 'a' is a shared variable: say whether its value or its address is meant (write mem[a[...]] for the value, &a[...] for the address)",
    ]);
    expect(errorsOfInstruction('assume x == 0')).toEqual([
      "FW1011 4:13 'x' means its address here, and the condition reads no register (load the variable first: r <- mem[x]; or write &x if the address is meant)",
    ]);
    expect(errorsOfInstruction('assume &x == 1')).toEqual([]);
  });

  it('keeps memory out of expressions', () => {
    expect(errorsOfInstruction('r <- mem[x] + 1')).toEqual([
      'FW1011 4:11 expressions in the automaton form cannot read memory (load the cell first: r <- mem[e])',
    ]);
    expect(errorsOfInstruction('mem[mem[r]] <- 1')).toEqual([
      'FW1011 4:10 expressions in the automaton form cannot read memory (load the cell first: r <- mem[e])',
    ]);
    expect(errorsOfInstruction('r <- 1 + xchg(mem[x], 1)')).toEqual([
      'FW1011 4:15 xchg(...) cannot be part of an expression (store the result in a register first: r <- xchg(...))',
    ]);
  });

  it('checks names and constants', () => {
    expect(errorsOfInstruction('q <- 1')).toEqual([
      "FW1002 4:6 no register is named 'q' (declare the register first)",
    ]);
    expect(errorsOfInstruction('r <- r / 0')).toEqual([
      'FW1006 4:15 division by zero (the divisor is the constant 0)',
    ]);
    expect(errorsOfInstruction('mem[a[2]] <- 1')).toEqual([
      "FW1008 4:12 index 2 is outside 'a' ('a' has 2 cells, numbered from 0)",
    ]);
    expect(errorsOfInstruction('havoc q')).toEqual([
      "FW1002 4:12 no register is named 'q' (declare the register first)",
    ]);
    expect(errorsOfInstruction('swap(x, 1)')).toEqual([
      "FW1002 4:6 no operation is named 'swap' (write xchg(x, value))",
    ]);
  });
});

describe('properties', () => {
  it('refuses divisions and shifts without a result in some state', () => {
    expect(
      errorsOf(`program P
const N = 2
var x, y
thread t { x = 1; }
property p: never (1 / x == 1 || x % 0 == 1)
property q: never (x << y == 4 || x >> 32 == 4 || x << -1 == 4)
property overflow: never (1 / (2147483647 + 1) == 4)
property good: never (x % N == 4 || x / (N + 1) == 3 || x << N == 9 || x >> 31 == 1)`),
    ).toEqual([
      'FW1011 5:24 in a property, a value can only be divided by a constant other than 0 (compare products instead: x == y * z)',
      'FW1011 5:38 in a property, a value can only be divided by a constant other than 0 (compare products instead: x == y * z)',
      'FW1011 6:25 in a property, a value can only be shifted by a constant from 0 to 31 (write each case: (y == 1 && x == 2 || ...))',
      'FW1011 6:40 in a property, a value can only be shifted by a constant from 0 to 31 (write each case: (y == 1 && x == 2 || ...))',
      'FW1011 6:56 in a property, a value can only be shifted by a constant from 0 to 31 (write each case: (y == 1 && x == 2 || ...))',
      'FW1011 7:32 in a property, a value can only be divided by a constant other than 0 (compare products instead: x == y * z)',
    ]);
  });

  it('checks what they speak about', () => {
    expect(
      errorsOf(`program P
var x, a[2]
thread t regs r init l0 begin end
property p: nver (x == 1)
property q: never (t @ l9 && t.q == 1 && z == 0)
property q2: never (u @ l0 || r == 1 || a == 1)
property q3: never (a[2] == 1 || x[0] || ended(x) || ended(t, t))
property q4: never (end(t) || a[x] == 1 || mem[r])`),
    ).toEqual([
      "FW1002 4:13 no kind of property is named 'nver' (did you mean 'never'?)",
      "FW1002 5:24 no label is named 'l9' (did you mean 'l0'?)",
      "FW1002 5:32 no register is named 'q' (declare the register first)",
      "FW1002 5:42 no shared variable is named 'z' (declare it first: var z)",
      "FW1002 6:21 no thread is named 'u' (declare the thread first)",
      "FW1011 6:31 'r' is a register of a thread (name the thread, too: t.r)",
      "FW1011 6:41 'a' is an array (name one of its cells: a[0])",
      "FW1008 7:23 index 2 is outside 'a' ('a' has 2 cells, numbered from 0)",
      "FW1011 7:34 'x' is not an array (write x without an index)",
      "FW1002 7:48 no thread is named 'x' (declare the thread first)",
      'FW1010 7:54 ended takes the name of a thread (write ended(t))',
      "FW1002 8:21 no question about threads is named 'end' (there is ended, drained)",
      "FW1011 8:33 a constant is needed here (use numbers and 'const' names)",
      "FW1002 8:48 no constant is named 'r' (declare the constant first)",
    ]);
  });
});

describe('the words of events', () => {
  it('are refused in threads', () => {
    expect(errorsOfBody('async[main] show();')).toEqual([
      "FW1010 4:1 'async' posts a task, but programs of threads have no tasks (write the program with events, or call the procedure)",
      "FW1002 4:13 no procedure is named 'show' (declare the procedure first)",
    ]);
    expect(errorsOfBody('return;')).toEqual([
      "FW1010 4:1 'return' stands outside of a procedure or an event (a thread ends after its last statement: jump to its end with goto)",
    ]);
  });

  it('may be names', () => {
    expect(
      parseNative(
        'program event var events, procedure, async, end, lock thread unlock { end = async; }',
      ).diagnostics,
    ).toEqual([]);
  });
});
