import { finiteProgram } from '@fencewright/model/program/model.js';
import { describe, expect, it } from 'vitest';
import { parseTrencher } from '../../src/trencher/parse-trencher.js';
import type { Diagnostic } from '@fencewright/ground/source/diagnostic.js';
import { spanAt } from '@fencewright/ground/source/span.js';
import { cpuTimer } from '@fencewright/reference/testing/cpu-timer.js';

function textOf(...lines: string[]): string {
  return lines.join('\n') + '\n';
}

/** Returns a thread with these transitions; line i of `lines` is line i + 2 of the text. */
function inThread(...lines: string[]): string {
  return textOf('thread t', 'initial q0', ...lines, 'end');
}

/** Code, one-based line and column of each message. */
function places(diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics.map(({ code, span }) =>
    span ? `${code} ${span.start.line + 1}:${span.start.column + 1}-${span.end.column + 1}` : code,
  );
}

function only(text: string): Diagnostic {
  const { model, diagnostics } = parseTrencher(text);
  const program = finiteProgram(model);
  expect(program).toBeUndefined();
  expect(diagnostics).toHaveLength(1);
  const [first] = diagnostics;
  if (!first) throw new Error('no diagnostic');
  expect(first.hint ?? '').not.toBe('');
  return first;
}

function parsed(text: string) {
  const { model, diagnostics } = parseTrencher(text);
  const program = finiteProgram(model);
  expect(diagnostics).toEqual([]);
  if (!program) throw new Error('no program');
  return program;
}

function instructionsOf(...instructions: string[]) {
  const lines = instructions.map((instruction, i) => `transition q${i} q${i + 1} ${instruction}`);
  const [thread] = parsed(inThread(...lines)).threads;
  return thread?.transitions.map(({ instruction }) => instruction);
}

const number = (value: number) => ({ kind: 'constant', value }) as const;
const register = (id: number) => ({ kind: 'register', register: id }) as const;

