import { quoteArgument } from '@fencewright/core';

/** Arguments for clang with the same effect as options, by the names of the options. */
export interface ClangValues {
  readonly include?: readonly string[];
  readonly define?: readonly string[];
  readonly std?: string;
  readonly ccArg?: readonly string[];
}

/**
 * Returns the value of the option `flag` at index `i` of the arguments, and the index after the
 * value. The value is in the same argument or in the next argument; `undefined` if there is none.
 */
function valueAt(
  args: readonly string[],
  i: number,
  flag: string,
): readonly [value: string, next: number] | undefined {
  const arg = args[i] ?? '';
  if (!arg.startsWith(flag)) return undefined;
  if (arg.length > flag.length) return [arg.slice(flag.length), i + 1];
  const value = args[i + 1];
  return value === undefined || flag.endsWith('=') ? undefined : [value, i + 2];
}

/**
 * Sorts arguments for clang: header folders (`-I`), macros (`-D`) and the language version
 * (`-std=`) become options of this tool, and other arguments are passed on. With a `-U` among the
 * arguments, macros are passed on as well, since their order then matters.
 */
export function clangValues(args: readonly string[]): ClangValues {
  const include: string[] = [];
  const define: string[] = [];
  const ccArg: string[] = [];
  let std: string | undefined;
  const keepsMacros = args.some((arg) => arg.startsWith('-U'));
  for (let i = 0; i < args.length;) {
    const folder = valueAt(args, i, '-I');
    const macro = keepsMacros ? undefined : valueAt(args, i, '-D');
    const version = valueAt(args, i, '-std=');
    if (folder) include.push(folder[0]);
    else if (macro) define.push(macro[0]);
    else if (version) std = version[0];
    else ccArg.push(args[i]!);
    i = (folder ?? macro ?? version)?.[1] ?? i + 1;
  }
  return {
    ...(include.length > 0 && { include }),
    ...(define.length > 0 && { define }),
    ...(std !== undefined && { std }),
    ...(ccArg.length > 0 && { ccArg }),
  };
}

/** Whether an option looks like one of clang: `-Iinclude`, `-DNAME`, `-std=c17`. */
export function looksLikeClang(option: string): boolean {
  return /^-([DIUWfm].|O\d?$|std=|include|isystem)/.test(option);
}

/** Returns the values as arguments that follow a file, ` -- ARGUMENT ...`; empty without values. */
export function argumentsForClang({
  include = [],
  define = [],
  std,
  ccArg = [],
}: { readonly [Name in keyof ClangValues]?: ClangValues[Name] | undefined }): string {
  const given = [
    ...define.map((name) => `-D${name}`),
    ...include.map((folder) => `-I${folder}`),
    ...(std === undefined ? [] : [`-std=${std}`]),
    ...ccArg,
  ];
  // `quoteArgument` writes `./-` for a name that begins with a dash; these are arguments.
  const quoted = given.map((each) => quoteArgument(each).replace(/^('?)\.\/-/, '$1-'));
  return given.length === 0 ? '' : ` -- ${quoted.join(' ')}`;
}
