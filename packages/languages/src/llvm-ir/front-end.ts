import type { FrontEnd } from '@fencewright/model/program/front-end.js';

/**
 * The front end for LLVM IR from clang: a whole program in one file, with calls of known functions.
 */
export const llvmIr = {
  id: 'llvm-ir',
  extensions: ['.ll'],
  title: 'LLVM IR, as clang -S -emit-llvm writes it',
  isNameless: true,
  isCompiled: true,
  keepsOrders: true,
  mayBeWhole: (text) => /^define\b.*@main\(/m.test(text),
  parse: async (text) => (await import('./parse-llvm-ir.js')).parseLlvmIr([{ file: '', text }], {}),
} as const satisfies FrontEnd;
