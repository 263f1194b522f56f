export { prove, type ProveOptions, type Proof } from './api/prove.js';
export { certificateScript } from '@fencewright/proofs/obligations/certificate.js';
export type { proofClaims, ProofClaims } from '@fencewright/proofs/strategy/proof-claims.js';
export { countMovers, type ProofCounts } from '@fencewright/reports/words/proof-counts.js';
export { proveReport, type ProofSubject } from '@fencewright/reports/text/prove.js';
export { proveToJson } from '@fencewright/reports/json/prove-json.js';
export { proofTable, type ProofRow } from '@fencewright/reports/text/proof-table.js';
export { sealCertificate } from '@fencewright/model/program/seal-certificate.js';
