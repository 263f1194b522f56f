import { finiteProgram } from '@fencewright/model/program/model.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomRuns, randomSeed } from '../../../../tools/random-runs.js';
import { check } from '../../../core/src/api/check.js';
import { reach } from '../../../core/src/api/reach.js';
import { parseLitmus } from '../../src/litmus/parse-litmus.js';
import { printLitmus } from '../../src/litmus/print-litmus.js';
import { constant } from '@fencewright/model/program/expression.js';
import type { Instruction } from '@fencewright/model/program/instruction.js';
import type { Program } from '@fencewright/model/program/program.js';
import { sameAutomata } from '@fencewright/model/program/same-automata.js';
import { randomProgram } from '@fencewright/reference/testing/random-program.js';
import { programOf } from '../../../engines/test/robustness/native-program.js';

function parse(text: string): Program {
  const { model, diagnostics } = parseLitmus(text);
  const program = finiteProgram(model);
  if (!program) throw new Error(`${diagnostics.map(({ message }) => message).join('; ')}\n${text}`);
  return program;
}

function print(program: Program): string {
  const { text, diagnostics } = printLitmus(program);
  if (text === undefined) throw new Error(diagnostics.map(({ message }) => message).join('; '));
  return text;
}

test('a program in the native language as a litmus test', () => {
  const program = programOf(`var x = 1, flag[2]
    thread left { local r; flag[0] = 1; r = flag[1]; if (r == 0) { x = r + 2; } }
    thread right { local r; flag[1] = 1; fence; r = xchg(x, 5); fetch_add(flag[0], 2); }
    property asked: exists (right.r == 1 && x != 5)`);
  expect(print(program)).toMatchInlineSnapshot(`
    "X86 Test
    "P0 is left, P1 is right"
    { x=1; flag0=0; flag1=0; }
     P0              | P1                  ;
     MOV [flag0],$1  | MOV [flag1],$1      ;
     MOV EAX,[flag1] | MFENCE              ;
     CMP EAX,$0      | MOV EAX,$5          ;
     JNE L0          | XCHG [x],EAX        ;
     MOV EBX,EAX     | LOCK ADD [flag0],$2 ;
     ADD EBX,$2      |                     ;
     MOV [x],EBX     |                     ;
     L0: NOP         |                     ;
    exists ((1:EAX=1) /\\ (~([x]=5)))
    "
  `);
});

describe('reading back gives the same automata', () => {
  test.each([
    [
      'store buffering',
      'MOV [x],$1 | MOV [y],$1 ;\nMFENCE | ;\nMOV EAX,[y] | MOV EAX,[x] ;\nexists (0:EAX=0 /\\ 1:EAX=0)',
    ],
    ['exchanges', 'MOV EAX,$1 | MOV EBX,[x] ;\nXCHG [x],EAX | LOCK INC [x] ;\n~exists (0:EAX=1)'],
    ['unlocked updates', 'INC [x] | OR [x],$4 ;\nADD [y],EAX | ;\nforall (x=1 \\/ x=5)'],
    [
      'jumps',
      'L0: MOV EAX,[x] | MOV [x],$1 ;\nCMP EAX,$0 | JMP E1 ;\nJE L0 | MFENCE ;\nMOV EBX,[y] | E1: MOV [y],$1 ;\nexists (0:EBX=0)',
    ],
  ])('%s', (_, rows) => {
    const program = parse(`X86 t\n{ x=0; y=0; }\nP0 | P1 ;\n${rows}\n`);
    const again = parse(print(program));
    expect(sameAutomata(again, program)).toBe(true);
    expect(again.properties.map(({ kind, condition }) => ({ kind, condition }))).toEqual(
      program.properties.map(({ kind, condition }) => ({ kind, condition })),
    );
  });
});

/** The values of the locations in all final states, under SC and under TSO. */
async function finals(program: Program): Promise<readonly string[]> {
  const { sc, tso } = await reach(program);
  expect(tso.incomplete).toBeUndefined();
  return [sc, tso].map(({ finalStates }) =>
    [
      ...new Set(
        finalStates.map(({ memory }) =>
          program.symbols.map(({ base }) => memory.get(base) ?? 0).join(),
        ),
      ),
    ]
      .sort()
      .join(' '),
  );
}

