export * from './petri/cover-json.js';
export * from './petri/cover-report.js';
export * from './petri/decide-cover.js';
export * from './petri/formats/read-mist.js';
export * from './petri/formats/read-tts.js';
export type { Net } from './petri/net.js';
export { LimitReached, watchReading } from './petri/watch.js';
