export { SeededRandom } from '@fencewright/ground/base/random.js';
export {
  attacksByDefinition,
  type AttacksByDefinition,
} from '@fencewright/reference/definitions/attacks-by-definition.js';
export {
  enumerateTraces,
  type EnumerationOptions,
  type TraceEnumeration,
} from '@fencewright/reference/definitions/enumerate-traces.js';
export {
  enumerateEventTraces,
  eventVerdicts,
  type DefinedVerdict,
  type EventEnumerationOptions,
  type EventTraces,
  type EventVerdicts,
  type JudgedTrace,
} from '@fencewright/reference/definitions/enumerate-event-traces.js';
export { programFeatures, FeatureCount } from '@fencewright/reference/testing/program-features.js';
export {
  randomAutomata,
  type RandomAutomataOptions,
} from '@fencewright/reference/testing/random-automata.js';
export { randomMailboxes } from '@fencewright/reference/testing/random-mailboxes.js';
export { programWithQuestions } from '@fencewright/reference/testing/with-questions.js';
export { withWrapping, type Disguised } from '@fencewright/reference/testing/with-wrapping.js';
export {
  randomProgram,
  type RandomProgramOptions,
} from '@fencewright/reference/testing/random-program.js';
export {
  type GeneratorName,
  programOfSeed,
} from '@fencewright/reference/testing/program-of-seed.js';
export {
  randomEventProgram,
  type RandomEventOptions,
  type RandomEventProgram,
} from '@fencewright/reference/testing/random-event-program.js';
export {
  certifyUnreached,
  type Unreached,
} from '@fencewright/engines/load-buffers/state-certificate.js';
export { cpuTimer } from '@fencewright/reference/testing/cpu-timer.js';
