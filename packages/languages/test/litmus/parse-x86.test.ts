import { finiteProgram } from '@fencewright/model/program/model.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { check } from '../../../core/src/api/check.js';
import { reach } from '../../../core/src/api/reach.js';
import { parseLitmus } from '../../src/litmus/parse-litmus.js';
import { formatInstruction } from '@fencewright/model/program/format.js';
import type { Program } from '@fencewright/model/program/program.js';

function parse(text: string): Program {
  const { model, diagnostics } = parseLitmus(text);
  const program = finiteProgram(model);
  if (!program) throw new Error(diagnostics.map(({ message }) => message).join('; '));
  return program;
}

/** The instructions of one thread, in the order of the text. */
function instructionsOf(code: string, architecture = 'X86', initial = ''): readonly string[] {
  const rows = code.split('\n').map((line) => ` ${line} ;`);
  const program = parse(`${architecture} t\n{ ${initial} }\n P0 ;\n${rows.join('\n')}\n`);
  const [thread] = program.threads;
  return thread!.transitions.map(({ instruction }) =>
    formatInstruction(program, thread!, instruction),
  );
}

function errorsOf(text: string): readonly string[] {
  return parseLitmus(text).diagnostics.map(
    ({ code, span, message }) =>
      `${code} ${span ? `${span.start.line + 1}:${span.start.column + 1} ` : ''}${message}`,
  );
}

/** The values of a thread's registers in all final states under SC, sorted. */
async function outcomes(code: string, architecture = 'X86'): Promise<readonly string[]> {
  const rows = code.split('\n').map((line) => ` ${line} ;`);
  const program = parse(`${architecture} t\n{ }\n P0 ;\n${rows.join('\n')}\n`);
  const { sc } = await reach(program);
  expect(sc.incomplete).toBeUndefined();
  return sc.finalStates.map(({ registers }) =>
    program.threads[0]!.registers.flatMap(({ name, hidden }, r) =>
      hidden ? [] : [`${name}=${registers[0]?.[r] ?? 0}`],
    )
      .sort()
      .join(' '),
  );
}

const sb = `X86 SB
"Fre PodWR Fre PodWR"
Cycle=Fre PodWR
{ }
 P0          | P1          ;
 MOV [x],$1  | MOV [y],$1  ;
 MOV EAX,[y] | MOV EAX,[x] ;
exists (0:EAX=0 /\\ 1:EAX=0)
`;

describe('the parts of a file', () => {
  test('store buffering has its name, threads, locations and condition', () => {
    const program = parse(sb);
    expect(program.name).toBe('SB');
    expect(program.threads.map(({ name }) => name)).toEqual(['P0', 'P1']);
    expect(program.symbols.map(({ name, base }) => [name, base])).toEqual([
      ['x', 1],
      ['y', 2],
    ]);
    expect(program.properties).toMatchObject([{ name: 'condition', kind: 'exists' }]);
  });

  test.each([
    ['X86 cc/boehm7 (LitmusCacheCausal) "Litmus { test"', 'cc/boehm7'],
    ['X86 (* a (* nested *) comment *) n4', 'n4'],
    ['X86 iwp2.8.a (m) "with words"', 'iwp2.8.a'],
  ])('the header %s is read', (header, name) => {
    expect(parse(`${header}\n{}\nP0 ;\nMFENCE ;\n`).name).toBe(name);
  });

  test.each([
    '{ x=1; 1:EAX=2; }',
    '{x = 1; P1:EAX = 2};',
    '{[x]=1; 1:eax=0x2}',
    '{\nx=1;\n1:%eax=2;\n}',
  ])('the initial state %s is read', (initial) => {
    const program = parse(`X86 t\n${initial}\nP0 | P1 ;\nMOV EBX,[x] | MOV [x],EAX ;\n`);
    expect(program.symbols[0]).toMatchObject({ name: 'x', initial: [1] });
    const [first] = program.threads[1]!.transitions;
    expect(first?.instruction).toEqual({
      kind: 'assign',
      into: 0,
      value: { kind: 'constant', value: 2 },
    });
  });

  test('a location can hold the address of another, and so can a register', async () => {
    const program = parse(
      'X86 t\n{ p=e; e=7; 0:EBX=e; }\nP0 ;\nMOV EAX,[p] ;\nMOV ECX,[EAX] ;\nMOV EDX,[EBX] ;\nforall (0:ECX=7 /\\ 0:EDX=7 /\\ p=e)\n',
    );
    const { sc } = await reach(program);
    expect(sc.properties).toMatchObject([{ verdict: 'holds' }]);
  });

  test('comments and the blocks of other tools are passed over', () => {
    const text = `${sb}(* more *)\n<<\nshow 0 ; | exists\n>>\n`;
    expect(parse(text).properties).toHaveLength(1);
  });

  test('rows may have fewer cells, and threads any number of rows', () => {
    const program = parse('X86 t\n{}\nP0 | P1 ;\nMFENCE | MFENCE ;\nMFENCE ;\n | ;\n');
    expect(program.threads.map(({ transitions }) => transitions.length)).toEqual([2, 1]);
  });
});

