export * from './api/prove.js';
export * from './reduction/certificate.js';
export type * from './reduction/proof-claims.js';
export * from './reports/proof-counts.js';
export * from './reports/prove.js';
export * from './reports/prove-json.js';
export * from './reports/proof-table.js';
export { sealCertificate } from './program/seal-certificate.js';
