import { expect, test } from 'vitest';
import { clangValues } from '../src/options/clang-arguments.js';

test.each([
  [['-Iinclude', '-I', 'src'], { include: ['include', 'src'] }],
  [['-DA=1', '-D', 'B'], { define: ['A=1', 'B'] }],
  [['-std=c11', '-std=c17'], { std: 'c17' }],
  [['-Wall', '-include', 'x.h', '-DA'], { define: ['A'], ccArg: ['-Wall', '-include', 'x.h'] }],
  // The order of macros matters if one of them is undefined.
  [['-DA', '-UA', '-Ii'], { include: ['i'], ccArg: ['-DA', '-UA'] }],
  // The argument of `-I` is missing: clang reports the error.
  [['-I'], { ccArg: ['-I'] }],
])('%j are sorted', (args, values) => {
  expect(clangValues(args)).toEqual(values);
});
