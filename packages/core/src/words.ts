// What needs nothing else: names and defaults, for those who should start quickly.
export { nearestName } from './source/nearest-name.js';
export { quoteName } from './source/quote-name.js';
export { netOutputFormats, outputFormats, programFormats } from './api/output-formats.js';
export { defaults } from './api/defaults.js';
