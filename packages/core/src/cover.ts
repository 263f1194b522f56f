export * from './petri/cover-json.js';
export * from './petri/cover-report.js';
export * from './petri/decide-cover.js';
export * from './petri/formats/read-mist.js';
export * from './petri/formats/read-tts.js';
export * from './petri/net-json.js';
export type { Net } from './petri/net.js';
export { sealNetCertificate } from './program/seal-certificate.js';
export { LimitReached, watchReading } from './petri/watch.js';
