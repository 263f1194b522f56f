// What speaks of names and formats, and needs nothing else: for those who should start quickly.
export { nearestName } from './source/nearest-name.js';
export { quoteName } from './source/quote-name.js';
export { frontEnds, type InputFormat } from './api/front-ends.js';
export { netFormats, type NetFormat, type NetInputFormat } from './nets/net-formats.js';
export { extensionsInWords, formatByExtension } from './source/file-format.js';
