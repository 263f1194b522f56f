import { describe, expect, it } from 'vitest';
import { parseNative } from '@fencewright/core/native';
import { errorsOf } from './listing.js';
import { cpuTimer } from '@fencewright/reference/testing/cpu-timer.js';

const declaration =
  "a declaration ('const', 'var', 'domain', 'thread', 'event', 'procedure', 'events', 'property' or 'invariant')";

describe('syntax errors', () => {
  it('says what was expected and what was found', () => {
    expect(errorsOf('program P\nvar x\nthread t { x = 1 x = 2; }')).toEqual([
      "FW1001 3:18 expected ';' but found 'x'",
    ]);
    expect(errorsOf('program P\nvar x\nthread t { x = ; }')).toEqual([
      "FW1001 3:16 expected an expression but found ';'",
    ]);
    expect(errorsOf('program P\nvar x\nthread t { while (x == 1 { } }')).toEqual([
      "FW1001 3:26 expected ')' but found '{'",
    ]);
    expect(errorsOf('program P\nvar x\nthread t { if x == 1 { } }')).toEqual([
      "FW1001 3:15 expected '(' but found 'x'",
    ]);
    expect(errorsOf('program P\nthread t regs r begin end')).toEqual([
      "FW1001 2:10 expected 'init' and a label before 'begin' (say where the thread starts: init l0 begin)",
    ]);
    expect(errorsOf('program P\nthread t [2 { }')).toEqual([
      "FW1001 2:13 expected ']' but found '{'",
    ]);
    expect(errorsOf('program P\nthread t init l begin l: mov; goto l; end')).toEqual([
      "FW1001 2:29 expected '[', '<-', '←' or '(' but found ';'",
    ]);
    expect(errorsOf('program P\nthread t init l begin l: 5; goto l; end')).toEqual([
      "FW1001 2:26 expected an instruction but found '5'",
    ]);
    expect(errorsOf('program P\nthread t { = 5; }')).toEqual([
      "FW1001 2:12 expected a statement or '}' but found '='",
    ]);
  });

  it('shows what is missing at the end of a line there', () => {
    expect(errorsOf('program P\nvar x\nthread t {\n  x = 1\n  x = 2;\n}')).toEqual([
      "FW1001 4:8 expected ';' but found 'x'",
    ]);
    expect(parseNative('program P\nvar x\nthread t {\n  x = 1\n}').diagnostics[0]!.span).toEqual({
      start: { line: 3, column: 7 },
      end: { line: 3, column: 8 },
    });
  });

  it('tells which brace is not closed', () => {
    expect(errorsOf('program P\nthread t {\n  skip;\nthread u { }')).toEqual([
      "FW1001 4:1 expected a statement or '}' but found 'thread' (the '{' in line 2 is not closed)",
    ]);
    expect(errorsOf('program P\nthread t {\n  loop {\n  skip;\n}\n')).toEqual([
      "FW1001 5:2 expected a statement or '}' but the file ends (the '{' in line 2 is not closed)",
    ]);
    expect(errorsOf('program P\nthread t { } }\nthread u { }')).toEqual([
      `FW1001 2:14 expected ${declaration} but found '}'`,
    ]);
  });

  it('reports every error once, without consequences', () => {
    expect(
      errorsOf(`program P
var x = , y
const 5
thread t { foo bar baz; x = 1; }
thread t1 regs r1 init l0 begin
  l0: mem[x] <- 1 goto l1;
  l1: r1 <- mem[y]; l2;
  l2: mem x] <- 1; goto l3
  l3: skip; goto l4;
end
thread u { gotoo L; y = 3; }
property p never (x == 1)`),
    ).toEqual([
      "FW1001 2:9 expected an expression but found ','",
      "FW1001 3:7 expected a name but found '5'",
      "FW1001 4:16 expected ':', '[', '=' or '(' but found 'bar' (did you mean 'var'?)",
      "FW1001 6:19 expected ';' but found 'goto'",
      "FW1001 7:21 expected 'goto' but found 'l2'",
      "FW1001 8:11 expected '[' but found 'x'",
      "FW1001 8:27 expected ';' but found 'l3'",
      "FW1001 11:18 expected ':', '[', '=' or '(' but found 'L' (did you mean 'goto'?)",
      "FW1001 12:12 expected ':' but found 'never'",
    ]);
  });

  it('looks for errors of meaning in what could be read', () => {
    expect(
      errorsOf(`program P
var x, oops = ;
thread t {
  local r
  r = oops + 1;
  x = unknown;
  while (x == ) {
    x = y;
  }
  if (x = 1) {
    goto nowhere;
  } else {
    x[1] = 2;
  }
}`),
    ).toEqual([
      "FW1001 2:15 expected an expression but found ';'",
      "FW1001 4:10 expected ';' but found 'r'",
      "FW1002 6:7 no variable is named 'unknown' (declare it first: 'local unknown;' in the thread, or 'var unknown' for all threads)",
      "FW1001 7:15 expected an expression but found ')'",
      "FW1002 8:9 no variable is named 'y' (declare it first: 'local y;' in the thread, or 'var y' for all threads)",
      "FW1001 10:7 '=' stores, and cannot stand in an expression (compare with '==')",
      "FW1002 11:10 no label is named 'nowhere' (write 'nowhere:' before the statement that is meant)",
      "FW1011 13:5 'x' is not an array (write x without an index)",
    ]);
  });

  it('knows the habits of C programmers', () => {
    expect(errorsOf('program P\nvar x\nthread t { for (x = 1; x < 2; x = x + 1) { } }')).toEqual([
      "FW1001 3:22 expected ')' but found ';' (there is no 'for': write while (...) { ... })",
    ]);
    expect(errorsOf('program P\nvar x\nthread t { x == 1; }')).toEqual([
      "FW1001 3:14 expected ':', '[', '=' or '(' but found '==' ('=' stores, '==' compares)",
    ]);
    expect(errorsOf('program P\nvar x\nthread t { x++; }')).toEqual([
      "FW1001 3:13 expected ':', '[', '=' or '(' but found '+' (write x = x + 1, which is a load and a store)",
    ]);
  });

  it.each([
    [
      'smp_mb();',
      "a full fence is the statement 'fence;', a weaker one fence(acquire); or fence(release);",
    ],
    [
      'smp_wmb();',
      'write load(x, acquire), store(x, e, release), fence(acquire) or fence(release)',
    ],
    ['WRITE_ONCE(x, 1);', 'a store is written x = e, or store(x, e, release)'],
    ['r = READ_ONCE(x);', 'a load is written r = x, or r = load(x, acquire)'],
    ['atomic_store(x, 1);', 'a store is written x = e, or store(x, e, release)'],
    ['r = atomic_load(x);', 'a load is written r = x, or r = load(x, acquire)'],
    ['r = atomic_exchange(x, 1);', 'write xchg(x, value)'],
    ['smp_store_mb(x, 1);', 'write xchg(x, value)'],
    ['r = cmpxchg(x, 0, 1);', 'write cas(x, old, new)'],
    ['atomic_inc(x);', 'write fetch_add(x, 1)'],
    ['*r = 1;', 'the cell at the address p is mem[p]'],
    ['r = x->f;', 'there are no structures: use arrays, one for each field'],
    ['r = x ? 1 : 2;', "there is no '?:': write if (...) ... else ..."],
  ])('says what %s is here', (code, hint) => {
    expect(errorsOf(`program P\nvar x\nthread t { local r; ${code} }`).join()).toContain(
      `(${hint})`,
    );
  });

  it('knows that threads take no parameters', () => {
    expect(errorsOf('program P\nthread t() { }').join()).toContain('threads take no parameters');
  });

  it('suggests keywords, and refuses them as names', () => {
    expect(errorsOf('program P\nthraed t { }')).toEqual([
      `FW1001 2:1 expected ${declaration} but found 'thraed' (did you mean 'thread'?)`,
    ]);
    expect(errorsOf('program P\nvar in')).toEqual([
      "FW1001 2:5 expected a name but found the keyword 'in' (keywords cannot be names)",
    ]);
  });

  it('wants the header', () => {
    expect(errorsOf('var x\nthread t { x = 1; }')).toEqual([
      "FW1001 1:1 expected 'program' and the program's name first (start with: program NAME)",
    ]);
    expect(errorsOf('program\nvar x')).toEqual([
      "FW1001 2:1 expected a name but found the keyword 'var' (keywords cannot be names)",
    ]);
  });

  it('finds characters without meaning, unclosed comments and bad numbers', () => {
    expect(errorsOf('program P\nvar x $ y // $\nthread t { x = "1"; }\n')).toEqual([
      "FW1001 2:7 '$' has no meaning here",
      "FW1001 3:16 '\"' has no meaning here (there are no strings: all values are numbers)",
    ]);
    expect(errorsOf('program P\nvar\n/* no end\nvar x')).toEqual([
      "FW1001 3:1 this comment has no end (close the comment with '*/')",
    ]);
    expect(errorsOf("program P\nvar x, x' // '\nthread t { x = '5; }")).toEqual([
      "FW1001 3:16 ''' has no meaning here (there are no characters: all values are numbers)",
    ]);
    expect(errorsOf('program P\nvar x = 010, y = 0x, z = 12ab')).toEqual([
      "FW1001 2:9 expected a number but found '010' (octal numbers are not supported: remove the leading zeros)",
      "FW1001 2:18 expected a number but found '0x' (numbers are written 26 or 0x1a)",
      "FW1001 2:26 expected a number but found '12ab' (numbers are written 26 or 0x1a)",
    ]);
  });
});

