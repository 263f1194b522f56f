import { finiteProgram } from '@fencewright/model/program/model.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { check } from '../../../core/src/api/check.js';
import { fence } from '../../../core/src/api/fence.js';
import { reach } from '../../../core/src/api/reach.js';
import { parseMemorax } from '../../src/memorax/parse-memorax.js';
import { memoraxFencePlaces, repairMemoraxText } from '../../src/memorax/repair-memorax.js';
import { formatInstruction } from '@fencewright/model/program/format.js';
import type { Program } from '@fencewright/model/program/program.js';

function parse(text: string): Program {
  const { model, diagnostics } = parseMemorax(text);
  const program = finiteProgram(model);
  if (!program) throw new Error(diagnostics.map(({ message }) => message).join('; '));
  return program;
}

function errorsOf(text: string): readonly string[] {
  return parseMemorax(text).diagnostics.map(
    ({ code, span, message }) =>
      `${code} ${span ? `${span.start.line + 1}:${span.start.column + 1} ` : ''}${message}`,
  );
}

const head =
  'forbidden\n  *\ndata\n  x = 0 : [0:3]\n  y = 0\nprocess\nregisters\n  $r = 0 : [0:3]\n  $s = 0\ntext\n';

/** The instructions of a process with the locations x, y and the registers $r, $s. */
function instructionsOf(statements: string): readonly string[] {
  const program = parse(head + statements);
  const [thread] = program.threads;
  return thread!.transitions.map(({ instruction }) =>
    formatInstruction(program, thread!, instruction),
  );
}

/** Returns `$r,$s,x,y` in all final states under SC. */
async function outcomes(statements: string): Promise<readonly string[]> {
  const { sc } = await reach(parse(head + statements));
  expect(sc.incomplete).toBeUndefined();
  const shown = sc.finalStates.map(({ registers, memory }) =>
    [registers[0]?.[0], registers[0]?.[1], memory.get(1) ?? 0, memory.get(2) ?? 0].join(),
  );
  return [...new Set(shown)].sort();
}

describe('instructions', () => {
  test.each([
    ['write: x := 1', ['x = 1']],
    ['write: y := $r + $s - 1', ['y = $r + $s - 1']],
    ['read: $s := x', ['$s = x']],
    ['read: $r := x', ['$r = x']],
    ['read: x = $r + 1', ['.read = x', 'assume(.read == $r + 1)']],
    ['$s := -$r', ['$s = -$r']],
    ['assume: $r = 1 && [not $s > 2 || true]', ['assume($r == 1 && (!($s > 2) || 1))']],
    ['fence', ['fence']],
    ['nop', ['skip']],
    ['locked write: x := 1', ['xchg(x, 1)']],
    ['syncwr: x := $r', ['xchg(x, $r)']],
    ['syncrd: $s := y', ['fence', '$s = y']],
    ['cas(x, $r, 2)', ['.read = cas(x, $r, 2)', 'assume(.read)']],
    [
      'locked { read: x = 0; write: x := 1 }',
      ['lock', '.read = x', 'assume(.read == 0)', 'x = 1', 'unlock'],
    ],
    ['goto E; write: x := 1; E: write: x := 2', ['x = 2']],
  ])('%s', (statement, expected) => {
    expect(instructionsOf(statement)).toEqual(expected);
  });

  test('a write, an assignment and a read go on only with values of the domain', () => {
    expect(instructionsOf('write: x := $s')).toEqual(['assume($s >= 0 && $s <= 3)', 'x = $s']);
    expect(instructionsOf('$r := $r + 1')).toEqual([
      'assume($r + 1 >= 0 && $r + 1 <= 3)',
      '$r = $r + 1',
    ]);
    expect(instructionsOf('read: $r := y')).toEqual([
      '.read = y',
      'assume(.read >= 0 && .read <= 3)',
      '$r = .read',
    ]);
  });
});

