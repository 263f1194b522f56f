export * from './node/choose-smt-solver.js';
export * from './node/helpers.js';
export * from './node/is-running.js';
export * from './node/spin.js';
export * from './node/z3-process.js';
