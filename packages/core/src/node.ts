export { chooseSmtSolver, type SmtSolverChoice } from './node/choose-smt-solver.js';
export { helperEnvironment, killHelpersOf } from './node/helpers.js';
export { isRunning } from './node/is-running.js';
export { removeSpinLeftovers, createSpin, type SpinOptions } from './node/spin.js';
export { createNativeZ3, hasNativeZ3 } from './node/z3-process.js';