describe('control', () => {
  test.each([
    ['while $r < 3 do $r := $r + 1; write: x := $r', ['3,0,3,0']],
    ['if $r = 0 then write: x := 1 else write: x := 2', ['0,0,1,0']],
    ['if $r > 0 then write: x := 1; write: y := 5', ['0,0,0,5']],
    [
      'either { write: x := 1 or write: x := 2; $s := 7 or nop }',
      ['0,0,0,0', '0,0,1,0', '0,7,2,0'],
    ],
    ['{ $r := 1; $s := 2 }; [ ]', undefined],
    ['A: $r := $r + 1; if $r < 3 then goto A; write: y := $r', ['3,0,0,3']],
    ['either { goto A or goto B }; A: $s := 1; goto C; B: $s := 2; C: nop', ['0,1,0,0', '0,2,0,0']],
    ['L: goto L', []],
    ['read: x = 1', []],
    ['$s := 1; write: [$s] := 9', ['0,1,0,9']],
    ['$s := 1; write: [$s - 1] := 2', ['0,1,2,0']],
    ['write: [1] := 4', ['0,0,0,4']],
    ['$r := 3; $r := $r + 1', []],
  ])('%s', async (statements, expected) => {
    if (expected) expect(await outcomes(statements)).toEqual(expected);
    else expect(finiteProgram(parseMemorax(head + statements).model)).toBeUndefined();
  });

  test('a register without a first value has any of its domain, if anybody asks', async () => {
    const text = (body: string) =>
      `forbidden *\ndata x = 0\nprocess registers $r = * : [1:3] text ${body}`;
    const { sc } = await reach(parse(text('write: x := $r')));
    expect(sc.finalStates.map(({ memory }) => memory.get(1))).toEqual([1, 2, 3]);
    expect(
      parse(text('read: $r := x; write: x := $r')).threads[0]!.transitions[0]?.instruction.kind,
    ).toBe('load');
  });
});

describe('locations of processes', () => {
  // There are three processes; x[k] counts only the other processes.
  const text = (id: number, cell: string) =>
    `forbidden * * *\n${[0, 1, 2]
      .map(
        (p) =>
          `process data x = ${p} registers $r = 0 text ${p === id ? `read: $r := ${cell}` : 'nop'}`,
      )
      .join('\n')}`;

  test.each([
    [0, 'x[my]', 0],
    [0, 'x[0]', 1],
    [0, 'x[1]', 2],
    [1, 'x[my]', 1],
    [1, 'x[0]', 0],
    [1, 'x[1]', 2],
    [2, 'x[my]', 2],
    [2, 'x[0]', 0],
    [2, 'x[1]', 1],
  ] as const)('process %d finds %s with process %d', async (id, cell, owner) => {
    const { sc } = await reach(parse(text(id, cell)));
    expect(sc.finalStates.map(({ registers }) => registers[id]?.[0])).toEqual([owner]);
  });
});

const dekker = (write: string) => `/* Dekker's idea */
forbidden
  CS CS
process(2)
data
  flag = 0 : [0:1]
text
  L0: ${write}: flag[my] := 1;
  read: flag[0] = 0;
  CS: nop;
  write: flag[my] := 0
`;

describe('forbidden states', () => {
  test('are a property that TSO violates and a locked write restores', async () => {
    const plain = await reach(parse(dekker('write')));
    expect(plain.sc.properties).toMatchObject([{ property: 'forbidden', verdict: 'holds' }]);
    expect(plain.tso.properties).toMatchObject([{ verdict: 'violated' }]);
    const locked = await reach(parse(dekker('locked write')));
    expect(locked.tso.properties).toMatchObject([{ verdict: 'holds' }]);
  });

  test('robustness agrees', async () => {
    expect((await check(parse(dekker('write')))).verdict.kind).toBe('not-robust');
    expect((await check(parse(dekker('locked write')))).verdict.kind).toBe('robust');
  });

  test('several tuples, and a star for any position', () => {
    const program = parse('forbidden A *;\n * B\nprocess text A: nop process text B: nop');
    expect(program.properties[0]).toMatchObject({
      kind: 'never',
      condition: {
        operator: '||',
        left: { kind: 'at', thread: 0 },
        right: { kind: 'at', thread: 1 },
      },
    });
  });

  test('a label before a jump is a place of its own', async () => {
    // At A only after the read of 1, though A leads to B at once.
    const program = parse(
      'forbidden A\ndata x = 0\nprocess text goto B; read: x = 1; A: goto B; B: nop',
    );
    const { sc } = await reach(program);
    expect(sc.properties).toMatchObject([{ verdict: 'holds' }]);
  });
});

