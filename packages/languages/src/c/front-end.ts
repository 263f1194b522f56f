import type { FrontEnd } from '@fencewright/model/program/front-end.js';

/**
 * The front end for C and C++: a compiler has to translate the text to LLVM IR first, so the caller
 * has to be able to start a compiler.
 */
export const c = {
  id: 'c',
  extensions: ['.c', '.cc', '.cpp', '.cxx', '.i'],
  title: 'C and C++, through clang',
  isNameless: true,
  needsCompiler: true,
  isCompiled: true,
  keepsOrders: true,
  mayBeWhole: (text) => /\bmain\b/.test(text),
  parse: async () => (await import('./needs-clang.js')).needsClang(),
  edit: async (_, program) => (await import('./unmarked-editor.js')).unmarkedEditor(program),
} as const satisfies FrontEnd;
