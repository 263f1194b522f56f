export {
  ruleName,
  runToJson,
  coverCertificateToJson,
  type JsonTokens,
  type JsonConfiguration,
  type JsonCoverCertificate,
} from './nets/cover-json.js';
export { coverReport } from './nets/cover-report.js';
export { coverText, parseNet, type CoverQuestion, type CoverResult } from './nets/cover-text.js';
export {
  decideCover,
  type CoverEngine,
  type CoverVerdict,
  type CoverAnswer,
} from './nets/decide-cover.js';
export { readMist, type NetResult, type NoteBytes } from './nets/formats/read-mist.js';
export { readTts, type TtsQuestion } from './nets/formats/read-tts.js';
export { netFormats, type NetFormat, type NetInputFormat } from './nets/net-formats.js';
export { netToJson } from './nets/net-to-json.js';
export type { Net } from './petri/net.js';
export { sealNetCertificate } from './program/seal-certificate.js';
export { LimitReached, watchReading } from './petri/watch.js';
