/** An argument that clang is not given, and why. */
export interface RefusedArgument {
  readonly argument: string;
  readonly why: string;
}

/** Arguments with a value, joined or behind them: macros, and where headers are. */
const valued = /^(-D|-U|-I|-isystem|-iquote|-idirafter|-include|-imacros)(.*)$/s;

/** Options of the language and of layouts: the IR says what they come to, and is read as it is. */
const languageFlags = [
  ...['exceptions', 'rtti', 'threadsafe-statics', 'elide-constructors', 'access-control'],
  ...['sized-deallocation', 'aligned-allocation', 'char8_t', 'signed-char', 'unsigned-char'],
  ...['short-enums', 'short-wchar', 'common', 'ms-extensions', 'gnu-keywords', 'gnu89-inline'],
  ...['asm', 'dollars-in-identifiers', 'wrapv', 'strict-overflow', 'freestanding', 'hosted'],
  ...['builtin', 'operator-names', 'permissive'],
];

/** Options of the machine code, and of assumptions that no pass makes without optimisation. */
const machineFlags = [
  ...['strict-aliasing', 'delete-null-pointer-checks', 'PIC', 'pic', 'PIE', 'pie', 'plt'],
  ...['omit-frame-pointer', 'optimize-sibling-calls', 'stack-protector', 'stack-protector-strong'],
  ...['stack-protector-all', 'stack-clash-protection', 'unwind-tables', 'math-errno'],
  ...['asynchronous-unwind-tables', 'function-sections', 'data-sections', 'jump-tables'],
  ...['visibility-inlines-hidden', 'semantic-interposition'],
];

/** Options with a number or a word behind `=`, of either kind. */
const flagsWithValue = [
  ...['template-depth', 'constexpr-depth', 'constexpr-steps', 'bracket-depth', 'visibility'],
  ...['pack-struct', 'strict-flex-arrays', 'trivial-auto-var-init', 'cf-protection'],
];

/** Of these flags one of the two forms would change what is looked at, or says it twice. */
const otherForms = new Set([
  ...['-fexceptions', '-frtti', '-fbuiltin', '-fno-signed-char', '-fno-unsigned-char'],
]);

/** Features of processors: which instructions there are. The reader knows those that it reads. */
const features =
  /^-m(no-)?(cx16|mmx|sse|sse2|sse3|ssse3|sse4|sse4\.[12]|avx|avx2|avx512\w+|bmi|bmi2|fma|popcnt|lzcnt|aes|pclmul|movbe|sahf|adx|f16c|fxsr|xsave\w*|clflushopt|clwb|red-zone)$/;

function isFlag(argument: string): boolean {
  const [, name = '', value] = /^-f(?:no-)?([\w-]+)(=[\w.+-]+)?$/.exec(argument) ?? [];
  if (otherForms.has(argument)) return false;
  if (value !== undefined) return flagsWithValue.includes(name);
  return languageFlags.includes(name) || machineFlags.includes(name);
}

