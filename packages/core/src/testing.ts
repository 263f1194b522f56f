export * from './base/random.js';
export * from './definitions/attacks-by-definition.js';
export * from './definitions/enumerate-traces.js';
export * from './testing/program-features.js';
export * from './testing/random-automata.js';
export * from './testing/random-program.js';