describe('conditions', () => {
  const asked = (condition: string) =>
    parse(`X86 t\n{}\nP0 | P1 ;\nMOV [x],$1 | MOV EAX,[x] ;\n${condition}\n`);

  // P1 reads 0 or 1; x is 1 in the end.
  test.each([
    ['exists (1:EAX=1)', 'holds'],
    ['exists (P1:eax = 1 /\\ [x]=1);', 'holds'],
    ['exists (1:EAX=2 \\/ x=0)', 'violated'],
    ['~exists (1:EAX=1)', 'violated'],
    ['~ exists (1:EAX=2)', 'holds'],
    ['forall x=1', 'holds'],
    ['forall (1:EAX=0 /\\ x=1)', 'violated'],
    ['forall 1:EAX=0 \\/ 1:EAX=1 /\\ x=1', 'holds'],
    ['exists not (x=1)', 'violated'],
    ['exists (true)', 'holds'],
    ['locations [x; 1:EAX;] exists (~(1:EAX=0) /\\ 0:EBX=0)', 'holds'],
    ['final (1:EAX=1);\nwith\ntso: ~exists;\ndefault: exists;', 'holds'],
  ])('%s', async (condition, verdict) => {
    const { sc, tso } = await reach(asked(condition));
    expect(sc.properties).toMatchObject([{ property: 'condition', verdict }]);
    expect(tso.properties).toMatchObject([{ property: 'condition', verdict }]);
  });
});

describe('instructions of X86', () => {
  test.each([
    ['MOV [x],$1', ['x = 1']],
    ['mov [x], 1', ['x = 1']],
    ['MOV EAX,[x]', ['EAX = x']],
    ['mov eax , -0x10', ['EAX = -16']],
    ['MOV [x],EAX', ['x = EAX']],
    ['MOV EAX,[EBX]', ['EAX = mem[EBX]']],
    ['MOV EAX,EBX', ['EAX = EBX']],
    ['MFENCE', ['fence']],
    ['XCHG [x],EAX', ['EAX = xchg(x, EAX)']],
    ['XCHG EAX,[x]', ['EAX = xchg(x, EAX)']],
    ['LOCK XCHG [x],EAX', ['EAX = xchg(x, EAX)']],
    ['XCHG EAX,EBX', ['.moved = EBX', 'EBX = EAX', 'EAX = .moved']],
    ['INC [x]', ['.left = x', 'x = .left + 1']],
    ['LOCK INC [x]', ['fetch_add(x, 1)']],
    ['LOCK DEC [x]', ['fetch_sub(x, 1)']],
    ['LOCK NOT [x]', ['fetch_xor(x, -1)']],
    ['LOCK XOR [x],$0', ['fetch_xor(x, 0)']],
    ['OR [x],EAX', ['.left = x', 'x = .left | EAX']],
    ['ADD EAX,[x]', ['.right = x', 'EAX = EAX + .right']],
    ['ADD EAX,EAX', ['EAX = EAX + EAX']],
    ['NEG EAX', ['EAX = -EAX']],
    ['LOCK NEG [x]', ['lock', '.left = x', 'x = -.left', 'unlock']],
    ['XADD EAX,EBX', ['.left = EAX', '.right = .left + EBX', 'EBX = .left', 'EAX = .right']],
    ['SFENCE\nLFENCE\nNOP\nMOV [x],$1', ['x = 1']],
  ])('%s', (code, expected) => {
    expect(instructionsOf(code)).toEqual(expected);
  });

  test('a comparison is part of the jump behind it, and jumps cost nothing', () => {
    expect(
      instructionsOf('L: MOV EAX,[x]\nCMP EAX,$1\nJNE L\nJMP E\nMFENCE\nE: MOV [y],$1'),
    ).toEqual(['EAX = x', 'assume(EAX != 1)', 'assume(EAX == 1)', 'y = 1']);
  });

  test('flags that are used later are kept', async () => {
    const code = (a: number) =>
      `MOV EAX,$${a}\nCMP EAX,$5\nMOV EAX,$9\nJL A\nMOV EBX,$1\nJMP E\nA: MOV EBX,$2\nE: NOP`;
    expect(await outcomes(code(4))).toEqual(['EAX=9 EBX=2']);
    expect(await outcomes(code(5))).toEqual(['EAX=9 EBX=1']);
  });

  test('a jump in circles without an instruction is not an end', async () => {
    expect(await outcomes('L: JMP L')).toEqual([]);
  });
});

