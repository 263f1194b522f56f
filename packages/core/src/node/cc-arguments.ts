/** A forbidden argument for clang, with the reason. */
export interface RefusedArgument {
  readonly argument: string;
  readonly why: string;
}

/**
 * Matches clang's options with a value, joined or as the next argument: macros, and folders of
 * headers.
 */
const valued = /^(-D|-U|-I|-isystem|-iquote|-idirafter|-include|-imacros)(.*)$/s;

/**
 * Allowed options about the language and the layout of data. The IR contains their effect, and the
 * reader follows the IR.
 */
const languageFlags = [
  ...['exceptions', 'rtti', 'threadsafe-statics', 'elide-constructors', 'access-control'],
  ...['sized-deallocation', 'aligned-allocation', 'char8_t', 'signed-char', 'unsigned-char'],
  ...['short-enums', 'short-wchar', 'common', 'ms-extensions', 'gnu-keywords', 'gnu89-inline'],
  ...['asm', 'dollars-in-identifiers', 'wrapv', 'strict-overflow', 'freestanding', 'hosted'],
  ...['builtin', 'operator-names', 'permissive'],
];

/**
 * Allowed options about machine code, and about assumptions that clang does not use without
 * optimisation.
 */
const machineFlags = [
  ...['strict-aliasing', 'delete-null-pointer-checks', 'PIC', 'pic', 'PIE', 'pie', 'plt'],
  ...['omit-frame-pointer', 'optimize-sibling-calls', 'stack-protector', 'stack-protector-strong'],
  ...['stack-protector-all', 'stack-clash-protection', 'unwind-tables', 'math-errno'],
  ...['asynchronous-unwind-tables', 'function-sections', 'data-sections', 'jump-tables'],
  ...['visibility-inlines-hidden', 'semantic-interposition'],
];

/** Allowed options of language or machine with a value after `=`. */
const flagsWithValue = [
  ...['template-depth', 'constexpr-depth', 'constexpr-steps', 'bracket-depth', 'visibility'],
  ...['pack-struct', 'strict-flex-arrays', 'trivial-auto-var-init', 'cf-protection'],
];

/**
 * Refused forms of flags that clang knows in a positive and a negative form. Such a form changes
 * the analysed code, or repeats the default.
 */
const otherForms = new Set([...['-frtti', '-fbuiltin', '-fno-signed-char', '-fno-unsigned-char']]);

/**
 * Matches options that enable or disable processor instructions. The reader rejects unknown
 * instructions.
 */
const features =
  /^-m(no-)?(cx16|mmx|sse|sse2|sse3|ssse3|sse4|sse4\.[12]|avx|avx2|avx512\w+|bmi|bmi2|fma|popcnt|lzcnt|aes|pclmul|movbe|sahf|adx|f16c|fxsr|xsave\w*|clflushopt|clwb|red-zone)$/;

function isFlag(argument: string): boolean {
  const [, name = '', value] = /^-f(?:no-)?([\w-]+)(=[\w.+-]+)?$/.exec(argument) ?? [];
  if (otherForms.has(argument)) return false;
  if (value !== undefined) return flagsWithValue.includes(name);
  return languageFlags.includes(name) || machineFlags.includes(name);
}