describe('repairs', () => {
  test('fences stand before statements, in both copies of a process', async () => {
    const text = dekker('write');
    const program = parse(text);
    const places = memoraxFencePlaces(text, program);
    const { verdict } = await fence(program, {
      canFence: (thread, location) => places(thread, location).length > 0,
    });
    if (verdict.kind !== 'found') throw new Error(verdict.kind);
    const repaired = repairMemoraxText(
      text,
      program,
      verdict.repairs.flatMap((repair) => (repair.kind === 'fence' ? [repair] : [])),
    );
    expect(repaired.text).toContain('fence; read: flag[0] = 0;');
    expect((await check(parse(repaired.text!))).verdict.kind).toBe('robust');
  });

  test('a single statement gets braces, a loop no fence', () => {
    const text = `${head}while $r < 2 do read: $r := x`;
    const program = parse(text);
    const places = memoraxFencePlaces(text, program);
    const { transitions, initial } = program.threads[0]!;
    const load = transitions.find(({ instruction }) => instruction.kind === 'load')!.from;
    expect(places(0, initial)).toEqual([]);
    expect(
      repairMemoraxText(text, program, [{ kind: 'fence', thread: 0, location: load }]).text,
    ).toContain('do { fence; read: $r := x }');
  });

  test('exchanges and what can be taken away', () => {
    const text = `${head}write: x := 1; fence; locked write: y := 2`;
    const program = parse(text);
    const of = (kind: 'xchg' | 'remove', transition: number) =>
      repairMemoraxText(text, program, [{ kind, thread: 0, transition }]).text;
    expect(of('xchg', 0)).toContain('locked write: x := 1; fence;');
    expect(of('remove', 1)).toContain('; nop; locked');
    expect(of('remove', 2)).toContain('fence; write: y := 2');
  });
});

describe('errors', () => {
  test('all of them, each at its place', () => {
    expect(
      errorsOf(`forbidden
  CS
data
  x = 5 : [0:3]
  x = 0
  y = * : [0:2]
  $z = 0
process(0)
registers
  r = 0
text
  write: x = 1;
  read x;
  jump L;
  if $r then nop;
  macro m
process
  nop
`),
    ).toMatchInlineSnapshot(`
      [
        "FW1009 4:3 5 lies outside the domain 0..3",
        "FW1003 5:3 location 'x' is declared twice",
        "FW1012 6:3 'y' may start with any value, and only fixed initial values are supported",
        "FW1001 7:3 '$z' is not a location",
        "FW1001 8:9 there can be 1 to 64 copies of a process",
        "FW1001 10:3 'r' is not a register",
        "FW1001 12:12 ':=' is missing here: '='",
        "FW1001 13:8 ':' is missing here: 'x'",
        "FW1001 14:3 this is not a statement: 'jump'",
        "FW1001 15:9 a comparison is missing here: 'then'",
        "FW1001 16:3 macros are not supported: 'macro'",
        "FW1001 18:3 'text' is missing here: 'nop'",
      ]
    `);
  });

  test('names that nobody declares', () => {
    expect(
      errorsOf(
        'forbidden\n  CX *\nprocess registers $r = 0 text\n CS: write: x := 1;\n read: y[0] = $q;\n goto L\n',
      ),
    ).toMatchInlineSnapshot(`
      [
        "FW1001 2:3 2 labels given for 1 process",
        "FW1002 2:3 no label is named 'CX'",
        "FW1002 4:13 no location is named 'x'",
        "FW1002 5:8 no local location is named 'y'",
        "FW1002 5:15 no register is named '$q'",
        "FW1002 6:7 no label is named 'L'",
      ]
    `);
  });

  test.each([
    ['', 'FW1004 the input is empty'],
    ['/* only a comment */', 'FW1004 the input is empty'],
    ['\0', 'FW1005 the input is not a text file'],
    [
      'forbidden *\nprocess text locked { L: nop }',
      'FW1012 2:14 a locked block may hold only instructions without labels',
    ],
  ])('%j', (text, expected) => {
    expect(errorsOf(text)).toEqual([expected]);
  });

  test('mutated texts never make it throw', () => {
    const pieces = [
      '{',
      '}',
      ';',
      ':',
      ':=',
      '=',
      'or',
      'either {',
      'locked',
      'process',
      'text',
      'data',
      '$r',
      '[',
      ']',
      '(',
      ')',
      'not',
      'if',
      'then',
      '/*',
      '*/',
      '9',
    ];
    const edit = fc.record({
      at: fc.nat(250),
      drop: fc.nat(12),
      piece: fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 4 })),
    });
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 6 }), (edits) => {
        let text = dekker('write');
        for (const { at, drop, piece } of edits)
          text = text.slice(0, at) + piece + text.slice(at + drop);
        const { model, diagnostics } = parseMemorax(text);
        const program = finiteProgram(model);
        expect(program === undefined).toBe(
          diagnostics.some(({ severity }) => severity === 'error'),
        );
      }),
      {
        numRuns: randomRuns(1000, 20_000, 330),
        seed: randomSeed(1),
      },
    );
  });

  test('deep nesting is refused', () => {
    expect(errorsOf(`forbidden *\nprocess text ${'{'.repeat(5000)}`)[0]).toContain(
      'nested too deeply',
    );
  });
});