/** By condition, whether it holds after `CMP a, b`, by the manual's definition. */
const meanings: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  JE: (a, b) => a === b,
  JNZ: (a, b) => a !== b,
  JL: (a, b) => a < b,
  JNG: (a, b) => a <= b,
  JG: (a, b) => a > b,
  JNL: (a, b) => a >= b,
  JB: (a, b) => a >>> 0 < b >>> 0,
  JBE: (a, b) => a >>> 0 <= b >>> 0,
  JA: (a, b) => a >>> 0 > b >>> 0,
  JAE: (a, b) => a >>> 0 >= b >>> 0,
};

test.each(Object.keys(meanings))('%s jumps when it should', async (jump) => {
  for (const a of [-2, -1, 0, 1, 2])
    for (const b of [-1, 0, 1])
      expect(
        await outcomes(`MOV EAX,$${a}\nCMP EAX,$${b}\n${jump} L\nMOV EBX,$1\nL: NOP`),
        `${a} ${jump} ${b}`,
      ).toEqual([meanings[jump]!(a, b) ? `EAX=${a}` : `EAX=${a} EBX=1`].map(withEbx));
});

/** Returns the outcome with `EBX=0` added if missing: `EBX` occurs in the code and starts at 0. */
function withEbx(outcome: string): string {
  return outcome.includes('EBX') ? outcome : `${outcome} EBX=0`;
}

describe('flags of arithmetic', () => {
  test.each([
    ['MOV EAX,$3\nSUB EAX,$3', 'JE', true],
    ['MOV EAX,$3\nSUB EAX,$4', 'JL', true],
    ['MOV EAX,$3\nSUB EAX,$4', 'JB', true],
    ['MOV EAX,$2\nAND EAX,$1', 'JE', true],
    ['MOV EAX,$2\nTEST EAX,EAX', 'JNE', true],
    ['MOV EAX,$2\nTEST EAX,EAX', 'JB', false],
    ['MOV EAX,$1\nNEG EAX', 'JL', true],
    ['DEC [x]', 'JL', true],
    ['LOCK DEC [x]', 'JL', true],
    ['LOCK INC [x]', 'JG', true],
    ['MOV EAX,$1\nMOV EBX,$-1\nXADD EAX,EBX', 'JE', true],
    ['MOV ECX,$5\nLOCK XADD [x],ECX', 'JG', true],
  ])('%s, then %s', async (code, jump, isTaken) => {
    const ends = await outcomes(`${code}\n${jump} L\nMOV EDX,$1\nL: NOP`);
    expect(ends.map((end) => end.includes('EDX=1'))).toEqual([!isTaken]);
  });

  test('a carry that is not kept is refused', () => {
    expect(errorsOf('X86 t\n{}\nP0 ;\nINC EAX ;\nJB L ;\nL: NOP ;\n')).toEqual([
      'FW1010 5:1 this jump reads a carry flag that is not kept',
    ]);
  });
});

describe('compare and exchange', () => {
  test.each([
    [0, 'EAX=0 EBX=7 ECX=7'],
    [1, 'EAX=0 EBX=0 ECX=7'],
  ])('with %d in EAX and 0 in memory', async (old, end) => {
    const code = `MOV EAX,$${old}\nMOV ECX,$7\nLOCK CMPXCHG [x],ECX\nMOV EBX,[x]`;
    expect(await outcomes(code)).toEqual([end]);
  });

  test('orders a store before a later load also when it fails', async () => {
    const column = (own: string, other: string, r: string) => [
      `MOV [${own}],$1`,
      'MOV EAX,$5',
      `LOCK CMPXCHG [${r}],ECX`,
      `MOV EBX,[${other}]`,
    ];
    const [a, b] = [column('x', 'y', 'z'), column('y', 'x', 'w')];
    const rows = a.map((cell, i) => `${cell} | ${b[i]!} ;`);
    const program = parse(`X86 t\n{}\nP0 | P1 ;\n${rows.join('\n')}\n`);
    expect((await check(program)).verdict.kind).toBe('robust');
  });
});