describe('programs', () => {
  it("reads the atomic increment of the format's description", () => {
    const program = parsed(
      textOf(
        '# an atomic increment',
        'thread t1',
        'initial q0',
        'transition q0 q1    lock',
        'transition q1 q2    read  tmp  5',
        'transition q2 q3    write + tmp 1  5',
        'transition q3 q4    unlock',
        'end',
      ),
    );
    expect(program).toEqual({
      name: 'program',
      symbols: [],
      properties: [],
      threads: [
        {
          name: 't1',
          registers: [{ name: 'tmp', hidden: false }],
          initial: 0,
          locations: [
            { name: 'q0', hidden: false, span: spanAt(2, 8, 2) },
            { name: 'q1', hidden: false, span: spanAt(3, 14, 2) },
            { name: 'q2', hidden: false, span: spanAt(4, 14, 2) },
            { name: 'q3', hidden: false, span: spanAt(5, 14, 2) },
            { name: 'q4', hidden: false, span: spanAt(6, 14, 2) },
          ],
          transitions: [
            {
              from: 0,
              to: 1,
              instruction: { kind: 'lock' },
              origin: { span: spanAt(3, 0, 24) },
            },
            {
              from: 1,
              to: 2,
              instruction: { kind: 'load', into: 0, address: number(5) },
              origin: { span: spanAt(4, 0, 32) },
            },
            {
              from: 2,
              to: 3,
              instruction: {
                kind: 'store',
                value: {
                  kind: 'binary',
                  operator: '+',
                  left: register(0),
                  right: number(1),
                },
                address: number(5),
              },
              origin: { span: spanAt(5, 0, 36) },
            },
            {
              from: 3,
              to: 4,
              instruction: { kind: 'unlock' },
              origin: { span: spanAt(6, 0, 26) },
            },
          ],
        },
      ],
    });
  });

  it('reads every instruction', () => {
    expect(
      instructionsOf(
        'write v a',
        'read r a',
        'mfence',
        'local v r',
        'check r',
        'noop',
        'lock',
        'unlock',
      ),
    ).toEqual([
      { kind: 'store', value: register(0), address: register(1) },
      { kind: 'load', into: 2, address: register(1) },
      { kind: 'fence' },
      { kind: 'assign', into: 0, value: register(2) },
      { kind: 'assume', condition: register(2) },
      { kind: 'skip' },
      { kind: 'lock' },
      { kind: 'unlock' },
    ]);
  });

  it.each(['==', '!=', '<', '<=', '>', '>=', '&&', '||', '+', '-', '*', '&'])(
    'reads the operator %s',
    (operator) => {
      expect(instructionsOf(`check ${operator} a b`)).toEqual([
        {
          kind: 'assume',
          condition: {
            kind: 'binary',
            operator,
            left: register(0),
            right: register(1),
          },
        },
      ]);
    },
  );

  it('reads nested operators and negative numbers', () => {
    expect(instructionsOf('check ! - + -1 2 -2147483648')).toEqual([
      {
        kind: 'assume',
        condition: {
          kind: 'unary',
          operator: '!',
          operand: {
            kind: 'binary',
            operator: '-',
            left: {
              kind: 'binary',
              operator: '+',
              left: number(-1),
              right: number(2),
            },
            right: number(-2147483648),
          },
        },
      },
    ]);
  });

  it('knows no negative zero', () => {
    expect(instructionsOf('local r -0')).toEqual([{ kind: 'assign', into: 0, value: number(0) }]);
  });

  it('keeps the registers of threads apart', () => {
    const program = parsed(
      textOf(
        'thread a',
        'initial p',
        'transition p q local x y',
        'end',
        'thread b',
        'initial p',
        'transition p q local y x',
        'end',
      ),
    );
    expect(program.threads.map(({ registers }) => registers.map((r) => r.name))).toEqual([
      ['x', 'y'],
      ['y', 'x'],
    ]);
  });

  it("numbers locations by first occurrence, wherever 'initial' stands", () => {
    const [thread] = parsed(textOf('thread t', 'transition b c noop', 'initial a', 'end')).threads;
    expect(thread?.locations.map(({ name }) => name)).toEqual(['b', 'c', 'a']);
    expect(thread?.initial).toBe(2);
  });

  it('accepts a thread without transitions', () => {
    const [thread] = parsed('thread t\ninitial q0\nend').threads;
    expect(thread?.transitions).toEqual([]);
    expect(thread?.locations.map(({ name }) => name)).toEqual(['q0']);
  });

  it('accepts odd names', () => {
    const [thread] = parsed(
      textOf(
        'thread #1/α',
        'initial 0',
        'transition 0 end read read$1 0',
        'transition end -> noop',
        'end',
      ),
    ).threads;
    expect(thread?.name).toBe('#1/α');
    expect(thread?.locations.map(({ name }) => name)).toEqual(['0', 'end', '->']);
  });

  it('accepts comments, tabs and blank lines anywhere', () => {
    const [thread] = parsed(
      '\n  # head\nthread\tt \n\t#in the thread\n initial q0\n\n\ttransition\tq0\tq1\tnoop \n#x\nend\n#end',
    ).threads;
    expect(thread?.transitions.map(({ origin }) => origin.span)).toEqual([spanAt(6, 1, 21)]);
  });

  it('accepts a byte order mark and foreign line ends', () => {
    const unix = inThread('transition q0 q1 write 1 0');
    const expected = parseTrencher(unix);
    expect(expected.model).toBeDefined();
    expect(parseTrencher(unix.replaceAll('\n', '\r\n'))).toEqual(expected);
    expect(parseTrencher(unix.replaceAll('\n', '\r'))).toEqual(expected);
    expect(parseTrencher('\uFEFF' + unix)).toEqual(expected);
  });

  it.each(['memory_size', 'memory'])('ignores %s with a note', (directive) => {
    const { model, diagnostics } = parseTrencher(`${directive} 10 \nthread t\ninitial q\nend\n`);
    const program = finiteProgram(model);
    expect(program?.threads).toHaveLength(1);
    expect(places(diagnostics)).toEqual([`FW2005 1:1-${directive.length + 4}`]);
  });
});

