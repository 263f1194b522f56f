import { refusedArgument } from './cc-arguments.js';
import type { Clang } from './find-clang.js';
import { type ClangOptions, type ClangOutput, type CUnit, runClang } from './compile-c.js';
import type { CxxHeader, Header } from './header-types.js';

/** The maximum size of a syntax tree that is read, in characters. */
const largestTree = 256 * 1024 * 1024;

/**
 * Lets clang read a header in C; returns the header's functions, or the reason why there are none.
 */
export async function readHeader(
  clang: Clang,
  unit: CUnit,
  options: ClangOptions,
): Promise<Header | Exclude<ClangOutput, { kind: 'output' }>> {
  const ran = await syntaxTree(clang, unit, options);
  if (ran.kind !== 'output') return ran;
  const { headerOf } = await import('./header-functions.js');
  return headerOf(ran.text);
}

/** Returns clang's syntax tree of a file as JSON, or the reason why there is none. */
async function syntaxTree(clang: Clang, unit: CUnit, options: ClangOptions): Promise<ClangOutput> {
  const refused = refusedArgument(unit.ccArgs ?? []);
  if (refused) return { kind: 'forbidden', ...refused };
  const signal = options.signal ?? new AbortController().signal;
  const sized = { ...options, maxOutput: largestTree };
  const further = [
    '-Wno-unused-command-line-argument',
    '-fsyntax-only',
    '-Xclang',
    '-ast-dump=json',
  ];
  return runClang(clang, unit, sized, signal, further);
}

/**
 * Lets clang read a header in C++; returns the header's classes and functions, or the reason why
 * there are none.
 */
export async function readCxxHeader(
  clang: Clang,
  unit: CUnit,
  options: ClangOptions,
): Promise<CxxHeader | Exclude<ClangOutput, { kind: 'output' }>> {
  const ran = await syntaxTree(clang, unit, options);
  if (ran.kind !== 'output') return ran;
  const { cxxHeaderOf } = await import('./header-classes.js');
  return cxxHeaderOf(ran.text);
}