describe('X86_64', () => {
  test.each([
    ['movl $1,(x)', ['x = 1']],
    ['movq (x),%rax', ['rax = x']],
    ['movl (%rdi),%r8d', ['r8 = mem[rdi]']],
    ['movl %eax,0(%rdi)', ['mem[rdi] = rax']],
    ['movl x(%rip),%eax', ['rax = x']],
    ['xchgl (x),%eax', ['rax = xchg(x, rax)']],
    ['lock addl $2,(x)', ['fetch_add(x, 2)']],
    ['endbr64\nnopw 0(%rax,%rax,1)\nmfence', ['fence']],
    ['subl $1,%eax', ['rax = rax - 1']],
  ])('%s', (code, expected) => {
    expect(instructionsOf(code, 'X86_64')).toEqual(expected);
  });

  describe('one register in two widths', () => {
    const mixed = (rows: string, initial = '', condition = '') =>
      errorsOf(`X86_64 t\n{ ${initial} }\nP0 ;\n${rows}\n${condition}\n`);
    const difference =
      'is used with 32 bits and with 64 bits, and may be negative: the two widths differ for negative values';

    test.each([
      // The upper half is 0 after a write of 32 bits: rax is 4294967295, not -1.
      ['a number', 'movl $-1,%eax ; cmpq $-1,%rax ; je L ; L: ;', '', '', 'rax'],
      ['a difference', 'subl $1,%r8d ; movq %r8,%rbx ;', '', '', 'r8'],
      ['a negation', 'negl %eax ; movq %rax,(x) ;', '', '', 'rax'],
      ['memory', 'movl (x),%eax ; movq %rax,(y) ;', 'x=-1;', '', 'rax'],
      ['the accumulator', 'movq $-1,%rax ; cmpxchgl %ebx,(x) ;', '', '', 'rax'],
      ['the condition', 'movl $-1,%eax ;', '', 'exists (0:rax=-1)', 'rax'],
      ['the initial state', 'addl $1,%eax ;', '0:rax=-1;', '', 'rax'],
      ['a suffix against a register', 'movl $-1,%rax ;', '', '', 'rax'],
    ])('is refused where values may be negative: %s', (_, rows, initial, condition, name) => {
      const text = mixed(rows.replaceAll(' ; ', ' ;\n'), initial, condition);
      expect(text).toEqual([expect.stringContaining(`'${name}' ${difference}`)]);
      expect(text[0]).toMatch(/^FW1012 /);
    });

    test('means the same where all values are from 0 on', () => {
      const rows = 'movl $1,%eax ;\naddq $2,%rax ;\nxorl $7,%eax ;\ncmpq $4,%rax ;\nje L ;\nL: ;';
      expect(mixed(rows, 'x=5;', 'exists (0:eax=4)')).toEqual([]);
    });

    test('one width may hold negative numbers', () => {
      expect(mixed('movq $-1,%rax ;\nsubq $1,%rax ;\nmovl $-1,%ebx ;')).toEqual([]);
    });

    test('a cell that is accessed in both is refused, whatever it holds', () => {
      const tail = 'with 32 bits here or elsewhere, and with 64 bits, too';
      expect(mixed('movl $1,(x) ;\nmovq (x),%rax ;')).toEqual([
        `FW1012 5:1 'x' is accessed ${tail}`,
      ]);
      expect(mixed('movl $1,(x) ;\nmovq (%rbx),%rax ;')).toEqual([
        `FW1012 5:1 a cell is accessed ${tail}`,
      ]);
      expect(mixed('movl $1,(x) ;\nmovq (y),%rbx ;')).toEqual([]);
    });
  });

  test('comparisons have the destination last', async () => {
    const code = 'movl $3,%eax\ncmp $1,%eax\njg L\nmovl $1,%ebx\nL: nop';
    expect(await outcomes(code, 'X86_64')).toEqual(['rax=3 rbx=0']);
  });

  test.each(['lock cmpxchgl (x),%ecx', 'lock cmpxchgl %ecx,(x)'])(
    'the destination of %s is the cell',
    (code) => {
      expect(instructionsOf(code, 'X86_64')).toContain('x = rcx');
    },
  );

  test('spellings of one register are one register', () => {
    const program = parse(
      'X86_64 t\n{ 0:rax=1; }\nP0 ;\nmovl %EAX,(x) ;\nexists (0:RAX=1 /\\ 0:eax=1)\n',
    );
    expect(program.threads[0]?.registers).toEqual([{ name: 'rax', hidden: false }]);
  });
});

