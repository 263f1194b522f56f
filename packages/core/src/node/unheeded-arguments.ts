/** Matches options without effect on the analysis whose value is the next argument. */
const withValue = /^(-o|-MF|-MT|-MQ|-L|-l|-z|-T|-isysroot|--sysroot|--param|-Xlinker)$/;

/** Matches options for outputs, output files, and libraries. */
const product =
  /^(-c|-S|-o.+|-M(D|MD|P|G|M)?|-M[FTQ].+|-Wp,-M.*|-L.+|-l.+|-Wl,.*|-rdynamic|-shared|-static.*|-s|-T.+|-pipe|-isysroot.+|--sysroot=.*|--param=.*|-save-temps.*|-no-pie|-pie)$/;

/** Matches options for the compiler's messages, and for debug information. */
const words =
  /^(-g.*|-w|-W(?![pal],).*|-pedantic.*|-v|-H|-f(no-)?(color-diagnostics|diagnostics.*|caret-diagnostics|show-.*|message-length.*|max-errors.*|error-limit.*|ident|var-tracking.*|debug-.*|file-prefix-map.*|macro-prefix-map.*|emit-struct-debug.*|eliminate-unused-debug.*|record-gcc-switches))$/;

/**
 * Matches options for passes of an optimising compiler; the analysis reads the statements as
 * written.
 */
const passes =
  /^(-O.*|-f(no-)?(inline.*|align-.*|conserve-stack|ipa-.*|tree-.*|gcse.*|reorder-.*|unroll.*|ira-.*|schedule-.*|sched-.*|merge-constants|merge-all-constants|lto.*|fat-lto-objects|vectorize|slp-vectorize|vect-.*|fp-contract.*|fast-math|finite-math-only|rounding-math|trapping-math|signed-zeros|associative-math|reciprocal-math|unsafe-math-optimizations|excess-precision.*|optimize-.*|allow-store-data-races|devirtualize.*|split-(?:wide-types|loops|paths)|thread-jumps|crossjumping|peel-loops|cse-.*|guess-branch-probability|early-inlining|whole-program.*|defer-pop|store-merging|code-hoisting|live-.*|patchable-function-entry.*|zero-call-used-regs.*|zero-init-padding-bits.*|min-function-alignment.*|kcfi|stack-reuse.*|rtti|builtin-.*|use-linker-plugin))$/;

/** Matches options for the layout of machine code, without effect on the available instructions. */
const machine =
  /^-m(tune=.*|arch=native|cmodel=.*|no-80387|no-fp-ret-in-387|80387|fpmath=.*|preferred-stack-boundary=.*|stack-alignment=.*|skip-rax-setup|accumulate-outgoing-args|indirect-branch.*|function-return=.*|harden-sls=.*|retpoline.*|stackrealign|stack-protector.*|tls-dialect=.*|general-regs-only|no-3dnow|branches-within.*)$/;

/**
 * Returns the arguments of a compiler without arguments irrelevant to the meaning of the text:
 * names of outputs and libraries, warnings, debuggers, passes. Build commands are full of such
 * arguments.
 */
export function withoutUnheeded(args: readonly string[]): readonly string[] {
  const kept: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const argument = args[i]!;
    if (withValue.test(argument)) i++;
    else if (![product, words, passes, machine].some((kind) => kind.test(argument)))
      kept.push(argument);
  }
  return kept;
}
