import type { FrontEnd } from '@fencewright/model/program/front-end.js';

/** What clang makes of C: a whole program in one file, with the functions that this tool knows. */
export const llvmIr = {
  id: 'llvm-ir',
  extensions: ['.ll'],
  title: 'LLVM IR, as clang -S -emit-llvm writes it',
  isNameless: true,
  isCompiled: true,
  parse: async (text) => (await import('./parse-llvm-ir.js')).parseLlvmIr([{ file: '', text }], {}),
} as const satisfies FrontEnd;
