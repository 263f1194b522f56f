import type { CToken } from './c-token.js';

/** Returns the names of the headers that a text includes. */
export function headersOf(tokens: readonly CToken[]): ReadonlySet<string> {
  const names = tokens.map(({ kind, text }) =>
    kind === 'directive' ? /^#\s*include\s*[<"]([^>"]+)[>"]/.exec(text)?.[1] : undefined,
  );
  return new Set(names.filter((name) => name !== undefined));
}

/** Returns the names of the headers that a text includes in quotes: those beside the text. */
export function headersBeside(tokens: readonly CToken[]): readonly string[] {
  return tokens.flatMap(({ kind, text }) =>
    kind === 'directive' ? (/^#\s*include\s*"([^"]+)"/.exec(text)?.[1] ?? []) : [],
  );
}

/** Whether one of the headers provides the macros of the Linux kernel. */
export function hasKernelMacros(headers: ReadonlySet<string>): boolean {
  return [...headers].some((each) => /^(?:linux|asm)\/|^lkmm\.h$/.test(each));
}
