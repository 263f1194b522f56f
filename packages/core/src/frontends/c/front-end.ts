import type { FrontEnd } from '../../program/front-end.js';
import { notSupported } from '../../source/diagnostic.js';

/** C and C++: a compiler has to make LLVM IR of it first, which is for who can start one. */
export const c = {
  id: 'c',
  extensions: ['.c', '.cc', '.cpp', '.cxx', '.i'],
  title: 'C and C++, through clang',
  isNameless: true,
  parse: () => {
    const hint = "give the LLVM IR that 'clang -O0 -S -emit-llvm' makes of it";
    const diagnostic = notSupported(undefined, 'C needs clang, which cannot be run here', hint);
    return Promise.resolve({ diagnostics: [diagnostic] });
  },
} as const satisfies FrontEnd;
