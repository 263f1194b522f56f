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
export {
  enumerateEventTraces,
  eventVerdicts,
  type DefinedVerdict,
  type EventEnumerationOptions,
  type EventTraces,
  type EventVerdicts,
  type JudgedTrace,
} from './definitions/enumerate-event-traces.js';
export { programFeatures, FeatureCount } from './testing/program-features.js';
export { randomAutomata, type RandomAutomataOptions } from './testing/random-automata.js';
export { randomMailboxes } from './testing/random-mailboxes.js';
export { programWithQuestions } from './testing/with-questions.js';
export { withWrapping, type Disguised } from './testing/with-wrapping.js';
export { randomProgram, type RandomProgramOptions } from './testing/random-program.js';
export { type GeneratorName, programOfSeed } from './testing/program-of-seed.js';
export { eventFeatures } from './testing/event-features.js';
export {
  randomEventProgram,
  type RandomEventOptions,
  type RandomEventProgram,
} from './testing/random-event-program.js';
export { eventSketchText } from './testing/event-sketch-text.js';
export { certifyUnreached, type Unreached } from './load-buffers/state-certificate.js';
export { cpuTimer } from './testing/cpu-timer.js';
