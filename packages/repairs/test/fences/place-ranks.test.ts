import { expect, test } from 'vitest';
import { computeLoopDepths } from '@fencewright/model/analysis/loop-depths.js';
import { fence } from '../../../core/src/api/fence.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import type { Program } from '@fencewright/model/program/program.js';

function programOf(text: string): Program {
  const { model, diagnostics } = parseNative(text);
  const program = finiteProgram(model);
  if (!program) throw new Error(JSON.stringify(diagnostics).slice(0, 500));
  return program;
}

/** Returns the lines, from 1, of the chosen fences. */
async function linesOf(program: Program): Promise<readonly (number | undefined)[]> {
  const { verdict } = await fence(program);
  if (verdict.kind !== 'found') return expect.fail(verdict.kind);
  return verdict.repairs.map((repair) => {
    if (repair.kind !== 'fence') return expect.fail(repair.kind);
    const { transitions } = program.threads[repair.thread]!;
    const step = transitions.find(({ from }) => from === repair.location);
    const line = step?.origin.span?.start.line;
    return line === undefined ? undefined : line + 1;
  });
}

test('a location is in each loop whose head it leads back to', () => {
  const program = programOf(`program p
var x
thread t {
  local a, b;
  a = 0;
  while (a < 2) {
    b = 0;
    while (b < 2) { x = b; b = b + 1; }
    a = a + 1;
  }
  x = 3;
}
`);
  const [thread] = program.threads;
  const depths = computeLoopDepths(thread!);
  const depthOf = (line: number): number =>
    depths[thread!.transitions.find(({ origin }) => origin.span?.start.line === line - 1)!.from]!;
  // Lines of the text, from 1: before the loops, in the outer loop, in both, after them.
  expect([5, 7, 9, 11].map((line) => depthOf(line))).toEqual([0, 1, 1, 0]);
  expect(Math.max(...depths)).toBe(2);
});

const between = (first: string, second: string): string => `program p
var x, y
thread t {
  local r, i;
  x = 1;
${first}
  r = y;
}
thread u {
  local r, i;
  y = 1;
${second}
  r = x;
}
`;

test('before the load rather than behind the store', async () => {
  expect(await linesOf(programOf(between('  i = 1;', '  i = 2;')))).toEqual([7, 13]);
});

test('outside of a loop rather than in it, which no place on the way can be spared of', async () => {
  // The only load is in a loop. The place before this loop is directly behind the store.
  const text = `program p
var x, y
thread t {
  local r;
  x = 1;
  r = 0;
  while (r == 0) { r = y; }
}
thread u {
  local r;
  y = 1;
  r = x;
}
`;
  expect(await linesOf(programOf(text))).toEqual([6, 12]);
});
