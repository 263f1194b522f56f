export { chooseSmtSolver, type SmtSolverChoice } from './node/choose-smt-solver.js';
export { helperEnvironment, killHelpersOf } from './node/helpers.js';
export { isRunning } from './node/is-running.js';
export { textOf } from './node/text-of.js';
export { removeSpinLeftovers, createSpin, type SpinOptions } from './node/spin.js';
export { createNativeZ3, hasNativeZ3 } from './node/z3-process.js';
export { type ChosenHeaders, chooseHeaders } from './node/choose-headers.js';
export { type RefusedArgument, refusedArgument } from './node/cc-arguments.js';
export { type CSettings, type HeaderChoice, isCxx, standardOf } from './node/clang-arguments.js';
export type { ClangMessage } from './node/clang-messages.js';
export {
  compileC,
  type CModule,
  type Compiled,
  type CompileLimits,
  type ClangOptions,
  type ClangOutput,
  type CUnit,
} from './node/compile-c.js';
export {
  type CType,
  type CxxHeader,
  type Header,
  type HeaderClass,
  type HeaderFunction,
  isNumberInCxx,
  variableType,
} from './node/header-types.js';
export { readCxxHeader, readHeader } from './node/read-header.js';
export { type Clang, findClang, missingClangWords, type NoClang } from './node/find-clang.js';
export {
  type CompileCommands,
  type DatabaseUnit,
  readCompileCommands,
} from './node/compile-commands.js';
