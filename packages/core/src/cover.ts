export * from './nets/cover-json.js';
export * from './nets/cover-report.js';
export * from './nets/decide-cover.js';
export * from './nets/formats/read-mist.js';
export * from './nets/formats/read-tts.js';
export * from './nets/net-json.js';
export type { Net } from './petri/net.js';
export { sealNetCertificate } from './program/seal-certificate.js';
export { LimitReached, watchReading } from './petri/watch.js';
