/* eslint-disable no-restricted-imports -- core does not export what only its tests need */

// Judges that execute the definitions. They belong to the tests of core, and share nothing with the
// verifier.
export { type Goal, meetsGoal } from '../../repairs/test/fences/goals-by-definition.js';
export { randomGoalText } from '../../repairs/test/fences/random-goal-text.js';
export { racesByDefinition } from '../../engines/test/triangular-races/races-by-definition.js';
export {
  hangsByDefinition,
  hasNewVector,
} from '../../engines/test/progress/hangs-by-definition.js';
export { randomHangsText } from '../../engines/test/progress/random-hangs.js';
export { withFences } from '../../repairs/test/events/fences-by-definition.js';
export { programOf, refute as refuteProof } from '../../core/test/verified-proofs/judge.js';
export { randomProofText } from '../../core/test/verified-proofs/random-proof-text.js';
export { unprovedClaims } from '../../core/test/verified-proofs/unproved-claims.js';
export { answerByGraphs } from '../../engines/test/c11/all-graphs.js';
export { forwardingSketch } from '../../engines/test/c11/forwarding-sketch.js';
export { weakCasSketch, weakProgramOf } from '../../engines/test/c11/weak-cas-sketch.js';
export { rmwsAsSections } from '../../engines/test/c11/rmws-as-sections.js';
export { closedCover } from '../../engines/test/c11/closed-cover.js';
export {
  type ProgramSketch,
  randomSketch,
  type Sketch,
  textOf,
} from '../../engines/test/c11/sketch.js';
export { isRobustWithBuffering } from '../../engines/test/c11/buffered-graphs.js';
export { bufferingAcrossRmw } from '../../engines/test/c11/buffering-across-rmws.js';
export { judgeHeavyFences } from '../../reference/src/definitions/judge-heavy-fences.js';
export {
  ringWithHeavyFences,
  withHeavyFences,
} from '../../reference/src/testing/random-heavy-fences.js';
