import { finiteProgram } from '../../src/program/model.js';
import { describe, expect, it } from 'vitest';
import { lintProgram } from '../../src/analysis/lint-program.js';
import { parseTrencher } from '@fencewright/languages/trencher/parse-trencher.js';
import type { Instruction } from '../../src/program/instruction.js';
import type { Program } from '../../src/program/program.js';

/**
 * Code, one-based line and quoted names of each warning; line i of `lines` is the text's line i +
 * 3.
 */
function lintOf(...lines: string[]): string[] {
  const text = ['thread t', 'initial q0', ...lines.map((line) => `transition ${line}`), 'end'];
  const { model } = parseTrencher(text.join('\n'));
  const program = finiteProgram(model);
  if (!program) throw new Error('no program');
  return warningsOf(program);
}

function warningsOf(program: Program): string[] {
  return lintProgram(program).map(({ code, span, message }) => {
    const names = [...message.matchAll(/'([^']*)'/g)].map(([, name]) => name);
    return [code, span ? String(span.start.line + 1) : '-', ...names].join(' ');
  });
}

describe('labels', () => {
  it('has nothing to say about an ordinary thread', () => {
    expect(lintOf('q0 q1 write 1 0', 'q1 q2 read r 1', 'q2 q0 check == r 0')).toEqual([]);
  });

  it('finds the gap that hides the rest of a thread', () => {
    expect(
      lintOf(
        'q0 q1 write 1 0',
        'q1 q2 read r 1',
        'q2 q3 check r',
        // q3 to q4 is missing.
        'q4 q5 read s 0',
        'q5 q0 check ! s',
        'q5 q6 check s',
      ),
    ).toEqual(['FW2002 5 t q3', 'FW2001 6 q4 t', 'FW2001 6 q5 t', 'FW2001 8 q6 t']);
  });

  it('finds a label without a way out where the rest is reached by a branch', () => {
    expect(
      lintOf(
        'q0 q1 read r 1',
        'q1 q2 check r',
        'q1 q5 check ! r',
        'q2 q3 write 1 0',
        'q3 q4 mfence',
        // q4 to q5 is missing.
        'q5 q6 write 2 0',
        'q6 q7 unlock',
      ),
    ).toEqual(['FW2002 7 t q4']);
  });

  it('does not doubt several ends', () => {
    expect(
      lintOf(
        'q0 q1 read r 1',
        'q1 success check r',
        'q1 q2 check ! r',
        'q2 q3 write 1 0',
        'q3 success unlock',
        'q2 q4 lock',
        'q4 failure unlock',
      ),
    ).toEqual([]);
    expect(
      lintOf(
        'q0 q1 read r 1',
        'q1 q2 check r',
        'q1 q3 check ! r',
        'q2 success unlock',
        'q3 q4 lock',
        'q4 failure unlock',
      ),
    ).toEqual([]);
    expect(
      lintOf('q0 q1 check 1', 'q0 q2 check 1', 'q1 q8 unlock', 'q2 q3 lock', 'q3 q9 unlock'),
    ).toEqual([]);
  });

  it('does not doubt a return before the text goes back to the other branch', () => {
    expect(
      lintOf(
        'q0 u1 read r 0',
        'u1 u2 check r',
        'u2 u4 unlock',
        'u1 u5 check ! r',
        'u5 u6 unlock',
        'u6 u5 noop',
      ),
    ).toEqual([]);
  });

  it('does not doubt the only end, nor a thread that ends at once', () => {
    expect(lintOf('q0 q1 noop', 'q1 d check 1', 'q1 q2 check 1', 'q2 q0 unlock')).toEqual([]);
    expect(lintOf()).toEqual([]);
  });
});

describe('registers', () => {
  it('names a register that is never written, once and at its first use', () => {
    expect(lintOf('q0 q1 write x y', 'q1 q2 write y 0', 'q2 q3 local x 1')).toEqual([
      'FW2003 3 y t',
    ]);
  });

  it('does not ask for the order of write and read', () => {
    expect(lintOf('q0 q1 check < i 3', 'q1 q0 local i + i 1')).toEqual([]);
  });
});

describe('stores', () => {
  it('names stores to addresses that cannot be told, not loads', () => {
    expect(
      lintOf('q0 q0 local i + i 1', 'q0 q1 write 1 i', 'q1 q2 read j i', 'q2 q3 write 1 & j 3'),
    ).toEqual(['FW2004 4 t']);
  });

  it('follows pointers before it warns', () => {
    expect(lintOf('q0 q1 write 5 0', 'q1 q2 read p 0', 'q2 q3 write 1 + p 1')).toEqual([]);
  });
});

describe('what front ends make', () => {
  const thread = (hidden: boolean): Program => {
    const instructions: Instruction[] = [
      { kind: 'havoc', into: 1 },
      {
        kind: 'rmw',
        address: { kind: 'register', register: 1 },
        operation: { name: 'xchg', operands: [{ kind: 'register', register: 0 }] },
      },
    ];
    return {
      name: 'p',
      symbols: [],
      properties: [],
      threads: [
        {
          name: 't',
          registers: [
            { name: 'a', hidden },
            { name: 'b', hidden },
          ],
          locations: ['start', 'middle', 'lost', 'end'].map((name) => ({ name, hidden })),
          initial: 0,
          transitions: instructions.map((instruction, i) => ({
            from: i,
            to: i === 0 ? 1 : 3,
            instruction,
            origin: {},
          })),
        },
      ],
    };
  };

  it('is passed over', () => {
    expect(warningsOf(thread(true))).toEqual(['FW2004 - t']);
    expect(warningsOf(thread(false))).toEqual(['FW2001 - lost t', 'FW2003 - a t', 'FW2004 - t']);
  });
});