describe('files that are no programs', () => {
  it.each([
    ['', 'nothing'],
    [' \n\t\r\n', 'blanks'],
    ['\uFEFF', 'a byte order mark'],
    ['# comment\n', 'a comment'],
    ['memory_size 5\n', 'a directive'],
  ])('says that %j is empty (%s)', (text) => {
    const { model, diagnostics } = parseTrencher(text);
    const program = finiteProgram(model);
    expect(program).toBeUndefined();
    expect(diagnostics.map(({ code }) => code)).toContain('FW1004');
  });

  it.each(['thread t\0', '\x7fELF', '\x1b[1m', 'a\x01'])('says that %j is no text', (text) => {
    expect(only(text)).toMatchObject({ code: 'FW1005' });
  });

  it('shows a hundred errors of many, and soon', () => {
    const garbage = 'lorem ipsum dolor sit\n'.repeat(500_000);
    const took = cpuTimer();
    const { model, diagnostics } = parseTrencher(garbage);
    const program = finiteProgram(model);
    expect(took()).toBeLessThan(10_000);
    expect(program).toBeUndefined();
    expect(diagnostics).toHaveLength(101);
    expect(diagnostics.at(-1)).toMatchObject({
      code: 'FW1014',
      message: '499,900 more errors are not shown',
    });
  });

  it('survives one line of ten million characters', () => {
    const took = cpuTimer();
    expect(only('x'.repeat(10_000_000))).toMatchObject({ code: 'FW1010' });
    expect(only('x '.repeat(5_000_000)).message.length).toBeLessThan(100);
    const deep = only(inThread('transition q0 q1 check ' + '! '.repeat(5_000_000) + 'r'));
    expect(deep).toMatchObject({ code: 'FW1012' });
    expect(took()).toBeLessThan(10_000);
  });
});

