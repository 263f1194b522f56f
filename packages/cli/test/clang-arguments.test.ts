import { expect, test } from 'vitest';
import { clangValues } from '../src/options/clang-arguments.js';

test.each([
  [['-Iinclude', '-I', 'src'], { include: ['include', 'src'] }],
  [['-DA=1', '-D', 'B'], { define: ['A=1', 'B'] }],
  [['-std=c11', '-std=c17'], { std: 'c17' }],
  [['-Wall', '-include', 'x.h', '-DA'], { define: ['A'], ccArg: ['-Wall', '-include', 'x.h'] }],
  // The order of macros matters where one is taken away.
  [['-DA', '-UA', '-Ii'], { include: ['i'], ccArg: ['-DA', '-UA'] }],
  // Nothing follows: clang is asked, and says so.
  [['-I'], { ccArg: ['-I'] }],
])('%j are sorted', (args, values) => {
  expect(clangValues(args)).toEqual(values);
});
