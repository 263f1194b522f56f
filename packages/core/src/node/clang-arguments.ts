import path from 'node:path';
import { spelledAlike } from './cc-arguments.js';
import type { Clang } from './find-clang.js';

/** The user's settings for the compilation. */
export interface CSettings {
  /** The folders in which clang looks for headers. */
  readonly include?: readonly string[];
  /** The macros to define for clang: `NAME` or `NAME=VALUE`. */
  readonly define?: readonly string[];
  /**
   * The version of C or C++ in which files are compiled; `gnu11`, and `gnu++17` for C++, if absent.
   */
  readonly std?: string;
  /** Further arguments for clang, all allowed by `refusedArgument`. */
  readonly ccArgs?: readonly string[];
  /** The headers found first: the shipped ones (`own`, if absent), or those of the machine. */
  readonly headers?: HeaderChoice;
}

/** The headers for compiling a program: those of this tool, or those of the machine. */
export type HeaderChoice = 'own' | 'machine';

const cxxEnds = /\.(cc|cpp|cxx|c\+\+|hpp)$/i;

/** Whether a file is in C++, by its name; all other compiled files are in C. */
export function isCxx(file: string): boolean {
  return cxxEnds.test(file) || file.endsWith('.C');
}

/** Returns the version of the language as which a file is compiled, such as `gnu11`. */
export function standardOf(file: string, { std, ccArgs = [] }: CSettings): string {
  const last = ccArgs.findLast((each) => /^-(?:std=|ansi$)/.test(each));
  if (last === '-ansi') return isCxx(file) ? 'c++98' : 'c90';
  return last?.slice('-std='.length) ?? std ?? (isCxx(file) ? 'gnu++17' : 'gnu11');
}

/**
 * Practices of old programs that clang 16 and later report as errors. They are reported here as
 * warnings.
 */
const oldStyle = [
  ...['implicit-function-declaration', 'int-conversion', 'implicit-int'],
  ...['incompatible-pointer-types', 'incompatible-function-pointer-types'],
];

/**
 * Returns a file name that clang reads as a file, neither as an option nor as a list of arguments.
 */
function asOperand(file: string): string {
  return /^[-@]/.test(file) ? `.${path.sep}${file}` : file;
}

/** Returns the option that stops clang 16 and later from reading configuration files. */
export function configurationArguments(version: string): readonly string[] {
  return Number.parseInt(version, 10) < 16 ? [] : ['--no-default-config'];
}

/**
 * Returns the arguments that keep the bodies of inline functions. An inline definition of C99 is no
 * external definition: without optimisation, clang calls a function of another file, which need not
 * exist, but keeps the bodies of functions that it must always inline [C11, 6.7.4p7].
 */
function inlineArguments(standard: string): readonly string[] {
  // In C90, `inline` may be any name.
  const isName = /^c(?:89|90)$|^iso9899:199(?:0|409)$/.test(standard);
  const words = [...(isName ? [] : ['inline']), '__inline', '__inline__'];
  const always = words.map((word) => `-D${word}=${word} __attribute__((__always_inline__))`);
  return [...always, '-Wno-macro-redefined'];
}

/** Matches options by which clang may use instructions for fused multiply-add. */
const fusing = /^-m(?:fma|fma4|arch=.*|avx512.*)$/;

/**
 * Returns the argument that forbids clang to contract a product and a sum into a fused
 * multiply-add. Empty if the user's arguments allow such instructions. Without the instructions,
 * x86-64 rounds the product before it adds, as this argument demands.
 */
function contractionArguments(ccArgs: readonly string[]): readonly string[] {
  return ccArgs.some((each) => fusing.test(each)) ? [] : ['-ffp-contract=off'];
}

/**
 * Returns the arguments for the chosen headers, to be put before and after the user's arguments;
 * `folder` has the shipped headers, and `isPlus` says that the file is in C++.
 */
function headerArguments(
  headers: HeaderChoice,
  folder: string,
  isPlus: boolean,
): { readonly before: readonly string[]; readonly behind: readonly string[] } {
  if (headers === 'machine')
    return {
      // Only this option makes clang mark the lifetimes of locals without defining the macros of a
      // sanitiser.
      before: [
        ...['-Xclang', '-fsanitize-address-use-after-scope'],
        ...(isPlus ? ['-include', path.join(folder, 'fw-cxx.h')] : []),
      ],
      behind: ['-idirafter', folder],
    };
  return {
    // Clang marks the lifetimes of locals in unoptimised code only with an address sanitiser. No
    // passes run, so the sanitiser adds no code.
    before: ['-nostdlibinc', '-fsanitize=address', '-U__SANITIZE_ADDRESS__'],
    behind: [...(isPlus ? [`-isystem${path.join(folder, 'c++')}`] : []), `-isystem${folder}`],
  };
}

/**
 * Returns the arguments to compile a file to unoptimised IR on stdout: all accesses of the source
 * in the order of evaluation, with lines and columns. `folder` has the shipped headers. The
 * settings have passed `refusedArgument`. If given, `operand` is compiled instead, but the IR has
 * the name of the file.
 */
export function clangArguments(
  { version }: Clang,
  file: string,
  { include = [], define = [], std, ccArgs = [], headers = 'own' }: CSettings,
  folder: string,
  operand: string = asOperand(file),
): readonly string[] {
  const isPlus = isCxx(file);
  const { before, behind } = headerArguments(headers, folder, isPlus);
  const standard = standardOf(file, std === undefined ? {} : { std });
  return [
    ...configurationArguments(version),
    ...['-target', 'x86_64-linux-gnu', '-fno-builtin'],
    ...['-O0', '-S', '-emit-llvm', '-g', '-gcolumn-info', '-fdebug-compilation-dir=.'],
    ...before,
    ...['-Xclang', '-disable-llvm-passes'],
    ...['-fno-discard-value-names', '-fno-crash-diagnostics'],
    ...['-fno-caret-diagnostics', '-fno-color-diagnostics', '-ferror-limit=20'],
    ...(isPlus ? ['-fno-rtti'] : []),
    '-Wno-atomic-alignment',
    ...contractionArguments(ccArgs),
    // As GCC does, clang then takes casts as operands of inline assembly.
    ...(isPlus ? [] : ['-fheinous-gnu-extensions']),
    ...(isPlus ? [] : inlineArguments(standard)),
    ...(isPlus ? [] : oldStyle.map((name) => `-Wno-error=${name}`)),
    `-std=${standard}`,
    ...define.map((each) => `-D${each}`),
    ...include.map((each) => `-I${each}`),
    ...spelledAlike(ccArgs),
    ...behind,
    ...['-x', isPlus ? 'c++' : 'c', '-o', '-', operand],
  ];
}
