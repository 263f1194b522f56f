export type { VerifyLimits } from './budget.js';
export { canonicalJson, certificateDigest } from './canonical-json.js';
export type { Report } from './report.js';
export { reportText, exitCodeOf } from './report-text.js';
export type { VerifyOptions } from './check.js';
export { verifyCertificate } from './verify.js';
export type { Automata, Invariant, InvariantExpression } from './automata.js';
export type { Abstraction, Claims } from './proof/claims.js';
