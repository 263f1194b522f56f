export { prove, type ProveOptions, type Proof } from './api/prove.js';
export { certificateScript } from './proofs/obligations/certificate.js';
export type { proofClaims, ProofClaims } from './proofs/strategy/proof-claims.js';
export { countMovers, type ProofCounts } from './reports/words/proof-counts.js';
export { proveReport, type ProofSubject } from './reports/text/prove.js';
export { proveToJson } from './reports/json/prove-json.js';
export { proofTable, type ProofRow } from './reports/text/proof-table.js';
export { sealCertificate } from './program/seal-certificate.js';