/** Whether an argument that stands alone may be given. */
function isAllowed(argument: string): boolean {
  return (
    // What clang says: -Wp, -Wa, and -Wl, hand arguments to other programs.
    /^-W(?![pal],)[\w+#=-]+$/.test(argument) ||
    /^(-w|-pedantic|-pedantic-errors|-ansi|-trigraphs|-pthread|-pipe|-O0|-g|-g0|-m64)$/.test(
      argument,
    ) ||
    /^(-nostdinc|-nostdinc\+\+)$/.test(argument) ||
    /^-std=[\w+:.]+$/.test(argument) ||
    // The machine at hand would have a say in what comes out.
    /^-m(arch|tune)=(?!native$)[\w.-]+$/.test(argument) ||
    features.test(argument) ||
    isFlag(argument)
  );
}

/** Reasons by what arguments are about; the first that fits is said. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [/^@/, 'it names a file of arguments'],
  [/^-$|^[^-]|^--$/, 'it names a file to compile: --link takes further files'],
  [
    /^(-Xclang|-X.*|-cc1.*|-Wp,.*|-Wa,.*|-Wl,.*|-mllvm.*|--config.*)$/,
    'it hands on arguments that are not looked at',
  ],
  [
    /^(-fplugin.*|-fpass-plugin.*|-load.*|-B.*|-specs.*|--specs.*|-wrapper|-fuse-ld.*|-fintegrated.*|-fno-integrated.*)$/,
    'it names a program or code to run',
  ],
  [
    /^(-o.*|--output.*|-?-save-temps.*|-M.*|-fproc-stat-report.*|-ftime-trace.*|-?-serialize-diagnostics.*|-dependency.*|-gsplit-dwarf.*|-fmodules.*|-fcrash.*|--coverage|-ftest-coverage|-fprofile.*)$/,
    'it has clang write files',
  ],
  [
    /^(-finstrument.*|-ftrapv.*|-pg|-mfentry.*|-fsanitize.*|-fno-sanitize.*|-fxray.*|-fopenmp.*|-fopenacc.*|-fcoverage.*|-fsplit-stack|-O.*|-flto.*|-fwhole.*|-ffast-math)$/,
    'it changes the code that is looked at',
  ],
  [
    /^(-m32|-m16|-mx32|-mlp64|-target.*|--target.*|-arch)$/,
    'programs are read for x86-64 with 64 bits',
  ],
  [/^-m(arch|tune|cpu)=native$/, 'results would depend on the machine'],
  [/^-f(exceptions|rtti)$/, 'programs in C++ are read without exceptions and types at run time'],
  [
    /^(-c|-E|-S|-g.*|-fsyntax-only|-emit.*|-x.*|-###|-v|-H|--version|--help.*)$/,
    'what is made of the file is not yours to say',
  ],
];

const otherReason =
  'it is none of those that are known to leave the reading right: -D, -U, -I, -isystem, -iquote, -idirafter, -include, -imacros, -std=, -W..., and the -f and -m of docs/c.md';

function reasonFor(argument: string): string {
  return reasons.find(([pattern]) => pattern.test(argument))?.[1] ?? otherReason;
}

/** Arguments of clang in the order given, each with its value where that stands behind. */
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
 * Why clang is not given such a group: only what is listed may be given, since other arguments
 * change the code, write files or run programs. Nothing where it may.
 */
export function whyRefused([argument, value]: readonly string[]): string | undefined {
  const [, name, joined] = valued.exec(argument!) ?? [];
  // Clang takes such a word for a file of arguments wherever it stands.
  if (value?.startsWith('@')) return reasonFor(value);
  if (name !== undefined)
    return joined === '' && value === undefined ? 'its value is missing' : undefined;
  return isAllowed(argument!) ? undefined : reasonFor(argument!);
}

/** The first argument that users may not give, if any. */
export function refusedArgument(args: readonly string[]): RefusedArgument | undefined {
  for (const group of argumentGroups(args)) {
    const why = whyRefused(group);
    if (why !== undefined) return { argument: group[0]!, why };
  }
  return undefined;
}

/** The option and its value that such a group is, if it is one. */
export function valuedArgument([argument, behind]: readonly string[]):
  { readonly name: string; readonly value: string } | undefined {
  const [, name, joined] = valued.exec(argument!) ?? [];
  return name === undefined ? undefined : { name, value: behind ?? joined! };
}

/** An option with its value as clang and the runner of its package read it. */
export function spelled(name: string, value: string): readonly string[] {
  return name === '-include' || name === '-imacros' ? [name, value] : [`${name}${value}`];
}

/** Arguments that may be given, in one spelling: files behind their option, the rest joined. */
export function spelledAlike(args: readonly string[]): readonly string[] {
  return argumentGroups(args).flatMap((group) => {
    const option = valuedArgument(group);
    return option ? spelled(option.name, option.value) : group;
  });
}
