import { expect, test } from 'vitest';
import { fence } from '../../../core/src/api/fence.js';
import { parseNative } from '@fencewright/languages/native/parse-native.js';
import { finiteProgram } from '@fencewright/model/program/model.js';
import type { Program } from '@fencewright/model/program/program.js';

/**
 * Returns store buffering whose first thread has the statements `body`: lines such as `lock: x = 1;
 * // place`, which is in an inlined call of `lock`; `f g: ...` is in `g`, called by `f`.
 */
function programOf(body: readonly string[]): Program {
  const lines = body.map((line) => /^([\w ]*):(.*)$/.exec(line)!);
  const text = `program p
var x, y, z, w
thread t {
  local r, i;
${lines.map(([, , statement]) => statement!).join('\n')}
}
thread u {
  local r;
  y = 1;
  r = x;
}
`;
  const program = finiteProgram(parseNative(text).model)!;
  const [first, ...others] = program.threads;
  const transitions = first!.transitions.map((step) => {
    const line = step.origin.span!.start.line - 4;
    const calls = lines[line]?.[1]?.split(' ').filter((name) => name !== '') ?? [];
    const inner = calls.toReversed().map((name) => ({ function: name }));
    return { ...step, origin: { ...step.origin, ...(inner.length > 0 && { calls: inner }) } };
  });
  return { ...program, threads: [{ ...first!, transitions }, ...others] };
}

/** Returns the line of `body` before which the fence of the first thread is placed. */
async function placeIn(body: readonly string[]): Promise<string | undefined> {
  const program = programOf(body);
  const { verdict } = await fence(program);
  if (verdict.kind !== 'found') return expect.fail(verdict.kind);
  expect(verdict.cost).toBe(2);
  const [repair] = verdict.repairs;
  if (repair?.kind !== 'fence' || repair.thread !== 0) return expect.fail(JSON.stringify(repair));
  const { transitions } = program.threads[0]!;
  const step = transitions.find(({ from }) => from === repair.location);
  return body[step!.origin.span!.start.line - 4];
}

test.each([
  [
    'at the end of the function with the store, not in its caller',
    ['lock: i = z;', 'lock: x = 1;', 'lock: i = 0; // place', ': i = 1;', ': r = y;'],
  ],
  [
    'at the top of the function that leads to the load, not in its caller',
    [': x = 1;', ': i = 0;', 'scan: i = 1; // place', 'scan in_use: r = y;', 'scan: z = 1;'],
  ],
  [
    'in the function with both accesses, not in a function called between them',
    [': x = 1;', 'log: i = z;', 'log: w = i;', ': r = y; // place'],
  ],
  [
    'in the function with both accesses, deep in calls',
    ['f: x = 1;', 'f g: z = 1;', 'f g: w = 1;', 'f: i = 1;', 'f: r = y; // place', ': i = 2;'],
  ],
  [
    'not in functions that only wrap one access',
    ['set: x = 1;', 'set: i = 0;', ': i = 1; // place', 'get: i = 2;', 'get: r = y;'],
  ],
  [
    'not in a wrapper within a function, but in the function',
    ['lock: i = z;', 'lock set: x = 1;', 'lock set: i = 0;', 'lock: i = 1; // place', ': r = y;'],
  ],
])('a fence is %s', async (_, body) => {
  expect(await placeIn(body)).toContain('// place');
});