describe('errors', () => {
  it.each([
    ['transition q0 q1 wrte 1 0', 'FW1001 3:18-22', "did you mean 'write'?"],
    ['transition q0 q1 frobnicate', 'FW1001 3:18-28', 'write, read, mfence'],
    ['trnasition q0 q1 noop', 'FW1001 3:1-11', "did you mean 'transition'?"],
    ['q0 q1 noop', 'FW1001 3:1-3', "'transition'"],
    ['transition', 'FW1001 3:1-11', 'FROM TO INSTRUCTION'],
    ['transition q0', 'FW1001 3:1-11', 'FROM TO INSTRUCTION'],
    ['transition q0 q1', 'FW1001 3:1-11', 'FROM TO INSTRUCTION'],
    ['transition q0 q1 write', 'FW1001 3:18-23', 'write VALUE ADDRESS'],
    ['transition q0 q1 write 1', 'FW1001 3:18-23', 'write VALUE ADDRESS'],
    ['transition q0 q1 read r', 'FW1001 3:18-22', 'read REGISTER ADDRESS'],
    ['transition q0 q1 read', 'FW1001 3:18-22', 'read REGISTER ADDRESS'],
    ['transition q0 q1 read 1 r', 'FW1011 3:23-24', 'read REGISTER ADDRESS'],
    ['transition q0 q1 local + 1 2', 'FW1011 3:24-25', 'local REGISTER VALUE'],
    ['transition q0 q1 check', 'FW1001 3:18-23', 'check CONDITION'],
    ['transition q0 q1 check == r', 'FW1001 3:24-26', '== r 1'],
    ['transition q0 q1 check + - 1 2', 'FW1001 3:24-25', '+ r 1'],
    ['transition q0 q1 check !', 'FW1001 3:24-25', '! r'],
    ['transition q0 q1 check !r', 'FW1001 3:24-26', "blank after '!'"],
    ['transition q0 q1 check <=r 1', 'FW1001 3:24-27', "blank after '<='"],
    ['transition q0 q1 check / a b', 'FW1001 3:24-25', 'the operators are'],
    ['transition q0 q1 check 0x10', 'FW1001 3:24-28', 'digit'],
    ['transition q0 q1 check r == 1', 'FW1001 3:26-30', 'before its operands'],
    ['transition q0 q1 mfence now', 'FW1001 3:25-28', 'remove'],
    ['transition q0 q1 noop # idle', 'FW1001 3:23-29', 'comments'],
    ['  transition q0 q1 local r 2147483648', 'FW1007 3:28-38', '-2147483648'],
    ['transition q0 q1 write 1 -2147483649', 'FW1007 3:26-37', '-2147483648'],
    ['initial q1', 'FW1010 3:1-11', 'line 2'],
    ['transition 😀😀 q1 check 1 2', 'FW1001 3:28-29', 'remove'],
  ])('reports %j at %s', (line, place, hint) => {
    const diagnostic = only(inThread(line));
    expect(places([diagnostic])).toEqual([place]);
    expect(diagnostic.hint).toContain(hint);
  });

  it.each([
    ['transition q0 q1 write', "'write' lacks its VALUE"],
    ['transition q0 q1 write 1', "'write' lacks its ADDRESS"],
    ['transition q0 q1 check == r', "the right operand of '==' is missing"],
    ['transition q0 q1 check + - 1 2', "the right operand of '+' is missing"],
    ['transition q0 q1 check + +', "the left operand of '+' is missing"],
    ['transition q0 q1 check !', "the operand of '!' is missing"],
    ['transition q0', "'transition' lacks its TO"],
  ])('says what %j lacks', (line, message) => {
    expect(only(inThread(line)).message).toBe(message);
  });

  it.each([
    ['thread t\nend', 'FW1001 1:8-9', 'initial STATE'],
    ['thread t\ninitial q', 'FW1001 1:8-9', "'end'"],
    ['thread t\ninitial q\nthread u\ninitial q\nend', 'FW1001 3:1-7', "'end'"],
    ['thread t\ninitial\nend', 'FW1001 2:1-8', 'initial STATE'],
    ['thread\ninitial q\nend', 'FW1001 1:1-7', 'thread NAME'],
    ['thread t u\ninitial q\nend', 'FW1001 1:10-11', 'remove'],
    ['thread t\ninitial q\nend t', 'FW1001 3:5-6', 'remove'],
    ['transition q0 q1 noop', 'FW1010 1:1-22', 'thread NAME'],
    ['thread t\ninitial q\nend\nend', 'FW1010 4:1-4', 'thread NAME'],
    ['threat t', 'FW1001 1:1-7', "did you mean 'thread'?"],
    ['Here is a program', 'FW1010 1:1-18', 'thread NAME'],
    ['memory_size', 'FW1001 1:1-12', 'memory_size CELLS'],
    ['memory ten', 'FW1001 1:8-11', 'memory CELLS'],
  ])('reports %j at %s', (text, place, hint) => {
    const diagnostic = only(text);
    expect(places([diagnostic])).toEqual([place]);
    expect(diagnostic.hint).toContain(hint);
  });

  it('reports threads of one name', () => {
    const diagnostic = only('thread t\ninitial q\nend\nthread t\ninitial q\nend');
    expect(places([diagnostic])).toEqual(['FW1003 4:8-9']);
    expect(diagnostic.hint).toContain('line 1');
  });

  it('reports all errors in one run, in the order of the text', () => {
    const { model, diagnostics } = parseTrencher(
      textOf(
        'noise',
        'thread t',
        'transition q0 q1 write 1',
        'transition q1 q2 red r 0',
        'end',
        'thread u',
        'initial q0',
      ),
    );
    const program = finiteProgram(model);
    expect(program).toBeUndefined();
    expect(places(diagnostics)).toEqual([
      'FW1010 1:1-6',
      'FW1001 2:8-9',
      'FW1001 3:18-23',
      'FW1001 4:18-21',
      'FW1001 6:8-9',
    ]);
  });
});