describe('errors', () => {
  test('all of them, each at its place', () => {
    expect(
      errorsOf(`X86 t
{ x=; 7:EAX=1; 0:FOO=2; y=99999999999; }
 P0           | P1       ;
 MOV [x],$1   | MOVE EAX,[y] | MFENCE ;
 MOV $1,[x]   | JMP away ;
 MOV [x],[y]  | MOV AL,$1 ;
 LOCK MOV [x],$1 | CALL f ;
 L: MFENCE    | JE L2 ;
 L: MOV [x+4],$1 | L2: MFENCE MFENCE ;
exists (0:EAX=0 /\\ 5:EAX=1
`),
    ).toMatchInlineSnapshot(`
      [
        "FW1001 2:5 a value is missing here: ';'",
        "FW1002 2:7 no thread is named 'P7'",
        "FW1002 2:16 no register is named 'FOO'",
        "FW1007 2:27 99999999999 does not fit in 32 bits",
        "FW1001 4:17 this instruction is not supported: 'MOVE'",
        "FW1001 4:32 this row has more cells than the 2 threads",
        "FW1001 5:2 the destination cannot be a number: 'MOV'",
        "FW1002 5:21 no label is named 'away'",
        "FW1001 6:2 one instruction cannot have two memory cells: 'MOV'",
        "FW1001 6:21 registers of 8 and 16 bits are not supported: 'AL'",
        "FW1001 7:2 'mov' cannot be locked: 'LOCK'",
        "FW1001 7:20 this instruction is not supported: 'CALL'",
        "FW1003 9:2 label 'L' is declared twice",
        "FW1001 9:11 only one name may stand in a cell; ']' is missing before this: '+'",
        "FW1001 9:31 the instruction should end here: 'MFENCE'",
        "FW1001 11:1 ')' is missing here",
      ]
    `);
  });

  test.each([
    ['', 'FW1004 the input is empty'],
    ['\0', 'FW1005 the input is not a text file'],
    ['X86 SB\nP0 ;\n', 'FW1001 1:4 the initial state is missing'],
    ['ARM SB\n{ }\n', "FW1012 1:1 litmus tests of the architecture 'ARM' are not supported"],
    ['X86 t\n{ }\n', 'FW1001 2:4 the instructions are missing'],
    ['X86 t\n{ }\n P0 | Q ;\n', 'FW1001 3:7 the first row names the threads'],
    ['X86 t\n{ }\n P0 | P0 ;\n', "FW1003 3:7 thread 'P0' is declared twice"],
    [
      'X86 t\n{ }\n P0 ;\n JE L ;\n L: NOP ;\n',
      'FW1010 4:2 nothing sets the flags before this jump',
    ],
  ])('%j', (text, expected) => {
    expect(errorsOf(text)).toEqual([expected]);
  });

  test('mutated texts never make it throw', () => {
    const pieces = [
      '{',
      '}',
      ';',
      '|',
      'P0',
      'MOV',
      '[',
      ']',
      '$',
      'x',
      '(*',
      '*)',
      '<<',
      'LOCK',
      'exists',
      '/\\',
      ':',
      ',',
      '1',
      '\n',
      '%rax',
      'JNE L',
      'L:',
      '\u2028',
      'C ',
    ];
    const edit = fc.record({
      at: fc.nat(400),
      drop: fc.nat(12),
      piece: fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 4 })),
    });
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 6 }), fc.boolean(), (edits, is64) => {
        let text = is64 ? sb.replace('X86', 'X86_64') : sb;
        for (const { at, drop, piece } of edits)
          text = text.slice(0, at) + piece + text.slice(at + drop);
        const { model, diagnostics } = parseLitmus(text);
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
});
