export { SeededRandom } from './base/random.js';
export {
  attacksByDefinition,
  type AttacksByDefinition,
} from './definitions/attacks-by-definition.js';
export {
  enumerateTraces,
  type EnumerationOptions,
  type TraceEnumeration,
} from './definitions/enumerate-traces.js';
export { programFeatures, FeatureCount } from './testing/program-features.js';
export { randomAutomata, type RandomAutomataOptions } from './testing/random-automata.js';
export { randomProgram, type RandomProgramOptions } from './testing/random-program.js';
