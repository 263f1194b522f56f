export {
  runToJson,
  coverCertificateToJson,
  type JsonTokens,
  type JsonConfiguration,
  type JsonCoverCertificate,
} from '@fencewright/nets/nets/cover-json.js';
export { coverReport } from '@fencewright/nets/nets/cover-report.js';
export {
  coverText,
  parseNet,
  type CoverQuestion,
  type CoverResult,
} from '@fencewright/nets/nets/cover-text.js';
export {
  decideCover,
  type CoverEngine,
  type CoverVerdict,
  type CoverAnswer,
} from '@fencewright/nets/nets/decide-cover.js';
export {
  readMist,
  type NetResult,
  type NoteBytes,
} from '@fencewright/nets/nets/formats/read-mist.js';
export type { TtsQuestion } from '@fencewright/nets/nets/formats/read-tts.js';
export {
  netFormats,
  type NetFormat,
  type NetInputFormat,
} from '@fencewright/nets/nets/net-formats.js';
export { writeProgramOfNet } from '@fencewright/nets/formats/write-program.js';
export { netToJson } from '@fencewright/nets/nets/net-to-json.js';
export type { Net } from '@fencewright/ground/petri/net.js';
