import { Budget } from '@fencewright/ground/base/budget.js';
import type { C11Result } from '@fencewright/model/verdict/c11-result.js';
import type { Program } from '@fencewright/model/program/program.js';
import { expect, test } from 'vitest';
import { checkC11 } from '../../engines/src/c11/check-c11.js';
import { programOf } from '../../engines/test/robustness/native-program.js';
import { c11Report } from '../src/text/c11.js';
import { plainPalette } from '../src/text/palette.js';

async function reported(source: string): Promise<string> {
  const program: Program = programOf(source);
  const result: C11Result = await checkC11(program, 'c11', new Budget());
  return c11Report({ file: 'p.fw', source, program }, result, { palette: plainPalette });
}

/** Message passing whose flag is stored twice: by `first`, and relaxed. */
const passing = (first: string, data: string): string => `var ${data} x
var y
thread a { x = 1; store(y, 1, ${first}); store(y, 2, relaxed); }
thread b { local r; await (load(y, acquire) == 2); r = x; }`;

const ended =
  'In C++20 ([intro.races]), the store of 2 by a at line 4 ends the release sequence of the store of 1 by a at line 4.';

test.each([
  ['an execution that older standards exclude', 'release', '', true],
  ['an execution that no standard excludes', 'relaxed', '', false],
  ['a race that older standards exclude', 'release', 'plain', true],
  ['a race that no standard excludes', 'relaxed', 'plain', false],
])('%s', async (_, first, data, isNamed) => {
  const text = await reported(passing(first, data));
  expect(text).toContain(data === '' ? 'is not robust' : 'data race');
  expect(text.includes(ended)).toBe(isNamed);
});

test('load buffering is told by what allows it', async () => {
  const text = await reported(`var x, y
    thread a { local r; r = load(x, relaxed); store(y, 1, relaxed); }
    thread b { local r; r = load(y, relaxed); store(x, 1, relaxed); }`);
  expect(text).toContain('C++20 allows this execution ([atomics.order])');
  expect(text).toContain('the strict model RC20 excludes it');
});