/** Whether an argument without a value is allowed. */
function isAllowed(argument: string): boolean {
  return (
    // Options for clang's messages. -Wp, -Wa, and -Wl, pass arguments to other programs.
    /^-W(?![pal],)[\w+#=-]+$/.test(argument) ||
    /^(-w|-pedantic|-pedantic-errors|-ansi|-trigraphs|-pthread|-pipe|-O0|-g|-g0|-m64)$/.test(
      argument,
    ) ||
    /^(-nostdinc|-nostdinc\+\+)$/.test(argument) ||
    /^-std=[\w+:.]+$/.test(argument) ||
    // With `native`, the output would depend on the machine.
    /^-m(arch|tune)=(?!native$)[\w.-]+$/.test(argument) ||
    features.test(argument) ||
    isFlag(argument)
  );
}

/** Reasons for refusing an argument, by topic; the first match counts. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [/^@/, 'a file of arguments is not allowed'],
  [/^-$|^[^-]|^--$/, 'name further files to compile by --link'],
  [
    /^(-Xclang|-X.*|-cc1.*|-Wp,.*|-Wa,.*|-Wl,.*|-mllvm.*|--config.*)$/,
    'an argument that passes on other arguments is not allowed',
  ],
  [
    /^(-fplugin.*|-fpass-plugin.*|-load.*|-B.*|-specs.*|--specs.*|-wrapper|-fuse-ld.*|-fintegrated.*|-fno-integrated.*)$/,
    'clang must not run other programs or plugins',
  ],
  [
    /^(-o.*|--output.*|-?-save-temps.*|-M.*|-fproc-stat-report.*|-ftime-trace.*|-?-serialize-diagnostics.*|-dependency.*|-gsplit-dwarf.*|-fmodules.*|-fcrash.*|--coverage|-ftest-coverage|-fprofile.*)$/,
    'clang must not write files',
  ],
  [
    /^(-finstrument.*|-ftrapv.*|-pg|-mfentry.*|-fsanitize.*|-fno-sanitize.*|-fxray.*|-fopenmp.*|-fopenacc.*|-fcoverage.*|-fsplit-stack|-O.*|-flto.*|-fwhole.*|-ffast-math)$/,
    'the analysed code must not be optimised or instrumented',
  ],
  [
    /^(-m32|-m16|-mx32|-mlp64|-target.*|--target.*|-arch)$/,
    'programs are compiled for x86-64 with 64 bits',
  ],
  [/^-m(arch|tune|cpu)=native$/, 'results must not depend on the machine'],
  [/^-frtti$/, 'C++ is compiled without run-time type information'],
  [
    /^(-c|-E|-S|-g.*|-fsyntax-only|-emit.*|-x.*|-###|-v|-H|--version|--help.*)$/,
    'the kind of output is fixed',
  ],
];

const otherReason =
  'the allowed arguments are -D, -U, -I, -isystem, -iquote, -idirafter, -include, -imacros, -std=, -W..., and the -f and -m of docs/c.md';

function reasonFor(argument: string): string {
  return reasons.find(([pattern]) => pattern.test(argument))?.[1] ?? otherReason;
}

/**
 * Groups the arguments of clang in the given order: an option and its value are one group, if the
 * value is the next argument.
 */
export function argumentGroups(args: readonly string[]): readonly (readonly string[])[] {
  const groups: (readonly string[])[] = [];
  for (let i = 0; i < args.length; i++) {
    const [, name, joined] = valued.exec(args[i]!) ?? [];
    const hasValueBehind = name !== undefined && joined === '' && i + 1 < args.length;
    groups.push(hasValueBehind ? [args[i]!, args[++i]!] : [args[i]!]);
  }
  return groups;
}

/**
 * Returns the reason for not passing an argument group to clang; `undefined` if the group is
 * allowed. Only listed arguments are allowed, since other arguments change the code, write files or
 * run programs.
 */
export function whyRefused([argument, value]: readonly string[]): string | undefined {
  const [, name, joined] = valued.exec(argument!) ?? [];
  // Clang reads every word that begins with @ as the name of a file of arguments.
  if (value?.startsWith('@')) return reasonFor(value);
  if (name !== undefined)
    return joined === '' && value === undefined ? 'the value is missing' : undefined;
  return isAllowed(argument!) ? undefined : reasonFor(argument!);
}

/**
 * Returns the first argument that users may not give to clang, with the reason; `undefined` if
 * there is none.
 */
export function refusedArgument(args: readonly string[]): RefusedArgument | undefined {
  for (const group of argumentGroups(args)) {
    const why = whyRefused(group);
    if (why !== undefined) return { argument: group[0]!, why };
  }
  return undefined;
}

/** Returns the option and value of an argument group; `undefined` if the group has no value. */
export function valuedArgument([argument, behind]: readonly string[]):
  { readonly name: string; readonly value: string } | undefined {
  const [, name, joined] = valued.exec(argument!) ?? [];
  return name === undefined ? undefined : { name, value: behind ?? joined! };
}

/**
 * Returns an option with a value as arguments that both clang and the runner of clang's package
 * understand.
 */
export function spelled(name: string, value: string): readonly string[] {
  return name === '-include' || name === '-imacros' ? [name, value] : [`${name}${value}`];
}

/**
 * Returns allowed arguments in a uniform spelling: `-include` and `-imacros` with the file as the
 * next argument, other options joined with their value.
 */
export function spelledAlike(args: readonly string[]): readonly string[] {
  return argumentGroups(args).flatMap((group) => {
    const option = valuedArgument(group);
    return option ? spelled(option.name, option.value) : group;
  });
}