describe('what an instruction does', () => {
  test.each([
    'r = x; y = r - 1 + (r & 2);',
    'r = 5; q = -r; y = ~q ^ 3;',
    'r = 2; r = 7 - r; q = r - (r - 1); x = q;',
    'r = fetch_add(x, 3); q = fetch_sub(x, r + 1);',
    'r = cas(x, 0, 4); q = cas(x, 0, 5);',
    'cas(x, 1, 9); fetch_or(x, 8); fetch_xor(x, 2); fetch_and(x, 14); fetch_sub(x, 1);',
    'r = xchg(x, y); xchg(y, r + 1);',
    'while (r < 3) { r = r + 1; } q = r == 3;',
    'if (r == 0 && !(q > 1) || q == 7) { x = 1; } else { x = 2; }',
    'q = !r; r = q && (r == 0 || q == 5); x = r;',
    'assume(r == 0); x = 1; assume(q != 0); x = 2;',
    'loop { r = r + 1; if (r == 2) break; } x = r;',
    'atomic { r = x; x = r + 2; } q = r;',
    'atomic { r = x; x = q + r; }',
    'q = 3; atomic { r = y; y = r - q; }',
    'atomic { x = 4 | x; } q = x;',
    'q = x; choose { assume(q == 0 || q < 1 && r != 3); r = 1; } or { assume(q != 0 && (q >= 1 || r == 3)); r = 2; }',
  ])('%s', async (code) => {
    const program = programOf(`var x, y, lastR, lastQ
      thread t { local r, q; ${code} lastR = r; lastQ = q; }
      thread u { local r; r = x; y = r; }`);
    const again = parse(print(program));
    expect(await finals(again)).toEqual(await finals(program));
  });
});

/**
 * Returns the program with only instructions of X86: others are removed or replaced by plain ones.
 */
function plain(program: Program): Program {
  const simple = (instruction: Instruction): Instruction => {
    switch (instruction.kind) {
      case 'lock':
      case 'unlock':
        return { kind: 'fence' };
      case 'havoc':
        return { kind: 'assign', into: instruction.into, value: constant(1) };
      case 'store':
      case 'load':
        return instruction.address.kind === 'constant'
          ? instruction
          : { ...instruction, address: constant(0) };
      case 'rmw': {
        const { into, ...rest } = instruction;
        const keeps = into !== undefined && !instruction.operation.name.startsWith('fetch_');
        const address = instruction.address.kind === 'constant' ? instruction.address : constant(1);
        return { ...rest, address, ...(keeps && { into }) };
      }
      default:
        return instruction;
    }
  };
  return {
    ...program,
    threads: program.threads.map((thread) => ({
      ...thread,
      transitions: thread.transitions.map((transition) => ({
        ...transition,
        instruction: simple(transition.instruction),
      })),
    })),
  };
}

test('random programs keep their verdict', async () => {
  const counts = { printed: 0, refused: 0, robust: 0, 'not-robust': 0, unknown: 0, error: 0 };
  await fc.assert(
    fc.asyncProperty(randomProgram({ maxThreads: 3 }), async (wild) => {
      const program = plain(wild);
      const { text } = printLitmus(program);
      if (text === undefined) {
        counts.refused += 1;
        return;
      }
      counts.printed += 1;
      const { verdict } = await check(program);
      counts[verdict.kind] += 1;
      expect((await check(parse(text))).verdict.kind, text).toBe(verdict.kind);
    }),
    {
      numRuns: randomRuns(500, 10_000),
      seed: randomSeed(1),
    },
  );
  expect(counts.printed).toBeGreaterThan(counts.refused / 2);
  expect(Math.min(counts.robust, counts['not-robust'])).toBeGreaterThan(counts.printed / 10);
});

describe('what the format cannot hold', () => {
  test.each([
    ['x = r * 2;', "'*' has no instruction"],
    ['x = r +% 2;', "'+%' has no instruction"],
    ['x = i8(r);', "'i8' has no instruction"],
    ['x = u8(r *% 3) - 1;', "'*%' has no instruction"],
    ['if (r <% 2) x = 1;', "'<%' has no instruction"],
    ['x = &y;', 'no notation for an address as a value'],
    ['r = mem[x];', 'this address is unknown before the program runs'],
    ['choose { x = 1; } or { x = 2; }', 'X86 has no free choice'],
    ['havoc r in 0..1;', 'a free choice'],
    ['atomic { x = 1; y = 1; }', 'X86 holds the bus lock for one instruction only'],
    ['r = fetch_xor(x, 1);', 'no single instruction gives the old value'],
    ['fetch_max(x, 1);', 'there is no instruction for fetch_max'],
    ['local a, b, c, d, e, f, g, h; x = a;', 'more registers than X86 has'],
  ])('%s', (code, message) => {
    const { text, diagnostics } = printLitmus(programOf(`var x, y\nthread t { local r; ${code} }`));
    expect(text).toBeUndefined();
    expect(diagnostics.map((diagnostic) => diagnostic.message).join()).toContain(message);
  });

  test('but conversions without sign are masks', () => {
    const { text } = printLitmus(programOf('var x, y\nthread t { local r; r = x; y = u8(r); }'));
    expect(text).toMatch(/AND E[A-D]X,\$255/);
  });

  test('is left out with a note where the verdict stays', () => {
    const { text, diagnostics } = printLitmus(
      programOf(`var eax, exists0
        thread t { local r; r = eax; assert(r == 0); here: exists0 = 1; }
        property safe: never (t @ here)
        property large: finally (exists0 > 0)
        property asked: finally (exists0 == 1)`),
    );
    expect(diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'FW2006 assertions do not exist in this format',
      "FW2006 property 'safe' does not exist in this format",
      "FW2006 property 'large' does not exist in this format",
    ]);
    expect(text).toContain('[eax_]');
    expect(text).toContain('forall ([exists0]=1)');
  });
});
