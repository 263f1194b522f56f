export type { VerifyLimits } from './budget.js';
export { canonicalJson, certificateDigest } from './canonical-json.js';
export type { Report } from './report.js';
export { reportText, exitCodeOf } from './report-text.js';
export { verifyCertificate, type VerifyOptions } from './verify.js';
