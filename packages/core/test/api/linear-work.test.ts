import { describe, expect, test } from 'vitest';
import { createWasmZ3 } from '@fencewright/ground/solvers/z3-wasm.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { decide } from '../../src/api/decide.js';
import type { Question } from '../../src/api/question.js';
import type { Model } from '@fencewright/model/program/model.js';

/** Returns `n` pieces of text, each made from its number. */
function pieces(n: number, piece: (i: number) => string): string {
  return Array.from({ length: n }, (_, i) => piece(i)).join('\n');
}

/** Makers of programs of a given size: states and undecided attacks grow with the size. */
const programs: Readonly<Record<string, (n: number) => string>> = {
  'threads in a ring that drain': (n) =>
    `var x[${n}]
     ${pieces(n, (t) => `thread t${t} { local r; x[${t}] = 1; fence; r = x[${(t + 1) % n}]; }`)}`,
  'a long thread of stores and one of loads': (n) =>
    `var a, b
     thread p { ${pieces(n, (i) => `a = ${i % 3}; b = ${(i + 1) % 3};`)} }
     thread q { local r; ${pieces(n, () => 'r = b; r = a;')} }`,
  'two threads that take turns': (n) =>
    `var a, b
     thread p { ${pieces(n, (i) => `a = ${(i % 3) + 1}; fence; while (b != ${(i % 3) + 1}) { }`)} }
     thread q { ${pieces(n, (i) => `while (a != ${(i % 3) + 1}) { } b = ${(i % 3) + 1}; fence;`)} }`,
  'a long computation of its own': (n) =>
    `var a, b
     thread p { local r, s; r = b;
       ${pieces(n, (i) => `if (r == ${i % 4}) { s = s + 1; if (s > 3) { s = 0; } }`)} a = s; }
     thread q { local r; r = a; fence; b = r; }`,
  'a flag for each step': (n) =>
    `var f[${n}]
     thread p { ${pieces(n, (i) => `f[${i}] = 1;`)} }
     thread q { local r; ${pieces(n, (i) => `do { r = f[${i}]; } while (r == 0);`)} }`,
  'cells of its own for each step': (n) =>
    `var a[${n}], b[${n}]
     thread p { ${pieces(n, (i) => `a[${i}] = 1; fence;`)} }
     thread q { local r; ${pieces(n, (i) => `r = a[${i}]; b[${i}] = r; fence;`)} }`,
};

const solver = createWasmZ3();

/** The most work that a test may do; no test needs it. */
const effort = 1e12;

/** The work of a question: states and visits as the meter counts them, and instructions read. */
interface Work {
  readonly metered: number;
  readonly read: number;
}

async function workOf(text: (n: number) => string, n: number, kind: string): Promise<Work> {
  const source = `program P\n${text(n)}`;
  const { model } = parseNative(source);
  if (model?.kind !== 'finite') throw new Error(source);
  let read = 0;
  const threads = model.program.threads.map((thread) => ({
    ...thread,
    transitions: thread.transitions.map(({ instruction, ...rest }) => ({
      ...rest,
      get instruction() {
        read++;
        return instruction;
      },
    })),
  }));
  const counted: Model = { ...model, program: { ...model.program, threads } };
  const question = (
    kind === 'fence' ? { kind, text: { format: 'native', source } } : { kind }
  ) as Question;
  const meter = { left: effort };
  const createSmtSolver = () => Promise.resolve(solver);
  await decide(counted, question, { effort, meter }, { createSmtSolver });
  return { metered: effort - meter.left, read };
}

/**
 * The maximum number of states that `check` explores besides the search, for faults and for dead
 * code, and the work for these states. Both are constants, which the product of long threads
 * reaches.
 */
const sideLook = 110_000;

/** Programs with a number of states that grows with the size: `reach` stores all of them. */
const ofFewStates = ['two threads that take turns', 'a long computation of its own'];

const asked = Object.keys(programs).flatMap((name) =>
  ['check', 'explain', 'fence', ...(ofFewStates.includes(name) ? ['reach'] : [])].map(
    (kind) => [kind, name] as const,
  ),
);

describe('a program of four times the size', () => {
  test.each(asked)('takes %s at most five times the work: %s', async (kind, name) => {
    const few = await workOf(programs[name]!, 25, kind);
    const many = await workOf(programs[name]!, 100, kind);
    expect(few.read).toBeGreaterThan(25);
    expect(many.read).toBeLessThanOrEqual(5 * few.read);
    expect(many.metered).toBeLessThanOrEqual(Math.max(5 * few.metered, sideLook));
  });
});
