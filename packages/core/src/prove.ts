export * from './api/prove.js';
export * from './proofs/obligations/certificate.js';
export type * from './proofs/strategy/proof-claims.js';
export * from './reports/words/proof-counts.js';
export * from './reports/text/prove.js';
export * from './reports/json/prove-json.js';
export * from './reports/text/proof-table.js';
export { sealCertificate } from './program/seal-certificate.js';