describe('input that is no program', () => {
  const empty =
    "FW1004 the input is empty (a program starts with 'program NAME' and has threads: thread t { ... })";

  it('is empty or binary', () => {
    expect(errorsOf('')).toEqual([empty]);
    expect(errorsOf(' \n\t// nothing\n/* at all */')).toEqual([empty]);
    const binary = 'FW1005 the input is not a text file (give a program as UTF-8 text)';
    expect(errorsOf('program P\0')).toEqual([binary]);
    expect(errorsOf('\u0001\u0002\u0003abc')).toEqual([binary]);
    expect(errorsOf('\ufffd\ufffd PNG \ufffd')).toEqual([binary]);
  });

  it('ignores a byte order mark', () => {
    expect(errorsOf('\ufeffprogram P')).toEqual([]);
  });

  it('shows a hundred errors and counts the others', () => {
    const errors = errorsOf(`program P\nthread t {\n${'x = 1;\n'.repeat(250)}}`);
    expect(errors).toHaveLength(101);
    expect(errors[100]).toBe(
      'FW1014 150 more errors are not shown (mend the first ones and run again)',
    );
    expect(errorsOf(`program P\nthread t {\n${'x = ;\n'.repeat(150)}}`)).toHaveLength(101);
  });

  it('is refused quickly when it is large, deep or nothing but errors', () => {
    const took = cpuTimer();
    expect(errorsOf('x'.repeat(10_000_000))).toEqual([
      'FW1012 the file is longer than 1000000 characters (split the program)',
    ]);
    expect(errorsOf(`program P thread t { x = ${'('.repeat(50_000)}`)).toEqual([
      'FW1001 1:125 brackets are nested more than 100 deep here (split the expression or the statement)',
    ]);
    expect(errorsOf(`program P\nthread t { ${'while (1) '.repeat(20_000)} }`)).toEqual([
      'FW1001 1:1 the statements are nested too deeply (split the threads)',
    ]);
    expect(errorsOf(`program P\nvar x = ${'!'.repeat(20_000)}1`)).toEqual([
      'FW1001 2:9 this expression is nested too deeply (split the expression: use a register)',
    ]);
    expect(errorsOf(`program P thread t { ${'foo bar;\n'.repeat(50_000)}`)).toHaveLength(101);
    expect(errorsOf(`program P ${'$ '.repeat(200_000)}`)).toHaveLength(1);
    expect(errorsOf(`program P ${'/* '.repeat(200_000)}`)).toHaveLength(1);
    expect(took()).toBeLessThan(20_000);
    // The parser still works after giving up a text.
    expect(errorsOf('program P')).toEqual([]);
  });
});
